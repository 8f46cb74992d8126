#include "region_proof.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "algebraic_constants.hpp"
#include "function_identities.hpp"
#include "implied_sign.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "one_sign.hpp"
#include "rewrite.hpp"
#include "zero_set.hpp"

namespace liaison {

namespace {

constexpr int most_splits = 5;  // 3^5 combinations of sides
constexpr std::uint64_t operations_beside_pieces = 500'000;

bool is_no_value(const Error& error) {
  return error.code() == ErrorCode::undefined_constant || error.code() == ErrorCode::division_by_zero;
}

RegionProof not_proved(std::string reason) {
  RegionProof proof;
  proof.reason = std::move(reason);
  return proof;
}

/// What is assumed vanishes on all of it: nothing is known there.
RegionProof lost_everywhere() {
  RegionProof proof = not_proved("what is divided by vanishes on a component of the states");
  proof.divided = true;
  return proof;
}

void add_to(Region& region, const Region& more) {
  region.equations.insert(region.equations.end(), more.equations.begin(), more.equations.end());
  region.domain.insert(region.domain.end(), more.domain.begin(), more.domain.end());
}

/// There is nothing to show, or no point at which it would have to be shown.
RegionProof vacuous(bool empty) {
  RegionProof proof;
  proof.proved = true;
  proof.empty = empty;
  return proof;
}

/// All expressions of a question in one list, so that they are replaced together.
struct Question {
  Expr goal;
  Region region;
  bool forgives_parameters = false;
  std::size_t most_open = 1;

  std::vector<Expr> all() const {
    std::vector<Expr> list{goal};
    list.insert(list.end(), region.equations.begin(), region.equations.end());
    list.insert(list.end(), region.assumed.begin(), region.assumed.end());
    for (const Requirement& requirement : region.domain) list.push_back(requirement.e);
    return list;
  }
  void take(const std::vector<Expr>& list) {
    auto next = list.begin();
    goal = *next++;
    for (Expr& e : region.equations) e = *next++;
    for (Expr& e : region.assumed) e = *next++;
    for (Requirement& requirement : region.domain) requirement.e = *next++;
  }
};

/// Where the relations have a value. The goal may be derived (accelerations in closed form): what it divides
/// by is no property of the region.
Domain domain_of_relations(const Question& question) {
  Domain domain = question.region.domain;
  add_requirements(domain, natural_domain(question.region.equations));
  return domain;
}

/// symbol = value from an equation that is linear in it with a number in front; where several are possible,
/// first one that stands inside a function.
struct Solved {
  std::size_t equation = 0;
  Expr symbol, value;
};

bool stands_inside_a_function(std::span<const Expr> es, Expr symbol) {
  for (Expr e : postorder(es)) {
    const bool is_plain = e.is(Op::add) || e.is(Op::mul) || e.args().empty() ||
                          (e.is(Op::pow) && e.arg(1).number().is_integer());
    if (is_plain) continue;
    for (Expr arg : e.args()) {
      if (depends_on(arg, symbol)) return true;
    }
  }
  return false;
}

std::optional<Solved> solve_one(const Question& question) {
  const std::vector<Expr> all = question.all();
  std::optional<Solved> plain;
  for (std::size_t k = 0; k < question.region.equations.size(); ++k) {
    const Expr equation = question.region.equations[k];
    for (Expr symbol : symbols_in(equation)) {
      if (symbol.symbol().positive) continue;  // the value would have to be known positive
      const std::array one{symbol};
      const auto linear = linear_coefficients(equation, one);
      if (!linear || !linear->coefficients[0].is_number() || linear->coefficients[0].is_zero()) continue;
      const Solved found{k, symbol, -linear->rest / linear->coefficients[0]};
      if (stands_inside_a_function(all, symbol)) return found;
      if (!plain) plain = found;
    }
  }
  return plain;
}

/// Equations that give a symbol outright are used up. Exact on the whole region: nothing is divided by.
void solve_linear_equations(Question& question) {
  while (auto solved = solve_one(question)) {
    auto& equations = question.region.equations;
    equations.erase(equations.begin() + static_cast<std::ptrdiff_t>(solved->equation));
    question.take(substitute(question.all(), Substitution{{solved->symbol, solved->value}}));
    std::erase_if(equations, [](Expr e) { return e.is_zero(); });
  }
}

bool has_root(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr node) {
    return node.is(Op::pow) && !node.arg(1).number().is_integer() && !node.is_constant();
  });
}

