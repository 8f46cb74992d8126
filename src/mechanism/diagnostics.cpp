#include "diagnostics.hpp"

#include <fmt/format.h>

namespace liaison {

std::vector<Message> messages_of(const std::vector<Diagnostic>& diagnostics, const Source& source) {
  std::vector<Message> messages;
  for (const Diagnostic& diagnostic : diagnostics) {
    const Source::Place at = source.place(diagnostic.span.begin);
    messages.push_back({fmt::format("{}:{}:{}", source.name(), at.line, at.column), diagnostic.code,
                        diagnostic.message, diagnostic.hint, render(diagnostic, source)});
  }
  return messages;
}

Message message_of(const std::string& place, const Error& error) {
  return {place, fmt::format("L{:04}", static_cast<int>(error.code())), error.what(), error.hint()};
}

Message message_of_model(const std::string& place, const Error& error) {
  Message message = message_of(place, error);
  if (error.code() == ErrorCode::not_polynomial) message.code = code_of(Problem::bad_power);
  if (error.code() == ErrorCode::not_a_basis) message.code = code_of(Problem::bad_velocity_chart);
  return message;
}

}  // namespace liaison
