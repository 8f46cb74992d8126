#include "place_looks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "region_proof.hpp"
#include "zero_test.hpp"

namespace liaison {

namespace {

constexpr std::size_t short_form = 300;
constexpr std::size_t most_choices = 32;  // of factors
constexpr int points_on_a_part = 4;

bool depends_on_pi(Expr constant) {
  const std::vector<Expr> nodes = postorder(constant);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr node) { return node.is(Op::pi); });
}

}  // namespace

bool is_short(Expr e) {
  const std::array one{e};
  return postorder(one).size() <= short_form;
}

std::optional<Verdict> PlaceLooks::in(Region part, int wanted, std::span<const Expr> added) {
  return in(std::move(part), wanted, added, sides_);
}

std::optional<Verdict> PlaceLooks::in(Region part, int wanted, std::span<const Expr> added,
                                      std::span<const Expr> sides) {
  for (Expr e : region_.assumed) part.domain.push_back({e, Bound::nonzero});
  PointFinder there(algebra_, part, sides, PointOptions{.seed = algebra_.options().seed, .tries = 20});
  there.set_follows(follows_in(part));
  for (int i = 0; i < wanted; ++i) {
    const auto point = there.next();
    if (!point) return std::nullopt;
    const auto values = there.values(*point, sides, check_bits);
    if (!values) continue;
    ++points_;
    if (overlaps((*values)[0], (*values)[1])) continue;
    Verdict verdict = Verdict::of(Grade::refuted);
    verdict.witness = {point->printed(), (*values)[0], (*values)[1]};
    std::erase_if(verdict.witness.point, [&](const auto& value) {
      return std::find(added.begin(), added.end(), value.first) != added.end();
    });
    return verdict;
  }
  return std::nullopt;
}

std::optional<Verdict> PlaceLooks::where(const ExactZero& zero) {
  Region part = region_;
  part.equations.push_back(zero.inner - zero.value);
  add_requirements(part.domain, natural_domain(sides_));
  try {
    const std::vector<Expr> there = substitute(sides_, Substitution{{zero.inner, zero.value}});
    return in(std::move(part), 1, {}, there);
  } catch (const Error&) {
    return std::nullopt;  // one has no value there
  }
}

std::optional<Verdict> PlaceLooks::at_single_points(Expr u) {
  if (!is_short(u)) return std::nullopt;
  for (const ExactZero& zero : zeros_by_undoing(u)) {
    if (!zero.inner.is(Op::symbol)) {
      if (auto refutation = where(zero)) return refutation;
      continue;
    }
    for (const Rational& factor : {Rational(1), Rational(2), Rational(1, 2)}) {
      if (auto refutation = at_constant({{zero.inner, factor * zero.value}})) return refutation;
    }
  }
  if (const auto places = stationary_points(u, region_)) {
    Region part = region_;
    part.equations.insert(part.equations.end(), places->equations.begin(), places->equations.end());
    if (auto refutation = in(std::move(part), 3, places->multipliers)) return refutation;
    std::vector<Expr> equations = places->binding;
    equations.insert(equations.end(), places->equations.begin(), places->equations.end());
    if (auto refutation = at_constants(std::move(equations), places->symbols)) return refutation;
  }
  const std::vector<Expr> parts = parts_that_vanish_together(u);
  if (parts.empty()) return std::nullopt;
  Region part = region_;
  part.equations.insert(part.equations.end(), parts.begin(), parts.end());
  if (auto refutation = in(part)) return refutation;
  return at_constants(part.equations, symbols_in(parts));
}

std::optional<Verdict> PlaceLooks::at_constants(std::vector<Expr> equations,
                                                const std::vector<Expr>& symbols) {
  constexpr int few = 6;
  if (equations.empty()) return std::nullopt;
  const Region near{.equations = std::move(equations), .domain = {}, .assumed = {}};
  PointFinder places(algebra_, near, symbols, PointOptions{.seed = algebra_.options().seed, .tries = 8});
  std::set<std::vector<std::uint32_t>> seen;
  for (int i = 0; i < few; ++i) {
    const auto place = places.next();
    if (!place) break;
    Substitution constants;
    std::vector<std::uint32_t> key;
    for (const auto& [symbol, value] : place->printed()) {
      if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end()) continue;
      const auto constant = recognised(algebra_.pool(), value.to_double());
      if (!constant) break;
      constants.emplace(symbol, *constant);
      key.push_back(constant->index());
    }
    if (constants.size() < symbols.size() || !seen.insert(std::move(key)).second) continue;
    if (auto refutation = at_constant(constants)) return refutation;
    for (const auto& [symbol, value] : constants) {  // whether it is there too is asked of the equations
      if (!depends_on_pi(value)) continue;
      for (long turns : {2, -2}) {
        Substitution turned = constants;
        turned[symbol] = value + Rational(turns) * algebra_.pool().pi();
        if (auto refutation = at_constant(turned)) return refutation;
      }
    }
  }
  return std::nullopt;
}