/// Without the help of roots: the difference of two radicands may have roots inside.
bool follows_from(Algebra& algebra, Expr e, const Region& relations) {
  return !has_root(e) && prove_zero(algebra, e, relations).proved;
}

/// Roots of radicands that are equal on the region are one root: sqrt(1 - R33^2) and sqrt(R13^2 + R23^2) of a
/// rotation.
void unify_roots(Algebra& algebra, Question& question) {
  constexpr std::size_t most_roots = 6;
  std::vector<Expr> roots;
  const std::vector<Expr> all = question.all();
  for (Expr e : postorder(all)) {
    const bool is_root = e.is(Op::pow) && !e.arg(1).number().is_integer() && !e.is_constant();
    if (is_root && std::none_of(roots.begin(), roots.end(), [&](Expr r) { return r.arg(0) == e.arg(0); }))
      roots.push_back(e);
  }
  if (roots.size() > most_roots) return;
  Substitution same;
  for (std::size_t i = 1; i < roots.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Expr here = roots[i].arg(0), first = roots[j].arg(0);
      Region relations;  // those without roots: a root in them would be asked about again
      for (Expr e : question.region.equations) {
        if (!has_root(e)) relations.equations.push_back(e);
      }
      if (same.contains(first) || !follows_from(algebra, here - first, relations)) continue;
      same.emplace(here, first);
      break;
    }
  }
  if (same.empty()) return;
  std::unordered_map<Expr, Expr> known;
  for (Expr e : postorder(all)) {
    std::vector<Expr> args;
    for (Expr arg : e.args()) args.push_back(known.at(arg));
    const bool is_root = e.is(Op::pow) && !e.arg(1).number().is_integer();
    if (const auto found = same.find(e.args().empty() ? e : e.arg(0)); is_root && found != same.end())
      args[0] = found->second;
    known.emplace(e, args.empty() ? e : algebra.pool().rebuild(e, args));
  }
  std::vector<Expr> replaced;
  for (Expr e : all) replaced.push_back(known.at(e));
  question.take(replaced);
}

/// Irreducible factors of what does not vanish, or of what is taken not to.
void add_factors(const Field& field, const Poly& p, std::vector<Poly>& list) {
  if (p.is_constant()) return;
  for (PolyFactor& factor : factor(p).factors) {
    if (is_never_zero(field, factor.base)) continue;
    if (std::find(list.begin(), list.end(), factor.base) == list.end())
      list.push_back(std::move(factor.base));
  }
}

bool contains(const std::vector<Poly>& list, const Poly& p) {
  return std::find(list.begin(), list.end(), p) != list.end();
}

bool is_multiple_of_one(const Poly& goal, const std::vector<Poly>& equations) {
  return std::any_of(equations.begin(), equations.end(), [&](const Poly& equation) {
    Poly quotient(goal.ring());
    return !equation.is_zero() &&
           fmpz_mpoly_divides(quotient.raw(), goal.raw(), equation.raw(), goal.ring().raw());
  });
}

/// A condition >= 0 or > 0 that rewriting brought in must be one that the text has: sqrt(x^2*y) is defined at
/// x = 0, abs(x)*sqrt(y) is not.
bool has_new_signs(Algebra& algebra, const Domain& known, std::span<const Expr> rewritten) {
  for (const Requirement& requirement : natural_domain(rewritten)) {
    if (requirement.bound == Bound::nonzero) continue;
    const Expr canonical = algebra.canonical(requirement.e).value;
    const bool is_known = std::any_of(known.begin(), known.end(), [&](const Requirement& other) {
      if (other.bound == Bound::nonzero) return false;
      if (other.e == requirement.e) return true;
      const auto [size, rest] = split_coefficient(canonical);
      const auto [other_size, other_rest] = split_coefficient(algebra.canonical(other.e).value);
      return rest == other_rest && size.sign() == other_size.sign();
    });
    if (!is_known) return true;
  }
  return false;
}

