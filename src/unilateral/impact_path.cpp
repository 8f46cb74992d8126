#include "impact_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "impact_phases.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_phases = 4'000, most_problems = 10'000, most_ends = 64;

}  // namespace

Impacts ImpactPath::follow() {
  std::vector<PathState> open = {start()};
  while (!open.empty()) {
    PathState state = std::move(open.back());
    open.pop_back();
    run(std::move(state), open);
    if (result_.all.size() >= most_ends && !open.empty()) {
      note(fmt::format("the path of the impulse branches: {} ends were looked at", most_ends));
      break;
    }
  }
  return std::move(result_);
}

void ImpactPath::note(const std::string& text) {
  result_.complete = false;
  if (result_.remark.find(text) == std::string::npos)
    result_.remark += (result_.remark.empty() ? "" : "; ") + text;
}

double ImpactPath::owed(const PathState& state, std::size_t c) const {
  const double e = contact(c).restitution;
  return (problem_.law == ImpactLaw::energetic ? e * e : e) * state.taken[c] - state.given[c];
}

PathState ImpactPath::start() {
  PathState state;
  state.impulses.assign(size(), 0);
  state.v = problem_.velocity;
  const std::size_t count = problem_.contacts.size();
  state.taken.assign(count, 0);
  state.given.assign(count, 0);
  for (std::size_t c = 0; c < count; ++c) {
    double& v = state.v[contact(c).normal];
    const double noise = noise_[contact(c).normal];
    if (std::abs(v) <= noise) v = 0;
    state.places.push_back(v < 0 || c == jammed_ ? Place::in : v > 0 ? Place::open : Place::resting);
    state.resting.emplace_back(contact(c).resisted.size(), 0);
  }
  rest_what_stands(state);
  return state;
}

double ImpactPath::speed(const PathState& state, const ImpactResistance& resisted) const {
  return resisted.rows.size() == 1 ? std::abs(state.v[resisted.rows[0]])
                                   : std::hypot(state.v[resisted.rows[0]], state.v[resisted.rows[1]]);
}

void ImpactPath::rest_what_stands(PathState& state) const {
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    for (std::size_t i = 0; i < contact(c).resisted.size(); ++i) {
      const ImpactResistance& resisted = contact(c).resisted[i];
      double noise = 0;
      for (const std::size_t row : resisted.rows) noise = std::max(noise, noise_[row]);
      state.resting[c][i] = speed(state, resisted) <= noise;
      if (!state.resting[c][i]) continue;
      for (const std::size_t row : resisted.rows) state.v[row] = 0;
    }
  }
}

FrictionProblem ImpactPath::rate_problem(const PathState& state, const std::vector<double>& v) const {
  FrictionProblem problem{problem_.r, std::vector<double>(size()), {}};
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (state.places[c] == Place::open) continue;
    FrictionProblem::Contact& next = problem.contacts.emplace_back();
    next.normal = contact(c).normal;
    next.given = pressed(state.places[c]);
    next.least = next.given ? 1 : 0;
    for (std::size_t i = 0; i < contact(c).resisted.size(); ++i) {
      const ImpactResistance& resisted = contact(c).resisted[i];
      FrictionProblem::Resisted row{resisted.rows, resisted.slipping, resisted.sticking};
      if (!state.resting[c][i]) {
        row.moving = true;
        row.direction = direction(resisted, v);
      }
      next.resisted.push_back(std::move(row));
    }
  }
  return problem;
}

std::array<double, 2> ImpactPath::direction(const ImpactResistance& resisted, const std::vector<double>& v) {
  const double x = v[resisted.rows[0]], y = resisted.rows.size() == 2 ? v[resisted.rows[1]] : 0;
  const double length = resisted.rows.size() == 2 ? std::hypot(x, y) : std::abs(x);
  if (length == 0) return {0, 0};
  return {x / length, y / length};
}

bool ImpactPath::everything_slips(const PathState& state) {
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (state.places[c] == Place::open) continue;
    if (state.places[c] == Place::resting) return false;
    if (std::any_of(state.resting[c].begin(), state.resting[c].end(), [](char rests) { return rests != 0; }))
      return false;
  }
  return true;
}

ImpactPath::Rates ImpactPath::slip_rates(const PathState& state, const std::vector<double>& v) const {
  Rates rates(size());
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (!pressed(state.places[c])) continue;
    rates[contact(c).normal] = 1;
    for (const ImpactResistance& resisted : contact(c).resisted) {
      const std::array<double, 2> along = direction(resisted, v);
      for (std::size_t j = 0; j < resisted.rows.size(); ++j)
        rates[resisted.rows[j]] = -resisted.slipping * along[j];
    }
  }
  return rates;
}

