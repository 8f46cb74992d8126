#ifndef LIAISON_MECHANICS_JET_GEOMETRY_HPP
#define LIAISON_MECHANICS_JET_GEOMETRY_HPP

#include <vector>

#include "liaison/forms/calculus.hpp"
#include "liaison/mechanics/motion.hpp"

/// The geometry of velocities: contact forms, the fundamental tensor J, the fibre differentiation d_v (rows
/// MP2.1-fibre-metric, MP2.2-contact, MP2.2-J, MP2.2-dv).
namespace liaison {

/// J = sum_a sigma^a (x) d/du^a: takes every vector to a vertical one. On the jet space the sigma^a are
/// contact forms; on a constraint manifold they depend on the masses (row MP2.3-Jhat).
struct FibreTensor {
  CoframePtr coframe;
  std::size_t time_form = 0;
  std::vector<std::size_t> fibre_forms;  ///< the du^a
  std::vector<Form> sigma;               ///< one a fibre form
};

/// J X.
VectorField apply(const FibreTensor& tensor, const VectorField& x);
/// Row i, column j: component i of J e_j.
Matrix matrix_of(const FibreTensor& tensor);
/// The derivation v of degree 0: v(du^a) = -sigma^a, v = 0 on functions and on the other basis forms.
Form fibre_derivation(const FibreTensor& tensor, const Form& a);
/// d_v a = d v(a) - v(d a) - r dt^a for a form of degree r: an antiderivation of degree 1. Its square
/// vanishes on a jet space, and not on a constraint manifold that is curved in the velocities (row
/// MP2.3-dvhat).
Form fibre_differential(const FibreTensor& tensor, const Form& a);

struct JetGeometry {
  StateSpace space;
  std::vector<Form> contact;  ///< om^i = theta^i - v^i dt
  Matrix fibre;               ///< du^a/dv^i, one row a parameter
  Matrix metric;              ///< g_ij = dp_i/dv^j
  Matrix inverse_metric;      ///< g^ij = (om^i, om^j)
  FibreTensor tensor;         ///< J = d/dv^i (x) om^i
};
/// Throws not_a_basis where the metric is singular: a velocity without inertia.
JetGeometry derive_jet_geometry(Algebra& algebra, const Motion& motion);

/// Theta(X) = <X, om^i> d/dq^i, by its components.
std::vector<Expr> vertical_push_forward(const JetGeometry& jet, const VectorField& x);
/// Theta*(nu_0 dt + nu_i theta^i) = nu_i om^i.
Form contact_pull_back(const JetGeometry& jet, const Form& nu);
/// d_c f = (df/dq^i) om^i for f(t, q).
Form contact_differential(const JetGeometry& jet, Expr f);
/// <nu_i om^i || V^j d/dq^j> = nu_i V^i.
Expr pairing(const JetGeometry& jet, const Form& contact_form, const std::vector<Expr>& v);
/// V^i d/dq^i -> V^i d/dv^i.
VectorField vertical_lift(const JetGeometry& jet, const std::vector<Expr>& v);
/// g_ij V^i om^j.
Form lower(const JetGeometry& jet, const std::vector<Expr>& v);
/// g^ij nu_j, nu_j the components of a contact form.
std::vector<Expr> raise(const JetGeometry& jet, const Form& contact_form);
/// (nu, eta) = g^ij nu_i eta_j.
Expr inner_product(const JetGeometry& jet, const Form& nu, const Form& eta);

/// The coefficients of theta^1 .. theta^n.
std::vector<Expr> configuration_components(const Form& a, std::size_t n);
/// The inverse, entry by entry readable. Throws not_a_basis where it is singular, saying what.
Matrix inverse_of(Algebra& algebra, const Matrix& a, const std::string& what);

/// sum_P m (dx/dq^h).(dx/dq^k) over the particles, time first: its first row and column depend on the frame
/// of reference, the rest is the metric g.
Matrix space_time_gram(Algebra& algebra, const System& system);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_JET_GEOMETRY_HPP
