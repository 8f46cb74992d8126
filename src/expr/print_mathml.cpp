#include "liaison/expr/print_mathml.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "letters.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "print_writer.hpp"
#include "utf8.hpp"

namespace liaison {

namespace {

constexpr std::uint32_t max_primes = 3;
constexpr std::string_view times = "<mo>\u2062</mo>";    // invisible
constexpr std::string_view applied = "<mo>\u2061</mo>";  // invisible, between a function and its argument
constexpr std::string_view thin_space = "<mspace width=\"0.167em\"/>";

std::string element(std::string_view tag, std::string_view content) {
  return std::string("<").append(tag).append(">").append(content).append("</").append(tag).append(">");
}

bool is_plain_number(Expr e) {
  return e.is_number() && e.number().is_integer() && e.number().sign() >= 0;
}

bool is_atom(Expr e) {
  return e.is(Op::symbol) || e.is(Op::pi) || is_plain_number(e);
}

/// Functions of one argument whose power is written sin^2 x; the name of `operator_row` in print: arcsin.
bool takes_inner_exponent(Op op) {
  return is_elementary(op) && operator_row(op).arity == 1 && op != Op::exp && op != Op::abs && op != Op::sign;
}

std::string printed_name(Op op) {
  const std::string_view latex = operator_row(op).latex;
  return std::string(latex.starts_with("\\operatorname") ? operator_row(op).name : latex.substr(1));
}

std::string integer(const Rational& number) {
  return element("mn", number.to_string());
}

/// A positive exponent as one element: 2, or 1/3 in a row.
std::string exponent_element(const Rational& exponent) {
  if (exponent.is_integer()) return integer(exponent);
  return element("mrow", integer(exponent.numerator()) + "<mo>/</mo>" + integer(exponent.denominator()));
}

/// An index and an exponent stand one above the other.
std::string with_exponent(const std::string& name, const std::string& exponent) {
  constexpr std::string_view open = "<msub>";
  constexpr std::string_view close = "</msub>";
  if (!name.starts_with(open)) return element("msup", name + exponent);
  return element("msubsup", name.substr(open.size(), name.size() - open.size() - close.size()) + exponent);
}

void write_bracketed(Pieces& out, std::span<const Expr> args) {
  out.text("<mrow><mo>(</mo>");
  out.list(args, "<mo>,</mo>");
  out.text("<mo>)</mo></mrow>");
}

void write_call(Pieces& out, Expr e, const Rational& exponent, bool ends_alone = true) {
  const std::string name = element("mi", printed_name(e.op()));
  out.text(exponent.is_one() ? name : element("msup", name + exponent_element(exponent)));
  out.text(applied);
  if (ends_alone && e.args().size() == 1 && is_atom(e.arg(0))) {
    out.text(thin_space);
    out.expr(e.arg(0), Tightness::open);
  } else {
    write_bracketed(out, e.args());
  }
}

/// A factor that begins with the name of a function, which ends the argument of another: sin x cos y.
bool begins_with_function(const PrintFactor& factor) {
  return takes_inner_exponent(factor.base.op()) && factor.exponent.is_integer();
}

/// `ends_alone`: what stands behind it cannot be read as a part of its argument, as the exponential in sin x
/// e^y can.
void write_power(Pieces& out, const PrintFactor& factor, bool ends_alone) {
  const Expr base = factor.base;
  if (factor.exponent == Rational(1, 2)) {
    out.text("<msqrt>");
    out.expr(base, Tightness::open);
    out.text("</msqrt>");
  } else if (begins_with_function(factor)) {
    write_call(out, base, factor.exponent, ends_alone);
  } else if (base.is(Op::sign) && factor.exponent.is_one()) {
    write_call(out, base, 1, ends_alone);
  } else if (factor.exponent.is_one()) {
    out.expr(base, Tightness::factor);
  } else if (base.is(Op::symbol)) {
    out.text(with_exponent(mathml_name(base.symbol().name), exponent_element(factor.exponent)));
  } else {
    const bool one_element = is_atom(base);
    out.text(one_element ? "<msup>" : "<msup><mrow>");
    out.expr(base, Tightness::base);
    out.text(one_element ? "" : "</mrow>");
    out.text(exponent_element(factor.exponent) + "</msup>");
  }
}

bool starts_with_digit(const PrintFactor& factor) {
  return factor.base.is_number() && factor.exponent != Rational(1, 2);
}

/// The name of a function, or one of several letters: mc beside rc would be read as mcrc.
bool is_word(const PrintFactor& factor) {
  if (takes_inner_exponent(factor.base.op())) return factor.exponent.is_integer();
  if (factor.base.is(Op::sign)) return factor.exponent.is_one();
  return factor.base.is(Op::symbol) && is_spelt_out(latex_name(factor.base.symbol().name));
}

void write_factors(Pieces& out, const std::string& number, const std::vector<PrintFactor>& factors) {
  if (!number.empty()) out.text(number);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (i > 0 || !number.empty()) {
      out.text(starts_with_digit(factors[i]) ? "<mo>⋅</mo>" : times);
      const bool behind_name = i > 0 && factors[i - 1].base.is(Op::symbol) && is_word(factors[i - 1]);
      if (is_word(factors[i]) || behind_name) out.text(thin_space);
    }
    write_power(out, factors[i], i + 1 == factors.size() || begins_with_function(factors[i + 1]));
  }
}

std::string coefficient(const Rational& number, bool alone) {
  return number.is_one() && !alone ? std::string() : integer(number);
}

/// One side of a fraction bar; what stands there alone needs no brackets.
void write_side(Pieces& out, const Rational& number, const std::vector<PrintFactor>& factors) {
  out.text("<mrow>");
  if (number.is_one() && factors.size() == 1 && factors[0].exponent.is_one()) {
    out.expr(factors[0].base, Tightness::open);
  } else {
    write_factors(out, coefficient(number, factors.empty()), factors);
  }
  out.text("</mrow>");
}

void write_fraction(Pieces& out, const PrintFraction& fraction) {
  if (fraction.negative) out.text("<mo>−</mo>");
  if (fraction.below.empty()) {
    const bool whole = fraction.denominator.is_one();
    write_factors(out,
                  whole ? coefficient(fraction.numerator, fraction.above.empty())
                        : element("mfrac", integer(fraction.numerator) + integer(fraction.denominator)),
                  fraction.above);
    return;
  }
  out.text("<mfrac>");
  write_side(out, fraction.numerator, fraction.above);
  write_side(out, fraction.denominator, fraction.below);
  out.text("</mfrac>");
}

void write_sum(Pieces& out, Expr sum) {
  bool first = true;
  for (Expr term : ordered_terms(sum)) {
    PrintFraction fraction = split_fraction(term);
    if (!first) out.text(std::exchange(fraction.negative, false) ? "<mo>−</mo>" : "<mo>+</mo>");
    write_fraction(out, fraction);
    first = false;
  }
}

/// f with its primes, or the derivatives by slots before it.
void write_application(Pieces& out, Expr e) {
  const Application& application = e.application();
  const std::uint32_t order = total_order(application);
  const std::string name = mathml_name(application.function->name);
  if (order > 0 && application.function->arity == 1 && order <= max_primes) {
    constexpr std::array<std::string_view, max_primes> primes{"′", "″", "‴"};
    out.text(element("msup", name + element("mo", primes[order - 1])));
  } else {
    for (std::size_t i = 0; i < application.orders.size(); ++i) {
      if (application.orders[i] == 0) continue;
      const std::string slot = "<mi>∂</mi>" + element("mn", std::to_string(i + 1));
      out.text(application.orders[i] == 1
                   ? element("msub", slot)
                   : element("msubsup", slot + element("mn", std::to_string(application.orders[i]))));
    }
    out.text(name);
  }
  out.text(applied);
  write_bracketed(out, e.args());
}

void write_between(Pieces& out, std::string_view left, Expr e, std::string_view right) {
  out.text(left);
  out.expr(e, Tightness::open);
  out.text(right);
}

void expand_mathml(Pieces& out, Expr e, Tightness around) {
  const bool is_sum = e.is(Op::add);
  const bool brackets =
      !is_plain_number(e) && (around == Tightness::base || (around == Tightness::factor && is_sum));
  switch (e.op()) {
    case Op::pi: out.text("<mi>π</mi>"); return;
    case Op::symbol: out.text(mathml_name(e.symbol().name)); return;
    case Op::number:
    case Op::add:
    case Op::mul:
    case Op::pow:
      if (brackets) out.text("<mrow><mo>(</mo>");
      if (is_sum) {
        write_sum(out, e);
      } else {
        write_fraction(out, split_fraction(e));
      }
      if (brackets) out.text("<mo>)</mo></mrow>");
      return;
    case Op::apply: write_application(out, e); return;
    case Op::abs: write_between(out, "<mrow><mo>|</mo>", e.arg(0), "<mo>|</mo></mrow>"); return;
    default:
      if (brackets) out.text("<mrow><mo>(</mo>");
      if (e.is(Op::exp)) {
        write_between(out, "<msup><mi>e</mi><mrow>", e.arg(0), "</mrow></msup>");
      } else {
        write_call(out, e, 1);
      }
      if (brackets) out.text("<mo>)</mo></mrow>");
      return;
  }
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A stem or an index. Capital Greek letters stand upright, as in LaTeX; browsers set longer words upright.
std::string word_element(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_digit)) return element("mn", word);
  const auto greek = letters::greek_letter(word);
  if (!greek) return element("mi", escape_xml(word));
  std::string letter;
  utf8::append(letter, *greek);
  const bool capital = word[0] >= 'A' && word[0] <= 'Z';
  return capital ? "<mi mathvariant=\"normal\">" + letter + "</mi>" : element("mi", letter);
}

