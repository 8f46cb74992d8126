#include "slots.hpp"

#include <algorithm>
#include <string>

#include "expr/raw.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// A name that cannot be typed: # begins a comment.
std::string hidden_name(std::size_t number) {
  return "#value" + std::to_string(number);
}

}  // namespace

Slots::Slots(Pool& pool, std::span<const Expr> es) {
  for (Expr e : postorder(es)) {
    if (e.is(Op::symbol)) {
      slots_.push_back({e, e, {}});
    } else if (e.is(Op::apply)) {
      const Expr symbol = pool.symbol(hidden_name(stand_ins_.size() + 1), SymbolKind::auxiliary);
      slots_.push_back({e, symbol, substitute(e.args(), stand_ins_)});
      stand_ins_.emplace(e, symbol);
    } else {
      continue;
    }
    symbols_.push_back(slots_.back().symbol);
  }
}

Expr Slots::hide(Expr e) const {
  return stand_ins_.empty() ? e : substitute(e, stand_ins_);
}

std::vector<Expr> Slots::hide(std::span<const Expr> es) const {
  return stand_ins_.empty() ? std::vector<Expr>(es.begin(), es.end()) : substitute(es, stand_ins_);
}

bool Slots::covers(Expr hidden) const {
  const std::vector<Expr> nodes = postorder(hidden);
  return std::all_of(nodes.begin(), nodes.end(), [&](Expr e) {
    if (!e.is(Op::symbol)) return !e.is(Op::apply);
    return std::find(symbols_.begin(), symbols_.end(), e) != symbols_.end();
  });
}

bool Slots::may_be_equal(std::size_t i, std::size_t k, const BallPoint& known, long bits) const {
  std::vector<Expr> arguments = slots_[i].arguments;
  const std::size_t n = arguments.size();
  arguments.insert(arguments.end(), slots_[k].arguments.begin(), slots_[k].arguments.end());
  const BallValues values = evaluate_balls(arguments, known, bits);
  if (values.status != EvaluationStatus::ok) return true;
  for (std::size_t j = 0; j < n; ++j) {
    if (!arb_overlaps(values.values[j].raw(), values.values[n + j].raw())) return false;
  }
  return true;
}

Slots::Forced Slots::forced_value(std::size_t i, const BallPoint& known,
                                  std::span<const std::optional<Rational>> values, long bits) const {
  const Application& wanted = slots_[i].original.application();
  Forced result;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    if (k == i || !slots_[k].is_function() || !values[k]) continue;
    const Application& other = slots_[k].original.application();
    if (other.function != wanted.function || other.orders != wanted.orders) continue;
    if (!may_be_equal(i, k, known, bits)) continue;
    if (result.slot && *values[*result.slot] != *values[k]) result.clash = true;
    result.slot = k;
  }
  return result;
}

}  // namespace liaison
