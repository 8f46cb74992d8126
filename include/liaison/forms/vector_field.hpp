#ifndef LIAISON_FORMS_VECTOR_FIELD_HPP
#define LIAISON_FORMS_VECTOR_FIELD_HPP

#include <string>
#include <vector>

#include "liaison/forms/form.hpp"

namespace liaison {

/// A vector field by its components on the dual frame: X = sum X^i e_i, <theta^i, e_j> = delta^i_j.
class VectorField {
 public:
  explicit VectorField(CoframePtr coframe);
  VectorField(CoframePtr coframe, std::vector<Expr> components);  ///< one a basis form; throws wrong_degree
  static VectorField dual(CoframePtr coframe, std::size_t index);
  static VectorField dual(CoframePtr coframe, std::string_view basis_name);

  const CoframePtr& coframe() const { return coframe_; }
  const std::vector<Expr>& components() const { return components_; }
  Expr component(std::size_t i) const { return components_[i]; }
  Expr component(std::string_view basis_name) const;

 private:
  CoframePtr coframe_;
  std::vector<Expr> components_;
};

VectorField operator+(const VectorField& a, const VectorField& b);
VectorField operator-(const VectorField& a, const VectorField& b);
VectorField operator*(Expr f, const VectorField& a);
VectorField simplified(Algebra& algebra, const VectorField& a);
Verdict are_equal(Algebra& algebra, const VectorField& a, const VectorField& b);
/// X(f) = <df, X>.
Expr apply(const VectorField& x, Expr f);
std::string to_infix(const VectorField& a);  ///< "v*d/dx + d/dt"; a frame without coordinates: "p*e(w1)"
std::string to_unicode(const VectorField& a);

}  // namespace liaison

#endif  // LIAISON_FORMS_VECTOR_FIELD_HPP
