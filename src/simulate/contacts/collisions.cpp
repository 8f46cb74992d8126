#include "collisions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

/// Part of the approach of an impact that is zero for a contact that takes an impulse.
constexpr double pressed_beside = 1e-9;

}  // namespace

Collisions::Collisions(ContactFrame& frame, Segments& segments, ImpactSides& sides, const ContactModes& modes,
                       const ContactOptions& options, SegmentResults& total, BranchTree& tree,
                       double tolerance)
    : frame_(frame),
      segments_(segments),
      sides_(sides),
      modes_(modes),
      options_(options),
      total_(total),
      tree_(tree),
      tolerance_(tolerance),
      history_(modes.size()) {}

/// Positions onto the gaps of closed contacts; velocities stay.
void Collisions::close(RunPlace& at, const std::vector<std::size_t>& closed) {
  ContactHolds holds(modes_.size());
  for (const std::size_t c : closed)
    holds[c] = {.kind = ContactHold::Kind::closed,
                .slips = std::vector<int>(modes_.laws()[c].resistances.size(), 1)};
  Evaluator& evaluator = *segments_.at(holds).evaluator;
  std::vector<double> moved = at.y;
  if (!evaluator.project(at.t, moved.data())) return;
  std::copy_n(moved.begin(), evaluator.position_count(), at.y.begin());
}

bool Collisions::closes_with_others(const RunPlace& at, std::size_t contact) {
  constexpr double part = 1e-3;  // of the way of the gap since its last impact
  if (!modes_.laws()[contact].held.holonomic) return false;
  const SizedNumber gap = frame_.gap(contact);
  const double approach = -frame_.rate(contact).value;
  if (gap.sign() != 0 || !(approach > 0) || frame_.rate(contact).sign() == 0) return false;
  const double rounding = 1e3 * std::numeric_limits<double>::epsilon() * gap.size;
  const double way = approach * history_.interval(contact, at.t);
  if (std::abs(gap.value) > std::max(part * way, rounding)) return false;
  if (std::abs(gap.value) > rounding) joined_.push_back(contact);
  return true;
}

/// What closes together by less than the state is known may as well close one after the other, and so may
/// what lies against what closes.
void Collisions::say_order(double t, const ImpactProblem& problem, const Impacts& at_once,
                           const std::vector<std::size_t>& closed) {
  constexpr double alike = 1e-6;
  constexpr std::size_t most_contacts = 6, most_questions = 50;
  const std::vector<std::size_t> joined = std::exchange(joined_, {});
  if (order_is_said_ || at_once.all.size() != 1 || closed.size() < 2) return;
  if (joined.empty() && closed.size() > most_contacts) {
    total_.note(
        fmt::format("whether the order of impacts counts was not asked where more than {} contacts touch",
                    most_contacts));
    return;
  }
  if (joined.empty() && ++orders_asked_ > most_questions) {
    total_.note(fmt::format(
        "whether the order of impacts counts was asked at the first {} impacts of several contacts",
        most_questions));
    return;
  }
  const Impacts one_by_one = sequential_impacts(problem);
  double size = 0, apart = 0;
  for (const Impact& other : one_by_one.all) {
    for (std::size_t row = 0; row < other.velocities.size(); ++row) {
      size = std::max({size, std::abs(other.velocities[row]), std::abs(problem.velocity[row])});
      apart = std::max(apart, std::abs(other.velocities[row] - at_once.all[0].velocities[row]));
    }
  }
  const bool has_none = one_by_one.all.empty();
  if (!has_none && apart <= alike * size) return;
  order_is_said_ = true;
  total_.note(fmt::format(
      "at t = {:.9g} {}: taken is one impact of all; one after the other they would {}", t,
      joined.empty()
          ? fmt::format("{} touch", modes_.names_of(closed))
          : fmt::format("{} closes with others, as far as the state is known", modes_.names_of(joined)),
      has_none ? std::string("come to no end that was found")
               : fmt::format("end with velocities that differ by up to {:.3g}", apart)));
}

