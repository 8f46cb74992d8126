#include "liaison/simulate/periodic_orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
           const DoublePoint& values, const OrbitRequest& request, Expr energy, bool pairs)
      : evaluator_(evaluator),
        values_(values),
        request_(request),
        map_(equations, evaluator, perturbation, request, energy),
        n_(request.y.size()) {
    orbit_.begin = request.begin;
    orbit_.period = request.period;
    orbit_.y = request.y;
    orbit_.autonomous = request.autonomous;
    orbit_.pairs = pairs;
  }

  PeriodicOrbit run() {
    if (!(orbit_.period > 0)) return fail("a period is positive");
    double last = INFINITY;
    for (orbit_.rounds = 0;; ++orbit_.rounds) {
      if (!map_.take(values_, orbit_.y, orbit_.period, request_.tolerance)) return fail(map_.failure());
      const auto way = map_.way(orbit_.period, request_.tolerance);
      if (!way) return fail(map_.failure());
      way_ = *way;
      if (orbit_.rounds == 0) first_way_ = way_;
      if (orbit_.autonomous && rests())
        return fail("Newton's method came to a place of rest, where nothing moves");
      orbit_.defect = map_.residual.norm() / size_of_motion();
      const bool converged = orbit_.defect < 50 * request_.tolerance.relative;
      const bool stalls = orbit_.defect < 1e5 * request_.tolerance.relative && orbit_.defect > 0.3 * last;
      if (converged || stalls) {
        if (!divide_period()) break;
        last = INFINITY;
        continue;
      }
      if (orbit_.rounds >= request_.max_rounds)
        return fail("Newton's method does not come to an orbit from this start");
      last = orbit_.defect;
      if (!improve()) return fail(message_);
    }
    if (!map_.closes_again(orbit_.period, request_.tolerance, size_of_motion(), orbit_.second_defect))
      return fail(map_.failure());
    if (!find_multipliers()) return fail(message_);
    orbit_.found = true;
    return std::move(orbit_);
  }

 private:
  PeriodicOrbit fail(std::string why) {
    orbit_.failure = std::move(why);
    return std::move(orbit_);
  }
  bool fail_with(std::string message) {
    message_ = std::move(message);
    return false;
  }

  /// The least period of an autonomous motion: true where it comes back within this one.
  bool divide_period() {
    if (!orbit_.autonomous || !request_.turns.empty()) return false;
    for (const std::size_t p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31}) {
      const double part = orbit_.period / static_cast<double>(p);
      if (!map_.closes_within(part, request_.tolerance, size_of_motion())) continue;
      orbit_.period = part;
      orbit_.times *= p;
      return true;
    }
    return false;
  }

  /// Next to nothing is left of the way of the start.
  bool rests() const { return way_ <= std::max(1e-8, 1e3 * request_.tolerance.relative) * first_way_; }

  /// What an error is measured beside: the way that the motion goes, of millimetres too; a driven motion may
  /// stay where it is.
  double size_of_motion() const {
    if (orbit_.autonomous) return way_;
    constexpr double least = 1e-3;
    return std::max({least, way_, Eigen::Map<const VectorXd>(orbit_.y.data(), index(n_)).norm()});
  }

  double size() const { return std::max(1.0, Eigen::Map<const VectorXd>(orbit_.y.data(), index(n_)).norm()); }
  bool changes_period() const { return !request_.fixed_period; }

  /// Newton's equations for deviations of the start with the values that are held, and for the period: least
  /// changes where the orbits are a family.
  VectorXd solve(const VectorXd& right) const {
    const Index d = map_.basis.cols();
    MatrixXd free = MatrixXd::Identity(d, d);
    std::vector<Index> held;
    for (std::size_t i = 0; i < request_.held.size(); ++i)
      if (request_.held[i]) held.push_back(index(i));
    if (!held.empty()) {
      MatrixXd rows(index(held.size()), d);
      for (std::size_t k = 0; k < held.size(); ++k) rows.row(index(k)) = map_.basis.row(held[k]);
      const Eigen::FullPivLU<MatrixXd> factors(rows);
      free = factors.dimensionOfKernel() > 0 ? MatrixXd(factors.kernel()) : MatrixXd(d, 0);
    }
    MatrixXd a(index(n_), free.cols() + (changes_period() ? 1 : 0));
    a.leftCols(free.cols()) = (map_.image - map_.basis) * free;
    if (changes_period()) a.rightCols(1) = map_.flow;
    VectorXd result = VectorXd::Zero(d + 1);
    if (a.cols() == 0) return result;
    Eigen::JacobiSVD<MatrixXd> factors(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
    factors.setThreshold(1e-7);
    const VectorXd found = factors.solve(right);
    result.head(d) = free * found.head(free.cols());
    if (changes_period()) result(d) = found(free.cols());
    return result;
  }

  bool improve() {
    const VectorXd change = solve(-map_.residual);
    const Index d = map_.basis.cols();
    const VectorXd step = map_.basis * change.head(d);
    // the period stays positive, and no step leaves the neighbourhood
    double part = 1;
    if (std::abs(change(d)) > 0.3 * orbit_.period) part = 0.3 * orbit_.period / std::abs(change(d));
    if (part * step.norm() > 0.5 * size()) part = 0.5 * size() / step.norm();
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
    const Tolerance coarse{request_.tolerance.relative * 100, request_.tolerance.absolute * 100};
    if (!map_.take(values_, orbit_.y, orbit_.period, coarse)) return fail_with(map_.failure());
    const std::vector<Multiplier> other = map_.multipliers();
    for (const Multiplier& one : orbit_.multipliers) {
      double nearest = INFINITY;
      for (const Multiplier& two : other) nearest = std::min(nearest, std::abs(one.value - two.value));
      orbit_.multiplier_error = std::max(orbit_.multiplier_error, nearest);
    }
    find_pairs();
    orbit_.stability = stability_of(orbit_.multipliers, std::max(1e-8, 10 * orbit_.multiplier_error));
    return true;
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

  Evaluator& evaluator_;
  const DoublePoint& values_;
  const OrbitRequest& request_;
  ReturnMap map_;
  std::size_t n_;
  double first_way_ = 0;  ///< of the start that was given
  double way_ = 0;        ///< of the present one
  std::string message_;
  PeriodicOrbit orbit_;
};

/// Gram and Schmidt, twice for the digits; the logarithms of the lengths. False where one has none.
bool make_orthogonal(std::vector<std::vector<double>>& deviations, std::size_t n,
                     std::vector<double>& growths) {
  growths.clear();
  for (std::size_t k = 0; k < deviations.size(); ++k) {
    std::vector<double>& one = deviations[k];
    for (int round = 0; round < 2; ++round) {
      for (std::size_t j = 0; j < k; ++j) {
        double product = 0;
        for (std::size_t i = 0; i < n; ++i) product += one[i] * deviations[j][i];
        for (std::size_t i = 0; i < n; ++i) one[i] -= product * deviations[j][i];
      }
    }
    double length = 0;
    for (std::size_t i = 0; i < n; ++i) length = std::hypot(length, one[i]);
    if (!(length > 0) || !std::isfinite(length)) return false;
    for (std::size_t i = 0; i < n; ++i) one[i] /= length;
    growths.push_back(std::log(length));
  }
  return true;
}

/// In which deviations grow by little, whatever the unit of time is.
double first_interval(PerturbationEquations& perturbation, const PerturbedState& state) {
  if (!perturbation.take(state.t, state.y.data())) return INFINITY;  // the run says why
  const std::size_t n = state.y.size(), width = n + perturbation.parameter_count() + 1;
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < n; ++j) row += std::abs(perturbation.matrix()[i * width + j]);
    size = std::max(size, row);
  }
  return size > 0 ? 1 / size : INFINITY;
}

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
  return Shooting(equations, evaluator, perturbation, values, request, energy, is_hamiltonian).run();
}

