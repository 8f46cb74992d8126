#include "candidate.hpp"

#include <algorithm>
#include <array>

#include "expr/raw.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr std::array<long, 4> precisions{128, 512, 2048, 4096};
constexpr int most_undecided = 4;  // candidates at all precisions; then the first two must do

std::string in_words(const Requirement& requirement) {
  constexpr std::size_t longest = 200;  // operations
  if (count_written_operations(requirement.e) > longest) return "a requirement fails";
  return to_infix(Domain{requirement}) + " fails";
}

/// With what is known exactly in it; nothing where that is undefined.
std::optional<std::vector<Expr>> with_exact_values(const Candidate& candidate, const Slots& slots,
                                                   std::span<const Expr> es, Insert insert) {
  Substitution known;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!candidate.exact[i]) continue;
    const Expr symbol = slots[i].symbol;
    known.emplace(symbol, symbol.pool().number(*candidate.exact[i]));
  }
  if (insert == Insert::numbers_and_zeros) {
    for (Expr zero : candidate.zeros) {
      known.emplace(zero, zero.pool().number(0));
      known.emplace(-zero, zero.pool().number(0));
    }
  }
  try {
    return substitute(es, known);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool has_pieces(std::span<const Expr> es) {
  const std::vector<Expr> nodes = postorder(es);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr e) {
    return e.is(Op::abs) || e.is(Op::sign) || e.is(Op::min) || e.is(Op::max) || e.is(Op::atan2);
  });
}

}  // namespace

const BallPoint* Candidate::balls(const Slots& slots, long bits) const {
  if (last_bits_ != bits) {
    last_ = sharp_balls(slots, bits);
    last_bits_ = bits;
  }
  return last_ ? &*last_ : nullptr;
}

std::optional<BallPoint> Candidate::sharp_balls(const Slots& slots, long bits) const {
  if (!boxes.empty()) bits = with_bits_for_parts(system, std::max(bits, bits_of_a_box) + 32);
  BallPoint result;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (exact[i]) result.emplace(slots[i].symbol, Ball(*exact[i], bits));
  }
  if (boxes.empty()) return result;
  std::vector<Ball> start;
  for (const auto& [slot, box] : boxes) start.push_back(box);
  auto sharp = sharpen(system, result, start, bits);
  if (!sharp) return std::nullopt;
  auto next = sharp->begin();
  for (const auto& [slot, box] : boxes) result.emplace(slots[slot].symbol, std::move(*next++));
  return result;
}

BallValues evaluate_at(const Candidate& candidate, const Slots& slots, std::span<const Expr> es, long bits,
                       Insert insert) {
  const BallPoint* point = candidate.balls(slots, bits);
  BallValues result;
  result.status = EvaluationStatus::precision_limit;
  if (!es.empty()) result.culprit = es.front();
  if (point == nullptr) return result;
  const bool may_be_at_a_jump = !candidate.equations.empty() && has_pieces(es);
  if (!may_be_at_a_jump) {
    result = evaluate_balls(es, *point, bits);
    if (result.status != EvaluationStatus::precision_limit) return result;
  }
  const auto exact = with_exact_values(candidate, slots, es, insert);
  return exact ? evaluate_balls(*exact, *point, bits) : result;
}

DomainCheck::DomainCheck(Algebra& algebra, const Slots& slots, const Region& region,
                         std::span<const Expr> asked)
    : algebra_(algebra), slots_(slots) {
  for (const Requirement& requirement : region.domain)
    domain_.push_back({slots.hide(requirement.e), requirement.bound});
  for (const auto& slot : slots.all()) {
    if (slot.is_positive()) domain_.push_back({slot.symbol, Bound::positive});
  }
  for (const Requirement& requirement : domain_) needed_.push_back(requirement.e);
  for (Expr e : slots.hide(asked)) needed_.push_back(e);
  for (const auto& slot : slots.all()) {  // an unknown function has a value only where its arguments have
    needed_.insert(needed_.end(), slot.arguments.begin(), slot.arguments.end());
  }
  of_asked_ = natural_domain(std::span(needed_).subspan(domain_.size()));
  for (const Requirement& requirement : of_asked_) needed_by_asked_.push_back(requirement.e);
}

