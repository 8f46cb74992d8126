#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanism/reduced_model.hpp"
#include "model_file.hpp"
#include "outputs.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

Json to_json(const ReducedModel& model) {
  const ReducedSystem& reduced = model.reduced;
  const bool is_routh = reduced.kind == ReducedSystem::Kind::routh;
  Json out{{"schema", 1},
           {"kind", is_routh ? "routh" : "chaplygin"},
           {"ignored", Json::object()},
           {"agrees", word_for(reduced.agrees.grade)},
           {"model", model.text}};
  for (std::size_t k = 0; k < reduced.ignored.size(); ++k) {
    Json& entry = out["ignored"][reduced.ignored[k].symbol().name];
    entry["velocity"] = to_infix(reduced.rates[k]);
    if (is_routh) entry["momentum"] = to_infix(reduced.momentum[k]);
  }
  if (!reduced.events_left_out.empty()) out["events_left_out"] = reduced.events_left_out;
  if (model.multiplier) {
    const ReducingMultiplier& multiplier = *model.multiplier;
    const bool is_none = multiplier.exists.is_refuted();
    Json& entry = out["reducing_multiplier"];
    entry = {{"exists", multiplier.exists.holds() ? Json(true)
                        : is_none                 ? Json(false)
                                                  : Json()},
             {"grade", word_for(is_none ? Grade::proved : multiplier.exists.grade)},
             {"value", multiplier.value ? Json(to_infix(*multiplier.value)) : Json()},
             {"reason", multiplier.reason}};
    entry["logarithmic"] = Json::object();
    for (std::size_t i = 0; i < multiplier.logarithmic.size(); ++i)
      entry["logarithmic"][multiplier.coordinates[i].symbol().name] = to_infix(multiplier.logarithmic[i]);
  }
  return out;
}

}  // namespace

int run_reduce(const ReduceOptions& options) {
  const InterruptScope interrupt;
  try {
    if (!options.output.empty()) require_outputs(options.model, {options.output});
    const auto parts = read_model(options.model);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    const ReducedModel model = reduce_model(*parts, options.by);
    if (!options.output.empty()) write_output(options.output, model.text);
    if (options.json) {
      print_json(to_json(model));
    } else if (options.output.empty()) {
      fmt::print("{}", model.text);
    }
    return model.reduced.agrees.holds() ? done : does_not_hold;
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
