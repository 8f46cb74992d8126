#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perturbed_run.hpp"

/// Deviations across impacts and releases of unilateral constraints, by the rule of saltation.
namespace liaison {

void PerturbedRun::switch_to(ContactDeviations::Closed closed) {
  closed_ = std::move(closed);
  if (options_.contacts != nullptr) {
    ContactDeviations::Mode& mode = options_.contacts->at(closed_);
    equations_ = &mode.equations;
    system_ = &mode.system;
    evaluator_ = mode.evaluator.get();
    perturbation_ = mode.perturbation.get();
    perturbation_->set_parameters(values_);
  }
  keeps_relations_ = evaluator_->has_relations() || !system_->rotations.empty();
}

bool PerturbedRun::change_contacts(const ContactDeviations::Change& change, const Crossing& crossing) {
  using Kind = ContactDeviations::Kind;
  const std::string& name = options_.contacts->name(change.contact);
  std::vector<ContactDeviations::Impact> impacts(crossing.laws.size());
  const std::size_t first = equations_->positions.size(), width = crossing.g.size();
  if (change.kind != Kind::opens) {
    std::vector<double> jump;
    const bool is_one = agree(crossing, [&](std::size_t law, LawValues& values) {
      ContactDeviations::Impact& impact = impacts[law];
      impact = options_.contacts->impact(closed_, change.contact, values_, state_.t, state_.y,
                                         crossing.laws[law].sides);
      if (!impact.failure.empty()) return fail(impact.failure);
      if (change.kind == Kind::stays && impact.restitution != 0)
        return fail(
            fmt::format("`{}` comes to rest though its restitution is not zero: deviations have no rule "
                        "there",
                        name));
      values = {impact.change, {}, {}};
      for (std::size_t i = 0; i < impact.change.size(); ++i) {
        const double* slope = impact.derivatives.data() + i * width;
        values.size.push_back(std::abs(impact.change[i]) + std::abs(state_.y[first + i]));
        values.rate.push_back(slope[width - 1]);
        for (std::size_t j = 0; j < n_; ++j) values.rate.back() += slope[j] * crossing.before[j];
      }
      jump = impact.change;
      return true;
    });
    if (!is_one) return false;
    for (std::size_t i = 0; i < jump.size(); ++i) state_.y[first + i] += jump[i];
  }
  ContactDeviations::Closed next = closed_;
  if (change.kind == Kind::stays) next.insert(change.contact);
  if (change.kind == Kind::opens) next.erase(change.contact);
  if (next != closed_) switch_to(std::move(next));
  opened_.clear();
  if (keeps_relations_ && !evaluator_->project(state_.t, state_.y.data()))
    return fail(
        fmt::format("behind a change of `{}` the state does not come back onto the constraints", name));
  if (!perturbation_->take(state_.t, state_.y.data())) return fail(perturbation_->failure());
  const bool is_shifted =
      shift_deviations(crossing, [&](std::size_t law, const std::vector<double>& moved, double shift) {
        const ContactDeviations::Impact& impact = impacts[law];
        std::vector<double> result = moved;
        for (std::size_t i = 0; i < impact.change.size(); ++i) {
          const double* slope = impact.derivatives.data() + i * width;
          result[first + i] += slope[width - 1] * shift;
          for (std::size_t j = 0; j + 1 < width; ++j) result[first + i] += slope[j] * moved[j];
        }
        return result;
      });
  return is_shifted && settle(state_);
}

bool PerturbedRun::grazes(DormandPrince& method) {
  constexpr int looks = 8;
  const double first = state_.t, last = method.time();
  const std::vector<Expr>& gaps = options_.contacts->at(closed_).gaps;
  widest_.resize(gaps.size());
  opened_.resize(gaps.size());
  std::vector<double> z(packed().size()), rates(n_);
  for (std::size_t c = 0; c < gaps.size(); ++c) {
    if (closed_.contains(c)) continue;
    const std::size_t event = options_.contacts->event_of({ContactDeviations::Kind::bounces, c});
    CompiledEvent& gap = compiled_event(event);
    if (!gap.failure.empty()) return !fail(gap.failure);
    struct Look {
      double gap = 0, rate = 0, size = 0;
    };
    const auto look = [&](double t) {
      method.interpolate(t, z.data());
      std::vector<double> in{t};
      in.insert(in.end(), z.begin(), z.begin() + static_cast<std::ptrdiff_t>(n_));
      for (const Parameter& parameter : system_->parameters) in.push_back(values_.at(parameter.symbol));
      in.resize(in.size() + equations_->parameters.size() + equations_->factors.size());
      in = gap.sided.with_sides(std::move(in), {});
      Look result{.gap = *gap.when(in.data())};
      if (!evaluator_->rates(t, z.data(), rates.data()) || !gap.when_by_state.evaluate(in.data()))
        return result;
      const Eigen::MatrixXd& g = gap.when_by_state.values;
      result.rate = g(0, g.cols() - 1);
      result.size = std::abs(result.rate);
      for (std::size_t j = 0; j < n_; ++j) {
        const double part = g(0, static_cast<Eigen::Index>(j)) * rates[j];
        result.rate += part;
        result.size += std::abs(part);
      }
      return result;
    };
    Look before = look(first);
    opened_[c] = std::max(opened_[c], before.gap);
    for (int k = 1; k <= looks; ++k) {
      double low = first + (last - first) * (k - 1) / looks, high = first + (last - first) * k / looks;
      const Look now = look(high);
      widest_[c] = std::max(widest_[c], std::abs(now.gap));
      // what has just been released opens slower than rounding for a while
      const bool turns = before.rate < -1e-9 * before.size && now.rate > 0 && opened_[c] > 1e-6 * widest_[c];
      opened_[c] = std::max(opened_[c], now.gap);
      before = now;
      if (!turns) continue;
      for (int round = 0; round < 50; ++round) {
        const double middle = 0.5 * (low + high);
        (look(middle).rate < 0 ? low : high) = middle;
      }
      const double least = look(low).gap;
      if (least > std::max(100 * options_.tolerance.relative, 1e-10) * widest_[c]) continue;
      unpack(low, z);
      return !fail(fmt::format("`{}` is only touched, with the gap {:.3g}: deviations have no limit there",
                               options_.contacts->name(c), least));
    }
  }
  return false;
}

}  // namespace liaison
