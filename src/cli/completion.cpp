#include "completion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::cli {

namespace {

/// Inside of '...'.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out;
}

bool takes_model(const OptionRow& option) {
  return option.is_argument && option.value.starts_with("MODEL");
}
bool takes_file(const OptionRow& option) {
  return option.value == "FILE" || option.value == "ROBOT";
}
/// What may stand where an argument is: a command for `help`.
std::vector<std::string> values_of(const OptionRow& option, const std::vector<CommandRow>& commands) {
  if (!option.is_argument || option.value != "COMMAND") return option.choices;
  std::vector<std::string> names;
  for (const CommandRow& command : commands) names.push_back(command.name);
  return names;
}

std::string names_of(const std::vector<CommandRow>& commands) {
  std::string names;
  for (const CommandRow& command : commands) names += (names.empty() ? "" : " ") + command.name;
  return names;
}

std::string bash_case(const CommandRow& command, const std::vector<CommandRow>& commands) {
  std::string options, values, arguments;
  for (const OptionRow& option : command.options) {
    const std::vector<std::string> words = values_of(option, commands);
    std::string action;
    if (!words.empty()) action = fmt::format("_liaison_words '{}'", fmt::join(words, " "));
    if (takes_file(option)) action = "_liaison_files";
    if (takes_model(option)) action = "_liaison_models";
    if (option.is_argument) {
      if (!action.empty()) arguments = action;
      continue;
    }
    for (const std::string& name : option.names) options += (options.empty() ? "" : " ") + name;
    if (option.value.empty()) continue;
    values += fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, "|"),
                          action.empty() ? "COMPREPLY=()" : action);
  }
  std::string out = fmt::format("    {})\n", command.name);
  if (!values.empty()) out += fmt::format("      case \"$previous\" in\n{}      esac\n", values);
  out += fmt::format("      if [[ $current == -* ]]; then _liaison_words '{}'", options);
  if (!arguments.empty()) out += fmt::format("; else {}", arguments);
  return out + "; fi ;;\n";
}

std::string for_bash(const std::vector<CommandRow>& commands) {
  std::string out = R"(# Completion of liaison for bash: source <(liaison completion bash)
_liaison_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }
_liaison_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen -f -- "$current"))
}
_liaison_models() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen -f -X '!*.lia' -- "$current") $(compgen -d -- "$current"))
}
_liaison() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then command=${COMP_WORDS[1]}; fi
  case "$command" in
)";
  out += fmt::format("    '') _liaison_words '{} --help --version' ;;\n", names_of(commands));
  for (const CommandRow& command : commands) out += bash_case(command, commands);
  return out + "  esac\n}\ncomplete -F _liaison liaison\n";
}

/// Text inside of [...] of an _arguments specification.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : quoted(text)) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const OptionRow& option, const std::vector<CommandRow>& commands) {
  const std::vector<std::string> words = values_of(option, commands);
  if (!words.empty()) return fmt::format("({})", fmt::join(words, " "));
  if (takes_model(option)) return "_files -g \"*.lia\"";
  return takes_file(option) ? "_files" : " ";
}

std::string zsh_case(const CommandRow& command, const std::vector<CommandRow>& commands) {
  std::string out = fmt::format("      {})\n        _arguments", command.name);
  std::size_t place = 0;
  for (const OptionRow& option : command.options) {
    if (option.is_argument) {
      const std::string where = option.is_repeated ? "*" : std::to_string(++place);
      out += fmt::format(" \\\n          '{}:{}:{}'", where, zsh_text(option.names.front()),
                         zsh_action(option, commands));
      continue;
    }
    for (const std::string& name : option.names) {
      out += fmt::format(" \\\n          '{}{}[{}]", option.is_repeated ? "*" : "", name,
                         zsh_text(option.about));
      if (!option.value.empty())
        out += fmt::format(":{}:{}", zsh_text(option.value), zsh_action(option, commands));
      out += "'";
    }
  }
  return out + "\n        ;;\n";
}

std::string for_zsh(const std::vector<CommandRow>& commands) {
  std::string out = R"(#compdef liaison
# Completion of liaison for zsh: write it to a file _liaison in a folder of $fpath
_liaison() {
  local -a commands
  local line state
  commands=(
)";
  for (const CommandRow& command : commands)
    out += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.about));
  out += R"(  )
  _arguments -C '1: :->command' '*:: :->arguments'
  case $state in
    command) _describe command commands ;;
    arguments)
      case $line[1] in
)";
  for (const CommandRow& command : commands) out += zsh_case(command, commands);
  return out + R"(      esac
      ;;
  esac
}
if [ "$funcstack[1]" = "_liaison" ]; then
  _liaison "$@"
else
  compdef _liaison liaison
fi
)";
}

std::string fish_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string for_fish(const std::vector<CommandRow>& commands) {
  std::string out =
      "# Completion of liaison for fish: liaison completion fish > ~/.config/fish/completions/liaison.fish\n"
      "complete -c liaison -f\n";
  for (const CommandRow& command : commands)
    out += fmt::format("complete -c liaison -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       fish_text(command.about));
  for (const CommandRow& command : commands) {
    const std::string start =
        fmt::format("complete -c liaison -n '__fish_seen_subcommand_from {}'", command.name);
    for (const OptionRow& option : command.options) {
      const std::vector<std::string> words = values_of(option, commands);
      if (option.is_argument) {
        if (!words.empty()) out += fmt::format("{} -a '{}'\n", start, fmt::join(words, " "));
        if (takes_model(option)) out += fmt::format("{} -a '(__fish_complete_suffix .lia)'\n", start);
        if (takes_file(option)) out += fmt::format("{} -F\n", start);
        continue;
      }
      out += start;
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                      : fmt::format(" -s {}", name.substr(1));
      if (!option.value.empty()) out += takes_file(option) ? " -r -F" : " -x";
      if (!words.empty()) out += fmt::format(" -a '{}'", fmt::join(words, " "));
      out += fmt::format(" -d '{}'\n", fish_text(option.about));
    }
  }
  return out;
}

}  // namespace

std::string completion_for(const std::string& shell, const std::vector<CommandRow>& commands) {
  if (shell == "zsh") return for_zsh(commands);
  return shell == "fish" ? for_fish(commands) : for_bash(commands);
}

}  // namespace liaison::cli
