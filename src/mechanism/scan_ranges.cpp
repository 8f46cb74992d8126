#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "liaison/mechanism/motions_scan.hpp"
#include "option_text.hpp"

namespace liaison {

namespace {

constexpr const char* option = "--scan";
constexpr const char* form = "write NAME = FIRST:LAST:COUNT, as in \"theta = 0:pi/2:91, f = 0:3:61\"";
constexpr std::size_t most_points = 4'000'000;

[[noreturn]] void refuse_scan(const std::string& text, const std::string& hint = form) {
  refuse(Status::bad_input, option, Problem::bad_usage, text, hint);
}

std::size_t read_count(const std::string& name, const std::string& text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse_scan(fmt::format("`{}` is no number of values of `{}`", text, name),
                "the third number is how many values are taken, the ends among them: 2 or more");
  if (count < 2)
    refuse_scan(fmt::format("{} {} of `{}` {} no range", count, count == 1 ? "value" : "values", name,
                            count == 1 ? "is" : "are"),
                "take 2 values or more; one value is given with --at or --set");
  return count;
}

ScanRange read_range(const MechanismParts& parts, const GivenState& given, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse_scan(fmt::format("a `=` is missing in `{}`", text));
  const std::string name(trimmed(std::string_view(text).substr(0, equals)));
  std::vector<std::string> numbers;
  for (const std::string_view number : parts_of(std::string_view(text).substr(equals + 1), ':'))
    numbers.emplace_back(trimmed(number));
  if (numbers.size() != 3)
    refuse_scan(fmt::format("`{}` has {} of the three numbers of a range", text, numbers.size()));
  const auto number = [&](const std::string& value) {
    return read_assignments(parts.system(), option, name + " = " + value, Assignable::everything,
                            given.parameters)
        .at(0);
  };
  for (const Assignment& one : given.state) {
    if (one.symbol.symbol().name == name)
      refuse_scan(fmt::format("`{}` has a value by {}", name, given.option),
                  "give it no value, or do not scan it");
  }
  const Assignment first = number(numbers[0]), last = number(numbers[1]);
  ScanRange range{.symbol = first.symbol,
                  .first = first.exact,
                  .last = last.exact,
                  .count = read_count(name, numbers[2]),
                  .begin = first.value,
                  .end = last.value};
  if (range.begin == range.end)
    refuse_scan(fmt::format("the range of `{}` is one value: {}", name, range.begin),
                "give different ends; one value is given with --at or --set");
  if (!std::isfinite(range.end - range.begin))
    refuse_scan(fmt::format("the range of `{}` is too long for doubles", name), "give nearer ends");
  return range;
}

}  // namespace

double ScanRange::value(std::size_t i) const {
  if (i + 1 == count) return end;
  return begin + (end - begin) * static_cast<double>(i) / static_cast<double>(count - 1);
}

std::vector<ScanRange> read_scan(const MechanismParts& parts, const GivenState& given,
                                 const std::string& text) {
  const std::vector<std::string_view> all = parts_of(text);
  if (all.size() > 2)
    refuse_scan(fmt::format("there are {} ranges, and a map has one or two", all.size()),
                "give the others one value each with --at or --set");
  std::vector<ScanRange> ranges;
  for (const std::string_view one : all)
    ranges.push_back(read_range(parts, given, std::string(trimmed(one))));
  if (ranges.size() == 2 && ranges[0].symbol == ranges[1].symbol)
    refuse_scan(fmt::format("`{}` is given twice", ranges[0].name()), "scan two different names");
  std::size_t points = 1;
  for (const ScanRange& range : ranges) {
    if (range.count > most_points / points)
      refuse_scan(fmt::format("more than {} points", most_points),
                  "take fewer: boundaries are found between them");
    points *= range.count;
  }
  return ranges;
}

}  // namespace liaison
