#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace liaison {

constexpr const char* missing_from = "` has no value at t = ";

/// Whether such a note is known for the same output, from an earlier time.
inline bool tells_known_missing(const std::string& text, const std::vector<std::string>& notes) {
  const std::size_t end = text.find(missing_from);
  return end != std::string::npos && std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
           return note.starts_with(text.substr(0, end) + missing_from);
         });
}

/// An output moves nothing: where it has no value the motion goes on, and it is NaN in the row. One note for
/// each, with the time of the first such row.
template <class Note>
void look_for_missing(const std::vector<std::string>& names, double t, std::vector<double>& outputs,
                      const std::vector<std::string>& notes, const Note& note) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (std::isfinite(outputs[i])) continue;
    outputs[i] = std::numeric_limits<double>::quiet_NaN();
    const std::string text =
        fmt::format("the output `{}{}{:.9g}, the first row without it: where it has none its cell is empty",
                    names[i], missing_from, t);
    if (!tells_known_missing(text, notes)) note(text);
  }
}

}  // namespace liaison
