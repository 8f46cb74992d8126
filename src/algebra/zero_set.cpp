#include "zero_set.hpp"

#include <algorithm>
#include <utility>

#include "analytic_dimension.hpp"
#include "liaison/expr/traverse.hpp"
#include "one_sign.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_branches = 400;
constexpr std::size_t factored_terms = 400;    // a longer polynomial is not factored
constexpr std::size_t reduced_terms = 40'000;  // a longer remainder ends the search

Poly primitive(const Poly& p) {
  if (p.is_zero()) return p;
  return exact_quotient(p, p.content());
}

Poly leading_coefficient(const Poly& p, std::size_t variable) {
  return split_by_power(p, variable, 1).back();
}

/// c^k a = q b + remainder, with c the leading coefficient of b in the variable, over common factors.
Poly pseudo_remainder(Poly a, const Poly& b, std::size_t variable) {
  const unsigned long degree = b.degree(variable);
  const Poly lead = leading_coefficient(b, variable);
  while (!a.is_zero() && a.degree(variable) >= degree) {
    const unsigned long excess = a.degree(variable) - degree;
    const Poly top = leading_coefficient(a, variable);
    const Poly common = gcd(lead, top);
    const Poly shift = excess == 0 ? Poly(a.ring(), 1) : Poly::variable(a.ring(), variable, excess);
    a = a * exact_quotient(lead, common) - b * (exact_quotient(top, common) * shift);
    if (a.terms() > reduced_terms) throw LimitReached{"a remainder modulo the relations is too long"};
    a = primitive(a);
    if (degree == 0) break;
  }
  return a;
}

/// A polynomial of the same sign at every zero of b: nothing is divided by, and c^k is positive. Nothing
/// where the sign of c is not seen.
std::optional<Poly> with_same_sign(const Field& field, Poly a, Poly b, std::size_t variable) {
  constexpr std::size_t most_terms = 400;
  const unsigned long degree = b.degree(variable);
  Poly lead = leading_coefficient(b, variable);
  const std::optional<OneSign> sign = one_sign(field, lead);
  if (!sign || !sign->positive) return std::nullopt;
  if (sign->sign < 0) {
    b = -b;
    lead = -lead;
  }
  while (!a.is_zero() && a.degree(variable) >= degree) {
    const unsigned long excess = a.degree(variable) - degree;
    const Poly shift = excess == 0 ? Poly(a.ring(), 1) : Poly::variable(a.ring(), variable, excess);
    a = a * lead - b * (leading_coefficient(a, variable) * shift);
    if (a.terms() > most_terms) return std::nullopt;
  }
  return a;
}

/// A polynomial of a chain, solved for a variable. Its leading coefficient does not vanish on the part.
struct Link {
  Poly p;
  std::size_t variable;
};

/// A part of the zero set on the way to its chain of polynomials, each in one variable more.
struct Part {
  std::vector<Poly> equations;  ///< still to be taken into the chain
  std::vector<Poly> nonzero;
  std::vector<Poly> assumed;
  std::vector<Poly> divided;
  std::vector<PolyBound> bounds;
  Poly goal;
  std::size_t least_dimension = 0;  ///< of a component: symbols minus equations
  std::vector<Link> chain = {};
  int rounds = 0;               ///< that the chain was taken apart again
  bool special = false;         ///< a case that holds for special values of parameters alone
  bool is_lost = false;         ///< zeros of what is assumed or divided by, within another part
  std::vector<Poly> choices{};  ///< the equations that led here
};

class Decomposition {
 public:
  Decomposition(const Field& field, bool forgives_parameters, std::size_t most_open)
      : field_(field), dimension_(field), forgives_parameters_(forgives_parameters), most_open_(most_open) {}

  /// A component is not smaller, where so many equations are asked of the generators.
  std::size_t least_dimension(std::size_t equations) const {
    const std::size_t asked = equations + dimension_.excess(), variables = field_.ring().variables();
    return variables > asked ? variables - asked : 0;
  }

  /// Goes through the part; what is open of it is noted.
  void follow(Part part) {
    if (is_over_) return;
    if (++branches_ > most_branches) throw LimitReached{"the relations have too many components"};
    while (!is_over_) {
      // it holds on all of the part, which may have points
      if (part.goal.is_zero() && part.assumed.empty() && part.divided.empty() && !part.is_lost) {
        answer_.empty = false;
        return;
      }
      const Step step = simplify(part);
      if (step == Step::ended) return;
      if (step == Step::changed) continue;
      if (part.equations.empty()) return conclude(part);
      eliminate(part);
      if (ended_) {
        ended_ = false;
        return;
      }
    }
  }

  bool has_open_parts() const { return !answer_.open.empty(); }

