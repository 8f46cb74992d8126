#include "liaison/mechanism/message.hpp"

#include <fmt/format.h>

namespace liaison {

std::string code_of(Problem problem) {
  return fmt::format("L{:04}", static_cast<int>(problem));
}

std::string to_string(const Message& message) {
  if (!message.with_line.empty()) return message.with_line;
  std::string out = fmt::format("{}{}error: {} [{}]\n", message.place, message.place.empty() ? "" : ": ",
                                message.text, message.code);
  if (!message.hint.empty()) out += fmt::format("   hint: {}\n", message.hint);
  return out;
}

std::string to_string(const std::vector<Message>& messages) {
  std::string out;
  for (const Message& message : messages) out += to_string(message);
  return out;
}

void refuse(Status status, const std::string& place, Problem problem, const std::string& text,
            const std::string& hint) {
  throw Refused{status, {{place, code_of(problem), text, hint}}};
}

}  // namespace liaison
