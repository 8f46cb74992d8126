#pragma once

#include <string_view>
#include <vector>

namespace liaison {

/// Without the blanks and line ends around it.
std::string_view trimmed(std::string_view text);
/// The parts between separators outside of brackets, as they stand; one at least.
std::vector<std::string_view> parts_of(std::string_view text, char separator = ',');

}  // namespace liaison
