#include <utility>

#include "letters.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "print_writer.hpp"
#include "utf8.hpp"

namespace liaison {

namespace {

std::string superscripts(const std::string& digits) {
  std::string out;
  for (char c : digits) utf8::append(out, letters::superscript(static_cast<unsigned>(c - '0')));
  return out;
}

std::string subscripts(const std::string& digits) {
  std::string out;
  for (char c : digits) utf8::append(out, letters::subscript(static_cast<unsigned>(c - '0')));
  return out;
}

std::string vulgar_fraction(const PrintFraction& fraction) {
  std::string out;
  for (const letters::Vulgar& row : letters::vulgar_fractions()) {
    if (fraction.numerator == Rational(row.numerator) && fraction.denominator == Rational(row.denominator)) {
      utf8::append(out, row.letter);
    }
  }
  return out;
}

bool is_plain_number(Expr e) {
  return e.is_number() && e.number().is_integer() && e.number().sign() >= 0;
}

bool is_atom(Expr e) {
  return e.is(Op::symbol) || e.is(Op::pi) || is_plain_number(e);
}

void write_power(Pieces& out, const PrintFactor& factor) {
  if (factor.exponent == Rational(1, 2)) {
    const bool atom = is_atom(factor.base);
    out.text(atom ? "√" : "√(");
    out.expr(factor.base, Tightness::open);
    if (!atom) out.text(")");
    return;
  }
  out.expr(factor.base, factor.exponent.is_one() ? Tightness::factor : Tightness::base);
  if (factor.exponent.is_one()) return;
  const std::string exponent = factor.exponent.to_string();
  out.text(factor.exponent.is_integer() ? superscripts(exponent) : "^(" + exponent + ")");
}

/// A space means a product, unless the next factor begins with a bracket or a digit.
bool needs_dot(const PrintFactor& factor) {
  if (factor.exponent == Rational(1, 2)) return false;
  return factor.base.is(Op::add) || factor.base.is(Op::mul) || factor.base.is(Op::pow) ||
         factor.base.is_number();
}

void write_factors(Pieces& out, const std::string& number, const std::vector<PrintFactor>& factors) {
  if (!number.empty()) out.text(number);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (i > 0 || !number.empty()) out.text(needs_dot(factors[i]) ? "·" : " ");
    write_power(out, factors[i]);
  }
}

std::string coefficient(const Rational& number, bool alone) {
  return number.is_one() && !alone ? std::string() : number.to_string();
}

void write_fraction(Pieces& out, const PrintFraction& fraction) {
  if (fraction.negative) out.text("−");
  if (fraction.below.empty()) {
    if (const std::string vulgar = vulgar_fraction(fraction); !vulgar.empty()) {
      write_factors(out, vulgar, fraction.above);
      return;
    }
  }
  write_factors(out, coefficient(fraction.numerator, fraction.above.empty()), fraction.above);
  const bool number_below = !fraction.denominator.is_one();
  if (!number_below && fraction.below.empty()) return;
  const bool several = fraction.below.size() + (number_below ? 1 : 0) > 1;
  out.text(several ? "/(" : "/");
  write_factors(out, coefficient(fraction.denominator, fraction.below.empty()), fraction.below);
  if (several) out.text(")");
}

void write_sum(Pieces& out, Expr sum) {
  bool first = true;
  for (Expr term : ordered_terms(sum)) {
    PrintFraction fraction = split_fraction(term);
    if (!first) out.text(std::exchange(fraction.negative, false) ? " − " : " + ");
    write_fraction(out, fraction);
    first = false;
  }
}

/// f′(x), ∂₁²∂₂f(x, y).
void write_application(Pieces& out, Expr e) {
  const Application& application = e.application();
  const std::uint32_t order = total_order(application);
  std::string head;
  std::string primes;
  if (application.function->arity == 1 && order <= 3) {
    for (std::uint32_t i = 0; i < order; ++i) primes += "′";
  } else {
    for (std::size_t i = 0; i < application.orders.size(); ++i) {
      if (application.orders[i] == 0) continue;
      head += "∂" + subscripts(std::to_string(i + 1));
      if (application.orders[i] > 1) head += superscripts(std::to_string(application.orders[i]));
    }
  }
  out.text(head + unicode_name(application.function->name) + primes + "(");
  out.list(e.args());
  out.text(")");
}

void expand_unicode(Pieces& out, Expr e, Tightness around) {
  const bool in_brackets = around == Tightness::base || (around == Tightness::factor && e.is(Op::add));
  switch (e.op()) {
    case Op::pi: out.text("π"); return;
    case Op::symbol: out.text(unicode_name(e.symbol().name)); return;
    case Op::number:
    case Op::add:
    case Op::mul:
    case Op::pow: {
      const bool brackets = in_brackets && !is_plain_number(e);
      if (brackets) out.text("(");
      if (e.is(Op::add)) {
        write_sum(out, e);
      } else {
        write_fraction(out, split_fraction(e));
      }
      if (brackets) out.text(")");
      return;
    }
    case Op::apply: write_application(out, e); return;
    default: break;
  }
  const bool bars = e.is(Op::abs) && is_atom(e.arg(0));
  out.text(bars ? "|" : std::string(operator_row(e.op()).name) + "(");
  out.list(e.args());
  out.text(bars ? "|" : ")");
}

}  // namespace

std::string to_unicode(Expr e) {
  return write_expression(e, expand_unicode);
}

}  // namespace liaison
