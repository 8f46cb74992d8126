#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "candidate.hpp"
#include "covered_ranges.hpp"
#include "equation_solver.hpp"
#include "expr/raw.hpp"
#include "expr/work.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "side_search.hpp"

namespace liaison {

namespace {

using Place = SideSearch::Place;
using Wish = SideSearch::Wish;

constexpr long bits_of_arguments = 256;
constexpr long bits_of_a_printed_value = 256;
constexpr long bits_of_every_double = 1200;  // whatever is not zero and a double is told from zero
constexpr int tries_for_a_side = 4;

/// Everything that values are drawn for.
std::vector<Expr> all_expressions(const Region& region, std::span<const Expr> asked) {
  std::vector<Expr> result(asked.begin(), asked.end());
  result.insert(result.end(), region.equations.begin(), region.equations.end());
  for (const Requirement& requirement : region.domain) result.push_back(requirement.e);
  return result;
}

/// Operations of one try, estimated: the nodes are evaluated some dozens of times with their derivatives, in
/// doubles and in balls, and a matrix is inverted at each step of Newton's method.
std::uint64_t cost_of_try(std::size_t nodes, std::size_t equations) {
  constexpr std::uint64_t node_weight = 100, matrix_weight = 20;
  return node_weight * nodes + matrix_weight * equations * equations * equations;
}

/// Charges what the work inside it takes beyond an estimate that was charged before: derivatives may be much
/// longer than what they are taken of. That work ends where the budget does.
class CountedWork {
 public:
  CountedWork(Algebra& algebra, std::uint64_t estimate)
      : algebra_(algebra), estimate_(estimate), limit_(left_for_points(algebra)) {}
  ~CountedWork() {
    const std::uint64_t work = work_done() - before_;
    if (work > estimate_) charge_points(algebra_, work - estimate_);
  }
  CountedWork(const CountedWork&) = delete;
  CountedWork& operator=(const CountedWork&) = delete;

 private:
  Algebra& algebra_;
  std::uint64_t estimate_;
  std::uint64_t before_ = work_done();
  WorkLimit limit_;
};

SideSearch make_sides(const Slots& slots, const Region& region, std::span<const Expr> asked) {
  std::vector<Expr> es = slots.hide(asked);
  const std::vector<Expr> equations = slots.hide(region.equations);
  es.insert(es.end(), equations.begin(), equations.end());
  for (const auto& slot : slots.all()) es.insert(es.end(), slot.arguments.begin(), slot.arguments.end());
  Domain domain;
  for (const Requirement& requirement : region.domain)
    domain.push_back({slots.hide(requirement.e), requirement.bound});
  return SideSearch(slots.symbols(), critical_functions(es, domain));
}

/// How values are drawn at one try: around 1 first, then inside (0, 1), where logarithms and inverse
/// functions have values, then positive, then in growing boxes.
struct Box {
  Rational scale;
  bool positive;
};
Box box_of_try(int number) {
  switch (number % 6) {
    case 2: return {Rational(1, 5), true};
    case 3: return {Rational(10), true};
    case 4: return {Rational(1), true};
    case 5: return {power(Rational(10), 1 + (number / 6) % 9), false};
    default: return {Rational(1), false};
  }
}

/// Later points are also looked for farther away, and nearer to zero.
Rational growth_of_point(int number) {
  if (number < 6 || number % 3 == 0) return 1;
  return number % 3 == 1 ? power(Rational(10), 1 + (number / 3) % 6)
                         : power(Rational(10), -((number / 3) % 4));
}

int level_of_point(int number, Random& random) {
  constexpr std::array<int, 6> first{1, 0, 1, 2, 0, 3};
  const auto n = static_cast<std::size_t>(number);
  return n < first.size() ? first[n] : static_cast<int>(random() % 4);
}

}  // namespace

struct PointFinder::Search {
  Search(Algebra& a, const Region& r, std::span<const Expr> asked, PointOptions o)
      : algebra(a),
        region(r),
        options(o),
        slots(a.pool(), all_expressions(r, asked)),
        check(a, slots, r, asked),
        sides(make_sides(slots, r, asked)),
        random(o.seed),
        ranges(slots, o.units),
        nodes(postorder(all_expressions(r, asked)).size()) {
    if (!region.equations.empty())
      solver.emplace(algebra, slots, slots.hide(region.equations), region.equations.size());
  }

