#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/simulate/contact_deviations.hpp"
#include "liaison/simulate/periodic_orbit.hpp"

/// Lyapunov's exponents by Benettin's method.
namespace liaison {

namespace {

/// Deviations that differ by this factor, a logarithm, still have ten digits across each other.
constexpr double widest = 14;
/// What is left of a deviation of length 1, beside the longest, is rounding.
constexpr double rounding = 1e-12;
constexpr std::size_t batches = 10;

/// Gram and Schmidt, twice for the digits; the lengths. False where one has none.
bool make_orthogonal(std::vector<std::vector<double>>& deviations, std::size_t n,
                     std::vector<double>& lengths) {
  lengths.clear();
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
    if (!std::isfinite(length)) return false;
    lengths.push_back(length);
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    // what is rounding has no direction, and takes none from the others
    const bool is_left = length > rounding * std::max(1.0, longest);
    for (std::size_t i = 0; i < n; ++i) one[i] = is_left ? one[i] / length : 0;
    if (!is_left) lengths.back() = 0;
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

/// The logarithms by which one deviation grew.
struct Growth {
  double sum = 0;
  std::vector<double> parts = std::vector<double>(batches, 0.0);
};

class Benettin {
 public:
  Benettin(const AssembledEquations& equations, Evaluator& evaluator, PerturbationEquations& perturbation,
           const DoublePoint& values, PerturbedState begin, double interval,
           const PerturbedRunOptions& options, const EventSource& events)
      : equations_(equations),
        evaluator_(evaluator),
        perturbation_(perturbation),
        values_(values),
        options_(options),
        events_(events),
        state_(std::move(begin)),
        n_(state_.y.size()),
        longest_(interval),
        counted_from_(state_.t + 0.1 * (options.until - state_.t)),
        lengths_(batches, 0.0) {
    result_.t = state_.t;
  }

  LyapunovExponents run(std::size_t count) {
    if (!choose(count)) return std::move(result_);
    interval_ = std::min(longest_, first_interval(perturbation_, state_));
    while (state_.t < options_.until)  // also where no deviation is left: the motion is that of all the time
      if (!advance()) break;
    tell();
    return std::move(result_);
  }

 private:
  bool fail(SimulationOutcome outcome, double t, std::string message) {
    result_.outcome = outcome;
    result_.message = std::move(message);
    result_.t = t;
    return false;
  }

  bool events_until(double until, std::vector<EventRecord>& met) {
    if (!events_) return true;
    std::string why;
    auto found = events_(values_, state_.t, state_.y, until, why);
    if (!found) return fail(SimulationOutcome::singular, state_.t, why);
    met = std::move(*found);
    return true;
  }

  /// The deviations of the start, each with a part in every direction: one that stays among some of them
  /// would miss what grows elsewhere.
  bool choose(std::size_t count) {
    PerturbationEquations* allowed = &perturbation_;
    if (options_.contacts != nullptr) {  // what is closed stays so
      std::vector<EventRecord> met;
      if (!events_until(state_.t + longest_, met)) return false;
      ContactDeviations::Closed closed;
      for (const EventRecord& record : met) {
        const auto change = options_.contacts->change_of(record.event);
        if (change && change->kind == ContactDeviations::Kind::held) closed.insert(change->contact);
      }
      allowed = options_.contacts->at(closed).perturbation.get();
    }
    const std::vector<std::vector<double>> basis = allowed->admissible(state_.t, state_.y.data());
    // a contact that is closed at the start has taken its directions away before
    const std::size_t open = perturbation_.admissible(state_.t, state_.y.data()).size();
    result_.lost = std::min(count, open) - std::min({count, open, basis.size()});
    state_.deviations.clear();
    for (std::size_t k = 0; k < std::min(count, basis.size()); ++k) {
      std::vector<double> mixed(n_ + perturbation_.parameter_count());
      for (std::size_t j = 0; j < basis.size(); ++j) {
        const double part = (j == k ? 1 : 0) + 0.3 * std::cos(static_cast<double>((k + 1) * (j + 2) + j * j));
        for (std::size_t i = 0; i < n_; ++i) mixed[i] += part * basis[j][i];
      }
      state_.deviations.push_back(std::move(mixed));
    }
    std::vector<double> lengths;
    make_orthogonal(state_.deviations, n_, lengths);
    growths_.resize(state_.deviations.size());
    return true;
  }

  /// For one interval; the deviations are orthogonal before and after it.
  bool advance() {
    PerturbedRunOptions part = options_;
    part.every = 0;
    part.until = std::min(options_.until, state_.t + interval_);
    const double from = state_.t, length = part.until - from;
    std::vector<EventRecord> met;
    if (!events_until(part.until, met)) return false;
    PerturbedRunResult run =
        follow_deviations(equations_, evaluator_, perturbation_, values_, met, state_, part);
    if (run.outcome != SimulationOutcome::finished) return fail(run.outcome, run.end.t, run.message);
    std::vector<double> lengths, growths;
    if (!make_orthogonal(run.end.deviations, n_, lengths))
      return fail(SimulationOutcome::singular, run.end.t,
                  fmt::format("at t = {:.15g}: a deviation has no size", run.end.t));
    for (double one : lengths) growths.push_back(one > 0 ? std::log(one) : -INFINITY);
    double widened = 0;  // how far they went apart, and how far one grew
    for (double one : growths) {
      widened = std::max(widened, std::abs(one));
      for (double two : growths)
        if (one != two) widened = std::max(widened, std::abs(one - two));
    }
    // an event may do so at once, and no time is too short for that
    const double shortest = 64 * shortest_step(from);
    const bool at_once = run.jumps > 0 && length <= 1e-3 * first_interval(perturbation_, state_);
    if (widened > widest && !at_once && length > shortest) {  // again, for a shorter time
      interval_ = std::max(length * std::max(0.1, 0.5 * widest / widened), 0.5 * shortest);
      return true;
    }
    if (widened == INFINITY && run.jumps == 0)
      return fail(SimulationOutcome::singular, run.end.t,
                  fmt::format("at t = {:.15g}: a deviation vanishes", run.end.t));
    interval_ = std::min(longest_, interval_ * std::min(1.5, 0.5 * widest / std::max(widened, 1e-3)));
    interval_ = std::max(interval_, shortest);
    state_ = std::move(run.end);
    result_.t = state_.t;
    count(from, growths);
    return true;
  }

  void count(double from, const std::vector<double>& growths) {
    for (std::size_t k = growths.size(); k-- > 0;) {
      if (growths[k] != -INFINITY) continue;
      ++result_.lost;
      state_.deviations.erase(state_.deviations.begin() + static_cast<std::ptrdiff_t>(k));
      growths_.erase(growths_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (from < counted_from_) return;
    const double part =
        static_cast<double>(batches) * (from - counted_from_) / (options_.until - counted_from_);
    const auto batch = std::min(batches - 1, static_cast<std::size_t>(part));
    lengths_[batch] += state_.t - from;
    std::size_t place = 0;
    for (double growth : growths) {
      if (growth == -INFINITY) continue;
      growths_[place].sum += growth;
      growths_[place++].parts[batch] += growth;
    }
  }

  /// What was counted, the largest first.
  void tell() {
    double counted = 0;
    for (double length : lengths_) counted += length;
    if (!(counted > 0)) return;
    std::stable_sort(growths_.begin(), growths_.end(),
                     [](const Growth& a, const Growth& b) { return a.sum > b.sum; });
    for (const Growth& growth : growths_) {
      const double mean = growth.sum / counted;
      double spread = 0, filled = 0;
      for (std::size_t b = 0; b < batches; ++b) {
        if (!(lengths_[b] > 0)) continue;
        spread += std::pow(growth.parts[b] / lengths_[b] - mean, 2);
        ++filled;
      }
      result_.exponents.push_back(mean);
      result_.errors.push_back(filled > 1 ? 2 * std::sqrt(spread / (filled * (filled - 1)))
                                          : std::numeric_limits<double>::quiet_NaN());
    }
  }

  const AssembledEquations& equations_;
  Evaluator& evaluator_;
  PerturbationEquations& perturbation_;
  const DoublePoint& values_;
  const PerturbedRunOptions& options_;
  const EventSource& events_;
  PerturbedState state_;
  std::size_t n_;
  double longest_, interval_ = 0, counted_from_;
  std::vector<Growth> growths_;
  std::vector<double> lengths_;  ///< of time, in each batch
  LyapunovExponents result_;
};

}  // namespace

LyapunovExponents lyapunov_exponents(const AssembledEquations& equations, Evaluator& evaluator,
                                     PerturbationEquations& perturbation, const DoublePoint& values,
                                     PerturbedState begin, std::size_t count, double interval,
                                     const PerturbedRunOptions& options, const EventSource& events) {
  return Benettin(equations, evaluator, perturbation, values, std::move(begin), interval, options, events)
      .run(count);
}

}  // namespace liaison
