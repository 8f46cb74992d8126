#include "contact_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

/// A law that is met no better ends the run.
constexpr double largest_residual = 1e-3;
/// A gap smaller than this part of the largest that its terms were is closed.
constexpr double closed_beside = 1e-9;
constexpr int most_closings = 4;
constexpr std::size_t most_sweeps = 5'000;

}  // namespace

ContactStepping::ContactStepping(Evaluator& open, ContactFrame& frame, const ContactModes& modes,
                                 double tolerance)
    : open_(open), frame_(frame), modes_(modes), options_{std::clamp(tolerance, 1e-12, 1e-6), most_sweeps} {}

bool ContactStepping::fail(const std::string& why) {
  failure_ = why;
  return false;
}

bool ContactStepping::begin(double t, const std::vector<double>& y) {
  t_ = t;
  y_ = y;
  forces_.assign(frame_.equations().factors.size(), 0.0);
  steps_.assign(modes_.size(), ContactStep::open);
  before_.assign(modes_.size(), 0.0);
  widest_.assign(modes_.size(), 0.0);
  if (!see(t, y)) return false;
  for (std::size_t c = 0; c < modes_.size(); ++c) {
    const SizedNumber gap = frame_.gap(c);
    if (is_place(c) && gap.sign() < 0)
      return fail(fmt::format("the state violates `{}`: its gap is {:.6g}", modes_.name(c), gap.value));
  }
  remember(t);
  return true;
}

bool ContactStepping::rates(double t, const std::vector<double>& y, std::vector<double>& into) {
  ++evaluations_;
  into.resize(y.size());
  return open_.rates(t, y.data(), into.data()) || fail(open_.failure());
}

bool ContactStepping::move_freely(double end) {
  const double h = end - t_;
  std::vector<double> k[4], at = y_;
  constexpr double parts[] = {0, 0.5, 0.5, 1};
  for (int stage = 0; stage < 4; ++stage) {
    if (stage > 0) {
      for (std::size_t i = 0; i < at.size(); ++i) at[i] = y_[i] + parts[stage] * h * k[stage - 1][i];
    }
    if (!rates(t_ + parts[stage] * h, at, k[stage])) return false;
  }
  free_ = y_;
  for (std::size_t i = 0; i < at.size(); ++i)
    free_[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  return true;
}

bool ContactStepping::see(double t, const std::vector<double>& y) {
  if (!frame_.take(t, y.data())) return fail(frame_.failure());
  for (std::size_t c = 0; c < modes_.size(); ++c)
    widest_[c] = std::max({widest_[c], std::abs(frame_.gap(c).value), frame_.gap(c).size});
  return true;
}

int ContactStepping::sign_of_gap(std::size_t contact) const {
  const double gap = frame_.gap(contact).value;
  if (std::abs(gap) <= closed_beside * widest_[contact]) return 0;
  return gap > 0 ? 1 : -1;
}

bool ContactStepping::step(double end) {
  if (!move_freely(end) || !see(end, free_)) return false;
  active_.clear();
  for (std::size_t c = 0; c < modes_.size(); ++c) {
    if (!is_place(c) || sign_of_gap(c) <= 0) active_.push_back(c);
  }
  std::vector<double> next;
  while (true) {
    if (!press(end, next) || !project(end, next)) return false;
    // Contacts that the impulses of others have closed.
    if (!see(end, next)) return false;
    const std::size_t count = active_.size();
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      if (!is_place(c) || sign_of_gap(c) >= 0) continue;
      if (!std::binary_search(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(count), c))
        active_.push_back(c);
    }
    if (active_.size() == count) break;
    std::sort(active_.begin(), active_.end());
    if (!see(end, free_)) return false;
  }
  if (!close_gaps(end, next)) return false;
  t_ = end;
  y_ = std::move(next);
  remember(end);
  return true;
}

