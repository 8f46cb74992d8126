#include "algebraic_constants.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <unordered_map>

#include "expr/raw.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr long most_bits = 40'000;
constexpr long largest_degree = 4'096;

/// A constant U/L: all conjugates of U are at most 2^top, those of L at most 2^bottom.
struct Size {
  long top = 0;
  long bottom = 0;
  bool is_sensible() const { return top >= 0 && bottom >= 0 && top <= most_bits && bottom <= most_bits; }
};

long bits_of(const Rational& integer) {
  return abs(integer).is_one() || integer.is_zero() ? 0 : static_cast<long>(integer.bits());
}

/// Sizes of all nodes of a constant, and a degree of the field that holds them.
class Bounds {
 public:
  bool add(Expr constant) {
    for (Expr e : postorder(constant)) {
      const auto size = size_of(e);
      if (!size || !size->is_sensible() || degree() > largest_degree) return false;
      sizes_.emplace(e, *size);
    }
    return true;
  }

  /// The largest b with |e| >= 2^-b unless e = 0.
  long separation(Expr e) const {
    const Size& size = sizes_.at(e);
    return size.top * (degree() - 1) + size.bottom;
  }

 private:
  /// Cosines of multiples of pi/N lie in the field of the 2N-th roots of unity, of degree at most N for N
  /// > 1.
  long degree() const { return roots_degree_ * denominator_of_turns_; }

  std::optional<Size> size_of(Expr e) {
    switch (e.op()) {
      case Op::number: return Size{bits_of(e.number().numerator()), bits_of(e.number().denominator())};
      case Op::add: return size_of_sum(e);
      case Op::mul: {
        Size result;
        for (Expr factor : e.args()) {
          result.top += sizes_.at(factor).top;
          result.bottom += sizes_.at(factor).bottom;
        }
        return result;
      }
      case Op::pow: return size_of_power(e.arg(0), e.arg(1).number());
      case Op::abs: return sizes_.at(e.arg(0));
      case Op::pi: return Size{};  // inside an angle alone: a sine looks at its argument itself
      case Op::sin:
      case Op::cos:
      case Op::tan: return size_of_angle(e.arg(0));
      default: return std::nullopt;
    }
  }

  /// U1/L1 + U2/L2 = (U1*L2 + U2*L1)/(L1*L2)
  Size size_of_sum(Expr e) const {
    long bottom = 0, top = 0;
    for (Expr term : e.args()) bottom += sizes_.at(term).bottom;
    for (Expr term : e.args()) top = std::max(top, sizes_.at(term).top + bottom - sizes_.at(term).bottom);
    return {top + static_cast<long>(std::bit_width(e.args().size() - 1)), bottom};
  }

  /// (U/L)^(1/k) = (U*L^(k-1))^(1/k)/L, one root more.
  std::optional<Size> size_of_power(Expr base, const Rational& exponent) {
    Size size = sizes_.at(base);
    const auto order = exponent.denominator().to_long(), times = exponent.numerator().to_long();
    if (!order || !times || *order > 64 || std::abs(*times) > most_bits) return std::nullopt;
    if (*order > 1) {
      if (roots_.insert({base.index(), *order}).second) roots_degree_ *= *order;
      size.top = (size.top + (*order - 1) * size.bottom + *order - 1) / *order;
    }
    if (*times < 0) std::swap(size.top, size.bottom);
    const long n = std::abs(*times);
    if (size.top > most_bits / n || size.bottom > most_bits / n) return std::nullopt;
    return Size{size.top * n, size.bottom * n};
  }

  /// 2*cos and 2*sin of a rational multiple of pi are algebraic integers between -2 and 2.
  std::optional<Size> size_of_angle(Expr angle) {
    const auto [turns, rest] = split_coefficient(angle);
    const auto denominator = (Rational(2) * turns.denominator()).to_long();
    if (!rest.is(Op::pi) || !denominator || *denominator > largest_degree) return std::nullopt;
    denominator_of_turns_ = std::lcm(denominator_of_turns_, *denominator);
    return Size{1, 1};
  }

  std::unordered_map<Expr, Size> sizes_;
  std::set<std::pair<std::uint32_t, long>> roots_;
  long roots_degree_ = 1, denominator_of_turns_ = 1;
};

/// pi stands in angles alone.
bool has_algebraic_shape(Expr constant) {
  std::vector<Expr> stack{constant};
  std::set<std::uint32_t> seen;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!seen.insert(e.index()).second) continue;
    if (e.is(Op::pi)) return false;
    if (e.is(Op::sin) || e.is(Op::cos) || e.is(Op::tan)) continue;
    stack.insert(stack.end(), e.args().begin(), e.args().end());
  }
  return true;
}

}  // namespace

std::optional<bool> is_algebraic_zero(Expr constant) {
  if (constant.is_number()) return constant.is_zero();
  if (!constant.is_constant() || !has_algebraic_shape(constant)) return std::nullopt;
  Bounds bounds;
  if (!bounds.add(constant)) return std::nullopt;
  const long separation = bounds.separation(constant);
  if (separation > most_bits) return std::nullopt;
  for (long bits = 128; bits <= 4 * most_bits; bits = bits < separation + 64 ? separation + 128 : 2 * bits) {
    const BallValues found = evaluate_balls(std::span(&constant, 1), {}, bits);
    if (found.status == EvaluationStatus::precision_limit) continue;
    if (found.status != EvaluationStatus::ok) return std::nullopt;
    if (!found.values[0].contains_zero()) return false;
    mag_t largest;
    mag_init(largest);
    arb_get_mag(largest, found.values[0].raw());
    const bool is_inside = mag_cmp_2exp_si(largest, -separation) < 0;
    mag_clear(largest);
    if (is_inside) return true;
  }
  return std::nullopt;
}

}  // namespace liaison
