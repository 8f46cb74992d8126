#include "contact_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace liaison {

namespace {

/// A law that is met no better ends the run.
constexpr double largest_residual = 1e-3;
constexpr int most_closings = 30;
constexpr std::size_t most_sweeps = 5'000;

/// More contacts than these are found by a few sweeps of each set of them, then by some, before one is
/// solved.
constexpr std::size_t few_contacts = 50, sweeps_of_scouts = 8, sweeps_of_drafts = 64;
/// Forces that repeat each other come nearer to their laws by ever less: of so many contacts this much of the
/// largest is taken after these sweeps, and told.
constexpr std::size_t patience = 256;
constexpr double enough = 1e-4;

}  // namespace

ContactStepping::ContactStepping(Evaluator& open, StepContacts& contacts, double tolerance)
    : open_(open), contacts_(contacts), options_{std::clamp(tolerance, 1e-12, 1e-6), most_sweeps} {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    is_place_.push_back(contacts.is_place(c) ? 1 : 0);
    if (is_place_.back()) places_.push_back(c);
  }
}

bool ContactStepping::fail(const std::string& why) {
  failure_ = why;
  return false;
}

bool ContactStepping::begin(double t, const std::vector<double>& y) {
  t_ = t;
  y_ = y;
  forces_.assign(contacts_.factor_count(), 0.0);
  steps_.assign(contacts_.size(), ContactStep::open);
  widest_.assign(contacts_.size(), 0.0);
  if (!see(t, y)) return false;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const double gap = contacts_.gaps()[c];
    if (is_place_[c] && gap < -closed_beside * contacts_.sizes()[c])
      return fail(fmt::format("the state violates `{}`: its gap is {:.6g}", contacts_.name(c), gap));
  }
  end_step(t);
  return true;
}

bool ContactStepping::go_on() {
  const bool fits =
      y_.size() == open_.size() && widest_.size() == contacts_.size() &&
      forces_.size() == contacts_.factor_count() && pressed_.steps.size() == pressed_.contacts.size() &&
      pressed_.rests.size() == pressed_.contacts.size() &&
      (pressed_.contacts.empty() || pressed_.first_row.size() == pressed_.contacts.size() + 1) &&
      std::all_of(pressed_.contacts.begin(), pressed_.contacts.end(),
                  [&](std::size_t c) { return c < contacts_.size(); }) &&
      std::is_sorted(pressed_.first_row.begin(), pressed_.first_row.end()) &&
      (pressed_.first_row.empty() || pressed_.first_row.back() == pressed_.forces.size());
  if (!fits) return fail("the checkpoint does not belong to this run");
  steps_.assign(contacts_.size(), ContactStep::open);
  for (std::size_t i = 0; i < pressed_.contacts.size(); ++i) steps_[pressed_.contacts[i]] = pressed_.steps[i];
  if (!see(t_, y_)) return false;
  end_step(t_);
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
  if (!contacts_.take(t, y)) return fail(contacts_.failure());
  const std::span<const double> gaps = contacts_.gaps(), sizes = contacts_.sizes();
  for (std::size_t c = 0; c < gaps.size(); ++c)
    widest_[c] = std::max({widest_[c], std::abs(gaps[c]), sizes[c]});
  return true;
}

bool ContactStepping::see_some(double t, const std::vector<double>& y, const std::vector<std::size_t>& some) {
  if (!contacts_.take_some(t, y, some)) return fail(contacts_.failure());
  const std::span<const double> gaps = contacts_.gaps(), sizes = contacts_.sizes();
  for (const std::size_t c : some) widest_[c] = std::max({widest_[c], std::abs(gaps[c]), sizes[c]});
  return true;
}

bool ContactStepping::look_ahead(double end) {
  gaps_before_.assign(contacts_.gaps().begin(), contacts_.gaps().end());
  if (!see(end, free_)) return false;
  const std::span<const double> gaps = contacts_.gaps();
  double reach = 0;  // the most that a gap changes by
  for (const std::size_t c : places_) reach = std::max(reach, std::abs(gaps[c] - gaps_before_[c]));
  active_.clear();
  near_.clear();
  const std::vector<std::size_t> resting = resting_contacts();
  auto next = resting.begin();
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const bool rests = next != resting.end() && *next == c;
    if (rests) ++next;
    if (!is_place_[c] || rests || sign_of_gap(c) <= 0) active_.push_back(c);
    if (is_place_[c] && gaps[c] <= 2 * reach) near_.push_back(c);
  }
  return true;
}

/// Contacts that pressed to the end of the last step, without a rebound, and are closed now: any approach in
/// this step closes them. In a pile that falls freely their gaps stay as they are, and the impulses from
/// below would reach them one layer at a time.
std::vector<std::size_t> ContactStepping::resting_contacts() const {
  std::vector<std::size_t> resting;
  for (std::size_t i = 0; i < pressed_.contacts.size(); ++i) {
    const std::size_t c = pressed_.contacts[i];
    const bool closed = is_place_[c] && gaps_before_[c] <= closed_beside * widest_[c];
    if (closed && pressed_.rests[i] != 0 && pressed_.forces[pressed_.first_row[i]] > 0) resting.push_back(c);
  }
  return resting;
}