/// A radicand that is never negative as it is written, y^2 + (x - 1)^2, asks for nothing; multiplied out it
/// would.
void add_sums_of_squares(std::span<const Expr> es, Domain& domain) {
  for (Expr e : postorder(es)) {
    const bool is_root = e.is(Op::pow) && !e.arg(1).number().is_integer();
    if (is_root && is_seen_nonnegative(e.arg(0))) domain.push_back({e.arg(0), Bound::nonnegative});
  }
}

RegionProof decide_polynomials(Algebra& algebra, const Question& question) {
  const Domain domain = domain_of_relations(question);
  std::vector<Expr> es{question.goal};
  es.insert(es.end(), question.region.equations.begin(), question.region.equations.end());
  const std::size_t first_assumed = es.size();
  es.insert(es.end(), question.region.assumed.begin(), question.region.assumed.end());
  const std::size_t first_required = es.size();
  for (const Requirement& requirement : domain) es.push_back(requirement.e);
  std::vector<Expr> rewritten;
  for (Expr e : es) rewritten.push_back(rewrite(algebra, e));
  Domain as_given = domain;
  add_requirements(as_given, natural_domain(std::span(es).first(1)));
  add_sums_of_squares(es, as_given);
  if (has_new_signs(algebra, as_given, rewritten))
    return not_proved("a root was taken apart where it has a value");
  Field field = make_field(algebra, rewritten);
  std::vector<Fraction> fractions;
  for (Expr e : rewritten) fractions.push_back(field.convert(e));

  ZeroSetQuestion polynomials{field.relation_polynomials(), {}, {}, {}, {}, fractions[0].num};
  for (std::size_t i = first_required; i < es.size(); ++i) {
    const Bound bound = domain[i - first_required].bound;
    // what must not vanish does everywhere
    if (bound != Bound::nonnegative && fractions[i].is_zero()) return vacuous(true);
    // N/D != 0 says nothing of N where D vanishes by rewriting alone
    if (!is_never_zero(field, fractions[i].den)) continue;
    if (bound != Bound::nonnegative) add_factors(field, fractions[i].num, polynomials.nonzero);
    // what must be >= 0 and never is positive must vanish
    const bool has_sign = bound != Bound::nonzero;
    if (has_sign)
      polynomials.bounds.push_back({fractions[i].num * fractions[i].den, bound == Bound::positive});
    if (has_sign &&
        (is_seen_nonnegative(-es[i]) || is_never_positive(field, fractions[i].num * fractions[i].den)))
      polynomials.equations.push_back(fractions[i].num);
  }
  for (std::size_t i = 0; i < first_required; ++i) {
    if (i >= 1 && i < first_assumed) polynomials.equations.push_back(fractions[i].num);
    if (i >= first_assumed) {
      if (fractions[i].is_zero()) return lost_everywhere();
      add_factors(field, fractions[i].num, polynomials.assumed);
    }
    add_factors(field, fractions[i].den, polynomials.divided);
  }
  std::erase_if(polynomials.assumed, [&](const Poly& p) { return contains(polynomials.nonzero, p); });
  std::erase_if(polynomials.divided, [&](const Poly& p) {
    return contains(polynomials.nonzero, p) || contains(polynomials.assumed, p);
  });
  polynomials.forgives_parameters = question.forgives_parameters;
  polynomials.most_open = question.most_open;
  // a multiple of one equation: no decomposition is needed, however many there are
  if (polynomials.assumed.empty() && polynomials.divided.empty() &&
      is_multiple_of_one(polynomials.goal, polynomials.equations))
    return vacuous(false);
  const ZeroSetAnswer answer = decide_on_zero_set(field, polynomials);
  RegionProof proof;
  proof.empty = answer.vanishes && answer.empty && !answer.lost_dimension;
  proof.divided = answer.lost_dimension.has_value();
  proof.proved = answer.vanishes && !proof.divided;
  if (!proof.proved)
    proof.reason = proof.divided ? "what is divided by vanishes on a component of the states"
                                 : "it does not follow from the relations by algebra";
  for (const std::vector<Poly>& choices : answer.open) {
    Region& part = proof.open.emplace_back();
    for (const Poly& choice : choices) part.equations.push_back(field.to_expr(choice));
  }
  proof.open_is_all = answer.open_is_all;
  return proof;
}

