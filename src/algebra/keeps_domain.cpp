#include <algorithm>
#include <optional>

#include "keeping.hpp"
#include "liaison/expr/traverse.hpp"
#include "linear.hpp"
#include "rewrite.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_compared_terms = 300;  // of a denominator that is looked at factor by factor

/// e with bound a is e with bound b too.
bool is_at_least(Bound a, Bound b) {
  return a == b || a == Bound::positive;
}

bool is_spelled(const Domain& given, const Requirement& wanted) {
  return std::any_of(given.begin(), given.end(), [&](const Requirement& known) {
    return known.e == wanted.e && is_at_least(known.bound, wanted.bound);
  });
}

/// Nothing is needed to write e over the generators but what is given.
bool is_rewritten_inside(const Domain& given, Expr rewritten) {
  const Domain needed = natural_domain(std::span(&rewritten, 1));
  return std::all_of(needed.begin(), needed.end(),
                     [&](const Requirement& wanted) { return is_spelled(given, wanted); });
}

/// Same sign everywhere: the canonical forms differ by a positive factor.
bool has_same_sign(Algebra& algebra, Expr a, Expr b) {
  const auto [a_size, a_rest] = split_coefficient(algebra.canonical(a).value);
  const auto [b_size, b_rest] = split_coefficient(algebra.canonical(b).value);
  return a_rest == b_rest && a_size.sign() == b_size.sign();
}

bool is_signed_alike(Algebra& algebra, const Domain& given, const Requirement& wanted) {
  return std::any_of(given.begin(), given.end(), [&](const Requirement& known) {
    return known.bound != Bound::nonzero && is_at_least(known.bound, wanted.bound) &&
           has_same_sign(algebra, known.e, wanted.e);
  });
}

/// The given denominators in a field with the one that is looked for.
struct Denominators {
  Field field;
  Poly wanted;
  std::vector<Poly> given;
};

/// Nothing where one of them is not the same function over the generators, or is too long.
std::optional<Denominators> denominators(Algebra& algebra, const Domain& given, Expr wanted) {
  const Expr rewritten = rewrite(algebra, wanted);
  if (!is_rewritten_inside(given, rewritten)) return std::nullopt;
  std::vector<Expr> all{rewritten};
  for (const Requirement& known : given) {
    if (known.bound == Bound::nonnegative) continue;
    const Expr other = rewrite(algebra, known.e);
    if (is_rewritten_inside(given, other)) all.push_back(other);
  }
  Field field = make_field(algebra, all);
  Poly base = field.convert(rewritten).num;
  if (base.terms() > max_compared_terms) return std::nullopt;
  std::vector<Poly> others;
  for (Expr other : std::span(all).subspan(1)) {
    Poly known = field.convert(other).num;
    if (known.terms() <= max_compared_terms) others.push_back(std::move(known));
  }
  return Denominators{std::move(field), std::move(base), std::move(others)};
}

/// Each zero of each factor is one of a given denominator. The square of that one is divided too, because
/// cos^2 is a multiple of 1 + sin, and cos is not.
bool divides_given(Algebra& algebra, const Domain& given, Expr wanted) {
  const auto all = denominators(algebra, given, wanted);
  if (!all) return false;
  const PolyFactors found = factor_if_small(all->wanted);
  return std::all_of(found.factors.begin(), found.factors.end(), [&](const PolyFactor& part) {
    return is_seen_positive(all->field, part.base) ||
           std::any_of(all->given.begin(), all->given.end(), [&](const Poly& known) {
             return has_no_new_zero(all->field, part.base, known) ||
                    has_no_new_zero(all->field, part.base, known * known);
           });
  });
}

bool is_implied(Algebra& algebra, const Domain& given, const Requirement& wanted) {
  if (is_spelled(given, wanted)) return true;
  if (wanted.bound == Bound::nonzero) return divides_given(algebra, given, wanted.e);
  if (is_signed_alike(algebra, given, wanted)) return true;
  // sqrt(u)/u is 1/sqrt(u): u >= 0 and u != 0 were asked for at different places.
  return wanted.bound == Bound::positive && is_implied(algebra, given, {wanted.e, Bound::nonnegative}) &&
         is_implied(algebra, given, {wanted.e, Bound::nonzero});
}

std::vector<Expr> sign_arguments(Expr root) {
  std::vector<Expr> result;
  for (Expr e : postorder(root)) {
    if (e.is(Op::sign)) result.push_back(e.arg(0));
  }
  return result;
}

}  // namespace

bool keeps_signs(Algebra& algebra, const Domain& domain, Expr given, Expr candidate) {
  const auto before = sign_arguments(given);
  if (before.empty()) return true;
  const auto after = sign_arguments(candidate);
  try {
    return std::all_of(before.begin(), before.end(), [&](Expr u) {
      const auto is_alike = [&](Expr v) { return u == v || has_same_sign(algebra, u, v); };
      return std::any_of(after.begin(), after.end(), is_alike) ||
             is_implied(algebra, domain, {u, Bound::nonzero});
    });
  } catch (const LimitReached&) {
    return false;
  } catch (const NotCanonical&) {
    return false;
  }
}

bool keeps_domain(Algebra& algebra, const Domain& given, Expr candidate) {
  try {
    const Domain needed = natural_domain(std::span(&candidate, 1));
    return std::all_of(needed.begin(), needed.end(),
                       [&](const Requirement& wanted) { return is_implied(algebra, given, wanted); });
  } catch (const LimitReached&) {
    return false;
  } catch (const NotCanonical&) {
    return false;
  }
}

}  // namespace liaison
