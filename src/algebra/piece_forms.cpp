#include "piece_forms.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "liaison/expr/domain.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "rewrite.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_terms = 60;  // of what is made shorter

bool has_value_everywhere(Expr e) {
  return natural_domain(std::array{e}).empty();
}

struct Multiple {
  Poly p;
  Rational times;
};

/// times*p + d*q for integers such that a common term leaves; the shortest of these, if shorter than p.
std::optional<Multiple> shorter_by(const Poly& p, const Poly& q) {
  std::map<Exponents, Rational> terms;
  Exponents exponents;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    p.exponents(i, exponents);
    terms.emplace(exponents, p.coefficient(i));
  }
  std::optional<Multiple> best;
  for (std::size_t i = 0; i < q.terms(); ++i) {
    q.exponents(i, exponents);
    const auto common = terms.find(exponents);
    if (common == terms.end()) continue;
    Poly sum = scaled(p, q.coefficient(i)) - scaled(q, common->second);
    if (sum.terms() < (best ? best->p.terms() : p.terms())) best = Multiple{std::move(sum), q.coefficient(i)};
  }
  return best;
}

Expr shortest_on(Algebra& algebra, Expr u, std::span<const Expr> equations) {
  const CallScope scope(algebra);
  try {
    std::vector<Expr> es{rewrite(algebra, u)};
    for (Expr equation : equations) {
      if (has_value_everywhere(equation)) es.push_back(rewrite(algebra, equation));
    }
    Field field = make_field(algebra, es);
    const Fraction value = field.convert(es[0]);
    if (!value.den.is_constant() || value.num.terms() > most_terms) return u;
    Poly p = value.num;
    Rational times = value.den.coefficient(0);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = 1; k < es.size() && !p.is_zero(); ++k) {
        const Fraction equation = field.convert(es[k]);
        if (equation.num.terms() > most_terms) continue;
        auto shorter = shorter_by(p, equation.num);
        if (!shorter) continue;
        p = std::move(shorter->p);
        times *= shorter->times;
        again = true;
      }
    }
    if (p.terms() == value.num.terms()) return u;
    const Expr found = field.to_expr(p) / times;
    return has_value_everywhere(found) ? found : u;
  } catch (const LimitReached&) {
    return u;
  } catch (const NotCanonical&) {
    return u;
  }
}

}  // namespace

std::vector<Expr> with_short_pieces(Algebra& algebra, std::span<const Expr> es,
                                    std::span<const Expr> equations) {
  std::vector<Expr> result(es.begin(), es.end());
  if (equations.empty()) return result;
  Substitution shorter;
  for (Expr e : postorder(es)) {
    if (!e.is(Op::sign) && !e.is(Op::abs)) continue;
    const Expr u = e.arg(0);
    if (!has_value_everywhere(u)) continue;
    const Expr found = shortest_on(algebra, u, equations);
    if (found != u) shorter.emplace(e, e.is(Op::sign) ? sign(found) : abs(found));
  }
  return substitute(result, shorter);
}

}  // namespace liaison
