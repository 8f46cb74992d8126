#pragma once

#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

/// A coefficient of friction that depends on factors: numbers but for the symbols of these.
struct FactorLaw {
  std::size_t contact, resisted;  ///< among the resting ones, and of its rows
  Expr slipping, sticking;
};

/// The laws of a state, with the symbols that stand for the factors in them.
struct FactorLaws {
  std::vector<FactorLaw> laws;
  std::vector<Expr> contact_factors;    ///< one a resting contact
  std::vector<Expr> bilateral_factors;  ///< one a constraint that cannot open
};

struct LawMotions {
  std::vector<PossibleMotion> motions;
  std::vector<std::string> left_open;  ///< what was not decided, and why
  bool exact = true;                   ///< all numbers of the motions; else to 60 digits
};

/// All motions of contacts whose friction has such laws, in the plane or with the direction of its slip
/// given: every assignment of open, stick and slip. Each is linear in the forces but for the frictions of
/// what slips under a law of factors; these solve as many equations, whose real zeros are all found where the
/// laws are rational in the factors (row G5.V-planar-modes, CONTACT accelerations).
LawMotions motions_of_laws(Algebra& algebra, const ContactNumbers& numbers,
                           const std::vector<ContactRows>& contacts, const FactorLaws& laws);

}  // namespace liaison
