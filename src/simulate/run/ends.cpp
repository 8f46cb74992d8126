#include "ends.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "liaison/expr/print.hpp"
#include "liaison/simulate/integrator.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

constexpr std::size_t window = 2000, stretch = 64;  ///< steps; of each window a stretch is looked at
constexpr std::size_t crossings_of_a_slide = 4;     ///< in a stretch
constexpr double stays = 1e-4;                      ///< of its range: a state that stays where it is
constexpr double creeps = 1e-9;                     ///< the same in a stretch without a jump
constexpr double fallen = 1e-6;                     ///< to this part of what it was: as good as zero
constexpr double grown = 1e6;

struct Sample {
  double t;
  std::vector<double> y, dy;
};

/// The largest change of a rate, beside the sizes that the rates have at both ends of the whole way.
double change(const Sample& a, const Sample& b, const std::vector<double>& sizes,
              std::size_t* component = nullptr) {
  double largest = 0;
  for (std::size_t i = 0; i < a.dy.size(); ++i) {
    const double part = std::abs(a.dy[i] - b.dy[i]) / sizes[i];
    if (!(part > largest)) continue;
    largest = part;
    if (component != nullptr) *component = i;
  }
  return largest;
}

}  // namespace

std::optional<RateJump> find_jump(Evaluator& evaluator, double t0, std::span<const double> y0, double t1,
                                  std::span<const double> y1) {
  constexpr double least_change = 1e-3, smallest_rate = 1e-5;
  const std::size_t n = evaluator.size();
  const auto sample = [&](double t, std::vector<double> y) -> std::optional<Sample> {
    Sample result{t, std::move(y), std::vector<double>(n)};
    if (!evaluator.rates(t, result.y.data(), result.dy.data())) return {};
    return result;
  };
  auto low = sample(t0, {y0.begin(), y0.end()}), high = sample(t1, {y1.begin(), y1.end()});
  if (!low || !high) return {};
  double largest = 1e-300;
  for (const Sample* end : {&*low, &*high})
    for (double rate : end->dy) largest = std::max(largest, std::abs(rate));
  std::vector<double> sizes(n);
  for (std::size_t i = 0; i < n; ++i)
    sizes[i] = std::abs(low->dy[i]) + std::abs(high->dy[i]) + smallest_rate * largest;
  const double first = change(*low, *high, sizes);
  if (first < least_change) return {};
  for (int round = 0; round < 60; ++round) {
    std::vector<double> y(n);
    for (std::size_t i = 0; i < n; ++i) y[i] = low->y[i] + (high->y[i] - low->y[i]) / 2;
    auto middle = sample(low->t + (high->t - low->t) / 2, std::move(y));
    if (!middle) return {};
    if (middle->y == low->y || middle->y == high->y) break;
    const bool left = change(*low, *middle, sizes) >= change(*middle, *high, sizes);
    (left ? high : low) = std::move(middle);
    if (change(*low, *high, sizes) < first / 4) return {};
  }
  // A jump leaves the rates on both sides as they are; rounding of forces that cancel, as of a stiff system
  // at rest, changes them with every bit of the state.
  const double jumped = change(*low, *high, sizes);
  double bit = 0;  // of the way: the least that moves each number which changes at the jump
  for (std::size_t i = 0; i < n; ++i) {
    const double ulp = std::max(std::abs(low->y[i]), std::abs(high->y[i])) * 2.3e-16;
    if (low->y[i] != high->y[i]) bit = std::max(bit, ulp / std::abs(y1[i] - y0[i]));
  }
  bit = std::min(bit, 1e-5);   // what is large and slow beside it does not lead out of the step
  constexpr double bits = 64;  // beside the jump, and farther than the bits that are changed there
  for (const auto& [from, sign] : {std::pair{&*low, -1.0}, std::pair{&*high, 1.0}}) {
    std::vector<double> y(n);
    for (std::size_t i = 0; i < n; ++i) y[i] = from->y[i] + sign * bits * bit * (y1[i] - y0[i]);
    const auto beside = sample(from->t + sign * bits * bit * (t1 - t0), y);
    if (!beside || change(*from, *beside, sizes) > jumped / 4) return {};
    for (std::size_t pattern = 0; pattern < 8; ++pattern) {
      for (std::size_t i = 0; i < n; ++i) {
        const double some = static_cast<double>((7 * i + 3 * pattern + i * pattern) % 5) - 2;
        y[i] = beside->y[i] * (1 + some * 2.3e-16);
      }
      const auto changed = sample(beside->t, y);
      if (!changed || change(*beside, *changed, sizes) > jumped / 4) return {};
    }
  }
  RateJump jump;
  change(*low, *high, sizes, &jump.component);
  jump.before = low->dy[jump.component];
  jump.after = high->dy[jump.component];
  return jump;
}

