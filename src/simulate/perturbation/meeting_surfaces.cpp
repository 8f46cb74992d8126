#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "liaison/expr/traverse.hpp"
#include "perturbed_run.hpp"
#include "simulate/equations/switches.hpp"

/// Deviations across the places where arguments of abs, sign, min and max are zero: one after the other, or
/// several at one time.
namespace liaison {

namespace {

constexpr double equal = 1e-9;

/// Whether two arguments are zero at the same places: to first order.
bool are_parallel(std::span<const double> one, std::span<const double> two) {
  double of_one = 0, of_two = 0;
  for (std::size_t j = 0; j < one.size(); ++j) {
    if (std::abs(one[j]) > std::abs(of_one)) {
      of_one = one[j];
      of_two = two[j];
    }
  }
  if (of_two == 0) return false;
  for (std::size_t j = 0; j < one.size(); ++j) {
    const double left = one[j] / of_one, right = two[j] / of_two;
    if (std::abs(left - right) > 1e-12 * (std::abs(left) + std::abs(right))) return false;
  }
  return true;
}

}  // namespace

bool PerturbedRun::values_with(const std::vector<int>& sides, std::vector<double>& values,
                               std::vector<double>& sizes) {
  values.resize(sides.size());
  sizes.resize(sides.size());
  const std::vector<double> held(sides.begin(), sides.end());
  evaluator_->hold_sides(held, std::vector<double>(held.size(), 0.0));
  const bool known = evaluator_->switch_values(state_.t, state_.y.data(), values.data(), sizes.data());
  evaluator_->let_sides_follow();
  return known || fail("what abs, sign, min and max are taken of has no value");
}

bool PerturbedRun::settle_nested(const std::vector<Surface>& surfaces, std::vector<int>& sides) {
  std::vector<double> before, after, sizes;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (!evaluator_->is_nested(k)) continue;
    const bool is_met = std::any_of(surfaces.begin(), surfaces.end(), [&](const Surface& surface) {
      const auto& all = surface.arguments;
      return std::find(all.begin(), all.end(), k) != all.end();
    });
    if (is_met) continue;
    if (!values_with(sides_, before, sizes) || !values_with(sides, after, sizes)) return false;
    if (std::abs(after[k] - before[k]) <= 1e-13 * sizes[k]) {  // what is within it does not jump
      sides[k] = sides_[k];
      continue;
    }
    if (std::abs(after[k]) <= equal * sizes[k])
      return fail(
          fmt::format("`{}` comes to zero where what is within it changes its side: deviations are not "
                      "followed across that",
                      name_of_argument(k)));
    sides[k] = after[k] > 0 ? 1 : -1;
  }
  return true;
}

bool PerturbedRun::flip(const Surface& surface, const std::vector<Surface>& surfaces,
                        std::vector<int>& sides) {
  for (std::size_t argument : surface.arguments) sides[argument] = -sides[argument];
  return settle_nested(surfaces, sides);
}

std::string PerturbedRun::name_of(const Surface& surface) const {
  return name_of_argument(surface.arguments.front());
}

bool PerturbedRun::add_surface(std::size_t argument, const std::vector<double>& slope,
                               std::vector<Surface>& surfaces) {
  // what stands within another argument stands before it
  const Expr written = evaluator_->switch_arguments()[argument];
  for (const Surface& surface : surfaces) {
    for (std::size_t other : surface.arguments) {
      const Expr within = evaluator_->switch_arguments()[other];
      const bool inside = evaluator_->is_nested(argument) && holds_switch_of(written, within);
      const bool outside = evaluator_->is_nested(other) && holds_switch_of(within, written);
      if (inside || outside)
        return fail(
            fmt::format("`{}` changes its sign where what is within it changes its side: deviations are not "
                        "followed across that",
                        name_of_argument(inside ? argument : other)));
    }
  }
  const auto same = std::find_if(surfaces.begin(), surfaces.end(),
                                 [&](const Surface& surface) { return are_parallel(surface.slope, slope); });
  if (same != surfaces.end())
    same->arguments.push_back(argument);
  else
    surfaces.push_back({{argument}, slope, is_of_time(slope)});
  return true;
}

