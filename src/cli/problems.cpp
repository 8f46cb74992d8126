#include "problems.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "json_answer.hpp"
#include "terminal.hpp"

namespace liaison::cli {

void say(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

namespace {

void say_messages(const std::vector<Message>& messages) {
  keep_for_json(messages);
  const std::string text = to_string(messages);
  say(has_colours(stderr) ? painted_messages(text) : text);
}

}  // namespace

int report(const Refused& refused) {
  if (refused.status == Status::interrupted) {
    say("interrupted\n");
  } else {
    say_messages(refused.messages);
  }
  return static_cast<int>(refused.status);
}

void report(const std::string& place, Problem problem, const std::string& message, const std::string& hint) {
  say_messages({Message{place, code_of(problem), message, hint}});
}

void report(const std::string& place, const Error& error) {
  const std::string code = fmt::format("L{:04}", static_cast<int>(error.code()));
  say_messages({Message{place, code, error.what(), error.hint()}});
}

void refuse_text(const std::vector<Diagnostic>& problems, const Source& source) {
  Refused refused{Status::bad_input, {}};
  for (const Diagnostic& problem : problems) {
    const Source::Place at = source.place(problem.span.begin);
    refused.messages.push_back({fmt::format("{}:{}:{}", source.name(), at.line, at.column), problem.code,
                                problem.message, problem.hint, render(problem, source)});
  }
  throw refused;
}

std::optional<std::string> first_not_finite(const Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return "";
  if (!value.is_structured()) return std::nullopt;
  std::size_t index = 0;
  for (const auto& [key, inner] : value.items()) {
    const std::string name = value.is_array() ? fmt::format("[{}]", index++) : key;
    const auto found = first_not_finite(inner);
    if (!found) continue;
    const bool dot = !found->empty() && found->front() != '[';
    return name + (dot ? "." : "") + *found;
  }
  return std::nullopt;
}

}  // namespace liaison::cli