/// Contacts that the impulses of others have closed.
bool ContactStepping::add_closed(double end, const std::vector<std::size_t>& among, std::size_t& added) {
  const std::size_t count = active_.size();
  for (const std::size_t c : among) {
    if (sign_of_gap(c) >= 0) continue;
    if (!std::binary_search(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(count), c))
      active_.push_back(c);
  }
  added = active_.size() - count;
  if (added == 0) return true;
  std::sort(active_.begin(), active_.end());
  return see_some(end, free_, {});
}

bool ContactStepping::step(double end) {
  if (!move_freely(end) || !look_ahead(end)) return false;
  std::vector<double> next;
  Effort effort = active_.size() > few_contacts ? Effort::scout : Effort::solve;
  while (true) {
    if (!press(end, effort, next) || !project(end, next)) return false;
    // Few sweeps look among those that are near; what is solved is looked at everywhere.
    const bool solved = effort == Effort::solve;
    if (!(solved ? see(end, next) : see_some(end, next, near_))) return false;
    std::size_t added = 0;
    if (!add_closed(end, solved ? places_ : near_, added)) return false;
    if (added > 0) continue;
    if (solved) break;
    effort = effort == Effort::scout ? Effort::draft : Effort::solve;
    if (!see_some(end, free_, {})) return false;
  }
  if (!close_gaps(end, next)) return false;
  worst_residual_ = std::max(worst_residual_, residual_);
  if (!converged_) ++not_converged_;
  if (created_ > 0) {
    ++gain_.steps;
    gain_.energy += created_;
    if (created_ > gain_.most) gain_.most = created_, gain_.t = end;
  }
  t_ = end;
  y_ = std::move(next);
  end_step(end);
  return true;
}

/// A contact that did not press begins at nothing.
void ContactStepping::start_from_last(double h, const ManyContacts& problem, ManyImpulses& start) const {
  start.impulses.assign(problem.rows.size(), 0.0);
  const Pressed& last = pressed_before_;
  std::size_t place = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    while (place < last.contacts.size() && last.contacts[place] < active_[i]) ++place;
    const bool pressed = place < last.contacts.size() && last.contacts[place] == active_[i];
    start.steps.push_back(pressed ? last.steps[place] : ContactStep::open);
    if (!pressed) continue;
    const std::size_t rows = last.first_row[place + 1] - last.first_row[place];
    for (std::size_t k = 0; k < rows; ++k)
      start.impulses[problem.contacts[i].normal + k] = h * last.forces[last.first_row[place] + k];
  }
}

/// v_n- of the velocities with which the step began, in the row in which the impulse acts: only then no
/// energy is made by (1 + e) sum p v_n- = -p r p. Zero where it is rounding.
double ContactStepping::speed_before(const ManyContacts& problem, std::size_t row,
                                     std::span<const double> velocities) {
  const SparseRows& rows = problem.rows;
  double sum = problem.bias[row], size = std::abs(sum);
  for (std::size_t k = rows.begins[row]; k < rows.begins[row + 1]; ++k) {
    const double term = rows.values[k] * velocities[rows.columns[k]];
    sum += term;
    size += std::abs(term);
  }
  return std::abs(sum) <= closed_beside * size ? 0 : sum;
}

/// The energy that impulses give in the motion relative to the surfaces, by the velocities before the step
/// and by those at its end without impulses: what is positive by one of them only is the step's.
double ContactStepping::created_by(const ManyContacts& problem, const ManyImpulses& found) const {
  constexpr double least = 1e-9;
  const std::vector<double> before(y_.begin() + static_cast<std::ptrdiff_t>(open_.position_count()),
                                   y_.end());
  double by_start = 0, by_end = 0, size = 0;
  for (std::size_t row = 0; row < problem.rows.size(); ++row) {
    const double p = found.impulses[row], bias = problem.bias[row];
    const double after = problem.rows.times(row, found.velocities) + bias;
    const double start = problem.rows.times(row, before) + bias;
    const double end = problem.rows.times(row, problem.free) + bias;
    by_start += p * (start + after) / 2;
    by_end += p * (end + after) / 2;
    size += std::abs(p) * (std::abs(start) + std::abs(end) + std::abs(after));
  }
  const double created = std::min(by_start, by_end);
  return created > least * size ? created : 0;
}

