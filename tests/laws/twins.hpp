#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison::test {

/// Random rational functions of x, y, z, of sin, cos and tan of rational combinations of them, and of exp:
/// the class in which a canonical form is claimed to be complete.
class RationalTrigonometric {
 public:
  RationalTrigonometric(Pool& pool, std::uint64_t seed);

  Expr expression(unsigned depth = 2);
  /// Without quotients: an entry of a matrix.
  Expr polynomial();
  /// The same function written in another way: random identities at random places.
  Expr twin(Expr e);
  /// Values near 1, no two in a simple ratio.
  std::vector<Rational> point();
  const std::vector<Expr>& symbols() const { return symbols_; }
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  Pool& pool() { return pool_; }

 private:
  Expr atom();
  Expr angle();
  Expr nonzero();
  Expr rewrite_node(Expr e);
  Expr rewrite_sine(Expr angle);
  Expr rewrite_cosine(Expr angle);
  Expr rewrite_power(Expr e);
  Expr distribute(Expr product);

  Pool& pool_;
  std::vector<Expr> symbols_;
  std::mt19937_64 engine_;
};

}  // namespace liaison::test
