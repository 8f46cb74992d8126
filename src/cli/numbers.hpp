#pragma once

#include <cstdint>
#include <string>

/// Numbers of the command line: the whole text is one, or the command is refused before it begins.
namespace liaison::cli {

/// Also "nan" and "inf": what takes them says so. Throws Refused; `option` is "--until", `example` a value.
double read_number(const std::string& option, const std::string& text, const std::string& example);
[[noreturn]] void refuse_zero(const std::string& option, const std::string& example);
constexpr std::uint64_t most_exact = 9'000'000'000'000'000;  ///< what a double holds exactly
/// A whole number from 1, as 1000000 or 1e6. `what`: "operations".
std::uint64_t read_count(const std::string& option, const std::string& text, const std::string& what,
                         const std::string& example, std::uint64_t largest = most_exact);

}  // namespace liaison::cli
