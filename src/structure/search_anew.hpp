#pragma once

#include <string>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/structure/first_integrals.hpp"

namespace liaison {

/// First integrals for values of parameters for which the closed forms of a motion divide by zero.
struct SearchedAnew {
  SearchedIntegrals searched;
  std::vector<FirstIntegral> further;  ///< none of them has the name of one that is known for all values
  std::size_t count = 0;               ///< of all
  Grade independence = Grade::proved;
  bool is_empty = false;  ///< there is no state (proved)
  std::string reason;     ///< not empty: why nothing was asked
};

/// The values are put into the model, its motion is derived, and searched.
SearchedAnew search_anew(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
                         const Substitution& values, const FirstIntegrals& for_all);

}  // namespace liaison