bool Collisions::collide(RunPlace& at, const std::vector<std::size_t>& closed) {
  close(at, closed);
  if (!frame_.take(at.t, at.y.data())) return total_.end(SimulationOutcome::singular, at.t, frame_.failure());
  auto problem = frame_.impact(closed);
  if (!problem) return total_.end(SimulationOutcome::singular, at.t, frame_.failure());
  problem->law = options_.law.value_or(ImpactLaw::energetic);
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (at.is_resting(closed[i], frame_)) problem->velocity[problem->contacts[i].normal] = 0;
  }
  const double speed = largest_of(problem->velocity);
  ImpactSides::Ways ways = sides_.ways(*problem, closed, at.t, at.y.data());
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const double approach = problem->velocity[problem->contacts[i].normal];
    if (!(approach < 0)) continue;
    // How high the gap came since the last impact, beside the numbers that it is a difference of.
    const double height = -approach * history_.interval(closed[i], at.t) / 4;
    const bool is_rounding =
        height <= 1e5 * std::numeric_limits<double>::epsilon() * frame_.gap(closed[i]).size;
    const auto ended = history_.accumulates(closed[i], at.t, -approach, tolerance_, is_rounding);
    if (ended) add_accumulation(*ended);
    const bool is_spent = spent_.erase(closed[i]) > 0;
    if (ended || is_rounding || is_spent) {
      for (ImpactProblem& one : ways.problems) one.contacts[i].restitution = 0;
    }
    history_.add(closed[i], at.t, -approach);
  }
  *problem = ways.problems[0];
  const Impacts found = results_of(ways);
  if (!options_.in_sequence && ways.problems.size() == 1) say_order(at.t, *problem, found, closed);
  if (found.all.empty()) {
    // orders are tried up to a limit; a common path that has no end is known not to have one
    const bool is_cut_off = options_.in_sequence && !found.complete;
    return total_.end(is_cut_off ? SimulationOutcome::singular : SimulationOutcome::impossible, at.t,
                      fmt::format("{}: {}",
                                  is_cut_off ? "the search for a result of the impact ended without one"
                                             : "the law of impact has no solution",
                                  found.remark),
                      problem->law == ImpactLaw::energetic
                          ? "--in-sequence lets one contact act after the other"
                          : "--impact energetic, the law of a common path, has one");
  }
  const bool branches = options_.on_indeterminate == OnIndeterminate::branch;
  if (found.all.size() > 1 && !branches) {
    for (const Impact& one : found.all) total_.result.possible.push_back(in_words(one, *problem, closed));
    std::set<std::string> sides;
    for (const Expr argument : ways.arguments) sides.insert(to_infix(argument));
    return total_.end(
        SimulationOutcome::several, at.t,
        fmt::format("the impact of {} has {} results{}", modes_.names_of(closed), found.all.size(),
                    sides.empty()
                        ? ""
                        : fmt::format(": its coefficients jump where {} = 0, and it comes there, as "
                                      "far as the state is known",
                                      fmt::join(sides, ", "))),
        "--on-indeterminate branch follows each");
  }
  for (const std::size_t c : closed) {
    if (modes_.depends_on_speed(c))
      total_.note(
          fmt::format("the coefficients of `{}` in an impact are those of its beginning", modes_.name(c)));
  }
  if (!found.complete || !found.remark.empty()) total_.note(fmt::format("impacts: {}", found.remark));
  const Impact& taken = found.all[found.all.size() > 1 ? tree_.choose(found.all.size()) : 0];
  if (found.all.size() > 1) tree_.took(at.t, in_words(taken, *problem, closed));
  const bool is_passive = std::all_of(problem->contacts.begin(), problem->contacts.end(),
                                      [](const ImpactContact& contact) { return contact.restitution <= 1; });
  if (const double gain = gain_of(taken, *problem); gain > 0 && is_passive && !options_.allows_gain) {
    total_.result.created = gain;
    return total_.end(
        SimulationOutcome::singular, at.t,
        fmt::format("{}'s law of impact creates energy at {}: {:.6g}",
                    options_.law == ImpactLaw::newton ? "Newton" : "Poisson", modes_.names_of(closed), gain));
  }
  apply(at, taken, *problem, closed, speed);
  return true;
}

