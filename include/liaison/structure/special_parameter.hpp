#ifndef LIAISON_STRUCTURE_SPECIAL_PARAMETER_HPP
#define LIAISON_STRUCTURE_SPECIAL_PARAMETER_HPP

#include <string>
#include <vector>

#include "liaison/structure/first_integrals.hpp"

namespace liaison {

/// A value of a parameter for which there are more first integrals than for all values.
struct SpecialValue {
  Rational value;
  std::vector<FirstIntegral> integrals;  ///< the further ones; none: they were not written out
  std::string reason;                    ///< why they were not
  /// false: what the closed forms divide by vanishes there, and no others were found; `reason` says why.
  bool is_asked = true;
};

/// For which values of one parameter a system has more first integrals, the other parameters as given.
struct SpecialParameter {
  Expr parameter;
  std::vector<SpecialValue> values;
  SearchedIntegrals searched;  ///< `none_else`: no other value has more integrals of this form
  std::string stopped;         ///< not empty: why higher degrees were not searched
  /// Polynomials with real roots, none of them a fraction: there may be more at these.
  std::vector<Expr> roots_of;
  /// Where the equations were not written out: values that are no short rational numbers, counted with those
  /// that are not real.
  std::size_t others = 0;
};

/// The equations of the search are a matrix of polynomials in the parameter: its rank falls at the roots of
/// its minors, which are exact where the equations can be written out, and found modulo a prime where not.
/// Each short rational root that the declared sign allows is then searched as a value that is given. `known`:
/// the integrals for all values.
SpecialParameter find_special_values_of(Algebra& algebra, const StateFlow& flow, Expr parameter,
                                        const FirstIntegrals& known, const IntegralOptions& options);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_SPECIAL_PARAMETER_HPP
