#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "function_basis.hpp"
#include "liaison/structure/first_integrals.hpp"

/// What searches with values of parameters share.
namespace liaison {

/// The field with these values in it; nothing where something that it divides by vanishes for them.
std::optional<StateFlow> flow_with_values(Algebra& algebra, const StateFlow& flow,
                                          const Substitution& values);

/// An expression with these values in it; nothing where it divides by zero then.
std::optional<Expr> value_with(Algebra& algebra, Expr e, const Substitution& values);

/// What a search combines, with these values in it.
struct SearchFunctions {
  std::vector<Expr> generators, coefficients;
  std::optional<unsigned> potential_degree;  ///< in the generators; nothing where it is no polynomial in them

  FunctionBasis basis(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
                      unsigned degree) const;
};
/// `without`: parameters that functions must not contain.
SearchFunctions search_functions(Algebra& algebra, const StateFlow& flow, const Substitution& values,
                                 std::span<const Expr> without = {});

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
