#include "liaison/algebra/algebra.hpp"

#include <algorithm>
#include <array>

#include "liaison/algebra/own_budget.hpp"
#include "memory.hpp"
#include "rewrite.hpp"

namespace liaison {

namespace {

/// A sum of rational multiples of monomials in symbols: already what the field would print.
bool is_expanded_polynomial(Expr e) {
  const auto is_power = [](Expr factor) {
    const auto [base, exponent] = split_power(factor);
    return factor.is_number() || (base.is(Op::symbol) && exponent.is_integer() && exponent.sign() > 0);
  };
  const auto is_monomial = [&](Expr term) {
    return term.is(Op::mul) ? std::all_of(term.args().begin(), term.args().end(), is_power) : is_power(term);
  };
  return e.is(Op::add) ? std::all_of(e.args().begin(), e.args().end(), is_monomial) : is_monomial(e);
}

/// Where the generators may be dependent a division may have gone wrong: the result must agree with e at
/// points.
bool agrees_at_points(Algebra& algebra, Expr e, Expr result) {
  if (budget_of(algebra).is_exhausted()) return false;
  const std::array es{e, result};
  PointFinder finder(algebra, {}, es, {.seed = algebra.options().seed});
  for (int i = 0; i < 2; ++i) {
    const auto point = finder.next();
    if (!point) return true;  // no point to tell them apart; the reason given says that it is not certain
    const auto values = finder.values(*point, es, 128);
    if (values && !arb_overlaps((*values)[0].raw(), (*values)[1].raw())) return false;
  }
  return true;
}

/// Prime parts of angles that coarsen_angles does not try to join.
bool has_large_prime_part(std::span<const Generator> generators) {
  return std::any_of(generators.begin(), generators.end(), [](const Generator& generator) {
    long unit = generator.kind == GeneratorKind::cosine ? generator.unit : 1;
    for (long p = 2; p <= max_coarsening_prime; ++p) {
      while (unit % p == 0) unit /= p;
    }
    return unit > 1;
  });
}

bool has_large_multiple(std::span<const Generator> generators) {
  return std::any_of(generators.begin(), generators.end(),
                     [](const Generator& generator) { return generator.multiple > 1; });
}

Canonical derive_canonical(Algebra& algebra, Expr e) {
  const Expr rewritten = rewrite(algebra, e);
  if (is_expanded_polynomial(rewritten)) return {rewritten, true, {}};
  try {
    const std::array es{rewritten};
    Field field = make_field(algebra, es);
    const Expr value = field.to_expr(field.rationalise(field.convert(rewritten)));
    if (has_large_prime_part(field.generators())) return {value, false, "an angle over a large prime"};
    if (has_large_multiple(field.generators()))
      return {value, false, "a large multiple of an angle or exponent"};
    if (field.is_independent()) return {value, true, {}};
    if (!agrees_at_points(algebra, rewritten, value)) return {rewritten, false, "dependent generators"};
    return {value, false, "the generators may depend on each other"};
  } catch (const LimitReached& limit) {
    return {rewritten, false, limit.reason};
  } catch (const NotCanonical& refusal) {
    return {rewritten, false, refusal.reason};
  }
}

/// y of sqrt(y), which has no derivative where it vanishes; factor by factor.
Expr without_roots(Expr product) {
  const std::span<const Expr> all = product.is(Op::mul) ? product.args() : std::span<const Expr>(&product, 1);
  std::vector<Expr> bases;
  for (Expr factor : all) {
    const auto [base, exponent] = split_power(factor);
    bases.push_back(!exponent.is_integer() && exponent.sign() > 0 ? base : factor);
  }
  return product.pool().mul(bases);
}

}  // namespace

CallScope::CallScope(Algebra& algebra) : memory_(algebra.memory()), is_outermost_(!memory_.budget) {
  if (!is_outermost_) return;
  const AlgebraOptions& options = algebra.options();
  count_ = std::make_shared<OperationCount>();
  count_->limit =
      memory_.claim_left ? std::min(options.max_operations, memory_.exact_left()) : options.max_operations;
  count_->interrupt = options.interrupt;
  memory_.budget.emplace(options.max_terms, options.max_operations, count_);
}

CallScope::~CallScope() {
  if (!is_outermost_) return;
  if (memory_.budget->is_exhausted() || memory_.budget->was_cut()) {
    memory_.rewritten.clear();
    memory_.canonical.clear();
    memory_.readable.clear();
  }
  memory_.budget.reset();
  if (!memory_.claim_left) return;
  // The call that the scope cut short was its last: what is left would buy later calls another ending.
  const bool was_last = count_->has_ended && count_->limit == memory_.exact_left();
  *memory_.claim_left -= std::min(*memory_.claim_left, count_->gone());
  if (was_last) *memory_.claim_left = std::min(*memory_.claim_left, memory_.reserves.back());
}

PartOfCall::PartOfCall(Algebra& algebra, std::uint64_t operations)
    : call_(algebra), count_(algebra.memory().budget->count()), limit_(count_->limit) {
  count_->limit = std::min(count_->limit, count_->gone() + operations);
}

PartOfCall::~PartOfCall() {
  if (count_->has_ended && count_->limit < limit_) {
    count_->has_ended = false;
    count_->was_cut = true;
  }
  count_->limit = limit_;
}

BudgetScope::BudgetScope(Algebra& algebra, std::uint64_t operations)
    : memory_(algebra.memory()), outer_left_(memory_.claim_left) {
  constexpr std::uint64_t share_of_points = 4;
  operations_ = std::min(operations, outer_left_.value_or(operations));
  // what the outer scope keeps for points is not for exact work in this one
  const std::uint64_t for_exact = outer_left_ ? std::min(operations_, memory_.exact_left()) : operations_;
  memory_.claim_left = operations_;
  memory_.reserves.push_back(std::max(operations_ / share_of_points, operations_ - for_exact));
}

BudgetScope::~BudgetScope() {
  memory_.reserves.pop_back();
  const std::uint64_t gone = operations_ - *memory_.claim_left;
  memory_.claim_left = outer_left_ ? std::optional(*outer_left_ - gone) : std::nullopt;
}

OwnBudget::OwnBudget(Algebra& algebra, std::uint64_t operations)
    : memory_(algebra.memory()), outer_left_(memory_.claim_left) {
  constexpr std::uint64_t share_of_points = 4;
  memory_.claim_left = operations;
  memory_.reserves.push_back(operations / share_of_points);
}

OwnBudget::~OwnBudget() {
  memory_.reserves.pop_back();
  memory_.claim_left = outer_left_;
}

/// All of it where exact work has no more.
std::uint64_t BudgetScope::spent() const {
  return memory_.exact_left() == 0 ? operations_ : operations_ - *memory_.claim_left;
}

bool charge_points(Algebra& algebra, std::uint64_t operations) {
  const std::atomic<bool>* interrupt = algebra.options().interrupt;
  if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) return false;
  AlgebraMemory& memory = algebra.memory();
  if (!memory.claim_left) return true;
  if (!memory.budget) {
    const bool is_enough = operations <= *memory.claim_left;
    *memory.claim_left -= is_enough ? operations : *memory.claim_left;
    return is_enough;
  }
  OperationCount& count = *memory.budget->count();
  const std::uint64_t gone = std::min(*memory.claim_left, count.gone());
  const bool is_enough = operations <= *memory.claim_left - gone;
  count.at_points += is_enough ? operations : *memory.claim_left - gone;
  return is_enough;
}