/// Exact where the field decides, without relations.
RegionProof decide_in_field(Algebra& algebra, const Question& question) {
  if (const auto zero = question.goal.is_constant() ? is_algebraic_zero(question.goal) : std::nullopt) {
    RegionProof proof;
    proof.proved = *zero;
    proof.nonzero = !*zero;
    return proof;
  }
  const Expr rewritten = rewrite(algebra, question.goal);
  RegionProof proof;
  proof.proved = rewritten.is_zero();
  if (proof.proved) return proof;
  const std::array es{rewritten};
  Field field = make_field(algebra, es);
  const Fraction value = field.convert(rewritten);
  proof.proved = value.is_zero();
  // exp(-exp(10^6)) is smaller than any precision tells, and not zero
  proof.nonzero = !proof.proved && (field.is_independent() || is_never_zero(field, value.num));
  if (!proof.proved) proof.reason = proof.nonzero ? "" : "the generators may depend on each other";
  return proof;
}

/// The domain has no point with u = 0.
bool is_excluded(const Domain& domain, Expr u) {
  return std::any_of(domain.begin(), domain.end(), [&](const Requirement& requirement) {
    return requirement.bound != Bound::nonnegative && (requirement.e == u || requirement.e == -u);
  });
}

class Prover {
 public:
  explicit Prover(Algebra& algebra) : algebra_(algebra) {}

  RegionProof prove(Question question, int splits) {
    if (question.goal.is_zero() && question.region.assumed.empty()) return vacuous(false);
    const std::vector<Expr> all = question.all();
    const PieceArguments pieces = piece_arguments(all);
    if (!pieces.jumps.empty()) return split(question, pieces.jumps.front(), true, splits);
    if (pieces.kinks.empty()) return attempt_in_full(question);
    // what each side shows quickly may take long in one: at first within a limit
    was_cut_ = false;
    RegionProof proof = attempt_within_a_limit(question);
    if (proof.proved) return proof;
    const bool was_cut = was_cut_;
    RegionProof by_sides = split(question, pieces.kinks.front(), false, splits);
    if (by_sides.proved) return by_sides;
    if (was_cut) proof = attempt(question);
    if (proof.proved) return proof;
    if (RegionProof other = attempt_with_known_functions(question); other.proved) return other;
    proof.nonzero = proof.nonzero || by_sides.nonzero;
    proof.open.insert(proof.open.end(), by_sides.open.begin(), by_sides.open.end());
    return proof;
  }

 private:
  RegionProof attempt_in_full(const Question& question) {
    RegionProof proof = attempt(question);
    if (!proof.proved) {
      if (RegionProof other = attempt_with_known_functions(question); other.proved) return other;
    }
    return proof;
  }

  RegionProof attempt_within_a_limit(const Question& question) {
    const PartOfCall part(algebra_, operations_beside_pieces);
    return attempt(question);
  }

  /// What is written anew has a value wherever the text has one; the domain of the text stays.
  RegionProof attempt_with_known_functions(Question question) {
    add_requirements(question.region.domain, natural_domain(std::span(&question.goal, 1)));
    const Expr as_given = question.goal;
    for (const auto& write : {with_known_functions, with_arcs_of_sines}) {
      try {
        const Expr goal = write(algebra_, as_given, question.region.domain);
        if (goal == question.goal) continue;
        question.goal = goal;
      } catch (const Error& error) {
        if (!is_no_value(error)) throw;
        continue;
      }
      if (RegionProof proof = attempt(question); proof.proved) return proof;
    }
    return not_proved("");
  }

  RegionProof attempt(Question question) {
    const bool has_equations = !question.region.equations.empty();
    try {
      solve_linear_equations(question);
      if (question.region.equations.empty() && question.region.assumed.empty()) {
        RegionProof proof = decide_in_field(algebra_, question);
        if (proof.proved || question.region.domain.empty()) return proof;
      }
      if (!question.region.equations.empty()) unify_roots(algebra_, question);
      return decide_polynomials(algebra_, question);
    } catch (const LimitReached& limit) {
      was_cut_ = true;
      return not_proved(limit.reason);
    } catch (const NotCanonical& refusal) {
      return not_proved(refusal.reason);
    } catch (const Error& error) {
      if (!is_no_value(error) || !has_equations) throw;
      return lost_everywhere();  // a form of it has no value: that is no proof that the text has none
    }
  }

