#ifndef LIAISON_MODEL_FOREIGN_FORMS_HPP
#define LIAISON_MODEL_FOREIGN_FORMS_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"

namespace liaison {

/// What to say of a word that begins a statement elsewhere; empty: no such word.
std::string statement_of_others(std::string_view word);
/// Our word for a clause: `length` for `rest`.
std::optional<std::string_view> clause_of_others(std::string_view word);

/// What other languages write, `C ? A : B`, `pow(x, 2)`, `der(x)`: each report of it says the form here.
void explain_foreign_forms(std::vector<Diagnostic>& reports, std::string_view text, Span part);

}  // namespace liaison

#endif  // LIAISON_MODEL_FOREIGN_FORMS_HPP
