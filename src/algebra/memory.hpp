#pragma once

#include <unordered_map>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// What an Algebra remembers between calls.
struct AlgebraMemory {
  std::unordered_map<Expr, Expr> rewritten;
  std::unordered_map<Expr, Canonical> canonical;
  std::unordered_map<Expr, Expr> readable;
};

}  // namespace liaison
