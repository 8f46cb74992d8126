#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "command_line.hpp"
#include "commands.hpp"
#include "liaison/compile/jit.hpp"
#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/error.hpp"
#include "problems.hpp"

namespace {

using liaison::Problem;
using liaison::cli::report;

/// What is wrong with the command line, and what would mend it.
int explain_usage(const CLI::App& app, const CLI::ParseError& error, const std::string& word) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const bool known = std::find(commands.begin(), commands.end(), word) != commands.end();
  if (known || word.empty() || word.starts_with('-')) {
    report("", Problem::bad_usage, error.what(),
           fmt::format("`liaison {}--help` shows what is expected", known ? word + " " : ""));
  } else {
    const auto nearest = liaison::nearest_name(word, commands);
    report("", Problem::bad_usage, fmt::format("unknown command `{}`", word),
           nearest ? fmt::format("did you mean `{}`?", *nearest)
                   : fmt::format("the commands are {}", fmt::join(commands, ", ")));
  }
  return liaison::cli::bad_input;
}

/// An empty name is no file, and no way to say that nothing is to be written.
void refuse_nameless_outputs(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands(std::function<bool(CLI::App*)>{})) {
    if (CLI::Option* option = command->get_option_no_throw("--output"))
      option->check(
          [](const std::string& file) { return std::string(file.empty() ? "a file needs a name" : ""); });
    refuse_nameless_outputs(*command);
  }
}

int run(int argc, char** argv) {
  using namespace liaison::cli;
  CLI::App app{"Liaison: a compiler for constrained mechanics", "liaison"};
  app.set_version_flag("--version", "liaison " LIAISON_VERSION);
  app.require_subcommand(1);

  int code = done;
  define_commands(app, code);
  refuse_nameless_outputs(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return explain_usage(app, error, argc > 1 ? argv[1] : "");
  } catch (const liaison::Refused& refused) {
    return report(refused);
  }
  return code;
}

/// A standard file that is closed stays unusable, but its number is taken: no file that is opened later
/// becomes the place of messages.
void keep_standard_files() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (fcntl(file, F_GETFD) != -1 || errno != EBADF) continue;
    static_cast<void>(open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

int report_unwritten() {
  report("", Problem::not_written,
         fmt::format("the standard output cannot be written: {}", std::strerror(errno)),
         "make room where it goes, or write to another place");
  return liaison::cli::numerical_failure;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace liaison::cli;
  keep_standard_files();
  try {
    const int code = run(argc, argv);
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? code : report_unwritten();
  } catch (const liaison::Error& error) {
    report("", error);
    return bad_input;
  } catch (const liaison::MissingModule& error) {
    report(
        "", Problem::unreadable, error.what(),
        "it stands in lib/liaison beside the program's bin; `simulate --engine interpreted` runs without it");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return report_unwritten();
    report("", Problem::internal, error.what(), "please report it with the command and the model");
  }
  return numerical_failure;
}
