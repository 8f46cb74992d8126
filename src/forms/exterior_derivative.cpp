#include <array>

#include "index_set.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/forms/calculus.hpp"
#include "require.hpp"

namespace liaison {

namespace {

/// Adds the terms of d(f theta^I) = df ^ theta^I + f d(theta^I) to a list.
class DerivativeTerms {
 public:
  explicit DerivativeTerms(const Coframe& coframe)
      : coframe_(coframe), pool_(coframe.pool()), minus_one_(pool_.number(-1)) {}

  void add(const IndexSet& key, Expr f) {
    add_differential(key, f);
    add_structure(key, f);
  }
  std::vector<Form::Term> take() { return std::move(terms_); }

 private:
  void push(const IndexSet& key, bool odd, Expr a, Expr b) {
    const std::array factors{minus_one_, a, b};
    terms_.emplace_back(key, pool_.mul(std::span(factors).subspan(odd ? 0 : 1)));
  }

  /// df ^ theta^I: df = sum over coordinates x of (df/dx) dx, with dx on the basis.
  void add_differential(const IndexSet& key, Expr f) {
    if (f.is_constant()) return;
    for (const ScalarCoordinate& x : coframe_.scalar_coordinates()) {
      const Expr slope = derivative(f, x.symbol);
      if (slope.is_zero()) continue;
      for (const auto& [index, component] : x.differential) {
        if (key[index]) continue;
        const IndexSet front = single(index);
        const bool odd = is_odd_product(odd_above(words_of(front)), words_of(key));
        push(key | front, odd, slope, component);
      }
    }
  }

  /// f d(theta^I) = f sum_k (-1)^k d theta^(i_k) ^ theta^(I without i_k).
  void add_structure(const IndexSet& key, Expr f) {
    bool odd_place = false;
    for_each_index(key, [&](std::size_t index) {
      const IndexSet rest = key & ~single(index);
      for (const StructureTerm& term : coframe_.basis()[index].derivative) {
        if (rest[term.first] || rest[term.second]) continue;
        const IndexSet front = single(term.first) | single(term.second);
        const bool odd = odd_place != is_odd_product(odd_above(words_of(front)), words_of(rest));
        push(rest | front, odd, f, term.coefficient);
      }
      odd_place = !odd_place;
    });
  }

  const Coframe& coframe_;
  Pool& pool_;
  Expr minus_one_;
  std::vector<Form::Term> terms_;
};

}  // namespace

Form d(const Form& a) {
  DerivativeTerms terms(*a.coframe());
  for (const auto& [key, coefficient] : a.terms()) terms.add(key, coefficient);
  return Form(a.coframe(), a.degree() + 1, terms.take());
}

Form d(const CoframePtr& coframe, Expr f) {
  return d(Form::function(coframe, f));
}

}  // namespace liaison
