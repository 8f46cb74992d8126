#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perturbed_run.hpp"

/// Deviations across a reset or an impact at which an argument of abs, sign, min or max is zero too. Motions
/// beside this one come to the two in either order: where all orders give the same, that is the derivative.
namespace liaison {

namespace {

constexpr double equal = 1e-9;

}  // namespace

bool PerturbedRun::meet_event(Crossing& crossing) {
  if (sides_.empty()) return true;
  std::vector<double> value, sizes;
  if (!values_with(sides_, value, sizes)) return false;
  std::vector<Surface> surfaces;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (sides_[k] == 0 || !is_plain(k)) continue;
    const std::vector<double> slope = slope_of_argument(k);
    if (slope.empty()) continue;
    const double speed = speed_of(slope, crossing.before);
    if (!(speed * sides_[k] < 0) || !(std::abs(value[k] / speed) <= doubt_beside(slope, crossing.g)))
      continue;
    if (!add_surface(k, slope, surfaces)) return false;
  }
  if (surfaces.empty()) return true;
  if (!crossing.compiled->when_by_unknowns.entries.empty())
    return fail(
        fmt::format("`{}` changes its sign where `{}` comes, which asks for forces or accelerations: "
                    "deviations are not followed across that",
                    name_of(surfaces.front()), crossing.name));
  if (!rates_with(sides_, crossing.before)) return false;
  crossing.speed = speed_of(crossing.g, crossing.before);
  for (const Surface& surface : surfaces) {
    std::vector<int> behind = sides_;
    std::vector<double> beyond;
    if (!flip(surface, surfaces, behind)) return false;
    if (!rates_with(behind, beyond) ||
        !carries_over(surface, sides_, behind, crossing.before, state_.deviations))
      return false;
    if (are_equal(crossing.before, beyond)) continue;
    if (crossing.side) return refuse_two(*crossing.side, surface);
    crossing.side = surface;
    crossing.side_name = name_of(surface);
    crossing.beyond = beyond;
  }
  return true;
}

double PerturbedRun::doubt_beside(std::span<const double> one, std::span<const double> two) const {
  return is_of_time(one) && is_of_time(two) ? 64 * shortest_step(state_.t) : doubt_of_time();
}

bool PerturbedRun::refuse_two(const Surface& one, const Surface& two) {
  return fail(
      fmt::format("`{}` and `{}` change their signs where an event resets the state: deviations are not "
                  "followed across that",
                  name_of(one), name_of(two)));
}

bool PerturbedRun::leave_event(const Crossing& crossing, Behind& behind) {
  if (!sides_at(state_.t, state_.y.data(), sides_)) return false;
  std::vector<double> value(sides_.size()), sizes(sides_.size()), low, high;
  if (!sides_.empty() && !evaluator_->switch_values(state_.t, state_.y.data(), value.data(), sizes.data()))
    return fail("what abs, sign, min and max are taken of has no value");
  std::vector<Surface> surfaces;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (!is_plain(k)) continue;
    const std::vector<double> slope = slope_of_argument(k);
    if (slope.empty()) continue;
    const double speed = speed_of(slope, perturbation_->rates());
    if (std::abs(value[k]) <= 1e-13 * sizes[k] + doubt_beside(slope, crossing.g) * std::abs(speed) &&
        !add_surface(k, slope, surfaces))
      return false;
  }
  // what one of them does while another has no side yet says nothing
  const auto has_no_side = [&](const Surface& surface) { return sides_[surface.arguments.front()] == 0; };
  if (surfaces.size() > 1 && std::any_of(surfaces.begin(), surfaces.end(), has_no_side))
    return refuse_two(surfaces[0], surfaces[1]);
  for (const Surface& surface : surfaces) {
    // of the first argument; the others go with it or against it
    const std::size_t first = surface.arguments.front();
    std::vector<int> above = sides_;
    for (std::size_t argument : surface.arguments) {
      const std::vector<double> slope = slope_of_argument(argument);
      double product = 0;
      for (std::size_t j = 0; j < slope.size(); ++j) product += slope[j] * surface.slope[j];
      above[argument] = product > 0 ? 1 : -1;
    }
    if (!settle_nested(surfaces, above)) return false;
    std::vector<int> below = above;
    if (!flip(surface, surfaces, below)) return false;
    if (!rates_with(below, low) || !rates_with(above, high)) return false;
    const double from_below = speed_of(surface.slope, low), from_above = speed_of(surface.slope, high);
    if (!(from_below * from_above > 0)) {
      if (are_equal(low, high)) continue;  // it stays there, and nothing depends on the side
      return fail(
          fmt::format("behind an event the motion does not leave where `{}` is zero: deviations have "
                      "no limit there",
                      name_of_argument(first)));
    }
    const bool rises = from_above > 0;
    if (!carries_over(surface, rises ? below : above, rises ? above : below, rises ? high : low,
                      state_.deviations))
      return false;
    sides_ = rises ? above : below;
    if (are_equal(low, high)) continue;
    if (behind.side) return refuse_two(*behind.side, surface);
    behind.side = surface;
    behind.beyond = rises ? low : high;
  }
  behind.is_on_change = !surfaces.empty();
  if (surfaces.empty()) {
    behind.rates.assign(perturbation_->rates().begin(), perturbation_->rates().end());
    return true;
  }
  if (!rates_with(sides_, behind.rates)) return false;
  if (behind.side) {  // the other arguments have found their sides
    std::vector<int> other = sides_;
    return flip(*behind.side, surfaces, other) && rates_with(other, behind.beyond);
  }
  return true;
}