  Place random_place(int attempt);
  std::optional<std::string> assign_functions(Candidate& candidate, const Place& place,
                                              std::span<const char> which);
  Candidate symbols_of(const Place& place) const;
  bool has_two_values(const Candidate& candidate) const;
  std::optional<Candidate> attempt(EquationSolver* equations, int number, const Wish& wish);
  std::optional<Candidate> draw(const Wish& wish);
  std::vector<int> next_combination();
  Wish next_wish();
  void note_sides(const Candidate& candidate);
  const BallPoint* balls_to_print(const Candidate& candidate) const;
  bool is_sharp(const Candidate& candidate) const;
  RegionPoint finish(Candidate candidate);
  EquationSolver& solver_on(Expr zero);

  Algebra& algebra;
  Region region;
  PointOptions options;
  Slots slots;
  DomainCheck check;
  SideSearch sides;
  Random random;
  std::optional<EquationSolver> solver;
  std::map<Expr, EquationSolver, StructuralLess> solvers_on;  ///< with one more equation
  PointFinder::Follows follows;
  std::set<std::pair<std::size_t, int>> seen;  ///< sides of functions; those that were not found, too
  CoveredRanges ranges;
  std::size_t nodes;  ///< of all expressions, each once
  int points = 0;
  std::size_t combinations = 0;
  std::string failure;
};

/// Values of different size for all slots: equal ones would hide differences, and 1 its powers.
Place PointFinder::Search::random_place(int attempt) {
  const Box box = box_of_try(attempt);
  const Rational growth = attempt < 2 ? growth_of_point(points) : Rational(1);
  const int level = level_of_point(points, random);
  Place place{std::vector<Rational>(slots.size()), std::vector<double>(slots.size())};
  std::set<Rational> used{Rational(1)};
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Rational value;
    for (int again = 0; again < 8; ++again) {
      value = short_value(random, std::min(3, level + again / 3), box.scale);
      if (used.insert(abs(value)).second) break;
    }
    if (random() % 2 == 0) value *= growth;
    place.set(i, box.positive || slots[i].is_positive() ? abs(value) : value);
  }
  return place;
}

/// Gives those of the unknown functions that have no value yet the one that they must have, or the free one
/// of the place; says why it cannot.
std::optional<std::string> PointFinder::Search::assign_functions(Candidate& candidate, const Place& place,
                                                                 std::span<const char> which) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].is_function() || candidate.exact[i] || (!which.empty() && which[i] == 0)) continue;
    const BallPoint* known = candidate.balls(slots, bits_of_arguments);
    if (known == nullptr) return "the precision does not decide an argument of an unknown function";
    const auto forced = slots.forced_value(i, *known, candidate.exact, bits_of_arguments);
    if (forced.clash) return "the arguments of an unknown function cannot be told apart";
    candidate.exact[i] = forced.slot ? *candidate.exact[*forced.slot] : place.exact[i];
    candidate.forget_balls();
  }
  return std::nullopt;
}

/// An unknown function at arguments that may be equal: the equations may have changed what was drawn.
bool PointFinder::Search::has_two_values(const Candidate& candidate) const {
  if (!solver) return false;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].is_function() || !candidate.exact[i]) continue;
    const BallPoint* known = candidate.balls(slots, bits_of_arguments);
    if (known == nullptr) return true;
    const auto forced = slots.forced_value(i, *known, candidate.exact, bits_of_arguments);
    if (forced.clash || (forced.slot && *candidate.exact[*forced.slot] != *candidate.exact[i])) return true;
  }
  return false;
}

/// The values of a place, without those of unknown functions.
Candidate PointFinder::Search::symbols_of(const Place& place) const {
  Candidate candidate;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    candidate.exact.push_back(slots[i].is_function() ? std::nullopt : std::optional(place.exact[i]));
  }
  return candidate;
}

std::optional<Candidate> PointFinder::Search::attempt(EquationSolver* equations, int number,
                                                      const Wish& wish) {
  const std::uint64_t estimate = cost_of_try(nodes, region.equations.size());
  if (!charge_points(algebra, estimate)) {
    failure = "the limit of operations was reached";
    return std::nullopt;
  }
  const CountedWork work(algebra, estimate);
  Place place = random_place(number);
  sides.move(random, place, wish);
  std::optional<Candidate> candidate = symbols_of(place);
  std::optional<std::string> problem;
  if (equations != nullptr) {
    problem = assign_functions(*candidate, place, equations->fixed());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].is_function() && candidate->exact[i]) place.set(i, *candidate->exact[i]);
    }
    if (!problem) candidate = equations->solve({place, wish, number}, sides, random, failure);
  }
  if (!candidate) return std::nullopt;
  if (!problem) problem = assign_functions(*candidate, place, {});
  if (!problem && has_two_values(*candidate)) problem = "an unknown function would have two values";
  if (!problem && !is_sharp(*candidate)) problem = "the precision does not determine the point";
  if (problem) failure = *problem;
  if (problem || !check.contains(*candidate, failure)) return std::nullopt;
  return candidate;
}