  ZeroSetAnswer answer(bool is_complete) {
    answer_.vanishes = is_complete && is_zero_;
    answer_.open_is_all = is_complete && !is_over_;
    return answer_;
  }

 private:
  enum class Step { unchanged, changed, ended };

  bool cannot_vanish(const Part& part, const Poly& p) const {
    if (is_never_zero(field_, p)) return true;
    const auto divides_into = [&](const std::vector<Poly>& list) {
      return std::any_of(list.begin(), list.end(), [&](const Poly& known) {
        Poly quotient(p.ring());
        return fmpz_mpoly_divides(quotient.raw(), known.raw(), p.raw(), p.ring().raw());
      });
    };
    return divides_into(part.nonzero);
  }

  /// Factors of an equation that may vanish, each once.
  std::vector<Poly> open_factors(const Part& part, const Poly& p) const {
    std::vector<Poly> result;
    if (p.terms() > factored_terms) return {p};
    for (PolyFactor& factor : liaison::factor(p).factors) {
      if (!cannot_vanish(part, factor.base)) result.push_back(std::move(factor.base));
    }
    return result;
  }

  /// Drops what is zero, splits products, uses signs. `ended`: the part is empty or was followed elsewhere.
  Step simplify(Part& part) {
    for (std::size_t k = 0; k < part.equations.size(); ++k) {
      Poly& equation = part.equations[k];
      if (equation.is_zero()) {
        part.equations.erase(part.equations.begin() + static_cast<std::ptrdiff_t>(k));
        return Step::changed;
      }
      if (settled_.contains_same(equation)) continue;
      std::vector<Poly> factors = open_factors(part, equation);
      if (factors.empty()) return Step::ended;  // no point here
      if (factors.size() > 1) {
        split(part, k, factors);
        return Step::ended;
      }
      if (!(factors.front() == equation)) {
        equation = factors.front();
        part.choices.push_back(equation);
        return Step::changed;
      }
      if (take_terms_apart(part, k)) return Step::changed;
      settled_.add(equation);
    }
    return Step::unchanged;
  }

