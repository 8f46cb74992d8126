#include "sampling.hpp"

#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr int max_tries = 60;

BallPoint to_balls(std::span<const Expr> symbols, const std::vector<std::pair<Expr, Rational>>& point, long bits) {
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
    } else if (e.is(Op::apply)) {
      const std::string name = "_value" + std::to_string(stand_ins.size() + 1);
      const Expr symbol = pool.symbol(name, SymbolKind::auxiliary);
      originals_.push_back(e);
      stand_ins_.push_back(symbol);
      stand_ins.emplace(e, symbol);
    }
  }
  es_ = stand_ins.empty() ? std::vector<Expr>(rewritten.begin(), rewritten.end()) : substitute(rewritten, stand_ins);
}

std::optional<Sampler::Sample> Sampler::draw(long bits) {
  // Wide first, then inside (0, 1), where logarithms and inverse functions have values, then large and positive.
  std::uniform_int_distribution<long> numerator(1, 1009);
  for (int attempt = 0; attempt < max_tries; ++attempt, ++tries_) {
    Sample sample;
    for (Expr original : originals_) {
      const bool positive = (original.is(Op::symbol) && original.symbol().positive) || attempt % 3 != 0;
      const long scale = attempt % 3 == 2 ? 101 : attempt % 3 == 1 ? 1013 : 331;
      Rational value(numerator(random_), scale);
      if (!positive && random_() % 2 == 0) value = -value;
      sample.point.emplace_back(original, value);
    }
    BallValues values = evaluate_balls(es_, to_balls(stand_ins_, sample.point, bits), bits);
    if (values.status == EvaluationStatus::ok) {
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
