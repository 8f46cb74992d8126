#include "support/random_expression.hpp"

#include <algorithm>
#include <cstdlib>

#include "expr/raw.hpp"
#include "liaison/expr/operator_table.hpp"

namespace liaison::test {

std::vector<std::uint64_t> seeds(std::size_t count) {
  const char* asked = std::getenv("LIAISON_SEED");
  std::uint64_t next = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 20250801;
  std::vector<std::uint64_t> result(count);
  for (std::uint64_t& seed : result) seed = next++;
  return result;
}

std::string seed_note(std::uint64_t seed) {
  const std::string text = std::to_string(seed);
  return "seed " + text + ": run again with LIAISON_SEED=" + text;
}

std::vector<Op> tame_functions() {
  return {Op::sin, Op::cos, Op::atan, Op::tanh};
}

std::vector<Op> all_functions() {
  std::vector<Op> result;
  for (const OperatorRow& row : operator_table()) result.push_back(row.op);
  return result;
}

RandomExpressions::RandomExpressions(std::uint64_t seed, RandomOptions options)
    : engine_(seed), options_(std::move(options)) {}

Rational RandomExpressions::number() {
  const long size = options_.max_number;
  const long numerator = static_cast<long>(below(static_cast<std::uint64_t>(2 * size + 1))) - size;
  const bool whole = options_.max_denominator <= 1 || below(2) == 0;
  return whole ? Rational(numerator)
               : Rational(numerator,
                          1 + static_cast<long>(below(static_cast<std::uint64_t>(options_.max_denominator))));
}

Tree RandomExpressions::leaf() {
  if (options_.symbols.empty() || below(4) == 0) return {.op = Op::number, .number = number()};
  return {.op = Op::symbol, .number = {}, .choice = below(options_.symbols.size())};
}

Tree RandomExpressions::power(unsigned depth) {
  long exponent = 1 + static_cast<long>(below(static_cast<std::uint64_t>(options_.max_power)));
  if (options_.negative_powers && below(3) == 0) exponent = -exponent;
  const long root = options_.fractional_powers && below(2) == 0 ? 2 + static_cast<long>(below(2)) : 1;
  Tree result{.op = Op::pow, .number = Rational(exponent, root)};
  result.args.push_back(tree(depth - 1));
  return result;
}

Tree RandomExpressions::tree(unsigned depth) {
  if (depth == 0 || below(8) == 0) return leaf();
  const std::uint64_t n_functions = options_.functions.size() + options_.unknown_functions.size();
  const std::uint64_t kind = below(n_functions > 0 ? 6 : 5);
  if (kind == 4) return power(depth);
  Tree result{.op = kind < 2 ? Op::add : Op::mul};
  std::size_t n_args = 2 + below(std::max(1U, options_.max_args - 1));
  if (kind == 5) {
    const std::uint64_t which = below(n_functions);
    if (which < options_.functions.size()) {
      result.op = options_.functions[which];
      n_args = operator_row(result.op).arity;
    } else {
      result.op = Op::apply;
      result.choice = which - options_.functions.size();
      n_args = options_.unknown_functions[result.choice].arity;
    }
  }
  for (std::size_t i = 0; i < n_args; ++i) result.args.push_back(tree(depth - 1));
  return result;
}

Expr RandomExpressions::build(Pool& pool, const Tree& tree) const {
  return build(pool, tree, Direction::forwards);
}

Expr RandomExpressions::build_backwards(Pool& pool, const Tree& tree) const {
  return build(pool, tree, Direction::backwards);
}

Expr RandomExpressions::build(Pool& pool, const Tree& tree, Direction direction) const {
  std::vector<Expr> args(tree.args.size());
  for (std::size_t k = 0; k < args.size(); ++k) {
    const std::size_t i = direction == Direction::forwards ? k : args.size() - 1 - k;
    args[i] = build(pool, tree.args[i], direction);
  }
  switch (tree.op) {
    case Op::number: return pool.number(tree.number);
    case Op::symbol: {
      const SymbolInfo& info = options_.symbols[tree.choice];
      return pool.symbol(info.name, info.kind, info.positive);
    }
    case Op::add:
    case Op::mul:
      if (direction == Direction::backwards) std::reverse(args.begin(), args.end());
      return tree.op == Op::add ? pool.add(args) : pool.mul(args);
    case Op::pow: return pool.pow(args[0], tree.number);
    case Op::apply: {
      const FunctionInfo& info = options_.unknown_functions[tree.choice];
      return pool.apply(pool.function(info.name, info.arity), args);
    }
    default: return pool.elementary(tree.op, args);
  }
}

Expr RandomExpressions::expression(Pool& pool) {
  for (;;) {
    try {
      return build(pool, tree());
    } catch (const Error&) {  // divides by zero, or takes the log of a negative constant: draw another
    }
  }
}

std::vector<Expr> RandomExpressions::expressions(Pool& pool, std::size_t count) {
  std::vector<Expr> result;
  while (result.size() < count) result.push_back(expression(pool));
  return result;
}

std::vector<Expr> RandomExpressions::symbols(Pool& pool) const {
  std::vector<Expr> result;
  for (const SymbolInfo& info : options_.symbols)
    result.push_back(pool.symbol(info.name, info.kind, info.positive));
  return result;
}

std::vector<Rational> RandomExpressions::values() {
  std::vector<Rational> result;
  for (const SymbolInfo& info : options_.symbols) {
    const long size = 1 + static_cast<long>(below(200));
    result.emplace_back(info.positive || below(2) == 0 ? size : -size, 101);
  }
  return result;
}

RationalPoint RandomExpressions::point(Pool& pool) {
  return point(pool, values());
}

RationalPoint RandomExpressions::point(Pool& pool, std::span<const Rational> values) const {
  RationalPoint result;
  const std::vector<Expr> all = symbols(pool);
  for (std::size_t i = 0; i < all.size(); ++i) result.emplace(all[i], values[i]);
  return result;
}

std::optional<Ball> RandomExpressions::value_of(const Tree& tree, std::span<const Rational> values,
                                                long bits) const {
  std::vector<Ball> args;
  for (const Tree& arg : tree.args) {
    auto value = value_of(arg, values, bits);
    if (!value) return std::nullopt;
    args.push_back(std::move(*value));
  }
  Ball result;
  switch (tree.op) {
    case Op::number: return Ball(tree.number, bits);
    case Op::symbol: return Ball(values[tree.choice], bits);
    case Op::apply: return std::nullopt;
    case Op::add:
      for (const Ball& arg : args) arb_add(result.raw(), result.raw(), arg.raw(), bits);
      break;
    case Op::mul:
      arb_one(result.raw());
      for (const Ball& arg : args) arb_mul(result.raw(), result.raw(), arg.raw(), bits);
      break;
    case Op::pow:
      if (tree.number.is_zero() && args[0].contains_zero()) return std::nullopt;
      if (!tree.number.is_integer() && !arb_is_nonnegative(args[0].raw())) return std::nullopt;
      arb_pow_fmpq(result.raw(), args[0].raw(), tree.number.raw(), bits);
      break;
    default: {
      std::vector<const Ball*> arguments;
      for (const Ball& arg : args) arguments.push_back(&arg);
      operator_row(tree.op).ball(result, arguments.data(), bits);
    }
  }
  if (!result.is_finite()) return std::nullopt;
  return result;
}

}  // namespace liaison::test
