#ifndef LIAISON_SIMULATE_COMPLIANT_LAYER_HPP
#define LIAISON_SIMULATE_COMPLIANT_LAYER_HPP

#include <string>
#include <vector>

#include "liaison/unilateral/impact.hpp"

namespace liaison {

/// Where rigid contacts have several motions or none: contacts that give way a little, and what becomes of
/// them in the short while in which they decide. Places, masses and forces stay as they are in it.
///
/// A contact i is a spring of stiffness k = 1/(tau^2 r_ii) with a damper of that part of the critical
/// damping: N = max(0, -k a - c a') where a < 0, else 0. Along its surface springs and dampers of `along`
/// times that stiffness hold it up to Coulomb's limit. 1/tau is the frequency with which it swings.
struct CompliantContacts {
  double tau = 0;        ///< > 0, short beside the motion
  double damping = 0.1;  ///< of the critical one
  double along = 1;      ///< stiffness along a surface, beside that across it
};

struct CompliantProblem {
  ImpactProblem rows;          ///< r, velocities and coefficients; its law and restitutions play no part
  std::vector<double> drive;   ///< rates of the rows without forces of the contacts
  std::vector<double> forces;  ///< of the rows when it begins; those of normals >= 0
};

struct CompliantEnd {
  bool settles = false;            ///< each contact presses or opens for good
  bool is_impact = false;          ///< forces grew with the stiffness: velocities jump in the limit
  std::vector<double> impulses;    ///< one a row, of an impact; of the others zero
  std::vector<double> velocities;  ///< of the rows, after
  std::vector<bool> presses;       ///< one a contact
  std::vector<std::vector<int>>
      slips;  ///< of each resistance of one that presses: 0 sticks; in space 1 slips
};

CompliantEnd through_compliant_layer(const CompliantProblem& problem, const CompliantContacts& contacts);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_COMPLIANT_LAYER_HPP
