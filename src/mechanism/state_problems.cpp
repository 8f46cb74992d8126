#include "state_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/dependence.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/model/kinematics.hpp"
#include "simulate/equations/switches.hpp"

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

/// A sum of terms, also where it is a factor, is this part of them at most.
bool is_part(double part, Expr sum, double value, const DoublePoint& state) {
  const Expr size = size_of_terms(sum);
  const DoubleValues values = evaluate(std::span(&size, 1), state);
  return values.status == EvaluationStatus::ok && std::abs(value) <= part * values.values[0];
}

/// A sum of terms is zero to rounding.
bool is_rounding(Expr sum, double value, const DoublePoint& state) {
  return is_part(1e-14 * static_cast<double>(sum.is(Op::add) ? sum.args().size() : 1), sum, value, state);
}

/// Beside its terms a gap is known to so much: what is smaller is closed.
constexpr double closed_beside = 1e-9;

/// Whether a gap is open, and not merely zero to rounding.
bool is_open(MechanismParts& parts, const Unilateral& unilateral, const DoublePoint& state,
             const std::string& option) {
  const Expr distance = unilateral.gap();
  const DoubleValues values = evaluate(std::span(&distance, 1), state);
  if (values.status != EvaluationStatus::ok) {
    refuse(Status::numerical_failure, place_of(parts, unilateral.span), Problem::no_value,
           fmt::format("the gap of `{}` has no value: {}", unilateral.name, values.reason()),
           fmt::format("choose another state with {}", option));
  }
  const double gap = values.values[0];
  const bool is_zero = is_part(closed_beside, unilateral.gap(), gap, state);
  if (gap > 0 && !is_zero) return true;
  if (!is_zero) {
    refuse(Status::bad_input, place_of(parts, unilateral.span), Problem::not_on_constraint,
           fmt::format("the state violates `{}`: {} = {:.6g}, which is negative", unilateral.name,
                       to_infix(unilateral.gap()), gap),
           fmt::format("choose a state with a gap with {}", option));
  }
  return false;
}

/// A gap that opens leaves the motion as it is; what else a closed contact does has no formula.
void require_open(MechanismParts& parts, const Unilateral& unilateral, const DoublePoint& state,
                  const std::string& option) {
  if (is_open(parts, unilateral, state, option)) return;
  const Expr rate = time_derivative(parts.system(), unilateral.gap());
  const DoubleValues rates = evaluate(std::span(&rate, 1), state);
  const bool opens = rates.status == EvaluationStatus::ok && rates.values[0] > 0 &&
                     !is_rounding(rate, rates.values[0], state);
  if (opens) return;
  refuse(Status::numerical_failure, place_of(parts, unilateral.span), Problem::closed_contact,
         fmt::format("`{}` is closed at this state: it may press, open or slip", unilateral.name),
         fmt::format("`liaison motions` lists what is possible here; or choose a state with a gap with {}",
                     option));
}

/// What friction resists, and by how much: the arguments of the norms of one dimension in a power, and norms
/// of more dimensions, which have no derivative at zero.
struct ResistedSpeed {
  const Constraint* constraint;
  Expr speed, resistance;
};

std::vector<ResistedSpeed> resisted_speeds(const System& system) {
  std::vector<ResistedSpeed> result;
  const auto moves = [&](Expr e) {
    return std::any_of(system.directions.begin(), system.directions.end(),
                       [&](const Direction& direction) { return depends_on(e, direction.velocity); });
  };
  for (const Constraint& constraint : system.constraints) {
    if (constraint.power.empty() || constraint.power_kind == PowerKind::along) continue;
    for (Expr e : postorder(constraint.power)) {
      const bool is_root = e.is(Op::pow) && e.arg(1).number() == Rational(1, 2);
      if ((!e.is(Op::abs) && !is_root) || !moves(e)) continue;
      const Expr with = substitute(constraint.power, {{e, system.pool->number(1)}});
      const Expr without = substitute(constraint.power, {{e, system.pool->number(0)}});
      result.push_back({&constraint, is_root ? e : e.arg(0), with - without});
    }
  }
  for (const Contact& contact : system.contacts) {
    const Constraint& constraint = system.constraints[contact.constraint];
    if (constraint.power_kind != PowerKind::along) continue;
    const std::pair<Expr, Expr> speeds[] = {{contact.speeds.slip, contact.coefficients.friction},
                                            {contact.speeds.rolling, contact.coefficients.rolling},
                                            {contact.speeds.pivoting, contact.coefficients.pivoting}};
    for (const auto& [speed, coefficient] : speeds) {
      if (speed.is(Op::abs)) result.push_back({&constraint, speed.arg(0), coefficient});
    }
  }
  return result;
}

