#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

/// What the program takes, as data: help, completion, manual page and suggestions are made of it, and all of
/// it comes from the definitions in command_line.cpp.
namespace liaison::cli {

struct Example {
  std::string_view line, does;
};

struct OptionRow {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument its name in capitals
  std::string value;               ///< "FILE"; empty of a flag
  std::vector<std::string> choices;
  std::string about;
  bool is_argument = false, is_required = false, is_repeated = false;
};

struct CommandRow {
  std::string name, group, about;
  std::vector<OptionRow> options;  ///< arguments first
  std::vector<Example> examples;
};

/// In the order of their definition.
std::vector<CommandRow> commands_of(const CLI::App& app);
CommandRow row_of(const CLI::App& command);
/// The options of the program itself.
std::vector<OptionRow> options_of(const CLI::App& app);

/// "-o, --output FILE ..."
std::string heading_of(const OptionRow& option);
/// "liaison eval MODEL [OPTIONS]"
std::string usage_of(const CommandRow& command);
/// Headings under which the commands are listed.
const std::vector<std::string_view>& command_groups();

/// What is known of a command besides its options (command_examples.cpp).
struct CommandNotes {
  std::string_view command, group;
  std::vector<Example> examples;
};
const std::vector<CommandNotes>& command_notes();

}  // namespace liaison::cli
