#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Words of the language that are no names of a model.
namespace liaison::lsp {

struct KnownWord {
  std::string_view word, about;
};
const std::vector<KnownWord>& functions();   ///< sin, max, ...
const std::vector<KnownWord>& quantities();  ///< t, pi, T, V, and what claims ask for
const std::vector<KnownWord>& clauses();     ///< mass, at, friction, ...
const std::vector<std::string_view>& units();
/// What docs/reference/language.md says of a statement; empty if it says nothing.
std::string reference_of(std::string_view keyword);

}  // namespace liaison::lsp
