#include "liaison/structure/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "integral_search.hpp"
#include "polynomial_form.hpp"
#include "system_with_values.hpp"

namespace liaison {

namespace {

class Work {
 public:
  Work(Algebra& algebra, const Motion& motion, const AnalysisOptions& options,
       const AnalysisProgress& progress)
      : algebra_(algebra), motion_(motion), options_(options), progress_(progress) {}

  Analysis run() {
    Standing standing;
    standing.rank_grade = Grade::unknown;
    standing.reason = "whether the relations keep their rank was not decided";
    within_budget("facts", [&] {
      standing = standing_of(algebra_, motion_);
      if (is_interrupted()) return;
      ModelFacts facts = derive_facts(algebra_, motion_, standing);
      if (!is_interrupted()) result_.facts = std::move(facts);
    });
    if (!standing.has_states()) return std::move(result_);
    within_budget("motion", [&] {
      StateFlowResult flow = derive_state_flow(algebra_, motion_, standing);
      result_.no_flow = std::move(flow.reason);
      flow_ = std::move(flow.flow);
    });
    if (!flow_ && !result_.no_flow.empty() && is_asked(AnalysisPart::integrals)) {
      within_budget("integrals",
                    [&] { result_.integrals = energy_alone(algebra_, motion_, result_.no_flow); });
      if (options_.vary.size() == 1) {
        result_.special.emplace().parameter = options_.vary[0];
        result_.special->searched.reason = result_.no_flow;
      } else if (options_.vary.size() == 2) {
        result_.special_pair.emplace().parameters = {options_.vary[0], options_.vary[1]};
        result_.special_pair->searched.reason = result_.no_flow;
      }
    }
    if (!flow_ && motion_.acceleration.empty() && is_asked(AnalysisPart::symmetries))
      ask_without_field(standing);
    for (const AnalysisPart part : all_analysis_parts()) {
      if (!flow_ || is_interrupted()) break;
      if (!is_asked(part)) continue;
      within_budget(name_of(part), [&] { ask(part); });
    }
    result_.interrupted = is_interrupted();
    return std::move(result_);
  }

 private:
  bool is_interrupted() const { return algebra_.options().is_interrupted(); }

  bool is_asked(AnalysisPart part) const {
    const auto is_named = [&](AnalysisPart named) {
      return std::find(options_.parts.begin(), options_.parts.end(), named) != options_.parts.end();
    };
    return is_named(part) || (part == AnalysisPart::integrals && is_named(AnalysisPart::integrability));
  }

  template <class Part>
  void within_budget(const std::string& name, const Part& part) {
    if (is_interrupted()) return;
    if (progress_) progress_(result_);
    const BudgetScope scope(algebra_, options_.budget);
    try {
      part();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      if (!is_interrupted()) result_.limits.push_back(fmt::format("{}: {}", name, error.what()));
    }
  }

  void ask(AnalysisPart part) {
    switch (part) {
      case AnalysisPart::constraints:
        ask_flag(*flow_);
        if (result_.flag->flag && is_lost_as_given(told_of_flag()) && flow_as_given()) {
          ask_flag(*flow_as_given());
          result_.flag_as_given = true;
        }
        if (is_interrupted()) {
          result_.flag.reset();
          result_.abnormal.reset();
        }
        return;
      case AnalysisPart::vakonomic:
        result_.principles = compare_principles(algebra_, *flow_);
        if (is_lost_as_given(told_of_principles()) && flow_as_given()) {
          result_.principles = compare_principles(algebra_, *flow_as_given());
          result_.principles_as_given = true;
        }
        if (is_interrupted()) result_.principles.reset();
        return;
      case AnalysisPart::symmetries:
        test_field(*flow_);
        result_.symmetries = find_symmetries(algebra_, *flow_, symmetry_options());
        if (motion_.relation_count > 0 && !result_.symmetries->form.empty() && !is_interrupted())
          result_.momenta = find_momentum_equations(algebra_, *flow_, *result_.symmetries);
        if (is_interrupted()) result_.momenta.reset();
        return;
      case AnalysisPart::measure: result_.measure = find_invariant_measure(algebra_, *flow_); return;
      case AnalysisPart::integrability: ask_integrability(); return;
      case AnalysisPart::equilibria:
        result_.equilibria = find_equilibria(algebra_, *flow_, options_.drives);
        return;
      case AnalysisPart::integrals: {
        IntegralOptions options;
        options.degree = options_.degree;
        options.known = options_.known;
        options.max_columns = within_budget(options.max_columns);
        ask_integrals(options);
        name_gauge_momenta();
        add_momenta_of_symmetries();
        ask_special_values(options);
        return;
      }
    }
  }

