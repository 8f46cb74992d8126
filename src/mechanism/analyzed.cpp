#include "liaison/mechanism/analyzed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostics.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/asked_drives.hpp"
#include "option_text.hpp"

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

namespace {

/// What the components of a field may contain: no velocities.
bool is_of_positions(const System& system, Expr symbol) {
  const SymbolKind kind = symbol.symbol().kind;
  if (kind == SymbolKind::parameter || symbol == system.time) return true;
  if (std::any_of(system.directions.begin(), system.directions.end(),
                  [&](const Direction& direction) { return direction.coordinate == symbol; }))
    return true;
  return std::any_of(system.rotations.begin(), system.rotations.end(), [&](const Rotation& rotation) {
    return std::find(rotation.quaternion.begin(), rotation.quaternion.end(), symbol) !=
           rotation.quaternion.end();
  });
}

}  // namespace

FieldOnPositions field_on_positions(const System& system, const std::string& option,
                                    const std::string& text) {
  const Source source(option, text);
  const auto wrong = [&](const std::string& message) {
    refuse(Status::bad_input, option, Problem::bad_usage, message,
           fmt::format("{} \"x = -y, y = x\": rates of coordinates as functions of the positions", option));
  };
  FieldOnPositions field{std::vector<Expr>(system.directions.size(), system.pool->number(0)),
                         system.pool->number(0)};
  std::vector<std::string> given;
  for (const std::string_view part : parts_of(source.text())) {
    if (trimmed(part).empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) wrong(fmt::format("a `=` is missing in `{}`", trimmed(part)));
    const std::string name(trimmed(part.substr(0, equals)));
    if (std::find(given.begin(), given.end(), name) != given.end())
      wrong(fmt::format("`{}` is given twice", name));
    given.push_back(name);
    const std::size_t begin = static_cast<std::size_t>(part.data() - source.text().data());
    const ParsedExpression parsed =
        parse_expression(*system.pool, source, Span{begin + equals + 1, begin + part.size()}, {});
    if (!parsed.diagnostics.empty())
      throw Refused{Status::bad_input, messages_of(parsed.diagnostics, source)};
    for (Expr symbol : symbols_in(parsed.value)) {
      if (!is_of_positions(system, symbol))
        wrong(
            fmt::format("`{}` is no position: a field on the positions has rates that are functions of them",
                        symbol.symbol().name));
    }
    if (name == system.time.symbol().name) {
      if (!symbols_in(parsed.value).empty()) wrong("the rate of the time is a number");
      field.time = parsed.value;
      continue;
    }
    const auto direction =
        std::find_if(system.directions.begin(), system.directions.end(), [&](const Direction& one) {
          return (one.coordinate.empty() ? one.velocity : one.coordinate).symbol().name == name;
        });
    if (direction == system.directions.end()) wrong(fmt::format("`{}` is no coordinate of the model", name));
    field.components[static_cast<std::size_t>(direction - system.directions.begin())] = parsed.value;
  }
  return field;
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
