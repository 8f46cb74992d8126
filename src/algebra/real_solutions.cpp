#include <algorithm>
#include <utility>

#include "exponential_roots.hpp"
#include "liaison/algebra/real_roots.hpp"
#include "memory.hpp"
#include "operation_costs.hpp"
#include "rewrite.hpp"
#include "univariate.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_variables = 8;
constexpr unsigned long largest_degree = 80;
constexpr std::size_t most_combinations = 1'000;

using Boxes = std::vector<std::vector<Ball>>;

Poly resultant(const Poly& a, const Poly& b, std::size_t variable) {
  charge_resultant(a, b, variable);
  Poly result(a.ring());
  if (fmpz_mpoly_resultant(result.raw(), a.raw(), b.raw(), static_cast<slong>(variable), a.ring().raw()) == 0)
    throw LimitReached{"a resultant is beyond the limit"};
  return result;
}

/// Polynomials that vanish where all given ones do, without one variable: the one of the lowest degree in it
/// with each of the others. A single one says nothing about the rest.
std::vector<Poly> without(std::vector<Poly> polys, std::size_t variable) {
  const auto middle =
      std::partition(polys.begin(), polys.end(), [&](const Poly& p) { return p.degree(variable) == 0; });
  std::vector<Poly> result(polys.begin(), middle);
  if (middle == polys.end()) return result;
  const auto lowest = std::min_element(middle, polys.end(), [&](const Poly& a, const Poly& b) {
    return std::pair(a.degree(variable), a.terms()) < std::pair(b.degree(variable), b.terms());
  });
  for (auto p = middle; p != polys.end(); ++p) {
    if (p == lowest) continue;
    Poly found = resultant(*lowest, *p, variable);
    if (!found.is_zero()) result.push_back(std::move(found));
  }
  return result;
}

/// The degree in which a variable is eliminated.
unsigned long lowest_degree(const std::vector<Poly>& polys, std::size_t variable) {
  unsigned long result = 0;
  for (const Poly& p : polys) {
    const unsigned long degree = p.degree(variable);
    if (degree != 0 && (result == 0 || degree < result)) result = degree;
  }
  return result;
}

/// In one variable alone, and zero at all common zeros; nothing where none was found.
std::optional<Poly> eliminant(std::vector<Poly> polys, std::vector<std::size_t> others,
                              std::size_t variable) {
  while (!others.empty()) {
    const auto next = std::min_element(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
      return lowest_degree(polys, a) < lowest_degree(polys, b);
    });
    polys = without(std::move(polys), *next);
    others.erase(next);
  }
  if (polys.empty()) return std::nullopt;
  Poly result = polys.front();
  for (const Poly& p : polys) result = gcd(result, p);
  if (result.degree(variable) > largest_degree) return std::nullopt;
  return result;
}

/// Of a polynomial in one variable, each once.
std::vector<Ball> isolated_roots(const Poly& p, std::size_t variable, long bits) {
  if (p.is_constant()) return {};
  charge_isolation(p, bits);
  return Univariate(p, variable).real_roots(bits);
}

/// Certainly not a common zero: an equation excludes zero in the box, or has no value in it.
bool is_excluded(std::span<const Expr> equations, std::span<const Expr> unknowns,
                 const std::vector<Ball>& box, long bits) {
  BallPoint point;
  for (std::size_t i = 0; i < unknowns.size(); ++i) point.emplace(unknowns[i], box[i]);
  return std::any_of(equations.begin(), equations.end(), [&](Expr equation) {
    const BallValues found = evaluate_balls(std::span(&equation, 1), point, bits);
    if (found.status == EvaluationStatus::outside_domain) return true;
    return found.status == EvaluationStatus::ok && !found.values[0].contains_zero();
  });
}

/// An unknown, or its unit-th root, among the generators.
struct PlaceOfUnknown {
  std::size_t generator;
  long unit;
};

