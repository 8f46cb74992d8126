#include "man_page.hpp"

#include <fmt/format.h>

#include "terminal.hpp"

namespace liaison::cli {

namespace {

/// Hyphens, quotes and backslashes as they are typed; no line that begins with a control character.
std::string escaped(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '`': out += "\\(ga"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      default: out += c;
    }
  }
  return out;
}

/// A paragraph in lines of 80 columns; a period at the begin of one is no request.
std::string lines_of(const std::string& text) {
  std::string out = wrapped(escaped(text), 80, 0, 0);
  for (std::size_t at = out.find("\n."); at != std::string::npos; at = out.find("\n.", at + 1))
    out.insert(at + 1, "\\&");
  return out;
}

void add(std::string& out, const OptionRow& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
  if (option.is_argument) names = fmt::format("\\fI{}\\fR", escaped(option.names.front()));
  if (!option.is_argument && !option.value.empty())
    names += fmt::format(" \\fI{}\\fR", escaped(option.value));
  out += fmt::format(".TP\n{}\n{}\n", names, lines_of(option.about));
}

void add(std::string& out, const CommandRow& command) {
  out += fmt::format(".SS {}\n{}.\n.PP\n\\fB{}\\fR\n", escaped(command.name), lines_of(command.about),
                     escaped(usage_of(command)));
  for (const OptionRow& option : command.options) add(out, option);
  if (command.examples.empty()) return;
  out += ".PP\nExamples:\n";
  for (const Example& example : command.examples)
    out += fmt::format(".PP\n.in +4n\n.nf\n{}\n.fi\n.in -4n\n.RS 8n\n{}\n.RE\n", escaped(example.line),
                       escaped(example.does));
}

}  // namespace

std::string man_page(const std::string& about, const std::string& version,
                     const std::vector<OptionRow>& options, const std::vector<CommandRow>& commands) {
  const std::size_t colon = about.find(": ");
  std::string out =
      fmt::format(".TH LIAISON 1 \"\" \"liaison {}\" \"User Commands\"\n.SH NAME\nliaison \\- {}\n",
                  escaped(version), escaped(colon == std::string::npos ? about : about.substr(colon + 2)));
  out +=
      ".SH SYNOPSIS\n\\fBliaison\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n"
      ".SH DESCRIPTION\nA model is a file .lia, or \\- for the standard input.\n"
      "Results go to the standard output, errors to the standard error.\n"
      "With \\fB\\-\\-json\\fR there is one JSON object, also on errors.\n.SH OPTIONS\n";
  for (const OptionRow& option : options) add(out, option);
  out += ".SH COMMANDS\n";
  for (const CommandRow& command : commands) add(out, command);
  out +=
      ".SH EXIT STATUS\n.TP\n0\nDone; every claim passed.\n.TP\n1\nA claim is refuted or not decided, two "
      "formulations do not agree, an expression is not zero.\n.TP\n2\nBad usage, or a model with "
      "errors.\n.TP\n3\nA "
      "numerical failure, or a file that cannot be written.\n.TP\n130\nInterrupted; what was done is kept.\n"
      ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nNo colours.\n.TP\n\\fBCLICOLOR_FORCE\\fR\nColours in a pipe "
      "too.\n"
      ".TP\n\\fBCOLUMNS\\fR\nThe width of the help where there is no terminal.\n";
  return out;
}

}  // namespace liaison::cli
