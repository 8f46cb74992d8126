#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "antiderivative.hpp"
#include "coframe_parts.hpp"
#include "index_set.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/ideal.hpp"
#include "require.hpp"
#include "substitute_basis.hpp"

namespace liaison {

namespace {

/// A form with d(primitive) = a, not yet verified, or the reason why none was found.
struct Attempt {
  std::optional<Form> primitive;
  std::string reason;
};

/// A coordinate x with dx = theta^k whose dual field e_k moves nothing but x: it moves no other coordinate,
/// and theta^k stands in no structure equation. Then a form can be integrated in x with all the rest held
/// constant.
struct StraightCoordinate {
  Expr x;
  std::size_t k;
};

std::vector<StraightCoordinate> straight_coordinates(const Coframe& coframe) {
  std::vector<int> uses(coframe.dimension(), 0);
  for (const BasisForm& form : coframe.basis())
    for (const StructureTerm& term : form.derivative) {
      ++uses[term.first];
      ++uses[term.second];
    }
  for (const ScalarCoordinate& x : coframe.scalar_coordinates())
    for (const auto& [index, coefficient] : x.differential) ++uses[index];
  std::vector<StraightCoordinate> result;
  for (const ScalarCoordinate& x : coframe.scalar_coordinates()) {
    if (x.differential.size() != 1 || !x.differential[0].second.is_one()) continue;
    if (uses[x.differential[0].first] == 1) result.push_back({x.symbol, x.differential[0].first});
  }
  return result;
}

/// The antiderivative in x of every coefficient; empty and `failed` set if one is not found.
std::optional<Form> integrate_coefficients(Algebra& algebra, const Form& a, Expr x, Expr& failed) {
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : a.terms()) {
    auto integral = antiderivative(algebra, coefficient, x);
    if (!integral) integral = antiderivative(algebra, algebra.readable(coefficient), x);
    if (!integral) {
      failed = coefficient;
      return std::nullopt;
    }
    terms.emplace_back(key, *integral);
  }
  return Form(a.coframe(), a.degree(), std::move(terms));
}

/// a = alpha + dx^beta: with B the integral of beta in x, a - dB has no dx and does not depend on x. One
/// coordinate after another, in any order that the integrator can follow; `rest` is what is left.
Attempt eliminate_coordinates(Algebra& algebra, Form& rest) {
  std::vector<StraightCoordinate> pending = straight_coordinates(*rest.coframe());
  Form primitive(rest.coframe(), rest.degree() - 1);
  while (!pending.empty() && !rest.empty()) {
    std::string reason;
    bool progress = false;
    for (std::size_t i = 0; i < pending.size() && !progress; ++i) {
      const auto [x, k] = pending[i];
      const Form beta = interior(VectorField::dual(rest.coframe(), k), rest);
      Expr failed;
      const auto integral = integrate_coefficients(algebra, beta, x, failed);
      if (!integral) {
        if (reason.empty())
          reason = fmt::format("no antiderivative of {} in {} was found", to_infix(failed), to_infix(x));
        continue;
      }
      primitive = primitive + *integral;
      rest = simplified(algebra, rest - d(*integral));
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(i));
      progress = true;
    }
    if (!progress) return {std::nullopt, reason};
  }
  return {primitive, ""};
}

bool is_free_of_coordinates(const Form& a) {
  for (const auto& [key, coefficient] : a.terms())
    for (const ScalarCoordinate& x : a.coframe()->scalar_coordinates())
      if (depends_on(coefficient, x.symbol)) return false;
  return true;
}

/// All products of `degree` basis forms, in lexicographic order; nothing if there are too many.
std::optional<std::vector<IndexSet>> basis_products(std::size_t dimension, std::size_t degree) {
  constexpr std::size_t most = 1000;
  std::vector<IndexSet> products{IndexSet()};
  std::vector<std::size_t> next{0};
  for (std::size_t level = 0; level < degree; ++level) {
    std::vector<IndexSet> longer;
    std::vector<std::size_t> longer_next;
    for (std::size_t p = 0; p < products.size(); ++p)
      for (std::size_t i = next[p]; i < dimension; ++i) {
        longer.push_back(products[p] | single(i));
        longer_next.push_back(i + 1);
      }
    if (longer.size() > most) return std::nullopt;
    products = std::move(longer);
    next = std::move(longer_next);
  }
  return products;
}

