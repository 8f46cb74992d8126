#include "equation_solver.hpp"

#include <array>

namespace liaison {

namespace {

constexpr int tries_with_given_parameters = 8;

}  // namespace

EquationSolver::EquationSolver(Algebra& algebra, const Slots& slots, std::vector<Expr> equations,
                               std::size_t own_rows)
    : slots_(slots), parts_(slots, std::move(equations)), certifier_(algebra, slots, parts_, own_rows) {}

void EquationSolver::prepare_sides(const SideSearch& sides) {
  if (sides_prepared_ == sides.size()) return;
  std::vector<Expr> es;
  for (std::size_t i = 0; i < sides.size(); ++i) es.push_back(sides[i].e);
  numeric_sides_ = NumericRows(es, slots_.symbols());
  sides_prepared_ = es.size();
}

/// Functions that must be positive or negative and are not: a further row puts each at a random distance.
bool EquationSolver::add_needed_sides(const NumericPoint& point, const SideSearch& sides,
                                      NumericSystem& system, Random& random) const {
  const std::vector<int> signs = sides.signs(point.x);
  bool added = false;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const int needed = sides[i].needed_sign;
    if (needed == 0 || signs[i] != -needed) continue;
    system.add(numeric_sides_, i, needed * (0.1 + 3 * random_unit(random)));
    added = true;
  }
  return added;
}

bool EquationSolver::find_numbers(NumericPoint& point, const Start& start, SideSearch& sides,
                                  Random& random) {
  constexpr std::array distances{1.0, 0.1, 10.0, 0.01, 100.0, 1e-4};
  constexpr int rounds = 3;
  prepare_sides(sides);
  NumericSystem system;
  for (std::size_t part : point.active) system.add(parts_.numeric, part);
  if (const auto& wish = start.wish; wish.target != SideSearch::none) {
    const auto number = static_cast<std::size_t>(start.number);
    const double distance = distances[number % distances.size()] * (0.5 + random_unit(random));
    system.add(numeric_sides_, wish.target, wish.sides[wish.target] * distance);
  }
  for (int round = 0; round < rounds; ++round) {
    if (!solve_numerically(system, point.x, point.columns, parts_.positive)) return false;
    if (!add_needed_sides(point, sides, system, random)) return true;
  }
  return false;
}

std::optional<Candidate> EquationSolver::solve(const Start& start, SideSearch& sides, Random& random,
                                               std::string& failure) {
  const bool first = first_columns_serve_ || start.number < tries_with_given_parameters;
  NumericPoint point{
      start.place,       start.wish, sides, {}, first ? parts_.first_columns : parts_.all_columns,
      start.place.values};
  for (const auto& parts : parts_.of_row) point.active.push_back(parts[random() % parts.size()]);
  if (!find_numbers(point, start, sides, random)) {
    failure = point.columns.empty() ? "the equations hold unknown functions of all that could be solved for"
                                    : "no solution of the equations was found";
    return std::nullopt;
  }
  auto result = certifier_.certify(point);
  if (!result) failure = "a numerical solution of the equations could not be certified";
  if (result && first) first_columns_serve_ = true;
  return result;
}

}  // namespace liaison
