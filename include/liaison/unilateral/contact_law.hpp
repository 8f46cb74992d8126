#ifndef LIAISON_UNILATERAL_CONTACT_LAW_HPP
#define LIAISON_UNILATERAL_CONTACT_LAW_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// What a contact resists beside its gap: a force along `velocity`, of at most its coefficient times the
/// factor of the contact.
struct Resistance {
  std::vector<Expr> velocity;  ///< one component, or two of one length
  Expr slipping, sticking;     ///< coefficients, >= 0
  bool turns = false;          ///< `rolling`, `pivoting`: no slip
};

/// A unilateral constraint taken apart: what keeps the gap, and what it resists.
struct ContactLaw {
  Constraint held;                      ///< without resistance
  std::vector<Resistance> resistances;  ///< `friction F on U`, and the terms -F*abs(U) of a power
  std::string missing;  ///< not empty: what the model does not say, and is needed when it is closed
};
ContactLaw contact_law(const System& system, const Unilateral& unilateral);

/// The relation that a velocity which a contact resists is zero, named "floor.slip" with `number` behind it.
Constraint slip_constraint(const System& system, const Constraint& held, Expr velocity,
                           const std::string& number);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_CONTACT_LAW_HPP
