#ifndef LIAISON_MECHANICS_CONSTRAINT_GEOMETRY_HPP
#define LIAISON_MECHANICS_CONSTRAINT_GEOMETRY_HPP

#include <vector>

#include "liaison/forms/ideal.hpp"
#include "liaison/mechanics/constraint_space.hpp"
#include "liaison/mechanics/jet_geometry.hpp"

namespace liaison {

/// What the masses make of the constraint manifold A (rows MP2.3-chetaev ... MP2.3-split): contact forms on A
/// have the scalar product (omt^i, omt^j) = g^ij, and split into virtual and Chetaev forms, which are
/// orthogonal.
struct ConstraintGeometry {
  ConstraintSpace space;
  Matrix metric;                      ///< g_ij on A
  Matrix inverse_metric;              ///< g^ij
  Matrix fibre_metric;                ///< G_AB = g_ij (dpsi^i/dz^A)(dpsi^j/dz^B)
  Matrix inverse_fibre_metric;        ///< G^AB
  Matrix relation_gradient;           ///< da^s/dv^k on A, one row a relation
  std::vector<Form> chetaev;          ///< nu^s = (da^s/dv^k) omt^k
  std::vector<Form> sigma;            ///< sigma^A = G^AB (dpsi^j/dz^B) g_ij omt^i
  std::vector<Form> virtual_contact;  ///< d_v-hat psi^i = (dpsi^i/dz^A) sigma^A: the virtual part of omt^i
  std::vector<Form> chi;              ///< chi^i = omt^i - d_v-hat psi^i: its Chetaev part
  FibreTensor tensor;                 ///< J-hat = sigma^A (x) d/dz^A
};
/// Throws not_a_basis where g or G is singular.
ConstraintGeometry derive_constraint_geometry(Algebra& algebra, const Motion& motion, ConstraintSpace space);

/// G_AB alone.
Matrix derive_fibre_metric(Algebra& algebra, const Matrix& metric, const ConstraintSpace& space);
/// g_ij = dp_i/dv^j on A.
Matrix derive_metric_on(Algebra& algebra, const Motion& motion, const ConstraintSpace& space);
/// da^s/dv^k on A.
Matrix derive_relation_gradient(Algebra& algebra, const Motion& motion, const ConstraintSpace& space);

/// P_A(V^i d/dv^i) = G^AB g_ij V^i (dpsi^j/dz^B) d/dz^A (row MP2.3-G-PA), by its components.
std::vector<Expr> project(const ConstraintGeometry& geometry, const std::vector<Expr>& v);
/// g-hat(V) = V^A G_AB sigma^B.
Form lower(const ConstraintGeometry& geometry, const std::vector<Expr>& vertical);
/// (nu, eta) = g^ij nu_i eta_j of two contact forms on A (row MP2.3-prop2.1).
Expr inner_product(const ConstraintGeometry& geometry, const Form& nu, const Form& eta);

struct ContactSplit {
  Form virtual_part;  ///< eta_i d_v-hat psi^i
  Form chetaev_part;  ///< eta_i chi^i
};
/// Of eta_i omt^i (row MP2.3-split).
ContactSplit split(const ConstraintGeometry& geometry, const std::vector<Expr>& eta);

/// phi_k dpsi^k/dz^A: what a contact form gives on the admissible variations. It is a Chetaev form, and phi
/// an ideal reaction, iff all of them vanish (rows MP2.3-chetaev, MP3.3-ideal).
std::vector<Expr> on_variations(const ConstraintSpace& space, const std::vector<Expr>& phi);

/// Whether the constraints are integrable: the Chetaev forms generate a differential ideal on A (row MP-A.1).
/// Not for an implicit chart, whose coefficients are equal only modulo the relations.
FrobeniusResult integrability(Algebra& algebra, const ConstraintGeometry& geometry);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_CONSTRAINT_GEOMETRY_HPP
