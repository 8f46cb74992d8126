#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "liaison/mechanism/vakonomic_parts.hpp"
#include "model_file.hpp"
#include "outputs.hpp"
#include "problems.hpp"

namespace liaison::cli {

int run_derive(const DeriveOptions& options) {
  const InterruptScope interrupt;
  try {
    require_outputs(options.model, options.outputs);
    for (const std::string& output : options.outputs) require_format(options.format, output);
    if (!options.lead.empty() && !options.formulation.empty() && options.formulation != options.lead)
      refuse(Status::bad_input, "--lead", Problem::bad_usage,
             "the equations that stand first are those of the formulation that is asked for",
             fmt::format("--lead {} alone asks for it", options.lead));
    const std::vector<Formulation> formulations =
        formulations_named(options.lead.empty() ? options.formulation : options.lead);
    if (!options.lead.empty() && formulations.size() != 1)
      refuse(Status::bad_input, "--lead", Problem::bad_usage, "one formulation can stand first",
             "--lead lagrange puts the classical equations there");
    const auto parts = read_model(options.model);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    const VakonomicParts problem = options.vakonomic ? vakonomic_parts(*parts) : VakonomicParts{};
    std::optional<MechanismParts::StopScope> stop_problem;
    if (problem.parts) stop_problem.emplace(*problem.parts, interrupt.token());
    const DerivedDocument derived = derive_document(problem.parts ? *problem.parts : *parts, formulations,
                                                    {.lead = !options.lead.empty(), .full = options.full});
    if (options.json) {
      print_json(Json::parse(page_for(derived.document, "json", "")));
    } else if (options.outputs.empty()) {
      fmt::print("{}", page_for(derived.document, options.format, ""));
    }
    for (const std::string& output : options.outputs)
      write_output(output, page_for(derived.document, options.format, output));
    if (derived.interrupted) {
      say(fmt::format("interrupted after {} of {} formulations\n", derived.roads.size(),
                      formulations.size()));
      return interrupted_by_signal;
    }
    return derived.agree ? done : does_not_hold;
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
