#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "command_line.hpp"
#include "commands.hpp"
#include "json_answer.hpp"
#include "liaison/compile/code_cache.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/missing_library.hpp"
#include "own_commands.hpp"
#include "problems.hpp"
#include "usage.hpp"
#include "user_folders.hpp"

namespace {

using liaison::Problem;
using liaison::cli::report;

/// An empty name is no file, and no way to say that nothing is to be written.
void refuse_nameless_outputs(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands(std::function<bool(CLI::App*)>{})) {
    if (CLI::Option* option = command->get_option_no_throw("--output"))
      option->check(
          [](const std::string& file) { return std::string(file.empty() ? "a file needs a name" : ""); });
    refuse_nameless_outputs(*command);
  }
}

/// --json before a `--`: what goes wrong before the options are read is told in it too.
bool asks_for_json(int argc, char** argv) {
  for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) return true;
  }
  return false;
}

int run(int argc, char** argv) {
  using namespace liaison::cli;
  if (asks_for_json(argc, argv)) expect_json();
  CLI::App app{"Liaison: a compiler for constrained mechanics", "liaison"};
  app.set_version_flag("--version", "liaison " LIAISON_VERSION, "the version");
  app.set_help_flag("-h,--help", "this text");
  int code = done;
  liaison::set_code_cache(code_folder_of_user());
  define_commands(app, code);
  refuse_nameless_outputs(app);
  if (argc <= 1) {
    run_help(app, "", false);
    return done;
  }
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> asked = app.get_subcommands();
    run_help(app, asked.empty() ? "" : asked.front()->get_name(), is_json_expected());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --version
    return explain_usage(app, error, argv[1]);
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

/// What ends a command without an answer of its own.
int run_guarded(int argc, char** argv) {
  using namespace liaison::cli;
  try {
    return run(argc, argv);
  } catch (const liaison::Error& error) {
    report("", error);
    return bad_input;
  } catch (const liaison::MissingLibrary& error) {
    std::string hint = "it stands in lib/liaison beside the program's bin";
    if (!error.without().empty()) hint += "; " + error.without();
    report("", Problem::unreadable, error.what(), hint);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) == 0)
      report("", Problem::internal, error.what(), "please report it with the command and the model");
  }
  return numerical_failure;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_files();
  const int code = run_guarded(argc, argv);
  try {
    liaison::cli::finish_json(code);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  } catch (const std::exception&) {  // the answer was not written
  }
  return report_unwritten();
}