void ImpactPath::run(PathState state, std::vector<PathState>& open) {
  while (std::any_of(state.places.begin(), state.places.end(), pressed)) {
    if (++state.phases > most_phases) return note("a path of more than 4000 phases was left");
    if (problems_ > most_problems) return note("a path of several contacts in space was left");
    const FrictionProblem problem = rate_problem(state, state.v);
    FrictionForces found;
    if (everything_slips(state)) {
      found.all.push_back(slip_rates(state, state.v));
    } else {
      found = all_forces(problem);
      if (!found.complete) note(found.remark);
      keep_what_sticks(state, problem, found.all);
    }
    if (found.all.empty()) return press_what_jams(state, open);
    for (std::size_t i = found.all.size(); i-- > 1;) {
      PathState other = state;
      if (advance(other, problem, found.all[i])) open.push_back(std::move(other));
    }
    if (!advance(state, problem, found.all[0])) return;
  }
  Impact impact = finish_impact(problem_, state.impulses, state.how.empty() ? "nothing closes" : state.how);
  for (std::size_t k = 0; k < size(); ++k) {
    if (state.v[k] == 0 && std::abs(impact.velocities[k]) <= 1e3 * noise_[k]) impact.velocities[k] = 0;
  }
  add_impact(problem_, std::move(impact), result_);
}

void ImpactPath::press_what_jams(const PathState& state, std::vector<PathState>& open) {
  bool found = false;
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (state.places[c] != Place::resting) continue;
    PathState jammed = state;
    jammed.places[c] = Place::in;
    const FrictionProblem problem = rate_problem(jammed, jammed.v);
    for (const Rates& rates : all_forces(problem).all) {
      if (problem.velocities(rates)[contact(c).normal] >= -problem.noise()[contact(c).normal]) continue;
      PathState next = jammed;
      say(next, c, "jams");
      found = true;
      if (advance(next, problem, rates)) open.push_back(std::move(next));
    }
  }
  if (!found) note(fmt::format("no rates of the impulses at {}", place_on(state)));
}

void ImpactPath::keep_what_sticks(const PathState& state, const FrictionProblem& problem,
                                  std::vector<Rates>& all) const {
  const std::vector<double> rate_noise = problem.noise();
  for (std::size_t c = 0; all.size() > 1 && c < state.places.size(); ++c) {
    for (std::size_t i = 0; i < state.resting[c].size(); ++i) {
      if (state.resting[c][i] != 2) continue;
      std::vector<Rates> sticking;
      for (const Rates& rates : all) {
        const std::vector<double> dv = problem.velocities(rates);
        const auto& rows = contact(c).resisted[i].rows;
        if (std::all_of(rows.begin(), rows.end(),
                        [&](std::size_t k) { return std::abs(dv[k]) <= 10 * rate_noise[k]; }))
          sticking.push_back(rates);
      }
      if (!sticking.empty()) all = std::move(sticking);
    }
  }
}

std::string ImpactPath::place_on(const PathState& state) const {
  std::string text;
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (pressed(state.places[c]))
      text += fmt::format("{}p({}) = {:.6g}", text.empty() ? "" : ", ", impact_name(problem_, c),
                          state.impulses[contact(c).normal]);
  }
  return text;
}

void ImpactPath::say(PathState& state, std::size_t c, std::string_view what) const {
  state.how += fmt::format("{}{} {} at p = {:.6g}", state.how.empty() ? "" : ", ", impact_name(problem_, c),
                           what, state.impulses[contact(c).normal]);
}

bool ImpactPath::advance(PathState& state, const FrictionProblem& problem, const Rates& rates) {
  std::vector<double> dv = problem.velocities(rates);
  const std::vector<double> rate_noise = problem.noise();
  for (std::size_t k = 0; k < size(); ++k) {
    if (std::abs(dv[k]) <= 10 * rate_noise[k]) dv[k] = 0;
  }
  if (state.phases == 1 && jammed_ != no_contact && dv[contact(jammed_).normal] >= 0) {
    note(fmt::format("{} is not jammed: the way it slips does not press it", impact_name(problem_, jammed_)));
    return false;
  }
  say_beginnings(state, dv);
  for (std::size_t c = 0; c < state.places.size(); ++c) {  // another contact presses it again, or frees it
    const double v = state.v[contact(c).normal], a = dv[contact(c).normal];
    if (state.places[c] == Place::out && v == 0 && a < 0) state.places[c] = Place::in;
    if (state.places[c] == Place::in && v == 0 && a > 0) state.places[c] = Place::out;
  }
  if (turns(state, dv)) return step_in_space(state, rates);
  return go_straight(state, rates, dv);
}