bool PerturbedRun::is_of_time(std::span<const double> slope) const {
  return std::all_of(slope.begin(), slope.begin() + static_cast<std::ptrdiff_t>(n_),
                     [](double by) { return by == 0; });
}

bool PerturbedRun::meet_surfaces(std::size_t argument, std::span<const double> rates,
                                 std::vector<Surface>& surfaces, double& next) {
  std::vector<double> value, sizes;
  if (!values_with(sides_, value, sizes)) return false;
  if (!add_surface(argument, slope_of_argument(argument), surfaces)) return false;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (k == argument || sides_[k] == 0 || !is_plain(k)) continue;
    const std::vector<double> slope = slope_of_argument(k);
    if (slope.empty()) continue;
    const double speed = speed_of(slope, rates), left = -value[k] / speed;
    if (speed * sides_[k] < 0 && std::abs(left) <= doubt_beside(slope, surfaces.front().slope)) {
      if (!add_surface(k, slope, surfaces)) return false;
    } else if (left > 0) {
      next = std::min(next, left);
    }
  }
  return true;
}

bool PerturbedRun::carries_over(const Surface& surface, const std::vector<int>& before,
                                const std::vector<int>& behind, std::span<const double> rates,
                                std::span<const std::vector<double>> deviations) {
  if (evaluator_->carried().empty()) return true;
  auto found = carried_.find(system_);
  if (found == carried_.end())
    found = carried_
                .emplace(system_, CarriedOver(*equations_, perturbation_->parameters(),
                                              evaluator_->switch_arguments()))
                .first;
  CarriedOver& carried = found->second;
  CarriedOver::Look one, two;
  const std::vector<double> in = inputs_at(perturbation_->rates());
  if (!carried.look(in, before, one) || !carried.look(in, behind, two))
    return fail(fmt::format("where `{}` changes its sign what the motion carries over has no derivative",
                            name_of(surface)));
  const double speed = speed_of(surface.slope, rates);
  const std::size_t width = surface.slope.size();
  // what vanishes at the change, as max(0, u)^2 does, is measured by what stands beside it
  const auto largest = [&](const std::vector<double>& entries, std::size_t j) {
    const std::size_t positions = equations_->positions.size();
    const std::size_t from = j < positions ? 0 : positions, to = j < positions ? positions : n_;
    double result = 0;
    for (std::size_t i = from; i < to; ++i) result = std::max(result, std::abs(entries[i]));
    return result;
  };
  const auto beside = [&](Eigen::Index row, const std::vector<double>& entries) {
    double result = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      const auto column = static_cast<Eigen::Index>(j);
      result += std::max(std::abs(one.slopes(row, column)), std::abs(two.slopes(row, column))) *
                largest(entries, j);
    }
    return result;
  };
  for (std::size_t k = 0; k < carried.size(); ++k) {
    if (surface.of_time && carried.is_energy(k)) continue;  // no wall: no force is infinite
    const auto row = static_cast<Eigen::Index>(k);
    bool jumps = std::abs(two.values[k] - one.values[k]) >
                 equal * std::max({one.sizes[k], two.sizes[k], beside(row, state_.y)});
    for (const std::vector<double>& deviation : deviations) {
      // at the time of its own change
      double shift = 0, jump = 0, size = beside(row, deviation);
      for (std::size_t j = 0; j + 1 < width; ++j) shift -= surface.slope[j] * deviation[j] / speed;
      for (std::size_t j = 0; j < width; ++j) {
        const double rate = j + 1 == width ? 1 : j < n_ ? rates[j] : 0;
        const double by = (j + 1 < width ? deviation[j] : 0) + rate * shift;
        const double left = one.slopes(row, static_cast<Eigen::Index>(j));
        const double right = two.slopes(row, static_cast<Eigen::Index>(j));
        jump += (right - left) * by;
        size += (std::abs(right) + std::abs(left)) *
                ((j + 1 < width ? std::abs(deviation[j]) : 0) + std::abs(rate * shift));
      }
      jumps = jumps || std::abs(jump) > equal * size;
    }
    if (jumps)
      return fail(
          fmt::format("{} jumps where `{}` changes its sign, here or in motions beside this one: an impulse, "
                      "across which deviations are not followed",
                      carried.in_words(k), name_of(surface)));
  }
  return true;
}

