#include "liaison/algebra/switching.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "liaison/expr/domain.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "rewrite.hpp"

namespace liaison {

namespace {

bool jumps(Expr e) {
  return e.is(Op::sign) || e.is(Op::atan2);
}

bool has_jumps(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(), jumps);
}

/// Takes an expression apart into what its sign depends on.
class SignReader {
 public:
  explicit SignReader(Algebra& algebra) : algebra_(algebra) {}

  SignProduct read(Expr e) {
    waiting_.push_back({e, true, false, Rational(1)});
    while (!waiting_.empty()) {
      const Part part = waiting_.back();
      waiting_.pop_back();
      take(part);
    }
    if (result_.sign == 0) result_.factors.clear();
    return std::move(result_);
  }

 private:
  struct Part {
    Expr e;
    bool is_odd, is_factored;
    Rational power;
  };

  void take(const Part& part) {
    const Expr e = part.e;
    switch (e.op()) {
      case Op::number: return take_number(e.number(), part.is_odd);
      case Op::mul:
        for (Expr factor : e.args()) waiting_.push_back({factor, part.is_odd, part.is_factored, part.power});
        return;
      case Op::pow: {  // a root is not negative
        const Rational exponent = e.arg(1).number();
        const bool is_odd = exponent.is_integer() && !(exponent / Rational(2)).is_integer();
        waiting_.push_back({e.arg(0), part.is_odd && is_odd, part.is_factored, part.power * exponent});
        return;
      }
      case Op::abs: waiting_.push_back({e.arg(0), false, part.is_factored, part.power}); return;
      case Op::sign: waiting_.push_back({e.arg(0), part.is_odd, part.is_factored, Rational(0)}); return;
      case Op::pi:
      case Op::exp:
      case Op::cosh: return;
      case Op::symbol:
        if (e.symbol().positive) return;
        break;
      case Op::add:
      case Op::sin:
      case Op::cos:
        if (!part.is_factored && take_factors(part)) return;
        break;
      default: break;
    }
    keep(part);
  }

  void take_number(const Rational& number, bool is_odd) {
    if (number.sign() == 0) result_.sign = 0;
    if (is_odd && number.sign() < 0) result_.sign = -result_.sign;
  }

  /// The irreducible factors of a polynomial over the field's generators; false where it is none.
  bool take_factors(const Part& whole) {
    const Expr e = whole.e;
    const bool is_odd = whole.is_odd;
    if (!natural_domain(std::array{e}).empty()) return false;
    const CallScope scope(algebra_);
    try {
      const std::array es{rewrite(algebra_, e)};
      Field field = make_field(algebra_, es);
      const Fraction value = field.convert(es[0]);
      if (value.is_zero()) {
        result_.sign = 0;
        return true;
      }
      if (!value.den.is_constant()) return false;
      const PolyFactors found = factor_if_small(value.num);
      std::vector<Part> parts;
      for (const PolyFactor& factor : found.factors)
        parts.push_back({field.to_expr(factor.base), is_odd && factor.exponent % 2 == 1, true,
                         whole.power * Rational(static_cast<long>(factor.exponent))});
      if (parts.size() == 1 && found.factors[0].exponent == 1) parts[0].e = e;  // as it is written
      const auto is_new_text = [&](const Part& part) {
        return part.e != e && !natural_domain(std::array{part.e}).empty();
      };
      if (std::any_of(parts.begin(), parts.end(), is_new_text)) return false;
      if (parts.size() != 1 || parts[0].e != e)
        take_number(found.constant / value.den.coefficient(0), is_odd);
      waiting_.insert(waiting_.end(), parts.begin(), parts.end());
      return true;
    } catch (const LimitReached&) {
      return false;
    } catch (const NotCanonical&) {
      return false;
    }
  }

  void keep(const Part& part) {
    Expr e = part.e;
    const bool is_odd = part.is_odd;
    if (has_negative_lead(e)) {
      e = -e;
      if (is_odd) result_.sign = -result_.sign;
    }
    for (SignProduct::Factor& factor : result_.factors) {
      if (factor.base != e) continue;
      factor.is_odd = factor.is_odd != is_odd;
      factor.power += part.power;
      return;
    }
    result_.factors.push_back({e, is_odd, part.power});
  }

