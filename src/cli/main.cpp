#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "commands.hpp"
#include "liaison/expr/error.hpp"

namespace {

int run(int argc, char** argv) {
  using namespace liaison::cli;
  CLI::App app{"Liaison: a compiler for constrained mechanics", "liaison"};
  app.set_version_flag("--version", "liaison " LIAISON_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);

  int code = done;
  std::string text;
  app.add_subcommand("tour", "a worked tour of the core: forms, Cartan's calculus, Frobenius, exact algebra")
      ->callback([&] { code = run_tour(); });
  auto* zero =
      app.add_subcommand("zero", "decide whether an expression is identically zero, and say how it is known");
  zero->add_option("expression", text, "for example \"sin(x)^2 + cos(x)^2 - 1\"")->required();
  zero->callback([&] { code = run_zero(text); });
  auto* simplify =
      app.add_subcommand("simplify", "the canonical and the most readable form of an expression");
  simplify->add_option("expression", text, "for example \"(x^2 - y^2)/(x - y)\"")->required();
  simplify->callback([&] { code = run_simplify(text); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : bad_input;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const liaison::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    if (!error.hint().empty()) fmt::print(stderr, "   hint: {}\n", error.hint());
    return liaison::cli::bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return liaison::cli::numerical_failure;
  }
}