/// A coefficient that is zero resists nothing; one that cannot be evaluated here may.
bool is_zero_at(Expr coefficient, const DoublePoint& state) {
  if (coefficient.is_zero()) return true;
  for (Expr symbol : symbols_in(coefficient)) {
    if (!state.contains(symbol)) return false;
  }
  const DoubleValues values = evaluate(std::span(&coefficient, 1), state);
  return values.status == EvaluationStatus::ok && values.values[0] == 0;
}

/// The relations that no state satisfies together, where that is so whatever the state and exactly known: "no
/// state is on all of `a` and `b`: ...". Empty otherwise.
std::vector<Message> contradictory_constraints(MechanismParts& parts, const CompletedState& state) {
  constexpr std::size_t most_relations = 8;  // the algebra of more may take long
  const AssembledEquations& equations = parts.equations();
  std::vector<std::size_t> violated;
  for (std::size_t k = 0; k < equations.relation_count; ++k) {
    const auto is_it = [&](const StateProblem& problem) { return problem.constraint == equations.names[k]; };
    if (std::any_of(state.problems.begin(), state.problems.end(), is_it)) violated.push_back(k);
  }
  if (violated.size() < 2 || violated.size() > most_relations) return {};
  std::vector<Message> messages;
  try {
    for (const Dependence& found : find_dependences(parts.algebra(), equations, violated)) {
      const bool has_numbers = std::all_of(found.weights.begin(), found.weights.end(),
                                           [](Expr weight) { return weight.is_constant(); });
      if (found.kind != DependenceKind::contradictory || !has_numbers) continue;  // others may have poles
      std::vector<std::string> names;
      std::string place;
      for (std::size_t k = 0; k < equations.relation_count; ++k) {
        if (found.weights[k].is_zero()) continue;
        names.push_back("`" + equations.names[k] + "`");
        for (const Constraint& constraint : parts.system().constraints)
          if (constraint.name == equations.names[k]) place = place_of(parts, constraint.span);
      }
      messages.push_back({place, code_of(Problem::no_state_on_constraints),
                          fmt::format("no state is on all of {}: a sum of multiples of them says {} = 0",
                                      fmt::join(names, ", "), to_infix(found.rest)),
                          "take one of them away, or change it"});
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
  }
  return messages;
}

}  // namespace

void require_directions(MechanismParts& parts, const DoublePoint& state, const std::string& option) {
  for (const auto& [constraint, speed, resistance] : resisted_speeds(parts.system())) {
    const DoubleValues values = evaluate(std::span(&speed, 1), state);
    if (values.status != EvaluationStatus::ok || !is_rounding(speed, values.values[0], state)) continue;
    if (is_zero_at(resistance, state)) continue;
    refuse(Status::numerical_failure, place_of(parts, constraint->span), Problem::no_direction,
           fmt::format("`{}` resists {}, which is zero at this state: friction has no direction there, and "
                       "sticking is not computed yet",
                       constraint->name, to_infix(speed)),
           fmt::format("choose a state that slips with {}, or write what sticks as a `constraint`", option));
  }
}

void require_state(MechanismParts& parts, const CompletedState& state, const std::string& option,
                   bool projected) {
  if (state.ok()) return;
  Refused refused{Status::bad_input, missing_parameters(parts, state)};
  if (!refused.messages.empty()) throw refused;
  refused.messages = contradictory_constraints(parts, state);
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

void require_no_violation(MechanismParts& parts, const DoublePoint& state, const std::string& option) {
  for (const Unilateral& unilateral : parts.system().unilaterals) is_open(parts, unilateral, state, option);
}

void require_honoured(MechanismParts& parts, const DoublePoint& state, const std::string& option) {
  for (const Unilateral& unilateral : parts.system().unilaterals)
    require_open(parts, unilateral, state, option);
  require_directions(parts, state, option);
}

std::vector<Message> pulling_contacts(MechanismParts& parts, std::span<const std::string> names,
                                      std::span<const double> factors, const DoublePoint& state) {
  std::vector<Message> messages;
  double forces = 0;  // by which a factor is judged to be rounding
  for (double load : evaluate(parts.equations().load, state).values) forces += std::abs(load);
  for (const Contact& contact : parts.system().contacts) {
    const Constraint& constraint = parts.system().constraints[contact.constraint];
    const auto found = std::find(names.begin(), names.end(), constraint.name);
    if (found == names.end()) continue;
    const double reaction = factors[static_cast<std::size_t>(found - names.begin())];
    if (!(reaction < -1e-12 * forces)) continue;
    messages.push_back(
        {place_of(parts, contact.span), code_of(Problem::pulling_contact),
         fmt::format("the contact `{}` pulls: its normal reaction is {:.6g}, and bodies that touch only push",
                     constraint.name, reaction),
         "where the bodies are held together write a `constraint`; else the contact opens here, and "
         "`unilateral` says so"});
  }
  return messages;
}

}  // namespace liaison