bool PerturbedRun::pass_surfaces(const std::vector<Surface>& surfaces, const std::vector<double>& before,
                                 std::vector<double>& after) {
  constexpr std::size_t most = 4;
  if (surfaces.size() > most)
    return fail(
        fmt::format("`{}` and {} other arguments change their signs at one time: deviations are not followed "
                    "across that",
                    name_of(surfaces.front()), surfaces.size() - 1));
  // the rates with every set of sides that are changed already
  std::vector<std::vector<double>> rates(std::size_t{1} << surfaces.size());
  std::vector<std::vector<int>> all_sides(rates.size());
  for (std::size_t mask = 0; mask < rates.size(); ++mask) {
    std::vector<int>& sides = all_sides[mask];
    sides = sides_;
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      if ((mask >> i & 1) != 0 && !flip(surfaces[i], surfaces, sides)) return false;
    if (mask == 0)
      rates[mask] = before;
    else if (!rates_with(sides, rates[mask]))
      return false;
    for (const Surface& surface : surfaces) {
      if (speed_of(surface.slope, rates[mask]) * speed_of(surface.slope, before) > 0) continue;
      return fail(
          fmt::format("the motion does not pass where `{}` changes its sign: it stays there, or comes "
                      "back",
                      name_of(surface)));
    }
  }
  const auto carries = [&](std::size_t mask, std::size_t i, std::span<const std::vector<double>> deviations) {
    return carries_over(surfaces[i], all_sides[mask], all_sides[mask | std::size_t{1} << i], rates[mask],
                        deviations);
  };
  for (std::size_t mask = 0; mask < rates.size(); ++mask)
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      if ((mask >> i & 1) == 0 && !carries(mask, i, {})) return false;
  after = rates.back();
  // motions beside this one pass them one after the other, in any order: each order must give the same
  std::vector<std::size_t> order(surfaces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::vector<double>& deviation : state_.deviations) {
    std::vector<double> result;
    do {
      std::vector<double> moved = deviation, sizes(n_);
      std::size_t mask = 0;
      for (std::size_t i : order) {
        if (!carries(mask, i, {&moved, 1})) return false;  // as it comes there behind those before
        const std::vector<double>&from = rates[mask], &to = rates[mask | std::size_t{1} << i];
        const std::vector<double>& slope = surfaces[i].slope;
        double shift = 0;
        for (std::size_t j = 0; j + 1 < slope.size(); ++j) shift -= slope[j] * moved[j];
        shift /= speed_of(slope, from);
        for (std::size_t j = 0; j < n_; ++j) {
          sizes[j] += std::abs(moved[j]) + (std::abs(from[j]) + std::abs(to[j])) * std::abs(shift);
          moved[j] += (from[j] - to[j]) * shift;
        }
        mask |= std::size_t{1} << i;
      }
      if (result.empty()) result = moved;
      for (std::size_t j = 0; j < n_; ++j) {
        if (std::abs(result[j] - moved[j]) <= equal * sizes[j]) continue;
        return fail(
            fmt::format("`{}` and `{}` change their signs at one time, and which is first decides where a "
                        "motion beside this one goes: deviations have no limit there",
                        name_of(surfaces[0]), name_of(surfaces[1])));
      }
    } while (std::next_permutation(order.begin(), order.end()));
    deviation = std::move(result);
  }
  return true;
}

}  // namespace liaison