/// Each result once, of whatever side it comes.
Impacts Collisions::results_of(const ImpactSides::Ways& ways) const {
  constexpr double alike = 1e-9;
  Impacts all;
  for (const ImpactProblem& problem : ways.problems) {
    Impacts found = options_.in_sequence ? sequential_impacts(problem) : simultaneous_impacts(problem);
    if (ways.problems.size() == 1 && ways.complete) return found;
    all.complete = all.complete && found.complete;
    if (all.remark.empty()) all.remark = found.remark;
    const double size = largest_of(problem.velocity);
    for (Impact& one : found.all) {
      const bool is_known = std::any_of(all.all.begin(), all.all.end(), [&](const Impact& other) {
        return std::equal(one.velocities.begin(), one.velocities.end(), other.velocities.begin(),
                          [&](double a, double b) { return std::abs(a - b) <= alike * size; });
      });
      if (!is_known) all.all.push_back(std::move(one));
    }
  }
  if (!ways.complete) {
    all.complete = false;
    all.remark = "not all sides of what its coefficients jump with were looked at";
  }
  return all;
}

/// The energy that an impact creates; 0 where that is rounding. In the motion relative to the surfaces: one
/// that moves may give energy to what it meets.
double Collisions::gain_of(const Impact& impact, const ImpactProblem& problem) {
  double work = 0, size = 0;
  for (std::size_t row = 0; row < impact.impulses.size(); ++row) {
    work += impact.impulses[row] * (problem.velocity[row] + impact.velocities[row]) / 2;
    size +=
        std::abs(impact.impulses[row]) * (std::abs(problem.velocity[row]) + std::abs(impact.velocities[row]));
  }
  return work > 1e-9 * size ? work : 0;
}

std::string Collisions::in_words(const Impact& impact, const ImpactProblem& problem,
                                 const std::vector<std::size_t>& closed) const {
  std::string text;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const std::size_t row = problem.contacts[i].normal;
    text += fmt::format("{}`{}`: impulse {:.9g}, gap rate {:.9g} -> {:.9g}", text.empty() ? "" : "; ",
                        modes_.name(closed[i]), impact.impulses[row], problem.velocity[row],
                        impact.velocities[row]);
  }
  return text;
}

/// The work of what moves stands for itself, so that the balance can fail.
void Collisions::split_energy(ImpactRecord& record, const ContactFrame::ImpulseWork& work,
                              const std::vector<double>& before, const std::vector<double>& after) {
  constexpr double rounding = 1e-13;
  Segment& open = segments_.open();
  record.loss = -work.by_law;
  const auto old_momentum = open.momentum_of_time(record.t, before.data());
  const auto new_momentum = open.momentum_of_time(record.t, after.data());
  const double carried = old_momentum && new_momentum ? *new_momentum - *old_momentum : 0;
  const double given = work.of_all - work.by_law + carried;
  record.work = std::isnan(given) ? record.energy + record.loss : given;
  if (std::abs(record.work) <= rounding * (work.size + std::abs(carried))) record.work = 0;
  total_.balance(record.energy - record.work + record.loss, std::abs(record.work) + std::abs(record.loss));
}

