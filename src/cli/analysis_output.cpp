#include "analysis_output.hpp"

#include <algorithm>
#include <map>

#include "liaison/expr/print.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/model/matrix_names.hpp"
#include "liaison/structure/lie_algebra.hpp"

namespace liaison::cli {

namespace {

/// true, false, or null where it is not decided.
Json decided(const Verdict& verdict) {
  if (verdict.holds()) return true;
  return verdict.is_refuted() ? Json(false) : Json();
}

Json conditions_of(const std::vector<Expr>& conditions) {
  Json list = Json::array();
  for (Expr condition : conditions) list.push_back(to_infix(condition));
  return list;
}

void add_facts(const ModelFacts& facts, Json& out) {
  if (!facts.no_state.empty()) {
    out["no_state"] = facts.no_state;
    return;
  }
  out["directions"] = facts.directions;
  out["degrees_of_freedom"] = facts.degrees_of_freedom;
  out["degrees_of_freedom_grade"] = word_for(facts.freedom_grade);
  out["constraints"] = Json::object();
  for (const ConstraintFact& fact : facts.constraints) {
    const bool is_reaction = fact.kind == ConstraintKind::reaction;
    out["constraints"][fact.name] = {{"kind", name_of(fact.kind)},
                                     {"time", fact.has_time},
                                     {"ideal", fact.is_ideal},
                                     {"integrable", is_reaction ? Json() : decided(fact.integrable)},
                                     {"how", is_reaction ? "no relation" : describe(fact.integrable)}};
  }
  if (!facts.open_contacts.empty()) out["open_contacts"] = facts.open_contacts;
  out["holonomic"] = decided(facts.holonomic);
  if (!facts.holonomic.conditions.empty())
    out["holonomic_conditions"] = conditions_of(facts.holonomic.conditions);
  out["compatible"] = decided(facts.compatible);
  if (!facts.compatible.conditions.empty())
    out["compatible_conditions"] = conditions_of(facts.compatible.conditions);
  out["determinism"] = facts.determinism;
}

void add_flag(const ConstraintFlagResult& result, Json& out) {
  if (!result.flag) {
    out["growth_vector"] = nullptr;
    out["growth_reason"] = result.reason;
    return;
  }
  const ConstraintFlag& flag = *result.flag;
  out["growth_vector"] = flag.growth;
  out["derived_flag"] = flag.derived;
  out["accessible_dimension"] = flag.accessible();
  out["space_dimension"] = flag.space;
  out["growth_with_time"] = flag.with_time;
  out["growth_grade"] = word_for(flag.ranks);
  Conditions conditions = flag.for_values;
  for (Expr condition : flag.conditions) {
    if (std::find(conditions.begin(), conditions.end(), condition) == conditions.end())
      conditions.push_back(condition);
  }
  out["growth_conditions"] = conditions_of(conditions);
  out["integrable_combinations"] = Json::array();
  for (const IntegrablePart& part : flag.integrable) {
    out["integrable_combinations"].push_back(
        {{"form", to_infix(part.form)},
         {"integral", part.integral ? Json(to_infix(*part.integral)) : Json()},
         {"multivalued", part.multivalued}});
  }
}

void add_abnormal(const AbnormalExtremals& abnormal, Json& out) {
  static const std::map<AbnormalKind, std::string> names{
      {AbnormalKind::none, "none"},
      {AbnormalKind::every_curve, "every curve"},
      {AbnormalKind::every_direction, "every direction"},
      {AbnormalKind::one_direction, "one direction"},
      {AbnormalKind::some, "some"},
      {AbnormalKind::undecided, "none with a general covector"}};
  Json& entry = out["abnormal_extremals"];
  const auto name = names.find(abnormal.kind);
  entry["kind"] = name == names.end() ? Json() : Json(name->second);
  if (name == names.end()) {
    entry["reason"] = abnormal.reason;
    return;
  }
  entry["grade"] = word_for(abnormal.grade);
  entry["conditions"] = conditions_of(abnormal.for_values);
  if (abnormal.kind == AbnormalKind::some) entry["dimension"] = abnormal.dimension;
  if (abnormal.kind != AbnormalKind::one_direction) return;
  entry["others_open"] = abnormal.are_others_open;
  entry["direction"] = Json::object();
  for (const auto& [coordinate, rate] : abnormal.direction)
    entry["direction"][to_infix(coordinate)] = to_infix(rate);
}

void add_principles(const TwoPrinciples& principles, Json& out) {
  Json& entry = out["vakonomic"];
  entry["relations"] = principles.relations;
  entry["coincide"] =
      principles.coincidence == Coincidence::undecided ? Json() : Json(name_of(principles.coincidence));
  if (principles.coincidence != Coincidence::undecided) {
    entry["grade"] = word_for(principles.verdict.grade);
    entry["conditions"] = conditions_of(principles.verdict.conditions);
  }
  if (!principles.reason.empty()) entry["reason"] = principles.reason;
  entry["further_terms"] = Json::object();
  for (std::size_t r = 0; r < principles.further.size(); ++r)
    entry["further_terms"][to_infix(principles.directions[r])] = to_infix(principles.further[r]);
  if (principles.coincidence == Coincidence::suitable)
    entry["free_multipliers"] = principles.free_multipliers;
  for (std::size_t h = 0; h < principles.suitable.size(); ++h)
    entry["multipliers"][principles.relations[h]] = to_infix(principles.suitable[h]);
  if (const auto& brackets = principles.brackets) {
    entry["count"] =
        Json{{"coordinates", brackets->positions}, {"freedoms", brackets->directions},
             {"spanned", brackets->spanned},       {"combinations", brackets->combinations()},
             {"grade", word_for(brackets->grade)}, {"conditions", conditions_of(brackets->for_values)}};
  }
  entry["idle_combinations"] = Json::array();
  for (const std::vector<Expr>& combination : principles.idle) {
    Json row = Json::object();
    for (std::size_t h = 0; h < combination.size(); ++h)
      row[principles.relations[h]] = to_infix(combination[h]);
    entry["idle_combinations"].push_back(std::move(row));
  }
}

Json symmetry_of(const Symmetry& symmetry) {
  Json entry{{"field", to_infix(symmetry.field)},
             {"grade", word_for(symmetry.verdict.grade)},
             {"conditions", conditions_of(symmetry.verdict.conditions)},
             {"name", symmetry.name.empty() ? Json() : Json(symmetry.name)},
             {"momentum", symmetry.momentum ? Json(to_infix(*symmetry.momentum)) : Json()}};
  if (symmetry.momentum) {
    entry["conserved"] = decided(symmetry.conserved);
    entry["multivalued"] = symmetry.multivalued;
  }
  return entry;
}

void add_symmetries(const Symmetries& symmetries, Json& out) {
  out["symmetries"] = Json::array();
  for (const Symmetry& symmetry : symmetries.fields) {
    out["symmetries"].push_back(symmetry_of(symmetry));
  }
  out["brackets"] = Json::array();
  for (const StructureConstant& constant : symmetries.constants) {
    out["brackets"].push_back({{"of", {constant.a + 1, constant.b + 1}},
                               {"has", constant.c + 1},
                               {"times", to_infix(constant.value)}});
  }
  if (!symmetries.derived_series.empty()) out["derived_series"] = symmetries.derived_series;
  if (const std::string name = name_of_algebra(symmetries); !name.empty()) out["algebra"] = name;
  Json& searched = out["symmetries_searched"];
  if (symmetries.form.empty()) {
    searched = {{"form", nullptr}, {"reason", symmetries.reason}};
  } else {
    searched = {{"form", symmetries.form},
                {"unknowns", symmetries.unknowns},
                {"none_else", word_for(symmetries.none_else)},
                {"reason", symmetries.reason}};
  }
}

void add_momenta(const MomentumEquations& momenta, Json& out) {
  Json& entry = out["momentum_equations"];
  entry = Json::array();
  for (const MomentumEquation& equation : momenta.equations) {
    entry.push_back({{"field", to_infix(equation.field)},
                     {"horizontal", equation.is_horizontal},
                     {"momentum", to_infix(equation.momentum)},
                     {"rate", to_infix(equation.rate)},
                     {"conserved", decided(equation.conserved)},
                     {"grade", word_for(equation.conserved.grade)}});
  }
  out["momentum_equations_asked"] = {{"none_else", word_for(momenta.none_else)}, {"reason", momenta.reason}};
}

Json searched_of(const SearchedIntegrals& searched) {
  if (searched.form.empty()) return {{"form", nullptr}, {"reason", searched.reason}};
  return {{"form", searched.form},
          {"unknowns", searched.unknowns},
          {"none_else", word_for(searched.none_else)},
          {"reason", searched.reason}};
}

Json integrals_of(const System& system, const std::vector<FirstIntegral>& integrals) {
  Json result = Json::array();
  for (const FirstIntegral& integral : integrals) {
    result.push_back({{"expression", to_infix(with_matrix_names(system, integral.expression))},
                      {"grade", word_for(integral.verdict.grade)},
                      {"conditions", conditions_of(integral.verdict.conditions)},
                      {"origin", integral.origin},
                      {"for_values", integral.for_values},
                      {"at_general_states", integral.at_general_states}});
  }
  return result;
}

void add_special(const System& system, const SpecialParameter& special, Json& out) {
  Json& entry = out["special_values"];
  entry["parameter"] = special.parameter.symbol().name;
  entry["values"] = Json::array();
  for (const SpecialValue& value : special.values) {
    entry["values"].push_back({{"value", value.value.to_string()},
                               {"first_integrals", integrals_of(system, value.integrals)},
                               {"asked", value.is_asked},
                               {"reason", value.reason}});
  }
  entry["roots_of"] = Json::array();
  for (Expr e : special.roots_of) entry["roots_of"].push_back(to_infix(e));
  entry["others"] = special.others;
  if (!special.stopped.empty()) entry["stopped"] = special.stopped;
  entry["searched"] = searched_of(special.searched);
}

Json conditions_of_pair(const System& system, const std::vector<SpecialCondition>& conditions) {
  Json result = Json::array();
  for (const SpecialCondition& condition : conditions) {
    Json entry{{"vanish", Json::array()},
               {"values", Json::object()},
               {"first_integrals", integrals_of(system, condition.integrals)},
               {"asked", condition.is_asked},
               {"reason", condition.reason}};
    for (Expr e : condition.conditions) entry["vanish"].push_back(to_infix(e));
    for (const auto& [parameter, value] : condition.solved)
      entry["values"][parameter.symbol().name] = to_infix(value);
    result.push_back(std::move(entry));
  }
  return result;
}

void add_special_pair(const System& system, const SpecialPair& special, Json& out) {
  Json& entry = out["special_values"];
  entry["parameters"] = Json::array();
  for (Expr parameter : special.parameters) entry["parameters"].push_back(parameter.symbol().name);
  entry["curves"] = conditions_of_pair(system, special.curves);
  entry["points"] = conditions_of_pair(system, special.points);
  entry["undecided"] = Json::array();
  for (const auto& conditions : special.undecided) {
    Json vanish = Json::array();
    for (Expr e : conditions) vanish.push_back(to_infix(e));
    entry["undecided"].push_back(std::move(vanish));
  }
  if (!special.stopped.empty()) entry["stopped"] = special.stopped;
  entry["searched"] = searched_of(special.searched);
}

void add_integrals(const System& system, const FirstIntegrals& integrals, Json& out) {
  out["first_integrals"] = integrals_of(system, integrals.found);
  if (integrals.found.size() > 1) out["functionally_independent"] = word_for(integrals.independence);
  out["integrals_searched"] = searched_of(integrals.generic);
  const SearchedIntegrals& values = integrals.for_values;
  if (!values.form.empty() || !values.reason.empty())
    out["integrals_searched_for_values"] = searched_of(values);
}

void add_measure(const InvariantMeasure& measure, Json& out) {
  Json& entry = out["invariant_measure"];
  entry["density"] = measure.density ? Json(to_infix(*measure.density)) : Json();
  entry["beside_relations"] = measure.beside_relations;
  if (!measure.divergence.empty()) entry["divergence"] = to_infix(measure.divergence);
  if (measure.density) {
    entry["grade"] = word_for(measure.verdict.grade);
    entry["conditions"] = conditions_of(measure.verdict.conditions);
    entry["origin"] = measure.origin;
    return;
  }
  entry["searched"] = measure.form.empty() ? Json() : Json(measure.form);
  entry["unknowns"] = measure.unknowns;
  entry["none_of_this_form"] = word_for(measure.none);
  entry["obstruction"] = measure.obstruction ? Json(to_infix(*measure.obstruction)) : Json();
  entry["none_at_rest"] = measure.none_at_rest;
  entry["near_general_places"] = measure.near_general_places;
  entry["reason"] = measure.reason;
}

Json separation_of(const Separation& separation) {
  Json out{{"separable", decided(separation.separable)},
           {"grade", word_for(separation.separable.grade)},
           {"for_values", separation.for_values},
           {"family", separation.family.empty() ? Json() : Json(separation.family)},
           {"reason", separation.reason},
           {"momenta", Json::object()},
           {"quadratures", Json::array()}};
  if (!separation.riccati.empty()) {
    out["riccati"] = Json::array();
    for (Expr momentum : separation.riccati) out["riccati"].push_back(to_infix(momentum));
  }
  for (const SeparatedMomentum& momentum : separation.momenta)
    out["momenta"][momentum.coordinate.symbol().name] = {{"value", to_infix(momentum.value)},
                                                         {"two_signs", momentum.two_signs}};
  for (const Quadrature& quadrature : separation.quadratures) {
    Json entry{{"constant", to_infix(quadrature.constant)}, {"rate", to_infix(quadrature.rate)}};
    entry["integrands"] = Json::object();
    for (const auto& [coordinate, integrand] : quadrature.integrands)
      entry["integrands"][coordinate.symbol().name] = to_infix(integrand);
    out["quadratures"].push_back(std::move(entry));
  }
  return out;
}

/// Integrals by their number from 1.
Json numbers_of(const std::vector<std::size_t>& places) {
  Json list = Json::array();
  for (const std::size_t place : places) list.push_back(place + 1);
  return list;
}

Json integrability_of(const System& system, const Integrability& told) {
  Json entry;
  const bool is_known = told.by != IntegrableBy::nothing_known;
  entry = {{"by", is_known ? Json(name_of(told.by)) : Json()},
           {"grade", word_for(told.grade)},
           {"for_values", told.for_values},
           {"integrals", told.independent},
           {"counted", numbers_of(told.counted)},
           {"dimension", told.dimension},
           {"with_time", told.with_time},
           {"reason", told.reason}};
  entry["conditions"] = conditions_of(told.conditions);
  if (told.obstruction) {
    Json& why = entry["obstruction"];
    why = {{"theorem", "Morales, Ramis"},
           {"degree", told.obstruction->degree},
           {"eigenvalue", told.obstruction->eigenvalue.mid()}};
    for (const auto& [coordinate, value] : told.obstruction->point)
      why["point"][coordinate.symbol().name] = value.mid();
  }
  if (told.exponents) {
    Json& evidence = entry["kovalevskaya_exponents"];
    evidence = {{"grade", "evidence"}, {"all", told.exponents->all}, {"within", told.exponents->reach}};
    for (const auto& [symbol, weight] : told.exponents->weights)
      evidence["weights"][to_infix(symbol)] = weight.to_string();
    evidence["solutions"] = Json::array();
    for (const KovalevskayaBalance& balance : told.exponents->balances) {
      Json solution{{"kind", balance.kind == ExponentKind::complex             ? "complex"
                             : balance.kind == ExponentKind::no_short_fraction ? "no short fraction"
                                                                               : "fractions"},
                    {"exponents", Json::array()}};
      for (const auto& [symbol, value] : balance.point) solution["c"][to_infix(symbol)] = value.mid();
      for (const auto& [re, im] : balance.exponents)
        solution["exponents"].push_back({re.mid(), im.contains_zero() ? 0 : im.mid()});
      evidence["solutions"].push_back(std::move(solution));
    }
  }
  entry["ignored"] = Json::array();
  for (Expr position : told.ignored) entry["ignored"].push_back(position.symbol().name);
  for (const Integrability& given : told.given) entry["for_given_values"] = integrability_of(system, given);
  if (!told.reason.empty()) return entry;
  entry["degrees_of_freedom"] = told.freedom;
  entry["involution"] = numbers_of(told.involution);
  entry["brackets"] = Json::array();
  for (const PoissonBracket& bracket : told.brackets) {
    entry["brackets"].push_back({{"of", {bracket.a + 1, bracket.b + 1}},
                                 {"zero", decided(bracket.zero)},
                                 {"grade", word_for(bracket.zero.grade)},
                                 {"value", bracket.zero.grade == Grade::unknown
                                               ? Json()
                                               : Json(to_infix(with_matrix_names(system, bracket.value)))}});
  }
  entry["further_integrals"] = Json::array();
  for (const std::size_t k : told.further)
    entry["further_integrals"].push_back(to_infix(with_matrix_names(system, told.brackets[k].value)));
  if (told.separation) entry["separation"] = separation_of(*told.separation);
  return entry;
}

/// Zero for what is not told from it.
double number_of(const Ball& ball) {
  return ball.contains_zero() && ball.rad() < 1e-9 ? 0 : ball.mid();
}

void add_equilibria(const Equilibria& equilibria, Json& out) {
  out["equilibria"] = Json::array();
  for (const Equilibrium& equilibrium : equilibria.found) {
    Json entry{{"position", Json::object()}};
    for (const auto& [coordinate, value, exact] : equilibrium.positions) {
      entry["position"][coordinate.symbol().name] = number_of(value);
      if (exact) entry["exact"][coordinate.symbol().name] = to_infix(*exact);
    }
    entry["stability"] = name_of(equilibrium.stability);
    if (equilibrium.has_linearisation) {
      entry["eigenvalues"] = Json::array();
      for (const Eigenvalue& eigenvalue : equilibrium.eigenvalues)
        entry["eigenvalues"].push_back({number_of(eigenvalue.re), number_of(eigenvalue.im)});
      for (Expr variable : equilibrium.variables) entry["variables"].push_back(to_infix(variable));
      entry["matrix"] = equilibrium.matrix;
    } else if (!equilibrium.no_linearisation.empty()) {
      entry["no_linearisation"] = equilibrium.no_linearisation;
    }
    for (const DriveAtRest& drive : equilibrium.drives) {
      Json told{{"name", drive.name}};
      told["force"] = drive.force.empty() ? Json() : Json(to_infix(drive.force));
      told["power"] = drive.power.empty() ? Json() : Json(to_infix(drive.power));
      entry["drives"].push_back(std::move(told));
    }
    if (equilibrium.is_absolute) entry["every_point_at_rest"] = *equilibrium.is_absolute;
    out["equilibria"].push_back(std::move(entry));
  }
  Json& searched = out["equilibria_searched"];
  searched = {{"box", equilibria.box.empty() ? Json() : Json(equilibria.box)},
              {"all", equilibria.all},
              {"everywhere", !equilibria.box.empty() && equilibria.equations.empty()},
              {"reason", equilibria.reason}};
  if (!equilibria.held.empty()) searched["held_by_friction"] = equilibria.held;
  for (Expr equation : equilibria.equations) searched["conditions"].push_back(to_infix(equation));
  for (const MovingCoordinate& one : equilibria.moving)
    searched["moving"][one.coordinate.symbol().name] = to_infix(one.law.empty() ? one.rate : one.law);
  if (!equilibria.turned.empty()) searched["turned"] = equilibria.turned;
  searched["any_value_of"] = Json::array();
  for (Expr coordinate : equilibria.anywhere) searched["any_value_of"].push_back(coordinate.symbol().name);
}

}  // namespace

Json to_json(const System& system, const Analysis& analysis) {
  Json out{{"schema", 1}, {"system", system.name}};
  if (analysis.facts) add_facts(*analysis.facts, out);
  if (analysis.flag) add_flag(*analysis.flag, out);
  if (analysis.abnormal) add_abnormal(*analysis.abnormal, out);
  if (analysis.principles) add_principles(*analysis.principles, out);
  if (analysis.flag_as_given) out["growth_for_values"] = true;
  if (analysis.principles_as_given) out["vakonomic"]["for_values"] = true;
  if (analysis.symmetries) add_symmetries(*analysis.symmetries, out);
  if (analysis.tested) {
    out["field"] =
        analysis.tested->symmetry ? symmetry_of(*analysis.tested->symmetry) : Json{{"field", nullptr}};
    if (!analysis.tested->refused.empty()) out["field"]["reason"] = analysis.tested->refused;
  }
  if (analysis.momenta) add_momenta(*analysis.momenta, out);
  if (analysis.integrals) add_integrals(system, *analysis.integrals, out);
  if (analysis.special) add_special(system, *analysis.special, out);
  if (analysis.special_pair) add_special_pair(system, *analysis.special_pair, out);
  if (analysis.measure) add_measure(*analysis.measure, out);
  if (analysis.integrability) out["integrability"] = integrability_of(system, *analysis.integrability);
  if (analysis.equilibria) add_equilibria(*analysis.equilibria, out);
  if (!analysis.no_flow.empty()) out["not_searched"] = analysis.no_flow;
  if (!analysis.limits.empty()) out["limits"] = analysis.limits;
  if (analysis.interrupted) out["interrupted"] = true;
  return out;
}

}  // namespace liaison::cli
