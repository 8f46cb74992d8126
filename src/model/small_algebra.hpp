#pragma once

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// For questions about one part of a model, which are short or not worth a long answer.
inline AlgebraOptions small_algebra() {
  AlgebraOptions options;
  options.max_terms = 20'000;
  options.max_operations /= 3;
  return options;
}

}  // namespace liaison
