#include "liaison/expr/domain.hpp"

#include <fmt/format.h>

#include "domain_collector.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

// A deep constant is not evaluated for its sign at each of its levels, which would cost the square of its
// depth; its requirement stays.
constexpr std::uint32_t max_constant_depth = 64;

bool holds_everywhere(Expr e, Bound bound) {
  if (e.is_constant() && e.depth() > max_constant_depth) return false;
  if (bound == Bound::nonnegative) return is_seen_nonnegative(e);
  if (bound == Bound::positive || !e.is_constant()) return is_seen_positive(e);
  const auto sign = constant_sign(e);
  return sign && *sign != 0;
}

/// Both hold: x >= 0 and x != 0 are x > 0.
Bound both(Bound a, Bound b) {
  return a == b ? a : Bound::positive;
}

/// Stays within [-1, 1] as the argument of an asin or acos that could be built.
bool is_at_most_one(Expr e) {
  return e.is_number() || e.is(Op::sin) || e.is(Op::cos) || e.is(Op::tanh);
}

/// A positive number in front changes nothing.
Expr without_positive_factor(Expr e) {
  const auto [coefficient, rest] = split_coefficient(e);
  if (rest.is_one() || coefficient.is_one()) return e;
  return coefficient.sign() > 0 ? rest : -rest;
}

Expr without_sign(Expr e) {
  return has_negative_lead(e) ? -e : e;
}

/// Its zeros are those of its parts.
bool is_composed(Expr e) {
  return e.is(Op::mul) || e.is(Op::pow) || e.is(Op::abs) || e.is(Op::sign);
}

std::string_view spelled(Bound bound) {
  switch (bound) {
    case Bound::nonzero: return "!=";
    case Bound::nonnegative: return ">=";
    case Bound::positive: return ">";
  }
  return "";
}

}  // namespace

bool DomainCollector::is_new(Expr e, Bound bound) {
  unsigned& asked = *asked_.insert(e.index(), 0).first;
  const unsigned bit = 1U << static_cast<unsigned>(bound);
  if ((asked & bit) != 0) return false;
  asked |= bit;
  return true;
}

void DomainCollector::keep(Expr e, Bound bound) {
  const auto [place, is_first] = place_.insert(e.index(), domain_.size());
  if (is_first) {
    domain_.push_back({e, bound});
  } else {
    domain_[*place].bound = both(domain_[*place].bound, bound);
  }
}

void DomainCollector::need(Expr e, Bound bound) {
  waiting_.push_back({e, bound});
  while (!waiting_.empty()) {
    const auto [next, its_bound] = waiting_.back();
    waiting_.pop_back();
    if (!is_new(next, its_bound)) continue;
    if (its_bound == Bound::nonzero && is_composed(next)) {
      take_apart(next);
      continue;
    }
    const Expr bare = its_bound == Bound::nonzero ? without_sign(next) : without_positive_factor(next);
    if (!holds_everywhere(bare, its_bound)) keep(bare, its_bound);
  }
}

void DomainCollector::need(const Domain& domain) {
  for (const Requirement& requirement : domain) need(requirement.e, requirement.bound);
}

/// A product is not zero where no factor is; a power where its base is not, a root where its base is > 0.
void DomainCollector::take_apart(Expr e) {
  if (e.is(Op::mul)) {
    for (auto factor = e.args().rbegin(); factor != e.args().rend(); ++factor) {
      waiting_.push_back({*factor, Bound::nonzero});
    }
    return;
  }
  const bool root = e.is(Op::pow) && !e.arg(1).number().is_integer();
  waiting_.push_back({e.arg(0), root ? Bound::positive : Bound::nonzero});
}

void DomainCollector::need_of_power(Expr base, const Rational& exponent) {
  if (exponent.is_integer()) {
    if (exponent.sign() <= 0) need(base, Bound::nonzero);
  } else {
    need(base, exponent.sign() < 0 ? Bound::positive : Bound::nonnegative);
  }
}

void DomainCollector::need_of_power(Expr base, Expr exponent) {
  if (exponent.is_number()) return need_of_power(base, exponent.number());
  need(base, Bound::positive);
}

void DomainCollector::need_of_elementary(Op op, std::span<const Expr> args) {
  switch (op) {
    case Op::tan:
      if (!args[0].is(Op::atan)) need(cos(args[0]), Bound::nonzero);
      return;
    case Op::asin:
    case Op::acos:
      if (!is_at_most_one(args[0])) need(Rational(1) - pow(args[0], 2), Bound::nonnegative);
      return;
    case Op::log: return need(args[0], Bound::positive);
    case Op::atan2: return need(pow(args[0], 2) + pow(args[1], 2), Bound::nonzero);
    default: return;
  }
}

void add_requirement(Domain& domain, Expr e, Bound bound) {
  add_requirements(domain, {{e, bound}});
}

void add_requirements(Domain& domain, const Domain& others) {
  DomainCollector collector;
  collector.need(domain);
  collector.need(others);
  domain = collector.take();
}

Domain natural_domain(std::span<const Expr> es) {
  DomainCollector collector;
  for (Expr e : postorder(es)) {
    if (e.is(Op::pow)) {
      collector.need_of_power(e.arg(0), e.arg(1).number());
    } else {
      collector.need_of_elementary(e.op(), e.args());
    }
  }
  return collector.take();
}

std::string to_infix(const Domain& domain) {
  std::string text;
  for (const Requirement& requirement : domain) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {} 0", to_infix(requirement.e), spelled(requirement.bound));
  }
  return text;
}

}  // namespace liaison
