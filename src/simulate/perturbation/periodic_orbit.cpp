#include "liaison/simulate/periodic_orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "mechanics/dense.hpp"
#include "simulate/perturbation/index.hpp"
#include "simulate/perturbation/return_map.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One search for an orbit.
class Shooting {
 public:
  Shooting(const AssembledEquations& equations, Evaluator& evaluator, PerturbationEquations& perturbation,
           const DoublePoint& values, const OrbitRequest& request, Expr energy, bool pairs,
           bool is_careful = false)
      : is_careful_(is_careful),
        evaluator_(evaluator),
        values_(values),
        request_(request),
        map_(equations, evaluator, perturbation, request, energy),
        n_(request.y.size()),
        positions_(equations.positions.size()) {
    orbit_.begin = request.begin;
    orbit_.period = request.period;
    orbit_.y = request.y;
    orbit_.autonomous = request.autonomous;
    orbit_.pairs = pairs;
    tolerance_ = request.tolerance;
  }

  PeriodicOrbit run() {
    if (!(orbit_.period > 0)) return fail("a period is positive");
    double last = INFINITY;
    for (orbit_.rounds = 0;;) {
      if (!map_.measure(values_, orbit_.y, orbit_.period, tolerance_)) return fail(map_.failure());
      if (orbit_.rounds == 0 && learns_unit()) continue;
      if (!map_.take(values_, orbit_.y, orbit_.period, tolerance_)) return fail(map_.failure());
      if (first_reach_ == 0) {
        first_reach_ = map_.reach();
        first_residual_ = map_.residual;
      }
      if (orbit_.autonomous && rests())
        return fail("Newton's method came to a place of rest, where nothing moves");
      orbit_.defect = map_.measured(map_.residual) / size_of_motion();
      if (is_careful_ && shortens(last)) continue;
      const bool converged = orbit_.defect < 50 * request_.tolerance.relative || map_.is_within_rounding();
      const bool stalls = orbit_.defect > 0.3 * last &&
                          (orbit_.defect < 1e5 * request_.tolerance.relative || map_.is_within_steps());
      if (converged || stalls) {
        if (map_.learns_sizes()) {
          last = INFINITY;
          continue;
        }
        if (may_be_small()) {
          if (!improve()) return fail(message_);
          continue;
        }
        // one round more, so that the orbit is as exact as its steps
        if (converged && !is_polished_ && orbit_.defect > request_.tolerance.relative) {
          is_polished_ = true;
          const PeriodicOrbit found = orbit_;
          const bool moves = improve() && map_.take(values_, orbit_.y, orbit_.period, tolerance_);
          const double defect = moves ? map_.measured(map_.residual) / size_of_motion() : INFINITY;
          if (!(defect < orbit_.defect)) orbit_ = found;
          continue;
        }
        if (!divide_period()) break;
        last = INFINITY;
        ++orbit_.rounds;
        continue;
      }
      if (orbit_.rounds >= request_.max_rounds)
        return fail("Newton's method does not come to an orbit from this start");
      if (map_.basis.cols() == 0 && !changes_period())
        return fail("the relations leave nothing that could change, and the motion does not come back");
      last = orbit_.defect;
      from_ = orbit_;
      shortened_ = 0;
      if (!improve()) return fail(message_);
      ++orbit_.rounds;
    }
    orbit_.defect = std::max({orbit_.defect, map_.largest_part(), map_.rounding_part()});
    if (orbit_.autonomous && orbit_.defect > 1e-2)
      return fail("Newton's method came to a motion that is no larger than errors: a place of rest");
    if (!map_.closes_again(orbit_.period, tolerance_, size_of_motion(), orbit_.second_defect))
      return fail(map_.failure());
    if (!find_multipliers()) return fail(message_);
    orbit_.small_entries = map_.small_entries();
    orbit_.found = true;
    return std::move(orbit_);
  }

  /// A driven motion that is not near to any that comes back may go past one: its states after a period that
  /// are nearest to where it is a period later, the nearest first.
  std::vector<std::vector<double>> nearest_returns() {
    constexpr std::size_t periods = 200, most = 4;
    if (orbit_.autonomous || !request_.held.empty() || !(orbit_.period > 0)) return {};
    if (!map_.measure(values_, request_.y, orbit_.period, tolerance_)) return {};
    std::vector<std::vector<double>> states = map_.returns(periods, orbit_.period);
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k + 1 < states.size(); ++k) {
      const VectorXd off = Eigen::Map<const VectorXd>(states[k + 1].data(), index(n_)) -
                           Eigen::Map<const VectorXd>(states[k].data(), index(n_));
      const double length = map_.measured(off);
      if (std::isfinite(length)) order.emplace_back(length, k);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::vector<double>> result;
    for (const auto& [length, k] : order)
      if (result.size() < most) result.push_back(states[k]);
    return result;
  }

