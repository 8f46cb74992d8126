#include "option_table.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <map>

#include "liaison/mechanism/analyzed.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "liaison/simulate/methods.hpp"

namespace liaison::cli {

namespace {

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// What an option takes, in one word.
std::string value_of(const CLI::Option& option, const std::string& long_name) {
  static const std::map<std::string, std::string> words{{"output", "FILE"},
                                                        {"plot", "FILE"},
                                                        {"resume", "FILE"},
                                                        {"at", "STATE"},
                                                        {"start", "STATE"},
                                                        {"set", "VALUES"},
                                                        {"scan", "RANGES"},
                                                        {"formulation", "F"},
                                                        {"until", "T"},
                                                        {"every", "DT"},
                                                        {"max-step", "DT"},
                                                        {"step", "DT"},
                                                        {"flush-every", "S"},
                                                        {"tol", "R"},
                                                        {"integrator", "NAME"},
                                                        {"set", "VALUES"},
                                                        {"touching", "CONTACTS"},
                                                        {"only", "PARTS"},
                                                        {"vary", "PARAMETERS"},
                                                        {"input", "PARAMETERS"},
                                                        {"by", "COORDINATES"},
                                                        {"hold", "NAMES"},
                                                        {"curve", "CURVE"},
                                                        {"level", "EQUATION"},
                                                        {"budget", "OPERATIONS"},
                                                        {"floating", "NAME"},
                                                        {"follow", "RANGE"},
                                                        {"show", "NAMES"},
                                                        {"multipliers", "VALUES"},
                                                        {"sensitivity", "NAMES"},
                                                        {"lyapunov", "N"},
                                                        {"degree", "N"},
                                                        {"sections", "N"},
                                                        {"points", "N"},
                                                        {"max-steps", "N"},
                                                        {"form", "FORM"},
                                                        {"force", "FORM"},
                                                        {"period", "T"},
                                                        {"turns", "EQUATIONS"},
                                                        {"smooth-friction", "V"},
                                                        {"speed", "FACTOR"},
                                                        {"engine", "NAME"},
                                                        {"assembly", "NAME"},
                                                        {"impact", "LAW"},
                                                        {"format", "FORMAT"},
                                                        {"columns", "NAMES"},
                                                        {"compare", "FILE"},
                                                        {"field", "FIELD"},
                                                        {"lead", "F"},
                                                        {"phase", "NAMES"},
                                                        {"section", "EQUATION"},
                                                        {"view", "ANGLES"},
                                                        {"arrows", "KINDS"},
                                                        {"xy", "NAMES"},
                                                        {"template", "NAME"},
                                                        {"on-indeterminate", "WAY"},
                                                        {"on-impossible", "WAY"}};
  if (option.get_items_expected_max() == 0) return {};
  const auto known = words.find(long_name);
  if (known != words.end()) return known->second;
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

/// "TEXT:{a,b}": a, b.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.rfind('}');
  std::vector<std::string> choices;
  if (open == std::string::npos || close == std::string::npos) return choices;
  for (std::size_t begin = open + 1; begin < close;) {
    const std::size_t end = std::min(type.find(',', begin), close);
    choices.push_back(type.substr(begin, end - begin));
    begin = end + 1;
  }
  return choices;
}

OptionRow row_of(const CLI::Option& option) {
  OptionRow row;
  row.is_argument = option.get_positional();
  row.is_required = option.get_required();
  row.is_repeated = option.get_items_expected_max() > 1;
  row.about = option.get_description();
  row.choices = choices_of(option);
  if (row.is_argument) {
    std::string name = capitals(option.get_single_name());
    if (row.is_repeated && name.ends_with('S')) name.pop_back();
    row.names = {name};
    row.value = name;
    return row;
  }
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  row.value = value_of(option, option.get_lnames().empty() ? "" : option.get_lnames().front());
  return row;
}

/// Values that a command reads for itself, as it has more to say where they are wrong.
std::vector<std::string> values_read_by(const std::string& command, const std::string& option) {
  std::vector<std::string> values;
  if (option == "--formulation" || option == "--lead") {
    for (const Formulation road : formulations_named("all")) values.push_back(name_of(road));
    if (option == "--formulation") values.emplace_back("all");
  }
  if (option == "--only")
    for (const AnalysisPart part : all_analysis_parts()) values.push_back(name_of(part));
  if (option == "--arrows") values = {"velocities", "reactions"};
  if (option == "--integrator") {
    const bool takes_step = command == "simulate";
    for (const Method& method : methods())
      if (takes_step || method.adaptive) values.push_back(method.name);
    if (takes_step) values.push_back(method_for_contacts().name);
  }
  return values;
}

}  // namespace

std::vector<OptionRow> options_of(const CLI::App& app) {
  std::vector<OptionRow> rows;
  for (const CLI::Option* option : app.get_options({})) rows.push_back(row_of(*option));
  std::stable_partition(rows.begin(), rows.end(), [](const OptionRow& row) { return row.is_argument; });
  return rows;
}

CommandRow row_of(const CLI::App& command) {
  CommandRow row{command.get_name(), "Other commands", command.get_description(), options_of(command), {}};
  for (OptionRow& option : row.options)
    if (option.choices.empty() && !option.is_argument)
      option.choices = values_read_by(row.name, option.names.back());
  for (const CommandNotes& notes : command_notes()) {
    if (notes.command != row.name) continue;
    row.group = notes.group;
    row.examples = notes.examples;
  }
  return row;
}

std::vector<CommandRow> commands_of(const CLI::App& app) {
  std::vector<CommandRow> rows;
  for (const CLI::App* command : app.get_subcommands({})) rows.push_back(row_of(*command));
  return rows;
}

std::string heading_of(const OptionRow& option) {
  std::string heading = fmt::format("{}", fmt::join(option.names, ", "));
  if (!option.is_argument && !option.value.empty()) heading += " " + option.value;
  if (option.is_repeated && option.is_argument) heading += " ...";
  return heading;
}

std::string usage_of(const CommandRow& command) {
  std::string usage = "liaison " + command.name;
  for (const OptionRow& option : command.options) {
    const std::string shown = heading_of(option);
    if (option.is_argument) usage += option.is_required ? " " + shown : " [" + shown + "]";
    if (!option.is_argument && option.is_required) usage += " " + shown;
  }
  return usage + " [OPTIONS]";
}

const std::vector<std::string_view>& command_groups() {
  static const std::vector<std::string_view> groups{"Begin",         "Derive and ask", "Run and see",
                                                    "Expressions",   "Other files",    "Shells and editors",
                                                    "Other commands"};
  return groups;
}

}  // namespace liaison::cli
