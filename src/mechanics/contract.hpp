#pragma once

#include <span>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// a_i b_i.
inline Expr contract(Pool& pool, std::span<const Expr> a, std::span<const Expr> b) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a.size(); ++i) terms.push_back(a[i] * b[i]);
  return pool.add(terms);
}

}  // namespace liaison
