#ifndef LIAISON_MECHANICS_CONSTRAINT_FIELDS_HPP
#define LIAISON_MECHANICS_CONSTRAINT_FIELDS_HPP

#include <string>
#include <vector>

#include "liaison/mechanics/omega.hpp"

namespace liaison {

/// A constraint on the state manifold: its relation at velocity level and the direction of its force (row
/// G2.I-def). A reaction that no relation of its own determines (row G3.ex6) has a direction only.
struct ConstraintField {
  std::string name;
  Expr factor;    ///< the symbol lambda
  Expr relation;  ///< a(q, u, t), the time derivative of a holonomic relation; empty: a mere reaction
  Expr level;     ///< the relation a(q, t) itself if it is holonomic; else empty
  std::vector<Expr> direction;  ///< l_i, on theta^i; may depend on factors (friction f(v, N))
  std::vector<Expr> gradient;   ///< da/du^a
  Expr bias;  ///< what is left of i(E)da without accelerations: theta^i and dt parts of da on the motion
  bool depends_on_factor = false;
};

/// i(X)da of a relation a(q, u, t) on a motion X: gradient_a du^a/dt + bias.
struct RelationRate {
  std::vector<Expr> gradient;  ///< da/du^a
  Expr bias;                   ///< the theta^i and dt parts of da
};
RelationRate derive_relation_rate(const StateSpace& space, Expr relation);

/// Those with a relation first, in order of declaration, then the reactions. Throws not_polynomial where a
/// power is not a sum of coefficients times velocities or norms of velocities.
std::vector<ConstraintField> derive_constraint_fields(Algebra& algebra, const StateSpace& space);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_CONSTRAINT_FIELDS_HPP
