#include "laws/mutants/broken_operators.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison::test {

namespace {

/// df ^ theta^I with the differential put behind: the Leibniz sign is lost.
Form d_from_behind(const Form& a) {
  return a.degree() % 2 == 1 ? -d(a) : d(a);
}

/// df ^ theta^I without the sign of putting the factors in order, and without structure equations.
Form d_without_order(const Form& a) {
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : a.terms()) {
    for (const ScalarCoordinate& x : a.coframe()->scalar_coordinates())
      for (const auto& [index, component] : x.differential)
        if (!key[index])
          terms.emplace_back(IndexSet(key).set(index), derivative(coefficient, x.symbol) * component);
  }
  return Form(a.coframe(), a.degree() + 1, std::move(terms));
}

/// sum df ^ theta^I only: the basis forms are taken to be closed.
Form d_without_structure(const Form& a) {
  Form result(a.coframe(), a.degree() + 1);
  for (const auto& [key, coefficient] : a.terms()) {
    const Form product(a.coframe(), a.degree(), {{key, a.coframe()->pool().number(1)}});
    result = result + wedge(d(a.coframe(), coefficient), product);
  }
  return result;
}

Form wedge_without_order(const Form& a, const Form& b) {
  std::vector<Form::Term> terms;
  for (const auto& [key_a, coefficient_a] : a.terms())
    for (const auto& [key_b, coefficient_b] : b.terms())
      if ((key_a & key_b).none()) terms.emplace_back(key_a | key_b, coefficient_a * coefficient_b);
  return Form(a.coframe(), a.degree() + b.degree(), std::move(terms));
}

/// Divided by the degree of the product: a slip of normalisation.
Form wedge_divided(const Form& a, const Form& b) {
  const long degree = static_cast<long>(a.degree() + b.degree());
  return degree == 0 ? wedge(a, b) : Rational(1, degree) * wedge(a, b);
}

Form interior_in_the_last_slot(const VectorField& x, const Form& a) {
  return a.degree() % 2 == 0 ? -interior(x, a) : interior(x, a);
}

Form interior_without_alternation(const VectorField& x, const Form& a) {
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : a.terms())
    for (std::size_t i = 0; i < a.coframe()->dimension(); ++i)
      if (key[i]) terms.emplace_back(IndexSet(key).reset(i), x.component(i) * coefficient);
  return Form(a.coframe(), a.degree() - 1, std::move(terms));
}

/// Contracts with the field of squared components.
Form interior_squared_components(const VectorField& x, const Form& a) {
  std::vector<Expr> squares;
  for (Expr component : x.components()) squares.push_back(component * component);
  return interior(VectorField(x.coframe(), squares), a);
}

Form lie_without_d_i(const VectorField& x, const Form& a) {
  return interior(x, d(a));
}

Form lie_with_minus(const VectorField& x, const Form& a) {
  return -epsilon(x, a);
}

Form epsilon_without_i_d(const VectorField& x, const Form& a) {
  return lie(x, a) - interior(x, d(a));
}

Form epsilon_of_two_in_the_other_order(const VectorField& x, const VectorField& y, const Form& a) {
  return epsilon(y, x, a);
}

VectorField bracket_without_structure(const VectorField& x, const VectorField& y) {
  std::vector<Expr> components;
  for (std::size_t k = 0; k < x.components().size(); ++k)
    components.push_back(apply(x, y.component(k)) - apply(y, x.component(k)));
  return VectorField(x.coframe(), components);
}

VectorField bracket_without_second_half(const VectorField& x, const VectorField& y) {
  std::vector<Expr> components;
  for (std::size_t k = 0; k < x.components().size(); ++k) components.push_back(apply(x, y.component(k)));
  return VectorField(x.coframe(), components);
}

/// Puts the coordinates in, but leaves dx where the differential of the map belongs.
Form pull_back_without_differential(const SmoothMap& map, const Form& a) {
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : a.terms())
    if ((key >> map.source()->dimension()).none()) terms.emplace_back(key, map.pull_back(coefficient));
  return Form(map.source(), a.degree(), std::move(terms));
}

Form pull_back_divided(const SmoothMap& map, const Form& a) {
  return a.degree() == 0 ? map.pull_back(a) : Rational(1, static_cast<long>(a.degree())) * map.pull_back(a);
}

