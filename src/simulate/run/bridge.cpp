#include "bridge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace liaison {

namespace {

constexpr std::size_t coarse_nodes = 8, fine_nodes = 10;  ///< even: none in the middle
constexpr std::size_t bridge_head = 5;     ///< numbers that are remembered of a bridge before its rates
constexpr double least_tolerance = 1e-11;  ///< rounding next to a singular configuration

/// Gauss's formula on the interval from 0 to 1.
struct Gauss {
  std::vector<double> nodes, weights;

  explicit Gauss(std::size_t count) : nodes(count), weights(count) {
    const auto n = static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
      double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5)), slope = 1;
      for (int round = 0; round < 8; ++round) {  // Newton's method for a zero of Legendre's polynomial
        double value = x, before = 1;
        for (std::size_t k = 2; k <= count; ++k) {
          const auto degree = static_cast<double>(k);
          const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
          before = value;
          value = next;
        }
        slope = n * (x * value - before) / (x * x - 1);
        x -= value / slope;
      }
      nodes[count - 1 - i] = (1 + x) / 2;
      weights[count - 1 - i] = 1 / ((1 - x * x) * slope * slope);
    }
  }

  /// Integrals from 0 to x of the polynomials that are one at one node and zero at the others.
  std::vector<double> integrals(double x) const {
    std::vector<double> result(nodes.size(), 0.0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        double value = 1;
        for (std::size_t j = 0; j < nodes.size(); ++j)
          if (j != k) value *= (x * nodes[i] - nodes[j]) / (nodes[k] - nodes[j]);
        result[k] += x * weights[i] * value;
      }
    }
    return result;
  }
};

}  // namespace

struct BridgedMethod::Bridge {
  Gauss gauss;
  double begin, length;
  std::vector<double> first;
  std::vector<std::vector<double>> rates;  ///< one at each node
  double noise = 0;                        ///< of a change over it, beside its size: rounding, divided by how
                                           ///< near the singular configuration is

  double end() const { return begin + length; }
  void at(double t, double* y) const {
    const std::vector<double> parts = gauss.integrals((t - begin) / length);
    add(parts, y);
  }
  void add(const std::vector<double>& parts, double* y) const {
    for (std::size_t i = 0; i < first.size(); ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < parts.size(); ++k) sum += parts[k] * rates[k][i];
      y[i] = first[i] + length * sum;
    }
  }
};

std::optional<std::vector<double>> predicted(Evaluator& evaluator, double t, std::span<const double> y,
                                             std::span<const double> rates, double after) {
  std::vector<double> half(y.begin(), y.end()), middle(y.size()), result(y.begin(), y.end());
  for (std::size_t i = 0; i < y.size(); ++i) half[i] += after / 2 * rates[i];
  if (!evaluator.rates(t + after / 2, half.data(), middle.data())) return {};
  for (std::size_t i = 0; i < y.size(); ++i)
    result[i] += after * (i < evaluator.position_count() ? middle[i] : rates[i]);
  return result;
}

BridgedMethod::BridgedMethod(Integrator& method, Evaluator& evaluator, const Tolerance& tolerance)
    : method_(method), evaluator_(evaluator), tolerance_(tolerance) {}
BridgedMethod::~BridgedMethod() = default;

/// By iteration: along the constraints the rates change little, so each round adds digits.
std::unique_ptr<BridgedMethod::Bridge> BridgedMethod::solve(std::size_t nodes, double t,
                                                            std::span<const double> y, double length) {
  constexpr int most_rounds = 60;
  constexpr double rounding = 1e-14, most_noise = 1e-6;  // far from the origin positions are rounded more
  const double small = std::max(100 * tolerance_.relative, most_noise);
  const std::size_t n = y.size();
  auto bridge = std::make_unique<Bridge>(
      Bridge{Gauss(nodes), t, length, {y.begin(), y.end()}, std::vector(nodes, std::vector<double>(n))});
  std::vector<double> rates(n);
  if (!evaluator_.rates(t, y.data(), rates.data())) return nullptr;
  std::vector<std::vector<double>> integrals, states;
  for (const double node : bridge->gauss.nodes) {
    integrals.push_back(bridge->gauss.integrals(node));
    auto state = predicted(evaluator_, t, y, rates, node * length);
    if (!state) return nullptr;
    states.push_back(std::move(*state));
  }
  double last = INFINITY;
  for (int round = 0; round < most_rounds; ++round) {
    double change = 0;
    for (std::size_t k = 0; k < nodes; ++k) {
      const double at = t + length * bridge->gauss.nodes[k];
      evaluations_ += 1;
      if (!evaluator_.project(at, states[k].data()) || !evaluator_.rates(at, states[k].data(), rates.data()))
        return nullptr;
      for (std::size_t i = 0; i < n; ++i) {
        const double size = std::max({std::abs(y[i]), std::abs(states[k][i]), std::abs(length * rates[i]),
                                      tolerance_.absolute / tolerance_.relative});
        change = std::max(change, std::abs(length * (rates[i] - bridge->rates[k][i])) / size);
      }
      bridge->rates[k] = rates;
    }
    for (std::size_t k = 0; k < nodes; ++k) bridge->add(integrals[k], states[k].data());
    bridge->noise = change;
    if (change <= rounding || (change <= small && change > last / 2))  // what is left is rounding
      return bridge;
    if (!std::isfinite(change) || (round > most_rounds / 2 && change > last)) return nullptr;
    last = change;
  }
  return nullptr;
}

