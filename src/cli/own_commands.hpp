#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

/// Commands about the program itself: help, errors in full, starting models, completion, the manual page, the
/// language server.
namespace liaison::cli {

/// The help of one command, or of all where `name` is empty. Throws Refused.
void run_help(const CLI::App& app, const std::string& name, bool json);
void define_own_commands(CLI::App& app, int& code);

}  // namespace liaison::cli