std::uint64_t left_for_points(Algebra& algebra) {
  const AlgebraMemory& memory = algebra.memory();
  if (!memory.claim_left) return algebra.options().max_operations;
  const std::uint64_t gone = memory.budget ? memory.budget->count()->gone() : 0;
  return *memory.claim_left - std::min(*memory.claim_left, gone);
}

Algebra::Algebra(Pool& pool, AlgebraOptions options)
    : pool_(pool), options_(options), memory_(std::make_unique<AlgebraMemory>()) {}

Algebra::~Algebra() = default;

Expr Algebra::without_repeated_factors(Expr e) {
  const CallScope scope(*this);
  try {
    const std::array es{rewrite(*this, e)};
    Field field = make_field(*this, es);
    const Fraction value = field.convert(es[0]);
    if (value.is_zero()) return e;
    const PolyFactors found = factor_squarefree(value.num);
    const bool is_plain = std::all_of(found.factors.begin(), found.factors.end(),
                                      [](const PolyFactor& part) { return part.exponent == 1; });
    if (is_plain) return e;
    std::vector<Expr> bases;
    for (const PolyFactor& part : found.factors) {
      const Expr base = field.to_expr(part.base);
      bases.push_back(part.exponent > 1 ? without_roots(base) : base);
    }
    return pool_.mul(bases);
  } catch (const LimitReached&) {
    return e;
  } catch (const NotCanonical&) {
    return e;
  }
}

Canonical Algebra::canonical(Expr e) {
  if (auto known = memory_->canonical.find(e); known != memory_->canonical.end()) return known->second;
  const CallScope scope(*this);
  const Canonical result = derive_canonical(*this, e);
  memory_->canonical.emplace(e, result);
  memory_->canonical.emplace(result.value, result);
  return result;
}

}  // namespace liaison
