#include <array>
#include <optional>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/signs.hpp"
#include "require.hpp"

namespace liaison {

namespace {

Expr make(Op op, Expr x) {
  const std::array args{x};
  return x.pool().intern(op, args);
}

[[noreturn]] void throw_undefined(Op op, Expr x) {
  const OperatorRow& row = operator_row(op);
  throw Error(ErrorCode::undefined_constant,
              std::string(row.name) + " of the constant " + to_infix(x) + " has no real value",
              std::string(row.name) + " needs " + std::string(row.domain));
}

bool is_certainly(Expr constant, int sign) {
  const auto found = constant_sign(constant);
  return found && *found == sign;
}

/// An angle as quarter_turns*pi/2 + rest, where what is left of pi in the rest lies in [0, pi/2).
struct QuarterTurns {
  long turns = 0;  ///< mod 4
  Expr rest;
};

std::optional<Rational> pi_multiple(Expr term) {
  auto [coefficient, rest] = split_coefficient(term);
  if (rest.is(Op::pi)) return coefficient;
  return std::nullopt;
}

QuarterTurns quarter_turns(Expr angle) {
  Pool& pool = angle.pool();
  const std::array alone{angle};
  for (Expr term : angle.is(Op::add) ? angle.args() : std::span<const Expr>(alone)) {
    if (const auto multiple = pi_multiple(term)) {
      const Rational turns = floor(*multiple * Rational(2));
      const long mod4 = *(turns - Rational(4) * floor(turns / Rational(4))).to_long();
      return {mod4, angle - (turns / Rational(2)) * pool.pi()};
    }
  }
  return {0, angle};
}

/// What is left without its multiple of pi has a negative lead: such angles are turned round first.
bool is_negative_angle(Expr angle) {
  if (!angle.is(Op::add)) return !pi_multiple(angle) && has_negative_lead(angle);
  bool negative_number = false;
  for (Expr term : angle.args()) {
    if (term.is_number()) {
      negative_number = term.number().sign() < 0;
    } else if (!pi_multiple(term)) {
      return has_negative_lead(term);
    }
  }
  return negative_number;
}

/// cos(f*pi) for f in [0, 1/2) with a short closed form.
std::optional<Expr> exact_cosine(Pool& pool, Expr angle) {
  const auto f = angle.is_zero() ? std::optional<Rational>(Rational(0)) : pi_multiple(angle);
  if (!f) return std::nullopt;
  if (f->is_zero()) return pool.number(1);
  if (*f == Rational(1, 3)) return pool.number(Rational(1, 2));
  if (*f == Rational(1, 4)) return sqrt(pool.number(2)) / Rational(2);
  if (*f == Rational(1, 6)) return sqrt(pool.number(3)) / Rational(2);
  return std::nullopt;
}

/// sin or cos of an angle that quarter_turns has reduced.
Expr first_quadrant_value(Op op, Expr angle) {
  Pool& pool = angle.pool();
  if (angle.is(op == Op::sin ? Op::asin : Op::acos)) return angle.arg(0);
  if (op == Op::sin && angle.is_zero()) return angle;
  const auto multiple = pi_multiple(angle);
  if (!multiple && !angle.is_zero()) return make(op, angle);
  const Expr complement = pool.pi() / Rational(2) - angle;
  if (const auto exact = exact_cosine(pool, op == Op::cos ? angle : complement)) return *exact;
  if (*multiple <= Rational(1, 4)) return make(op, angle);
  return make(op == Op::cos ? Op::sin : Op::cos, complement);
}

Expr sine_or_cosine(Op op, Expr x) {
  bool minus = false;
  if (is_negative_angle(x)) {
    x = -x;
    minus = op == Op::sin;
  }
  // sin(u + k pi/2) and cos(u + k pi/2), k = 0..3, are sin, cos, -sin, -cos and cos, -sin, -cos, sin of u.
  const auto [turns, rest] = quarter_turns(x);
  const long phase = (turns + (op == Op::cos ? 1 : 0)) % 4;
  const Op result_op = phase % 2 == 0 ? Op::sin : Op::cos;
  minus = minus != (phase >= 2);
  const Expr value = first_quadrant_value(result_op, rest);
  return minus ? -value : value;
}

Expr tangent(Expr x) {
  if (x.is(Op::atan)) return x.arg(0);
  if (is_negative_angle(x)) return -tangent(-x);
  const auto [turns, rest] = quarter_turns(x);
  const bool turned = turns % 2 == 1;
  if (rest.is_zero() || (pi_multiple(rest) && exact_cosine(x.pool(), rest))) {
    if (turned && rest.is_zero()) throw_undefined(Op::tan, x);
    const Expr value = sine_or_cosine(Op::sin, rest) / sine_or_cosine(Op::cos, rest);
    return turned ? -(Rational(1) / value) : value;
  }
  const Expr value = make(Op::tan, rest);
  return turned ? -(Rational(1) / value) : value;
}

Expr inverse_sine_or_cosine(Op op, Expr x) {
  Pool& pool = x.pool();
  if (x.is_constant() && (is_certainly(x - Rational(1), 1) || is_certainly(x + Rational(1), -1))) {
    throw_undefined(op, x);
  }
  if (op == Op::acos) {
    if (x.is_one()) return pool.number(0);
    if (x == pool.number(Rational(1, 2))) return pool.pi() / Rational(3);
    if (has_negative_lead(x) && !x.is(Op::add)) return pool.pi() - acos(-x);
    return x.is_zero() ? pool.pi() / Rational(2) : make(op, x);
  }
  if (has_negative_lead(x)) return -asin(-x);
  if (x.is_zero()) return x;
  if (x.is_one()) return pool.pi() / Rational(2);
  if (x == pool.number(Rational(1, 2))) return pool.pi() / Rational(6);
  return make(op, x);
}

Expr odd(Op op, Expr x) {
  if (x.is_zero()) return x;
  if (has_negative_lead(x)) return -odd(op, -x);
  if (op == Op::atan && x.is_one()) return x.pool().pi() / Rational(4);
  return make(op, x);
}

Expr exponential(Expr x) {
  if (x.is_zero()) return x.pool().number(1);
  auto [coefficient, rest] = split_coefficient(x);
  if (rest.is(Op::log)) return pow(rest.arg(0), coefficient);
  return make(Op::exp, x);
}

Expr logarithm(Expr x) {
  if (x.is_one()) return x.pool().number(0);
  if (x.is(Op::exp)) return x.arg(0);
  if (x.is_zero() || (x.is_constant() && is_certainly(x, -1))) throw_undefined(Op::log, x);
  return make(Op::log, x);
}

Expr absolute(Expr x) {
  Pool& pool = x.pool();
  if (x.is_number()) return pool.number(abs(x.number()));
  if (is_seen_nonnegative(x)) return x;
  if (x.is_constant() && is_certainly(x, -1)) return -x;
  if (x.is(Op::mul)) {
    std::vector<Expr> factors;
    for (Expr factor : x.args()) factors.push_back(absolute(factor));
    return pool.mul(factors);
  }
  if (x.is(Op::pow)) return pow(absolute(x.arg(0)), x.arg(1).number());
  if (has_negative_lead(x)) return absolute(-x);
  return make(Op::abs, x);
}

Expr signum(Expr x) {
  Pool& pool = x.pool();
  if (x.is_number()) return pool.number(x.number().sign());
  if (is_seen_positive(x)) return pool.number(1);
  if (x.is_constant()) {
    if (const auto sign = constant_sign(x)) return pool.number(*sign);
  }
  if (x.is(Op::mul)) {
    std::vector<Expr> factors;
    for (Expr factor : x.args()) factors.push_back(signum(factor));
    return pool.mul(factors);
  }
  if (has_negative_lead(x)) return -signum(-x);
  return make(Op::sign, x);
}

Expr arc_tangent2(Expr y, Expr x) {
  if (y.is_zero() && x.is_zero()) {
    throw Error(ErrorCode::undefined_constant, "atan2(0, 0) has no value",
                "the direction of the zero vector is open");
  }
  Pool& pool = y.pool();
  if (y.is_zero() && is_seen_positive(x)) return y;
  if (x.is_zero() && is_seen_positive(y)) return pool.pi() / Rational(2);
  const std::array args{y, x};
  return pool.intern(Op::atan2, args);
}

Expr extremum(Op op, Expr a, Expr b) {
  if (a == b) return a;
  const Expr difference = a - b;
  if (difference.is_constant()) {
    if (const auto sign = constant_sign(difference)) return (*sign > 0) == (op == Op::max) ? a : b;
  }
  const bool ordered = compare(a, b) < 0;
  const std::array args{ordered ? a : b, ordered ? b : a};
  return a.pool().intern(op, args);
}

Expr build(Op op, Expr x) {
  const std::array args{x};
  require_not_empty(x);
  return x.pool().elementary(op, args);
}

Expr build(Op op, Expr x, Expr y) {
  const std::array args{x, y};
  require_same_pool(x, y);
  return x.pool().elementary(op, args);
}

}  // namespace

Expr Pool::elementary(Op op, std::span<const Expr> args) {
  require_pool(*this, args);
  const OperatorRow& row = operator_row(op);
  if (args.size() != row.arity) {
    throw Error(ErrorCode::wrong_arity, std::string(row.name) + " takes " + std::to_string(row.arity) +
                                            (row.arity == 1 ? " argument" : " arguments") + ", not " +
                                            std::to_string(args.size()));
  }
  switch (op) {
    case Op::sin:
    case Op::cos: return sine_or_cosine(op, args[0]);
    case Op::tan: return tangent(args[0]);
    case Op::asin:
    case Op::acos: return inverse_sine_or_cosine(op, args[0]);
    case Op::atan:
    case Op::sinh:
    case Op::tanh: return odd(op, args[0]);
    case Op::cosh:
      if (args[0].is_zero()) return number(1);
      return make(op, has_negative_lead(args[0]) ? -args[0] : args[0]);
    case Op::exp: return exponential(args[0]);
    case Op::log: return logarithm(args[0]);
    case Op::abs: return absolute(args[0]);
    case Op::sign: return signum(args[0]);
    case Op::atan2: return arc_tangent2(args[0], args[1]);
    default: return extremum(op, args[0], args[1]);
  }
}

Expr sin(Expr x) {
  return build(Op::sin, x);
}
Expr cos(Expr x) {
  return build(Op::cos, x);
}
Expr tan(Expr x) {
  return build(Op::tan, x);
}
Expr asin(Expr x) {
  return build(Op::asin, x);
}
Expr acos(Expr x) {
  return build(Op::acos, x);
}
Expr atan(Expr x) {
  return build(Op::atan, x);
}
Expr atan2(Expr y, Expr x) {
  return build(Op::atan2, y, x);
}
Expr sinh(Expr x) {
  return build(Op::sinh, x);
}
Expr cosh(Expr x) {
  return build(Op::cosh, x);
}
Expr tanh(Expr x) {
  return build(Op::tanh, x);
}
Expr exp(Expr x) {
  return build(Op::exp, x);
}
Expr log(Expr x) {
  return build(Op::log, x);
}
Expr abs(Expr x) {
  return build(Op::abs, x);
}
Expr sign(Expr x) {
  return build(Op::sign, x);
}
Expr min(Expr a, Expr b) {
  return build(Op::min, a, b);
}
Expr max(Expr a, Expr b) {
  return build(Op::max, a, b);
}

}  // namespace liaison
