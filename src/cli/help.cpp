#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "option_table.hpp"
#include "terminal.hpp"

namespace liaison::cli {

namespace {

constexpr std::size_t margin = 2, gap = 2;
constexpr std::size_t widest_heading = 24;  // a longer one has a line of its own

class Writer {
 public:
  explicit Writer(const Look& look) : look_(look) {}

  void line(const std::string& text) { out_ += text + "\n"; }
  void paragraph(const std::string& text) { line(wrapped(text, look_.width, 0, 0)); }
  void title(std::string_view text) { line("\n" + in_ink(text, Ink::strong, look_.colours)); }

  /// A heading on the left, what it means on the right.
  void row(const std::string& heading, const std::string& about, std::size_t left) {
    const std::string shown = std::string(margin, ' ') + in_ink(heading, Ink::info, look_.colours);
    const std::size_t indent = margin + left + gap;
    const std::string text = wrapped(about, look_.width, indent, indent);
    if (heading.size() > left) {
      line(shown);
      line(std::string(indent, ' ') + text);
    } else {
      line(shown + std::string(left - heading.size() + gap, ' ') + text);
    }
  }

  void options(std::string_view heading, const std::vector<OptionRow>& rows) {
    if (rows.empty()) return;
    title(heading);
    std::size_t left = 0;
    for (const OptionRow& each : rows)
      left = std::max(left, std::min(heading_of(each).size(), widest_heading));
    for (const OptionRow& each : rows) row(heading_of(each), about(each), left);
  }

  void example(const Example& example) {
    line("  " + in_ink(example.line, Ink::info, look_.colours));
    line("      " + wrapped(example.does, look_.width, 6, 6));
  }

  std::string take() { return std::move(out_); }

 private:
  /// Choices are named where the text does not name them.
  static std::string about(const OptionRow& option) {
    std::string text = option.about;
    const bool are_named =
        std::all_of(option.choices.begin(), option.choices.end(),
                    [&](const std::string& choice) { return text.find(choice) != std::string::npos; });
    if (!are_named) text += fmt::format(": {}", fmt::join(option.choices, ", "));
    if (option.is_required && !option.is_argument) text += "; needed";
    return text;
  }

  const Look& look_;
  std::string out_;
};

}  // namespace

Look look_of_standard_output() {
  return {text_width(stdout), has_colours(stdout)};
}

std::string help_of_program(const std::string& about, const std::vector<OptionRow>& options,
                            const std::vector<CommandRow>& commands, const Look& look) {
  Writer out(look);
  out.paragraph(about);
  out.line("\nusage: liaison COMMAND [ARGUMENTS]");
  std::size_t left = 0;
  for (const CommandRow& command : commands) left = std::max(left, command.name.size());
  for (const std::string_view group : command_groups()) {
    bool is_named = false;
    for (const CommandRow& command : commands) {
      if (command.group != group) continue;
      if (!is_named) out.title(group);
      is_named = true;
      out.row(command.name, command.about, left);
    }
  }
  out.options("Options", options);
  out.line("");
  out.paragraph(
      "`liaison help COMMAND` shows the options of a command with examples, `liaison explain CODE` an error "
      "in "
      "full. A MODEL is a file .lia, or - for the standard input. Results go to the standard output, errors "
      "to the "
      "standard error; with --json there is one JSON object, also on errors.");
  return out.take();
}

std::string help_of_command(const CommandRow& row, const Look& look) {
  Writer out(look);
  out.paragraph(fmt::format("liaison {}: {}", row.name, row.about));
  out.line("");
  out.line("usage: " + usage_of(row));
  std::vector<OptionRow> arguments, options;
  for (const OptionRow& option : row.options) (option.is_argument ? arguments : options).push_back(option);
  out.options("Arguments", arguments);
  out.options("Options", options);
  if (!row.examples.empty()) out.title("Examples");
  for (const Example& example : row.examples) out.example(example);
  return out.take();
}

}  // namespace liaison::cli
