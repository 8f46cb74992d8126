#include "row_proof.hpp"

#include <algorithm>
#include <cmath>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "region_proof.hpp"
#include "short_values.hpp"

namespace liaison {

namespace {

bool may_jump(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(),
                     [](Expr node) { return node.is(Op::sign) || node.is(Op::atan2); });
}

bool are_parallel(std::span<const double> a, std::span<const double> b) {
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += a[i] * a[i];
    bb += b[i] * b[i];
    ab += a[i] * b[i];
  }
  return ab * ab > (1 - 1e-9) * aa * bb;
}

constexpr std::uint64_t operations_of_a_proof = 20'000'000;  // for all points at once
constexpr std::uint64_t operations_here = 1'000'000;         // for one of them

/// Positions, then velocities, then all that is beyond: an equation between positions follows from such, as a
/// rule.
int order_of(Expr e) {
  int result = 0;
  for (Expr symbol : symbols_in(e)) {
    switch (symbol.symbol().kind) {
      case SymbolKind::parameter:
      case SymbolKind::time:
      case SymbolKind::coordinate: break;
      case SymbolKind::velocity: result = std::max(result, 1); break;
      case SymbolKind::multiplier:
      case SymbolKind::auxiliary: return 2;
    }
  }
  return result;
}

}  // namespace

/// Proved, under conditions that hold at the candidate.
bool RowProof::vanishes(Expr e, const Candidate& candidate) {
  const auto [place, is_new] = verdicts_.try_emplace(e.index());
  if (is_new) place->second = algebra_.is_zero(e);
  if (!place->second.is_proved()) return false;
  const std::vector<Expr> conditions = slots_.hide(place->second.conditions);
  const BallValues found = evaluate_at(candidate, slots_, conditions, bits_of_a_box);
  return found.status == EvaluationStatus::ok &&
         std::none_of(found.values.begin(), found.values.end(),
                      [](const Ball& value) { return value.contains_zero(); });
}

bool RowProof::is_zero_at(Expr e, const Candidate& candidate) {
  Substitution numbers;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Expr symbol = slots_[i].symbol;
    if (candidate.exact[i]) numbers.emplace(symbol, symbol.pool().number(*candidate.exact[i]));
  }
  const BallValues ball = evaluate_at(candidate, slots_, std::span(&e, 1), bits_of_a_box);
  if (ball.status != EvaluationStatus::ok || !ball.values[0].contains_zero()) return false;
  const Expr number = substitute(e, numbers);
  return number.is_zero() || (symbols_in(number).empty() && algebra_.is_zero(number).is_proved());
}

/// The gradients suggest rational coefficients; exact algebra decides.
bool RowProof::is_combination(const Known& wanted, std::span<const Known> others,
                              const Candidate& candidate) {
  constexpr int most_failures = 3;  // coefficients that change from point to point are not rational numbers
  int& failures = failed_combinations_[wanted.row];
  if (others.empty() || failures >= most_failures) return false;
  DenseMatrix gradients(wanted.gradient.size(), others.size());
  for (std::size_t k = 0; k < others.size(); ++k) {
    for (std::size_t j = 0; j < wanted.gradient.size(); ++j) gradients(j, k) = others[k].gradient[j];
  }
  const auto coefficients = damped_least_norm(gradients, wanted.gradient, 1e-13);
  if (!coefficients) return false;
  Expr rest = wanted.e;
  for (std::size_t k = 0; k < others.size(); ++k) {
    const double coefficient = (*coefficients)[k];
    if (!std::isfinite(coefficient)) return false;
    if (std::abs(coefficient) > 1e-6) rest -= short_near(coefficient, 1e-6) * others[k].e;
  }
  if (vanishes(rest, candidate)) return true;
  ++failures;
  return false;
}

/// Empty where there is no canonical form.
Expr RowProof::quotient(Expr wanted, Expr other) {
  const auto [place, is_new] = quotients_.try_emplace({wanted.index(), other.index()});
  if (!is_new) return place->second;
  const Canonical found = algebra_.canonical(wanted / other);
  if (found.complete && !may_jump(found.value)) place->second = found.value;
  return place->second;
}

