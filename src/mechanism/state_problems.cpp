#include "state_problems.hpp"

#include <fmt/format.h>

#include <cmath>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// The parameters that have no value.
std::vector<Message> missing_parameters(const MechanismParts& parts, const CompletedState& state) {
  std::vector<Message> messages;
  for (const Parameter& parameter : parts.system().parameters) {
    if (state.values.contains(parameter.symbol)) continue;
    const std::string& name = parameter.symbol.symbol().name;
    messages.push_back(
        {parts.name(), code_of(Problem::no_parameter_value),
         fmt::format("the parameter `{}` has no value", name),
         fmt::format("--set \"{} = 1\" gives one, and so does `param {} = 1` in the model", name, name)});
  }
  return messages;
}

/// Those of the constraints, at all levels, have values.
bool relations_have_values(MechanismParts& parts, const DoublePoint& state) {
  std::vector<Expr> relations = parts.equations().relations;
  for (Expr level : parts.equations().levels) {
    if (!level.empty()) relations.push_back(level);
  }
  return evaluate(relations, state).status == EvaluationStatus::ok;
}

std::string place_of(const MechanismParts& parts, Span span) {
  const Source::Place at = parts.source().place(span.begin);
  return fmt::format("{}:{}:{}", parts.name(), at.line, at.column);
}

/// A sum of terms is zero to rounding.
bool is_rounding(Expr sum, double value, const DoublePoint& state) {
  double size = 0;
  const auto terms = sum.is(Op::add) ? sum.args() : std::span<const Expr>(&sum, 1);
  const DoubleValues values = evaluate(terms, state);
  for (double term : values.values) size += std::abs(term);
  return std::abs(value) <= 1e-14 * static_cast<double>(terms.size()) * size;
}

/// A gap that opens leaves the motion as it is; what else a closed contact does is not computed.
void require_open(MechanismParts& parts, const Unilateral& unilateral, const DoublePoint& state,
                  const std::string& option) {
  const DoubleValues values = evaluate(std::span(&unilateral.gap, 1), state);
  if (values.status != EvaluationStatus::ok) {
    refuse(Status::numerical_failure, place_of(parts, unilateral.span), Problem::no_value,
           fmt::format("the gap of `{}` has no value: {}", unilateral.name, values.reason()),
           fmt::format("choose another state with {}", option));
  }
  const double gap = values.values[0];
  const bool is_zero = is_rounding(unilateral.gap, gap, state);
  if (gap > 0 && !is_zero) return;
  if (!is_zero) {
    refuse(Status::bad_input, place_of(parts, unilateral.span), Problem::not_on_constraint,
           fmt::format("the state violates `{}`: {} = {:.6g}, which is negative", unilateral.name,
                       to_infix(unilateral.gap), gap),
           fmt::format("choose a state with a gap with {}", option));
  }
  const Expr rate = time_derivative(parts.system(), unilateral.gap);
  const DoubleValues rates = evaluate(std::span(&rate, 1), state);
  const bool opens = rates.status == EvaluationStatus::ok && rates.values[0] > 0 &&
                     !is_rounding(rate, rates.values[0], state);
  if (opens) return;
  refuse(Status::numerical_failure, place_of(parts, unilateral.span), Problem::closed_contact,
         fmt::format("`{}` is closed at this state: contacts that close or stay closed are not computed yet",
                     unilateral.name),
         fmt::format("choose a state with a gap with {}, or write a contact that stays closed as a "
                     "`constraint` or a `contact`",
                     option));
}

}  // namespace

void require_state(MechanismParts& parts, const CompletedState& state, const std::string& option,
                   bool projected) {
  if (state.ok()) return;
  Refused refused{Status::bad_input, missing_parameters(parts, state)};
  if (!refused.messages.empty()) throw refused;
  const bool has_values = relations_have_values(parts, state.values);
  for (const StateProblem& problem : state.problems) {
    Message message{parts.name(), "", problem.message, ""};
    if (!problem.constraint.empty()) {
      message.code = code_of(Problem::not_on_constraint);
      message.hint =
          projected
              ? "no state of the constraints was found near this one: look at the relations"
              : "change the state, or let --project move it onto the constraints, least in the mass metric";
    } else if (has_values) {
      message.code = code_of(Problem::no_state_on_constraints);
      message.hint = fmt::format("change the state with {}", option);
    } else {
      message.code = code_of(Problem::no_value);
      message.hint = fmt::format("choose another state with {}, or other parameters with --set", option);
      refused.status = Status::numerical_failure;
    }
    refused.messages.push_back(std::move(message));
  }
  throw refused;
}

void require_honoured(MechanismParts& parts, const DoublePoint& state, const std::string& option) {
  for (const Unilateral& unilateral : parts.system().unilaterals)
    require_open(parts, unilateral, state, option);
}

}  // namespace liaison
