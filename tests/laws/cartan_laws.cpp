#include "laws/cartan_laws.hpp"

#include <algorithm>
#include <stdexcept>

#include "liaison/expr/differentiate.hpp"
#include "support/forms_support.hpp"

namespace liaison::test {

namespace {

Form with_sign(bool odd, const Form& a) {
  return odd ? -a : a;
}

Verdict proved() {
  Verdict verdict;
  verdict.grade = Grade::proved;
  return verdict;
}

Verdict d_of_d_vanishes(const Operators& op, Trial& t) {
  return is_zero(t.algebra, op.d(op.d(t.random.form(t.degree(0, 1)))));
}

Verdict wedge_is_graded_commutative(const Operators& op, Trial& t) {
  const std::size_t p = t.degree(0, 1);
  const std::size_t q = t.degree(0, p);
  const Form a = t.random.form(p);
  const Form b = t.random.form(q);
  return are_equal(t.algebra, op.wedge(a, b), with_sign(p * q % 2 == 1, op.wedge(b, a)));
}

Verdict wedge_is_associative(const Operators& op, Trial& t) {
  const Form a = t.random.form(0);
  const Form b = t.random.form(1);
  const Form c = t.random.form(t.degree(1, 1));
  return are_equal(t.algebra, op.wedge(op.wedge(a, b), c), op.wedge(a, op.wedge(b, c)));
}

Verdict d_is_an_antiderivation(const Operators& op, Trial& t) {
  const std::size_t p = t.degree(0, 1);
  const Form a = t.random.form(p);
  const Form b = t.random.form(t.degree(0, p));
  return are_equal(t.algebra, op.d(op.wedge(a, b)),
                   op.wedge(op.d(a), b) + with_sign(p % 2 == 1, op.wedge(a, op.d(b))));
}

Verdict interior_is_an_antiderivation(const Operators& op, Trial& t) {
  const std::size_t p = t.degree(1, 1);
  const VectorField x = t.random.field();
  const Form a = t.random.form(p);
  const Form b = t.random.form(std::max<std::size_t>(1, t.degree(0, p)));
  return are_equal(t.algebra, op.interior(x, op.wedge(a, b)),
                   op.wedge(op.interior(x, a), b) + with_sign(p % 2 == 1, op.wedge(a, op.interior(x, b))));
}

Verdict interior_is_linear_over_functions(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const Expr f = t.random.function();
  const Form a = t.random.form(t.degree(1, 0));
  return are_equal(t.algebra, op.interior(f * x, a), f * op.interior(x, a));
}

Verdict interior_twice_vanishes(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  return is_zero(t.algebra, op.interior(x, op.interior(x, t.random.form(t.degree(2, 0)))));
}

/// The coefficient of a at a list of indices, with sign.
Expr at(const Form& a, const std::vector<std::size_t>& indices) {
  return a.coefficient(indices);
}

/// (theta(X) a)_(i1..ip) = X^k d_k a_(i1..ip) + sum_s (d_(is) X^k) a_(i1..k..ip), in coordinates: no operator
/// is used.
Form lie_in_coordinates(const VectorField& x, const Form& a) {
  const Coframe& coframe = *a.coframe();
  const std::size_t n = coframe.dimension();
  const auto partial = [&](Expr f, std::size_t k) {
    return derivative(f, coframe.scalar_coordinates()[k].symbol);
  };
  std::vector<Form::Term> terms;
  std::vector<std::size_t> indices(a.degree());
  const std::function<void(std::size_t, std::size_t)> visit = [&](std::size_t place, std::size_t from) {
    if (place < indices.size()) {
      for (indices[place] = from; indices[place] < n; ++indices[place]) visit(place + 1, indices[place] + 1);
      return;
    }
    std::vector<Expr> sum;
    IndexSet key;
    for (std::size_t i : indices) key.set(i);
    for (std::size_t k = 0; k < n; ++k) {
      sum.push_back(x.component(k) * partial(at(a, indices), k));
      for (std::size_t s = 0; s < indices.size(); ++s) {
        std::vector<std::size_t> replaced = indices;
        replaced[s] = k;
        sum.push_back(partial(x.component(k), indices[s]) * at(a, replaced));
      }
    }
    terms.emplace_back(key, coframe.pool().add(sum));
  };
  visit(0, 0);
  return Form(a.coframe(), a.degree(), std::move(terms));
}

Verdict lie_is_the_coordinate_formula(const Operators& op, Trial& t) {
  if (!t.is_coordinate_coframe()) return proved();
  const VectorField x = t.random.field();
  const Form a = t.random.form(t.degree(0, 0));
  return are_equal(t.algebra, op.lie(x, a), lie_in_coordinates(x, a));
}

/// (theta(X) a)(Y1..Yp) = X(a(Y1..Yp)) - sum_s a(.., [X, Ys], ..): in every frame.
Verdict lie_evaluates_through_brackets(const Operators& op, Trial& t) {
  const std::size_t p = t.degree(1, 1);
  const VectorField x = t.random.field();
  const Form a = t.random.form(p);
  std::vector<VectorField> ys;
  for (std::size_t s = 0; s < p; ++s) ys.push_back(t.random.field());
  std::vector<Expr> sum{apply(x, evaluate_on(a, ys))};
  for (std::size_t s = 0; s < p; ++s) {
    std::vector<VectorField> replaced = ys;
    replaced[s] = op.bracket(x, ys[s]);
    sum.push_back(-evaluate_on(a, replaced));
  }
  return t.algebra.are_equal(evaluate_on(op.lie(x, a), ys), t.algebra.pool().add(sum));
}

Verdict lie_is_cartans_formula(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const Form a = t.random.form(t.degree(1, 0));
  return are_equal(t.algebra, op.lie(x, a), op.interior(x, op.d(a)) + op.d(op.interior(x, a)));
}

Verdict lie_is_a_derivation(const Operators& op, Trial& t) {
  const std::size_t p = t.degree(0, 1);
  const VectorField x = t.random.field();
  const Form a = t.random.form(p);
  const Form b = t.random.form(t.degree(0, p));
  return are_equal(t.algebra, op.lie(x, op.wedge(a, b)),
                   op.wedge(op.lie(x, a), b) + op.wedge(a, op.lie(x, b)));
}

Verdict lie_commutes_with_d(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const Form a = t.random.form(t.degree(0, 1));
  return are_equal(t.algebra, op.lie(x, op.d(a)), op.d(op.lie(x, a)));
}

Verdict lie_and_interior_commute_to_interior_of_bracket(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const VectorField y = t.random.field();
  const Form a = t.random.form(t.degree(1, 0));
  return are_equal(t.algebra, op.lie(x, op.interior(y, a)) - op.interior(y, op.lie(x, a)),
                   op.interior(op.bracket(x, y), a));
}

Verdict lies_commute_to_lie_of_bracket(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const VectorField y = t.random.field();
  const Form a = t.random.form(t.degree(0, 1));
  return are_equal(t.algebra, op.lie(x, op.lie(y, a)) - op.lie(y, op.lie(x, a)), op.lie(op.bracket(x, y), a));
}

Verdict epsilon_anticommutes_with_d(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const Form a = t.random.form(t.degree(0, 1));
  return are_equal(t.algebra, op.epsilon(x, op.d(a)), -op.d(op.epsilon(x, a)));
}

Verdict epsilon_is_the_difference_of_the_parts_of_lie(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const Form a = t.random.form(t.degree(1, 0));
  return are_equal(t.algebra, op.epsilon(x, a), op.lie(x, a) - Rational(2) * op.interior(x, op.d(a)));
}

Verdict epsilon_of_two_is_the_mixed_commutator(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const VectorField y = t.random.field();
  const Form a = t.random.form(t.degree(1, 0));
  return are_equal(t.algebra, op.lie(x, op.interior(y, a)) - op.interior(x, op.lie(y, a)),
                   op.epsilon_of_two(x, y, a));
}

Verdict bracket_is_the_commutator_on_functions(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const VectorField y = t.random.field();
  const Expr f = t.random.function();
  return t.algebra.are_equal(apply(op.bracket(x, y), f), apply(x, apply(y, f)) - apply(y, apply(x, f)));
}

Verdict bracket_satisfies_jacobi(const Operators& op, Trial& t) {
  const VectorField x = t.random.field();
  const VectorField y = t.random.field();
  const VectorField z = t.random.field();
  const VectorField cycle =
      op.bracket(x, op.bracket(y, z)) + op.bracket(y, op.bracket(z, x)) + op.bracket(z, op.bracket(x, y));
  return are_equal(t.algebra, cycle, VectorField(t.coframe));
}

/// A map from R^3 (x, y, z) to the trial's coordinate coframe.
SmoothMap map_to(Trial& t) {
  const CoframePtr source = law_coframes(t.algebra)[0].coframe;
  return random_map(t.seed, t.algebra, source, t.coframe);
}

Verdict pull_back_commutes_with_d(const Operators& op, Trial& t) {
  if (!t.is_coordinate_coframe()) return proved();
  const SmoothMap map = map_to(t);
  const Form a = t.random.form(t.random.below(3));
  return are_equal(t.algebra, op.pull_back(map, liaison::d(a)), liaison::d(op.pull_back(map, a)));
}

Verdict pull_back_commutes_with_wedge(const Operators& op, Trial& t) {
  if (!t.is_coordinate_coframe()) return proved();
  const SmoothMap map = map_to(t);
  const Form a = t.random.form(1);
  const Form b = t.random.form(1 + t.random.below(2));
  return are_equal(t.algebra, op.pull_back(map, liaison::wedge(a, b)),
                   liaison::wedge(op.pull_back(map, a), op.pull_back(map, b)));
}

struct Change {
  Matrix matrix;
  CoframePtr frame;
};

Change change_of(Trial& t) {
  Matrix matrix = random_frame_matrix(t.seed, t.coframe);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < t.coframe->dimension(); ++i) names.push_back("f" + std::to_string(i));
  CoframePtr frame = moving_frame(t.algebra, t.coframe, names, matrix);
  return {std::move(matrix), std::move(frame)};
}

Verdict change_of_coframe_commutes_with_d(const Operators& op, Trial& t) {
  const auto [matrix, frame] = change_of(t);
  const Form a = t.random.form(t.random.below(2));
  return are_equal(t.algebra, op.change_form(t.algebra, liaison::d(a), frame, matrix),
                   liaison::d(op.change_form(t.algebra, a, frame, matrix)));
}

Verdict change_of_coframe_commutes_with_wedge(const Operators& op, Trial& t) {
  const auto [matrix, frame] = change_of(t);
  const Form a = t.random.form(1);
  const Form b = t.random.form(1);
  return are_equal(t.algebra, op.change_form(t.algebra, liaison::wedge(a, b), frame, matrix),
                   liaison::wedge(op.change_form(t.algebra, a, frame, matrix),
                                  op.change_form(t.algebra, b, frame, matrix)));
}

Verdict change_of_coframe_commutes_with_interior(const Operators& op, Trial& t) {
  const auto [matrix, frame] = change_of(t);
  const VectorField x = t.random.field();
  const Form a = t.random.form(1 + t.random.below(2));
  return are_equal(t.algebra, op.change_form(t.algebra, liaison::interior(x, a), frame, matrix),
                   liaison::interior(op.change_field(t.algebra, x, frame, matrix),
                                     op.change_form(t.algebra, a, frame, matrix)));
}

}  // namespace