bool PerturbedRun::shift_deviations(const Crossing& crossing, const Reset& next) {
  Behind behind;
  if (!leave_event(crossing, behind)) return false;
  leaving_.clear();
  if (behind.is_on_change) leaving_ = behind.rates;
  const std::string name = crossing.side ? crossing.side_name : behind.side ? name_of(*behind.side) : "";
  for (std::vector<double>& deviation : state_.deviations) {
    std::vector<std::vector<double>> results;
    std::vector<double> sizes(n_);
    const auto measure = [&](const std::vector<double>& of, std::span<const double> rates, double shift) {
      for (std::size_t j = 0; j < n_; ++j) sizes[j] += std::abs(of[j]) + std::abs(rates[j] * shift);
    };
    const auto shift_to = [&](const std::vector<double>& slope, double speed, const std::vector<double>& of) {
      double shift = 0;
      for (std::size_t j = 0; j + 1 < slope.size(); ++j) shift -= slope[j] * of[j];
      return shift / speed;
    };
    const auto move = [&](std::vector<double> of, std::span<const double> rates, double shift) {
      for (std::size_t j = 0; j < n_; ++j) of[j] += rates[j] * shift;
      measure(of, rates, shift);
      return of;
    };
    /// Whether it is at the change too, at a time of its own beside this one.
    const auto is_on = [&](const Surface& surface, const std::vector<double>& of, double shift) {
      double value = surface.slope.back() * shift, size = std::abs(value);
      for (std::size_t j = 0; j + 1 < surface.slope.size(); ++j) {
        value += surface.slope[j] * of[j];
        size += std::abs(surface.slope[j] * of[j]);
      }
      return std::abs(value) <= equal * size;
    };
    // from the event on, of a motion that comes there with these rates; by a law of its own on either way
    const auto from_event = [&](const std::vector<double>& of, std::span<const double> rates) {
      for (const int direction : {1, -1}) {
        bool comes = false;
        for (std::size_t i = 0; i < crossing.laws.size(); ++i) {
          const Law& law = crossing.laws[i];
          const double speed = speed_of(law.g, rates), shift = shift_to(law.g, speed, of);
          if (!is_at_event(crossing, law) || !(speed * crossing.speed > 0) ||
              !comes_to(law, crossing, of, rates, shift, direction))
            continue;
          comes = true;
          const std::vector<double> reset = next(i, move(of, rates, shift), shift);
          results.push_back(move(reset, behind.rates, -shift));
          if (!behind.side || is_on(*behind.side, reset, shift)) continue;
          const std::vector<double> other = move(reset, behind.beyond, -shift);
          const double late =
              shift_to(behind.side->slope, speed_of(behind.side->slope, behind.beyond), other);
          results.push_back(move(move(other, behind.beyond, late), behind.rates, -late));
        }
        if (!comes) return false;
      }
      return true;
    };
    if (!from_event(deviation, crossing.before)) return refuse_sides(crossing);
    if (crossing.side) {
      const bool stays_on = std::all_of(crossing.laws.begin(), crossing.laws.end(), [&](const Law& law) {
        if (!is_at_event(crossing, law)) return true;
        const double shift = shift_to(law.g, speed_of(law.g, crossing.before), deviation);
        return is_on(*crossing.side, move(deviation, crossing.before, shift), shift);
      });
      if (!stays_on) {
        const std::vector<double>& slope = crossing.side->slope;
        const double early = shift_to(slope, speed_of(slope, crossing.before), deviation);
        const double speed = speed_of(crossing.g, crossing.beyond);
        if (!(speed * crossing.speed > 0) ||
            !(speed_of(slope, crossing.beyond) * speed_of(slope, crossing.before) > 0))
          return fail(
              fmt::format("the motion does not pass where `{}` changes its sign: it stays there, or comes "
                          "back",
                          name));
        if (!from_event(move(move(deviation, crossing.before, early), crossing.beyond, -early),
                        crossing.beyond))
          return refuse_sides(crossing);
      }
    }
    // what laws do within rounding of a change is measured by what the motion does meanwhile, and by what a
    // part of a parameter makes of the state
    const double way = way_to_sides(crossing, deviation);
    double part = 0;
    for (std::size_t p = 0; p < perturbation_->parameter_count(); ++p) {
      const double value = values_.at(perturbation_->parameters()[p]);
      if (value != 0) part = std::max(part, std::abs(deviation[n_ + p] / value));
    }
    for (std::size_t j = 0; j < n_ && !crossing.zeros.empty(); ++j)
      sizes[j] += way * (std::abs(crossing.before[j]) + std::abs(behind.rates[j]) +
                         std::abs(state_.y[j]) / (state_.t - begin_)) +
                  part * std::abs(state_.y[j]);
    for (const std::vector<double>& result : results) {
      for (std::size_t j = 0; j < n_; ++j) {
        if (std::abs(result[j] - results[0][j]) <= equal * sizes[j]) continue;
        if (!crossing.zeros.empty()) return refuse_sides(crossing);
        return fail(
            fmt::format("`{}` changes its sign where an event resets the state, and which is first decides "
                        "where a motion beside this one goes: deviations have no limit there",
                        name));
      }
    }
    deviation = std::move(results[0]);
  }
  return true;
}

bool PerturbedRun::leave_sides() {
  if (leaving_.empty()) return true;
  const double step = std::min(std::max(1e-8 * length_, 64 * shortest_step(state_.t)),
                               0.5 * std::max(0.0, options_.until - state_.t));
  for (std::size_t j = 0; j < n_; ++j) state_.y[j] += step * leaving_[j];
  state_.t += step;
  leaving_.clear();
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());
  advance_deviations(step);
  return settle(state_);
}

}  // namespace liaison
