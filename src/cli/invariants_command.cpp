#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "liaison/mechanism/invariant_tube.hpp"
#include "liaison/report/invariant_page.hpp"
#include "model_file.hpp"
#include "numbers.hpp"
#include "outputs.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

TubeRequest read(const InvariantsOptions& options) {
  TubeRequest request{.curve = options.curve,
                      .until = options.until,
                      .set = options.set,
                      .integrator = options.integrator,
                      .tolerance = options.tolerance,
                      .form = options.form,
                      .force = options.force};
  if (options.sections) request.sections = read_count("--sections", *options.sections, "sections", "4", 1000);
  if (options.points) request.points = read_count("--points", *options.points, "points", "64", 4096);
  return request;
}

Json to_json(const System& system, const TubeIntegrals& tube) {
  Json out{{"schema", 1},
           {"system", system.name},
           {"points", tube.points},
           {"fixed_times", tube.fixed_times},
           {"has_forces", tube.has_forces}};
  out["sections"] = Json::array();
  for (const TubeSection& section : tube.sections) {
    out["sections"].push_back({{"u", section.u},
                               {"circuit", section.circuit},
                               {"reactions", section.forces},
                               {"power", section.power},
                               {"sum", section.sum()},
                               {"error", section.error}});
  }
  out["change"] = tube.change();
  out["allowed"] = tube.allowed();
  out["change_of_circuit"] = tube.change_of_circuit();
  out["verdict"] = tube.is_kept() ? "checked" : tube.is_changed() ? "refuted" : "unknown";
  out["kept"] = tube.is_kept();
  out["circuit_kept"] = tube.circuit_is_kept();
  return out;
}

}  // namespace

int run_invariants(const InvariantsOptions& options) {
  const InterruptScope interrupt;
  try {
    if (!options.output.empty()) require_outputs(options.model, {options.output});
    require_format(options.format, options.output);
    const TubeRequest request = read(options);
    const auto parts = read_model(options.model);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    const TubeIntegrals tube = integrate_tube(*parts, request);
    if (options.json) print_json(to_json(parts->system(), tube));
    const std::string text = page_for(invariant_page(parts->system(), tube), options.format, options.output);
    if (!options.output.empty()) {
      write_output(options.output, text);
    } else if (!options.json) {
      fmt::print("{}", text);
    }
    return tube.is_kept() ? done : does_not_hold;
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
