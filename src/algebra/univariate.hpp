#pragma once

#include <flint/fmpz_poly.h>

#include <cstddef>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "polynomial.hpp"

namespace liaison {

/// The different roots of a polynomial that holds one variable alone, and is not constant.
class Univariate {
 public:
  Univariate(const Poly& p, std::size_t variable);
  ~Univariate() { fmpz_poly_clear(p_); }
  Univariate(const Univariate&) = delete;
  Univariate& operator=(const Univariate&) = delete;

  std::size_t count_real_roots() const;  ///< by Sturm's theorem
  /// Each real root once, in balls that do not overlap.
  std::vector<Ball> real_roots(long bits) const;

 private:
  fmpz_poly_t p_;  ///< without repeated factors
};

}  // namespace liaison
