#include "enclosure.hpp"

#include <algorithm>
#include <cmath>

#include "expr/ball_matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr long first_bits = 128, last_bits = 512;  ///< of the test of existence
constexpr int most_rounds = 12;                    ///< of growing a box until it holds its own image

bool depends_on_any(Expr e, const std::vector<Expr>& symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
}

std::vector<Ball> middles(std::vector<Ball> balls) {
  for (Ball& ball : balls) mag_zero(arb_radref(ball.raw()));
  return balls;
}

/// A box around the middle: twice as wide as the given balls reach, and never a point.
std::vector<Ball> widened(const std::vector<Ball>& middle, const std::vector<Ball>& reach, long bits) {
  std::vector<Ball> result = middle;
  mag_t far, least;
  mag_init(far);
  mag_init(least);
  for (std::size_t i = 0; i < middle.size(); ++i) {
    Ball distance;
    arb_sub(distance.raw(), reach[i].raw(), middle[i].raw(), bits);
    arb_get_mag(far, distance.raw());
    mag_mul_2exp_si(far, far, 1);
    arb_get_mag(least, middle[i].raw());
    mag_mul_2exp_si(least, least, -bits);
    mag_add(far, far, least);
    mag_set_ui_2exp_si(least, 1, -2 * bits);
    mag_add(far, far, least);
    arb_add_error_mag(result[i].raw(), far);
  }
  mag_clear(least);
  mag_clear(far);
  return result;
}

bool lies_inside(const std::vector<Ball>& inner, const std::vector<Ball>& outer) {
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (!inner[i].is_finite() || !arb_contains_interior(outer[i].raw(), inner[i].raw())) return false;
  }
  return true;
}

}  // namespace

Enclosure::Enclosure(std::vector<Expr> equations, std::vector<Expr> unknowns, Substitution exact)
    : equations_(std::move(equations)), unknowns_(std::move(unknowns)), exact_(std::move(exact)) {
  for (const JacobianEntry& entry : jacobian(equations_, unknowns_)) {
    places_.emplace_back(entry.row, entry.column);
    slopes_.push_back(entry.value);
  }
  for (Expr node : postorder(equations_)) {
    if ((node.is(Op::atan2) || node.is(Op::sign)) && depends_on_any(node, unknowns_)) angles_.push_back(node);
  }
}

std::optional<BallPoint> Enclosure::exact_values(long bits) const {
  std::vector<Expr> symbols, values;
  for (const auto& [symbol, value] : exact_) {
    symbols.push_back(symbol);
    values.push_back(value);
  }
  BallValues found = evaluate_balls(values, {}, bits);
  if (found.status != EvaluationStatus::ok) return std::nullopt;
  BallPoint point;
  for (std::size_t i = 0; i < symbols.size(); ++i) point.emplace(symbols[i], std::move(found.values[i]));
  return point;
}

/// sign(u) has no jump where u is not zero, atan2(y, x) none where y is not zero or x is positive.
bool Enclosure::has_no_cut(const BallPoint& point, long bits) const {
  for (Expr angle : angles_) {
    const BallValues found = evaluate_balls(angle.args(), point, bits);
    if (found.status != EvaluationStatus::ok) return false;
    const bool crosses = found.values[0].contains_zero();
    if (crosses && (angle.is(Op::sign) || !found.values[1].is_positive())) return false;
  }
  return true;
}

bool Enclosure::evaluate_at(const BallPoint& fixed, std::span<const Ball> x, long bits, bool with_slopes,
                            std::vector<Ball>& out) const {
  BallPoint point = fixed;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) point[unknowns_[i]] = x[i];
  if (with_slopes && !has_no_cut(point, bits)) return false;
  BallValues found = evaluate_balls(with_slopes ? slopes_ : equations_, point, bits);
  out = std::move(found.values);
  return found.status == EvaluationStatus::ok;
}

bool Enclosure::newton(const BallPoint& fixed, std::vector<Ball>& x, long bits) const {
  const std::size_t n = unknowns_.size();
  constexpr int most_steps = 30;
  for (int step = 0; step < most_steps; ++step) {
    std::vector<Ball> residual, slopes;
    if (!evaluate_at(fixed, x, bits, false, residual) || !evaluate_at(fixed, x, bits, true, slopes))
      return false;
    const auto may_vanish = [](const Ball& ball) { return ball.contains_zero(); };
    if (step > 0 && std::all_of(residual.begin(), residual.end(), may_vanish)) return true;
    BallMatrix matrix(n, n), right(n, 1, residual), change(n, 1);
    for (std::size_t k = 0; k < places_.size(); ++k)
      arb_set(matrix.at(places_[k].first, places_[k].second), slopes[k].raw());
    if (!arb_mat_approx_solve(change.raw(), matrix.raw(), right.raw(), bits)) return false;
    bool moved = false;
    for (std::size_t i = 0; i < n; ++i) {
      Ball small;
      arb_mul_2exp_si(small.raw(), change.at(i, 0), bits - 16);
      arb_abs(small.raw(), small.raw());
      Ball size;
      arb_abs(size.raw(), x[i].raw());
      moved = moved || arb_gt(small.raw(), size.raw());
      arb_sub(x[i].raw(), x[i].raw(), change.at(i, 0), bits);
      if (!x[i].is_finite()) return false;
    }
    x = middles(std::move(x));
    if (!moved) return true;
  }
  return true;  // only the test decides
}