/// A point, on the wanted side if that is reached within a few tries.
std::optional<Candidate> PointFinder::Search::draw(const Wish& wish) {
  std::optional<Candidate> other;
  Wish no_wish;
  no_wish.reach = wish.reach;
  const int tries = slots.size() == 0 ? 1 : options.tries;
  for (int i = 0; i < tries; ++i) {
    const bool wishing = i < tries_for_a_side && wish.target != SideSearch::none;
    if (!wishing && other) return other;
    auto found = attempt(solver ? &*solver : nullptr, i, wishing ? wish : no_wish);
    if (!found) continue;
    if (!wishing || check.sign(*found, sides[wish.target].e) == wish.sides[wish.target]) return found;
    if (!other) other = std::move(found);
  }
  return other;
}

/// Sides of all functions at once: all positive, all negative, then the others, each with its opposite; any
/// where they are too many.
std::vector<int> PointFinder::Search::next_combination() {
  constexpr std::size_t most_in_turn = 64;
  std::vector<int> result;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const bool in_turn = combinations < most_in_turn && i < 60;
    const std::size_t flip = in_turn ? ((combinations / 2) >> i) + combinations : random();
    const int side = flip % 2 == 0 ? 1 : -1;
    result.push_back(sides[i].needed_sign != 0 ? sides[i].needed_sign : side);
  }
  return result;
}

/// The first side that no point has been on, with any sides of the others; later, combinations and no wish at
/// all in turn.
Wish PointFinder::Search::next_wish() {
  Wish wish;
  wish.reach = growth_of_point(points).to_double();
  if (points == 0 || sides.size() == 0) return wish;
  wish.sides = next_combination();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (int side : {1, -1}) {
      if (sides[i].needed_sign == -side || !seen.insert({i, side}).second) continue;
      wish.sides[i] = side;
      wish.target = i;
      return wish;
    }
  }
  if (points % 3 == 0) return {.sides = {}, .reach = wish.reach};
  ++combinations;
  wish.target = random() % sides.size();
  return wish;
}

void PointFinder::Search::note_sides(const Candidate& candidate) {
  std::vector<double> values;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto box = candidate.boxes.find(i);
    values.push_back(candidate.exact[i] ? candidate.exact[i]->to_double() : box->second.mid());
  }
  const std::vector<int> signs = sides.signs(values);
  for (std::size_t i = 0; i < signs.size(); ++i) seen.insert({i, signs[i]});
  ranges.add(values);
}

/// Where a value that is solved for may be zero at the bits of a printed one: at so many that zero or a
/// double remains.
const BallPoint* PointFinder::Search::balls_to_print(const Candidate& candidate) const {
  const BallPoint* balls = candidate.balls(slots, bits_of_a_printed_value);
  if (balls == nullptr) return nullptr;
  const bool may_be_zero = std::any_of(candidate.boxes.begin(), candidate.boxes.end(), [&](const auto& box) {
    return balls->at(slots[box.first].symbol).contains_zero();
  });
  return may_be_zero ? candidate.balls(slots, bits_of_every_double) : balls;
}

/// Printed values stand for the only solution near them: 17 digits must be certain, or that it is next to
/// zero.
bool PointFinder::Search::is_sharp(const Candidate& candidate) const {
  constexpr double relative = 0x1p-58, least = 0x1p-1000;
  if (candidate.boxes.empty()) return true;
  const BallPoint* balls = balls_to_print(candidate);
  return balls != nullptr &&
         std::all_of(candidate.boxes.begin(), candidate.boxes.end(), [&](const auto& box) {
           const Ball& ball = balls->at(slots[box.first].symbol);
           const double radius = mag_get_d(arb_radref(ball.raw())), size = std::abs(ball.mid());
           return radius <= least || radius <= relative * size;
         });
}

