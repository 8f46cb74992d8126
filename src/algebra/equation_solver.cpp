#include "equation_solver.hpp"

#include <algorithm>
#include <array>

#include "liaison/expr/traverse.hpp"

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

/// Something that is solved for stands in it. What is drawn alone is on its side already.
bool EquationSolver::is_solved_for(Expr e, std::span<const std::size_t> columns) const {
  return std::any_of(columns.begin(), columns.end(),
                     [&](std::size_t column) { return depends_on(e, slots_[column].symbol); });
}

/// Equations between drawn values alone are solved for one of them: first for an unknown function.
bool EquationSolver::solve_drawn_rows(const std::vector<std::size_t>& active,
                                      SideSearch::Place& place) const {
  std::vector<char> is_set(slots_.size(), 0);
  for (std::size_t part : active) {
    const std::vector<std::size_t>& own = parts_.slots_of_part[part];
    const bool is_drawn = std::all_of(own.begin(), own.end(), [&](std::size_t i) { return parts_.fixed[i]; });
    if (own.empty() || !is_drawn) continue;
    std::vector<std::optional<Rational>> exact(place.exact.begin(), place.exact.end());
    const auto value = [&] { return parts_.exact[part].evaluate_exact(exact).front(); };
    if (const auto now = value(); now && now->is_zero()) continue;
    bool is_solved = false;
    for (bool functions : {true, false}) {
      for (std::size_t slot : own) {
        if (is_solved || is_set[slot] != 0 || slots_[slot].is_function() != functions) continue;
        exact[slot] = Rational(0);
        const auto zero = value();
        exact[slot] = Rational(1);
        const auto one = value();
        if (zero && one && *zero != *one) {
          exact[slot] = *zero / (*zero - *one);
          const auto now = value();
          is_solved = now && now->is_zero() && !(parts_.positive[slot] != 0 && exact[slot]->sign() <= 0);
        }
        if (is_solved) {
          place.set(slot, *exact[slot]);
          is_set[slot] = 1;
        } else {
          exact[slot] = place.exact[slot];
        }
      }
    }
    if (!is_solved) return false;
  }
  return true;
}

bool EquationSolver::find_numbers(NumericPoint& point, const Start& start, SideSearch& sides,
                                  Random& random) {
  NumericSystem system, wished;
  constexpr std::array distances{1.0, 0.1, 10.0, 0.01, 100.0, 1e-4};
  constexpr int rounds = 3;
  prepare_sides(sides);
  for (std::size_t part : point.active) system.add(parts_.numeric, part);
  if (const auto& wish = start.wish;
      wish.target != SideSearch::none && is_solved_for(sides[wish.target].e, point.columns)) {
    const auto number = static_cast<std::size_t>(start.number);
    const double distance = distances[number % distances.size()] * (0.5 + random_unit(random));
    const double value = wish.sides[wish.target] * distance;
    system.add(numeric_sides_, wish.target, value);
    std::vector<double> x = point.x;
    if (solve_numerically(system, x, point.columns, parts_.positive)) {
      point.x = std::move(x);
    } else {  // the equations determine what is wished for: begin on that side, and see where they lead
      system.drop_last();
      wished.add(numeric_sides_, wish.target, value);
      if (!solve_numerically(wished, point.x, point.columns, parts_.positive)) return false;
    }
  }
  for (int round = 0; round < rounds; ++round) {
    if (!solve_numerically(system, point.x, point.columns, parts_.positive)) return false;
    if (!add_needed_sides(point, sides, system, random)) return true;
  }
  return false;
}

std::optional<Candidate> EquationSolver::solve(Start start, SideSearch& sides, Random& random,
                                               std::string& failure) {
  const bool first = first_columns_serve_ || start.number < tries_with_given_parameters;
  std::vector<std::size_t> active;
  for (const auto& parts : parts_.of_row) active.push_back(parts[random() % parts.size()]);
  if (!solve_drawn_rows(active, start.place)) {
    failure = "the equations hold unknown functions of all that could be solved for";
    return std::nullopt;
  }
  NumericPoint point{start.place,
                     start.wish,
                     sides,
                     std::move(active),
                     first ? parts_.first_columns : parts_.all_columns,
                     start.place.values};
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