void Collisions::apply(RunPlace& at, const Impact& impact, const ImpactProblem& problem,
                       const std::vector<std::size_t>& closed, double speed) {
  Evaluator& open = *segments_.open().evaluator;
  const std::vector<double> before = at.y;
  total_.saw(std::span(before).subspan(open.position_count()));
  frame_.add_impulses(closed, impact.impulses, at.y.data());
  frame_.drop_rounding(at.y.data());
  ImpactRecord record{
      .t = at.t,
      .contacts = {},
      .impulses = {},
      .energy = open.energies(at.t, at.y.data()).kinetic - open.energies(at.t, before.data()).kinetic,
      .how = impact.how};
  split_energy(record, frame_.work_of(closed, impact.impulses), before, at.y);
  at.rests.clear();
  // What is left of velocities that were larger.
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * total_.largest_velocity();
  double approach = 0;
  for (const ImpactContact& contact : problem.contacts)
    approach = std::max(approach, std::abs(problem.velocity[contact.normal]));
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const ImpactContact& contact = problem.contacts[i];
    const std::size_t c = closed[i];
    if (impact.impulses[contact.normal] != 0) {
      record.contacts.push_back(c);
      record.impulses.push_back(impact.impulses[contact.normal]);
    }
    // Of the slip only rounding comes to the normal. What pressed was stopped by equations, whose solution is
    // known less well than a velocity that nothing changes.
    const double after = std::abs(impact.velocities[contact.normal]);
    const double part = impact.impulses[contact.normal] != 0 ? pressed_beside : rest_beside;
    if (after <= part * approach + 1e3 * std::numeric_limits<double>::epsilon() * speed) at.rests.insert(c);
    at.closed[c] = modes_.laws()[c].held.holonomic || at.rests.contains(c);
    for (std::size_t k = 0; k < contact.resisted.size(); ++k) {
      double squares = 0;
      for (const std::size_t row : contact.resisted[k].rows)
        squares += impact.velocities[row] * impact.velocities[row];
      at.moving[c][k] = std::sqrt(squares) > std::max(rest_beside * speed, rounding);
    }
  }
  at.holds.clear();
  if (const double gain = gain_of(impact, problem); gain > 0)
    total_.note(fmt::format("the impact at t = {:.9g} creates energy: {:.6g}", at.t, gain));
  total_.jump(segments_.open(), at.t, before, at.y);
  total_.result.impacts.push_back(std::move(record));
}

bool Collisions::jam(RunPlace& at, const std::vector<std::size_t>& resting) {
  auto problem = frame_.impact(resting);
  if (!problem) return total_.end(SimulationOutcome::singular, at.t, frame_.failure());
  for (const ImpactContact& contact : problem->contacts) problem->velocity[contact.normal] = 0;
  problem->law = options_.law.value_or(ImpactLaw::energetic);
  struct Jam {
    std::size_t contact;
    Impact impact;
  };
  std::vector<Jam> jams;
  for (std::size_t i = 0; i < resting.size(); ++i) {
    for (Impact& one : tangential_impact(*problem, i).all) jams.push_back({resting[i], std::move(one)});
  }
  if (jams.empty())
    return total_.end(SimulationOutcome::impossible, at.t,
                      "no motion is possible, and no tangential impact is either",
                      "--on-impossible compliant asks contacts that give way a little");
  if (jams.size() > 1) {
    for (const Jam& one : jams) {
      total_.result.possible.push_back(
          fmt::format("`{}` jams: {}", modes_.name(one.contact), in_words(one.impact, *problem, resting)));
    }
    return total_.end(SimulationOutcome::several, at.t,
                      fmt::format("no motion is possible, and {} tangential impacts are", jams.size()),
                      "--on-impossible compliant asks contacts that give way a little");
  }
  total_.note(fmt::format("at t = {:.9g} no motion is possible: a tangential impact of `{}`", at.t,
                          modes_.name(jams[0].contact)));
  apply(at, jams[0].impact, *problem, resting, largest_of(problem->velocity));
  for (const std::size_t c : resting) at.closed[c] = true;
  return true;
}

