#include "liaison/forms/pullback.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "coframe_parts.hpp"
#include "liaison/expr/substitute.hpp"
#include "require.hpp"
#include "substitute_basis.hpp"

namespace liaison {

namespace {

void require_all_coordinates(const Coframe& target, const std::vector<std::pair<Expr, Expr>>& coordinates) {
  for (const ScalarCoordinate& x : target.scalar_coordinates()) {
    const bool given = std::any_of(coordinates.begin(), coordinates.end(),
                                   [&](const auto& entry) { return entry.first == x.symbol; });
    if (!given) {
      throw Error(ErrorCode::unknown_basis_form,
                  fmt::format("the map gives no value to the coordinate `{}`", x.symbol.symbol().name),
                  "give every coordinate of the target as a function on the source");
    }
  }
}

Substitution as_substitution(const std::vector<std::pair<Expr, Expr>>& coordinates) {
  return Substitution(coordinates.begin(), coordinates.end());
}

/// For each target basis form, its components y on the differentials of the target coordinates:
/// theta^j = sum_k y_k dx^k.
std::vector<std::vector<Expr>> on_differentials(Algebra& algebra, const Coframe& target) {
  const auto& coordinates = target.scalar_coordinates();
  Matrix columns(algebra.pool(), target.dimension(), coordinates.size());
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    for (const auto& [j, c] : coordinates[k].differential) columns(j, k) = columns(j, k) + c;
  std::vector<std::vector<Expr>> result;
  for (std::size_t j = 0; j < target.dimension(); ++j) {
    std::vector<Expr> unit(target.dimension(), algebra.pool().number(0));
    unit[j] = algebra.pool().number(1);
    const SolveResult solution = solve(algebra, columns, unit);
    if (solution.status == SolveStatus::inconsistent) {
      throw Error(
          ErrorCode::not_a_basis,
          fmt::format("the differentials of the coordinates do not give the basis form `{}` of the target",
                      target.name(j)),
          "give the image of each basis form of the target as well");
    }
    result.push_back(solution.x);
  }
  return result;
}

[[noreturn]] void throw_inconsistent(const std::string& name, const Verdict& verdict) {
  throw Error(ErrorCode::coframe_not_closed,
              fmt::format("the map does not commute with d on `{}`: {}", name, describe(verdict)),
              "correct the image of that form, or of the coordinates");
}

}  // namespace

SmoothMap::SmoothMap(Algebra& algebra, CoframePtr source, CoframePtr target,
                     std::vector<std::pair<Expr, Expr>> coordinates)
    : source_(std::move(source)), target_(std::move(target)), coordinates_(std::move(coordinates)) {
  require_all_coordinates(*target_, coordinates_);
  std::vector<Form> differentials;
  for (const ScalarCoordinate& x : target_->scalar_coordinates())
    differentials.push_back(d(source_, pull_back(x.symbol)));
  for (const std::vector<Expr>& components : on_differentials(algebra, *target_)) {
    Form image(source_, 1);
    for (std::size_t k = 0; k < components.size(); ++k)
      if (!components[k].is_zero()) image = image + pull_back(components[k]) * differentials[k];
    basis_images_.push_back(std::move(image));
  }
}

SmoothMap::SmoothMap(Algebra& algebra, CoframePtr source, CoframePtr target,
                     std::vector<std::pair<Expr, Expr>> coordinates, std::vector<Form> basis_images)
    : source_(std::move(source)),
      target_(std::move(target)),
      coordinates_(std::move(coordinates)),
      basis_images_(std::move(basis_images)) {
  require_all_coordinates(*target_, coordinates_);
  if (basis_images_.size() != target_->dimension()) {
    throw Error(ErrorCode::not_a_basis,
                fmt::format("a map to {} needs {} images of basis forms, not {}", describe_basis(*target_),
                            target_->dimension(), basis_images_.size()));
  }
  require_pfaff_forms(basis_images_, source_, "the image of a basis form");
  for (std::size_t k = 0; k < target_->scalar_coordinates().size(); ++k) {
    const Expr x = target_->scalar_coordinates()[k].symbol;
    const Verdict verdict =
        are_equal(algebra, pull_back(coordinate_differential(target_, k)), d(source_, pull_back(x)));
    if (!verdict.holds()) throw_inconsistent(x.symbol().name, verdict);
  }
  for (std::size_t j = 0; j < target_->dimension(); ++j) {
    const Verdict verdict = are_equal(algebra, pull_back(structure_form(target_, j)), d(basis_images_[j]));
    if (!verdict.holds()) throw_inconsistent(target_->name(j), verdict);
  }
}

Form SmoothMap::pull_back(const Form& on_target) const {
  require_same_coframe(on_target.coframe(), target_);
  const Substitution substitution = as_substitution(coordinates_);
  return substitute_basis(on_target, source_, basis_images_,
                          [&](Expr e) { return substitute(e, substitution); });
}

Expr SmoothMap::pull_back(Expr function_on_target) const {
  return substitute(function_on_target, as_substitution(coordinates_));
}

}  // namespace liaison