/// A primitive with constant coefficients: d of each basis product is known, the rest is one linear system.
Attempt find_invariant_primitive(Algebra& algebra, const Form& a) {
  const CoframePtr& coframe = a.coframe();
  Pool& pool = coframe->pool();
  const std::string complaint =
      "the coframe has no coordinates to integrate in, and the coefficients are not constant";
  const auto products = basis_products(coframe->dimension(), a.degree() - 1);
  if (!products || !is_free_of_coordinates(a)) return {std::nullopt, complaint};
  std::vector<Form> derivatives;
  std::vector<IndexSet> rows;
  for (const auto& [key, coefficient] : a.terms()) rows.push_back(key);
  for (const IndexSet& product : *products) {
    derivatives.push_back(d(Form(coframe, a.degree() - 1, {{product, pool.number(1)}})));
    if (!is_free_of_coordinates(derivatives.back())) return {std::nullopt, complaint};
    for (const auto& [key, coefficient] : derivatives.back().terms()) rows.push_back(key);
  }
  std::sort(rows.begin(), rows.end(), IndexSetLess());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto row_of = [&](const IndexSet& key) {
    return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), key, IndexSetLess()) -
                                    rows.begin());
  };
  Matrix matrix(pool, rows.size(), products->size());
  std::vector<Expr> right(rows.size(), pool.number(0));
  for (std::size_t j = 0; j < derivatives.size(); ++j)
    for (const auto& [key, coefficient] : derivatives[j].terms()) matrix(row_of(key), j) = coefficient;
  for (const auto& [key, coefficient] : a.terms()) right[row_of(key)] = coefficient;
  const SolveResult solution = solve(algebra, matrix, right);
  if (solution.status == SolveStatus::inconsistent)
    return {std::nullopt, "no combination of basis products with constant coefficients has this derivative"};
  std::vector<Form::Term> terms;
  for (std::size_t j = 0; j < products->size(); ++j) terms.emplace_back((*products)[j], solution.x[j]);
  return {Form(coframe, a.degree() - 1, std::move(terms)), ""};
}

/// The terms that do not vanish, as they were written: a factored denominator is easier to integrate.
Form without_zeros(Algebra& algebra, const Form& a) {
  std::vector<Form::Term> terms;
  for (const Form::Term& term : a.terms())
    if (!algebra.is_zero(term.second).holds()) terms.push_back(term);
  return Form(a.coframe(), a.degree(), std::move(terms));
}

Attempt find_on_frame(Algebra& algebra, const Form& a) {
  Form rest = without_zeros(algebra, a);
  Attempt attempt = eliminate_coordinates(algebra, rest);
  if (!attempt.primitive || rest.empty()) return attempt;
  Attempt invariant = find_invariant_primitive(algebra, rest);
  if (!invariant.primitive) return invariant;
  return {*attempt.primitive + *invariant.primitive, ""};
}

/// On a moving frame with as many coordinates as forms: through the coordinate coframe and back.
Attempt find_through_coordinates(Algebra& algebra, const Form& a) {
  const CoframePtr& frame = a.coframe();
  std::vector<Expr> symbols;
  Matrix matrix(frame->pool(), frame->dimension(), frame->dimension());
  std::vector<Form> differentials;
  for (std::size_t k = 0; k < frame->dimension(); ++k) {
    const ScalarCoordinate& x = frame->scalar_coordinates()[k];
    symbols.push_back(x.symbol);
    differentials.push_back(coordinate_differential(frame, k));
    for (const auto& [j, c] : x.differential) matrix(k, j) = c;
  }
  const CoframePtr coordinates = Coframe::coordinates(frame->pool(), symbols);
  const Matrix inverse = inverse_of_frame(algebra, matrix, frame->dimension());
  std::vector<Form> images;
  for (std::size_t j = 0; j < frame->dimension(); ++j) {
    Form image(coordinates, 1);
    for (std::size_t k = 0; k < symbols.size(); ++k)
      image = image + inverse(j, k) * Form::basis(coordinates, k);
    images.push_back(std::move(image));
  }
  const auto same = [](Expr e) { return e; };
  const Attempt there = find_on_frame(algebra, substitute_basis(a, coordinates, images, same));
  if (!there.primitive) return there;
  return {substitute_basis(*there.primitive, frame, differentials, same), ""};
}

