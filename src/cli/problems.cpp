#include "problems.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace liaison::cli {

void say(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

int report(const Refused& refused) {
  say(refused.status == Status::interrupted ? "interrupted\n" : to_string(refused.messages));
  return static_cast<int>(refused.status);
}

void report(const std::string& place, Problem problem, const std::string& message, const std::string& hint) {
  say(to_string(Message{place, code_of(problem), message, hint}));
}

void report(const std::string& place, const Error& error) {
  const std::string code = fmt::format("L{:04}", static_cast<int>(error.code()));
  say(to_string(Message{place, code, error.what(), error.hint()}));
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

namespace {

void clear_negative_zeros(Json& value) {
  if (value.is_number_float() && value.get<double>() == 0) value = 0.0;
  if (!value.is_structured()) return;
  for (Json& inner : value) clear_negative_zeros(inner);
}

}  // namespace

void print_json(Json value) {
  clear_negative_zeros(value);
  fmt::print("{}\n", value.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace liaison::cli