std::optional<RateJump> SlideWatch::after_step(double t, std::span<const double> y) {
  const std::size_t place = steps_++ % window;
  ranges_.see(y);
  if (place < window - stretch) return {};
  if (place == window - stretch) {
    crossings_ = 0;
    last_.assign(y.begin(), y.end());
    least_ = greatest_ = last_;
    last_time_ = begin_time_ = t;
    return {};
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    least_[i] = std::min(least_[i], y[i]);
    greatest_[i] = std::max(greatest_[i], y[i]);
  }
  const auto jump = find_jump(evaluator_, last_time_, last_, t, y);
  last_.assign(y.begin(), y.end());
  last_time_ = t;
  const auto is_within = [&](double part) { return ranges_.are_same(least_, greatest_, part, tolerance_); };
  if (jump && ++crossings_ >= crossings_of_a_slide && is_within(stays)) return jump;
  return place == window - 1 && is_within(creeps) ? find_jump_ahead(t, y) : std::nullopt;
}

/// Steps that come ever nearer to a jump and never over it: the other side leads back.
std::optional<RateJump> SlideWatch::find_jump_ahead(double t, std::span<const double> y) {
  constexpr double steps_ahead = 1000;
  std::vector<double> dy(y.size());
  if (!evaluator_.rates(t, y.data(), dy.data())) return {};
  for (double direction : {1.0, -1.0}) {
    const double h = direction * steps_ahead * (t - begin_time_) / static_cast<double>(stretch);
    std::vector<double> there(y.begin(), y.end());
    for (std::size_t i = 0; i < there.size(); ++i) there[i] += h * dy[i];
    const auto jump = find_jump(evaluator_, t, y, t + h, there);
    if (jump && jump->before * jump->after < 0) return jump;
  }
  return {};
}

std::string in_words(const Evaluator& evaluator, const RateJump& jump) {
  return fmt::format("the rate of `{}` jumps from {:.4g} to {:.4g}",
                     to_infix(evaluator.symbols()[jump.component]), jump.before, jump.after);
}

/// The least pivot of the mass matrix, beside the numbers on its diagonal at the beginning; 0 where it is no
/// metric.
double EndFinder::least_mass(double t, std::span<const double> y) const {
  constexpr std::size_t largest_size = 250;
  const auto n = static_cast<Eigen::Index>(evaluator_.direction_count());
  if (n == 0 || evaluator_.direction_count() > largest_size) return NAN;
  std::vector<double> entries;
  if (!evaluator_.mass(t, y.data(), entries)) return NAN;
  const Eigen::MatrixXd mass = Eigen::Map<const Eigen::MatrixXd>(entries.data(), n, n);
  return least_pivot(mass);
}

void EndFinder::begin(double t, std::span<const double> y) {
  first_.assign(y.begin(), y.end());
  first_rates_.assign(y.size(), 0.0);
  if (!evaluator_.rates(t, y.data(), first_rates_.data())) first_rates_.assign(y.size(), 0.0);
  first_time_ = t;
  first_mass_ = least_mass(t, y);
}

std::string EndFinder::name(std::size_t component) const {
  return to_infix(evaluator_.symbols()[component]);
}

