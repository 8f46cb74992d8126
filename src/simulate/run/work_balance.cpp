#include "work_balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "monitors.hpp"

namespace liaison {

namespace {

/// Nodes and weights of Gauss on (-1, 1), order 12: with it the work is as exact as the states of a step.
constexpr std::array<std::pair<double, double>, 3> gauss{{{0.2386191860831969, 0.4679139345726910},
                                                          {0.6612093864662645, 0.3607615730481386},
                                                          {0.9324695142031521, 0.1713244923791704}}};

/// T has parts of degree one or zero in the velocities: something moves, also at a constant rate.
bool is_carried(const Observations& observations) {
  return !observations.kept.empty() && observations.kept.front().name != "T + V";
}

/// The time enters, something is driven, or a constraint works: one that moves, also at a constant rate.
bool is_driven(const AssembledEquations& equations, const Observations& observations) {
  const Expr t = equations.system->time;
  const auto moves = [&](Expr e) { return !e.empty() && depends_on(e, t); };
  return is_carried(observations) || !equations.system->rheonomic.empty() || moves(equations.kinetic) ||
         moves(equations.potential) ||
         std::any_of(equations.system->forces.begin(), equations.system->forces.end(), moves) ||
         std::any_of(equations.levels.begin(), equations.levels.end(), moves) ||
         std::any_of(equations.relations.begin(), equations.relations.end(), moves) ||
         std::any_of(observations.powers.begin(), observations.powers.end(),
                     [](const Observations::Power& power) { return !power.expected_zero; });
}

}  // namespace

bool is_moved(const AssembledEquations& equations) {
  const auto moves = [&](Expr e) { return !e.empty() && depends_on(e, equations.system->time); };
  if (moves(equations.kinetic) || moves(equations.potential)) return true;
  Substitution standing;
  for (const Expr velocity : equations.parameters)
    standing.emplace(velocity, equations.system->pool->number(0));
  return std::any_of(equations.relations.begin(), equations.relations.end(),
                     [&](Expr e) { return !e.empty() && !substitute(e, standing).is_zero(); });
}

void observe_work(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                  Engine engine, Observations& observations, bool always) {
  const System& system = *equations.system;
  const bool is_plain = system.chart.parameters.empty() && system.unilaterals.empty();
  if (!is_plain || (!always && !is_driven(equations, observations))) return;
  std::vector<Expr> terms;
  for (std::size_t h = 0; h < equations.names.size(); ++h) {
    std::vector<Expr> power;
    for (const SparseEntry& entry : equations.directions.entries)
      if (entry.row == h) power.push_back(entry.value * system.directions[entry.column].velocity);
    terms.push_back(equations.factors[h] * system.pool->add(power));
  }
  const std::vector<Expr>& velocities = equations.parameters;
  for (std::size_t i = 0; i < velocities.size(); ++i) terms.push_back(system.forces[i] * velocities[i]);
  // The time as a coordinate: p_0 = 2*T - v^i p_i, and p_0' - dT/dt + dV/dt is what moves it.
  const std::vector<Expr> momenta = gradient(system.kinetic, velocities);
  std::vector<Expr> moved{Rational(2) * system.kinetic};
  for (std::size_t i = 0; i < velocities.size(); ++i) moved.push_back(-(velocities[i] * momenta[i]));
  const Expr of_time = is_carried(observations) ? system.pool->add(moved) : system.pool->number(0);
  if (is_carried(observations) || depends_on(system.kinetic, system.time)) {
    terms.push_back(time_derivative(system, system.pool->add(moved)));
    terms.push_back(-derivative(system.kinetic, system.time));
  }
  terms.push_back(derivative(system.potential, system.time));
  observations.work_values = Quantities(algebra, equations, parameters,
                                        {equations.kinetic + equations.potential, system.pool->add(terms),
                                         equations.kinetic, equations.potential, of_time},
                                        engine);
}

WorkBalance::WorkBalance(Evaluator& evaluator, Observations& observations, Stepper& stepper,
                         Monitors& monitors)
    : evaluator_(evaluator),
      observations_(observations),
      stepper_(stepper),
      monitors_(monitors),
      moment_(evaluator) {}

/// What the time switches has both sides at one time: the energy of a motion is that of the side on which it
/// comes, or goes on.
double WorkBalance::time_on_side(double t, double side) const {
  return evaluator_.switch_arguments().empty() ? t : t + side * 64 * shortest_step(t);
}

/// Where the time alone makes the energy jump, what switches it does that work, at once.
void WorkBalance::add_switched(std::vector<double>& y) {
  if (evaluator_.switch_arguments().empty() || !(last_ > begin_)) return;
  stepper_.state_at(last_, y.data());
  double energies[4];
  constexpr double sides[] = {-2, -1, 1, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    if (!take(time_on_side(last_, sides[k]), y.data())) return;
    energies[k] = values_[0];
  }
  // what changes by itself in between is twice as much over twice the time
  const double jump = 2 * (energies[2] - energies[1]) - (energies[3] - energies[0]);
  if (std::abs(jump) > 1e-10 * size_) work_ += jump;
}

bool WorkBalance::take(double t, const double* y) {
  lost_ = lost_ || !moment_.take(t, y) ||
          !observations_.work_values.evaluate(t, y, moment_.accelerations(), moment_.factors(), values_);
  if (lost_) return false;
  size_ = std::max({size_, std::abs(values_[2]), std::abs(values_[3])});
  moved_ = std::max({moved_, std::abs(values_[2]), std::abs(values_[3] - rest_)});
  return true;
}

void WorkBalance::begin(double t, const double* y) {
  last_ = begin_ = t;
  if (!is_watched() || !take(time_on_side(t, 1), y)) return;
  first_ = values_[0];
  rest_ = values_[3];
  moved_ = std::abs(values_[2]);
}

/// The work from one time to another, by so many parts of one length; nothing where there is none.
std::optional<double> WorkBalance::work(double from, double to, std::size_t parts) {
  std::vector<double> y(evaluator_.size());
  double sum = 0;
  const double half = 0.5 * (to - from) / static_cast<double>(parts);
  for (std::size_t k = 0; k < parts; ++k) {
    const double middle = from + half * static_cast<double>(2 * k + 1);
    for (const auto& [node, weight] : gauss) {
      for (double side : {-node, node}) {
        stepper_.state_at(middle + half * side, y.data());
        if (!take(middle + half * side, y.data())) return {};
        monitors_.watch_between(middle + half * side, y.data(), moment_.accelerations());
        sum += weight * values_[1];
      }
    }
  }
  return half * sum;
}

void WorkBalance::until(double t) {
  if (!is_watched() || !(t > last_)) return;
  std::vector<double> y(evaluator_.size());
  add_switched(y);
  auto done = work(last_, t, 1);
  if (!done) return;
  stepper_.state_at(t, y.data());
  if (!take(std::max(time_on_side(t, -1), 0.5 * (last_ + t)), y.data())) return;
  const double before = difference_, energy = values_[0];
  // A drive may go around many times in a step that knows nothing of it: the parts are made shorter until
  // that changes nothing any more, where the balance is not met.
  constexpr std::size_t most_parts = 4096;
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  for (std::size_t parts = 2; parts <= most_parts; parts *= 2) {
    const double missing = std::abs(energy - first_ - work_ - *done - before);
    if (missing <= std::max({1e-12 * moved_, rounding * size_, 4 * usual_})) break;
    const auto finer = work(last_, t, parts);
    if (!finer) return;
    const double change = std::abs(*finer - *done);
    done = finer;
    if (change > 0.1 * missing || change > std::max(1e-9 * moved_, rounding * size_)) continue;
    usual_ = std::max(usual_, missing);  // what the method leaves, not the sum
    break;
  }
  work_ += *done;
  last_ = t;
  size_ = std::max(size_, std::abs(work_));
  moved_ = std::max(moved_, std::abs(work_));
  difference_ = energy - first_ - work_;
  lowest_ = std::min(lowest_, difference_);
  highest_ = std::max(highest_, difference_);
}

void WorkBalance::jump(double t, const double* before, const double* after) {
  if (!is_watched() || !take(time_on_side(t, -1), before)) return;
  const double energy = values_[0];
  if (take(time_on_side(t, -1), after)) first_ += values_[0] - energy;
}

std::optional<Monitor> WorkBalance::verdict() const {
  if (!is_watched()) return {};
  const double change = std::max(-lowest_, highest_), size = size_beside(size_, moved_, change);
  Monitor result{work_balance, MonitorKind::conserved, size > 0 ? change / size : 0, change, true};
  result.lowest = lowest_;
  result.highest = highest_;
  result.last = difference_;
  result.size = size;
  return result;
}

std::vector<double> WorkBalance::memory() const {
  return {last_,  first_, work_, lowest_, highest_, difference_, size_, lost_ ? 1.0 : 0.0,
          usual_, rest_,  moved_};
}

bool WorkBalance::recall(std::span<const double> memory) {
  if (memory.size() != 11) return false;
  last_ = memory[0];
  first_ = memory[1];
  work_ = memory[2];
  lowest_ = memory[3];
  highest_ = memory[4];
  difference_ = memory[5];
  size_ = memory[6];
  lost_ = memory[7] != 0;
  usual_ = memory[8];
  rest_ = memory[9];
  moved_ = memory[10];
  return true;
}

}  // namespace liaison