std::optional<CompliantEnd> Collisions::give_way(RunPlace& at, const std::vector<std::size_t>& resting,
                                                 const std::vector<double>& forces, double time_scale,
                                                 std::string& account) {
  constexpr double tau_part = 1e-8;  // of the time of the motion
  auto rows = frame_.impact(resting);
  const auto drive = frame_.drives(resting);
  if (!rows || !drive) {
    total_.end(SimulationOutcome::singular, at.t, frame_.failure());
    return {};
  }
  for (const ImpactContact& contact : rows->contacts) rows->velocity[contact.normal] = 0;
  CompliantProblem problem{*rows, *drive, std::vector<double>(drive->size(), 0.0)};
  if (!forces.empty()) {
    const std::vector<std::size_t> places = frame_.rows_of(resting);
    for (std::size_t h = 0; h < places.size(); ++h)
      problem.forces[h] = forces[modes_.bilateral_count() + places[h]];
    for (const ImpactContact& contact : rows->contacts)
      problem.forces[contact.normal] = std::max(problem.forces[contact.normal], 0.0);
  }
  const CompliantContacts assumed{.tau = tau_part * time_scale};
  const CompliantEnd end = through_compliant_layer(problem, assumed);
  const std::string contacts =
      fmt::format("contacts that swing in {:.3g} s with {:g} of the critical damping",
                  2 * std::numbers::pi * assumed.tau, assumed.damping);
  if (!end.settles) {
    total_.end(SimulationOutcome::singular, at.t,
               fmt::format("{} do not settle between pressing and opening", contacts));
    return {};
  }
  struct Other {
    const char* what;
    CompliantContacts contacts;
  };
  std::string others;
  for (const Other& other :
       {Other{"ten times as short", {assumed.tau / 10, assumed.damping, assumed.along}},
        Other{"a quarter of the damping", {assumed.tau, assumed.damping / 4, assumed.along}},
        Other{"half as stiff along the surface", {assumed.tau, assumed.damping, assumed.along / 2}}}) {
    const CompliantEnd one = through_compliant_layer(problem, other.contacts);
    double apart = 0;
    for (std::size_t h = 0; h < drive->size(); ++h)
      apart = std::max(apart, std::abs(one.velocities[h] - end.velocities[h]));
    const bool is_alike = one.settles && one.presses == end.presses && one.slips == end.slips;
    others += fmt::format("{}{}: {}", others.empty() ? "" : ", ", other.what,
                          is_alike ? fmt::format("velocities differ by {:.2g}", apart) : "another motion");
  }
  account = fmt::format(
      "at t = {:.9g} the rigid contacts do not determine the motion: taken is that of {}, as "
      "stiff along a surface as across it ({})",
      at.t, contacts, others);
  if (end.is_impact) {
    const Impact impact{
        .impulses = end.impulses, .velocities = end.velocities, .energy = 0, .how = "of compliant contacts"};
    apply(at, impact, *rows, resting, largest_of(rows->velocity));
    for (std::size_t i = 0; i < resting.size(); ++i) {
      at.closed[resting[i]] = true;
      if (end.presses[i]) at.rests.insert(resting[i]);
      for (std::size_t k = 0; k < end.slips[i].size(); ++k)
        at.moving[resting[i]][k] = !end.presses[i] || end.slips[i][k] != 0;
    }
  }
  return end;
}

/// Impacts may go on for a while by other contacts, as of a block that rocks, towards the same end: the first
/// time that was told of it has lost the least to rounding.
void Collisions::add_accumulation(const Accumulation& one) {
  auto& all = total_.result.accumulations;
  for (Accumulation& known : all) {
    if (known.contact != one.contact || known.t + known.error < one.rests) continue;
    const bool is_limit = one.t > one.rests;
    if (is_limit) known.error = std::max(known.error, std::abs(one.t - known.t));
    known.rests = one.rests;
    known.impacts += one.impacts;
    return;
  }
  all.push_back(one);
}

void Collisions::come_to_rest(std::size_t contact, double t, bool approaches) {
  const Accumulation ended = history_.ends(contact, t);
  if (ended.impacts > 0) add_accumulation(ended);
  if (approaches) spent_.insert(contact);
}

}  // namespace liaison
