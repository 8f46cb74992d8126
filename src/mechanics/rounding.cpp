#include "liaison/mechanics/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison {

namespace {

bool is_rounding(double value, double size) {
  return std::abs(value) <= 4 * std::numeric_limits<double>::epsilon() * size;
}

/// The sum of these terms is lost in the rounding of the largest.
bool is_sum_lost(std::span<const double> terms) {
  double sum = 0, size = 0;
  for (double term : terms) {
    sum += term;
    size += std::abs(term);
  }
  return is_rounding(sum, size);
}

bool is_of_angle(Expr e) {
  return e.is(Op::sin) || e.is(Op::cos) || e.is(Op::tan);
}

/// What the expression vanishes with: sums and functions of angles among itself, its factors, bases of
/// powers.
void append_small(Expr e, std::vector<Expr>& parts) {
  if (e.is(Op::add) || is_of_angle(e)) {
    parts.push_back(e);
  } else if (e.is(Op::mul)) {
    for (Expr factor : e.args()) append_small(factor, parts);
  } else if (e.is(Op::pow) && e.args()[1].is_number() && e.args()[1].number().sign() > 0) {
    append_small(e.args()[0], parts);
  }
}

}  // namespace

bool is_zero_to_rounding(Expr e, const DoublePoint& at) {
  const std::span<const Expr> terms = e.is(Op::add) ? e.args() : std::span<const Expr>(&e, 1);
  const DoubleValues found = evaluate(terms, at);
  return found.status == EvaluationStatus::ok && is_sum_lost(found.values);
}

void clear_rounding(std::span<const Expr> es, const DoublePoint& at, std::vector<double>& values) {
  std::vector<Expr> parts, asked;
  std::vector<std::size_t> owners;  // of each part the expression that vanishes with it
  for (std::size_t i = 0; i < es.size(); ++i) {
    append_small(es[i], parts);
    owners.resize(parts.size(), i);
  }
  for (Expr part : parts) {
    asked.insert(asked.end(), part.args().begin(), part.args().end());
    if (is_of_angle(part)) asked.push_back(part);
  }
  const DoubleValues found = evaluate(asked, at);
  if (found.status != EvaluationStatus::ok) return;
  std::vector<bool> is_lost_in(es.size());
  std::size_t begin = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::size_t count = parts[k].args().size();
    const std::span here = std::span(found.values).subspan(begin);
    const bool is_lost =
        is_of_angle(parts[k]) ? is_rounding(here[1], std::abs(here[0])) : is_sum_lost(here.first(count));
    if (is_lost) is_lost_in[owners[k]] = true;
    begin += count + (is_of_angle(parts[k]) ? 1 : 0);
  }
  double lost = 0, left = 0;
  for (std::size_t i = 0; i < es.size(); ++i)
    (is_lost_in[i] ? lost : left) = std::max(is_lost_in[i] ? lost : left, std::abs(values[i]));
  if (left > 0 && left < lost) return;
  for (std::size_t i = 0; i < es.size(); ++i)
    if (is_lost_in[i]) values[i] = 0;
}

}  // namespace liaison