 private:
  PeriodicOrbit fail(std::string why) {
    orbit_.failure = std::move(why) + turned();
    return std::move(orbit_);
  }
  /// Positions that went around in the first round, where that was not said.
  std::string turned() const {
    std::string result;
    for (std::size_t i = 0; i < positions_ && first_residual_.size() > 0; ++i) {
      constexpr double turn = 2 * std::numbers::pi;
      const double off = first_residual_(index(i)), turns = std::round(off / turn);
      if (turns == 0 || !(std::abs(off - turns * turn) < 1e-6)) continue;
      result += fmt::format("{} `{}` is larger by {:.9g} after a period", result.empty() ? ";" : ",",
                            evaluator_.symbols()[i].symbol().name, off);
    }
    return result.empty() ? result : result + ": --turns says so of angles";
  }
  bool fail_with(std::string message) {
    message_ = std::move(message);
    return false;
  }

  /// A step that does not bring the motion nearer to closing is taken again, half as long.
  bool shortens(double last) {
    constexpr int most = 6;
    if (from_.y.empty() || orbit_.defect < last || ++shortened_ > most) return false;
    for (std::size_t i = 0; i < n_; ++i) orbit_.y[i] = 0.5 * (orbit_.y[i] + from_.y[i]);
    orbit_.period = 0.5 * (orbit_.period + from_.period);
    return request_.held.empty()
               ? evaluator_.project(request_.begin, orbit_.y.data())
               : evaluator_.project_rest(request_.begin, orbit_.y.data(), request_.held).empty();
  }