  /// The unknowns of a search: elimination grows with their third power.
  std::size_t within_budget(std::size_t unknowns) const {
    return static_cast<std::size_t>(
        std::lround(static_cast<double>(unknowns) * std::cbrt(static_cast<double>(options_.budget) / 1e9)));
  }
  SymmetryOptions symmetry_options() const {
    SymmetryOptions options;
    options.max_columns = within_budget(options.max_columns);
    return options;
  }

  /// What is found is told at once: a search that is interrupted, or meets a limit, keeps it.
  void ask_integrals(const IntegralOptions& options) {
    FirstIntegrals so_far;
    so_far.interrupted = true;
    so_far.generic.reason = "the search did not come to its end";
    const auto receive = [&](const FirstIntegral& integral) {
      so_far.found.push_back(integral);
      result_.integrals = so_far;
      if (progress_) progress_(result_);
    };
    result_.integrals = find_first_integrals(algebra_, *flow_, options, receive);
  }

  void ask_flag(const StateFlow& flow) {
    result_.flag = derive_constraint_flag(algebra_, flow);
    result_.abnormal.reset();
    if (result_.flag->flag && !is_interrupted())
      result_.abnormal = find_abnormal_extremals(algebra_, flow, *result_.flag->flag);
  }
  Conditions told_of_flag() const {
    Conditions told = result_.flag->flag->for_values;
    if (result_.abnormal) add_conditions(told, result_.abnormal->for_values);
    return told;
  }
  Conditions told_of_principles() const {
    Conditions told = result_.principles->verdict.conditions;
    if (result_.principles->brackets) add_conditions(told, result_.principles->brackets->for_values);
    return told;
  }

  /// One of these vanishes for the values that the model gives its parameters.
  bool is_lost_as_given(const Conditions& conditions) {
    const Substitution values = given_values();
    return !is_interrupted() && std::any_of(conditions.begin(), conditions.end(), [&](Expr condition) {
      const auto value = value_with(algebra_, condition, values);
      return !value || value->is_zero();
    });
  }
  Substitution given_values() const {
    Substitution values;
    for (const Parameter& parameter : motion_.space.system->parameters) {
      if (parameter.value) values.emplace(parameter.symbol, parameter.exact());
    }
    return values;
  }
  /// The model with these values from its beginning; null where it has no field in closed form.
  const StateFlow* flow_as_given() {
    if (!as_given_) {
      as_given_ = std::make_unique<AsGiven>();
      as_given_->system = system_with_values(*motion_.space.system, given_values());
      as_given_->motion = derive_motion(algebra_, as_given_->system);
      as_given_->flow = derive_state_flow(algebra_, *as_given_->motion).flow;
    }
    return as_given_->flow ? &*as_given_->flow : nullptr;
  }

  void ask_special_values(const IntegralOptions& options) {
    const std::vector<Expr>& vary = options_.vary;
    if (is_interrupted()) return;
    if (vary.size() == 1)
      result_.special = find_special_values_of(algebra_, *flow_, vary[0], *result_.integrals, options);
    if (vary.size() == 2)
      result_.special_pair =
          find_special_pairs_of(algebra_, *flow_, {vary[0], vary[1]}, *result_.integrals, options);
  }