void ImpactPath::say_beginnings(PathState& state, const std::vector<double>& dv) const {
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (state.places[c] == Place::open) continue;
    for (std::size_t i = 0; i < contact(c).resisted.size(); ++i) {
      const auto& rows = contact(c).resisted[i].rows;
      if (!state.resting[c][i]) continue;
      const bool sticks = std::all_of(rows.begin(), rows.end(), [&](std::size_t k) { return dv[k] == 0; });
      if (!sticks || state.resting[c][i] == 1) say(state, c, sticks ? "sticks" : "begins to slip");
      state.resting[c][i] = sticks ? 2 : 0;  // 2: and it was said
    }
  }
}

bool ImpactPath::go_straight(PathState& state, const Rates& rates, const std::vector<double>& dv) {
  double length = INFINITY;
  const auto until = [&](double value) { length = std::min(length, std::max(value, 0.0)); };
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    const double v = state.v[contact(c).normal], a = dv[contact(c).normal];
    switch (state.places[c]) {
      case Place::open:
      case Place::out:
        if (a < 0) until(-v / a);
        break;
      case Place::in:
        if (a > 0) until(-v / a);
        break;
      case Place::resting: break;
    }
    if (state.places[c] == Place::out) until(time_to_pay(state, c, v, a));
    for (std::size_t i = 0; i < contact(c).resisted.size(); ++i) {
      if (state.resting[c][i] || state.places[c] == Place::open) continue;
      double square = 0, along = 0;
      for (const std::size_t row : contact(c).resisted[i].rows) {
        square += state.v[row] * state.v[row];
        along += state.v[row] * dv[row];
      }
      if (along < 0) until(-square / along);
    }
  }
  if (!std::isfinite(length) && hold_what_cannot_expand(state, dv)) return true;
  if (!std::isfinite(length)) {
    note(fmt::format("the impulse grows without end after {}", place_on(state)));
    return false;
  }
  std::vector<double> works(state.places.size());
  for (std::size_t c = 0; c < works.size(); ++c) {
    const std::size_t n = contact(c).normal;
    works[c] = rates[n] * length * (state.v[n] + 0.5 * length * dv[n]);
  }
  for (std::size_t k = 0; k < size(); ++k) {
    state.v[k] = std::abs(state.v[k] + length * dv[k]) <= 1e-15 * std::abs(state.v[k])
                     ? 0
                     : state.v[k] + length * dv[k];
    state.impulses[k] += length * rates[k];
  }
  book(state, works, length);
  change_places(state);
  return true;
}

bool ImpactPath::hold_what_cannot_expand(PathState& state, const std::vector<double>& dv) const {
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    const std::size_t row = contact(c).normal;
    if (pressed(state.places[c]) && (state.v[row] != 0 || dv[row] != 0)) return false;
  }
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (!pressed(state.places[c])) continue;
    say(state, c, "is held");
    state.places[c] = Place::resting;
  }
  return true;
}

double ImpactPath::time_to_pay(const PathState& state, std::size_t c, double v, double a) const {
  const double rest = owed(state, c);
  if (rest <= 0) return 0;
  if (problem_.law == ImpactLaw::poisson) return rest;
  const double root = v * v + 2 * a * rest;
  return root >= 0 ? 2 * rest / (v + std::sqrt(root)) : INFINITY;
}

void ImpactPath::book(PathState& state, const std::vector<double>& works, double length) const {
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    if (!pressed(state.places[c])) continue;
    const double amount = problem_.law == ImpactLaw::energetic ? std::abs(works[c]) : length;
    (state.places[c] == Place::in ? state.taken : state.given)[c] += amount;
  }
}

void ImpactPath::change_places(PathState& state) const {
  for (std::size_t c = 0; c < state.places.size(); ++c) {
    Place& place = state.places[c];
    double& v = state.v[contact(c).normal];
    const bool zero = std::abs(v) <= noise_[contact(c).normal];
    if (zero) v = 0;
    const double small = 1e-13 * (state.taken[c] + state.given[c]);
    if (place == Place::in && v >= 0 && state.taken[c] > 0) {
      say(state, c, "ends its compression");
      place = Place::out;
    }
    if (place == Place::out && owed(state, c) <= small) {
      if (contact(c).restitution > 0) say(state, c, "ends its expansion");
      place = v > 0 ? Place::open : Place::resting;
    } else if (place == Place::out && v < 0) {
      place = Place::in;
    } else if (place == Place::resting && v > 0) {
      place = Place::open;
    } else if (place == Place::open && v <= 0) {
      place = Place::resting;
      v = 0;
    }
  }
  const std::vector<std::vector<char>> before = state.resting;
  rest_what_stands(state);
  for (std::size_t c = 0; c < before.size(); ++c) {
    for (std::size_t i = 0; i < before[c].size(); ++i) {
      if (state.resting[c][i] && before[c][i] == 2) state.resting[c][i] = 2;
    }
  }
}

Impacts impact_path(const ImpactProblem& problem, std::size_t jammed) {
  return ImpactPath(problem, jammed).follow();
}

}  // namespace liaison
