#include <cmath>

#include "derive.hpp"
#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/forms/form.hpp"
#include "liaison/forms/ideal.hpp"
#include "worker.hpp"

/// The work of the benchmark cases done by Liaison. Every repetition has a new pool, so that nothing is
/// remembered, and the time includes reading the text.
namespace {

using namespace liaison;
using bench::Case;
using bench::Outcome;
using bench::Stopwatch;

std::vector<Expr> symbols(Pool& pool, const std::vector<std::string>& names) {
  std::vector<Expr> result;
  for (const std::string& name : names) result.push_back(pool.symbol(name));
  return result;
}

std::vector<Expr> parse_all(Pool& pool, const std::vector<std::string>& texts) {
  std::vector<Expr> result;
  for (const std::string& text : texts) result.push_back(parse(pool, text));
  return result;
}

DoublePoint point_of(Pool& pool, const Case& input) {
  DoublePoint point;
  for (const auto& [name, value] : input.point()) point.emplace(pool.symbol(name), value);
  return point;
}

Outcome chain(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Pool pool;
  const auto q = symbols(pool, input.words("angles")), v = symbols(pool, input.words("rates"));
  const auto m = symbols(pool, input.words("masses")), j = symbols(pool, input.words("inertias"));
  const auto x = parse_all(pool, input.all("x")), y = parse_all(pool, input.all("y"));
  const auto rate = [&](Expr position) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < q.size(); ++i) terms.push_back(derivative(position, q[i]) * v[i]);
    return pool.add(terms);
  };
  std::vector<Expr> energies;
  for (std::size_t k = 0; k < q.size(); ++k) {
    energies.push_back(m[k] / Rational(2) * (pow(rate(x[k]), Rational(2)) + pow(rate(y[k]), Rational(2))));
    energies.push_back(j[k] / Rational(2) * pow(v[k], Rational(2)));
  }
  const Expr energy = pool.add(energies);
  std::vector<Expr> state = q;
  state.insert(state.end(), v.begin(), v.end());
  std::vector<Expr> first;
  std::vector<Expr> second;
  std::vector<Expr> sample;
  for (Expr s : state) first.push_back(derivative(energy, s));
  for (std::size_t a = 0; a < state.size(); ++a) {
    for (std::size_t b = a; b < state.size(); ++b) second.push_back(derivative(first[a], state[b]));
  }
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  sample = first;
  for (std::size_t a = 0, k = 0; a < state.size(); ++a) {
    for (std::size_t b = a; b < state.size(); ++b, ++k) {
      if (bench::is_sampled(a, b)) sample.push_back(second[k]);
    }
  }
  for (double value : evaluate(sample, point_of(pool, input)).values) outcome.checksum += std::fabs(value);
  return outcome;
}

Outcome zero(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Pool pool;
  Algebra algebra(pool);
  const Verdict verdict = algebra.is_zero(parse(pool, input.one("left")) - parse(pool, input.one("right")));
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  if (!verdict.is_proved()) outcome.note = describe(verdict);
  return outcome;
}

/// Both sides to canonical form, compared by identity.
Outcome canonical(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Pool pool;
  Algebra algebra(pool);
  const Canonical left = algebra.canonical(parse(pool, input.one("left")));
  const Canonical right = algebra.canonical(parse(pool, input.one("right")));
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  if (left.value != right.value) outcome.note = "canonical forms differ: " + left.reason + right.reason;
  return outcome;
}

Matrix matrix_of(Pool& pool, const Case& input) {
  const auto entries = parse_all(pool, input.all("entry"));
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(entries.size()))));
  return Matrix(n, n, entries);
}

AlgebraOptions generous() {
  AlgebraOptions options;
  options.max_terms = 10'000'000;
  options.max_operations *= 20;
  return options;
}

Outcome determinant_of(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Pool pool;
  Algebra algebra(pool, generous());
  const DeterminantResult result = determinant(algebra, matrix_of(pool, input));
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  if (result.grade != Grade::proved) outcome.note = "not proved";
  outcome.checksum = evaluate(result.value, point_of(pool, input));
  return outcome;
}

Outcome solution_of(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Pool pool;
  Algebra algebra(pool, generous());
  const SolveResult result = solve(algebra, matrix_of(pool, input), parse_all(pool, input.all("rhs")));
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  if (result.grade != Grade::proved || result.status != SolveStatus::unique)
    outcome.note = "no proved unique solution";
  for (double value : evaluate(result.x, point_of(pool, input)).values) outcome.checksum += std::fabs(value);
  return outcome;
}

