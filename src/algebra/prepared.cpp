#include "prepared.hpp"

#include <cmath>
#include <limits>
#include <unordered_map>

#include "expr/raw.hpp"
#include "expr/work.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t longest_exact_value = 20'000;  // bits

std::optional<Rational> exact_root(const Rational& base, const Rational& order) {
  const auto n = order.to_long();
  if (!n || *n > 64 || base.sign() < 0) return std::nullopt;
  Rational root;
  const bool numerator = fmpz_root(fmpq_numref(root.raw()), fmpq_numref(base.raw()), *n) != 0;
  const bool denominator = fmpz_root(fmpq_denref(root.raw()), fmpq_denref(base.raw()), *n) != 0;
  if (!numerator || !denominator) return std::nullopt;
  return root;
}

std::optional<Rational> exact_power(const Rational& base, const Rational& exponent) {
  if (base.is_zero() && exponent.sign() < 0) return std::nullopt;
  const auto n = exponent.numerator().to_long();
  const auto root = exponent.is_integer() ? std::optional(base) : exact_root(base, exponent.denominator());
  if (!n || !root) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(std::abs(*n));
  if (size > longest_exact_value || root->bits() * size > longest_exact_value) return std::nullopt;
  return power(*root, *n);
}

std::optional<Rational> exact_function(Op op, const Rational& x) {
  switch (op) {
    case Op::abs: return abs(x);
    case Op::sign: return Rational(x.sign());
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh: return x.is_zero() ? std::optional(Rational(0)) : std::nullopt;
    case Op::cos:
    case Op::cosh:
    case Op::exp: return x.is_zero() ? std::optional(Rational(1)) : std::nullopt;
    case Op::log:
    case Op::acos: return x.is_one() ? std::optional(Rational(0)) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<Rational> exact_pair(Op op, const Rational& a, const Rational& b) {
  if (op == Op::min) return a < b ? a : b;
  if (op == Op::max) return a < b ? b : a;
  if (op == Op::atan2 && a.is_zero() && b.sign() > 0) return Rational(0);
  return std::nullopt;
}

}  // namespace

Prepared::Power Prepared::kind_of(const Rational& exponent) {
  if (exponent == Rational(2)) return Power::square;
  if (exponent == Rational(-1)) return Power::inverse;
  if (exponent.is_integer()) return Power::integer;
  return exponent == Rational(1, 2) ? Power::square_root : Power::other;
}

double Prepared::power_value(double base, const Step& step) {
  if (base == 0 && step.number < 0) return no_value;
  switch (step.power) {
    case Power::square: return base * base;
    case Power::inverse: return 1 / base;
    case Power::integer: return std::pow(base, step.number);
    case Power::square_root: return base < 0 ? no_value : std::sqrt(base);
    case Power::other: break;
  }
  return base < 0 ? no_value : std::pow(base, step.number);
}

Prepared::Prepared(std::span<const Expr> es, std::span<const Expr> inputs) {
  std::unordered_map<Expr, std::int32_t> input_of;
  for (std::size_t i = 0; i < inputs.size(); ++i) input_of.emplace(inputs[i], static_cast<std::int32_t>(i));
  std::unordered_map<Expr, std::uint32_t> position;
  for (Expr e : postorder(es)) {
    Step step{e,
              static_cast<std::uint32_t>(arguments_.size()),
              static_cast<std::uint32_t>(e.args().size()),
              0,
              -1,
              e.op(),
              Power::other};
    for (Expr argument : e.args()) arguments_.push_back(position.at(argument));
    if (e.is_number()) step.number = e.number().to_double();
    if (e.is(Op::pow)) {
      const Rational& exponent = e.arg(1).number();
      step.number = exponent.to_double();
      step.power = kind_of(exponent);
    }
    if (e.is(Op::symbol)) {
      const auto found = input_of.find(e);
      if (found != input_of.end()) step.input = found->second;
    }
    position.emplace(e, static_cast<std::uint32_t>(steps_.size()));
    steps_.push_back(step);
  }
  for (Expr e : es) outputs_.push_back(position.at(e));
  constexpr std::uint64_t parts_to_prepare = 50, parts_a_step = 4;
  note_work(parts_to_prepare * steps_.size());
  parts_ = parts_a_step * steps_.size() + arguments_.size();
}

double Prepared::value(const Step& step, std::span<const double> inputs) const {
  const std::span<const std::uint32_t> at(arguments_.data() + step.first_argument, step.arguments);
  switch (step.op) {
    case Op::number: return step.number;
    case Op::pi: return M_PI;
    case Op::symbol: return step.input < 0 ? no_value : inputs[static_cast<std::size_t>(step.input)];
    case Op::add: {
      double sum = 0;
      for (auto i : at) sum += values_[i];
      return sum;
    }
    case Op::mul: {
      double product = 1;
      for (auto i : at) product *= values_[i];
      return product;
    }
    case Op::pow: return power_value(values_[at[0]], step);
    case Op::apply: return no_value;
    default: {
      const double x[2] = {values_[at[0]], at.size() > 1 ? values_[at[1]] : 0};
      if (!std::isfinite(x[0]) || !std::isfinite(x[1])) return no_value;
      const OperatorRow& row = operator_row(step.op);
      return row.in_domain(x) ? row.value(x) : no_value;
    }
  }
}

void Prepared::evaluate(std::span<const double> inputs, std::vector<double>& outputs) const {
  note_work(parts_);
  values_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) values_[i] = value(steps_[i], inputs);
  outputs.resize(outputs_.size());
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs[i] = values_[outputs_[i]];
}

std::optional<Rational> Prepared::exact_value(const Step& step,
                                              const std::vector<std::optional<Rational>>& values,
                                              std::span<const std::optional<Rational>> inputs) const {
  const Expr e = step.e;
  if (e.is_number()) return e.number();
  if (e.is(Op::symbol)) return step.input < 0 ? std::nullopt : inputs[static_cast<std::size_t>(step.input)];
  const std::span<const std::uint32_t> at(arguments_.data() + step.first_argument, step.arguments);
  for (auto i : at) {
    if (!values[i] || values[i]->bits() > longest_exact_value) return std::nullopt;
  }
  switch (e.op()) {
    case Op::add: {
      Rational sum;
      for (auto i : at) sum += *values[i];
      return sum;
    }
    case Op::mul: {
      Rational product(1);
      for (auto i : at) product *= *values[i];
      return product;
    }
    case Op::pow: return exact_power(*values[at[0]], e.arg(1).number());
    case Op::pi:
    case Op::apply: return std::nullopt;
    default:
      return at.size() == 1 ? exact_function(e.op(), *values[at[0]])
                            : exact_pair(e.op(), *values[at[0]], *values[at[1]]);
  }
}

std::vector<std::optional<Rational>> Prepared::evaluate_exact(
    std::span<const std::optional<Rational>> inputs) const {
  constexpr std::uint64_t as_long_as_doubles = 10;
  note_work(as_long_as_doubles * parts_);
  std::vector<std::optional<Rational>> values;
  values.reserve(steps_.size());
  for (const Step& step : steps_) values.push_back(exact_value(step, values, inputs));
  std::vector<std::optional<Rational>> result;
  result.reserve(outputs_.size());
  for (auto i : outputs_) result.push_back(values[i]);
  return result;
}

}  // namespace liaison
