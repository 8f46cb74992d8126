#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "liaison/expr/print.hpp"
#include "perturbed_run.hpp"

/// An event whose own function, reset or impact has abs, sign, min or max with an argument that is zero where
/// it comes. Motions beside this one come to it on either side of that: they have one derivative where the
/// event does the same with them on all sides that they come to.
namespace liaison {

namespace {

constexpr double equal = 1e-9;

}  // namespace

CompiledEvent& PerturbedRun::compiled_event(std::size_t event) {
  auto found = compiled_.find({system_, event});
  if (found != compiled_.end()) return found->second;
  using Kind = ContactDeviations::Kind;
  std::vector<Expr> also;
  const auto change = options_.contacts ? options_.contacts->change_of(event) : std::nullopt;
  if (change && (change->kind == Kind::bounces || change->kind == Kind::stays))
    also = options_.contacts->impact_expressions(closed_, change->contact);
  return compiled_
      .emplace(InMode(system_, event),
               compile_event(*equations_, system_->events[event], perturbation_->parameters(), also))
      .first->second;
}

std::vector<double> PerturbedRun::whole_slope(const CompiledMatrix& by_state,
                                              const CompiledMatrix& by_unknowns, Eigen::Index row) const {
  const std::size_t width = n_ + perturbation_->parameter_count() + 1;
  const std::span<const double> a = perturbation_->matrix(), l = perturbation_->factor_matrix();
  const std::size_t positions = equations_->positions.size(), u = n_ - positions;
  std::vector<double> result(width);
  for (std::size_t j = 0; j < width; ++j) {
    result[j] = by_state.values(row, static_cast<Eigen::Index>(j));
    for (std::size_t i = 0; i < u + equations_->factors.size(); ++i) {
      const double slope = by_unknowns.values(row, static_cast<Eigen::Index>(i));
      if (slope != 0) result[j] += slope * (i < u ? a[(positions + i) * width + j] : l[(i - u) * width + j]);
    }
  }
  return result;
}

bool PerturbedRun::take_law(const Crossing& crossing, const std::vector<double>& plain, Law& law) {
  CompiledEvent& compiled = *crossing.compiled;
  law.in = compiled.sided.with_sides(plain, law.sides);
  if (!compiled.when_by_state.evaluate(law.in.data()) || !compiled.when_by_unknowns.evaluate(law.in.data()) ||
      !compiled.arguments_by_state.evaluate(law.in.data()) ||
      !compiled.arguments_by_unknowns.evaluate(law.in.data()))
    return fail(fmt::format("the event `{}` has no derivative there", crossing.name));
  law.g = whole_slope(compiled.when_by_state, compiled.when_by_unknowns, 0);
  law.speed = speed_of(law.g, crossing.before);
  double size = std::abs(law.g.back());
  for (std::size_t j = 0; j < n_; ++j) size += std::abs(law.g[j] * crossing.before[j]);
  const double* when = compiled.when(law.in.data());
  law.when = when[0];
  law.size = when[1];
  law.passes = std::abs(law.speed) > equal * size;
  return true;
}

bool PerturbedRun::take_laws(Crossing& crossing) {
  constexpr std::size_t most = 4;
  CompiledEvent& compiled = *crossing.compiled;
  crossing.zeros.clear();
  crossing.laws.clear();
  crossing.near = 0;
  const std::vector<double> plain = inputs_at(crossing.before);
  Law law;
  if (!take_law(crossing, plain, law)) return false;
  const std::vector<Expr>& written = compiled.sided.switches().arguments();
  const auto is_zero = [&](double value, double size, std::span<const double> slope) {
    return std::abs(value) <=
           1e-13 * size + doubt_beside(slope, law.g) * std::abs(speed_of(slope, crossing.before));
  };
  const auto slope_of = [&](std::size_t k) {
    return whole_slope(compiled.arguments_by_state, compiled.arguments_by_unknowns,
                       static_cast<Eigen::Index>(k));
  };
  std::vector<std::size_t> places;
  const SidedInputs::Values found = compiled.sided.arguments(law.in);
  for (std::size_t k = 0; k < written.size(); ++k) {
    const std::vector<double> slope = slope_of(k);
    const bool holds_zero = std::any_of(crossing.zeros.begin(), crossing.zeros.end(),
                                        [&](Expr zero) { return holds_switch_of(written[k], zero); });
    if (!holds_zero && !is_zero(found.values[k], found.sizes[k], slope)) continue;
    if (compiled.sided.is_rough_at(k, law.in)) {
      crossing.zeros.push_back(written[k]);
      return refuse_sides(crossing);
    }
    if (compiled.sided.switches().is_rough(k)) continue;
    const double speed = std::abs(speed_of(slope, crossing.before));
    if (speed > 0 && !holds_zero) crossing.near = std::max(crossing.near, std::abs(found.values[k]) / speed);
    places.push_back(k);
    crossing.zeros.push_back(written[k]);
  }
  crossing.laws.push_back(law);
  if (places.empty()) return true;
  if (places.size() > most) return refuse_sides(crossing);
  for (std::size_t mask = 0; mask < std::size_t{1} << places.size(); ++mask) {
    Law one;
    for (std::size_t i = 0; i < places.size(); ++i)
      one.sides.emplace(crossing.zeros[i], (mask >> i & 1) != 0 ? 1 : -1);
    if (!take_law(crossing, plain, one)) return false;
    const SidedInputs::Values there = compiled.sided.arguments(one.in);
    bool is_possible = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t k = places[i];
      one.slopes.push_back(slope_of(k));
      // beside what is within it, an argument may have a side whatever a deviation is
      const bool is_free = is_zero(there.values[k], there.sizes[k], one.slopes.back());
      one.forced.push_back(is_free ? 0 : there.values[k] > 0 ? 1 : -1);
      is_possible = is_possible && (is_free || one.forced.back() == one.sides.at(crossing.zeros[i]));
    }
    if (is_possible) crossing.laws.push_back(std::move(one));
  }
  crossing.laws.erase(crossing.laws.begin());  // its sides may be none
  std::stable_partition(crossing.laws.begin(), crossing.laws.end(), [&](const Law& one) {
    for (std::size_t i = 0; i < places.size(); ++i)
      if (found.values[places[i]] * one.sides.at(crossing.zeros[i]) < 0) return false;
    return true;
  });
  return true;
}