bool BridgedMethod::lay(double t, std::span<const double> y, double length) {
  constexpr double most_tolerances = 10;
  std::vector<double> from(y.begin(), y.end());
  if (!evaluator_.project(t, from.data())) return false;
  const auto coarse = solve(coarse_nodes, t, from, length);
  auto fine = coarse ? solve(fine_nodes, t, from, length) : nullptr;
  if (!fine) return false;
  std::vector<double> one(y.size()), other(y.size());
  coarse->at(coarse->end(), one.data());
  fine->at(fine->end(), other.data());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::max({std::abs(y[i]), std::abs(other[i]), std::abs(other[i] - y[i])});
    const double noise = std::max(coarse->noise, fine->noise);
    const double least = tolerance_.absolute / tolerance_.relative;
    const double allowed = tolerance_.absolute + std::max(tolerance_.relative, least_tolerance) * size +
                           noise * std::max(size, least);
    if (!(std::abs(one[i] - other[i]) <= most_tolerances * allowed)) return false;
  }
  bridge_ = std::move(fine);
  time_ = t;
  state_.assign(y.begin(), y.end());
  clock_.begin(t);
  return true;
}

bool BridgedMethod::is_on_bridge() const {
  return bridge_ && time_ < bridge_->end();
}

bool BridgedMethod::begin(double t, std::span<const double> y, double end) {
  bridge_.reset();
  run_end_ = end;
  return method_.begin(t, y, end);
}

StepOutcome BridgedMethod::step(double end) {
  if (!bridge_) return method_.step(end);
  const double last = std::min(end, bridge_->end());
  if (!is_on_bridge()) {
    bridge_.reset();
    const std::vector<double> from = state_;
    if (!method_.begin(time_, from, run_end_)) return StepOutcome::no_value;
    return method_.step(end);
  }
  double next = last;
  if (const double length = method_.fixed_length(); length > 0) {
    next = clock_.next(time_, length, last);
    clock_.advance(time_, length, last);
  }
  time_ = next;
  bridge_->at(time_, state_.data());
  return StepOutcome::stepped;
}

bool BridgedMethod::restart(std::span<const double> y) {
  if (!bridge_) return method_.restart(y);
  state_.assign(y.begin(), y.end());
  return true;
}

void BridgedMethod::interpolate(double t, double* y) {
  bridge_ ? bridge_->at(t, y) : method_.interpolate(t, y);
}

/// Whether it is a bridge, then the bridge or what the method remembers.
std::vector<double> BridgedMethod::memory() const {
  std::vector<double> result{bridge_ ? 1.0 : 0.0};
  if (!bridge_) {
    const std::vector<double> own = method_.memory();
    result.insert(result.end(), own.begin(), own.end());
    return result;
  }
  result.insert(result.end(), {bridge_->begin, bridge_->length, clock_.origin(), clock_.count()});
  result.insert(result.end(), bridge_->first.begin(), bridge_->first.end());
  for (const auto& rates : bridge_->rates) result.insert(result.end(), rates.begin(), rates.end());
  return result;
}

bool BridgedMethod::can_recall(std::span<const double> memory) const {
  if (memory.empty()) return false;
  return memory.size() == (memory[0] == 0 ? 1 + method_.memory().size()
                                          : bridge_head + method_.state().size() * (fine_nodes + 1));
}

void BridgedMethod::recall(std::span<const double> memory) {
  if (!can_recall(memory)) return;
  if (memory[0] == 0) return method_.recall(memory.subspan(1));
  const std::size_t n = method_.state().size(), head = bridge_head;
  time_ = method_.time();
  state_.assign(method_.state().begin(), method_.state().end());
  bridge_ = std::make_unique<Bridge>(Bridge{Gauss(fine_nodes), memory[1], memory[2], {}, {}});
  clock_.recall(memory[3], memory[4]);
  const auto part = [&](std::size_t k) {
    const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(head + k * n);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(n));
  };
  bridge_->first = part(0);
  for (std::size_t k = 1; k <= fine_nodes; ++k) bridge_->rates.push_back(part(k));
}

}  // namespace liaison