  /// The least period of an autonomous motion: true where it comes back within this one.
  bool divide_period() {
    if (!orbit_.autonomous || !request_.turns.empty()) return false;
    for (const std::size_t p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31}) {
      const double part = orbit_.period / static_cast<double>(p);
      if (!map_.closes_within(part, tolerance_, size_of_motion())) continue;
      orbit_.period = part;
      orbit_.times *= p;
      return true;
    }
    return false;
  }

  /// Next to nothing is left of the way of the start.
  bool rests() const {
    const double least = std::max(1e-8, 1e3 * request_.tolerance.relative);
    return map_.way() <= least || map_.reach() <= least * first_reach_;
  }

  /// A drive begins with a state of nothing but zeros, which says nothing of the unit: the way that it goes
  /// does. True where the tolerance was too coarse for that.
  bool learns_unit() {
    const bool is_zero = std::all_of(orbit_.y.begin(), orbit_.y.end(), [](double one) { return one == 0; });
    if (!is_zero || evaluator_.has_relations() || !(map_.way() > 0) ||
        !(map_.reach() < 0.1 * unit_of(tolerance_)))
      return false;
    tolerance_.absolute = 1e-3 * tolerance_.relative * map_.reach();
    return true;
  }

  /// A driven motion that is much smaller than its start is not at rest as long as each round brings it
  /// nearer to closing beside itself.
  bool may_be_small() {
    const double part = map_.largest_part();
    if (orbit_.autonomous || size_of_motion() <= 1 || part < 50 * request_.tolerance.relative) return false;
    return part < 0.3 * std::exchange(last_part_, part);
  }

  /// What an error is measured beside, as a part of how far the motion goes: that itself, of millimetres too.
  /// A driven motion may come to rest, which it does to the absolute tolerance.
  double size_of_motion() const {
    return orbit_.autonomous ? map_.way() : std::max(1.0, 1e-3 * unit_of(tolerance_) / map_.reach());
  }

  /// How far a step may go, in the same measure.
  double size() const {
    double norm = Eigen::Map<const VectorXd>(orbit_.y.data(), index(n_)).norm();
    if (norm > 10 * map_.reach()) norm = map_.reach();  // where the origin is says nothing of the motion
    return std::max(1.0, std::max(unit_of_state(tolerance_), norm) / map_.reach());
  }
  bool changes_period() const { return !request_.fixed_period; }

  /// Newton's equations for deviations of the start with the values that are held, and for the period: where
  /// the orbits are a family the start changes least, and the period is what follows.
  VectorXd solve(const VectorXd& right) const {
    const Index d = map_.basis.cols();
    MatrixXd free = MatrixXd::Identity(d, d);
    std::vector<Index> held;
    for (std::size_t i = 0; i < request_.held.size(); ++i)
      if (request_.held[i]) held.push_back(index(i));
    if (!held.empty()) {
      MatrixXd rows(index(held.size()), d);
      for (std::size_t k = 0; k < held.size(); ++k) rows.row(index(k)) = map_.basis.row(held[k]);
      const DenseRank factors(rows);
      free = factors.dimension_of_kernel() > 0 ? factors.kernel() : MatrixXd(d, 0);
    }
    // beside the sizes, so that no unit of length or time decides what is small
    const VectorXd scale = map_.sizes().cwiseInverse();
    MatrixXd a = scale.asDiagonal() * (map_.image - map_.basis) * free;
    const VectorXd flow = scale.cwiseProduct(map_.flow), all = scale.cwiseProduct(right);
    const double speed = flow.squaredNorm();
    const bool has_period = changes_period() && speed > 0;
    VectorXd result = VectorXd::Zero(d + 1);
    // a change of the period alone may close nearly all
    if (has_period && (all - flow * (flow.dot(all) / speed)).norm() < 1e-2 * all.norm()) {
      result(d) = flow.dot(all) / speed;
      return result;
    }
    // what is left of a vector where the period takes what it can
    const auto across = [&](const auto& of) { return (of - flow * (flow.transpose() * of) / speed).eval(); };
    const MatrixXd rows = has_period ? MatrixXd(across(a)) : a;
    VectorXd found = VectorXd::Zero(a.cols());
    if (a.cols() > 0) {
      DenseSingular factors(rows, DenseSingular::Vectors::both);
      const double largest = factors.values()(0);
      // below what errors of the derivatives are nothing is known
      const double doubt = 10 * map_.doubt_of_derivatives() * (scale.asDiagonal() * map_.image * free).norm();
      const double nothing = largest > 0 ? std::min(1.0, std::max(1e-7 * a.norm(), doubt) / largest) : 1.0;
      found = factors.solve(has_period ? VectorXd(across(all)) : all, nothing);
    }
    result.head(d) = free * found;
    if (has_period) result(d) = flow.dot(all - a * found) / speed;
    return result;
  }

  bool improve() {
    const VectorXd change = solve(-map_.residual);
    const Index d = map_.basis.cols();
    const VectorXd step = map_.basis * change.head(d);
    // the period stays positive, and no step leaves the neighbourhood
    double part = 1;
    if (std::abs(change(d)) > 0.3 * orbit_.period) part = 0.3 * orbit_.period / std::abs(change(d));
    if (const double length = map_.measured_by_kind(step); part * length > 0.5 * size())
      part = 0.5 * size() / length;
    if (const double length = map_.measured(step); part * length > 5 * size()) part = 5 * size() / length;
    for (std::size_t i = 0; i < n_; ++i) orbit_.y[i] += part * step(index(i));
    orbit_.period += part * change(d);
    // what is held stays also where constraints bring the state back
    const bool is_back =
        request_.held.empty()
            ? evaluator_.project(request_.begin, orbit_.y.data())
            : evaluator_.project_rest(request_.begin, orbit_.y.data(), request_.held).empty();
    return is_back || fail_with("Newton's method leaves the constraints");
  }

  bool find_multipliers() {
    orbit_.multipliers = map_.multipliers();
    const Tolerance coarse{tolerance_.relative * 100, tolerance_.absolute * 100};
    if (!map_.take(values_, orbit_.y, orbit_.period, coarse)) return fail_with(map_.failure());
    doubt_by(map_.multipliers());
    // the orbit itself has an error: the same at the orbit that this tolerance finds
    const PeriodicOrbit found = orbit_;
    const bool moves = improve() && map_.take(values_, orbit_.y, orbit_.period, coarse);
    orbit_ = found;
    if (moves) doubt_by(map_.multipliers());
    find_pairs();
    orbit_.stability = stability_of(orbit_.multipliers, std::max(1e-8, 10 * orbit_.multiplier_error));
    return true;
  }

  void doubt_by(const std::vector<Multiplier>& other) {
    for (const Multiplier& one : orbit_.multipliers) {
      double nearest = INFINITY;
      for (const Multiplier& two : other) nearest = std::min(nearest, std::abs(one.value - two.value));
      if (!other.empty()) orbit_.multiplier_error = std::max(orbit_.multiplier_error, nearest);
    }
  }

  /// The largest that is left goes with that whose product with it is nearest to 1. The 1 along the motion
  /// and the 1 of the energy are a pair; where the energy was not taken out the first is one of the others.
  void find_pairs() {
    if (!orbit_.pairs) return;
    std::vector<std::complex<double>> left;
    bool has_along = false, has_energy = false;
    for (const Multiplier& one : orbit_.multipliers) {
      has_along = has_along || one.kind == "along the motion";
      has_energy = has_energy || one.kind == "of the energy";
      if (one.kind.empty()) left.push_back(one.value);
    }
    if (has_along && !has_energy) left.emplace_back(1);
    if (left.size() % 2 != 0) {
      orbit_.pairs = false;
      return;
    }
    const auto is_smaller = [](auto a, auto b) { return std::abs(a) < std::abs(b); };
    while (!left.empty()) {
      const auto largest = std::max_element(left.begin(), left.end(), is_smaller);
      const std::complex<double> one = *largest;
      left.erase(largest);
      const auto partner = std::min_element(left.begin(), left.end(), [&](auto a, auto b) {
        return std::abs(one * a - 1.0) < std::abs(one * b - 1.0);
      });
      orbit_.pair_defect = std::max(orbit_.pair_defect, std::abs(one * *partner - 1.0));
      left.erase(partner);
    }
  }

  bool is_careful_;
  PeriodicOrbit from_;  ///< before the last step
  int shortened_ = 0;   ///< how often that was
  Evaluator& evaluator_;
  const DoublePoint& values_;
  const OrbitRequest& request_;
  ReturnMap map_;
  std::size_t n_, positions_;
  Tolerance tolerance_;
  bool is_polished_ = false;
  double first_reach_ = 0;       ///< of the start that was given
  double last_part_ = INFINITY;  ///< that may_be_small found
  VectorXd first_residual_;      ///< what it leaves open
  std::string message_;
  PeriodicOrbit orbit_;
};

}  // namespace