bool PerturbedRun::refuse_sides(const Crossing& crossing) {
  return fail(
      fmt::format("`{}` changes its sign where `{}` comes, which does another thing on either side: "
                  "deviations have no limit there",
                  to_infix(crossing.zeros.back()), crossing.name));
}

bool PerturbedRun::is_at_event(const Crossing& crossing, const Law& law) const {
  if (crossing.zeros.empty()) return true;
  return law.passes && law.speed * crossing.speed > 0 &&
         std::abs(law.when) <= 1e-13 * law.size + doubt_of_time() * std::abs(law.speed);
}

bool PerturbedRun::agree(const Crossing& crossing, const ValuesOfLaw& of) {
  LawValues first, values;
  bool has_first = false;
  for (std::size_t i = 0; i < crossing.laws.size(); ++i) {
    if (!is_at_event(crossing, crossing.laws[i])) continue;
    if (!of(i, values)) return false;
    if (!std::exchange(has_first, true)) first = values;
    for (std::size_t j = 0; j < values.value.size(); ++j) {
      const double room = equal * std::max(first.size[j], values.size[j]) +
                          4 * crossing.near * (std::abs(first.rate[j]) + std::abs(values.rate[j]));
      if (!(std::abs(values.value[j] - first.value[j]) <= room)) return refuse_sides(crossing);
    }
  }
  return has_first || refuse_sides(crossing);
}

double PerturbedRun::value_at_event(std::span<const double> slope, const std::vector<double>& deviation,
                                    std::span<const double> rates, double shift) const {
  double value = slope.back() * shift, size = std::abs(value);
  for (std::size_t j = 0; j + 1 < slope.size(); ++j) {
    const double by = j < n_ ? rates[j] * shift : 0;
    value += slope[j] * (deviation[j] + by);
    size += std::abs(slope[j]) * (std::abs(deviation[j]) + std::abs(by));
  }
  return std::abs(value) <= equal * size ? 0 : value;
}

bool PerturbedRun::comes_to(const Law& law, const Crossing& crossing, const std::vector<double>& deviation,
                            std::span<const double> rates, double shift, int direction) const {
  for (std::size_t i = 0; i < law.slopes.size(); ++i) {
    if (law.forced[i] != 0) continue;
    const double value = value_at_event(law.slopes[i], deviation, rates, shift) * direction;
    if (value * law.sides.at(crossing.zeros[i]) < 0) return false;
  }
  return true;
}

double PerturbedRun::way_to_sides(const Crossing& crossing, const std::vector<double>& deviation) const {
  double result = 0;
  for (const Law& law : crossing.laws) {
    if (!is_at_event(crossing, law)) continue;
    double shift = 0;
    for (std::size_t j = 0; j + 1 < law.g.size(); ++j) shift -= law.g[j] * deviation[j] / law.speed;
    for (const std::vector<double>& slope : law.slopes) {
      const double speed = speed_of(slope, crossing.before);
      const double value = value_at_event(slope, deviation, crossing.before, shift);
      if (speed != 0) result = std::max(result, std::abs(value / speed));
    }
  }
  return result;
}

}  // namespace liaison
