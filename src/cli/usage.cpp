#include "usage.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "commands.hpp"
#include "liaison/expr/diagnostic.hpp"
#include "option_table.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

[[noreturn]] void refuse_usage(const std::string& place, const std::string& message,
                               const std::string& hint) {
  refuse(Status::bad_input, place, Problem::bad_usage, message, hint);
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string see_help(const std::string& command) {
  return fmt::format("`liaison help{}{}` shows what is expected", command.empty() ? "" : " ", command);
}

/// The options of a command by their names.
const OptionRow* find_option(const CommandRow& row, const std::string& name) {
  for (const OptionRow& option : row.options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  }
  return nullptr;
}

/// "dervie" of derive, also "sim" of simulate: a beginning that only one name has.
std::optional<std::string> nearest_of(const std::string& word, const std::vector<std::string>& names) {
  if (const auto near = nearest_name(word, names)) return near;
  std::vector<std::string> longer;
  std::copy_if(names.begin(), names.end(), std::back_inserter(longer), [&](const std::string& name) {
    return word.size() > 1 && name.size() > word.size() && name.starts_with(word);
  });
  return longer.size() == 1 ? std::optional(longer.front()) : std::nullopt;
}

/// Which command has an option of this name, where this one has none.
std::vector<std::string> commands_with(const CLI::App& app, const std::string& option) {
  std::vector<std::string> result;
  for (const CommandRow& row : commands_of(app)) {
    if (find_option(row, option)) result.push_back(row.name);
  }
  return result;
}

[[noreturn]] void refuse_option(const CLI::App& app, const CommandRow& row, const std::string& given) {
  const std::string name = given.substr(0, given.find('='));
  std::vector<std::string> names;
  for (const OptionRow& option : row.options) {
    if (!option.is_argument) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  const std::string of = row.name.empty() ? "liaison" : "`" + row.name + "`";
  const std::string message = fmt::format("{} has no option `{}`", of, name);
  // Dashes are no part of a slip: -json is --json.
  const std::string stem = "--" + name.substr(std::min(name.find_first_not_of('-'), name.size()));
  if (find_option(row, stem)) refuse_usage("", message, fmt::format("did you mean `{}`?", stem));
  if (const auto near = nearest_of(name.starts_with("--") ? name : stem, names))
    refuse_usage("", message, fmt::format("did you mean `{}`?", *near));
  const std::vector<std::string> others = commands_with(app, name);
  refuse_usage("", message,
               others.empty()
                   ? see_help(row.name)
                   : fmt::format("{} {} it", fmt::join(others, ", "), others.size() == 1 ? "has" : "have"));
}

[[noreturn]] void refuse_extra(const CommandRow& row, const std::string& given) {
  std::size_t most = 0;
  for (const OptionRow& option : row.options) most += option.is_argument ? 1 : 0;
  refuse_usage("",
               most == 0 ? fmt::format("`{}` takes no argument, and `{}` is given", row.name, given)
                         : fmt::format("`{}` is one argument too many", given),
               fmt::format("{}; what holds blanks needs quotes", usage_of(row)));
}

/// The ending of a file for its format, or the choice that is spelt most like it.
std::optional<std::string> choice_of(const std::string& value, const std::vector<std::string>& choices) {
  constexpr std::array<std::pair<const char*, const char*>, 4> endings{
      {{"tex", "latex"}, {"htm", "html"}, {"txt", "text"}, {"plain", "text"}}};
  for (const auto& [ending, format] : endings)
    if (value == ending && std::find(choices.begin(), choices.end(), format) != choices.end()) return format;
  return nearest_of(value, choices);
}

/// "--format: pdf not in {text,latex}", "--until: 1 required FLOAT missing": CLI11's words, in ours.
[[noreturn]] void refuse_value(const CommandRow& row, const std::string& told) {
  const std::size_t colon = told.find(": ");
  const std::string name = told.substr(0, colon);
  const OptionRow* option = nullptr;
  if (colon != std::string::npos) option = find_option(row, name);
  if (colon != std::string::npos && !option) option = find_option(row, capitals(name));
  if (!option) refuse_usage("", told, see_help(row.name));
  const std::string rest = told.substr(colon + 2);
  if (const std::size_t end = rest.find(" not in {"); end != std::string::npos && !option->choices.empty()) {
    const std::string value = rest.substr(0, end);
    const auto near = choice_of(value, option->choices);
    const std::string& place = option->names.back();
    refuse_usage(place, fmt::format("`{}` is none of {}", value, fmt::join(option->choices, ", ")),
                 near                  ? fmt::format("did you mean `{}`?", *near)
                 : option->is_argument ? usage_of(row)
                                       : fmt::format("{} {}", place, option->choices.front()));
  }
  if (rest.find("missing") != std::string::npos)
    refuse_usage(name, "a value is missing", fmt::format("{}: {}", heading_of(*option), option->about));
  refuse_usage(name, rest, see_help(row.name));
}

[[noreturn]] void refuse_missing(const CommandRow& row, const std::string& told) {
  for (const OptionRow& option : row.options) {
    if (!option.is_required) continue;
    const std::string shown = option.is_argument ? option.names.front() : option.names.back();
    if (!capitals(told.substr(0, told.find(' '))).starts_with(capitals(shown))) continue;
    const std::string whole = option.is_argument ? shown : heading_of(option);
    refuse_usage("", fmt::format("{} is missing: {}", whole, option.about),
                 fmt::format("{}; `liaison help {}` has examples", usage_of(row), row.name));
  }
  refuse_usage("", told, see_help(row.name));
}

bool is(const CLI::ParseError& error, CLI::ExitCodes kind) {
  return error.get_exit_code() == static_cast<int>(kind);
}

[[noreturn]] void refuse_line(const CLI::App& app, const CLI::ParseError& error, const std::string& word) {
  const std::vector<CLI::App*> asked = app.get_subcommands();
  const CommandRow program{"", "", "", options_of(app), {}};
  if (asked.empty()) {
    if (word.starts_with('-') && word.size() > 1 && !find_option(program, word))
      refuse_option(app, program, word);
    refuse_command(app, word);
  }
  const CommandRow row = row_of(*asked.front());
  std::vector<std::string> extra = app.remaining(true);
  const auto is_option = [](const std::string& text) { return text.size() > 1 && text.starts_with('-'); };
  const auto unknown = std::find_if(extra.begin(), extra.end(), is_option);
  if (unknown != extra.end()) refuse_option(app, row, *unknown);
  if (is(error, CLI::ExitCodes::RequiredError)) refuse_missing(row, error.what());
  if (is(error, CLI::ExitCodes::ExtrasError) && !extra.empty()) refuse_extra(row, extra.front());
  refuse_value(row, error.what());
}

}  // namespace

void refuse_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const auto nearest = nearest_of(word, names);
  if (word.ends_with(".lia"))
    refuse_usage(
        "", fmt::format("a command is missing before `{}`", word),
        fmt::format("`liaison derive {0}`, `liaison eval {0}`, `liaison simulate {0} --until 10`", word));
  refuse_usage("", fmt::format("unknown command `{}`", word),
               nearest ? fmt::format("did you mean `{}`?", *nearest)
                       : fmt::format("the commands are {}", fmt::join(names, ", ")));
}

int explain_usage(const CLI::App& app, const CLI::ParseError& error, const std::string& word) {
  try {
    refuse_line(app, error, word);
  } catch (const Refused& refused) {
    return report(refused);
  }
}

}  // namespace liaison::cli