std::size_t Trial::degree(std::size_t from, std::size_t room) {
  const std::size_t most = coframe->dimension() > room ? coframe->dimension() - room : 0;
  return most <= from ? from : from + random.below(most - from + 1);
}

bool Trial::is_coordinate_coframe() const {
  const auto& coordinates = coframe->scalar_coordinates();
  if (coordinates.size() != coframe->dimension()) return false;
  return std::all_of(coordinates.begin(), coordinates.end(), [](const ScalarCoordinate& x) {
    return x.differential.size() == 1 && x.differential[0].second.is_one();
  });
}

const std::vector<Law>& cartan_laws() {
  static const std::vector<Law> laws{
      {"d_of_d_vanishes", d_of_d_vanishes},
      {"wedge_is_graded_commutative", wedge_is_graded_commutative},
      {"wedge_is_associative", wedge_is_associative},
      {"d_is_an_antiderivation", d_is_an_antiderivation},
      {"interior_is_an_antiderivation", interior_is_an_antiderivation},
      {"interior_is_linear_over_functions", interior_is_linear_over_functions},
      {"interior_twice_vanishes", interior_twice_vanishes},
      {"lie_is_the_coordinate_formula", lie_is_the_coordinate_formula},
      {"lie_evaluates_through_brackets", lie_evaluates_through_brackets},
      {"lie_is_cartans_formula", lie_is_cartans_formula},
      {"lie_is_a_derivation", lie_is_a_derivation},
      {"lie_commutes_with_d", lie_commutes_with_d},
      {"lie_and_interior_commute_to_interior_of_bracket", lie_and_interior_commute_to_interior_of_bracket},
      {"lies_commute_to_lie_of_bracket", lies_commute_to_lie_of_bracket},
      {"epsilon_anticommutes_with_d", epsilon_anticommutes_with_d},
      {"epsilon_is_the_difference_of_the_parts_of_lie", epsilon_is_the_difference_of_the_parts_of_lie},
      {"epsilon_of_two_is_the_mixed_commutator", epsilon_of_two_is_the_mixed_commutator},
      {"bracket_is_the_commutator_on_functions", bracket_is_the_commutator_on_functions},
      {"bracket_satisfies_jacobi", bracket_satisfies_jacobi},
      {"pull_back_commutes_with_d", pull_back_commutes_with_d},
      {"pull_back_commutes_with_wedge", pull_back_commutes_with_wedge},
      {"change_of_coframe_commutes_with_d", change_of_coframe_commutes_with_d},
      {"change_of_coframe_commutes_with_wedge", change_of_coframe_commutes_with_wedge},
      {"change_of_coframe_commutes_with_interior", change_of_coframe_commutes_with_interior},
  };
  return laws;
}

const Law& law_named(const std::string& name) {
  for (const Law& law : cartan_laws())
    if (law.name == name) return law;
  throw std::invalid_argument("no law is called " + name);
}

LawResult try_law(const Law& law, const Operators& op, std::size_t seeds_each) {
  for (std::uint64_t seed : seeds(seeds_each)) {
    Pool pool;
    Algebra algebra(pool);
    for (const auto& [name, coframe] : law_coframes(algebra)) {
      Trial trial{algebra, coframe, seed, RandomForms(seed, coframe)};
      Verdict verdict = law.holds(op, trial);
      if (!verdict.is_proved()) return {std::move(verdict), name + ", " + seed_note(seed)};
    }
  }
  return {proved(), ""};
}

}  // namespace liaison::test