Form form_of(const CoframePtr& coframe, const std::vector<bench::FormTerm>& terms) {
  std::vector<Form::Term> parsed;
  for (const bench::FormTerm& term : terms) {
    IndexSet indices;
    for (std::size_t i : term.indices) indices.set(i);
    parsed.emplace_back(indices, parse(coframe->pool(), term.coefficient));
  }
  return Form(coframe, terms.at(0).indices.size(), std::move(parsed));
}

double form_checksum(const Form& form, const DoublePoint& point) {
  double sum = 0;
  for (const auto& [set, coefficient] : form.terms()) {
    bench::Indices indices;
    for (std::size_t i = 0; i < form.coframe()->dimension(); ++i) {
      if (set.test(i)) indices.push_back(i);
    }
    sum += bench::form_weight(indices) * std::fabs(evaluate(coefficient, point));
  }
  return sum;
}

Outcome form_work(const Case& input) {
  Outcome outcome;
  const std::string& task = input.one("task");
  const auto left = input.form("a"), right = input.form("b");
  const Stopwatch watch;
  Pool pool;
  Algebra algebra(pool);
  const auto coordinates = symbols(pool, input.words("symbols"));
  const CoframePtr coframe = Coframe::coordinates(pool, coordinates);
  const Form a = form_of(coframe, left);
  const Form result = task == "wedge" ? wedge(a, form_of(coframe, right)) : task == "d" ? d(a) : d(d(a));
  if (task == "dd" && !is_zero(algebra, result).is_proved()) outcome.note = "d d is not zero";
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  if (task != "dd") outcome.checksum = form_checksum(result, point_of(pool, input));
  return outcome;
}

/// "a; b; c"
std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ';');) result.push_back(part);
  return result;
}

Outcome frobenius_of(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Pool pool;
  Algebra algebra(pool, generous());
  const CoframePtr coframe = Coframe::coordinates(pool, symbols(pool, input.words("coordinates")));
  std::vector<Form> forms;
  for (const std::string& line : input.all("form")) {
    std::vector<Form::Term> terms;
    const auto coefficients = parse_all(pool, listed(line));
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      IndexSet index;
      index.set(i);
      terms.emplace_back(index, coefficients[i]);
    }
    forms.emplace_back(coframe, 1, std::move(terms));
  }
  const FrobeniusResult result = frobenius(algebra, forms);
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  if (!result.integrable.is_proved() && !result.integrable.is_refuted()) outcome.note = "not decided";
  for (const Form& torsion : result.torsions) outcome.checksum += torsion.empty() ? 0 : 1;
  return outcome;
}

Outcome lie_derivative(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Pool pool;
  Algebra algebra(pool, generous());
  const CoframePtr coframe = Coframe::coordinates(pool, symbols(pool, input.words("coordinates")));
  const VectorField field(coframe, parse_all(pool, input.all("rate")));
  const Verdict verdict = algebra.is_zero(apply(field, parse(pool, input.one("function"))));
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  if (!verdict.is_proved()) outcome.note = describe(verdict);
  return outcome;
}

Outcome null_space_of(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Pool pool;
  Algebra algebra(pool, generous());
  const auto rows = static_cast<std::size_t>(std::stoul(input.one("rows")));
  const auto entries = parse_all(pool, input.all("entry"));
  const Matrix matrix(rows, entries.size() / rows, entries);
  const NullSpaceResult result = null_space(algebra, matrix);
  outcome.seconds = watch.seconds();
  outcome.nodes = pool.size();
  if (result.grade != Grade::proved) outcome.note = "not proved";
  outcome.checksum = static_cast<double>(result.basis.size());
  return outcome;
}

Outcome perform(const std::string& method, const Case& input) {
  const std::string& task = input.one("task");
  if (task == "derive") return bench::derive(method, input);
  if (task == "chain") return chain(input);
  if (task == "zero") return method == "canonical" ? canonical(input) : zero(input);
  if (task == "determinant") return determinant_of(input);
  if (task == "solve") return solution_of(input);
  if (task == "frobenius") return frobenius_of(input);
  if (task == "lie") return lie_derivative(input);
  if (task == "null") return null_space_of(input);
  return form_work(input);
}

}  // namespace

int main() {
  return bench::serve(perform);
}
