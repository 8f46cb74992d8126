#pragma once

namespace CLI {
class App;
}

namespace liaison::cli {

/// Every command with its options; one that is parsed runs and leaves its exit code.
void define_commands(CLI::App& app, int& code);

}  // namespace liaison::cli