LyapunovExponents lyapunov_exponents(const AssembledEquations& equations, Evaluator& evaluator,
                                     PerturbationEquations& perturbation, const DoublePoint& values,
                                     PerturbedState begin, std::size_t count, double interval,
                                     const PerturbedRunOptions& options, const EventSource& events) {
  LyapunovExponents result;
  const std::size_t n = begin.y.size(), width = n + perturbation.parameter_count();
  std::vector<std::vector<double>> basis = perturbation.admissible(begin.t, begin.y.data());
  count = std::min(count, basis.size());
  begin.deviations.clear();
  // each has a part in every direction: one that stays among some of them would miss what grows elsewhere
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> mixed(width);
    for (std::size_t j = 0; j < basis.size(); ++j) {
      const double part = (j == k ? 1 : 0) + 0.3 * std::cos(static_cast<double>((k + 1) * (j + 2) + j * j));
      for (std::size_t i = 0; i < n; ++i) mixed[i] += part * basis[j][i];
    }
    begin.deviations.push_back(std::move(mixed));
  }
  constexpr std::size_t batches = 10;
  const double start = begin.t, counted_from = start + 0.1 * (options.until - start);
  std::vector<double> sums(count, 0);
  std::vector<std::vector<double>> parts(count, std::vector<double>(batches, 0));
  std::vector<double> lengths(batches, 0);
  double counted = 0;
  PerturbedState state = std::move(begin);
  // deviations that differ by this factor still have ten digits across each other
  constexpr double widest = 14;
  const double longest = interval;
  interval = std::min(longest, first_interval(perturbation, state));
  while (state.t < options.until) {
    PerturbedRunOptions part = options;
    part.every = 0;
    part.until = std::min(options.until, state.t + interval);
    const double from = state.t;
    std::vector<EventRecord> met;
    if (events) {
      auto found = events(state.t, state.y, part.until, result.message);
      if (!found) {
        result.outcome = SimulationOutcome::singular;
        result.t = state.t;
        break;
      }
      met = std::move(*found);
    }
    PerturbedRunResult run = follow_deviations(equations, evaluator, perturbation, values, met, state, part);
    if (run.outcome != SimulationOutcome::finished) {
      result.outcome = run.outcome;
      result.message = run.message;
      result.t = run.end.t;
      break;
    }
    std::vector<double> growths;
    if (!make_orthogonal(run.end.deviations, n, growths)) {
      result.outcome = SimulationOutcome::singular;
      result.message = fmt::format("at t = {:.15g}: a deviation vanishes or has no size", run.end.t);
      result.t = run.end.t;
      break;
    }
    double widened = 0;  // how far they went apart, and how far one grew
    for (double one : growths)
      for (double two : growths) widened = std::max({widened, std::abs(one), std::abs(one - two)});
    if (widened > widest && part.until - from > 64 * shortest_step(from)) {  // again, for a shorter time
      interval = (part.until - from) * std::max(0.1, 0.5 * widest / widened);
      continue;
    }
    interval = std::min(longest, interval * std::min(1.5, 0.5 * widest / std::max(widened, 1e-3)));
    interval = std::max(interval, 64 * shortest_step(run.end.t));
    state = std::move(run.end);
    result.t = state.t;
    const bool counts = from >= counted_from;
    const auto batch =
        std::min(batches - 1,
                 static_cast<std::size_t>(std::max(0.0, static_cast<double>(batches) * (from - counted_from) /
                                                            (options.until - counted_from))));
    if (counts) counted += state.t - from;
    if (counts) lengths[batch] += state.t - from;
    for (std::size_t k = 0; k < count; ++k) {
      if (counts) sums[k] += growths[k];
      if (counts) parts[k][batch] += growths[k];
    }
  }
  std::vector<std::size_t> order(count);  // the largest first
  for (std::size_t k = 0; k < count; ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  for (std::size_t k : order) {
    result.exponents.push_back(counted > 0 ? sums[k] / counted : 0);
    double spread = 0;
    for (std::size_t b = 0; b < batches; ++b) {
      const double mean = lengths[b] > 0 ? parts[k][b] / lengths[b] : INFINITY;
      spread += std::pow(mean - result.exponents.back(), 2);
    }
    result.errors.push_back(2 * std::sqrt(spread / static_cast<double>(batches * (batches - 1))));
  }
  return result;
}

}  // namespace liaison