std::string name_of(OrbitStability stability) {
  switch (stability) {
    case OrbitStability::stable: return "stable";
    case OrbitStability::unstable: return "unstable";
    case OrbitStability::neutral: break;
  }
  return "neutral";
}

OrbitStability stability_of(const std::vector<Multiplier>& multipliers, double doubt) {
  bool grows = false, stays = false;
  for (const Multiplier& one : multipliers) {
    if (!one.kind.empty()) {
      stays = stays || one.kind == "of the energy";
      continue;
    }
    const double within = std::max(doubt, one.doubt);
    grows = grows || std::abs(one.value) > 1 + within;
    stays = stays || std::abs(one.value) > 1 - within;
  }
  return grows ? OrbitStability::unstable : stays ? OrbitStability::neutral : OrbitStability::stable;
}

bool is_hamiltonian(const AssembledEquations& equations) {
  const System& system = *equations.system;
  const bool no_forces =
      std::all_of(system.forces.begin(), system.forces.end(), [](Expr force) { return force.is_zero(); });
  const bool ideal =
      std::all_of(system.constraints.begin(), system.constraints.end(),
                  [](const Constraint& c) { return c.holonomic && c.power_kind == PowerKind::ideal; });
  return no_forces && ideal && system.reactions.empty() && system.unilaterals.empty();
}

PeriodicOrbit find_periodic_orbit(const AssembledEquations& equations, Evaluator& evaluator,
                                  PerturbationEquations& perturbation, const DoublePoint& values,
                                  const OrbitRequest& request, Expr energy, bool is_hamiltonian) {
  const auto search = [&](const OrbitRequest& from, bool is_careful) {
    return Shooting(equations, evaluator, perturbation, values, from, energy, is_hamiltonian, is_careful);
  };
  PeriodicOrbit orbit = search(request, false).run();
  const auto ends = [&] { return orbit.found || (request.interrupted && request.interrupted()); };
  if (ends()) return orbit;
  const std::string failure = orbit.failure;
  orbit = search(request, true).run();
  if (ends()) return orbit;
  OrbitRequest later = request;
  for (const std::vector<double>& state : search(request, false).nearest_returns()) {
    later.y = state;
    orbit = search(later, true).run();
    if (ends()) return orbit;
  }
  orbit.failure = failure;
  return orbit;
}

}  // namespace liaison
