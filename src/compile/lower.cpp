#include "lower.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <unordered_map>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {
namespace {

constexpr long constant_digits = 20;  // more than a double holds: constants are rounded once

Operation operation_of(Op op) {
  switch (op) {
    case Op::sin: return Operation::sin;
    case Op::cos: return Operation::cos;
    case Op::tan: return Operation::tan;
    case Op::asin: return Operation::asin;
    case Op::acos: return Operation::acos;
    case Op::atan: return Operation::atan;
    case Op::atan2: return Operation::atan2;
    case Op::sinh: return Operation::sinh;
    case Op::cosh: return Operation::cosh;
    case Op::tanh: return Operation::tanh;
    case Op::exp: return Operation::exp;
    case Op::log: return Operation::log;
    case Op::abs: return Operation::abs;
    case Op::sign: return Operation::sign;
    case Op::min: return Operation::min;
    case Op::max: return Operation::max;
    case Op::number:
    case Op::pi:
    case Op::symbol:
    case Op::add:
    case Op::mul:
    case Op::pow:
    case Op::apply: break;
  }
  throw Error(ErrorCode::missing_value, "an operation that programs do not know");
}

double constant_value(Expr e) {
  double value = 0;
  if (e.is_number()) {
    value = e.number().to_double();
  } else {
    const LongValue exact = evaluate_digits(e, {}, constant_digits);
    if (!exact.value) throw Error(ErrorCode::undefined_constant, exact.reason());
    value = exact.value->mid();
  }
  if (!std::isfinite(value))
    throw Error(ErrorCode::number_too_large, fmt::format("{} is too large for a double", to_infix(e)));
  return value;
}

/// b^e as root^n, root = b or sqrt(b): nothing for other exponents, or where the power is too high.
struct RootPower {
  bool square_root = false;
  long n = 0;
};
std::optional<RootPower> root_power(const Rational& exponent, long max_power) {
  RootPower result;
  std::optional<long> n = exponent.to_long();
  if (!n) {
    n = (exponent * 2).to_long();
    result.square_root = true;
  }
  if (!n || std::abs(*n) > max_power) return std::nullopt;
  result.n = *n;
  return result;
}

class Lowering {
 public:
  Lowering(ValueGraph& graph, std::span<const Expr> inputs, std::span<const Expr> outputs,
           const ProgramOptions& options)
      : graph_(graph), outputs_(outputs), max_power_(options.max_power) {
    for (const auto& [input, constant] : options.fixed)
      values_.try_emplace(input.index(), graph_.constant(constant));
    std::uint32_t index = 0;
    for (Expr input : inputs) {
      require_symbol(input);
      values_.try_emplace(input.index(), graph_.input(index++));
    }
  }

  std::vector<Signed> run() {
    const std::vector<Expr> nodes = postorder(outputs_);
    for (Expr e : nodes) count_denominators(e);
    for (Expr e : outputs_) count_denominator(e);
    for (Expr e : nodes)
      if (!e.is_constant()) values_.try_emplace(e.index(), lower_node(e));
    std::vector<Signed> roots;
    for (Expr e : outputs_) roots.push_back(value(e));
    return roots;
  }

 private:
  static void require_symbol(Expr input) {
    if (input.empty() || !input.is(Op::symbol))
      throw Error(ErrorCode::not_a_symbol, "an input of a program is not a symbol",
                  "put a symbol in its place with substitute");
  }

  Signed value(Expr e) {
    return e.is_constant() ? graph_.constant(constant_value(e)) : values_.at(e.index());
  }

  /// Denominators with the same root are counted together: x^-1 and x^-2 share 1/x.
  static std::uint64_t denominator_key(Expr base, bool square_root) {
    return 2 * std::uint64_t{base.index()} + square_root;
  }
  void count_denominator(Expr e) {
    if (!e.is(Op::pow) || e.is_constant()) return;
    const auto power = root_power(e.arg(1).number(), max_power_);
    if (power && power->n < 0) ++denominators_[denominator_key(e.arg(0), power->square_root)];
  }
  void count_denominators(Expr user) {
    for (Expr arg : user.args()) count_denominator(arg);
  }

  Signed lower_node(Expr e) {
    switch (e.op()) {
      case Op::symbol:
        if (const auto known = values_.find(e.index()); known != values_.end()) return known->second;
        throw Error(ErrorCode::missing_value,
                    fmt::format("{} is not an input of the program", e.symbol().name),
                    "add it to the inputs, or substitute a value for it");
      case Op::apply: {
        const std::string& name = e.application().function->name;
        throw Error(ErrorCode::missing_value, fmt::format("the function {} is not known", name),
                    "substitute an expression for it: substitute_function");
      }
      case Op::add: return lower_sum(e);
      case Op::mul: return lower_product(e);
      case Op::pow: return lower_power(e.arg(0), e.arg(1).number());
      case Op::atan2:
      case Op::min:
      case Op::max: return graph_.function(operation_of(e.op()), value(e.arg(0)), value(e.arg(1)));
      default: return graph_.function(operation_of(e.op()), value(e.arg(0)));
    }
  }

