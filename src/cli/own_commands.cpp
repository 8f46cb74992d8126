#include "own_commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "completion.hpp"
#include "help.hpp"
#include "lsp/server.hpp"
#include "man_page.hpp"
#include "new_command.hpp"
#include "option_table.hpp"
#include "problems.hpp"
#include "usage.hpp"

namespace liaison::cli {

namespace {

Json to_json(const OptionRow& option) {
  Json out{{"names", option.names}, {"about", option.about}};
  if (!option.is_argument && !option.value.empty()) out["value"] = option.value;
  if (!option.choices.empty()) out["choices"] = option.choices;
  out["argument"] = option.is_argument;
  out["required"] = option.is_required;
  out["repeated"] = option.is_repeated;
  return out;
}

Json to_json(const CommandRow& command) {
  Json out{{"name", command.name},       {"group", command.group},   {"about", command.about},
           {"usage", usage_of(command)}, {"options", Json::array()}, {"examples", Json::array()}};
  for (const OptionRow& option : command.options) out["options"].push_back(to_json(option));
  for (const Example& example : command.examples)
    out["examples"].push_back({{"line", example.line}, {"does", example.does}});
  return out;
}

const CLI::App& command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == name) return *command;
  }
  refuse_command(app, name);
}

}  // namespace

void run_help(const CLI::App& app, const std::string& name, bool json) {
  const Look look = look_of_standard_output();
  if (json) {
    Json out{{"schema", 1}, {"version", LIAISON_VERSION}, {"commands", Json::array()}};
    for (const CommandRow& command : commands_of(app)) {
      if (name.empty() || command.name == name) out["commands"].push_back(to_json(command));
    }
    if (out["commands"].empty()) refuse_command(app, name);
    print_json(std::move(out));
  } else if (name.empty()) {
    fmt::print("{}", help_of_program(app.get_description(), options_of(app), commands_of(app), look));
  } else {
    fmt::print("{}", help_of_command(row_of(command_named(app, name)), look));
  }
}

namespace {

/// A text that is written for another program.
void print_text(const std::string& text, bool json) {
  if (json) {
    print_json(Json{{"schema", 1}, {"text", text}});
  } else {
    fmt::print("{}", text);
  }
}

void define_help(CLI::App& app) {
  const auto name = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  auto* help = app.add_subcommand("help", "the commands, or the options of one with examples");
  help->add_option("command", *name, "a command; none: all of them in short");
  help->add_flag("--json", *json, "one JSON object with commands, options and examples");
  help->callback([&app, name, json] { run_help(app, *name, *json); });
}

void define_explain(CLI::App& app, int& code) {
  const auto asked = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  auto* explain =
      app.add_subcommand("explain", "an error in full: its cause, the smallest wrong models, what mends it");
  explain->add_option("code", *asked, "as L0412; none: all of them in a list");
  explain->add_flag("--json", *json, "one JSON object");
  explain->callback([asked, json, &code] { code = run_explain(*asked, *json); });
}

void define_new(CLI::App& app, int& code) {
  const auto owned = std::make_shared<NewOptions>();
  std::vector<std::string> names;
  for (const Template& each : templates()) names.emplace_back(each.name);
  auto* start = app.add_subcommand("new", "a commented starting model, ready to check and to run");
  start->add_option("name", owned->name, "its name: writes NAME.lia");
  start->add_option("--template", owned->kind, "what it is about, pendulum if not given")
      ->check(CLI::IsMember(names));
  start->add_flag("--list", owned->list, "the templates, and write nothing");
  start->add_flag("--json", owned->json, "one JSON object");
  start->callback([owned, &code] { code = run_new(*owned); });
}

void define_completion(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  auto* completion =
      app.add_subcommand("completion", "completion of commands, options and files for a shell");
  completion->add_option("shell", *shell, "the shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->add_flag("--json", *json, "one JSON object with the text");
  completion->callback([&app, shell, json] { print_text(completion_for(*shell, commands_of(app)), *json); });
}

void define_man(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  auto* man = app.add_subcommand("man", "the manual page, for `man -l`");
  man->add_flag("--json", *json, "one JSON object with the text");
  man->callback([&app, json] {
    print_text(man_page(app.get_description(), LIAISON_VERSION, options_of(app), commands_of(app)), *json);
  });
}

void define_lsp(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("lsp", "the language server for editors, over the standard streams");
  const auto over = std::make_shared<bool>(true);
  command->add_flag("--stdio", *over, "over the standard streams, as it is anyway: editors say so");
  command->callback([over, &code] { code = lsp::serve(); });
}

}  // namespace

void define_own_commands(CLI::App& app, int& code) {
  define_new(app, code);
  define_explain(app, code);
  define_help(app);
  define_lsp(app, code);
  define_completion(app);
  define_man(app);
}

}  // namespace liaison::cli