std::optional<Verdict> PlaceLooks::at_constant(const Substitution& constants) {
  const auto there = specialised(algebra_, region_, sides_, constants);
  if (!there) return std::nullopt;
  PointFinder rest(algebra_, there->region, there->sides,
                   PointOptions{.seed = algebra_.options().seed, .tries = 20});
  rest.set_follows(follows_in(there->region));
  const auto point = rest.next();
  if (!point) return std::nullopt;
  const auto values = rest.values(*point, there->sides, check_bits);
  if (!values) return std::nullopt;
  ++points_;
  if (overlaps((*values)[0], (*values)[1])) return std::nullopt;
  Verdict verdict = Verdict::of(Grade::refuted);
  verdict.witness = {point->printed(), (*values)[0], (*values)[1]};
  auto& witness = verdict.witness.point;
  for (const auto& [symbol, value] : constants) {
    const BallValues digits = evaluate_balls(std::span(&value, 1), {}, look_bits);
    if (digits.status != EvaluationStatus::ok) return std::nullopt;
    if (!std::isfinite(digits.values[0].mid()))
      return Verdict::of(Grade::unknown, "it fails where " + to_infix(symbol) + " = " + to_infix(value) +
                                             ", which is too large to be printed");
    witness.emplace_back(symbol, value.is_number() ? value.number() : printed_value(digits.values[0]));
  }
  std::sort(witness.begin(), witness.end(),
            [](const auto& a, const auto& b) { return StructuralLess()(a.first, b.first); });
  return verdict;
}

std::optional<Verdict> PlaceLooks::at_further_turns() {
  for (Expr angle : angles_beside_inverses(sides_)) {
    for (const Rational& turned : {Rational(2), Rational(-2), Rational(4), Rational(-4), Rational(30)}) {
      Region part = region_;
      part.equations.push_back(angle - turned);
      if (auto refutation = in(std::move(part))) return refutation;
      for (const ExactZero& zero : zeros_by_undoing(angle - turned)) {
        if (!zero.inner.is(Op::symbol)) continue;
        if (auto refutation = at_constant({{zero.inner, zero.value}})) return refutation;
      }
    }
  }
  return std::nullopt;
}

std::optional<Verdict> PlaceLooks::on_open_parts(const std::vector<Region>& parts) {
  for (const Region& open : parts) {
    if (open.equations.empty() && open.domain.empty()) continue;
    Region part = region_;
    part.equations.insert(part.equations.end(), open.equations.begin(), open.equations.end());
    part.domain.insert(part.domain.end(), open.domain.begin(), open.domain.end());
    if (auto refutation = in(std::move(part), points_on_a_part)) return refutation;
  }
  return std::nullopt;
}

std::optional<Verdict> PlaceLooks::on_components() {
  std::vector<std::vector<Expr>> factors;
  std::size_t choices = 1;
  for (Expr equation : region_.equations) {
    if (!is_short(equation)) continue;
    std::vector<Expr> list = zero_factors(equation.is(Op::mul) ? equation : algebra_.readable(equation));
    if (list.size() < 2 || choices * list.size() > most_choices) continue;
    choices *= list.size();
    factors.push_back(std::move(list));
  }
  if (factors.empty()) return std::nullopt;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    Region part = region_;
    std::size_t digits = choice;
    for (const std::vector<Expr>& list : factors) {
      part.equations.push_back(list[digits % list.size()]);
      digits /= list.size();
    }
    if (auto refutation = in(std::move(part))) return refutation;
  }
  return std::nullopt;
}

std::optional<Verdict> PlaceLooks::at_cut(const Cut& cut) {
  Region on_cut = region_;
  on_cut.equations.push_back(cut.y);
  on_cut.domain.push_back({-cut.x, Bound::positive});
  return in(std::move(on_cut));
}

PointFinder::Follows PlaceLooks::follows_in(const Region& region) {
  return [this, &region](std::size_t row, std::span<const std::size_t> others) {
    Region rest{.equations = {}, .domain = region.domain, .assumed = {}};
    for (std::size_t k : others) rest.equations.push_back(region.equations[k]);
    if (const auto places = without_velocities(region.equations[row], rest)) {
      if (prove_zero(algebra_, region.equations[row], *places).proved)
        return PointFinder::Following{true, {}};
    }
    const RegionProof proof = prove_zero(algebra_, region.equations[row], rest, most_parts_to_exclude);
    PointFinder::Following following{proof.proved || proof.open_is_all, {}};
    for (const Region& part : proof.open) following.unless.push_back(part.equations);
    return following;
  };
}

}  // namespace liaison
