#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "commands.hpp"
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

/// Whether all roads that were asked for agree.
bool all_agree(Algebra& algebra, const Motion& motion, const std::vector<Formulation>& formulations) {
  const Manifold manifold = solve_manifold(algebra, motion);
  for (Formulation formulation : formulations) {
    const FormulationResult result = derive_formulation(algebra, motion, formulation);
    if (result.applicable && !agrees(algebra, motion, manifold, result).holds()) return false;
  }
  return true;
}

}  // namespace

namespace {

int write(const LoadedModel& model, const std::vector<Formulation>& formulations,
          const DeriveOptions& options) {
  const Document document = derivation_of(*model.algebra, *model.motion, {.formulations = formulations});
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
  return all_agree(*model.algebra, *model.motion, formulations) ? done : does_not_hold;
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
