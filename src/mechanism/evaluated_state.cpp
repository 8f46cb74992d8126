#include "liaison/mechanism/evaluated_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/pushing_friction.hpp"
#include "liaison/mechanics/rounding.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/mechanism/contradiction.hpp"
#include "state_problems.hpp"

namespace liaison {

namespace {

bool is_zero_at(Expr e, const Substitution& values) {
  try {
    return substitute(e, values).is_zero();
  } catch (const Error&) {  // it has no value there
    return false;
  }
}

}  // namespace

/// Where a velocity is in no kinetic energy at these parameters, no state gives it an inertia.
std::string hint_of_singular_mass(const System& system, const DoublePoint& values,
                                  const std::string& option) {
  Substitution zeros;
  for (const Parameter& parameter : system.parameters) {
    const auto value = values.find(parameter.symbol);
    if (value != values.end() && value->second == 0) zeros.emplace(parameter.symbol, system.pool->number(0));
  }
  for (const Direction& direction : system.directions) {
    const Expr momentum = derivative(system.kinetic, direction.velocity);
    if (!momentum.is_zero() && (zeros.empty() || !is_zero_at(momentum, zeros))) continue;
    const std::string& name = direction.velocity.symbol().name;
    std::vector<std::string> guilty;
    for (Expr symbol : symbols_in(momentum))
      if (zeros.contains(symbol)) guilty.push_back(symbol.symbol().name);
    return guilty.empty()
               ? fmt::format("no state helps: the kinetic energy has no `{}`; give it an inertia", name)
               : fmt::format(
                     "no state helps: with {} = 0 the kinetic energy has no `{}`; --set \"{} = 1\" "
                     "gives it an inertia",
                     fmt::join(guilty, " = "), name, fmt::join(guilty, " = 1, "));
  }
  return fmt::format("choose another state with {}", option);
}

namespace {

bool has_value(std::span<const Expr> es, const DoublePoint& point) {
  return evaluate(es, point).status == EvaluationStatus::ok;
}

/// Nothing could be computed: what the state or the model lacks.
[[noreturn]] void explain_failure(MechanismParts& parts, const DoublePoint& state,
                                  const StateValues& values) {
  const Motion& motion = parts.motion();
  const Expr energies[] = {parts.system().kinetic, parts.system().potential};
  const bool massless = values.free_acceleration.empty() && has_value(energies, state) &&
                        has_value(motion.free.mass.entries, state) && has_value(motion.free.load, state);
  const bool implicit = std::any_of(motion.constraints.begin(), motion.constraints.end(),
                                    [](const ConstraintField& c) { return c.depends_on_factor; });
  if (massless) {
    refuse(Status::numerical_failure, parts.name(), Problem::singular_mass, values.failure,
           hint_of_singular_mass(parts.system(), state, "--at"));
  }
  if (implicit && motion.constraints.size() != motion.relation_count) {
    refuse(Status::numerical_failure, parts.name(), Problem::too_few_relations, values.failure,
           "give each reaction a relation, or keep lambda() out of the powers");
  }
  refuse(Status::numerical_failure, parts.name(), Problem::no_value, values.failure,
         parts.system().unknown_functions.empty()
             ? "choose another state with --at, or other parameters with --set"
             : "an unknown function has no value: write its formula in its place");
}

Message explain_no_motion(MechanismParts& parts, const StateValues& values) {
  const Contradiction contradiction = find_contradiction(values);
  const bool named = contradiction.rate != 0 && parts.motion().status != FactorStatus::implicit;
  return {parts.name(), code_of(Problem::no_motion),
          "no motion at this state: " + (named ? describe(parts.motion(), contradiction) : values.remark),
          named ? "remove one of the constraints, or let its force act on what it keeps"
                : "choose another state with --at"};
}

/// Of several motions those that pull are no motions of the contact; there must be one that pushes.
void require_push(MechanismParts& parts, EvaluatedState& evaluated) {
  if (parts.system().contacts.empty()) return;
  std::vector<std::string> names;
  for (const ConstraintField& constraint : evaluated.motion->constraints) names.push_back(constraint.name);
  std::vector<Message> messages;
  std::vector<StateMotion>& motions = evaluated.values.motions;
  const std::size_t count = motions.size();
  std::erase_if(motions, [&](const StateMotion& motion) {
    const std::vector<Message> pulls = pulling_contacts(parts, names, motion.factors, evaluated.state.values);
    messages.insert(messages.end(), pulls.begin(), pulls.end());
    return !pulls.empty();
  });
  if (motions.size() == count) return;
  if (motions.empty()) throw Refused{Status::numerical_failure, std::move(messages)};
  std::string& remark = evaluated.values.remark;
  remark += fmt::format("{}{} of {} motions left out, in which a contact pulls", remark.empty() ? "" : "; ",
                        count - motions.size(), count);
}

/// At a corner of abs, min or max in the model a second derivative has a value on either side, and none
/// there: what is computed lies between the two.
void say_corners(MechanismParts& parts, EvaluatedState& evaluated) {
  const System& system = parts.system();
  std::vector<Expr> text{system.kinetic, system.potential};
  for (const Rheonomic& drive : system.rheonomic) text.push_back(drive.value);
  for (const Constraint& constraint : system.constraints) text.push_back(constraint.relation);
  std::vector<Expr> corners;
  for (Expr e : text) {  // one by one: a sign of the same argument in another text takes nothing away
    if (e.empty()) continue;
    const std::vector<Expr> found = piece_arguments({&e, 1}).kinks;
    corners.insert(corners.end(), found.begin(), found.end());
  }
  if (corners.empty()) return;
  const Motion& motion = parts.motion();
  std::vector<Expr> derived = motion.free.load;
  derived.insert(derived.end(), motion.free.mass.entries.begin(), motion.free.mass.entries.end());
  derived.insert(derived.end(), motion.drive.begin(), motion.drive.end());
  const DoublePoint& at = evaluated.state.values;
  for (Expr argument : piece_arguments(derived).jumps) {
    if (std::find(corners.begin(), corners.end(), argument) == corners.end() &&
        std::find(corners.begin(), corners.end(), -argument) == corners.end())
      continue;
    if (!is_zero_to_rounding(argument, at)) continue;
    const DoubleValues below = evaluate(on_side(derived, argument, -1), at);
    const DoubleValues above = evaluate(on_side(derived, argument, 1), at);
    if (below.status == EvaluationStatus::ok && above.status == EvaluationStatus::ok &&
        below.values == above.values)
      continue;
    std::string& remark = evaluated.values.remark;
    remark += fmt::format(
        "{}`{}` is zero here, where a rate has a corner: accelerations and forces are others on either side, "
        "and what is told lies between",
        remark.empty() ? "" : "; ", to_infix(argument));
  }
}

/// A friction written with the factor of a constraint that cannot open drives where the factor is negative.
void say_pushing_friction(MechanismParts& parts, EvaluatedState& evaluated) {
  std::string& remark = evaluated.values.remark;
  for (const ConstraintFriction& friction : frictions_of_constraints(parts.system())) {
    for (const StateMotion& motion : evaluated.values.motions) {
      DoublePoint at = evaluated.state.values;
      const std::vector<ConstraintField>& constraints = evaluated.motion->constraints;
      for (std::size_t h = 0; h < constraints.size() && h < motion.factors.size(); ++h)
        at[constraints[h].factor] = motion.factors[h];
      const Expr both[] = {friction.power, size_of_terms(friction.power)};
      const DoubleValues values = evaluate(both, at);
      if (values.status != EvaluationStatus::ok || !pushes(values.values[0], values.values[1])) continue;
      remark += (remark.empty() ? "" : "; ") + text_of_pushing(friction, at[friction.factor]);
      break;
    }
  }
}

/// One motion, and nothing to be said about it. What is singular, open or contradictory is looked at with
/// closed forms too: second derivatives are taken from them.
bool is_plain(const StateValues& values) {
  return values.failure.empty() && values.remark.empty() && values.open.empty() && values.motions.size() == 1;
}

}  // namespace

GivenState read_given_state(const MechanismParts& parts, const std::string& at, const std::string& set,
                            bool project) {
  const System& system = parts.system();
  GivenState given;
  given.project = project;
  given.parameters = read_assignments(system, "--set", set, Assignable::parameters);
  given.state = read_assignments(system, "--at", at, Assignable::everything, given.parameters);
  const Assignments also_set = take_parameters(system, given.state);
  given.parameters.insert(given.parameters.end(), also_set.begin(), also_set.end());
  return given;
}

EvaluatedState evaluate_at(MechanismParts& parts, const GivenState& given) {
  parts.require_written_out({}, "which of them are closed at a state is not looked at");
  const StateRequest request{.given = in_doubles(given.state),
                             .parameters = in_doubles(given.parameters),
                             .use_start = given.use_start,
                             .project = given.project,
                             .name_choices = true};
  EvaluatedState result;
  result.motion = parts.motion_for_numbers();
  try {
    result.state = complete_state(*result.motion, request);
  } catch (const Error& error) {
    refuse(Status::numerical_failure, parts.name(), Problem::no_value,
           fmt::format("the start has no value: {}", error.what()), "choose other parameters with --set");
  }
  require_state(parts, result.state, given.option, given.project);
  require_honoured(parts, result.state.values, given.option);
  result.values = evaluate_state(parts.algebra(), *result.motion, result.state.values);
  parts.require_not_interrupted();
  if (!is_plain(result.values) && !result.motion->closed_form) {
    result.motion = parts.shared_motion();
    result.values = evaluate_state(parts.algebra(), *result.motion, result.state.values);
    parts.require_not_interrupted();
  }
  if (!result.values.failure.empty()) explain_failure(parts, result.state.values, result.values);
  require_push(parts, result);
  say_corners(parts, result);
  say_pushing_friction(parts, result);
  if (result.values.motions.empty()) result.no_motion.push_back(explain_no_motion(parts, result.values));
  return result;
}

std::string acceleration_name(Expr parameter) {
  std::string name = parameter.symbol().name;
  if (name.ends_with('\'')) name.pop_back();
  return name;
}

std::vector<Expr> state_symbols(const Motion& motion) {
  std::vector<Expr> result;
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates())
    result.push_back(coordinate.symbol);
  return result;
}

}  // namespace liaison
