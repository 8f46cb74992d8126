#include "liaison/forms/form.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "index_set.hpp"
#include "require.hpp"
#include "verdicts.hpp"

namespace liaison {

bool IndexSetLess::operator()(const IndexSet& a, const IndexSet& b) const {
  const IndexSet differ = a ^ b;
  if (differ.none()) return false;
  std::size_t first = 0;
  while (!differ[first]) ++first;
  // The set without that index is smaller only if nothing follows in it: it is a beginning of the other.
  const IndexSet& without = a[first] ? b : a;
  const bool ends_there = (without >> first).none();
  return a[first] != ends_there;
}

namespace {

void require_terms_fit(const Coframe& coframe, std::size_t degree, const std::vector<Form::Term>& terms) {
  for (const auto& [key, coefficient] : terms) {
    if (key.count() != degree) {
      throw Error(
          ErrorCode::wrong_degree,
          fmt::format("a product of {} basis forms stands in a form of degree {}", key.count(), degree),
          "a form is homogeneous: keep parts of different degree apart");
    }
    if ((key >> coframe.dimension()).any()) {
      throw Error(ErrorCode::unknown_basis_form,
                  fmt::format("a product uses a basis form beyond the {} of {}", coframe.dimension(),
                              describe_basis(coframe)));
    }
    if (&coefficient.pool() != &coframe.pool()) {
      throw Error(ErrorCode::mixed_pools, "a coefficient is from another pool than the coframe",
                  "copy it with `copy_to`");
    }
  }
}

/// Sorts, adds the coefficients of equal products in one sum each, drops zeros.
void collect(Pool& pool, std::vector<Form::Term>& terms) {
  const auto before = [](const Form::Term& a, const Form::Term& b) {
    return precedes(words_of(a.first), words_of(b.first));
  };
  if (!std::is_sorted(terms.begin(), terms.end(), before)) std::sort(terms.begin(), terms.end(), before);
  std::vector<Expr> group;
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < terms.size();) {
    std::size_t end = begin + 1;
    while (end < terms.size() && terms[end].first == terms[begin].first) ++end;
    Expr sum = terms[begin].second;
    if (end - begin > 1) {
      group.clear();
      for (std::size_t i = begin; i < end; ++i) group.push_back(terms[i].second);
      sum = pool.add(group);
    }
    if (!sum.is_zero()) terms[kept++] = {terms[begin].first, sum};
    begin = end;
  }
  terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(kept), terms.end());
}

void require_addable(const Form& a, const Form& b) {
  require_same_coframe(a.coframe(), b.coframe());
  if (a.degree() == b.degree()) return;
  throw Error(ErrorCode::wrong_degree,
              fmt::format("forms of degree {} and {} cannot be added or compared", a.degree(), b.degree()),
              "a form is homogeneous: keep parts of different degree apart");
}

/// The terms of both, those of b times `factor_b`, merged in order.
Form merge(const Form& a, const Form& b, long factor_b) {
  require_addable(a, b);
  std::vector<Form::Term> terms = a.terms();
  terms.reserve(a.terms().size() + b.terms().size());
  for (const auto& [key, coefficient] : b.terms())
    terms.emplace_back(key, factor_b < 0 ? -coefficient : coefficient);
  return Form(a.coframe(), a.degree(), std::move(terms));
}

template <typename Map>
Form map_coefficients(const Form& a, Map map) {
  std::vector<Form::Term> terms;
  terms.reserve(a.terms().size());
  for (const auto& [key, coefficient] : a.terms()) terms.emplace_back(key, map(coefficient));
  return Form(a.coframe(), a.degree(), std::move(terms));
}

}  // namespace

Form::Form(CoframePtr coframe, std::size_t degree) : coframe_(std::move(coframe)), degree_(degree) {}

