#ifndef LIAISON_FORMS_PULLBACK_HPP
#define LIAISON_FORMS_PULLBACK_HPP

#include <utility>
#include <vector>

#include "liaison/forms/calculus.hpp"

namespace liaison {

/// A map from the manifold of `source` to that of `target`: each target coordinate as a function on the
/// source, and each target basis form as a 1-form on the source.
class SmoothMap {
 public:
  /// Target coordinates given; the images of basis forms follow from them. Throws not_a_basis if the
  /// coordinates' differentials do not span the target coframe (SO(3) has none): then use the second
  /// constructor.
  SmoothMap(Algebra& algebra, CoframePtr source, CoframePtr target,
            std::vector<std::pair<Expr, Expr>> coordinates);
  /// Coordinates and images of the basis forms given; consistency (d commutes) is verified.
  SmoothMap(Algebra& algebra, CoframePtr source, CoframePtr target,
            std::vector<std::pair<Expr, Expr>> coordinates, std::vector<Form> basis_images);

  const CoframePtr& source() const { return source_; }
  const CoframePtr& target() const { return target_; }
  Form pull_back(const Form& on_target) const;
  Expr pull_back(Expr function_on_target) const;

 private:
  CoframePtr source_;
  CoframePtr target_;
  std::vector<std::pair<Expr, Expr>> coordinates_;
  std::vector<Form> basis_images_;
};

/// The same form or field written on another coframe of the same manifold; `frame` is a moving_frame of the
/// form's coframe made with `matrix` (theta_new = matrix * theta_old).
Form change_coframe(Algebra& algebra, const Form& a, const CoframePtr& frame, const Matrix& matrix);
VectorField change_coframe(Algebra& algebra, const VectorField& x, const CoframePtr& frame,
                           const Matrix& matrix);

/// A form restricted to a relation, and what was assumed in solving it.
struct Restriction {
  Form form;              ///< on the coframe without the eliminated basis form
  Expr eliminated;        ///< the coordinate that was solved for
  Expr solution;          ///< its value on the relation
  Conditions conditions;  ///< what must not vanish for the solution
  SmoothMap inclusion;    ///< of {relation = 0}: pulls other forms back to the same coframe
};
/// The pull-back to {relation = 0}: `unknown` (a coordinate whose differential is a basis form) is
/// eliminated. The relation must be linear in it; throws Error(not_polynomial) otherwise.
Restriction restrict_to(Algebra& algebra, const Form& a, Expr relation, Expr unknown);
/// a modulo the Pfaff form: the basis form `eliminated` is replaced from pfaff = 0. The coframe stays.
Form modulo(Algebra& algebra, const Form& a, const Form& pfaff, std::size_t eliminated);

}  // namespace liaison

#endif  // LIAISON_FORMS_PULLBACK_HPP
