#include "turns.hpp"

#include <algorithm>
#include <unordered_set>

#include "expr/raw.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "zero_test.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_turns = 6;
constexpr std::size_t most_nodes = 3'000;

bool is_circular(Op op) {
  return op == Op::sin || op == Op::cos || op == Op::tan;
}

/// The coefficients of a symbol in the arguments of circular functions; nothing where it stands elsewhere.
std::optional<std::vector<Expr>> angle_coefficients(std::span<const Expr> es, Expr symbol) {
  std::vector<Expr> result;
  std::unordered_set<Expr> outside;  // of a circular function, the symbol stands in these
  for (Expr e : postorder(es)) {
    const bool depends = e == symbol || std::any_of(e.args().begin(), e.args().end(),
                                                    [&](Expr arg) { return outside.contains(arg); });
    if (!depends) continue;
    if (!is_circular(e.op())) {
      outside.insert(e);
      continue;
    }
    const auto linear = linear_coefficients(e.arg(0), std::span(&symbol, 1));
    if (!linear) return std::nullopt;
    result.push_back(linear->coefficients[0]);
  }
  if (std::any_of(es.begin(), es.end(), [&](Expr e) { return outside.contains(e); })) return std::nullopt;
  return result;
}

/// A period of the symbol is one of all these.
bool keeps(const PeriodicSymbol& turn, std::span<const Expr> es) {
  const auto coefficients = angle_coefficients(es, turn.symbol);
  if (!coefficients) return false;
  const Expr pi = turn.symbol.pool().pi();
  return std::all_of(coefficients->begin(), coefficients->end(), [&](Expr c) {
    const Expr turns = c * turn.period / (2 * pi);
    return turns.is_number() && turns.number().is_integer();
  });
}

/// Near ones first; then so far that no bound in a text is out of reach.
const std::vector<Rational>& multiples_to_look_at() {
  static const std::vector<Rational> result = [] {
    std::vector<Rational> list{1, -1, 2, -3, 7, -20};
    for (long size = 2; size <= 12; size += 2) {
      list.push_back(power(Rational(10), size));
      list.push_back(-power(Rational(10), size + 1));
    }
    return list;
  }();
  return result;
}

bool holds(const Ball& value, Bound bound) {
  if (bound == Bound::nonzero) return !value.contains_zero();
  return bound == Bound::positive ? arb_is_positive(value.raw()) : arb_is_nonnegative(value.raw());
}

}  // namespace

std::optional<PeriodicSymbol> turn_of(std::span<const Expr> es, Expr symbol) {
  const auto coefficients = angle_coefficients(es, symbol);
  if (!coefficients || coefficients->empty()) return std::nullopt;
  Rational turns;
  Expr unit;
  for (Expr c : *coefficients) {
    const auto [size, rest] = split_coefficient(c);
    if (size.is_zero()) continue;
    if (unit.empty()) {
      unit = rest;
      turns = 1 / abs(size);
    }
    if (rest != unit) return std::nullopt;
    turns *= (turns * size).denominator();
  }
  if (unit.empty()) return std::nullopt;
  return PeriodicSymbol{symbol, 2 * turns * symbol.pool().pi() / unit};
}

TurnLooks::TurnLooks(Algebra& algebra, const Region& region, const std::array<Expr, 2>& sides)
    : algebra_(algebra), region_(region), sides_(sides) {
  std::vector<Expr> all(sides.begin(), sides.end());
  all.insert(all.end(), region.equations.begin(), region.equations.end());
  for (const Requirement& requirement : region.domain) all.push_back(requirement.e);
  all.insert(all.end(), region.assumed.begin(), region.assumed.end());
  const std::vector<Expr> nodes = postorder(all);
  nodes_ = nodes.size();
  if (nodes_ > most_nodes) return;
  const bool has_unknown = std::any_of(nodes.begin(), nodes.end(), [](Expr e) { return e.is(Op::apply); });
  if (has_unknown) return;
  for (Expr symbol : symbols_in(sides)) {
    if (turns_.size() == most_turns) break;
    std::vector<Expr> kept = region.equations;
    for (const Requirement& requirement : region.domain) {
      if (angle_coefficients(std::span(&requirement.e, 1), symbol)) kept.push_back(requirement.e);
    }
    const auto turn = turn_of(kept, symbol);
    if (turn && !keeps(*turn, sides)) turns_.push_back(*turn);
  }
  Domain needed = region.domain;
  for (Expr e : region.assumed) needed.push_back({e, Bound::nonzero});
  for (const PeriodicSymbol& turn : turns_) {
    if (turn.symbol.symbol().positive) needed.push_back({turn.symbol, Bound::positive});
  }
  for (const Requirement& requirement : needed) {
    const bool is_kept = std::all_of(turns_.begin(), turns_.end(), [&](const PeriodicSymbol& turn) {
      return keeps(turn, std::span(&requirement.e, 1));
    });
    if (!is_kept) changed_.push_back(requirement);
  }
}

std::optional<Verdict> TurnLooks::from(const PointFinder& finder, const RegionPoint& point) {
  const std::vector<Rational>& list = multiples_to_look_at();
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    for (const Rational& multiple : list) {
      std::vector<Rational> multiples(turns_.size());
      multiples[k] = multiple;
      if (auto refutation = at(finder, point, multiples)) return refutation;
    }
  }
  if (turns_.size() < 2) return std::nullopt;
  for (std::size_t first = 0; first < list.size(); ++first) {  // all together, each by another number
    std::vector<Rational> multiples;
    for (std::size_t k = 0; k < turns_.size(); ++k) multiples.push_back(list[(first + 3 * k) % list.size()]);
    if (auto refutation = at(finder, point, multiples)) return refutation;
  }
  return std::nullopt;
}

std::optional<Verdict> TurnLooks::at(const PointFinder& finder, const RegionPoint& point,
                                     std::span<const Rational> multiples) {
  constexpr std::uint64_t node_weight = 10;
  if (!charge_points(algebra_, node_weight * nodes_)) return std::nullopt;
  Substitution turned;
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    if (!multiples[k].is_zero())
      turned.emplace(turns_[k].symbol, turns_[k].symbol + multiples[k] * turns_[k].period);
  }
  std::vector<Expr> asked(sides_.begin(), sides_.end());
  for (const Requirement& requirement : changed_) asked.push_back(requirement.e);
  const std::size_t first_symbol = asked.size();
  for (const auto& [symbol, value] : turned) asked.push_back(symbol);
  try {
    asked = substitute(asked, turned);
  } catch (const Error&) {
    return std::nullopt;  // something has no value there
  }
  const auto values = finder.values(point, asked, check_bits);
  if (!values || overlaps((*values)[0], (*values)[1])) return std::nullopt;
  for (std::size_t i = 0; i < changed_.size(); ++i) {
    if (!holds((*values)[sides_.size() + i], changed_[i].bound)) return std::nullopt;
  }
  Verdict verdict = Verdict::of(Grade::refuted);
  verdict.witness = {point.printed(), (*values)[0], (*values)[1]};
  std::size_t place = first_symbol;
  for (const auto& [symbol, value] : turned) {
    for (auto& printed : verdict.witness.point) {
      if (printed.first == symbol) printed.second = printed_value((*values)[place]);
    }
    ++place;
  }
  return verdict;
}

}  // namespace liaison
