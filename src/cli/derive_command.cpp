#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "commands.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "liaison/report/derivation.hpp"
#include "model_input.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

constexpr Formulation all_formulations[] = {
    Formulation::omega_r,   Formulation::omega_s, Formulation::lagrange,     Formulation::hamilton,
    Formulation::intrinsic, Formulation::gauss,   Formulation::gibbs_appell, Formulation::extended,
};

/// The roads that --formulation names; nothing after a message.
std::optional<std::vector<Formulation>> read_formulations(const std::string& text) {
  std::vector<Formulation> result;
  if (text.empty() || text == "characteristic") return result;
  if (text == "all")
    return std::vector<Formulation>(std::begin(all_formulations), std::end(all_formulations));
  std::vector<std::string> names{"all", "characteristic"};
  for (Formulation formulation : all_formulations) names.push_back(name_of(formulation));
  if (const auto formulation = formulation_named(text)) return std::vector{*formulation};
  const auto nearest = nearest_name(text, names);
  report("--formulation", Problem::unknown_formulation, fmt::format("there is no formulation `{}`", text),
         nearest ? fmt::format("did you mean `{}`?", *nearest)
                 : fmt::format("there are {}", fmt::join(names, ", ")));
  return std::nullopt;
}

std::string render(const Document& document, const std::string& format) {
  if (format == "latex") return render_latex(document);
  if (format == "html") return render_html(document);
  if (format == "json") return render_json(document);
  return render_text(document);
}

std::string format_of(const DeriveOptions& options) {
  if (!options.format.empty()) return options.format;
  if (options.output.ends_with(".tex")) return "latex";
  if (options.output.ends_with(".html")) return "html";
  if (options.output.ends_with(".json")) return "json";
  return "text";
}

std::vector<RoadTaken> take_roads(const LoadedModel& model, const std::vector<Formulation>& formulations) {
  std::vector<RoadTaken> roads;
  if (formulations.empty()) return roads;
  const bool is_vacuous = has_no_motion(*model.algebra, *model.motion);
  for (Formulation formulation : formulations) {
    FormulationResult result = derive_formulation(*model.algebra, *model.motion, formulation);
    Verdict agreement = is_vacuous ? Verdict::of(Grade::empty, "there is no motion to agree on")
                                   : agrees(*model.algebra, *model.motion, result);
    roads.push_back({std::move(result), std::move(agreement)});
  }
  return roads;
}

int write(const LoadedModel& model, const std::vector<Formulation>& formulations,
          const DeriveOptions& options) {
  const std::vector<RoadTaken> roads = take_roads(model, formulations);
  const Document document = derivation_of(*model.algebra, *model.motion, {.roads = roads});
  std::string text = render(document, format_of(options));
  if (!text.ends_with('\n')) text += '\n';
  if (options.output.empty()) {
    fmt::print("{}", text);
  } else {
    std::ofstream file(options.output, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
      report(options.output, Problem::not_written, fmt::format("cannot be written: {}", std::strerror(errno)),
             "name a file in a folder that exists and is yours");
      return numerical_failure;
    }
  }
  const bool agree = std::all_of(roads.begin(), roads.end(), [](const RoadTaken& road) {
    return !road.result.applicable || road.agreement.holds();
  });
  return agree ? done : does_not_hold;
}

}  // namespace

int run_derive(const DeriveOptions& options) {
  const auto formulations = read_formulations(options.formulation);
  if (!formulations) return bad_input;
  const auto model = load_model(options.model);
  if (!model) return bad_input;
  try {
    return write(*model, *formulations, options);
  } catch (const Error& error) {
    report(model->path, error);
    return bad_input;
  }
}

}  // namespace liaison::cli