Form::Form(CoframePtr coframe, std::size_t degree, std::vector<Term> terms)
    : coframe_(std::move(coframe)), degree_(degree), terms_(std::move(terms)) {
  require_terms_fit(*coframe_, degree_, terms_);
  collect(coframe_->pool(), terms_);
}

Form Form::function(CoframePtr coframe, Expr f) {
  return Form(std::move(coframe), 0, {{IndexSet(), f}});
}

Form Form::basis(CoframePtr coframe, std::string_view name) {
  const std::size_t index = coframe->index_of(name);
  return basis(std::move(coframe), index);
}

Form Form::basis(CoframePtr coframe, std::size_t index) {
  if (index >= coframe->dimension()) {
    throw Error(ErrorCode::unknown_basis_form,
                fmt::format("there is no basis form number {}: {} has {}", index, describe_basis(*coframe),
                            coframe->dimension()));
  }
  const Expr one = coframe->pool().number(1);
  return Form(std::move(coframe), 1, {{single(index), one}});
}

Expr Form::coefficient(std::span<const std::size_t> indices) const {
  require_degree(*this, indices.size(), "the form whose coefficient is asked for");
  const Expr zero = coframe_->pool().number(0);
  IndexSet key;
  bool odd = false;
  for (std::size_t index : indices) {
    if (index >= coframe_->dimension() || key[index]) return zero;
    odd = odd != ((key >> index).count() % 2 == 1);
    key.set(index);
  }
  const auto found =
      std::find_if(terms_.begin(), terms_.end(), [&](const Term& term) { return term.first == key; });
  if (found == terms_.end()) return zero;
  return odd ? -found->second : found->second;
}

Expr Form::coefficient(std::initializer_list<std::string_view> names) const {
  std::vector<std::size_t> indices;
  for (std::string_view name : names) indices.push_back(coframe_->index_of(name));
  return coefficient(indices);
}

Form operator+(const Form& a, const Form& b) {
  return merge(a, b, 1);
}

Form operator-(const Form& a, const Form& b) {
  return merge(a, b, -1);
}

Form operator-(const Form& a) {
  return map_coefficients(a, [](Expr c) { return -c; });
}

Form operator*(Expr f, const Form& a) {
  return map_coefficients(a, [f](Expr c) { return f * c; });
}

Form operator*(const Rational& c, const Form& a) {
  return map_coefficients(a, [&c](Expr coefficient) { return c * coefficient; });
}

bool operator==(const Form& a, const Form& b) {
  return a.coframe() == b.coframe() && a.degree() == b.degree() && a.terms() == b.terms();
}

Form simplified(Algebra& algebra, const Form& a) {
  return map_coefficients(a, [&](Expr c) { return algebra.canonical(c).value; });
}

Form readable(Algebra& algebra, const Form& a) {
  return map_coefficients(a, [&](Expr c) { return algebra.readable(c); });
}

Verdict is_zero(Algebra& algebra, const Form& a) {
  WeakestVerdict weakest;
  for (const auto& [key, coefficient] : a.terms())
    if (weakest.add(algebra.is_zero(coefficient))) break;
  return weakest.verdict();
}

Verdict are_equal(Algebra& algebra, const Form& a, const Form& b) {
  require_addable(a, b);
  const Expr zero = a.coframe()->pool().number(0);
  const IndexSetLess less;
  WeakestVerdict weakest;
  auto i = a.terms().begin();
  auto j = b.terms().begin();
  bool refuted = false;
  while (!refuted && (i != a.terms().end() || j != b.terms().end())) {
    if (j == b.terms().end() || (i != a.terms().end() && less(i->first, j->first))) {
      refuted = weakest.add(algebra.are_equal(i++->second, zero));
    } else if (i == a.terms().end() || less(j->first, i->first)) {
      refuted = weakest.add(algebra.are_equal(zero, j++->second));
    } else {
      refuted = weakest.add(algebra.are_equal(i++->second, j++->second));
    }
  }
  return weakest.verdict();
}

}  // namespace liaison
