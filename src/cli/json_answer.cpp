#include "json_answer.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <mutex>

#include "commands.hpp"
#include "interrupt.hpp"

namespace liaison::cli {

namespace {

struct Answer {
  std::mutex mutex;
  bool is_expected = false, is_written = false, is_on_one_line = false;
  std::optional<Json> results;
  std::string error;
  Json diagnostics = Json::array();
};

Answer& answer() {
  static Answer one;
  return one;
}

/// "FILE:LINE:COLUMN" in parts, where a place is one: the counts stand behind the last two colons.
void add_place(Json& out, const std::string& place) {
  std::size_t end = place.size();
  std::array<std::size_t, 2> counts{};
  for (std::size_t k = 2; k-- > 0;) {
    const std::size_t colon = end == 0 ? std::string::npos : place.rfind(':', end - 1);
    if (colon == std::string::npos || colon == 0) return;
    const char *first = place.data() + colon + 1, *last = place.data() + end;
    const auto [stop, problem] = std::from_chars(first, last, counts[k]);
    if (problem != std::errc{} || stop != last || counts[k] == 0) return;
    end = colon;
  }
  out["file"] = place.substr(0, end);
  out["line"] = counts[0];
  out["column"] = counts[1];
}

Json to_json(const Message& message) {
  Json out{{"severity", "error"}, {"code", message.code}, {"message", message.text}};
  if (!message.place.empty()) out["place"] = message.place;
  add_place(out, message.place);
  if (!message.hint.empty()) out["hint"] = message.hint;
  return out;
}

void clear_negative_zeros(Json& value) {
  if (value.is_number_float() && value.get<double>() == 0) value = 0.0;
  if (!value.is_structured()) return;
  for (Json& inner : value) clear_negative_zeros(inner);
}

void write(Json value) {
  clear_negative_zeros(value);
  fmt::print("{}\n",
             value.dump(answer().is_on_one_line ? -1 : 2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void expect_json() {
  answer().is_expected = true;
}

bool is_json_expected() {
  return answer().is_expected;
}

void keep_for_json(const std::vector<Message>& messages) {
  const std::lock_guard lock(answer().mutex);
  for (const Message& message : messages) {
    if (answer().error.empty()) answer().error = message.text;
    answer().diagnostics.push_back(to_json(message));
  }
}

void print_json(Json value) {
  const std::lock_guard lock(answer().mutex);
  if (answer().is_expected) {
    answer().results = std::move(value);
  } else {
    write(std::move(value));  // asked for by a format
  }
}

void print_json_on_one_line(Json value) {
  {
    const std::lock_guard lock(answer().mutex);
    answer().is_on_one_line = true;
  }
  print_json(std::move(value));
}

void note_json_is_written() {
  const std::lock_guard lock(answer().mutex);
  answer().is_written = true;
}

void finish_json(int code) {
  const std::lock_guard lock(answer().mutex);
  if (!answer().is_expected || answer().is_written) return;
  answer().is_written = true;
  if (!answer().results && code == done) return;
  Json object = answer().results ? std::move(*answer().results) : Json{{"schema", 1}};
  if (!answer().error.empty() || object.size() == 1) {
    object["error"] =
        answer().error.empty() && code == interrupted_by_signal ? "interrupted" : answer().error;
    object["diagnostics"] = std::move(answer().diagnostics);
  }
  write(std::move(object));
}

}  // namespace liaison::cli
