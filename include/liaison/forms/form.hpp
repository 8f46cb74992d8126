#ifndef LIAISON_FORMS_FORM_HPP
#define LIAISON_FORMS_FORM_HPP

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "liaison/forms/coframe.hpp"

namespace liaison {

struct IndexSetLess {
  bool operator()(const IndexSet& a, const IndexSet& b) const;  ///< lexicographic: w1^w2 < w1^w3 < w2^w3
};

/// A homogeneous exterior form: sum of coefficient * basis product, sparse, in lexicographic order of the
/// products. A function is a form of degree 0. Coefficients are in light canonical form; `simplified` makes
/// them canonical.
class Form {
 public:
  using Term = std::pair<IndexSet, Expr>;
  Form(CoframePtr coframe, std::size_t degree);
  /// Terms in any order, repeated products are added, zeros dropped. Throws wrong_degree.
  Form(CoframePtr coframe, std::size_t degree, std::vector<Term> terms);
  static Form function(CoframePtr coframe, Expr f);
  /// The basis form of that name.
  static Form basis(CoframePtr coframe, std::string_view name);
  static Form basis(CoframePtr coframe, std::size_t index);

  const CoframePtr& coframe() const { return coframe_; }
  std::size_t degree() const { return degree_; }
  const std::vector<Term>& terms() const { return terms_; }
  bool empty() const { return terms_.empty(); }  ///< spelled zero
  /// The coefficient of that product, 0 if absent; indices in any order, sign included.
  Expr coefficient(std::span<const std::size_t> indices) const;
  Expr coefficient(std::initializer_list<std::string_view> names) const;

 private:
  CoframePtr coframe_;
  std::size_t degree_;
  std::vector<Term> terms_;
};

/// Throw mixed_coframes, wrong_degree.
Form operator+(const Form& a, const Form& b);
Form operator-(const Form& a, const Form& b);
Form operator-(const Form& a);
Form operator*(Expr f, const Form& a);
Form operator*(const Rational& c, const Form& a);
/// Same coframe, degree and terms, coefficient handles included.
bool operator==(const Form& a, const Form& b);

/// Each coefficient canonical, vanishing ones dropped.
Form simplified(Algebra& algebra, const Form& a);
/// Each coefficient in its readable form.
Form readable(Algebra& algebra, const Form& a);
/// Whether all coefficients vanish; the weakest grade of them, or the first refutation.
Verdict is_zero(Algebra& algebra, const Form& a);
Verdict are_equal(Algebra& algebra, const Form& a, const Form& b);

std::string to_infix(const Form& a);    ///< "m*dv^dx - m*v*dv^dt"
std::string to_unicode(const Form& a);  ///< "m dv ∧ dx − m v dv ∧ dt"
std::string to_latex(const Form& a);
std::string to_mathml(const Form& a);  ///< children of an <mrow>

}  // namespace liaison

#endif  // LIAISON_FORMS_FORM_HPP
