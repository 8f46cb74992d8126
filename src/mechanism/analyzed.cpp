#include "liaison/mechanism/analyzed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostics.hpp"
#include "liaison/mechanism/asked_drives.hpp"

namespace liaison {

std::vector<AnalysisPart> analysis_parts_named(const std::vector<std::string>& names) {
  if (names.empty()) return all_analysis_parts();
  std::vector<std::string> known;
  for (const AnalysisPart part : all_analysis_parts()) known.push_back(name_of(part));
  std::vector<AnalysisPart> result;
  for (const std::string& name : names) {
    const auto part = analysis_part_named(name);
    if (!part) {
      const auto nearest = nearest_name(name, known);
      refuse(Status::bad_input, "--only", Problem::bad_usage,
             fmt::format("there is no part `{}` of an analysis", name),
             nearest ? fmt::format("did you mean `{}`?", *nearest)
                     : fmt::format("there are {}", fmt::join(known, ", ")));
    }
    result.push_back(*part);
  }
  return result;
}

Expr parameter_named(const System& system, const std::string& option, const std::string& name) {
  std::vector<std::string> known;
  for (const Parameter& parameter : system.parameters) {
    known.push_back(parameter.symbol.symbol().name);
    if (known.back() == name) return parameter.symbol;
  }
  const auto nearest = nearest_name(name, known);
  refuse(Status::bad_input, option, Problem::bad_usage, fmt::format("there is no parameter `{}`", name),
         nearest         ? fmt::format("did you mean `{}`?", *nearest)
         : known.empty() ? "this model has no parameters"
                         : fmt::format("there are {}", fmt::join(known, ", ")));
}

Analysis analyze_parts(MechanismParts& parts, const AnalysisOptions& options,
                       const AnalysisProgress& progress) {
  const Motion& motion = parts.motion();
  AnalysisOptions asked = options;
  const bool asks_rest =
      std::find(options.parts.begin(), options.parts.end(), AnalysisPart::equilibria) != options.parts.end();
  if (asks_rest) asked.drives = asked_drives(parts).drives;
  try {
    return analyze(parts.algebra(), motion, asked, progress);
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

}  // namespace liaison
