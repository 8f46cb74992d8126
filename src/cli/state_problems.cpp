#include "state_problems.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "liaison/expr/evaluate.hpp"
#include "problems.hpp"

namespace liaison::cli {

int explain_state(const LoadedModel& model, std::span<const Expr> relations, const CompletedState& state,
                  const std::string& option, bool projected) {
  bool missing = false;
  for (const Parameter& parameter : model.system->parameters) {
    if (state.values.contains(parameter.symbol)) continue;
    missing = true;
    const std::string& name = parameter.symbol.symbol().name;
    report(model.path, Problem::no_parameter_value, fmt::format("the parameter `{}` has no value", name),
           fmt::format("--set \"{} = 1\" gives one, and so does `param {} = 1` in the model", name, name));
  }
  if (missing) return bad_input;
  int code = bad_input;
  for (const StateProblem& problem : state.problems) {
    if (!problem.constraint.empty()) {
      report(
          model.path, Problem::not_on_constraint, problem.message,
          projected
              ? "no state of the constraints was found near this one: look at the relations"
              : "change the state, or let --project move it onto the constraints, least in the mass metric");
    } else if (evaluate(relations, state.values).status == EvaluationStatus::ok) {
      report(model.path, Problem::no_state_on_constraints, problem.message,
             fmt::format("change the state with {}", option));
    } else {
      report(model.path, Problem::no_value, problem.message,
             fmt::format("choose another state with {}, or other parameters with --set", option));
      code = numerical_failure;
    }
  }
  return code;
}

}  // namespace liaison::cli
