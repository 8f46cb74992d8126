#include "liaison/forms/vector_field.hpp"

#include <fmt/format.h>

#include "liaison/expr/differentiate.hpp"
#include "require.hpp"
#include "verdicts.hpp"

namespace liaison {

VectorField::VectorField(CoframePtr coframe)
    : coframe_(std::move(coframe)), components_(coframe_->dimension(), coframe_->pool().number(0)) {}

VectorField::VectorField(CoframePtr coframe, std::vector<Expr> components)
    : coframe_(std::move(coframe)), components_(std::move(components)) {
  if (components_.size() == coframe_->dimension()) return;
  throw Error(ErrorCode::wrong_degree,
              fmt::format("a field on {} has {} components, not {}", describe_basis(*coframe_),
                          coframe_->dimension(), components_.size()),
              "give one component for each basis form");
}

VectorField VectorField::dual(CoframePtr coframe, std::size_t index) {
  VectorField field(std::move(coframe));
  if (index >= field.components_.size()) {
    throw Error(ErrorCode::unknown_basis_form,
                fmt::format("there is no basis form number {}: {} has {}", index,
                            describe_basis(*field.coframe_), field.components_.size()));
  }
  field.components_[index] = field.coframe_->pool().number(1);
  return field;
}

VectorField VectorField::dual(CoframePtr coframe, std::string_view basis_name) {
  const std::size_t index = coframe->index_of(basis_name);
  return dual(std::move(coframe), index);
}

Expr VectorField::component(std::string_view basis_name) const {
  return components_[coframe_->index_of(basis_name)];
}

VectorField operator+(const VectorField& a, const VectorField& b) {
  require_same_coframe(a.coframe(), b.coframe());
  std::vector<Expr> components;
  for (std::size_t i = 0; i < a.components().size(); ++i)
    components.push_back(a.component(i) + b.component(i));
  return VectorField(a.coframe(), std::move(components));
}

VectorField operator-(const VectorField& a, const VectorField& b) {
  require_same_coframe(a.coframe(), b.coframe());
  std::vector<Expr> components;
  for (std::size_t i = 0; i < a.components().size(); ++i)
    components.push_back(a.component(i) - b.component(i));
  return VectorField(a.coframe(), std::move(components));
}

VectorField operator*(Expr f, const VectorField& a) {
  std::vector<Expr> components;
  for (Expr component : a.components()) components.push_back(f * component);
  return VectorField(a.coframe(), std::move(components));
}

VectorField simplified(Algebra& algebra, const VectorField& a) {
  std::vector<Expr> components;
  for (Expr component : a.components()) components.push_back(algebra.canonical(component).value);
  return VectorField(a.coframe(), std::move(components));
}

Verdict are_equal(Algebra& algebra, const VectorField& a, const VectorField& b) {
  require_same_coframe(a.coframe(), b.coframe());
  WeakestVerdict weakest;
  for (std::size_t i = 0; i < a.components().size(); ++i)
    if (weakest.add(algebra.are_equal(a.component(i), b.component(i)))) break;
  return weakest.verdict();
}

Expr apply(const VectorField& x, Expr f) {
  std::vector<Expr> terms;
  for (const ScalarCoordinate& coordinate : x.coframe()->scalar_coordinates()) {
    const Expr slope = derivative(f, coordinate.symbol);
    if (slope.is_zero()) continue;
    for (const auto& [index, coefficient] : coordinate.differential)
      if (!x.component(index).is_zero()) terms.push_back(slope * coefficient * x.component(index));
  }
  return x.coframe()->pool().add(terms);
}

}  // namespace liaison
