#ifndef LIAISON_FORMS_IDEAL_HPP
#define LIAISON_FORMS_IDEAL_HPP

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "liaison/forms/calculus.hpp"

namespace liaison {

Verdict is_closed(Algebra& algebra, const Form& a);

struct Exactness {
  Verdict closed;
  std::optional<Form> primitive;  ///< of degree one less, checked: d(primitive) = a
  bool multivalued = false;  ///< the primitive has an angle or a logarithm that changes along a loop: a is
                             ///< closed, and exact only locally
  std::string reason;        ///< why there is no primitive
};
Exactness find_primitive(Algebra& algebra, const Form& a);

/// a = 0 modulo the 1-forms (which must be independent): a ^ theta^1 ^ ... ^ theta^k = 0.
Verdict is_in_ideal(Algebra& algebra, const Form& a, std::span<const Form> generators);
/// d a = 0 modulo the 1-forms.
Verdict is_closed_modulo(Algebra& algebra, const Form& a, std::span<const Form> generators);

/// Frobenius: the 1-forms generate a differential ideal iff d theta^i ^ theta^1 ^ ... ^ theta^k = 0 for all
/// i.
struct FrobeniusResult {
  Verdict integrable;
  std::optional<std::size_t> obstruction;  ///< the first form with d theta outside the ideal
  std::vector<Form> torsions;              ///< d theta^i ^ theta^1 ^ ... ^ theta^k, simplified
};
FrobeniusResult frobenius(Algebra& algebra, std::span<const Form> generators);

}  // namespace liaison

#endif  // LIAISON_FORMS_IDEAL_HPP
