#include "rounding_loss.hpp"

#include <cmath>
#include <limits>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

using Losses = std::unordered_map<Expr, double>;
using Values = std::unordered_map<Expr, double>;

double loss_of_sum(Expr sum, const Values& values, const Losses& losses) {
  double size = 0, loss = 0;
  for (Expr term : sum.args()) {
    size += std::abs(values.at(term));
    loss += losses.at(term);
  }
  const double unit = std::nextafter(size, INFINITY) - size;
  bool is_exact = loss == 0;
  for (Expr term : sum.args()) is_exact = is_exact && std::fmod(values.at(term), unit) == 0;
  return is_exact ? 0 : loss + epsilon * size;
}

double loss_of_product(Expr product, double value, const Values& values, const Losses& losses) {
  const auto is_exact = [&] {
    const double one = values.at(product.arg(0)), other = values.at(product.arg(1));
    return product.args().size() == 2 && std::fma(one, other, -value) == 0;
  };
  double loss = is_exact() ? 0 : epsilon * std::abs(value);
  for (Expr factor : product.args()) {
    double by = losses.at(factor);
    for (Expr other : product.args())
      if (other != factor && by != 0) by *= std::abs(values.at(other));
    loss += by;
  }
  return loss;
}

/// Functions of whole numbers are whole where they are known exactly, as exp(0) or sqrt(9); others are far
/// from it.
bool is_whole_of_whole(Expr e, double value, const Values& values, const Losses& losses) {
  constexpr double largest = 1e6;  // behind it doubles have few digits left for a fraction
  const auto is_whole = [](double one) { return std::abs(one) <= largest && std::fmod(one, 1) == 0; };
  bool is_exact = is_whole(value);
  const std::size_t count = e.is(Op::pow) ? 1 : e.args().size();  // its exponent is a number
  for (Expr arg : e.args().first(count))
    is_exact = is_exact && is_whole(values.at(arg)) && losses.at(arg) == 0;
  return is_exact;
}

double loss_of(Expr e, const Values& values, const Losses& losses) {
  const double value = values.at(e);
  switch (e.op()) {
    case Op::symbol: return 0;
    case Op::number: return Rational::from_double(value) == e.number() ? 0 : epsilon * std::abs(value);
    case Op::add: return loss_of_sum(e, values, losses);
    case Op::mul: return loss_of_product(e, value, values, losses);
    case Op::pow: {
      const double base = values.at(e.arg(0)), own = epsilon * std::abs(value);
      const double by = losses.at(e.arg(0));
      const bool is_square = by == 0 && e.arg(1).number() == Rational(2);
      if (e.arg(1).number().sign() > 0 && is_whole_of_whole(e, value, values, losses)) return 0;
      if (is_square && std::fma(base, base, -value) == 0) return 0;
      const bool is_inverse = by == 0 && e.arg(1).number() == Rational(-1);
      if (is_inverse && std::fma(base, value, -1) == 0) return 0;
      return by == 0 || base == 0 ? own : own + std::abs(e.arg(1).number().to_double() * value / base) * by;
    }
    default:  // what its arguments have lost is seen by values
      return is_whole_of_whole(e, value, values, losses) ? 0 : epsilon * std::abs(value);
  }
}

}  // namespace

bool add_sums(const WrittenText& text, DoublePoint& point) {
  for (const auto& [symbol, sum] : text.sums) {
    const DoubleValues found = evaluate(std::span(&sum, 1), point);
    if (found.status != EvaluationStatus::ok) return false;
    point[symbol] = found.values[0];
  }
  return true;
}

double rounding_loss(const WrittenText& text, DoublePoint point) {
  if (!add_sums(text, point)) return none;
  Losses losses;
  const auto add = [&](Expr root) {
    const std::vector<Expr> nodes = postorder(root);
    const DoubleValues found = evaluate(nodes, point);
    if (found.status != EvaluationStatus::ok) return none;
    Values values;
    for (std::size_t i = 0; i < nodes.size(); ++i) values.emplace(nodes[i], found.values[i]);
    for (Expr node : nodes)
      if (!losses.contains(node)) losses.emplace(node, loss_of(node, values, losses));
    return losses.at(root);
  };
  for (const auto& [symbol, sum] : text.sums) {
    const double loss = add(sum);
    if (std::isnan(loss)) return none;
    losses.insert_or_assign(symbol, loss);
  }
  return add(text.value);
}

}  // namespace liaison
