#include "liaison/mechanism/derived_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "diagnostics.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "liaison/mechanism/asked_drives.hpp"
#include "liaison/model/extended_system.hpp"

namespace liaison {

namespace {

constexpr Formulation all_formulations[] = {
    Formulation::omega_r,
    Formulation::omega_s,
    Formulation::lagrange,
    Formulation::hamilton,
    Formulation::intrinsic,
    Formulation::gauss,
    Formulation::gibbs_appell,
    Formulation::extended,
    Formulation::dalembert,
    Formulation::extended_hamilton,
    Formulation::extended_form,
    Formulation::extended_gauss,
    Formulation::extended_gibbs_appell,
    Formulation::reactions,
    Formulation::perturbation,
};

void take_roads(MechanismParts& parts, const std::vector<Formulation>& formulations,
                DerivedDocument& derived) {
  if (formulations.empty()) return;
  Algebra& algebra = parts.algebra();
  const Motion& motion = parts.motion();
  const bool is_vacuous = has_no_motion(algebra, motion);
  parts.require_not_interrupted();
  const std::shared_ptr<const System> extended = extended_system(parts.source(), parts.system());
  for (Formulation formulation : formulations) {
    FormulationResult result = derive_formulation(algebra, motion, formulation, extended.get());
    Verdict agreement = is_vacuous ? Verdict::of(Grade::empty, "there is no motion to agree on")
                                   : agrees(algebra, motion, result, extended.get());
    derived.interrupted = parts.is_interrupted();
    if (derived.interrupted) return;
    derived.roads.push_back({std::move(result), std::move(agreement)});
  }
}

}  // namespace

std::vector<Formulation> formulations_named(const std::string& name) {
  if (name.empty() || name == "characteristic") return {};
  if (name == "all") return {std::begin(all_formulations), std::end(all_formulations)};
  if (const auto formulation = formulation_named(name)) return {*formulation};
  std::vector<std::string> names{"all", "characteristic"};
  for (Formulation formulation : all_formulations) names.push_back(name_of(formulation));
  const auto nearest = nearest_name(name, names);
  refuse(Status::bad_input, "--formulation", Problem::unknown_formulation,
         fmt::format("there is no formulation `{}`", name),
         nearest ? fmt::format("did you mean `{}`?", *nearest)
                 : fmt::format("there are {}", fmt::join(names, ", ")));
}

DerivedDocument derive_document(MechanismParts& parts, const std::vector<Formulation>& formulations,
                                const DerivedPage& page) {
  parts.require_written_out({}, "they are not derived");
  DerivedDocument derived;
  parts.motion();
  try {
    take_roads(parts, formulations, derived);
    DerivationOptions options{.roads = derived.roads, .lead = page.lead, .drives = asked_drives(parts)};
    if (page.full) options.readable_limit = std::numeric_limits<std::size_t>::max();
    derived.document = derivation_of(parts.algebra(), parts.motion(), options);
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
  if (!derived.interrupted) parts.require_not_interrupted();
  derived.agree = std::all_of(derived.roads.begin(), derived.roads.end(), [](const RoadTaken& road) {
    return !road.result.applicable || road.agreement.holds();
  });
  return derived;
}

std::string render(const Document& document, const std::string& format) {
  if (format == "latex") return render_latex(document);
  if (format == "html") return render_html(document);
  if (format == "json") return render_json(document);
  return render_text(document);
}

void require_format(const std::string& format) {
  const std::vector<std::string> names{"text", "latex", "html", "json"};
  if (std::find(names.begin(), names.end(), format) != names.end()) return;
  const auto near = nearest_name(format, names);
  refuse(
      Status::bad_input, "--format", Problem::bad_usage, fmt::format("there is no format `{}`", format),
      near ? fmt::format("did you mean `{}`?", *near) : fmt::format("there are {}", fmt::join(names, ", ")));
}

}  // namespace liaison