/// What positions, or velocities, would be by now with the first accelerations: growth is measured by that,
/// whatever the units are.
double EndFinder::expected_size(std::size_t component, double elapsed) const {
  const std::size_t positions = evaluator_.position_count();
  double position = 0, velocity = 0, acceleration = 0;
  for (std::size_t i = 0; i < first_.size(); ++i) {
    if (i < positions) {
      position = std::max(position, std::abs(first_[i]));
      velocity = std::max(velocity, std::abs(first_rates_[i]));
    } else {
      acceleration = std::max(acceleration, std::abs(first_rates_[i]));
    }
  }
  if (component < positions) return position + velocity * elapsed + acceleration * elapsed * elapsed / 2;
  for (std::size_t i = positions; i < first_.size(); ++i) velocity = std::max(velocity, std::abs(first_[i]));
  return velocity + acceleration * elapsed;
}

/// Whether a rate is another one where it has changed its number a little: one that is large and constant
/// does not grow.
bool EndFinder::grows(double t, std::span<const double> y, std::span<const double> dy, std::size_t component,
                      double size) const {
  constexpr double little = 0.1, same = 1e-3;
  const double h = little * size / std::abs(dy[component]);
  std::vector<double> ahead(y.begin(), y.end()), rates(y.size());
  for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] += h * dy[i];
  return !evaluator_.rates(t + h, ahead.data(), rates.data()) ||
         !(std::abs(rates[component] - dy[component]) <= same * std::abs(dy[component]));
}

/// The quantities that have grown and grow, or the one whose rate has.
std::string EndFinder::divergence(double t, std::span<const double> y, std::span<const double> dy) const {
  constexpr std::size_t most_names = 4;
  const double elapsed = std::abs(t - first_time_);
  std::vector<std::string> growing;
  for (std::size_t i = 0; i < y.size() && growing.size() < most_names; ++i) {
    const double size = expected_size(i, elapsed);
    if (y[i] * dy[i] > 0 && size > 0 && std::abs(y[i]) > grown * size)
      growing.push_back(fmt::format("`{}` = {:.4g}", name(i), y[i]));
  }
  if (!growing.empty()) {
    return fmt::format("{} {} without bound", fmt::join(growing, ", "),
                       growing.size() == 1 ? "grows" : "grow");
  }
  const auto steepest =
      std::max_element(dy.begin(), dy.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto place = static_cast<std::size_t>(steepest - dy.begin());
  const double size = std::max(expected_size(place, elapsed), std::abs(y[place]));
  if (size > 0 && std::abs(*steepest) * elapsed > grown * size && grows(t, y, dy, place, size))
    return fmt::format("the rate of `{}` grows without bound: it is {:.4g}", name(place), *steepest);
  return {};
}

std::string EndFinder::describe(double t, std::span<const double> y, RankWatch& ranks) const {
  const std::string failure = evaluator_.failure();
  std::vector<double> dy(y.size());
  const bool known = evaluator_.rates(t, y.data(), dy.data());
  const std::string diverges = known ? divergence(t, y, dy) : "";
  const double mass = least_mass(t, y);
  if (mass < fallen * first_mass_) {
    return fmt::format(
        "the mass matrix becomes singular: its least pivot is {:.2g} and was {:.4g} at the start{}", mass,
        first_mass_, diverges.empty() ? "" : "; " + diverges);
  }
  const std::vector<std::string> dependent = ranks.nearly_dependent(t, y.data(), 1e-2);
  if (!dependent.empty()) {
    return fmt::format("a singular configuration: {} `{}` {}{}",
                       dependent.size() == 1 ? "the gradient of" : "the gradients of",
                       fmt::join(dependent, "`, `"),
                       dependent.size() == 1 ? "vanishes" : "become dependent on each other",
                       diverges.empty() ? "" : "; " + diverges);
  }
  constexpr double farther = 100;  // than the longest step
  if (known) {                     // what lies just ahead
    for (double length : {1e-12, 1e-9, 1e-6}) {
      const double passed = longest_ > 0 ? farther * longest_ : 1;
      const double h = std::max(length * passed, 4 * shortest_step(t));
      std::vector<double> ahead(y.begin(), y.end());
      for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] += h * dy[i];
      if (const auto jump = find_jump(evaluator_, t, y, t + h, ahead))
        return "the equations jump: " + in_words(evaluator_, *jump);
    }
  }
  if (!diverges.empty()) return diverges;
  return failure;
}

}  // namespace liaison
