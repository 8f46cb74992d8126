#include "row_proof.hpp"

#include <algorithm>
#include <cmath>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/traverse.hpp"
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
  for (Expr symbol : symbols_in(e)) {
    if (!numbers.contains(symbol)) return false;
  }
  const BallValues ball = evaluate_at(candidate, slots_, std::span(&e, 1), bits_of_a_box);
  if (ball.status != EvaluationStatus::ok || !ball.values[0].contains_zero()) return false;
  const Expr number = substitute(e, numbers);
  return number.is_zero() || algebra_.is_zero(number).is_proved();
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

bool RowProof::holds(const Known& wanted, std::span<const Known> others, const Candidate& candidate) {
  if (is_zero_at(wanted.e, candidate)) return true;
  for (const Known& other : others) {
    if (wanted.e == other.e || is_multiple(wanted, other, candidate)) return true;
  }
  if (is_combination(wanted, others, candidate)) return true;
  if (!follows_ || wanted.row >= own_rows_) return false;
  std::vector<std::size_t> rows;
  for (const Known& other : others) {
    if (other.row < own_rows_) rows.push_back(other.row);
  }
  std::sort(rows.begin(), rows.end());
  return follows_(wanted.row, rows);
}

}  // namespace liaison