std::optional<Enclosure::Certificate> Enclosure::krawczyk(const BallPoint& fixed,
                                                          const std::vector<Ball>& middle, long bits) const {
  const std::size_t n = unknowns_.size();
  std::vector<Ball> residual, slopes;
  if (!evaluate_at(fixed, middle, bits, false, residual) || !evaluate_at(fixed, middle, bits, true, slopes))
    return std::nullopt;
  const auto jacobian_of = [&](const std::vector<Ball>& entries) {
    BallMatrix matrix(n, n);
    for (std::size_t k = 0; k < places_.size(); ++k)
      arb_set(matrix.at(places_[k].first, places_[k].second), entries[k].raw());
    return matrix;
  };
  BallMatrix inverse(n, n);
  const BallMatrix at_middle = jacobian_of(slopes);
  if (!arb_mat_approx_inv(inverse.raw(), at_middle.raw(), bits)) return std::nullopt;
  arb_mat_get_mid(inverse.raw(), inverse.raw());
  const BallMatrix right(n, 1, residual);
  BallMatrix newton_step(n, 1);
  arb_mat_mul(newton_step.raw(), inverse.raw(), right.raw(), bits);
  std::vector<Ball> image = middle;
  for (std::size_t i = 0; i < n; ++i) arb_sub(image[i].raw(), image[i].raw(), newton_step.at(i, 0), bits);
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<Ball> box = widened(middle, image, bits);
    if (!evaluate_at(fixed, box, bits, true, slopes)) return std::nullopt;
    BallMatrix rest(n, n), product(n, n), spread(n, 1), moved(n, 1);
    arb_mat_one(rest.raw());
    arb_mat_mul(product.raw(), inverse.raw(), jacobian_of(slopes).raw(), bits);
    arb_mat_sub(rest.raw(), rest.raw(), product.raw(), bits);
    for (std::size_t i = 0; i < n; ++i) arb_sub(spread.at(i, 0), box[i].raw(), middle[i].raw(), bits);
    arb_mat_mul(moved.raw(), rest.raw(), spread.raw(), bits);
    for (std::size_t i = 0; i < n; ++i) {
      arb_sub(image[i].raw(), middle[i].raw(), newton_step.at(i, 0), bits);
      arb_add(image[i].raw(), image[i].raw(), moved.at(i, 0), bits);
    }
    if (lies_inside(image, box)) return Certificate{std::move(box), std::move(image)};
  }
  return std::nullopt;
}

std::optional<Enclosure::Certificate> Enclosure::solution(const std::vector<Ball>& start, long bits) const {
  const auto fixed = exact_values(bits);
  if (!fixed) return std::nullopt;
  std::vector<Ball> x = middles(start);
  if (!newton(*fixed, x, bits)) return std::nullopt;
  return krawczyk(*fixed, x, bits);
}

bool Enclosure::certify(const DoublePoint& start) {
  std::vector<Ball> x;
  for (Expr unknown : unknowns_) {
    const auto found = start.find(unknown);
    const bool has_value = found != start.end() && std::isfinite(found->second);
    x.emplace_back(Rational::from_double(has_value ? found->second : 0));
  }
  if (unknowns_.empty()) return true;
  for (long bits = first_bits; bits <= last_bits; bits *= 2) {
    auto found = solution(x, bits);
    if (!found) continue;
    certificate_ = std::move(*found);
    certified_bits_ = bits;
    return true;
  }
  return false;
}

std::optional<BallPoint> Enclosure::at(long bits) const {
  auto point = exact_values(bits);
  if (!point || unknowns_.empty()) return point;
  std::vector<Ball> x = certificate_.image;
  if (x.empty()) return std::nullopt;
  if (bits > certified_bits_) {
    auto sharper = solution(x, bits);
    if (!sharper || !lies_inside(sharper->image, certificate_.box)) return std::nullopt;
    x = std::move(sharper->image);
  }
  for (std::size_t i = 0; i < unknowns_.size(); ++i) point->insert_or_assign(unknowns_[i], x[i]);
  return point;
}

DoublePoint Enclosure::approximation() const {
  DoublePoint result;
  const std::vector<Ball>& x = certificate_.image;
  for (std::size_t i = 0; i < x.size(); ++i) result.emplace(unknowns_[i], x[i].mid());
  return result;
}

}  // namespace liaison
