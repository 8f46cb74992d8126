#include "liaison/mechanism/motions_at_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/print.hpp"
#include "state_problems.hpp"
#include "touching.hpp"

namespace liaison {

namespace {

/// Each symbol as it was given, by the model or by hand; what constraints determine is known in doubles.
ContactStateValues exact_state(const MechanismParts& parts, const GivenState& given,
                               const CompletedState& state, bool touching) {
  const System& system = parts.system();
  ContactStateValues result;
  for (const Parameter& parameter : system.parameters) {
    if (parameter.value) result.values[parameter.symbol] = parameter.exact();
  }
  for (const Assignment& assignment : given.parameters) result.values[assignment.symbol] = assignment.exact;
  Substitution written;
  for (const InitialValue& start : given.use_start ? system.start : std::vector<InitialValue>{})
    written[start.symbol] = substitute(start.value, result.values);
  for (const Assignment& assignment : given.state) written[assignment.symbol] = assignment.exact;
  for (const auto& [symbol, value] : state.values) {
    if (result.values.contains(symbol)) continue;
    const auto known = written.find(symbol);
    const bool as_written =
        known != written.end() && known->second.is_constant() &&
        std::abs(evaluate(known->second, DoublePoint{}) - value) <= 1e-15 * std::abs(value);
    result.values[symbol] = as_written ? known->second : system.pool->number(Rational::from_double(value));
    if (!as_written && value != 0) result.exact = false;
  }
  if (result.exact) return result;
  // What was found may be right to the last digit: velocities at simple places, a quaternion of rest.
  std::vector<Expr> relations;
  for (const Constraint& constraint : system.constraints) relations.push_back(constraint.relation);
  result.exact = !touching && !relations.empty() &&
                 std::all_of(relations.begin(), relations.end(),
                             [&](Expr relation) { return substitute(relation, result.values).is_zero(); });
  return result;
}

std::string place_of(const MechanismParts& parts, Span span) {
  const Source::Place at = parts.source().place(span.begin);
  return fmt::format("{}:{}:{}", parts.name(), at.line, at.column);
}

void require_accelerations(const MechanismParts& parts, const PossibleMotions& motions,
                           const std::string& option) {
  for (const auto& [contact, why] : motions.no_normal) {
    refuse(Status::numerical_failure, place_of(parts, parts.system().unilaterals[contact].span),
           Problem::no_normal, why, fmt::format("choose a state beside it with {}", option));
  }
  for (std::size_t i = 0; i < motions.contacts.size(); ++i) {
    const ContactState& contact = motions.contacts[i];
    const Unilateral& unilateral = parts.system().unilaterals[i];
    if (contact.condition == ContactCondition::violated) {
      refuse(Status::bad_input, place_of(parts, unilateral.span), Problem::not_on_constraint,
             fmt::format("the state violates `{}`: {} = {:.6g}, which is negative", contact.name,
                         to_infix(unilateral.gap()), contact.gap),
             fmt::format("choose a state with a gap that is not negative with {}", option));
    }
    if (contact.condition == ContactCondition::closing) {
      refuse(
          Status::numerical_failure, place_of(parts, unilateral.span), Problem::closed_contact,
          fmt::format(
              "`{}` closes at this state with the speed {:.6g}: an impact is due, and no accelerations are "
              "asked for before it",
              contact.name, -contact.rate),
          fmt::format("choose the state behind the impact with {}", option));
    }
  }
}

}  // namespace

System with_closed(const System& system, const std::vector<std::string>& touching) {
  System closed = system;
  for (const std::string& name : touching) {
    const auto found = std::find_if(system.unilaterals.begin(), system.unilaterals.end(),
                                    [&](const Unilateral& unilateral) { return unilateral.name == name; });
    if (found == system.unilaterals.end()) {
      std::vector<std::string> names;
      for (const Unilateral& unilateral : system.unilaterals) names.push_back(unilateral.name);
      refuse(Status::bad_input, "--touching", Problem::bad_usage,
             fmt::format("`{}` is no unilateral constraint of the model", name),
             names.empty() ? "the model has none" : fmt::format("its names: {}", fmt::join(names, ", ")));
    }
    closed.constraints.push_back(*found);
    std::erase_if(closed.domain,
                  [&](const Requirement& requirement) { return requirement.e == found->gap(); });
  }
  return closed;
}

Substitution values_in_motion(const System& system, const PossibleMotions& motions,
                              const MotionNumbers& numbers) {
  Pool& pool = *system.pool;
  Substitution result;
  const auto set_factor = [&](const std::string& name, const Rational& value) {
    result[pool.symbol("lambda_" + name, SymbolKind::multiplier)] = pool.number(value);
  };
  for (const Unilateral& unilateral : system.unilaterals) set_factor(unilateral.name, Rational(0));
  for (std::size_t c = 0; c < numbers.factors.size(); ++c)
    set_factor(motions.relation_names[c], numbers.factors[c]);
  for (std::size_t b = 0; b < numbers.bilateral_factors.size(); ++b) {
    set_factor(motions.bilateral[b], numbers.bilateral_factors[b]);
  }
  for (std::size_t a = 0; a < numbers.accelerations.size(); ++a) {
    result[motions.acceleration_symbols[a]] = pool.number(numbers.accelerations[a]);
  }
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(
        std::find(motions.relation_names.begin(), motions.relation_names.end(), name) -
        motions.relation_names.begin());
  };
  for (const Query& query : system.queries) {
    if (query.kind != QueryKind::r && query.kind != QueryKind::drive) continue;
    const std::size_t h = index(query.names[0]), k = index(query.names.back());
    if (h == motions.r.size() || k == motions.r.size()) continue;
    result[query.symbol] = pool.number(query.kind == QueryKind::r ? motions.r[h][k] : motions.drive[h]);
  }
  return result;
}

MotionsAtState motions_at(MechanismParts& parts, const GivenState& given,
                          const std::vector<std::string>& touching) {
  parts.require_written_out({}, "all motions of so many are not listed");
  const StateRequest request{.given = in_doubles(given.state),
                             .parameters = in_doubles(given.parameters),
                             .use_start = given.use_start,
                             .project = given.project,
                             .name_choices = true};
  MotionsAtState result;
  try {
    if (touching.empty()) {
      result.state = complete_state(parts.equations(), request);
    } else {
      const System closed = with_closed(parts.system(), touching);
      result.state = complete_state(assemble_equations(parts.algebra(), closed), request);
    }
    require_state(parts, result.state, given.option, given.project);
    const ContactStateValues exact = exact_state(parts, given, result.state, !touching.empty());
    result.values = exact.values;
    result.motions = possible_motions(parts.algebra(), parts.system(), exact);
  } catch (const Error& error) {
    parts.require_not_interrupted();
    refuse(Status::numerical_failure, parts.name(), Problem::no_value, error.what(),
           error.hint().empty() ? fmt::format("choose another state with {}", given.option) : error.hint());
  }
  parts.require_not_interrupted();
  require_directions(parts, result.state.values, given.option);
  require_accelerations(parts, result.motions, given.option);
  for (const PossibleMotion& motion : result.motions.motions) {
    std::vector<double> factors;
    for (const Rational& factor : motion.vertices[0].bilateral_factors) factors.push_back(factor.to_double());
    const std::vector<Message> pulls =
        pulling_contacts(parts, result.motions.bilateral, factors, result.state.values);
    if (!pulls.empty()) throw Refused{Status::numerical_failure, pulls};
  }
  return result;
}

}  // namespace liaison
