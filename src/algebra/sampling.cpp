#include "sampling.hpp"

#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr int max_tries = 60;

BallPoint to_balls(std::span<const Expr> symbols, const std::vector<std::pair<Expr, Rational>>& point,
                   long bits) {
  BallPoint result;
  for (std::size_t i = 0; i < symbols.size(); ++i) result.emplace(symbols[i], Ball(point[i].second, bits));
  return result;
}

}  // namespace

Sampler::Sampler(Algebra& algebra, std::span<const Expr> rewritten) : random_(algebra.options().seed) {
  Pool& pool = algebra.pool();
  Substitution stand_ins;
  for (Expr e : postorder(rewritten)) {
    if (e.is(Op::symbol)) {
      originals_.push_back(e);
      stand_ins_.push_back(e);
      arguments_.emplace_back();
    } else if (e.is(Op::apply)) {
      const std::string name = "_value" + std::to_string(stand_ins.size() + 1);
      const Expr symbol = pool.symbol(name, SymbolKind::auxiliary);
      originals_.push_back(e);
      stand_ins_.push_back(symbol);
      arguments_.push_back(substitute(e.args(), stand_ins));
      stand_ins.emplace(e, symbol);
    }
  }
  es_ = stand_ins.empty() ? std::vector<Expr>(rewritten.begin(), rewritten.end())
                          : substitute(rewritten, stand_ins);
}

/// Wide first, then inside (0, 1), where logarithms and inverse functions have values, then large and
/// positive.
Rational Sampler::random_value(Expr original, int attempt) {
  std::uniform_int_distribution<long> numerator(1, 1009);
  const bool positive = (original.is(Op::symbol) && original.symbol().positive) || attempt % 3 != 0;
  const long scale = attempt % 3 == 2 ? 101 : attempt % 3 == 1 ? 1013 : 331;
  const Rational value(numerator(random_), scale);
  return !positive && random_() % 2 == 0 ? -value : value;
}

/// The value that the same unknown function already has at arguments which may be equal to these.
std::optional<Rational> Sampler::value_at_equal_arguments(std::size_t index,
                                                          const std::vector<std::pair<Expr, Rational>>& point,
                                                          long bits) const {
  const Expr e = originals_[index];
  for (std::size_t i = 0; i < index; ++i) {
    const Expr other = originals_[i];
    if (!other.is(Op::apply) || other.application().function != e.application().function ||
        other.application().orders != e.application().orders) {
      continue;
    }
    std::vector<Expr> arguments = arguments_[index];
    arguments.insert(arguments.end(), arguments_[i].begin(), arguments_[i].end());
    const std::span<const Expr> known(stand_ins_.data(), index);
    const BallValues values = evaluate_balls(arguments, to_balls(known, point, bits), bits);
    if (values.status != EvaluationStatus::ok) continue;
    const std::size_t n = arguments_[index].size();
    bool equal = true;
    for (std::size_t k = 0; k < n; ++k) {
      equal = equal && arb_overlaps(values.values[k].raw(), values.values[n + k].raw());
    }
    if (equal) return point[i].second;
  }
  return std::nullopt;
}

std::optional<Sampler::Sample> Sampler::draw(long bits) {
  for (int attempt = 0; attempt < max_tries; ++attempt, ++tries_) {
    Sample sample;
    for (std::size_t i = 0; i < originals_.size(); ++i) {
      auto value = arguments_[i].empty() ? std::nullopt : value_at_equal_arguments(i, sample.point, bits);
      sample.point.emplace_back(originals_[i], value ? *value : random_value(originals_[i], attempt));
    }
    std::vector<Expr> all = es_;  // an unknown function has a value only where its arguments have
    for (const auto& arguments : arguments_) all.insert(all.end(), arguments.begin(), arguments.end());
    BallValues values = evaluate_balls(all, to_balls(stand_ins_, sample.point, bits), bits);
    if (values.status == EvaluationStatus::ok) {
      values.values.resize(es_.size());
      sample.values = std::move(values.values);
      return sample;
    }
    failure_ = values.reason();
  }
  return std::nullopt;
}

std::optional<std::vector<Ball>> Sampler::evaluate_at(const Sample& sample, long bits) const {
  BallValues values = evaluate_balls(es_, to_balls(stand_ins_, sample.point, bits), bits);
  if (values.status != EvaluationStatus::ok) return std::nullopt;
  return std::move(values.values);
}

}  // namespace liaison