/// Reads new = matrix * old as old = matrix * new.
Form change_the_wrong_way(Algebra& algebra, const Form& a, const CoframePtr& frame, const Matrix& matrix) {
  if (a.degree() != 1) return change_coframe(algebra, a, frame, matrix);
  Form result(frame, 1);
  for (std::size_t j = 0; j < matrix.rows; ++j) {
    const std::vector<std::size_t> index{j};
    for (std::size_t i = 0; i < matrix.columns; ++i)
      result = result + a.coefficient(index) * (matrix(j, i) * Form::basis(frame, i));
  }
  return result;
}

VectorField change_field_by_transpose(Algebra&, const VectorField& x, const CoframePtr& frame,
                                      const Matrix& matrix) {
  std::vector<Expr> components;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < matrix.columns; ++j) terms.push_back(matrix(j, i) * x.component(j));
    components.push_back(frame->pool().add(terms));
  }
  return VectorField(frame, components);
}

}  // namespace

std::vector<Mutant> cartan_mutants() {
  return {
      {"d_of_d_vanishes", "d_without_order", {.d = d_without_order}},
      {"d_of_d_vanishes", "d_without_structure", {.d = d_without_structure}},
      {"wedge_is_graded_commutative", "wedge_without_order", {.wedge = wedge_without_order}},
      {"wedge_is_associative", "wedge_divided", {.wedge = wedge_divided}},
      {"d_is_an_antiderivation", "d_from_behind", {.d = d_from_behind}},
      {"interior_is_an_antiderivation", "interior_in_the_last_slot", {.interior = interior_in_the_last_slot}},
      {"interior_is_linear_over_functions",
       "interior_squared_components",
       {.interior = interior_squared_components}},
      {"interior_twice_vanishes", "interior_without_alternation", {.interior = interior_without_alternation}},
      {"lie_is_the_coordinate_formula", "lie_without_d_i", {.lie = lie_without_d_i}},
      {"lie_evaluates_through_brackets", "bracket_without_structure", {.bracket = bracket_without_structure}},
      {"lie_is_cartans_formula", "lie_with_minus", {.lie = lie_with_minus}},
      {"lie_is_a_derivation", "lie_with_minus", {.lie = lie_with_minus}},
      {"lie_commutes_with_d", "lie_with_minus", {.lie = lie_with_minus}},
      {"lie_and_interior_commute_to_interior_of_bracket",
       "bracket_without_structure",
       {.bracket = bracket_without_structure}},
      {"lies_commute_to_lie_of_bracket", "bracket_without_structure", {.bracket = bracket_without_structure}},
      {"lies_commute_to_lie_of_bracket", "lie_without_d_i", {.lie = lie_without_d_i}},
      {"epsilon_anticommutes_with_d",
       "epsilon_is_lie",
       {.epsilon = [](const VectorField& x, const Form& a) { return lie(x, a); }}},
      {"epsilon_is_the_difference_of_the_parts_of_lie",
       "epsilon_without_i_d",
       {.epsilon = epsilon_without_i_d}},
      {"epsilon_of_two_is_the_mixed_commutator",
       "epsilon_of_two_in_the_other_order",
       {.epsilon_of_two = epsilon_of_two_in_the_other_order}},
      {"bracket_is_the_commutator_on_functions",
       "bracket_without_second_half",
       {.bracket = bracket_without_second_half}},
      {"bracket_satisfies_jacobi", "bracket_without_structure", {.bracket = bracket_without_structure}},
      {"bracket_satisfies_jacobi", "bracket_without_second_half", {.bracket = bracket_without_second_half}},
      {"pull_back_commutes_with_d",
       "pull_back_without_differential",
       {.pull_back = pull_back_without_differential}},
      {"pull_back_commutes_with_wedge", "pull_back_divided", {.pull_back = pull_back_divided}},
      {"change_of_coframe_commutes_with_d", "change_the_wrong_way", {.change_form = change_the_wrong_way}},
      {"change_of_coframe_commutes_with_wedge",
       "change_the_wrong_way",
       {.change_form = change_the_wrong_way}},
      {"change_of_coframe_commutes_with_interior",
       "change_field_by_transpose",
       {.change_field = change_field_by_transpose}},
  };
}

}  // namespace liaison::test
