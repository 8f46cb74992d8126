#include "index_set.hpp"
#include "liaison/forms/calculus.hpp"
#include "require.hpp"

namespace liaison {

/// i(X) theta^(i_1)^...^theta^(i_p) = sum_k (-1)^(k-1) X^(i_k) theta^(i_1)^..(without i_k)..^theta^(i_p);
/// convention C2.
Form interior(const VectorField& x, const Form& a) {
  require_same_coframe(x.coframe(), a.coframe());
  if (a.degree() == 0) return Form(a.coframe(), 0);
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : a.terms()) {
    bool odd = false;
    for_each_index(key, [&, &whole = key, c = coefficient](std::size_t index) {
      const Expr component = x.component(index);
      if (!component.is_zero())
        terms.emplace_back(whole & ~single(index), odd ? -(component * c) : component * c);
      odd = !odd;
    });
  }
  return Form(a.coframe(), a.degree() - 1, std::move(terms));
}

Expr evaluate_on(const Form& a, std::span<const VectorField> fields) {
  require_degree(a, fields.size(), "a form evaluated on " + std::to_string(fields.size()) + " fields");
  Form value = a;
  for (const VectorField& field : fields) value = interior(field, value);
  return value.coefficient(std::span<const std::size_t>());
}

}  // namespace liaison