RegionPoint PointFinder::Search::finish(Candidate candidate) {
  note_sides(candidate);
  ++points;
  RegionPoint result;
  const BallPoint* balls = candidate.boxes.empty() ? nullptr : balls_to_print(candidate);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (candidate.exact[i]) {
      result.given.emplace_back(slots[i].original, *candidate.exact[i]);
    } else {
      result.solved.emplace_back(slots[i].original, balls->at(slots[i].symbol));
    }
  }
  result.rows = candidate.rows;
  result.certificate = std::make_shared<const Candidate>(std::move(candidate));
  return result;
}

EquationSolver& PointFinder::Search::solver_on(Expr zero) {
  const auto known = solvers_on.find(zero);
  if (known != solvers_on.end()) return known->second;
  std::vector<Expr> equations = slots.hide(region.equations);
  equations.push_back(zero);
  EquationSolver& made =
      solvers_on.try_emplace(zero, algebra, slots, std::move(equations), region.equations.size())
          .first->second;
  made.set_follows(follows);
  return made;
}

std::vector<std::pair<Expr, Rational>> RegionPoint::printed() const {
  std::vector<std::pair<Expr, Rational>> result = given;
  for (const auto& [symbol, ball] : solved) result.emplace_back(symbol, printed_value(ball));
  return result;
}

Rational printed_value(const Ball& ball) {
  if (ball.contains_zero()) return Rational(0);  // what its midpoint is says nothing
  const auto value = Rational::parse(fmt::format("{:.17g}", ball.mid()));
  return value ? *value : Rational::from_double(ball.mid());
}

PointFinder::PointFinder(Algebra& algebra, const Region& region, std::span<const Expr> asked,
                         PointOptions options) {
  if (!charge_points(algebra, 1)) return;  // to prepare the equations may take long
  const CountedWork work(algebra, 1);
  search_ = std::make_unique<Search>(algebra, region, asked, options);
}

PointFinder::~PointFinder() = default;

void PointFinder::set_follows(Follows follows) {
  if (!search_) return;
  search_->follows = std::move(follows);
  if (search_->solver) search_->solver->set_follows(search_->follows);
  for (auto& [zero, solver] : search_->solvers_on) solver.set_follows(search_->follows);
}

std::optional<RegionPoint> PointFinder::next() {
  if (!search_) return std::nullopt;
  Search& search = *search_;
  auto found = search.draw(search.next_wish());
  if (!found) return std::nullopt;
  return search.finish(std::move(*found));
}

std::optional<RegionPoint> PointFinder::next_on_side(Expr e, int side) {
  if (!search_) return std::nullopt;
  Search& search = *search_;
  const Expr hidden = search.slots.hide(e);
  if (!search.slots.covers(hidden)) {
    search.failure = to_infix(e) + " holds symbols that the region does not have";
    return std::nullopt;
  }
  if (hidden.is_constant()) {
    const auto sign = constant_sign(hidden);
    if (!sign || *sign != side) {
      search.failure = "a constant has one side only";
      return std::nullopt;
    }
    return next();
  }
  Wish wish;
  if (side != 0) {
    wish.target = search.sides.index_of(hidden);
    wish.sides.assign(search.sides.size(), 0);
    wish.sides[wish.target] = side;
  }
  EquationSolver* equations = side == 0       ? &search.solver_on(hidden)
                              : search.solver ? &*search.solver
                                              : nullptr;
  for (int i = 0; i < search.options.tries; ++i) {
    auto found = search.attempt(equations, i, wish);
    if (!found) continue;
    if (side == 0 || search.check.sign(*found, hidden) == side) return search.finish(std::move(*found));
    search.failure = "the wanted side was not reached";
  }
  return std::nullopt;
}

std::optional<std::vector<Ball>> PointFinder::values(const RegionPoint& point, std::span<const Expr> es,
                                                     long bits) const {
  if (!search_ || !point.certificate) return std::nullopt;
  const Slots& slots = search_->slots;
  BallValues found = evaluate_at(*point.certificate, slots, slots.hide(es), bits);
  if (found.status != EvaluationStatus::ok) return std::nullopt;
  return std::move(found.values);
}

const std::string& PointFinder::failure() const {
  static const std::string at_limit = "the limit of operations was reached";
  return search_ ? search_->failure : at_limit;
}

std::string PointFinder::covered() const {
  return search_ ? search_->ranges.describe() : "";
}

}  // namespace liaison
