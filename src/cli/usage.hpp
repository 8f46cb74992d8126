#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

/// What is wrong with a command line, and what would mend it.
namespace liaison::cli {

/// Says it; the exit code. `word`: the first argument.
int explain_usage(const CLI::App& app, const CLI::ParseError& error, const std::string& word);

/// Refuses a command that is none with the nearest there is. Throws Refused.
[[noreturn]] void refuse_command(const CLI::App& app, const std::string& word);

}  // namespace liaison::cli
