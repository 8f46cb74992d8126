#ifndef LIAISON_REPORT_SHARED_PARTS_HPP
#define LIAISON_REPORT_SHARED_PARTS_HPP

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

struct SharedParts {
  std::vector<std::pair<Expr, Expr>> definitions;  ///< (name, meaning); a meaning may use the names before it
  std::vector<Expr> rewritten;                     ///< the expressions in these names
};

/// Names the subexpressions that the list writes several times, where that shortens the whole as written on
/// paper: counted in operations, the definition included. The largest saving is taken first. Names are
/// auxiliary symbols prefix1, prefix2, ... that the pool does not hold yet, in the order of first use.
/// The meanings put back give the expressions again, handle by handle.
SharedParts name_shared_parts(Pool& pool, std::span<const Expr> expressions, const std::string& prefix = "s");

}  // namespace liaison

#endif  // LIAISON_REPORT_SHARED_PARTS_HPP
