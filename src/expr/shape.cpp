#include "liaison/expr/expr.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

void demand(bool holds, Expr e, const char* rule) {
  if (!holds) throw std::logic_error("not in light canonical form: " + to_infix(e) + ": " + rule);
}

void check_sum(Expr e) {
  demand(e.args().size() >= 2, e, "a sum has at least two terms");
  Expr previous;
  for (std::size_t i = 0; i < e.args().size(); ++i) {
    const Expr term = e.arg(i);
    demand(!term.is(Op::add), e, "a sum in a sum");
    demand(!term.is_zero(), e, "a zero term");
    if (term.is_number()) {
      demand(i == 0, e, "the number of a sum stands first");
      continue;
    }
    const Expr rest = split_coefficient(term).second;
    demand(previous.empty() || compare(previous, rest) < 0, e, "terms out of order or not collected");
    previous = rest;
  }
}

void check_product(Expr e) {
  demand(e.args().size() >= 2, e, "a product has at least two factors");
  demand(!(e.args().size() == 2 && e.arg(0).is_number() && e.arg(1).is(Op::add)), e, "number times sum");
  Expr previous;
  for (std::size_t i = 0; i < e.args().size(); ++i) {
    const Expr factor = e.arg(i);
    demand(!factor.is(Op::mul), e, "a product in a product");
    if (factor.is_number()) {
      demand(i == 0 && !factor.is_zero() && !factor.is_one(), e,
             "the number of a product stands first, not 0 or 1");
      continue;
    }
    const Expr base = split_power(factor).first;
    demand(previous.empty() || compare(previous, base) < 0, e, "factors out of order or not collected");
    previous = base;
  }
}

void check_power(Expr e) {
  demand(e.args().size() == 2 && e.arg(1).is_number(), e, "an exponent is a number");
  const Rational& exponent = e.arg(1).number();
  demand(!exponent.is_zero() && !exponent.is_one(), e, "exponent 0 or 1");
  demand(!e.arg(0).is(Op::pow) && !e.arg(0).is(Op::exp), e, "a power of a power");
  demand(!(exponent.is_integer() && e.arg(0).is(Op::mul)), e, "an integer power of a product");
  demand(!(exponent.is_integer() && e.arg(0).is_number()), e, "an integer power of a number");
}

}  // namespace

void check_shape(Expr e) {
  for (Expr arg : e.args()) demand(arg.index() < e.index(), e, "an argument younger than its user");
  switch (e.op()) {
    case Op::add: check_sum(e); break;
    case Op::mul: check_product(e); break;
    case Op::pow: check_power(e); break;
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh: demand(!e.arg(0).is_zero(), e, "an odd function of zero"); break;
    default: break;
  }
}

}  // namespace liaison
