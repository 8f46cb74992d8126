#ifndef LIAISON_STRUCTURE_SPECIAL_PAIR_HPP
#define LIAISON_STRUCTURE_SPECIAL_PAIR_HPP

#include <array>
#include <string>
#include <vector>

#include "liaison/structure/first_integrals.hpp"

namespace liaison {

/// A condition on two parameters under which there are more first integrals than for all pairs of values.
struct SpecialCondition {
  std::vector<Expr> conditions;  ///< polynomials in the parameters that vanish together
  /// Of the parameters, one or both, where the conditions are solved for them.
  std::vector<std::pair<Expr, Expr>> solved;
  std::vector<FirstIntegral> integrals;  ///< the further ones; none: they were not written out
  std::string reason;                    ///< why they were not
  /// false: what the closed forms divide by vanishes there, and no others were found; `reason` says why.
  bool is_asked = true;
};

/// For which values of two parameters together a system has more first integrals, the others as given.
struct SpecialPair {
  std::array<Expr, 2> parameters;
  std::vector<SpecialCondition> curves;  ///< one condition each
  std::vector<SpecialCondition> points;  ///< single pairs; on no line of the same degree
  /// Where these vanish together there may be more; roots of polynomials that are no fractions.
  std::vector<std::vector<Expr>> undecided;
  SearchedIntegrals searched;  ///< `none_else`: no other pair has more integrals of this form
  std::string stopped;         ///< not empty: why higher degrees were not searched
};

/// The equations of the search, written out as polynomials in both parameters, lose rank where their minors
/// vanish together: exactly. What is found there is searched again as values that are given.
/// `known`: the integrals for all values.
SpecialPair find_special_pairs_of(Algebra& algebra, const StateFlow& flow,
                                  const std::array<Expr, 2>& parameters, const FirstIntegrals& known,
                                  const IntegralOptions& options);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_SPECIAL_PAIR_HPP
