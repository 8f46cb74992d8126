#include <fmt/format.h>

#include <cmath>

#include "evaluation_reason.hpp"
#include "flat_map.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "require.hpp"

namespace liaison {

namespace {

constexpr std::size_t longest_culprit_written_out = 200;  // operations
constexpr std::size_t longest_number_written_out = 40;    // letters
constexpr long digits_of_a_long_number = 12;

std::string outside_domain_reason(Expr culprit, const std::string& written) {
  if (is_elementary(culprit.op())) {
    const OperatorRow& row = operator_row(culprit.op());
    return fmt::format("{} needs {} in {}", row.name, row.domain, written);
  }
  const Rational& exponent = culprit.arg(1).number();
  if (exponent.is_integer()) return fmt::format("division by zero in {}", written);
  return fmt::format("a fractional power needs a {} base in {}",
                     exponent.sign() < 0 ? "positive" : "nonnegative", written);
}

/// The value of one node whose arguments have values.
struct NodeValue {
  double value = 0;
  EvaluationStatus status = EvaluationStatus::ok;
  Expr culprit{};  ///< an argument; empty: the node itself
};

NodeValue checked(double value) {
  return {value, std::isfinite(value) ? EvaluationStatus::ok : EvaluationStatus::not_finite};
}

NodeValue power_value(double base, const Rational& exponent) {
  const bool whole = exponent.is_integer();
  if ((base < 0 && !whole) || (base == 0 && exponent.sign() < 0))
    return {0, EvaluationStatus::outside_domain};
  // By size and sign: the parity of an exponent beyond 2^53 would be lost in double.
  const double size = std::abs(base);
  const double power = exponent == Rational(1, 2)    ? std::sqrt(size)
                       : exponent == Rational(-1, 2) ? 1 / std::sqrt(size)
                                                     : std::pow(size, exponent.to_double());
  return checked(base < 0 && !exponent.is_even_integer() ? -power : power);
}

class DoubleEvaluation {
 public:
  explicit DoubleEvaluation(const DoublePoint& point) : point_(point) {}

  NodeValue value(Expr e) {
    if (const Expr large = gather(e); !large.empty()) return {0, EvaluationStatus::not_finite, large};
    switch (e.op()) {
      case Op::number: return {e.number().to_double()};
      case Op::pi: return {M_PI};
      case Op::symbol: return symbol_value(e);
      case Op::add: {
        double sum = 0;
        for (double x : arguments_) sum += x;
        return checked(sum);
      }
      case Op::mul: {
        double product = 1;
        for (double x : arguments_) product *= x;
        return checked(product);
      }
      case Op::pow: return power_value(arguments_[0], e.arg(1).number());
      case Op::apply: return {0, EvaluationStatus::unknown_function};
      default: {
        const OperatorRow& row = operator_row(e.op());
        if (!row.in_domain(arguments_.data())) return {0, EvaluationStatus::outside_domain};
        return checked(row.value(arguments_.data()));
      }
    }
  }

  void store(Expr e, double value) { values_.insert(e.index(), value); }
  double stored(Expr e) const { return *values_.find(e.index()); }

 private:
  /// Fetches the arguments; an argument that is a number beyond the doubles is handed back. An exponent may
  /// be one: powers use it exactly.
  Expr gather(Expr e) {
    arguments_.clear();
    for (Expr arg : e.args()) {
      arguments_.push_back(stored(arg));
      const bool exponent = e.is(Op::pow) && arguments_.size() == 2;
      if (!exponent && !std::isfinite(arguments_.back())) return arg;
    }
    return {};
  }

  NodeValue symbol_value(Expr symbol) const {
    const auto found = point_.find(symbol);
    if (found == point_.end()) return {0, EvaluationStatus::missing_value};
    return checked(found->second);
  }

  const DoublePoint& point_;
  NodeMap<double> values_;
  std::vector<double> arguments_;
};

}  // namespace

std::string evaluation_reason(EvaluationStatus status, Expr culprit) {
  if (status == EvaluationStatus::ok) return "";
  const std::size_t operations = count_written_operations(culprit);
  std::string written = operations <= longest_culprit_written_out
                            ? to_infix(culprit)
                            : fmt::format("an expression of {} operations", operations);
  if (culprit.is_number() && written.size() > longest_number_written_out)
    written = Ball(culprit.number()).to_string(digits_of_a_long_number);
  switch (status) {
    case EvaluationStatus::missing_value: return fmt::format("{} has no value at this point", written);
    case EvaluationStatus::unknown_function:
      return fmt::format("{} is not a known function: substitute an expression for it in {}",
                         culprit.application().function->name, written);
    case EvaluationStatus::outside_domain: return outside_domain_reason(culprit, written);
    case EvaluationStatus::not_finite: return fmt::format("{} is too large for a double", written);
    default: return fmt::format("the precision allowed does not decide {}", written);
  }
}

std::string DoubleValues::reason() const {
  return evaluation_reason(status, culprit);
}

DoubleValues evaluate(std::span<const Expr> es, const DoublePoint& point) {
  for (Expr e : es) require_not_empty(e);
  DoubleEvaluation evaluation(point);
  const auto failure = [](EvaluationStatus status, Expr culprit) {
    DoubleValues result;
    result.status = status;
    result.culprit = culprit;
    return result;
  };
  for (Expr e : postorder(es)) {
    const NodeValue node = evaluation.value(e);
    // The arguments of this node have values: no smaller subexpression fails here.
    if (node.status != EvaluationStatus::ok)
      return failure(node.status, node.culprit.empty() ? e : node.culprit);
    evaluation.store(e, node.value);
  }
  DoubleValues result;
  result.values.reserve(es.size());
  for (Expr e : es) {
    result.values.push_back(evaluation.stored(e));
    if (!std::isfinite(result.values.back())) return failure(EvaluationStatus::not_finite, e);
  }
  return result;
}

double evaluate(Expr e, const DoublePoint& point) {
  const DoubleValues result = evaluate(std::span(&e, 1), point);
  if (result.status == EvaluationStatus::ok) return result.values[0];
  const bool missing =
      result.status == EvaluationStatus::missing_value || result.status == EvaluationStatus::unknown_function;
  throw Error(missing ? ErrorCode::missing_value : ErrorCode::undefined_constant, result.reason());
}

}  // namespace liaison