  void test_field(const StateFlow& flow) {
    if (!options_.field || is_interrupted()) return;
    result_.tested = test_symmetry(algebra_, flow, options_.field->components, options_.field->time);
    if (is_interrupted()) result_.tested.reset();
  }

  /// Where the symmetries are asked for, too: what is conserved by them, and was not searched.
  void add_momenta_of_symmetries() {
    if (!result_.symmetries || is_interrupted()) return;
    std::vector<FirstIntegral> momenta;
    const auto& fields = result_.symmetries->fields;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (fields[k].momentum && !fields[k].multivalued && fields[k].conserved.holds())
        momenta.push_back(
            {*fields[k].momentum, fields[k].conserved, fmt::format("momentum of X{}", k + 1), false, false});
    }
    add_integrals(algebra_, *flow_, momenta, *result_.integrals);
  }

  /// Where the symmetries are asked for, too.
  void name_gauge_momenta() {
    if (!result_.symmetries || motion_.relation_count == 0) return;
    for (FirstIntegral& integral : result_.integrals->found) {
      if (is_interrupted()) return;
      if (integral.origin == "search" &&
          is_gauge_momentum(algebra_, *flow_, *result_.symmetries, integral.expression))
        integral.origin = "gauge momentum";
    }
  }

  /// Symmetries are those of Omega: without constraints they need no accelerations.
  void ask_without_field(const Standing& standing) {
    within_budget("symmetries", [&] {
      const StateFlowResult open = derive_open_flow(motion_, standing);
      if (open.flow) test_field(*open.flow);
      if (open.flow) result_.symmetries = find_symmetries(algebra_, *open.flow, symmetry_options());
    });
  }

  /// A measure counts where there are no Poisson brackets, whether or not the page tells of it.
  void ask_integrability() {
    if (!result_.integrals) return;
    const auto judge = [&](const InvariantMeasure* measure) {
      result_.integrability = judge_integrability(algebra_, *flow_, *result_.integrals, measure);
    };
    judge(result_.measure ? &*result_.measure : nullptr);
    const bool is_open = result_.integrability->by == IntegrableBy::nothing_known;
    if (is_open && !result_.integrability->reason.empty() && !result_.measure && !is_interrupted()) {
      const InvariantMeasure measure = find_invariant_measure(algebra_, *flow_);
      judge(&measure);
    }
    if (is_interrupted()) result_.integrability.reset();
  }

  Algebra& algebra_;
  const Motion& motion_;
  const AnalysisOptions& options_;
  const AnalysisProgress& progress_;
  std::optional<StateFlow> flow_;
  struct AsGiven {
    System system;
    std::optional<Motion> motion;
    std::optional<StateFlow> flow;
  };
  std::unique_ptr<AsGiven> as_given_;
  Analysis result_;
};

}  // namespace

const std::vector<AnalysisPart>& all_analysis_parts() {
  static const std::vector<AnalysisPart> parts{AnalysisPart::constraints, AnalysisPart::vakonomic,
                                               AnalysisPart::symmetries,  AnalysisPart::integrals,
                                               AnalysisPart::measure,     AnalysisPart::integrability,
                                               AnalysisPart::equilibria};
  return parts;
}

std::string name_of(AnalysisPart part) {
  switch (part) {
    case AnalysisPart::constraints: return "constraints";
    case AnalysisPart::vakonomic: return "vakonomic";
    case AnalysisPart::symmetries: return "symmetries";
    case AnalysisPart::integrals: return "integrals";
    case AnalysisPart::measure: return "measure";
    case AnalysisPart::integrability: return "integrability";
    case AnalysisPart::equilibria: break;
  }
  return "equilibria";
}

std::optional<AnalysisPart> analysis_part_named(const std::string& name) {
  for (const AnalysisPart part : all_analysis_parts()) {
    if (name_of(part) == name) return part;
  }
  return std::nullopt;
}

Analysis analyze(Algebra& algebra, const Motion& motion, const AnalysisOptions& options,
                 const AnalysisProgress& progress) {
  return Work(algebra, motion, options, progress).run();
}

}  // namespace liaison