  Algebra& algebra_;
  SignProduct result_;
  std::vector<Part> waiting_;
};

}  // namespace

SignProduct sign_product(Algebra& algebra, Expr e) {
  return SignReader(algebra).read(e);
}

Switching::Switching(Algebra& algebra, Expr e) : e_(e) {
  for (Expr node : postorder(e)) {
    if (!jumps(node)) continue;
    jumps_.push_back({node, sign_product(algebra, node.arg(0))});
    for (const SignProduct::Factor& factor : jumps_.back().product.factors) {
      if (std::find(surfaces_.begin(), surfaces_.end(), factor.base) == surfaces_.end())
        surfaces_.push_back(factor.base);
    }
  }
  std::erase_if(surfaces_,
                [&](Expr surface) { return has_jumps(surface) && is_number_on_all_sides(surface); });
  for (Expr surface : surfaces_) {
    if (has_jumps(surface)) jumping_ = surface;
  }
}

/// 2 + sign(x) is 3, 1 or 2: no surface at all.
bool Switching::is_number_on_all_sides(Expr surface) const {
  std::vector<Expr> inner;
  for (Expr node : postorder(surface)) {
    if (!jumps(node)) continue;
    if (!node.is(Op::sign)) return false;
    const auto known =
        std::find_if(jumps_.begin(), jumps_.end(), [&](const Jump& jump) { return jump.node == node; });
    for (const SignProduct::Factor& factor : known->product.factors) inner.push_back(factor.base);
  }
  if (inner.size() != 1) return false;
  const std::array sides{1, 0, -1};
  return std::all_of(sides.begin(), sides.end(), [&](int side) {
    const Expr there = value_of(surface, {{inner[0], side}});
    return there.is_number() && !there.is_zero();
  });
}

/// The sign of a product on the given sides; what has another surface keeps its sign as it is.
Expr Switching::side_of(const SignProduct& product, const Sides& sides) const {
  Expr result = e_.pool().number(product.sign);
  for (const SignProduct::Factor& factor : product.factors) {
    const auto given =
        std::find_if(sides.begin(), sides.end(), [&](const auto& side) { return side.first == factor.base; });
    const Expr its =
        given == sides.end() ? sign(value_of(factor.base, sides)) : e_.pool().number(given->second);
    result *= factor.is_odd ? its : pow(its, 2);
  }
  return result;
}

Expr Switching::value_of(Expr e, const Sides& sides) const {
  // atan2 has its cut where its first argument comes to zero: not where that jumps alone, as sign(x) does
  const auto is_on_a_surface = [&](const Jump& jump) {
    return std::any_of(jump.product.factors.begin(), jump.product.factors.end(),
                       [&](const SignProduct::Factor& factor) {
                         const bool comes_to_zero = factor.power.sign() > 0;
                         return (comes_to_zero || jump.node.is(Op::sign)) &&
                                std::any_of(sides.begin(), sides.end(),
                                            [&](const auto& side) { return side.first == factor.base; });
                       });
  };
  std::unordered_map<Expr, Expr> known;
  for (Expr node : postorder(e)) {
    std::vector<Expr> args;
    for (Expr arg : node.args()) args.push_back(known.at(arg));
    Expr value = args.empty() ? node : e.pool().rebuild(node, args);
    const auto jump =
        std::find_if(jumps_.begin(), jumps_.end(), [&](const Jump& each) { return each.node == node; });
    if (jump != jumps_.end() && is_on_a_surface(*jump)) {
      value = side_of(jump->product, sides);
      if (node.is(Op::atan2)) {  // pi or -pi where x < 0, and pi on the cut; 0 where x > 0
        const Expr side = value.is_zero() ? e.pool().number(1) : value;
        value = e.pool().pi() * side * (Rational(1) - sign(args[1])) / Rational(2);
      }
    }
    known.emplace(node, value);
  }
  return known.at(e);
}

}  // namespace liaison