/// The frame is that of the free motion.
bool ContactStepping::press(double end, std::vector<double>& next) {
  next = free_;
  const std::vector<double> last = forces_;
  const std::vector<ContactStep> last_steps = steps_;
  std::fill(forces_.begin(), forces_.end(), 0.0);
  std::fill(steps_.begin(), steps_.end(), ContactStep::open);
  if (active_.empty()) return true;
  const double h = end - t_;
  const std::size_t positions = open_.position_count(), bilateral = modes_.bilateral_count();
  const std::span<const double> velocities = std::span(free_).subspan(positions);
  auto problem = frame_.step(active_, velocities);
  if (!problem) return fail(frame_.failure());
  ManyImpulses start;
  start.impulses.resize(problem->rows.size());
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::size_t c = active_[i];
    problem->contacts[i].before = before_[c];
    start.steps.push_back(last_steps[c]);
    const ContactModes::Rows& rows = modes_.rows()[c];
    start.impulses[problem->contacts[i].normal] = h * last[bilateral + rows.normal];
    for (std::size_t k = 0; k < rows.resisted.size(); ++k) {
      for (std::size_t j = 0; j < rows.resisted[k].size(); ++j)
        start.impulses[problem->contacts[i].resisted[k].row + j] = h * last[bilateral + rows.resisted[k][j]];
    }
  }
  ManyImpulses found = solve(*problem, start, options_);
  if (!found.converged) {
    if (!(found.residual <= largest_residual)) {
      return fail(
          fmt::format("no impulses were found that obey the laws of {}: {:.2g} of the largest is left "
                      "after {} sweeps; they may allow no motion, or the step is too long",
                      active_.size() == 1 ? "`" + modes_.name(active_[0]) + "`"
                                          : fmt::format("{} contacts", active_.size()),
                      found.residual, found.sweeps));
    }
    ++not_converged_;
  }
  worst_residual_ = std::max(worst_residual_, found.residual);
  if (found.ambiguous > 0 && !first_ambiguous_) first_ambiguous_ = t_;
  for (std::size_t i = 0; i < active_.size(); ++i) steps_[active_[i]] = found.steps[i];
  // Half of the change acts on the positions, as that of a constant force does.
  if (!move_positions(end, found.velocities, h / 2, next)) return false;
  std::copy(found.velocities.begin(), found.velocities.end(),
            next.begin() + static_cast<std::ptrdiff_t>(positions));
  for (double& p : found.impulses) p /= h;
  frame_.add_factors(active_, found.impulses, forces_.data());
  return true;
}

/// By what other velocities would do in a time.
bool ContactStepping::move_positions(double t, const std::vector<double>& velocities, double length,
                                     std::vector<double>& y) {
  const std::size_t positions = open_.position_count();
  std::vector<double> with = y, rates_with, rates_without;
  std::copy(velocities.begin(), velocities.end(), with.begin() + static_cast<std::ptrdiff_t>(positions));
  if (!rates(t, y, rates_without) || !rates(t, with, rates_with)) return false;
  for (std::size_t i = 0; i < positions; ++i) y[i] += length * (rates_with[i] - rates_without[i]);
  return true;
}

bool ContactStepping::project(double t, std::vector<double>& y) {
  if (open_.project(t, y.data())) return true;
  return fail("the constraints cannot be kept: the step is too long, or they allow no state here");
}

/// Gaps >= 0 by the least change of the positions: the same problem with gaps for velocities. The frame is
/// that of `next`.
bool ContactStepping::close_gaps(double end, std::vector<double>& next) {
  const double h = end - t_;
  const std::size_t positions = open_.position_count();
  const std::vector<double> none(next.size() - positions, 0.0);
  for (int round = 0; round < most_closings; ++round) {
    std::vector<std::size_t> near;
    bool negative = false;
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      if (!is_place(c)) continue;
      negative = negative || sign_of_gap(c) < 0;
      if (sign_of_gap(c) < 0 || std::binary_search(active_.begin(), active_.end(), c)) near.push_back(c);
    }
    if (!negative) return true;
    auto problem = frame_.step(near, none);
    if (!problem) return fail(frame_.failure());
    std::fill(problem->bias.begin(), problem->bias.end(), 0.0);
    for (std::size_t i = 0; i < near.size(); ++i) {
      ManyContacts::Contact& contact = problem->contacts[i];
      contact.resisted.clear();
      contact.restitution = 0;
      problem->bias[contact.normal] = frame_.gap(near[i]).value / h;
    }
    const ManyImpulses moved = solve(*problem, {}, options_);
    std::vector<double> velocities(next.begin() + static_cast<std::ptrdiff_t>(positions), next.end());
    for (std::size_t a = 0; a < velocities.size(); ++a) velocities[a] += moved.velocities[a];
    if (!move_positions(end, velocities, h, next) || !project(end, next)) return false;
    if (!see(end, next)) return false;
  }
  return true;
}

/// The frame is that of the state.
void ContactStepping::remember(double end) {
  for (std::size_t c = 0; c < modes_.size(); ++c) {
    const SizedNumber gap = frame_.gap(c), rate = is_place(c) ? frame_.rate(c) : gap;
    before_[c] = rate.sign() == 0 ? 0 : rate.value;
    if (is_place(c) && -gap.value > deepest_.depth) deepest_ = {-gap.value, widest_[c], end, c};
  }
}

}  // namespace liaison