/// wanted = N/D*other with D != 0 at the point. Both sides are continuous there and `other` vanishes on no
/// open set (its gradient is not zero), so that what holds elsewhere holds at the point.
bool RowProof::is_multiple(const Known& wanted, const Known& other, const Candidate& candidate) {
  if (!are_parallel(wanted.gradient, other.gradient) || may_jump(wanted.e) || may_jump(other.e)) return false;
  const Expr ratio = quotient(wanted.e, other.e);
  if (ratio.empty()) return false;
  return evaluate_at(candidate, slots_, std::span(&ratio, 1), bits_of_a_box).status == EvaluationStatus::ok;
}

/// One of the equations of each set is certainly not zero here.
bool RowProof::is_on_none(const std::vector<std::vector<Expr>>& sets, const Candidate& candidate) const {
  return std::all_of(sets.begin(), sets.end(), [&](const std::vector<Expr>& set) {
    return std::any_of(set.begin(), set.end(), [&](Expr e) {
      const Expr hidden = slots_.hide(e);
      const BallValues found =
          evaluate_at(candidate, slots_, std::span(&hidden, 1), bits_of_a_box, Insert::numbers);
      return found.status == EvaluationStatus::ok && !found.values[0].contains_zero();
    });
  });
}

/// By a proof for all points, or for all but some parts that this one does not lie on.
bool RowProof::follows_everywhere(const Known& wanted, std::span<const Known> others,
                                  const Candidate& candidate) {
  if (!follows_ || wanted.row >= own_rows_ || !wanted.is_whole) return false;
  std::vector<std::size_t> rows;
  for (const Known& other : others) {
    if (other.row < own_rows_) rows.push_back(other.row);
  }
  std::sort(rows.begin(), rows.end());
  std::vector<std::size_t> key = rows;
  key.push_back(wanted.row);
  const auto [place, is_new] = followings_.try_emplace(std::move(key));
  if (is_new) {
    const PartOfCall part(algebra_, operations_of_a_proof);
    place->second = follows_(wanted.row, rows);
  }
  return place->second.is_known && is_on_none(place->second.unless, candidate);
}

/// The same with the exact values of this point put in.
bool RowProof::follows_here(const Known& wanted, std::span<const Known> others, const Candidate& candidate) {
  constexpr std::size_t most_parts = 32;
  constexpr int most_failures = 3;
  int& failures = failed_here_[wanted.row];
  if (failures >= most_failures) return false;
  constexpr std::uint64_t short_number = 24;  // bits; the powers of longer ones fill the memory
  Substitution numbers;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Expr symbol = slots_[i].symbol;
    if (!candidate.exact[i]) continue;
    if (candidate.exact[i]->bits() > short_number) return false;
    numbers.emplace(symbol, symbol.pool().number(*candidate.exact[i]));
  }
  std::vector<Expr> es{wanted.e};
  for (const Known& other : others) es.push_back(other.e);
  try {
    es = substitute(es, numbers);
  } catch (const Error&) {
    return false;
  }
  const PartOfCall part_of_call(algebra_, operations_here);
  const Region rest{.equations = {es.begin() + 1, es.end()}, .domain = {}, .assumed = {}};
  const RegionProof proof = prove_zero(algebra_, es[0], rest, most_parts);
  std::vector<std::vector<Expr>> sets;
  for (const Region& part : proof.open) sets.push_back(part.equations);
  if (proof.proved || (proof.open_is_all && is_on_none(sets, candidate))) return true;
  ++failures;
  return false;
}

bool RowProof::holds(const Known& wanted, std::span<const Known> others, const Candidate& candidate) {
  if (is_zero_at(wanted.e, candidate)) return true;
  for (const Known& other : others) {
    if (wanted.e == other.e || is_multiple(wanted, other, candidate)) return true;
  }
  if (is_combination(wanted, others, candidate)) return true;
  std::vector<Known> nearer;
  const int order = order_of(wanted.e);
  std::copy_if(others.begin(), others.end(), std::back_inserter(nearer),
               [&](const Known& other) { return order_of(other.e) <= order; });
  if (follows_everywhere(wanted, nearer, candidate) || follows_here(wanted, nearer, candidate)) return true;
  return nearer.size() < others.size() && follows_everywhere(wanted, others, candidate);
}

}  // namespace liaison
