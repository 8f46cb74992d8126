#include "liaison/unilateral/many_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "held_modes.hpp"
#include "one_contact.hpp"

namespace liaison {

double SparseRows::times(std::size_t row, const std::vector<double>& u) const {
  double sum = 0;
  for (std::size_t i = begins[row]; i < begins[row + 1]; ++i) sum += values[i] * u[columns[i]];
  return sum;
}

void SparseRows::add(std::size_t column, double value) {
  if (value == 0) return;
  columns.push_back(column);
  values.push_back(value);
}

SparseRows product(const SparseRows& rows, const SparseRows& matrix) {
  SparseRows result;
  std::vector<double> sum(matrix.size(), 0.0);
  std::vector<std::size_t> touched;
  std::vector<bool> is_touched(matrix.size(), false);
  for (std::size_t h = 0; h < rows.size(); ++h) {
    touched.clear();
    for (std::size_t i = rows.begins[h]; i < rows.begins[h + 1]; ++i) {
      const std::size_t row = rows.columns[i];
      for (std::size_t j = matrix.begins[row]; j < matrix.begins[row + 1]; ++j) {
        const std::size_t column = matrix.columns[j];
        if (!is_touched[column]) touched.push_back(column);
        is_touched[column] = true;
        sum[column] += rows.values[i] * matrix.values[j];
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const std::size_t column : touched) {
      result.add(column, sum[column]);
      sum[column] = 0;
      is_touched[column] = false;
    }
    result.end_row();
  }
  return result;
}

namespace {

using Contact = ManyContacts::Contact;
using Resistance = ManyContacts::Resistance;

/// Sweeps without a better residual: after some, sweeps that take half of each change and accelerated ones
/// take turns, after many nothing better is hoped for.
constexpr std::size_t doubt_after = 300, give_up_after = 2'000;

/// Fill of sparse elimination is bounded by this.
constexpr std::size_t most_equations = 20'000;

/// Searches for modes, of so many eliminations, and the sweeps between two of them. An elimination of many
/// equations takes as long as many sweeps: it is tried where sweeps change no mode, each time after twice as
/// many of them, with a few rounds.
constexpr std::size_t most_rounds = 12, sweeps_between_searches = 128;
constexpr std::size_t many_rows = 200, first_elimination = 64, rounds_of_many = 4;

class Sweeps {
 public:
  Sweeps(const ManyContacts& problem, const ManyImpulses& start, const ManyContactsOptions& options)
      : problem_(problem), options_(options), impulses_(problem.rows.size(), 0.0), u_(problem.free) {
    if (start.impulses.size() == impulses_.size()) impulses_ = start.impulses;
    steps_.assign(problem.contacts.size(), ContactStep::open);
    if (start.steps.size() == steps_.size()) steps_ = start.steps;
    find_own_responses();
    find_scales();
    if (fastest_ == 0) std::fill(impulses_.begin(), impulses_.end(), 0.0);  // nothing to be done
    find_velocities();
    if (impulses_.size() > many_rows) next_search_ = first_elimination;
  }

  ManyImpulses find() {
    ManyImpulses best;
    best.residual = INFINITY;
    const std::size_t count = impulses_.size();
    std::vector<double> before, change(count), direction(count, 0.0);
    double last_square = 0;
    std::size_t looked = 0;  // when acceleration was last put in question
    bool accelerates = true;
    // One sweep at least: a start that is within the tolerance, taken step after step, would creep.
    for (std::size_t sweeps = 1;; ++sweeps) {
      before = impulses_;
      sweep();
      double square = 0;
      for (std::size_t h = 0; h < count; ++h) {
        change[h] = impulses_[h] - before[h];
        square += change[h] * change[h];
      }
      if (is_worth_a_look(sweeps)) {
        find_velocities();
        keep(best, sweeps);
        if (best.converged || sweeps >= options_.most_sweeps || !std::isfinite(square)) break;
        if (sweeps > best_at_ + give_up_after) break;
        if (sweeps >= options_.patience && best.residual <= options_.enough) break;
        if (sweeps > 1 && pays_to_eliminate(sweeps) && try_modes(best, sweeps)) break;
        if (sweeps > std::max(best_at_, looked) + doubt_after) {
          accelerates = !accelerates;
          relaxation_ = accelerates ? 1 : 0.5;
          looked = sweeps;
        }
      }
      // Conjugate directions of the changes, begun anew where they grow.
      const double ratio = last_square > 0 ? square / last_square : 0;
      last_square = square;
      const bool goes_on = accelerates && ratio > 0 && ratio < 1;
      for (std::size_t h = 0; h < count; ++h) {
        if (goes_on) add(h, ratio * direction[h]);
        direction[h] = (goes_on ? ratio * direction[h] : 0) + change[h];
      }
    }
    count_ambiguous(best);
    return best;
  }

 private:
  void find_own_responses() {
    own_.resize(problem_.contacts.size());
    further_.resize(problem_.contacts.size());
    std::vector<double> response(problem_.free.size(), 0.0);
    for (std::size_t c = 0; c < own_.size(); ++c) {
      const Contact& contact = problem_.contacts[c];
      OneContact& own = own_[c];
      if (!contact.resisted.empty()) {
        own.size = 1 + contact.resisted[0].components;
        own.slipping = contact.resisted[0].slipping;
        own.sticking = contact.resisted[0].sticking;
      }
      for (std::size_t h = 0; h < own.size; ++h) {
        scatter(row_of(contact, h), response);
        for (std::size_t k = 0; k < own.size; ++k)
          own.r[h][k] = problem_.rows.times(row_of(contact, k), response);
        clear(row_of(contact, h), response);
      }
      // A direction that nothing moves along is not resisted.
      while (own.size > 1 && !(own.r[own.size - 1][own.size - 1] > 0)) --own.size;
      for (std::size_t i = 1; i < contact.resisted.size(); ++i) {
        for (std::size_t k = 0; k < contact.resisted[i].components; ++k) {
          const std::size_t row = contact.resisted[i].row + k;
          scatter(row, response);
          further_[c].push_back(problem_.rows.times(row, response));
          clear(row, response);
        }
      }
    }
  }

  static std::size_t row_of(const Contact& contact, std::size_t k) {
    return k == 0 ? contact.normal : contact.resisted[0].row + k - 1;
  }

  void scatter(std::size_t h, std::vector<double>& into) const {
    const SparseRows& from = problem_.responses;
    for (std::size_t i = from.begins[h]; i < from.begins[h + 1]; ++i) into[from.columns[i]] = from.values[i];
  }
  void clear(std::size_t h, std::vector<double>& into) const {
    const SparseRows& from = problem_.responses;
    for (std::size_t i = from.begins[h]; i < from.begins[h + 1]; ++i) into[from.columns[i]] = 0;
  }
  double velocity(std::size_t k) const {
    return problem_.rows.times(k, u_) + (problem_.bias.empty() ? 0 : problem_.bias[k]);
  }
  static double wanted(const Contact& contact) { return -contact.restitution * contact.before; }

  void add(std::size_t h, double by) {
    if (by == 0) return;
    impulses_[h] += by;
    const SparseRows& from = problem_.responses;
    for (std::size_t i = from.begins[h]; i < from.begins[h + 1]; ++i)
      u_[from.columns[i]] += by * from.values[i];
  }

  /// Without what sums of many changes have lost.
  void find_velocities() {
    u_ = problem_.free;
    for (std::size_t h = 0; h < impulses_.size(); ++h) {
      const double p = impulses_[h];
      impulses_[h] = 0;
      add(h, p);
    }
  }

  /// The largest velocities so far; what is further resisted has other units.
  void find_scales() {
    for (const Contact& contact : problem_.contacts) {
      fastest_ = std::max({fastest_, std::abs(velocity(contact.normal)), std::abs(wanted(contact))});
      for (std::size_t i = 0; i < contact.resisted.size(); ++i) {
        if (fastest_further_.size() < i + 1) fastest_further_.resize(i + 1, 0.0);
        double& fastest = i == 0 ? fastest_ : fastest_further_[i];
        for (std::size_t k = 0; k < contact.resisted[i].components; ++k)
          fastest = std::max(fastest, std::abs(velocity(contact.resisted[i].row + k)));
      }
    }
  }

  void sweep() {
    largest_change_ = largest_impulse_ = 0;
    const std::size_t count = problem_.contacts.size();
    for (std::size_t c = 0; c < count; ++c) solve_one(c);
    for (std::size_t c = count; c-- > 0;) solve_one(c);
  }

  void solve_one(std::size_t c) {
    if (own_[c].is_immovable()) return;
    solve_own(c);
    const Contact& contact = problem_.contacts[c];
    std::size_t place = 0;
    for (std::size_t i = 1; i < contact.resisted.size(); ++i) {
      solve_further(contact, contact.resisted[i], &further_[c][place]);
      place += contact.resisted[i].components;
    }
  }

  void read(std::size_t c, OneContact::Numbers& drive, OneContact::Numbers& present) const {
    const Contact& contact = problem_.contacts[c];
    const OneContact& own = own_[c];
    for (std::size_t k = 0; k < own.size; ++k) {
      present[k] = impulses_[row_of(contact, k)];
      drive[k] = velocity(row_of(contact, k));
    }
    drive[0] -= wanted(contact);
    for (std::size_t h = 0; h < own.size; ++h) {
      for (std::size_t k = 0; k < own.size; ++k) drive[k] -= present[h] * own.r[h][k];
    }
  }

  void solve_own(std::size_t c) {
    OneContact::Numbers drive = {}, present = {};
    read(c, drive, present);
    const OneImpulse found = solve(own_[c], drive, present, steps_[c]);
    steps_[c] = found.step;
    for (std::size_t k = 0; k < own_[c].size; ++k) {
      largest_change_ = std::max(largest_change_, std::abs(found.p[k] - present[k]));
      if (!std::isfinite(found.p[k])) largest_change_ = INFINITY;
      add(row_of(problem_.contacts[c], k), relaxation_ * (found.p[k] - present[k]));
    }
    largest_impulse_ = std::max(largest_impulse_, found.p[0]);
  }

  /// What is resisted beside the slip, at the normal impulse that there is.
  void solve_further(const Contact& contact, const Resistance& resisted, const double* r) {
    double p[2] = {0, 0};
    for (std::size_t k = 0; k < resisted.components; ++k) {
      if (!(r[k] > 0)) continue;
      const std::size_t row = resisted.row + k;
      p[k] = impulses_[row] - velocity(row) / r[k];
    }
    const double normal = impulses_[contact.normal];
    const bool rests = std::hypot(p[0], p[1]) <= resisted.sticking * normal;
    if (!rests) onto_disc(resisted.slipping * normal, p[0], p[1]);
    for (std::size_t k = 0; k < resisted.components; ++k)
      add(resisted.row + k, p[k] - impulses_[resisted.row + k]);
  }

  bool is_worth_a_look(std::size_t sweeps) const {
    return sweeps == 1 || sweeps % 16 == 0 || !(largest_change_ > options_.tolerance * largest_impulse_) ||
           sweeps >= options_.most_sweeps;
  }

  /// Of a resistance: the least that keeps it from sticking or from slipping by the law.
  double residual_of(const Contact& contact, const Resistance& resisted, double force_scale,
                     double velocity_scale) const {
    double p[2] = {0, 0}, v[2] = {0, 0};
    for (std::size_t k = 0; k < resisted.components; ++k) {
      p[k] = impulses_[resisted.row + k];
      v[k] = velocity(resisted.row + k);
    }
    const double normal = impulses_[contact.normal], force = std::hypot(p[0], p[1]),
                 speed = std::hypot(v[0], v[1]);
    const auto beside = [](double value, double scale) { return value == 0 ? 0 : value / scale; };
    const double sticks = std::max(beside(speed, velocity_scale),
                                   beside(std::max(0.0, force - resisted.sticking * normal), force_scale));
    // Slips: p = -slipping N v/|v|, which says nothing of a direction where there is no speed.
    double slips = INFINITY;
    if (speed > 0) {
      const double limit = resisted.slipping * normal;
      slips = beside(std::hypot(p[0] + limit * v[0] / speed, p[1] + limit * v[1] / speed), force_scale);
    }
    return std::min(sticks, slips);
  }

  double residual() const {
    double largest = 0;
    for (const Contact& contact : problem_.contacts) largest = std::max(largest, impulses_[contact.normal]);
    double worst = 0;
    for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
      const Contact& contact = problem_.contacts[c];
      const double p = impulses_[contact.normal], v = velocity(contact.normal) - wanted(contact);
      const double closes = v == 0 ? 0 : v / fastest_, presses = p == 0 ? 0 : p / largest;
      worst = std::max(worst, std::abs(std::min(closes, presses)));
      std::size_t place = 0;
      for (std::size_t i = 0; i < contact.resisted.size(); ++i) {
        const Resistance& resisted = contact.resisted[i];
        const double unit = i == 0 ? 1 : std::max(resisted.sticking, resisted.slipping);
        double fastest = fastest_;
        if (i > 0) {
          // In its own unit: what an impulse gives it that changes the normal velocity by the fastest.
          double r = 0;
          for (std::size_t k = 0; k < resisted.components; ++k) r = std::max(r, further_[c][place++]);
          const double own = own_[c].is_immovable() ? 0 : std::sqrt(r / own_[c].r[0][0]);
          fastest = std::max(fastest_further_[i], own * fastest_);
        }
        if (p > 0 && unit > 0)
          worst = std::max(worst, residual_of(contact, resisted, unit * largest, fastest));
      }
      if (!std::isfinite(p) || !std::isfinite(v)) return INFINITY;
    }
    return worst;
  }

  void keep(ManyImpulses& best, std::size_t sweeps) {
    find_scales();
    const double now = residual();
    best.sweeps = sweeps;
    if (!(now < best.residual)) return;
    best.residual = now;
    best_at_ = sweeps;
    best.impulses = impulses_;
    best.velocities = u_;
    best.steps = steps_;
    best.converged = now <= options_.tolerance;
  }

  bool pays_to_eliminate(std::size_t sweeps) {
    if (impulses_.size() <= many_rows) return true;
    const bool stays = steps_ == steps_before_;
    steps_before_ = steps_;
    return stays && sweeps >= next_search_;
  }

  /// Where the sweeps have found what each contact does, equations tell the impulses. Where they have not,
  /// what each contact would do beside these impulses is asked again (Newton's method on the modes), a few
  /// times.
  bool try_modes(ManyImpulses& best, std::size_t sweeps) {
    const std::vector<double> impulses = impulses_;
    const std::vector<ContactStep> steps = steps_;
    const bool many = impulses_.size() > many_rows;
    const std::size_t rounds = many ? rounds_of_many : sweeps >= next_search_ ? most_rounds : 1;
    if (rounds > 1) next_search_ = many ? 2 * sweeps : sweeps + sweeps_between_searches;
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<double> found = impulses_in_modes(problem_, impulses_, steps_, most_equations);
      if (found.empty()) break;
      impulses_ = std::move(found);
      find_velocities();
      keep(best, sweeps);
      if (best.converged) return true;
      if (round + 1 < rounds && !choose_modes()) break;
    }
    impulses_ = impulses;
    steps_ = steps;
    find_velocities();
    return false;
  }

  /// What each contact does beside the impulses that there are, and in which direction; false where nothing
  /// changes.
  bool choose_modes() {
    std::vector<double> chosen = impulses_;
    bool changes = false;
    for (std::size_t c = 0; c < own_.size(); ++c) {
      if (own_[c].is_immovable()) continue;
      OneContact::Numbers drive = {}, present = {};
      read(c, drive, present);
      const OneImpulse found = solve(own_[c], drive, present, steps_[c]);
      changes = changes || found.step != steps_[c];
      steps_[c] = found.step;
      for (std::size_t k = 0; k < own_[c].size; ++k) {
        const std::size_t row = row_of(problem_.contacts[c], k);
        changes = changes || (k > 0 && found.step == ContactStep::slips && chosen[row] * found.p[k] <= 0);
        chosen[row] = found.p[k];
      }
    }
    impulses_ = std::move(chosen);  // their velocities are not asked for
    return changes;
  }

  void count_ambiguous(ManyImpulses& best) {
    if (best.impulses.empty() && !impulses_.empty()) return;
    impulses_ = best.impulses;
    u_ = best.velocities;
    double size = 0;  // of what presses now, and of what would take all velocities away
    for (std::size_t c = 0; c < own_.size(); ++c) {
      size = std::max(size, impulses_[problem_.contacts[c].normal]);
      if (!own_[c].is_immovable()) size = std::max(size, fastest_ / own_[c].r[0][0]);
    }
    for (std::size_t c = 0; c < own_.size(); ++c) {
      if (own_[c].is_immovable() || own_[c].size == 1) continue;
      OneContact::Numbers drive = {}, present = {};
      read(c, drive, present);
      // Between sticking and slipping, where the coefficients differ, what it did before decides.
      OneContact own = own_[c];
      own.sticking = own.slipping;
      best.ambiguous += count_solutions(own, drive, 1e-6 * size) > 1 ? 1 : 0;
    }
  }

  const ManyContacts& problem_;
  ManyContactsOptions options_;
  std::vector<double> impulses_, u_;
  std::vector<ContactStep> steps_, steps_before_;  ///< before: when elimination was last thought of
  std::vector<OneContact> own_;
  std::vector<std::vector<double>> further_;  ///< r of each row that is further resisted, with itself
  double fastest_ = 0;
  std::vector<double> fastest_further_;
  double largest_change_ = 0, largest_impulse_ = 0;
  std::size_t best_at_ = 0;      ///< sweeps
  double relaxation_ = 1;        ///< part of its change that a contact takes
  std::size_t next_search_ = 0;  ///< sweeps, after which modes are looked for again
};

}  // namespace

ManyImpulses solve(const ManyContacts& problem, const ManyImpulses& start,
                   const ManyContactsOptions& options) {
  return Sweeps(problem, start, options).find();
}

}  // namespace liaison