  void split(const Part& part, std::size_t k, const std::vector<Poly>& factors) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      Part branch = part;
      branch.equations[k] = factors[i];
      branch.special = branch.special || has_parameters_alone(factors[i]);
      branch.choices.push_back(factors[i]);
      for (std::size_t j = 0; j < i; ++j) branch.nonzero.push_back(factors[j]);
      follow(std::move(branch));
    }
  }

  /// A sum of squares is zero where each is.
  bool take_terms_apart(Part& part, std::size_t k) {
    if (part.equations[k].terms() < 2) return false;
    std::optional<OneSign> sum = one_sign(field_, part.equations[k]);
    if (!sum) return false;
    part.least_dimension -= std::min(part.least_dimension, sum->parts.size() - 1);
    part.equations.erase(part.equations.begin() + static_cast<std::ptrdiff_t>(k));
    for (Poly& term : sum->parts) {
      part.special = part.special || has_parameters_alone(term);
      part.choices.push_back(term);
      part.equations.push_back(std::move(term));
    }
    return true;
  }

  struct Choice {
    std::size_t equation = 0, variable = 0;
    unsigned long degree = 0;
    std::size_t cost = 0;
  };

  /// Low degree first, then a variable that other equations have too, then a leading coefficient that cannot
  /// vanish, then few terms. A square that is solved for alone, r^2 = x^2 + y^2 beside x^2 + y^2 = l^2, would
  /// hide that r^2 - l^2 has factors.
  std::optional<Choice> choose(const Part& part) const {
    std::optional<Choice> best;
    for (std::size_t k = 0; k < part.equations.size(); ++k) {
      const Poly& equation = part.equations[k];
      for (std::size_t v = 0; v < equation.ring().variables(); ++v) {
        const unsigned long degree = equation.degree(v);
        if (degree == 0) continue;
        const Poly lead = leading_coefficient(equation, v);
        const std::size_t doubt = lead.is_constant() ? 0 : cannot_vanish(part, lead) ? 1 : 4;
        const std::size_t parameter = is_parameter(v) ? 2 : 0;
        const std::size_t alone = degree > 1 && !is_in_others(part, k, v) ? 50'000 : 0;
        const std::size_t cost = 100'000 * (degree - 1) + alone + 10'000 * (doubt + parameter) +
                                 std::min<std::size_t>(equation.terms(), 9'999);
        if (!best || cost < best->cost) best = Choice{k, v, degree, cost};
      }
    }
    return best;
  }

  static bool is_in_others(const Part& part, std::size_t equation, std::size_t variable) {
    for (std::size_t k = 0; k < part.equations.size(); ++k) {
      if (k != equation && part.equations[k].degree(variable) > 0) return true;
    }
    return false;
  }

  bool is_parameter(std::size_t variable) const {
    const Expr atom = field_.generators()[variable].atom;
    const std::vector<Expr> symbols = symbols_in(atom);
    return !atom.is(Op::apply) && std::all_of(symbols.begin(), symbols.end(), [](Expr symbol) {
      return symbol.symbol().kind == SymbolKind::parameter;
    });
  }

  bool has_parameters_alone(const Poly& p) const {
    for (std::size_t v = 0; v < p.ring().variables(); ++v) {
      if (p.degree(v) > 0 && !is_parameter(v)) return false;
    }
    return true;
  }

  static bool has_one_variable(const Poly& p, std::size_t variable) {
    for (std::size_t v = 0; v < p.ring().variables(); ++v) {
      if (v != variable && p.degree(v) > 0) return false;
    }
    return true;
  }

  /// Equations in this variable alone are one: their greatest common divisor. By remainders, each of them
  /// factored, two of degree 200 take minutes.
  static bool unite(Part& part, const Choice& choice) {
    const Poly pivot = part.equations[choice.equation];
    if (!has_one_variable(pivot, choice.variable)) return false;
    for (std::size_t k = 0; k < part.equations.size(); ++k) {
      Poly& other = part.equations[k];
      if (k == choice.equation || other.degree(choice.variable) == 0 ||
          !has_one_variable(other, choice.variable))
        continue;
      part.equations[choice.equation] = gcd(pivot, other);
      part.choices.push_back(part.equations[choice.equation]);
      other = Poly(pivot.ring());
      return true;
    }
    return false;
  }

  /// One equation solved for one variable and reduced out of the others; or, where its leading coefficient
  /// may vanish, both cases.
  void eliminate(Part& part) {
    const Choice choice = *choose(part);
    if (unite(part, choice)) return;
    const Poly pivot = part.equations[choice.equation];
    const Poly lead = leading_coefficient(pivot, choice.variable);
    if (!cannot_vanish(part, lead)) {
      Part zero = part;
      const Poly top = lead * Poly::variable(pivot.ring(), choice.variable, choice.degree);
      zero.equations[choice.equation] = pivot - top;
      zero.equations.push_back(lead);
      zero.special = zero.special || has_parameters_alone(lead);
      zero.choices.push_back(lead);
      follow(std::move(zero));
      part.nonzero.push_back(lead);
    }
    bool alone = true;
    for (std::size_t k = 0; k < part.equations.size(); ++k) {
      if (k == choice.equation || part.equations[k].degree(choice.variable) == 0) continue;
      if (part.equations[k].degree(choice.variable) >= choice.degree)
        part.equations[k] = pseudo_remainder(std::move(part.equations[k]), pivot, choice.variable);
      alone = alone && part.equations[k].degree(choice.variable) == 0;
    }
    if (!alone) return;  // another one has a lower degree in the variable now
    part.equations.erase(part.equations.begin() + static_cast<std::ptrdiff_t>(choice.equation));
    part.chain.push_back({pivot, choice.variable});
    part.goal = pseudo_remainder(std::move(part.goal), pivot, choice.variable);
    const auto reduce = [&](std::vector<Poly>& list) {
      for (Poly& p : list) p = pseudo_remainder(std::move(p), pivot, choice.variable);
    };
    reduce(part.nonzero);
    reduce(part.assumed);
    reduce(part.divided);
    reduce_bounds(part.bounds, part.chain.back());
    ended_ =
        std::any_of(part.nonzero.begin(), part.nonzero.end(), [](const Poly& p) { return p.is_zero(); }) ||
        contradict(part.bounds);
  }

  bool contradict(const std::vector<PolyBound>& bounds) const {
    return std::any_of(bounds.begin(), bounds.end(), [&](const PolyBound& one) {
      return cannot_hold(one) || std::any_of(bounds.begin(), bounds.end(), [&](const PolyBound& other) {
               return (one.strict || other.strict) && without_size(one.p) == -without_size(other.p);
             });
    });
  }

  static Poly without_size(const Poly& p) {
    return p.is_zero() ? p : exact_quotient(p, p.content().sign() < 0 ? -p.content() : p.content());
  }

  /// One whose sign is lost on the way says nothing more.
  void reduce_bounds(std::vector<PolyBound>& bounds, const Link& by) const {
    std::erase_if(bounds, [&](PolyBound& bound) {
      if (bound.p.degree(by.variable) == 0) return false;
      auto reduced = with_same_sign(field_, bound.p, by.p, by.variable);
      if (reduced) bound.p = std::move(*reduced);
      return !reduced;
    });
  }

  bool cannot_hold(const PolyBound& bound) const {
    if (bound.p.is_zero()) return bound.strict;
    const std::optional<OneSign> sum = one_sign(field_, bound.p);
    return sum && sum->sign < 0 && (bound.strict || sum->positive);
  }

  /// All equations are in the chain.
  void conclude(const Part& part) {
    const auto vanishes = [](const Poly& p) { return p.is_zero(); };
    const bool is_divided = std::any_of(part.divided.begin(), part.divided.end(), vanishes);
    const bool lost =
        part.is_lost || is_divided || std::any_of(part.assumed.begin(), part.assumed.end(), vanishes);
    if (!lost && !part.goal.is_zero() && take_chain_apart(part)) return;
    answer_.empty = false;
    if (lost) {
      const std::size_t dimension = dimension_of(part);
      const bool is_forgiven = part.special && forgives_parameters_;
      if (is_divided || (dimension >= part.least_dimension && !is_forgiven))
        answer_.lost_dimension = std::max(answer_.lost_dimension.value_or(0), dimension);
      if (is_divided) answer_.open.push_back(part.choices);
      return;
    }
    follow_what_is_lost_within(part);
    if (part.goal.is_zero()) return;
    is_zero_ = false;
    answer_.open.push_back(part.choices);
    is_over_ = ++open_parts_ >= most_open_;
  }

  /// Zeros of an assumption lie in the closure of the rest of the part where polynomials tell dimensions.
  /// Where they do not, they are looked at by themselves.
  void follow_what_is_lost_within(const Part& part) {
    if (dimension_.excess() == 0) return;
    for (const auto* list : {&part.assumed, &part.divided}) {
      for (const Poly& p : *list) {
        if (is_over_ || cannot_vanish(part, p)) continue;
        Part zeros = part;
        zeros.equations = {p};
        for (const Link& link : part.chain) zeros.equations.push_back(link.p);
        zeros.chain.clear();
        zeros.assumed.clear();
        zeros.divided.clear();
        zeros.is_lost = true;
        zeros.special = zeros.special || has_parameters_alone(p);
        zeros.choices.push_back(p);
        follow(std::move(zeros));
      }
    }
  }

  std::size_t dimension_of(const Part& part) const {
    std::vector<Poly> chain;
    for (const Link& link : part.chain) chain.push_back(link.p);
    return dimension_.bound(chain);
  }

  /// What a later polynomial of the chain says may split an earlier one, or contradict it: x^2*(y^2 - r^2) +
  /// y^2*z^2 where y = 0. True if the part was followed again, or has no point.
  bool take_chain_apart(const Part& part) {
    constexpr int most_rounds = 2;
    std::vector<Poly> reduced;
    bool is_new = false;
    for (std::size_t i = 0; i < part.chain.size(); ++i) {
      Poly p = part.chain[i].p;
      for (std::size_t j = i + 1; j < part.chain.size(); ++j)
        p = pseudo_remainder(std::move(p), part.chain[j].p, part.chain[j].variable);
      if (p.is_zero()) return false;
      is_new = is_new || !(primitive(p) == primitive(part.chain[i].p));
      reduced.push_back(std::move(p));
    }
    if (!is_new || part.rounds == most_rounds) return false;
    Part again = part;
    again.equations = std::move(reduced);
    again.chain.clear();
    ++again.rounds;
    follow(std::move(again));
    return true;
  }

  /// Equations that were looked at and cannot be split.
  class Settled {
   public:
    bool contains_same(const Poly& p) const {
      return std::any_of(known_.begin(), known_.end(), [&](const Poly& other) { return other == p; });
    }
    void add(const Poly& p) { known_.push_back(p); }

   private:
    std::vector<Poly> known_;
  };

  const Field& field_;
  AnalyticDimension dimension_;
  bool forgives_parameters_;
  std::size_t most_open_;
  std::size_t branches_ = 0, open_parts_ = 0;
  bool is_zero_ = true;   ///< the goal, on all parts so far
  bool is_over_ = false;  ///< enough open parts
  bool ended_ = false;
  Settled settled_;
  ZeroSetAnswer answer_{
      .vanishes = false, .empty = true, .lost_dimension = std::nullopt, .open = {}, .open_is_all = false};
};

}  // namespace

ZeroSetAnswer decide_on_zero_set(const Field& field, const ZeroSetQuestion& question) {
  Decomposition decomposition(field, question.forgives_parameters, question.most_open);
  try {
    decomposition.follow(Part{question.equations, question.nonzero, question.assumed, question.divided,
                              question.bounds, question.goal,
                              decomposition.least_dimension(question.equations.size())});
  } catch (const LimitReached&) {
    if (!decomposition.has_open_parts()) throw;
    return decomposition.answer(false);
  }
  return decomposition.answer(true);
}

}  // namespace liaison
