#include <utility>

#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "print_writer.hpp"

namespace liaison {

namespace {

constexpr std::uint32_t max_primes = 3;

bool is_plain_number(Expr e) {
  return e.is_number() && e.number().is_integer() && e.number().sign() >= 0;
}

bool is_atom(Expr e) {
  return e.is(Op::symbol) || e.is(Op::pi) || is_plain_number(e);
}

/// Functions of one argument that LaTeX writes as \sin^{2} x.
bool takes_inner_exponent(Op op) {
  switch (op) {
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::log: return true;
    default: return false;
  }
}

void write_bracketed(Pieces& out, std::span<const Expr> args) {
  out.text("\\left(");
  out.list(args);
  out.text("\\right)");
}

void write_call(Pieces& out, Expr e, const std::string& exponent, bool ends_alone = true) {
  out.text(std::string(operator_row(e.op()).latex) + exponent);
  if (ends_alone && e.args().size() == 1 && is_atom(e.arg(0))) {
    out.text(" ");
    out.expr(e.arg(0), Tightness::open);
  } else {
    write_bracketed(out, e.args());
  }
}

/// An exponent behind it would belong to its argument, or stand beside one of its own: \log x, e^{x},
/// \partial_{1} f.
bool is_open_call(Expr e) {
  if (e.is(Op::exp) || e.is(Op::sign) || takes_inner_exponent(e.op())) return true;
  return e.is(Op::apply) && total_order(e.application()) > (e.args().size() == 1 ? max_primes : 0);
}

std::string latex_exponent(const Rational& exponent) {
  return exponent.is_one() ? std::string() : "^{" + exponent.to_string() + "}";
}

/// A factor that begins with the name of a function, which ends the argument of another: \sin x \cos y.
bool begins_with_function(const PrintFactor& factor) {
  return takes_inner_exponent(factor.base.op()) && factor.exponent.is_integer();
}

/// `ends_alone`: what stands behind it cannot be read as a part of its argument, as the e^{y} in \sin x e^{y}
/// can.
void write_power(Pieces& out, const PrintFactor& factor, bool ends_alone) {
  const Expr base = factor.base;
  if (factor.exponent == Rational(1, 2)) {
    out.text("\\sqrt{");
    out.expr(base, Tightness::open);
    out.text("}");
  } else if (begins_with_function(factor)) {
    write_call(out, base, latex_exponent(factor.exponent), ends_alone);
  } else if (base.is(Op::sign) && factor.exponent.is_one()) {
    write_call(out, base, {}, ends_alone);
  } else if (!factor.exponent.is_one() && is_open_call(base)) {
    write_bracketed(out, std::span(&base, 1));
    out.text(latex_exponent(factor.exponent));
  } else {
    out.expr(base, factor.exponent.is_one() ? Tightness::factor : Tightness::base);
    out.text(latex_exponent(factor.exponent));
  }
}

bool is_word(const PrintFactor& factor) {
  return factor.base.is(Op::symbol) && is_spelt_out(latex_name(factor.base.symbol().name));
}

bool starts_with_digit(const PrintFactor& factor) {
  return factor.base.is_number() && factor.exponent != Rational(1, 2);
}

void write_factors(Pieces& out, const std::string& number, const std::vector<PrintFactor>& factors) {
  if (!number.empty()) out.text(number);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    // a fraction has its space from TeX
    const bool apart = i > 0 ? is_word(factors[i - 1]) || is_word(factors[i])
                             : is_word(factors[i]) && !number.starts_with("\\frac");
    if (i > 0 || !number.empty())
      out.text(starts_with_digit(factors[i]) ? " \\cdot " : apart ? " \\, " : " ");
    write_power(out, factors[i], i + 1 == factors.size() || begins_with_function(factors[i + 1]));
  }
}

std::string coefficient(const Rational& number, bool alone) {
  return number.is_one() && !alone ? std::string() : number.to_string();
}

/// One side of a fraction bar; what stands there alone needs no brackets.
void write_side(Pieces& out, const Rational& number, const std::vector<PrintFactor>& factors) {
  if (number.is_one() && factors.size() == 1 && factors[0].exponent.is_one()) {
    out.expr(factors[0].base, Tightness::open);
  } else {
    write_factors(out, coefficient(number, factors.empty()), factors);
  }
}

std::string number_fraction(const PrintFraction& fraction) {
  return "\\frac{" + fraction.numerator.to_string() + "}{" + fraction.denominator.to_string() + "}";
}

void write_fraction(Pieces& out, const PrintFraction& fraction) {
  if (fraction.negative) out.text("-");
  if (fraction.below.empty()) {
    const bool whole = fraction.denominator.is_one();
    write_factors(out,
                  whole ? coefficient(fraction.numerator, fraction.above.empty()) : number_fraction(fraction),
                  fraction.above);
    return;
  }
  out.text("\\frac{");
  write_side(out, fraction.numerator, fraction.above);
  out.text("}{");
  write_side(out, fraction.denominator, fraction.below);
  out.text("}");
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

/// f'\left(x\right), \partial_{1}^{2}\partial_{2} f\left(x, y\right).
void write_application(Pieces& out, Expr e) {
  const Application& application = e.application();
  const std::uint32_t order = total_order(application);
  std::string head;
  std::string primes;
  if (application.function->arity == 1 && order <= max_primes) {
    primes = std::string(order, '\'');
  } else {
    for (std::size_t i = 0; i < application.orders.size(); ++i) {
      if (application.orders[i] == 0) continue;
      head += "\\partial_{" + std::to_string(i + 1) + "}" +
              latex_exponent(Rational(static_cast<long>(application.orders[i])));
    }
    if (!head.empty()) head += " ";
  }
  out.text(head + latex_name(application.function->name) + primes);
  write_bracketed(out, e.args());
}

void write_between(Pieces& out, std::string_view left, Expr e, std::string_view right) {
  out.text(left);
  out.expr(e, Tightness::open);
  out.text(right);
}

void expand_latex(Pieces& out, Expr e, Tightness around) {
  const bool is_sum = e.is(Op::add);
  const bool brackets =
      !is_plain_number(e) && (around == Tightness::base || (around == Tightness::factor && is_sum));
  switch (e.op()) {
    case Op::pi: out.text("\\pi"); return;
    case Op::symbol: {
      // A name that ends in an exponent of its own takes another only in braces.
      const std::string name = latex_name(e.symbol().name);
      out.text(around == Tightness::base && name.find('^') != std::string::npos ? "{" + name + "}" : name);
      return;
    }
    case Op::number:
    case Op::add:
    case Op::mul:
    case Op::pow:
      if (brackets) out.text("\\left(");
      if (is_sum) {
        write_sum(out, e);
      } else {
        write_fraction(out, split_fraction(e));
      }
      if (brackets) out.text("\\right)");
      return;
    case Op::apply: write_application(out, e); return;
    case Op::abs: write_between(out, "\\left|", e.arg(0), "\\right|"); return;
    case Op::exp: write_between(out, "e^{", e.arg(0), "}"); return;
    default: write_call(out, e, {}); return;
  }
}

}  // namespace

std::string to_latex(Expr e) {
  return write_expression(e, expand_latex);
}

}  // namespace liaison
