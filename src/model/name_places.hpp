#pragma once

#include <functional>
#include <string>
#include <vector>

#include "syntax.hpp"

namespace liaison::syntax {

/// The names that a statement uses, as they stand in it, but for those within its expressions.
struct NamePlaces {
  std::function<void(const Name&)> name;
  std::function<void(Span)> expression;
};
/// Every name and every expression of a statement; words of the language are none. Claims are not looked
/// into.
void visit_names(const Statement& statement, const NamePlaces& visit);

/// The names that a statement gives to something.
std::vector<Name> declared_names(const Statement& statement);

}  // namespace liaison::syntax