/// The contacts are those of the free motion.
bool ContactStepping::press(double end, Effort effort, std::vector<double>& next) {
  next = free_;
  for (const std::size_t c : pressed_.contacts) steps_[c] = ContactStep::open;
  std::fill(forces_.begin(), forces_.end(), 0.0);
  pressed_before_ = std::exchange(pressed_, {});
  created_ = residual_ = 0;
  converged_ = true;
  if (active_.empty()) return true;
  const double h = end - t_;
  const std::size_t positions = open_.position_count();
  const std::span<const double> velocities = std::span(free_).subspan(positions);
  auto problem = contacts_.step(active_, velocities);
  if (!problem) return fail(contacts_.failure());
  for (ManyContacts::Contact& contact : problem->contacts)
    contact.before = speed_before(*problem, contact.normal, std::span(y_).subspan(positions));
  ManyImpulses start;
  start_from_last(h, *problem, start);
  ManyContactsOptions options = options_;
  if (effort == Effort::scout) options.most_sweeps = sweeps_of_scouts;
  if (effort == Effort::draft) options.most_sweeps = sweeps_of_drafts;
  if (active_.size() > few_contacts) options.patience = patience, options.enough = enough;
  ManyImpulses found = solve(*problem, start, options);
  if (!found.converged && effort == Effort::solve) {
    if (!(found.residual <= largest_residual)) {
      return fail(
          fmt::format("no impulses were found that obey the laws of {}: {:.2g} of the largest is left "
                      "after {} sweeps; they may allow no motion, or the step is too long",
                      active_.size() == 1 ? "`" + contacts_.name(active_[0]) + "`"
                                          : fmt::format("{} contacts", active_.size()),
                      found.residual, found.sweeps));
    }
  }
  residual_ = found.residual;
  converged_ = found.converged;
  created_ = created_by(*problem, found);
  if (found.ambiguous > 0 && effort == Effort::solve && !first_ambiguous_) first_ambiguous_ = t_;
  pressed_.contacts = active_;
  pressed_.steps = found.steps;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    steps_[active_[i]] = found.steps[i];
    pressed_.first_row.push_back(problem->contacts[i].normal);
    const ManyContacts::Contact& contact = problem->contacts[i];
    pressed_.rests.push_back(contact.restitution * contact.before == 0 ? 1 : 0);
  }
  pressed_.first_row.push_back(problem->rows.size());
  // Half of the change acts on the positions, as that of a constant force does.
  if (!move_positions(end, found.velocities, h / 2, next)) return false;
  std::copy(found.velocities.begin(), found.velocities.end(),
            next.begin() + static_cast<std::ptrdiff_t>(positions));
  for (double& p : found.impulses) p /= h;
  contacts_.add_factors(active_, found.impulses, forces_.data());
  pressed_.forces = std::move(found.impulses);
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

bool ContactStepping::has_negative_gap(const std::vector<std::size_t>& among) const {
  return std::any_of(among.begin(), among.end(), [&](std::size_t c) { return sign_of_gap(c) < 0; });
}

/// Contacts that press, and those that the moves of others out of the deepest gap may close.
std::vector<std::size_t> ContactStepping::within_reach() const {
  const std::span<const double> gaps = contacts_.gaps();
  double depth = 0;
  for (const std::size_t c : places_) depth = std::max(depth, -gaps[c]);
  std::vector<std::size_t> near;
  for (const std::size_t c : places_) {
    if (gaps[c] <= 4 * depth || std::binary_search(active_.begin(), active_.end(), c)) near.push_back(c);
  }
  return near;
}

/// Gaps >= 0 by the least change of the positions: the same problem with gaps for velocities. The contacts
/// are those of `next`.
bool ContactStepping::move_apart(double end, const std::vector<std::size_t>& near,
                                 std::vector<double>& next) {
  const double h = end - t_;
  const std::size_t positions = open_.position_count();
  const std::vector<double> none(next.size() - positions, 0.0);
  auto problem = contacts_.step(near, none);
  if (!problem) return fail(contacts_.failure());
  std::fill(problem->bias.begin(), problem->bias.end(), 0.0);
  for (std::size_t i = 0; i < near.size(); ++i) {
    ManyContacts::Contact& contact = problem->contacts[i];
    contact.resisted.clear();
    contact.restitution = 0;
    problem->bias[contact.normal] = contacts_.gaps()[near[i]] / h;
  }
  const ManyImpulses moved = solve(*problem, {}, options_);
  std::vector<double> velocities(next.begin() + static_cast<std::ptrdiff_t>(positions), next.end());
  for (std::size_t a = 0; a < velocities.size(); ++a) velocities[a] += moved.velocities[a];
  return move_positions(end, velocities, h, next) && project(end, next);
}

bool ContactStepping::close_gaps(double end, std::vector<double>& next) {
  if (!has_negative_gap(places_)) return true;
  const Evaluator::Energies before = open_.energies(end, next.data());
  std::vector<std::size_t> near = within_reach();
  for (int round = 0; round < most_closings; ++round) {
    if (!move_apart(end, near, next) || !see_some(end, next, near)) return false;
    const bool is_last = round + 1 == most_closings;
    if (!is_last && has_negative_gap(near)) continue;
    if (!see(end, next)) return false;
    if (!has_negative_gap(places_)) break;
    near = within_reach();
  }
  const Evaluator::Energies after = open_.energies(end, next.data());
  const double brought = after.kinetic + after.potential - before.kinetic - before.potential;
  if (brought > 0) lifted_ += brought;
  return true;
}

/// The contacts are those of the state.
void ContactStepping::end_step(double end) {
  const std::span<const double> gaps = contacts_.gaps();
  for (std::size_t c = 0; c < gaps.size(); ++c) {
    if (is_place_[c] && -gaps[c] > deepest_.depth) deepest_ = {-gaps[c], widest_[c], end, c};
  }
}

}  // namespace liaison
