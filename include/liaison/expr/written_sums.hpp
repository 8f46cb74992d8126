#ifndef LIAISON_EXPR_WRITTEN_SUMS_HPP
#define LIAISON_EXPR_WRITTEN_SUMS_HPP

#include <string>
#include <utility>
#include <vector>

#include "liaison/expr/parse.hpp"

namespace liaison {

/// A text whose sums are added up as they are written. A pool makes one sum of (x - 3) + exp(-y), and doubles
/// then lose a small exp(-y) beside 3; here x - 3 is a hidden symbol with that value.
struct WrittenText {
  Expr value;                               ///< empty if the text has errors
  std::vector<std::pair<Expr, Expr>> sums;  ///< hidden symbols and their values, which hold earlier ones only
  Domain domain = {};                       ///< where it has a value, with hidden symbols

  /// As one expression of the pool.
  Expr merged() const;
};
/// Unknown names become parameters.
WrittenText read_with_sums(Pool& pool, const Source& source);
/// In brackets, where the form holds their symbols.
std::string to_unicode(const WrittenText& text);
std::string to_infix(const WrittenText& text);

}  // namespace liaison

#endif  // LIAISON_EXPR_WRITTEN_SUMS_HPP
