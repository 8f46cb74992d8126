#include "liaison/forms/coframe.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "coframe_parts.hpp"
#include "index_set.hpp"
#include "liaison/expr/diagnostic.hpp"
#include "liaison/forms/calculus.hpp"
#include "require.hpp"

namespace liaison {

namespace {

[[noreturn]] void throw_not_closed(const std::string& what, const Form& residue, const std::string& hint) {
  throw Error(
      ErrorCode::coframe_not_closed,
      fmt::format("the structure equations do not close: d d {} = {}, not 0", what, to_infix(residue)), hint);
}

void require_symbol(Expr symbol) {
  if (!symbol.empty() && symbol.is(Op::symbol)) return;
  throw Error(ErrorCode::not_a_symbol, "something that is not a symbol stands where a coordinate is needed");
}

void require_distinct_names(const std::vector<BasisForm>& basis) {
  std::vector<std::string> names;
  for (const BasisForm& form : basis) names.push_back(form.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  throw Error(ErrorCode::not_a_basis, fmt::format("two basis forms are called `{}`", *twice),
              "give each basis form its own name");
}

void require_distinct_coordinates(const std::vector<ScalarCoordinate>& coordinates) {
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (coordinates[i].symbol == coordinates[j].symbol)
        throw Error(ErrorCode::not_a_basis,
                    fmt::format("the coordinate `{}` is given twice", coordinates[i].symbol.symbol().name),
                    "list each coordinate once");
}

void require_size(std::size_t dimension) {
  if (dimension <= max_dimension) return;
  throw Error(
      ErrorCode::too_many_dimensions,
      fmt::format("a coframe of {} forms was asked for; at most {} are possible", dimension, max_dimension));
}

void require_index(std::size_t index, const std::vector<BasisForm>& basis, const std::string& where) {
  if (index < basis.size()) return;
  throw Error(ErrorCode::unknown_basis_form,
              fmt::format("{} uses basis form number {}, but there are only {}", where, index, basis.size()),
              "basis forms are numbered from 0");
}

/// first < second in every structure term: theta^second ^ theta^first is turned round, theta ^ theta dropped.
void normalise(std::vector<BasisForm>& basis) {
  for (BasisForm& form : basis) {
    std::vector<StructureTerm> ordered;
    for (StructureTerm term : form.derivative) {
      require_index(std::max(term.first, term.second), basis, fmt::format("d {}", form.name));
      if (term.first == term.second || term.coefficient.is_zero()) continue;
      if (term.first > term.second) term = {term.second, term.first, -term.coefficient};
      ordered.push_back(term);
    }
    form.derivative = std::move(ordered);
  }
}

}  // namespace

Form structure_form(const CoframePtr& coframe, std::size_t index) {
  std::vector<Form::Term> terms;
  for (const StructureTerm& term : coframe->basis()[index].derivative)
    terms.emplace_back(single(term.first) | single(term.second), term.coefficient);
  return Form(coframe, 2, std::move(terms));
}

Form coordinate_differential(const CoframePtr& coframe, std::size_t coordinate) {
  std::vector<Form::Term> terms;
  for (const auto& [index, coefficient] : coframe->scalar_coordinates()[coordinate].differential)
    terms.emplace_back(single(index), coefficient);
  return Form(coframe, 1, std::move(terms));
}

std::vector<StructureTerm> structure_terms(const Form& two_form) {
  std::vector<StructureTerm> result;
  for (const auto& [key, coefficient] : two_form.terms()) {
    std::vector<std::size_t> pair;
    for_each_index(key, [&](std::size_t index) { pair.push_back(index); });
    result.push_back({pair[0], pair[1], coefficient});
  }
  return result;
}

std::vector<std::pair<std::size_t, Expr>> pfaff_components(const Form& one_form) {
  std::vector<std::pair<std::size_t, Expr>> result;
  for (const auto& [key, coefficient] : one_form.terms())
    for_each_index(key, [&, c = coefficient](std::size_t index) { result.emplace_back(index, c); });
  return result;
}

Coframe::Coframe(Pool& pool, std::vector<BasisForm> basis, std::vector<ScalarCoordinate> coordinates)
    : pool_(&pool), basis_(std::move(basis)), coordinates_(std::move(coordinates)) {}

CoframePtr Coframe::make(Algebra& algebra, std::vector<BasisForm> basis,
                         std::vector<ScalarCoordinate> coordinates) {
  require_size(basis.size());
  require_distinct_names(basis);
  normalise(basis);
  for (const ScalarCoordinate& coordinate : coordinates) {
    require_symbol(coordinate.symbol);
    for (const auto& [index, coefficient] : coordinate.differential)
      require_index(index, basis, fmt::format("d {}", coordinate.symbol.symbol().name));
  }
  require_distinct_coordinates(coordinates);
  const CoframePtr coframe(new Coframe(algebra.pool(), std::move(basis), std::move(coordinates)));
  for (std::size_t i = 0; i < coframe->dimension(); ++i) {
    const Form residue = d(structure_form(coframe, i));
    if (!is_zero(algebra, residue).holds())
      throw_not_closed(
          coframe->name(i), simplified(algebra, residue),
          fmt::format("correct the exterior derivative of {} or of the forms in it", coframe->name(i)));
  }
  for (std::size_t i = 0; i < coframe->scalar_coordinates().size(); ++i) {
    const Form residue = d(coordinate_differential(coframe, i));
    const std::string& name = coframe->scalar_coordinates()[i].symbol.symbol().name;
    if (!is_zero(algebra, residue).holds())
      throw_not_closed(name, simplified(algebra, residue),
                       fmt::format("correct the differential of {} or the structure equations", name));
  }
  return coframe;
}

CoframePtr Coframe::coordinates(Pool& pool, std::span<const Expr> symbols) {
  require_size(symbols.size());
  std::vector<BasisForm> basis;
  std::vector<ScalarCoordinate> coordinates;
  for (Expr symbol : symbols) {
    require_symbol(symbol);
    coordinates.push_back({symbol, {{basis.size(), pool.number(1)}}});
    basis.push_back({"d" + symbol.symbol().name, {}});
  }
  require_distinct_coordinates(coordinates);
  return CoframePtr(new Coframe(pool, std::move(basis), std::move(coordinates)));
}

std::size_t Coframe::index_of(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < basis_.size(); ++i) {
    if (basis_[i].name == name) return i;
    names.push_back(basis_[i].name);
  }
  const auto nearest = nearest_name(name, names);
  throw Error(ErrorCode::unknown_basis_form,
              fmt::format("there is no basis form `{}` in {}", name, describe_basis(*this)),
              nearest ? fmt::format("did you mean `{}`?", *nearest) : "");
}

std::optional<std::size_t> Coframe::coordinate_of(Expr symbol) const {
  for (std::size_t i = 0; i < coordinates_.size(); ++i)
    if (coordinates_[i].symbol == symbol) return i;
  return std::nullopt;
}

CoframePtr rotation_coframe(Algebra& algebra, std::span<const std::string> names, Axes axes) {
  if (names.size() != 3) {
    throw Error(ErrorCode::not_a_basis, fmt::format("a rotation has three forms, not {}", names.size()),
                "give three names, for example w1, w2, w3");
  }
  // d w1 = s w2^w3, d w2 = s w3^w1 = -s w1^w3, d w3 = s w1^w2; s = -1 in body axes, +1 in space axes.
  const long s = axes == Axes::body ? -1 : 1;
  Pool& pool = algebra.pool();
  return Coframe::make(algebra,
                       {{names[0], {{1, 2, pool.number(s)}}},
                        {names[1], {{0, 2, pool.number(-s)}}},
                        {names[2], {{0, 1, pool.number(s)}}}},
                       {});
}

CoframePtr product(Algebra& algebra, std::span<const CoframePtr> factors) {
  std::vector<BasisForm> basis;
  std::vector<ScalarCoordinate> coordinates;
  for (const CoframePtr& factor : factors) {
    const std::size_t offset = basis.size();
    for (BasisForm form : factor->basis()) {
      for (StructureTerm& term : form.derivative) {
        term.first += offset;
        term.second += offset;
      }
      basis.push_back(std::move(form));
    }
    for (ScalarCoordinate coordinate : factor->scalar_coordinates()) {
      for (auto& [index, coefficient] : coordinate.differential) index += offset;
      coordinates.push_back(std::move(coordinate));
    }
  }
  return Coframe::make(algebra, std::move(basis), std::move(coordinates));
}

}  // namespace liaison