bool DomainCheck::is_exactly_zero(Expr e, const Candidate& candidate, long bits) const {
  const auto number = with_exact_values(candidate, slots_, std::span(&e, 1), Insert::numbers_and_zeros);
  if (!number || !number->front().is_constant()) return false;
  if (number->front().is_number()) return number->front().is_zero();
  return bits == precisions.back() && algebra_.is_zero(number->front()).is_proved();
}

DomainCheck::Answer DomainCheck::holds(const Requirement& requirement, const Ball& value,
                                       const Candidate& candidate, long bits) const {
  if (value.is_positive()) return Answer::yes;
  if (value.is_negative()) return requirement.bound == Bound::nonzero ? Answer::yes : Answer::no;
  if (!is_exactly_zero(requirement.e, candidate, bits)) {
    const bool enough = requirement.bound == Bound::nonnegative && arb_is_nonnegative(value.raw());
    return enough ? Answer::yes : Answer::open;
  }
  return requirement.bound == Bound::nonnegative ? Answer::yes : Answer::no;
}

DomainCheck::Answer DomainCheck::all_hold(const Domain& domain, const BallValues& values,
                                          const Candidate& candidate, long bits, std::string& failure) const {
  Answer answer = Answer::yes;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const Answer found = holds(domain[i], values.values[i], candidate, bits);
    if (found == Answer::yes) continue;
    failure = in_words(domain[i]);
    if (found == Answer::no) return found;
    answer = found;
  }
  return answer;
}

/// An equation holds only where it has a value: the factor that vanishes is not enough.
bool DomainCheck::has_values(const Candidate& candidate, std::string& failure) const {
  if (candidate.equations.empty()) return true;
  for (long bits : precisions) {
    const BallValues values = evaluate_at(candidate, slots_, candidate.equations, bits, Insert::numbers);
    if (values.status == EvaluationStatus::ok) return true;
    failure = values.reason();
    if (values.status != EvaluationStatus::precision_limit) return false;
  }
  return false;
}

/// With 0 put in for the equations a product loses its other factors: sin(x)/sqrt(1 - cos(x)^2) becomes 0
/// where sin(x) = 0, and has no value there.
bool DomainCheck::has_values_unreplaced(const Candidate& candidate, std::string& failure) const {
  return candidate.zeros.empty() || of_asked_.empty() ||
         all_hold_at(candidate, of_asked_, needed_by_asked_, failure);
}

/// The precision is raised until every requirement is decided; `needed` begins with their expressions.
bool DomainCheck::all_hold_at(const Candidate& candidate, const Domain& domain, std::span<const Expr> needed,
                              std::string& failure) const {
  for (long bits : precisions) {
    if (bits > precisions[1] && undecided_ >= most_undecided) return false;
    const BallValues values = evaluate_at(candidate, slots_, needed, bits);
    if (values.status == EvaluationStatus::ok) {
      const Answer answer = all_hold(domain, values, candidate, bits, failure);
      if (answer != Answer::open) return answer == Answer::yes;
    } else {
      failure = values.reason();
      if (values.status != EvaluationStatus::precision_limit) return false;
    }
  }
  ++undecided_;
  return false;
}

bool DomainCheck::contains(const Candidate& candidate, std::string& failure) const {
  return has_values(candidate, failure) && has_values_unreplaced(candidate, failure) &&
         all_hold_at(candidate, domain_, needed_, failure);
}

std::optional<int> DomainCheck::sign(const Candidate& candidate, Expr e) const {
  for (long bits : precisions) {
    const BallValues found = evaluate_at(candidate, slots_, std::span(&e, 1), bits);
    if (found.status == EvaluationStatus::precision_limit) continue;
    if (found.status != EvaluationStatus::ok) return std::nullopt;
    if (found.values[0].is_positive()) return 1;
    if (found.values[0].is_negative()) return -1;
    if (is_exactly_zero(e, candidate, bits)) return 0;
  }
  return std::nullopt;
}

}  // namespace liaison
