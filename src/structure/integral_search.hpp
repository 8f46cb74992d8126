#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "liaison/structure/first_integrals.hpp"

/// What searches with values of parameters share.
namespace liaison {

/// The field with these values in it; nothing where something that it divides by vanishes for them.
std::optional<StateFlow> flow_with_values(Algebra& algebra, const StateFlow& flow,
                                          const Substitution& values);

/// Functions with these values in them: those that still depend on the state, each once.
std::vector<Expr> functions_with_values(Algebra& algebra, const StateFlow& flow,
                                        const std::vector<Expr>& functions, const Substitution& values);

/// Integrals of such a field: first those of the known ones that are independent for these values, then
/// further ones; the search in `for_values`.
struct ValuedIntegrals {
  FirstIntegrals integrals;
  std::size_t known = 0;  ///< how many were known before
};
ValuedIntegrals search_with_values(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
                                   const Substitution& values, const FirstIntegrals& known,
                                   const std::function<void(const FirstIntegral&)>& receive = {});

}  // namespace liaison
