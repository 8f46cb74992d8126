#include "numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/message.hpp"

namespace liaison::cli {

namespace {

std::optional<double> parse(const std::string& text, std::errc& problem) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  problem = error;
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// `pi/10`, `2*sqrt(3)`: an expression of constants.
std::optional<double> value_of_constants(const std::string& text) {
  try {
    Pool pool;
    const Expr e = parse(pool, text);
    if (!symbols_in(e).empty()) return {};
    const DoubleValues found = evaluate(std::span(&e, 1), {});
    if (found.status != EvaluationStatus::ok || !std::isfinite(found.values[0])) return {};
    return found.values[0];
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

double read_number(const std::string& option, const std::string& text, const std::string& example) {
  std::errc problem{};
  if (const auto value = parse(text, problem)) return *value;
  if (problem != std::errc::result_out_of_range) {
    if (const auto value = value_of_constants(text)) return *value;
  }
  refuse(Status::bad_input, option, Problem::bad_usage,
         problem == std::errc::result_out_of_range ? fmt::format("`{}` is beyond the range of a double", text)
                                                   : fmt::format("`{}` is not a number", text),
         option + " " + example);
}

void refuse_zero(const std::string& option, const std::string& example) {
  refuse(Status::bad_input, option, Problem::bad_usage, "zero is no length of time",
         fmt::format("{} {}, or leave it out", option, example));
}

std::uint64_t read_count(const std::string& option, const std::string& text, const std::string& what,
                         const std::string& example, std::uint64_t largest) {
  std::errc problem{};
  const auto value = parse(text, problem);
  if (value && *value >= 1 && *value <= static_cast<double>(largest) && *value == std::floor(*value))
    return static_cast<std::uint64_t>(*value);
  refuse(Status::bad_input, option, Problem::bad_usage,
         fmt::format("`{}` is not a whole number of {} from 1 to {}", text, what,
                     largest == most_exact ? "9e15" : std::to_string(largest)),
         option + " " + example);
}

}  // namespace liaison::cli