  /// The sides of u = 0 that have to be followed: of a jump also u = 0 itself, of a kink closed ones. One
  /// that the domain excludes has no points; of a kink none but those with u = 0, which the other side has
  /// too.
  static std::vector<int> sides_with_points(const Question& question, Expr u, bool jumps) {
    Domain known = domain_of_relations(question);
    add_requirements(known, natural_domain(std::span(&question.goal, 1)));
    std::vector<int> result;
    if (!is_implied_nonnegative(-u, known)) result.push_back(1);
    if (!is_implied_nonnegative(u, known) || (!jumps && result.empty())) result.push_back(-1);
    const bool has_zeros = !is_excluded(question.region.domain, u) && !is_implied_positive(u, known) &&
                           !is_implied_positive(-u, known);
    if (jumps && has_zeros) result.push_back(0);
    return result;
  }

  /// What has no value on a side is divided by what is assumed not to vanish, and not by what the text or the
  /// relations divide by: the side has points, of which nothing is known.
  static bool is_assumed_away(const Question& question, Expr u, int side) {
    const auto vanishes = [&](Expr e) {
      try {
        return on_side(std::array{e}, u, side)[0].is_zero();
      } catch (const Error& error) {
        if (!is_no_value(error)) throw;
        return true;
      }
    };
    const Domain domain = domain_of_relations(question);
    const bool has_points = std::none_of(domain.begin(), domain.end(), [&](const Requirement& requirement) {
      return requirement.bound != Bound::nonnegative && vanishes(requirement.e);
    });
    const auto& assumed = question.region.assumed;
    return has_points && std::any_of(assumed.begin(), assumed.end(), vanishes);
  }

  /// On each side of u = 0; of a jump also on it.
  RegionProof split(const Question& question, Expr u, bool jumps, int splits) {
    const std::vector<int> sides = sides_with_points(question, u, jumps);
    if (sides.size() > 1 && --splits < 0) return not_proved("it has too many pieces");
    RegionProof whole = vacuous(true);
    const std::vector<Expr> all = question.all();
    for (int side : sides) {
      RegionProof part;
      Region selected;
      try {
        Question piece = question;
        piece.take(on_side(all, u, side));
        if (side == 0) selected.equations.push_back(u);
        if (side != 0) {
          // the closed side of a kink: both pieces have the value of the other on the boundary
          selected.domain.push_back({side > 0 ? u : -u, jumps ? Bound::positive : Bound::nonnegative});
        }
        add_to(piece.region, selected);
        part = prove(std::move(piece), splits);
      } catch (const Error& error) {
        if (!is_no_value(error)) throw;
        // 1/sign(u) has no value on u = 0; a root of a negative constant may be one of a product that
        // vanishes
        if (error.code() != ErrorCode::division_by_zero)
          return not_proved("a side has no value as it is written");
        if (is_assumed_away(question, u, side)) return lost_everywhere();
        part = vacuous(true);
      }
      if (!part.proved) {  // other sides may have open parts, too
        for (Region& open : part.open) add_to(open, selected);
        part.open_is_all = false;
        return part;
      }
      whole.empty = whole.empty && part.empty;
      whole.divided = whole.divided || part.divided;
    }
    return whole;
  }

  Algebra& algebra_;
  bool was_cut_ = false;  ///< an attempt, by a limit
};

}  // namespace

RegionProof prove_zero(Algebra& algebra, Expr e, const Region& region, std::size_t most_open) {
  const CallScope scope(algebra);
  return Prover(algebra).prove({e, region, false, most_open}, most_splits);
}

RegionProof prove_regular(Algebra& algebra, const Region& region) {
  const CallScope scope(algebra);
  return Prover(algebra).prove({algebra.pool().number(0), region, true}, most_splits);
}

std::vector<Expr> without_outright_symbols(std::vector<Expr> equations) {
  if (equations.empty()) return equations;
  Question question{equations.front().pool().number(0), Region{std::move(equations), {}, {}}};
  solve_linear_equations(question);
  return std::move(question.region.equations);
}

}  // namespace liaison
