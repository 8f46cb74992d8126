#include "liaison/expr/operator_table.hpp"

#include <array>
#include <cmath>
#include <cstdlib>

#include "raw.hpp"

namespace liaison {
namespace {

using Doubles = const double*;
using Balls = const Ball* const*;
using Args = std::span<const Expr>;

bool everywhere(Doubles) {
  return true;
}
bool nowhere_outside(Balls) {
  return false;
}

bool is_outside_unit(Balls x) {
  arb_t size, one;
  arb_init(size);
  arb_init(one);
  arb_abs(size, x[0]->raw());
  arb_one(one);
  const bool outside = arb_gt(size, one);
  arb_clear(one);
  arb_clear(size);
  return outside;
}

double sign_of(double x) {
  return (x > 0) - (x < 0);
}

void sign_ball(Ball& y, Balls x, long) {
  if (arb_is_positive(x[0]->raw())) {
    arb_one(y.raw());
  } else if (arb_is_negative(x[0]->raw())) {
    arb_set_si(y.raw(), -1);
  } else if (arb_is_zero(x[0]->raw())) {
    arb_zero(y.raw());
  } else {
    arb_indeterminate(y.raw());
  }
}

void abs_ball(Ball& y, Balls x, long) {
  arb_abs(y.raw(), x[0]->raw());
  if (arb_contains_zero(y.raw())) arb_nonnegative_part(y.raw(), y.raw());
}

/// The angle of a point in (-pi, pi]; none for the origin.
void atan2_ball(Ball& y, Balls x, long bits) {
  if (arb_contains_zero(x[0]->raw()) && arb_contains_zero(x[1]->raw())) {
    arb_indeterminate(y.raw());
  } else {
    arb_atan2(y.raw(), x[0]->raw(), x[1]->raw(), bits);
  }
}

Expr square(Expr x) {
  return pow(x, 2);
}
/// 1 where x > 0, 0 where x < 0.
Expr step(Expr x) {
  return (sign(x) + 1) * Rational(1, 2);
}

constexpr std::array table = {
    OperatorRow{.op = Op::sin,
                .name = "sin",
                .arity = 1,
                .latex = "\\sin",
                .c_call = "sin",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::sin(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_sin(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return cos(x[0]); }},
    OperatorRow{.op = Op::cos,
                .name = "cos",
                .arity = 1,
                .latex = "\\cos",
                .c_call = "cos",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::cos(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_cos(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return -sin(x[0]); }},
    OperatorRow{.op = Op::tan,
                .name = "tan",
                .arity = 1,
                .latex = "\\tan",
                .c_call = "tan",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::tan(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_tan(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return 1 + square(tan(x[0])); }},
    OperatorRow{.op = Op::asin,
                .name = "asin",
                .arity = 1,
                .latex = "\\arcsin",
                .c_call = "asin",
                .domain = "a number between -1 and 1",
                .in_domain = [](Doubles x) { return std::abs(x[0]) <= 1; },
                .outside = is_outside_unit,
                .value = [](Doubles x) { return std::asin(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_asin(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return pow(1 - square(x[0]), Rational(-1, 2)); }},
    OperatorRow{.op = Op::acos,
                .name = "acos",
                .arity = 1,
                .latex = "\\arccos",
                .c_call = "acos",
                .domain = "a number between -1 and 1",
                .in_domain = [](Doubles x) { return std::abs(x[0]) <= 1; },
                .outside = is_outside_unit,
                .value = [](Doubles x) { return std::acos(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_acos(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return -pow(1 - square(x[0]), Rational(-1, 2)); }},
    OperatorRow{.op = Op::atan,
                .name = "atan",
                .arity = 1,
                .latex = "\\arctan",
                .c_call = "atan",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::atan(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_atan(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return pow(1 + square(x[0]), -1); }},
    OperatorRow{.op = Op::atan2,
                .name = "atan2",
                .arity = 2,
                .latex = "\\operatorname{atan2}",
                .c_call = "atan2",
                .domain = "a point other than the origin",
                .in_domain = [](Doubles x) { return x[0] != 0 || x[1] != 0; },
                .outside = [](Balls x) { return arb_is_zero(x[0]->raw()) && arb_is_zero(x[1]->raw()); },
                .value = [](Doubles x) { return std::atan2(x[0], x[1]); },
                .ball = atan2_ball,
                .derivative =
                    [](Args x, unsigned slot) {
                      const Expr inverse_square = pow(square(x[0]) + square(x[1]), -1);
                      return slot == 0 ? x[1] * inverse_square : -(x[0] * inverse_square);
                    }},
    OperatorRow{.op = Op::sinh,
                .name = "sinh",
                .arity = 1,
                .latex = "\\sinh",
                .c_call = "sinh",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::sinh(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_sinh(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return cosh(x[0]); }},
    OperatorRow{.op = Op::cosh,
                .name = "cosh",
                .arity = 1,
                .latex = "\\cosh",
                .c_call = "cosh",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::cosh(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_cosh(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return sinh(x[0]); }},
    OperatorRow{.op = Op::tanh,
                .name = "tanh",
                .arity = 1,
                .latex = "\\tanh",
                .c_call = "tanh",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::tanh(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_tanh(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return 1 - square(tanh(x[0])); }},
    OperatorRow{.op = Op::exp,
                .name = "exp",
                .arity = 1,
                .latex = "\\exp",
                .c_call = "exp",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::exp(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_exp(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return exp(x[0]); }},
    OperatorRow{.op = Op::log,
                .name = "log",
                .arity = 1,
                .latex = "\\log",
                .c_call = "log",
                .domain = "a positive number",
                .in_domain = [](Doubles x) { return x[0] > 0; },
                .outside = [](Balls x) { return arb_is_nonpositive(x[0]->raw()) != 0; },
                .value = [](Doubles x) { return std::log(x[0]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_log(y.raw(), x[0]->raw(), bits); },
                .derivative = [](Args x, unsigned) { return pow(x[0], -1); }},
    OperatorRow{.op = Op::abs,
                .name = "abs",
                .arity = 1,
                .latex = "\\operatorname{abs}",
                .c_call = "fabs",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::abs(x[0]); },
                .ball = abs_ball,
                .derivative = [](Args x, unsigned) { return sign(x[0]); }},
    OperatorRow{.op = Op::sign,
                .name = "sign",
                .arity = 1,
                .latex = "\\operatorname{sign}",
                .c_call = "sign",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return sign_of(x[0]); },
                .ball = sign_ball,
                .derivative = [](Args x, unsigned) { return x[0].pool().number(0); }},
    OperatorRow{.op = Op::min,
                .name = "min",
                .arity = 2,
                .latex = "\\min",
                .c_call = "fmin",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::fmin(x[0], x[1]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_min(y.raw(), x[0]->raw(), x[1]->raw(), bits); },
                .derivative = [](Args x, unsigned slot) { return step(x[1 - slot] - x[slot]); }},
    OperatorRow{.op = Op::max,
                .name = "max",
                .arity = 2,
                .latex = "\\max",
                .c_call = "fmax",
                .domain = "",
                .in_domain = everywhere,
                .outside = nowhere_outside,
                .value = [](Doubles x) { return std::fmax(x[0], x[1]); },
                .ball = [](Ball& y, Balls x, long bits) { arb_max(y.raw(), x[0]->raw(), x[1]->raw(), bits); },
                .derivative = [](Args x, unsigned slot) { return step(x[slot] - x[1 - slot]); }},
};

}  // namespace

bool is_elementary(Op op) {
  return op >= Op::sin && op <= Op::max;
}

std::span<const OperatorRow> operator_table() {
  return table;
}

const OperatorRow& operator_row(Op op) {
  if (!is_elementary(op)) std::abort();
  return table[static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::sin)];
}

const OperatorRow* find_operator(std::string_view name) {
  for (const OperatorRow& row : table)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace liaison
