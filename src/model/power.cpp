#include <unordered_map>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

constexpr int max_depth = 100;  // of sums in products in sums; nobody writes a power deeper than that

/// The degree of homogeneity of each subexpression in the velocities, as it is written; nothing: it has none.
class Degrees {
 public:
  Degrees(Expr root, std::span<const Expr> velocities) {
    for (Expr velocity : velocities) velocity_.emplace(velocity, true);
    for (Expr node : postorder(root)) known_.emplace(node, compute(node));
  }
  std::optional<Rational> of(Expr e) const { return known_.at(e); }
  bool is_one(Expr e) const { return of(e) == Rational(1); }
  bool is_fixed(Expr e) const { return of(e) == Rational(0); }

 private:
  std::optional<Rational> compute(Expr e) const {
    switch (e.op()) {
      case Op::symbol: return Rational(velocity_.contains(e) ? 1 : 0);
      case Op::add:
      case Op::min:
      case Op::max: return common(e);
      case Op::abs: return of(e.arg(0));
      case Op::mul: {
        Rational sum(0);
        for (Expr factor : e.args()) {
          if (!of(factor)) return std::nullopt;
          sum += *of(factor);
        }
        return sum;
      }
      case Op::pow:
        if (!of(e.arg(0))) return std::nullopt;
        return *of(e.arg(0)) * e.arg(1).number();
      case Op::sign:
      case Op::atan2: return common(e) ? std::optional(Rational(0)) : std::nullopt;
      default:
        for (Expr arg : e.args()) {
          if (!is_fixed(arg)) return std::nullopt;
        }
        return Rational(0);
    }
  }

  /// The one degree of all arguments.
  std::optional<Rational> common(Expr e) const {
    const std::optional<Rational> first = of(e.arg(0));
    for (Expr arg : e.args()) {
      if (of(arg) != first) return std::nullopt;
    }
    return first;
  }

  std::unordered_map<Expr, bool> velocity_;
  std::unordered_map<Expr, std::optional<Rational>> known_;
};

class PowerGradient {
 public:
  PowerGradient(Expr power, std::span<const Expr> velocities)
      : velocities_(velocities), degrees_(power, velocities), terms_(velocities.size()) {}

  std::optional<std::vector<Expr>> run(Expr power) {
    if (!add(power, power.pool().number(1), 0)) return std::nullopt;
    std::vector<Expr> result;
    for (const std::vector<Expr>& terms : terms_) result.push_back(power.pool().add(terms));
    return result;
  }

 private:
  /// Adds coefficient * dX/dv, or says that X is not a power.
  bool add(Expr X, Expr coefficient, int depth) {
    if (X.is_zero()) return true;
    if (degrees_.is_one(X)) return add_gradient(X, coefficient);
    if (depth > max_depth) return false;
    if (X.is(Op::add)) {
      for (Expr term : X.args()) {
        if (!add(term, coefficient, depth + 1)) return false;
      }
      return true;
    }
    if (X.is(Op::mul)) return add_product(X, coefficient, depth);
    const Expr speed = speed_of(X);
    return !speed.empty() && add_gradient(speed, coefficient * (X / speed));
  }

  bool add_gradient(Expr speed, Expr coefficient) {
    const std::vector<Expr> partials = gradient(speed, velocities_);
    for (std::size_t i = 0; i < partials.size(); ++i) {
      if (!partials[i].is_zero()) terms_[i].push_back(coefficient * partials[i]);
    }
    return true;
  }

  /// f(V)*|V|: exactly one factor carries the direction.
  bool add_product(Expr product, Expr coefficient, int depth) {
    Expr carrier;
    for (Expr factor : product.args()) {
      const Expr speed = speed_of(factor);
      if (speed.empty()) continue;
      if (!carrier.empty()) return false;
      carrier = speed;
    }
    if (!carrier.empty()) return add_gradient(carrier, coefficient * (product / carrier));
    carrier = only_moving_sum(product);
    return !carrier.empty() && add(carrier, coefficient * (product / carrier), depth + 1);
  }

  /// What has degree one in a factor: V of V^3, the norm of its cube; empty if there is no such thing.
  Expr speed_of(Expr factor) const {
    if (degrees_.is_one(factor)) return factor;
    if (!factor.is(Op::pow)) return {};
    const auto [base, exponent] = split_power(factor);
    const std::optional<Rational> degree = degrees_.of(base);
    if (!degree || degree->sign() <= 0 || *degree * exponent < Rational(1)) return {};
    return pow(base, Rational(1) / *degree);
  }

  /// c*(z' - f(V)*|V|): a sum that is the only factor with velocities.
  Expr only_moving_sum(Expr product) const {
    Expr found;
    for (Expr factor : product.args()) {
      if (degrees_.is_fixed(factor)) continue;
      if (!factor.is(Op::add) || !found.empty()) return {};
      found = factor;
    }
    return found;
  }

  std::span<const Expr> velocities_;
  Degrees degrees_;
  std::vector<std::vector<Expr>> terms_;
};

}  // namespace

std::optional<std::vector<Expr>> power_gradient(Expr power, std::span<const Expr> velocities) {
  return PowerGradient(power, velocities).run(power);
}

}  // namespace liaison
