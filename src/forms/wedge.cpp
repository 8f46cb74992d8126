#include <array>

#include "index_set.hpp"
#include "liaison/forms/calculus.hpp"
#include "require.hpp"

namespace liaison {

namespace {

Expr signed_product(Pool& pool, Expr minus_one, bool odd, Expr a, Expr b) {
  if (!odd) {
    if (a.is_one()) return b;
    if (b.is_one()) return a;
    const std::array factors{a, b};
    return pool.mul(factors);
  }
  const std::array factors{minus_one, a, b};
  return pool.mul(factors);
}

}  // namespace

Form wedge(const Form& a, const Form& b) {
  require_same_coframe(a.coframe(), b.coframe());
  Pool& pool = a.coframe()->pool();
  const Expr minus_one = pool.number(-1);
  std::vector<IndexWords> keys_b;
  keys_b.reserve(b.terms().size());
  for (const Form::Term& term : b.terms()) keys_b.push_back(words_of(term.first));

  std::vector<Form::Term> terms;
  for (const auto& [key_a, coefficient_a] : a.terms()) {
    const IndexWords words_a = words_of(key_a);
    const IndexWords above = odd_above(words_a);
    for (std::size_t j = 0; j < keys_b.size(); ++j) {
      if (!are_disjoint(words_a, keys_b[j])) continue;
      const auto& [key_b, coefficient_b] = b.terms()[j];
      const bool odd = is_odd_product(above, keys_b[j]);
      terms.emplace_back(key_a | key_b, signed_product(pool, minus_one, odd, coefficient_a, coefficient_b));
    }
  }
  return Form(a.coframe(), a.degree() + b.degree(), std::move(terms));
}

Form power(const Form& a, unsigned n) {
  Form result = Form::function(a.coframe(), a.coframe()->pool().number(1));
  for (unsigned i = 0; i < n; ++i) result = wedge(result, a);
  return result;
}

}  // namespace liaison