  Signed lower_sum(Expr e) {
    std::vector<Expr> constants;
    std::vector<Signed> terms;
    for (Expr term : e.args()) {
      if (term.is_constant()) {
        constants.push_back(term);
      } else {
        terms.push_back(value(term));
      }
    }
    if (!constants.empty()) terms.push_back(value(e.pool().add(constants)));
    return graph_.sum(terms);
  }

  Signed lower_product(Expr e) {
    std::vector<Expr> constants;
    std::vector<Signed> numerator, denominator;
    for (Expr factor : e.args()) {
      if (factor.is_constant()) {
        constants.push_back(factor);
      } else if (const auto divisor = own_denominator(factor)) {
        denominator.push_back(*divisor);
      } else {
        numerator.push_back(value(factor));
      }
    }
    if (!constants.empty()) numerator.insert(numerator.begin(), value(e.pool().mul(constants)));
    const Signed above = graph_.product(numerator);
    return denominator.empty() ? above : graph_.quotient(above, graph_.product(denominator));
  }

  /// The denominator of a factor that only this product divides by.
  std::optional<Signed> own_denominator(Expr factor) {
    if (!factor.is(Op::pow)) return std::nullopt;
    const auto power = root_power(factor.arg(1).number(), max_power_);
    if (!power || power->n >= 0 || is_shared_denominator(factor.arg(0), *power)) return std::nullopt;
    return positive_power(factor.arg(0), {power->square_root, -power->n});
  }

  bool is_shared_denominator(Expr base, RootPower power) const {
    const auto found = denominators_.find(denominator_key(base, power.square_root));
    return found != denominators_.end() && found->second >= 2;
  }

  /// b^n, or sqrt(b)*b^((n-1)/2) for an odd power of a square root.
  Signed positive_power(Expr base, RootPower power) {
    const Signed b = value(base);
    const auto n = static_cast<unsigned long>(power.n);
    if (!power.square_root) return graph_.power(b, n);
    const Signed root = graph_.function(Operation::sqrt, b);
    if (n == 1) return root;
    const Signed factors[] = {root, graph_.power(b, n / 2)};
    return graph_.product(factors);
  }

  Signed lower_power(Expr base, const Rational& exponent) {
    const auto power = root_power(exponent, max_power_);
    if (!power) return lower_real_power(value(base), exponent);
    if (power->n > 0) return positive_power(base, *power);
    const RootPower inverse{power->square_root, -power->n};
    const Signed one = graph_.constant(1);
    if (!is_shared_denominator(base, *power)) return graph_.quotient(one, positive_power(base, inverse));
    const Signed reciprocal = graph_.quotient(one, positive_power(base, {power->square_root, 1}));
    return graph_.power(reciprocal, static_cast<unsigned long>(inverse.n));
  }

  /// By size and sign for whole exponents: the parity of one beyond 2^53 would be lost in double.
  Signed lower_real_power(Signed base, const Rational& exponent) {
    const Signed e = graph_.constant(exponent.to_double());
    if (!exponent.is_integer()) return graph_.function(Operation::pow, base, e);
    const Signed size = graph_.function(Operation::pow, graph_.function(Operation::abs, base), e);
    if (exponent.is_even_integer()) return size;
    const Signed factors[] = {graph_.function(Operation::sign, base), size};
    return graph_.product(factors);
  }

  ValueGraph& graph_;
  std::span<const Expr> outputs_;
  long max_power_;
  std::unordered_map<std::uint32_t, Signed> values_;
  std::unordered_map<std::uint64_t, unsigned> denominators_;  ///< how often a root is divided by
};

}  // namespace

std::vector<Signed> lower(ValueGraph& graph, std::span<const Expr> inputs, std::span<const Expr> outputs,
                          const ProgramOptions& options) {
  const Expr* first = nullptr;
  for (const std::span<const Expr> list : {inputs, outputs}) {
    for (const Expr& e : list) {
      if (e.empty()) throw Error(ErrorCode::empty_expression, "an empty expression handle in a program");
      if (first == nullptr) first = &e;
      if (&e.pool() != &first->pool())
        throw Error(ErrorCode::mixed_pools, "expressions of two pools in one program",
                    "copy_to(pool, e) brings an expression over");
    }
  }
  return Lowering(graph, inputs, outputs, options).run();
}

}  // namespace liaison
