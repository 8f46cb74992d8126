#include <utility>

#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "print_writer.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t max_literal_bits = 1023;  // beyond it a double overflows
constexpr long max_repeated = 4;                  // x^4 is x*x*x*x, x^5 is pow(x, 5.0)
constexpr std::uint32_t max_repeated_depth = 2;   // deeper bases are not written twice

std::string literal(const Rational& integer) {
  if (integer.bits() > max_literal_bits) {
    throw Error(ErrorCode::number_too_large, "a number of the expression is beyond the range of a C double",
                "scale the expression so that its numbers stay below 1e308");
  }
  return integer.to_string() + ".0";
}

std::string quotient(const Rational& number) {
  const std::string top = literal(number.numerator());
  return number.is_integer() ? top : top + "/" + literal(number.denominator());
}

/// How often the base is written for an integer power; 0: by pow.
long repetitions(const PrintFactor& factor) {
  const auto n = factor.exponent.to_long();
  if (!n || *n > max_repeated) return 0;
  const bool cheap = factor.base.depth() <= max_repeated_depth && factor.base.args().size() <= 3;
  return *n == 1 || cheap ? *n : 0;
}

void write_power(Pieces& out, const PrintFactor& factor) {
  if (const long n = repetitions(factor); n > 0) {
    for (long i = 0; i < n; ++i) {
      if (i > 0) out.text("*");
      out.expr(factor.base, Tightness::factor);
    }
    return;
  }
  const bool root = factor.exponent == Rational(1, 2);
  out.text(root ? "sqrt(" : "pow(");
  out.expr(factor.base, Tightness::open);
  out.text(root ? ")" : ", " + quotient(factor.exponent) + ")");
}

void write_factors(Pieces& out, const Rational& number, const std::vector<PrintFactor>& factors) {
  const bool shows_number = !number.is_one() || factors.empty();
  if (shows_number) out.text(literal(number));
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (i > 0 || shows_number) out.text("*");
    write_power(out, factors[i]);
  }
}

void write_fraction(Pieces& out, const PrintFraction& fraction) {
  if (fraction.negative) out.text("-");
  write_factors(out, fraction.numerator, fraction.above);
  const bool number_below = !fraction.denominator.is_one();
  if (!number_below && fraction.below.empty()) return;
  const bool repeated = fraction.below.size() == 1 && repetitions(fraction.below[0]) > 1;
  const bool several = fraction.below.size() + (number_below ? 1 : 0) > 1 || repeated;
  out.text(several ? "/(" : "/");
  write_factors(out, fraction.denominator, fraction.below);
  if (several) out.text(")");
}

void write_sum(Pieces& out, Expr sum) {
  bool first = true;
  for (Expr term : ordered_terms(sum)) {
    PrintFraction fraction = split_fraction(term);
    if (!first) out.text(std::exchange(fraction.negative, false) ? " - " : " + ");
    write_fraction(out, fraction);
    first = false;
  }
}

/// f(x, y); its derivative in the slots 1, 1, 2 is called f_d1_d1_d2.
void write_application(Pieces& out, Expr e) {
  std::string name = c_name(e.application().function->name);
  for (std::uint32_t slot : derivative_slots(e.application())) name += "_d" + std::to_string(slot);
  out.text(name + "(");
  out.list(e.args());
  out.text(")");
}

void write_sign(Pieces& out, Expr e) {
  out.text("(double)(((");
  out.expr(e.arg(0), Tightness::open);
  out.text(") > 0.0) - ((");
  out.expr(e.arg(0), Tightness::open);
  out.text(") < 0.0))");
}

void expand_c(Pieces& out, Expr e, Tightness around) {
  const bool brackets = around == Tightness::factor && (e.is(Op::add) || e.is(Op::mul) || e.is(Op::pow));
  switch (e.op()) {
    case Op::pi: out.text("3.14159265358979323846"); return;
    case Op::symbol: out.text(c_name(e.symbol().name)); return;
    case Op::number:
    case Op::add:
    case Op::mul:
    case Op::pow:
      if (brackets) out.text("(");
      if (e.is(Op::add)) {
        write_sum(out, e);
      } else {
        write_fraction(out, split_fraction(e));
      }
      if (brackets) out.text(")");
      return;
    case Op::apply: write_application(out, e); return;
    case Op::sign: write_sign(out, e); return;
    default:
      out.text(std::string(operator_row(e.op()).c_call) + "(");
      out.list(e.args());
      out.text(")");
  }
}

}  // namespace

std::string to_c(Expr e) {
  return write_expression(e, expand_c);
}

}  // namespace liaison
