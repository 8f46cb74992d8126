#pragma once

#include <span>

#include "liaison/expr/expr.hpp"

/// Guards of the build functions: the caller's mistakes, told in the caller's words.
namespace liaison {

inline void require_not_empty(Expr e) {
  if (e.empty()) {
    throw Error(ErrorCode::empty_expression, "an empty expression handle was used",
                "a default-constructed Expr holds nothing; take one from a pool");
  }
}

inline void require_pool(const Pool& pool, std::span<const Expr> es) {
  for (Expr e : es) {
    require_not_empty(e);
    if (&e.pool() != &pool) {
      throw Error(ErrorCode::mixed_pools, "expressions of two pools in one operation",
                  "copy_to(pool, e) brings an expression over");
    }
  }
}

inline void require_same_pool(Expr a, Expr b) {
  require_not_empty(a);
  const Expr second[] = {b};
  require_pool(a.pool(), second);
}

}  // namespace liaison