bool is_independent(Algebra& algebra, const Coframe& coframe) {
  Matrix matrix(coframe.pool(), coframe.dimension(), coframe.dimension());
  for (std::size_t k = 0; k < coframe.dimension(); ++k)
    for (const auto& [j, c] : coframe.scalar_coordinates()[k].differential) matrix(k, j) = c;
  return rank(algebra, matrix).rank == coframe.dimension();
}

Attempt find_unverified(Algebra& algebra, const Form& a) {
  const Coframe& coframe = *a.coframe();
  const bool enough = coframe.scalar_coordinates().size() == coframe.dimension();
  if (enough && straight_coordinates(coframe).size() < coframe.dimension() &&
      is_independent(algebra, coframe))
    return find_through_coordinates(algebra, a);
  return find_on_frame(algebra, a);
}

/// Numerator and denominator of a product, by the signs of its exponents.
std::pair<Expr, Expr> quotient_parts(Expr q) {
  const std::array alone{q};
  std::vector<Expr> above, below;
  for (Expr factor : q.is(Op::mul) ? q.args() : std::span<const Expr>(alone)) {
    if (split_power(factor).second.sign() < 0) {
      below.push_back(Rational(1) / factor);
    } else {
      above.push_back(factor);
    }
  }
  return {q.pool().mul(above), q.pool().mul(below)};
}

/// atan(N/D) jumps where D vanishes; the angle atan2(N, D) goes on. -atan(N/D) becomes atan2(D, N), its equal
/// up to a constant.
class AngleWriter {
 public:
  AngleWriter(Algebra& algebra, const Coframe& coframe) : algebra_(algebra), coframe_(coframe) {}

  Expr write(Expr e) {
    const std::array alone{e};
    std::vector<Expr> terms;
    for (Expr term : e.is(Op::add) ? e.args() : std::span<const Expr>(alone))
      terms.push_back(write_term(term));
    return e.pool().add(terms);
  }
  bool found() const { return found_; }

 private:
  bool may_vanish(Expr denominator) const {
    if (is_manifestly_positive(denominator)) return false;
    return std::any_of(coframe_.scalar_coordinates().begin(), coframe_.scalar_coordinates().end(),
                       [&](const ScalarCoordinate& x) { return depends_on(denominator, x.symbol); });
  }

  Expr write_term(Expr term) {
    const bool negative = split_coefficient(term).first.sign() < 0;
    Substitution angles;
    for (Expr node : postorder(term)) {
      if (!node.is(Op::atan)) continue;
      const Expr argument = node.arg(0).is(Op::add) ? algebra_.readable(node.arg(0)) : node.arg(0);
      const auto [above, below] = quotient_parts(argument);
      if (!may_vanish(below)) continue;
      found_ = true;
      angles.emplace(node, negative ? -atan2(below, above) : atan2(above, below));
    }
    return angles.empty() ? term : substitute(term, angles);
  }

  Algebra& algebra_;
  const Coframe& coframe_;
  bool found_ = false;
};

}  // namespace

Exactness find_primitive(Algebra& algebra, const Form& a) {
  if (a.degree() == 0) {
    throw Error(ErrorCode::wrong_degree, "a function has no primitive", "ask for a form of degree 1 or more");
  }
  Exactness result{is_closed(algebra, a), std::nullopt, false, ""};
  if (!result.closed.holds()) {
    result.reason =
        fmt::format("the form is not closed: its derivative is {}", to_infix(simplified(algebra, d(a))));
    return result;
  }
  const Attempt attempt = find_unverified(algebra, a);
  if (!attempt.primitive) {
    result.reason = attempt.reason;
    return result;
  }
  AngleWriter angles(algebra, *a.coframe());
  std::vector<Form::Term> terms;
  for (const auto& [key, coefficient] : attempt.primitive->terms()) {
    const Expr other = algebra.readable(coefficient);
    const bool shorter = count_written_operations(other) < count_written_operations(coefficient);
    terms.emplace_back(key, angles.write(shorter ? other : coefficient));
  }
  Form primitive(a.coframe(), a.degree() - 1, std::move(terms));
  const Verdict verdict = are_equal(algebra, d(primitive), a);
  if (!verdict.holds()) {
    result.reason =
        fmt::format("the candidate {} was not confirmed: {}", to_infix(primitive), describe(verdict));
    return result;
  }
  result.primitive = std::move(primitive);
  result.multivalued = angles.found();
  return result;
}

}  // namespace liaison
