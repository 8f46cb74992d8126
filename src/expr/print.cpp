#include "liaison/expr/print.hpp"

#include <fmt/format.h>

#include <utility>

#include "liaison/expr/operator_table.hpp"
#include "print_writer.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_text = 10'000'000;  // bytes
constexpr std::uint32_t max_primes = 3;       // f''' by primes, higher by D(f, 1, 1, 1, 1)

void write_power(Pieces& out, const PrintFactor& factor) {
  if (factor.exponent == Rational(1, 2)) {
    out.text("sqrt(");
    out.expr(factor.base, Tightness::open);
    out.text(")");
    return;
  }
  out.expr(factor.base, factor.exponent.is_one() ? Tightness::factor : Tightness::base);
  if (factor.exponent.is_one()) return;
  const std::string exponent = factor.exponent.to_string();
  out.text(factor.exponent.is_integer() ? fmt::format("^{}", exponent) : fmt::format("^({})", exponent));
}

void write_factors(Pieces& out, const Rational& number, const std::vector<PrintFactor>& factors) {
  const bool shows_number = !number.is_one() || factors.empty();
  if (shows_number) out.text(number.to_string());
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
  // Read back, 2*(x + y) would be 2*x + 2*y and its inverse another expression: divide twice.
  const bool number_and_sum = number_below && fraction.below.size() == 1 &&
                              fraction.below[0].base.is(Op::add) && fraction.below[0].exponent.is_one();
  if (number_and_sum) {
    out.text("/");
    out.text(fraction.denominator.to_string());
    out.text("/");
    write_power(out, fraction.below[0]);
    return;
  }
  const bool several = fraction.below.size() + (number_below ? 1 : 0) > 1;
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

void write_application(Pieces& out, Expr e) {
  const Application& application = e.application();
  const std::uint32_t order = total_order(application);
  if (order == 0 || (application.function->arity == 1 && order <= max_primes)) {
    out.text(application.function->name + std::string(order, '\'') + "(");
  } else {
    std::string head = "D(" + application.function->name;
    for (std::uint32_t slot : derivative_slots(application)) head += ", " + std::to_string(slot);
    out.text(head + ")(");
  }
  out.list(e.args());
  out.text(")");
}

void expand_infix(Pieces& out, Expr e, Tightness around) {
  const bool in_brackets = around == Tightness::base || (around == Tightness::factor && e.is(Op::add));
  switch (e.op()) {
    case Op::number: {
      const bool brackets = in_brackets && (!e.number().is_integer() || e.number().sign() < 0);
      if (brackets) out.text("(");
      out.text(e.number().to_string());
      if (brackets) out.text(")");
      return;
    }
    case Op::pi: out.text("pi"); return;
    case Op::symbol: out.text(e.symbol().name); return;
    case Op::add:
    case Op::mul:
    case Op::pow:
      if (in_brackets) out.text("(");
      if (e.is(Op::add)) {
        write_sum(out, e);
      } else {
        write_fraction(out, split_fraction(e));
      }
      if (in_brackets) out.text(")");
      return;
    case Op::apply: write_application(out, e); return;
    default:
      out.text(std::string(operator_row(e.op()).name) + "(");
      out.list(e.args());
      out.text(")");
  }
}

}  // namespace

void Pieces::list(std::span<const Expr> args, std::string_view separator) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i > 0) text(separator);
    expr(args[i], Tightness::open);
  }
}

std::string write_expression(Expr root, ExpandNode expand) {
  if (root.empty()) {
    throw Error(ErrorCode::empty_expression, "an empty expression cannot be printed",
                "a default-constructed Expr holds nothing; build one from a pool");
  }
  std::string out;
  std::vector<Pieces::Piece> stack{{{}, root, Tightness::open}};
  while (!stack.empty()) {
    const Pieces::Piece top = std::move(stack.back());
    stack.pop_back();
    if (top.e.empty()) {
      out += top.text;
      if (out.size() > max_text) {
        throw Error(ErrorCode::limit_reached, "the expression is longer than 10 MB when it is written out",
                    "its parts are shared many times; print the parts, or evaluate it instead");
      }
      continue;
    }
    Pieces pieces;
    expand(pieces, top.e, top.around);
    stack.insert(stack.end(), std::make_move_iterator(pieces.all().rbegin()),
                 std::make_move_iterator(pieces.all().rend()));
  }
  return out;
}

std::vector<std::uint32_t> derivative_slots(const Application& application) {
  std::vector<std::uint32_t> slots;
  for (std::size_t i = 0; i < application.orders.size(); ++i) {
    slots.insert(slots.end(), application.orders[i], static_cast<std::uint32_t>(i + 1));
  }
  return slots;
}

std::uint32_t total_order(const Application& application) {
  std::uint32_t total = 0;
  for (std::uint32_t order : application.orders) total += order;
  return total;
}

std::string to_infix(Expr e) {
  return write_expression(e, expand_infix);
}

}  // namespace liaison