std::string dotted(const std::string& letter, std::size_t dots) {
  constexpr std::array<std::string_view, 4> marks{"˙", "¨", "...", "...."};
  return element("mover", letter + element("mo", marks[dots - 1]));
}

}  // namespace

std::string to_mathml(Expr e) {
  return write_expression(e, expand_mathml);
}

std::string mathml_name(const std::string& name) {
  const std::size_t end = name.find_last_not_of('\'');
  const std::string body = name.substr(0, end + 1);
  const std::size_t primes = name.size() - body.size();
  std::size_t stem = body.find('_');
  std::size_t index = stem + 1;
  if (stem == std::string::npos || stem == 0 || index == body.size()) {
    for (stem = body.size(); stem > 0 && is_digit(body[stem - 1]);) --stem;
    index = stem;
  }
  std::string out = word_element(body.substr(0, stem));
  const bool by_dots = primes >= 1 && primes <= 4;
  if (by_dots) out = dotted(out, primes);
  if (index < body.size()) out = element("msub", out + word_element(body.substr(index)));
  if (primes > 0 && !by_dots) {
    out = element("msup",
                  out + element("mrow", "<mo>(</mo>" + element("mn", std::to_string(primes)) + "<mo>)</mo>"));
  }
  return out;
}

std::string escape_xml(std::string_view text) {
  std::string out;
  for (std::size_t offset = 0; offset < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, offset);
    const bool blank = point.value == '\n' || point.value == '\t';
    switch (point.value) {
      case U'&': out += "&amp;"; break;
      case U'<': out += "&lt;"; break;
      case U'>': out += "&gt;"; break;
      case U'"': out += "&quot;"; break;
      default: utf8::append(out, point.value < U' ' && !blank ? U'\uFFFD' : point.value);
    }
    offset += point.length;
  }
  return out;
}

}  // namespace liaison
