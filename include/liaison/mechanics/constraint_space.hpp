#ifndef LIAISON_MECHANICS_CONSTRAINT_SPACE_HPP
#define LIAISON_MECHANICS_CONSTRAINT_SPACE_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/forms/pullback.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// Where the parameters z of the admissible velocities come from.
enum class ConstraintChart {
  given,     ///< the model's `intrinsic` statement
  solved,    ///< linear relations, solved for as many velocity parameters
  implicit,  ///< z are some of the velocity parameters; the others stay as symbols whose differentials follow
             ///< from da^h = 0, so that no root is taken and no branch is chosen
};

/// The manifold A of admissible states, q' = psi(t, q, z) (row MP2.3-embedding), with a coframe of its own:
/// theta^i, dz^A, dt; in this order.
struct ConstraintSpace {
  const System* system = nullptr;
  ConstraintChart chart = ConstraintChart::given;
  CoframePtr coframe;
  std::vector<Expr> fibre;    ///< z^A
  std::vector<Expr> psi;      ///< v^i on A
  Substitution inclusion;     ///< the velocity parameters u^a of V as functions on A
  std::vector<Form> contact;  ///< omt^i = theta^i - psi^i dt
  Matrix tangent;             ///< dpsi^i/dz^A, one row a direction
  Conditions conditions;

  Pool& pool() const { return *system->pool; }
  std::size_t size() const { return psi.size(); }       ///< n
  std::size_t freedom() const { return fibre.size(); }  ///< r
  std::size_t configuration_form(std::size_t i) const { return i; }
  std::size_t fibre_form(std::size_t a) const { return size() + a; }
  std::size_t time_form() const { return size() + freedom(); }
  /// A function on V restricted to A.
  Expr restricted(Expr e) const { return substitute(e, inclusion); }
  /// A dynamical flow: d/dt + psi^i e_i + rate^A d/dz^A.
  VectorField flow(const std::vector<Expr>& rates) const;
  VectorField vertical(const std::vector<Expr>& components) const;
};

struct ConstraintSpaceResult {
  std::optional<ConstraintSpace> space;
  std::string reason;  ///< why there is none: a rank condition fails, or psi does not satisfy the relations
};

/// By the intrinsic statement where there is one, else from the relations.
ConstraintSpaceResult make_constraint_space(Algebra& algebra, const Motion& motion);
/// From the relations, whatever the model states.
ConstraintSpaceResult solve_constraint_space(Algebra& algebra, const Motion& motion);
/// By another chart of the same relations. Refused unless psi satisfies them, dpsi/dz has the rank r and
/// da/du has the rank n - r on A.
ConstraintSpaceResult make_constraint_space(Algebra& algebra, const Motion& motion,
                                            const VelocityChart& chart);

/// The inclusion of A in V.
SmoothMap inclusion_map(Algebra& algebra, const ConstraintSpace& space, const StateSpace& target);

/// The ranks that both descriptions of A need, at a state or (no state) for generic values.
struct EmbeddingRanks {
  std::size_t psi = 0;        ///< of dpsi^i/dz^A: r
  std::size_t relations = 0;  ///< of da^h/du^a on A: n - r
};
EmbeddingRanks embedding_ranks(Algebra& algebra, const Motion& motion, const ConstraintSpace& space,
                               const Substitution& state = {});

}  // namespace liaison

#endif  // LIAISON_MECHANICS_CONSTRAINT_SPACE_HPP
