#include "substitute_basis.hpp"

#include "index_set.hpp"
#include "liaison/forms/calculus.hpp"

namespace liaison {

namespace {

std::size_t first_index(const IndexSet& key) {
  std::size_t first = 0;
  while (!key[first]) ++first;
  return first;
}

/// a = sum_i theta^i ^ a_i, where a_i has only indices above i: so each image is multiplied in once for all
/// terms that begin with it. Terms come in lexicographic order, so those that begin alike stand together.
Form substitute_terms(std::vector<Form::Term> terms, std::size_t degree, const CoframePtr& source,
                      std::span<const Form> images) {
  if (degree == 0) return Form(source, 0, std::move(terms));
  Form result(source, degree);
  for (std::size_t begin = 0; begin < terms.size();) {
    const std::size_t index = first_index(terms[begin].first);
    std::vector<Form::Term> rests;
    std::size_t end = begin;
    for (; end < terms.size() && first_index(terms[end].first) == index; ++end)
      rests.emplace_back(terms[end].first & ~single(index), terms[end].second);
    result = result + wedge(images[index], substitute_terms(std::move(rests), degree - 1, source, images));
    begin = end;
  }
  return result;
}

}  // namespace

Form substitute_basis(const Form& a, const CoframePtr& source, std::span<const Form> images,
                      const std::function<Expr(Expr)>& map) {
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : a.terms()) terms.emplace_back(key, map(coefficient));
  return substitute_terms(std::move(terms), a.degree(), source, images);
}

}  // namespace liaison
