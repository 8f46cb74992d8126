#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"

namespace liaison {

/// Leaves out what follows from an error that is told: later uses of a name that is told as unknown (their
/// lines stand in a note), and uses of what a statement with an error declares. `diagnostics`: in order of
/// place.
void drop_follow_ups(std::vector<Diagnostic>& diagnostics, const Source& source,
                     const std::vector<Span>& statements);

/// What a text looks like of which no line is a statement; nothing if some line is one, or nearly.
struct OtherText {
  std::string what;  ///< "a web page"
  std::string hint;
};
std::optional<OtherText> other_text(std::string_view text, const std::vector<Span>& statements);

}  // namespace liaison
