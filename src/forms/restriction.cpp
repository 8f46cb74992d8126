#include <array>

#include <fmt/format.h>

#include "coframe_parts.hpp"
#include "index_set.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/forms/pullback.hpp"
#include "require.hpp"
#include "substitute_basis.hpp"
#include "verdicts.hpp"

namespace liaison {

namespace {

struct Solved {
  Expr value;
  Conditions conditions;
};

/// a*unknown = b with a not zero; `complaint` is said otherwise.
Solved divide(Algebra& algebra, Expr b, Expr a, ErrorCode code, const std::string& complaint) {
  const SolveResult result = solve(algebra, Matrix(1, 1, {a}), {b});
  if (result.status != SolveStatus::unique) throw Error(code, complaint);
  return {result.x[0], result.conditions};
}

/// The basis form that is the differential of the coordinate. Throws unknown_basis_form, not_a_basis.
std::size_t basis_form_of(const Coframe& coframe, Expr unknown) {
  const auto coordinate = coframe.coordinate_of(unknown);
  if (!coordinate) {
    throw Error(ErrorCode::unknown_basis_form,
                fmt::format("`{}` is not a coordinate of {}", to_infix(unknown), describe_basis(coframe)),
                "eliminate one of the coordinates");
  }
  const auto& differential = coframe.scalar_coordinates()[*coordinate].differential;
  if (differential.size() != 1 || !differential[0].second.is_one()) {
    throw Error(ErrorCode::not_a_basis,
                fmt::format("the differential of `{}` is not one of the basis forms {}", to_infix(unknown),
                            describe_basis(coframe)),
                "change to a coframe that has it, or restrict with `modulo`");
  }
  return differential[0].first;
}

Solved solve_relation(Algebra& algebra, Expr relation, Expr unknown) {
  const std::array symbols{unknown};
  const std::string complaint =
      fmt::format("the relation {} = 0 is not linear in `{}`", to_infix(relation), to_infix(unknown));
  const auto linear = linear_coefficients(relation, symbols);
  if (!linear)
    throw Error(ErrorCode::not_polynomial, complaint, "eliminate a coordinate in which it is linear");
  return divide(algebra, -linear->rest, linear->coefficients[0], ErrorCode::not_polynomial, complaint);
}

/// theta^k = image on the smaller coframe, whose forms are those of the old one but theta^k, with the same
/// numbers below k.
Form without(const Form& a, const CoframePtr& smaller, std::size_t k) {
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : a.terms()) {
    if (key[k]) continue;
    IndexSet shifted;
    for_each_index(key, [&](std::size_t i) { shifted.set(i < k ? i : i - 1); });
    terms.emplace_back(shifted, coefficient);
  }
  return Form(smaller, a.degree(), std::move(terms));
}

CoframePtr bare_without(Algebra& algebra, const Coframe& coframe, std::size_t k) {
  std::vector<BasisForm> basis;
  for (std::size_t i = 0; i < coframe.dimension(); ++i)
    if (i != k) basis.push_back({coframe.name(i), {}});
  return Coframe::make(algebra, std::move(basis), {});
}

std::vector<Form> images_without(const CoframePtr& smaller, std::size_t dimension, std::size_t k,
                                 const Form& image) {
  std::vector<Form> images;
  for (std::size_t i = 0; i < dimension; ++i)
    images.push_back(i == k ? image : Form::basis(smaller, i < k ? i : i - 1));
  return images;
}

/// The structure equations and differentials of `coframe` on the relation unknown = solution, theta^k =
/// image.
CoframePtr restrict_coframe(Algebra& algebra, const CoframePtr& coframe, std::size_t k, const Form& image,
                            const Substitution& on_relation, Expr unknown) {
  const CoframePtr& bare = image.coframe();
  const std::vector<Form> images = images_without(bare, coframe->dimension(), k, image);
  const auto restricted = [&](const Form& a) {
    return simplified(algebra,
                      substitute_basis(a, bare, images, [&](Expr e) { return substitute(e, on_relation); }));
  };
  std::vector<BasisForm> basis;
  for (std::size_t i = 0; i < coframe->dimension(); ++i)
    if (i != k) basis.push_back({coframe->name(i), structure_terms(restricted(structure_form(coframe, i)))});
  std::vector<ScalarCoordinate> coordinates;
  for (std::size_t i = 0; i < coframe->scalar_coordinates().size(); ++i) {
    const Expr symbol = coframe->scalar_coordinates()[i].symbol;
    if (symbol != unknown)
      coordinates.push_back({symbol, pfaff_components(restricted(coordinate_differential(coframe, i)))});
  }
  return Coframe::make(algebra, std::move(basis), std::move(coordinates));
}

std::vector<std::pair<Expr, Expr>> inclusion_of(const Coframe& coframe, Expr unknown, Expr solution) {
  std::vector<std::pair<Expr, Expr>> coordinates;
  for (const ScalarCoordinate& x : coframe.scalar_coordinates())
    coordinates.emplace_back(x.symbol, x.symbol == unknown ? solution : x.symbol);
  return coordinates;
}

}  // namespace

Restriction restrict_to(Algebra& algebra, const Form& a, Expr relation, Expr unknown) {
  const CoframePtr& coframe = a.coframe();
  const std::size_t k = basis_form_of(*coframe, unknown);
  Solved solved = solve_relation(algebra, relation, unknown);
  const Substitution on_relation{{unknown, solved.value}};

  // theta^k = d(solution) = s theta^k + rest, hence theta^k = rest/(1 - s).
  const Form differential = d(coframe, solved.value);
  const std::array index{k};
  const Expr s = substitute(differential.coefficient(index), on_relation);
  const Solved scale =
      divide(algebra, algebra.pool().number(1), Rational(1) - s, ErrorCode::not_a_basis,
             fmt::format("on the relation {} = 0 the basis form `{}` is not fixed by the others",
                         to_infix(relation), coframe->name(k)));
  add_conditions(solved.conditions, scale.conditions);
  const CoframePtr bare = bare_without(algebra, *coframe, k);
  const Form image = scale.value * without(differential, bare, k);

  const CoframePtr smaller = restrict_coframe(algebra, coframe, k, image, on_relation, unknown);
  const Form image_there(smaller, 1, image.terms());
  SmoothMap inclusion(algebra, smaller, coframe, inclusion_of(*coframe, unknown, solved.value),
                      images_without(smaller, coframe->dimension(), k, image_there));
  Form restricted = simplified(algebra, inclusion.pull_back(a));
  return {std::move(restricted), unknown, solved.value, std::move(solved.conditions), std::move(inclusion)};
}

Form modulo(Algebra& algebra, const Form& a, const Form& pfaff, std::size_t eliminated) {
  require_same_coframe(a.coframe(), pfaff.coframe());
  require_degree(pfaff, 1, "the form that is set to zero");
  const CoframePtr& coframe = a.coframe();
  const std::array index{eliminated};
  const Form own = Form::basis(coframe, eliminated);
  const Solved scale =
      divide(algebra, algebra.pool().number(-1), pfaff.coefficient(index), ErrorCode::not_a_basis,
             fmt::format("the form {} does not contain `{}`", to_infix(pfaff), coframe->name(eliminated)));
  std::vector<Form> images;
  for (std::size_t i = 0; i < coframe->dimension(); ++i) images.push_back(Form::basis(coframe, i));
  images[eliminated] = scale.value * (pfaff - pfaff.coefficient(index) * own);
  return substitute_basis(a, coframe, images, [](Expr e) { return e; });
}

}  // namespace liaison