/// Of each unknown; nothing where another generator is no root and no absolute value of polynomials.
std::optional<std::vector<PlaceOfUnknown>> places_of(const Field& field, std::span<const Expr> unknowns) {
  std::vector<PlaceOfUnknown> result(unknowns.size(), {field.generators().size(), 1});
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    const Generator& generator = field.generators()[i];
    const bool is_tied = generator.kind == GeneratorKind::root || generator.kind == GeneratorKind::absolute;
    if (is_tied) continue;
    if (generator.kind != GeneratorKind::plain) return std::nullopt;
    const auto unknown = std::find(unknowns.begin(), unknowns.end(), generator.atom);
    if (unknown == unknowns.end()) return std::nullopt;
    result[static_cast<std::size_t>(unknown - unknowns.begin())] = {i, generator.unit};
  }
  const bool are_all_there = std::all_of(result.begin(), result.end(), [&](const PlaceOfUnknown& place) {
    return place.generator < field.generators().size();
  });
  return are_all_there ? std::optional(result) : std::nullopt;
}

/// One root of each list.
std::optional<Boxes> combinations(const std::vector<std::vector<Ball>>& roots) {
  Boxes result{{}};
  for (const std::vector<Ball>& list : roots) {
    if (result.size() * list.size() > most_combinations) return std::nullopt;
    Boxes longer;
    for (const std::vector<Ball>& box : result) {
      for (const Ball& root : list) {
        longer.push_back(box);
        longer.back().push_back(root);
      }
    }
    result = std::move(longer);
  }
  return result;
}

/// Of one unknown in equations of which one holds it and an exponential of it.
std::optional<Boxes> solutions_with_exponential(Field& field, std::span<const Expr> es, Expr unknown,
                                                long bits) {
  for (Expr e : es) {
    const Poly p = field.convert(e).num;
    const auto sum = as_exponential_polynomial(field, p, unknown);
    const auto zeros = sum ? real_zeros(*sum, bits, p.ring().budget()) : std::nullopt;
    if (!zeros) continue;
    Boxes result;
    for (const Ball& zero : *zeros) result.push_back({zero});
    return result;
  }
  return std::nullopt;
}

std::optional<Boxes> find_solutions(Algebra& algebra, std::span<const Expr> equations,
                                    std::span<const Expr> unknowns, long bits) {
  std::vector<Expr> es;
  for (Expr equation : equations) es.push_back(rewrite(algebra, equation));
  Field field = make_field(algebra, es);
  if (unknowns.size() == 1) {
    if (auto found = solutions_with_exponential(field, es, unknowns[0], bits)) {
      std::erase_if(
          *found, [&](const std::vector<Ball>& box) { return is_excluded(equations, unknowns, box, bits); });
      return found;
    }
  }
  const auto places = places_of(field, unknowns);
  if (!places || field.generators().size() > most_variables) return std::nullopt;
  std::vector<Poly> polys;
  for (Expr e : es) {
    Poly p = field.convert(e).num;
    if (!p.is_zero()) polys.push_back(std::move(p));
  }
  for (Poly& relation : field.relation_polynomials()) polys.push_back(std::move(relation));
  std::vector<std::vector<Ball>> roots;
  for (const auto& [place, unit] : *places) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < field.generators().size(); ++i) {
      if (i != place) others.push_back(i);
    }
    const auto alone = eliminant(polys, std::move(others), place);
    if (!alone) return std::nullopt;
    roots.push_back(isolated_roots(*alone, place, bits));
    if (unit == 1) continue;
    std::erase_if(roots.back(), [](const Ball& root) { return root.is_negative(); });  // sqrt(x) >= 0
    for (Ball& root : roots.back()) arb_pow_ui(root.raw(), root.raw(), static_cast<ulong>(unit), bits);
  }
  auto boxes = combinations(roots);
  if (boxes) {
    std::erase_if(*boxes,
                  [&](const std::vector<Ball>& box) { return is_excluded(equations, unknowns, box, bits); });
  }
  return boxes;
}

}  // namespace

std::optional<Boxes> real_solutions(Algebra& algebra, std::span<const Expr> equations,
                                    std::span<const Expr> unknowns, long bits) {
  if (equations.empty() || unknowns.empty() || unknowns.size() > most_variables) return std::nullopt;
  const CallScope scope(algebra);
  try {
    return find_solutions(algebra, equations, unknowns, bits);
  } catch (const LimitReached&) {
    return std::nullopt;
  } catch (const NotCanonical&) {
    return std::nullopt;
  } catch (const Error&) {  // a denominator vanishes identically
    return std::nullopt;
  }
}

}  // namespace liaison
