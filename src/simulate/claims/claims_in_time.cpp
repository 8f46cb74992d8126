#include "liaison/simulate/claims_in_time.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/model/integrals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/expr/missing_library.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/simulate/contact_run.hpp"
#include "liaison/simulate/methods.hpp"
#include "liaison/simulate/relation_size.hpp"
#include "liaison/simulate/simulation.hpp"
#include "mechanics/witness_state.hpp"
#include "simulate/equations/switches.hpp"
#include "simulate/run/open_quantities.hpp"

namespace liaison {

namespace {

constexpr double default_tolerance = 1e-10;
/// Two methods may round in the same way: a difference that is this part of its terms refutes nothing.
constexpr double rounding_beside = 1e-13;

/// Why what is checked is not proved.
constexpr const char* without_doubt = "a statement about one motion, followed by two methods";

/// As of a claim at a state.
constexpr const char* not_determined = "the relations do not determine it";

/// By them a side is measured that is to be zero at the end.
constexpr double rows_on_the_way = 16;

/// Of both sides, which are the first outputs.
double larger_side(const std::vector<double>& outputs) {
  return outputs.size() < 2 ? 0 : std::max(std::abs(outputs[0]), std::abs(outputs[1]));
}

/// One motion to its end, and both sides there.
struct Followed {
  double t = 0;
  std::vector<double> y;
  double left = 0, right = 0;
  double terms = 0;     ///< the sizes of the terms of their difference
  double rounding = 0;  ///< what the rounding of the state makes of their difference, about
  double largest = 0;   ///< of both sides, along the motion
  std::string failure;
  /// A change of what contacts do that was looked for at samples: two methods that agree have seen the same
  /// changes, but one between samples may be missed by both.
  std::string sampled = {};
};

/// A state that was chosen among several refutes nothing: what was chosen is asked for.
StateRequest start_of_motion(StateRequest request) {
  request.name_choices = true;
  request.begins = true;
  return request;
}

/// The shortest number that reads back: 0.3 is 3/10.
Rational shortest(double value) {
  return Rational::parse(fmt::format("{}", value)).value_or(Rational::from_double(value));
}

class MotionOfClaim {
 public:
  MotionOfClaim(Algebra& algebra, const System& system, const Claim& claim)
      : algebra_(algebra),
        system_(system),
        equations_(assemble_equations(algebra, system)),
        state_(complete_state(equations_, start_of_motion(state_request(system, claim)))) {
    if (!state_.ok()) return;
    left_ = claim.left;
    right_ = claim.right;
    terms_ = size_of_terms(left_ - right_);
    after_ = evaluate(claim.after, state_.values);
    if (!system.unilaterals.empty()) return;
    sides_ = Quantities(algebra, equations_, state_.values, {left_, right_, terms_});
    observations_ = observe(algebra, equations_, state_.values);
    const std::vector<Expr> integrals = integrals_in({left_, right_});
    if (!left_.is_zero() && !right_.is_zero() && integrals.empty()) return;
    observations_.output_names = {"left", "right", "terms"};
    std::vector<Expr> outputs{left_, right_, terms_};
    outputs.insert(outputs.end(), integrals.begin(), integrals.end());
    observations_.output_names.resize(outputs.size(), "an integral");
    observations_.outputs = Quantities(algebra, equations_, state_.values, outputs);
  }

  const CompletedState& state() const { return state_; }

  /// Whether a motion is where it began, to the bit, and both sides are the same there: of decimals that
  /// doubles round the difference is rounding as well.
  bool rests_where_sides_are_equal(const Followed& end) const {
    const Expr difference = left_ - right_;
    if (depends_on(difference, system_.time)) return false;
    Substitution exact;
    const auto add = [&](Expr symbol) {
      exact.emplace(symbol, difference.pool().number(shortest(state_.values.at(symbol))));
    };
    std::size_t i = 0;
    for (const auto* symbols : {&equations_.positions, &equations_.parameters}) {
      for (const Expr symbol : *symbols) {
        if (end.y[i++] != state_.values.at(symbol)) return false;
        add(symbol);
      }
    }
    for (const Parameter& parameter : system_.parameters) add(parameter.symbol);
    return substitute(difference, exact).is_zero();
  }

  bool is_interrupted() const { return algebra_.options().is_interrupted(); }

  /// `slip_start`: of ContactOptions.
  Followed follow(const std::string& method, double tolerance, double slip_start) {
    if (!system_.unilaterals.empty()) return follow_contacts(method, tolerance, slip_start);
    Evaluator evaluator(equations_, state_.values);
    const Tolerance allowed =
        tolerance_for(tolerance, evaluator.pack(state_.values), size_of_relations(equations_, state_.values));
    const auto integrator =
        make_integrator({.name = method, .tolerance = allowed}, algebra_, system_, evaluator, state_.values);
    const double begin = state_.values.at(system_.time);
    SimulationOptions options;
    options.until = begin + after_;
    options.every = after_ / rows_on_the_way;
    options.tolerance = allowed;
    Followed result{.t = begin, .y = evaluator.pack(state_.values), .failure = {}};
    std::vector<double> integrals(sides_.integrals().size(), 0);
    if (after_ > 0) {
      const SimulationResult run = simulate(evaluator, *integrator, observations_, begin, result.y, options,
                                            {[&](const Row& row) {
                                               if (!integrals.empty())
                                                 integrals.assign(row.outputs.begin() + 3, row.outputs.end());
                                               result.largest =
                                                   std::max(result.largest, larger_side(row.outputs));
                                               return true;
                                             },
                                             [this](const RunningSimulation&) { return !is_interrupted(); }});
      if (run.outcome != SimulationOutcome::finished) result.failure = run.message;
      if (result.failure.empty()) result.failure = run.sampled;
      result.t = run.t;
      result.y = run.y;
    }
    sides_.set_integrals(integrals);
    std::vector<double> rates(evaluator.size());
    double sides[3] = {0, 0, 0};
    const auto evaluate_at = [&](const std::vector<double>& y) {
      return evaluator.rates(result.t, y.data(), rates.data()) &&
             sides_.evaluate(result.t, y.data(), rates.data() + evaluator.position_count(),
                             evaluator.factors(), sides);
    };
    if (result.failure.empty()) {
      result.rounding = rounding_of(evaluator, result.t - begin, result.y, [&](const std::vector<double>& y) {
        return evaluate_at(y) ? sides[0] - sides[1] : NAN;
      });
      if (!evaluate_at(result.y)) {
        result.failure = "a side of the claim has no value there";
      } else if (is_open(evaluator, result.t, result.y)) {
        result.failure = not_determined;
      }
    }
    result.left = sides[0];
    result.right = sides[1];
    result.terms = sides[2];
    result.largest = std::max({result.largest, std::abs(sides[0]), std::abs(sides[1])});
    return result;
  }

  /// Whether the difference of the sides depends on what is open among the factors at a state.
  bool is_open(Evaluator& evaluator, double t, const std::vector<double>& y) {
    Moment moment(evaluator);
    if (!sides_.needs_rates() || !moment.take(t, y.data()) || evaluator.open_factors().empty()) return false;
    const ValuesOfFactors sides = values_of_factors(sides_, t, y, moment);
    const ValuesOfFactors difference = [&](std::span<const double> factors) {
      const std::vector<double> values = sides(factors);
      return std::vector<double>{values[0] - values[1]};
    };
    return depend_on_open(difference, moment.factors(), evaluator.open_factors())[0];
  }

  /// What the rounding of a state makes of a difference. A coordinate is known to a part of the largest, a
  /// velocity to a part of the largest that the lengths and the time tell: of what rests on a constraint that
  /// moves nothing but rounding is left, however small.
  template <class Difference>
  static double rounding_of(const Evaluator& evaluator, double time, std::vector<double> y,
                            const Difference& difference) {
    constexpr double part = 1e-6;  // of a size: a step for a derivative
    double sizes[2] = {0, 0};
    const std::size_t positions = evaluator.position_count();
    for (std::size_t i = 0; i < y.size(); ++i) {
      double& size = sizes[i < positions ? 0 : 1];
      size = std::max(size, std::abs(y[i]));
    }
    if (time > 0) sizes[1] = std::max(sizes[1], sizes[0] / time);
    double result = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double at = y[i], step = part * sizes[i < positions ? 0 : 1];
      if (step == 0) continue;
      y[i] = at + step;
      const double above = difference(y);
      y[i] = at - step;
      const double below = difference(y);
      y[i] = at;
      const double slope = std::abs(above - below) / (2 * part);  // times the size
      if (std::isfinite(slope)) result += std::numeric_limits<double>::epsilon() * slope;
    }
    return result;
  }

  /// The sides are outputs of the run, which knows what presses at its end.
  Followed follow_contacts(const std::string& method, double tolerance, double slip_start) {
    System asked = system_;
    asked.outputs = {{"left", left_}, {"right", right_}, {"terms", terms_}};
    std::vector<double> start;
    for (const auto* symbols : {&equations_.positions, &equations_.parameters})
      for (const Expr symbol : *symbols) start.push_back(state_.values.at(symbol));
    const Tolerance allowed = tolerance_for(tolerance, start, size_of_relations(equations_, state_.values));
    ContactRun contacts(algebra_, asked, state_.values, {.name = method, .tolerance = allowed}, {},
                        {.slip_start = slip_start});
    const double begin = state_.values.at(system_.time);
    SimulationOptions options;
    // A little beyond, to see an impact that happens then.
    const double end = begin + after_;
    options.until = end + resolution();
    options.every = after_ / rows_on_the_way;
    options.tolerance = allowed;
    Followed result{.t = begin, .y = contacts.evaluator().pack(state_.values), .failure = {}};
    std::vector<double> sides;
    const SimulationResult run =
        contacts.run(begin, result.y, options,
                     {[&](const Row& row) {
                        if (row.t > end) return true;
                        sides = row.outputs;
                        result.largest = std::max(result.largest, larger_side(sides));
                        result.t = row.t;
                        result.y = row.y;
                        return true;
                      },
                      [this](const RunningSimulation&) { return !is_interrupted(); }});
    if (run.outcome != SimulationOutcome::finished) result.failure = run.message;
    if (result.failure.empty() && run.unexplored)
      result.failure = "on the way further motions were not looked for";
    if (result.failure.empty()) result.failure = undetermined_at_end(run);
    result.sampled = run.sampled;
    const bool have_values = sides.size() == 3 && std::all_of(sides.begin(), sides.end(), [](double side) {
                               return std::isfinite(side);
                             });
    if (!have_values && result.failure.empty()) result.failure = "a side of the claim has no value there";
    if (have_values) {
      result.left = sides[0];
      result.right = sides[1];
      result.terms = sides[2];
    }
    return result;
  }

  /// Impacts that are nearer to the time that is asked for are there.
  double resolution() const { return 4e-9 * std::max(std::abs(state_.values.at(system_.time)), after_); }

  /// Made of what an impact leaves as it is: positions, time, parameters.
  bool is_of_places(Expr side) const {
    const std::vector<Expr> symbols = symbols_in(std::span(&side, 1));
    return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
      const auto is_it = [&](const Parameter& parameter) { return parameter.symbol == symbol; };
      return symbol == system_.time ||
             std::find(equations_.positions.begin(), equations_.positions.end(), symbol) !=
                 equations_.positions.end() ||
             std::any_of(system_.parameters.begin(), system_.parameters.end(), is_it);
    });
  }

  /// Why the sides have no one value where the run ends; empty where they have.
  std::string undetermined_at_end(const SimulationResult& run) const {
    for (const std::size_t contact : run.open_contacts) {
      const Expr factor = system_.unilaterals[contact].factor;
      if (depends_on(left_, factor) || depends_on(right_, factor))
        return fmt::format("lambda({}) is not determined by the motion", system_.unilaterals[contact].name);
    }
    for (const ImpactRecord& impact : run.impacts) {
      if (std::abs(state_.values.at(system_.time) + after_ - impact.t) > resolution()) continue;
      if (!is_of_places(left_) || !is_of_places(right_))
        return fmt::format(
            "an impact happens at t = {:.9g}: velocities and reactions have no one value there", impact.t);
    }
    return {};
  }

  Witness witness_at(const Followed& end) const {
    Witness witness;
    const auto add = [&](Expr symbol, double value) { witness.point.emplace_back(symbol, shortest(value)); };
    for (const Parameter& parameter : system_.parameters)
      add(parameter.symbol, state_.values.at(parameter.symbol));
    add(system_.time, end.t);
    for (std::size_t i = 0; i < equations_.positions.size(); ++i) add(equations_.positions[i], end.y[i]);
    for (std::size_t a = 0; a < equations_.parameters.size(); ++a)
      add(equations_.parameters[a], end.y[equations_.positions.size() + a]);
    in_declared_units(system_, witness);
    witness.left = Ball(Rational::from_double(end.left));
    witness.right = Ball(Rational::from_double(end.right));
    return witness;
  }

 private:
  Algebra& algebra_;
  const System& system_;
  AssembledEquations equations_;
  CompletedState state_;
  Expr left_, right_, terms_;
  Quantities sides_;
  Observations observations_;
  double after_ = 0;
};

Verdict unknown(std::string reason) {
  return Verdict::of(Grade::unknown, std::move(reason));
}

/// Where a motion begins at a point at which the system is not defined, as on a closed contact or at a slip
/// of zero: what does not hold; else empty.
std::string broken_requirement(const System& system, const DoublePoint& state) {
  for (const Requirement& requirement : system.domain) {
    const bool is_gap = std::any_of(system.unilaterals.begin(), system.unilaterals.end(),
                                    [&](const Unilateral& one) { return one.gap() == requirement.e; });
    if (is_gap) continue;  // the run says what a closed contact does
    const DoubleValues values = evaluate(std::span(&requirement.e, 1), state);
    if (values.status != EvaluationStatus::ok) continue;  // the run will say so
    const double value = values.values[0];
    const bool holds = requirement.bound == Bound::nonzero    ? value != 0
                       : requirement.bound == Bound::positive ? value > 0
                                                              : value >= 0;
    if (!holds) return to_infix(Domain{requirement});
  }
  return {};
}

Verdict decide(Algebra& algebra, const System& system, const Claim& claim, std::string& detail) {
  const double tolerance = claim.within ? claim.within->to_double() : default_tolerance;
  MotionOfClaim motion(algebra, system, claim);
  if (!motion.state().ok()) return unknown(motion.state().problems.front().message);
  if (const std::string broken = broken_requirement(system, motion.state().values); !broken.empty())
    return unknown(fmt::format("the motion begins where {} does not hold", broken));
  const Followed first = motion.follow("dop853", 1e-13, 1);
  if (!first.failure.empty()) return unknown(first.failure);
  const Followed second = motion.follow("arkode", 1e-12, 4);
  if (!second.failure.empty()) return unknown(second.failure);
  detail = fmt::format("{:.15g} and {:.15g}", first.left, first.right);
  const std::string sampled = first.sampled.empty() ? second.sampled : first.sampled;
  const bool is_zero = claim.left.is_zero() || claim.right.is_zero();
  const double size =
      is_zero ? std::max(first.largest, first.terms) : std::max(std::abs(first.left), std::abs(first.right));
  const double difference = std::abs(first.left - first.right);
  const double uncertain = std::abs((first.left - first.right) - (second.left - second.right));
  const bool rests = difference <= rounding_beside * first.terms &&
                     motion.rests_where_sides_are_equal(first) && motion.rests_where_sides_are_equal(second);
  if (rests || (difference <= tolerance * size && uncertain <= 10 * tolerance * size)) {
    Verdict verdict = Verdict::of(Grade::checked, sampled.empty() ? without_doubt : sampled);
    verdict.points = 1;
    verdict.digits = static_cast<long>(std::lround(-std::log10(tolerance)));
    return verdict;
  }
  constexpr double roundings = 64;  // of a step and of the way back onto the constraints
  if (difference <= std::max(rounding_beside * first.terms, roundings * first.rounding))
    return unknown(
        fmt::format("the sides differ by {:.3g}, which is rounding beside their terms", difference));
  if (difference > 10 * uncertain) {
    if (!motion.state().choices.empty()) return unknown(motion.state().choices.front());
    if (!sampled.empty()) return unknown(sampled);
    Verdict verdict = Verdict::of(Grade::refuted);
    verdict.witness = motion.witness_at(first);
    return verdict;
  }
  return unknown(fmt::format("two methods differ by {:.3g} there", uncertain));
}

}  // namespace

bool leaves_doubt(const ClaimResult& result) {
  return !result.claim->after.empty() && result.verdict.grade == Grade::checked &&
         result.verdict.reason != without_doubt;
}

ClaimResult check_after(Algebra& algebra, const System& system, const Claim& claim) {
  ClaimResult result;
  result.claim = &claim;
  try {
    result.verdict = decide(algebra, system, claim, result.detail);
  } catch (const Error& error) {
    result.verdict = unknown(error.what());
  } catch (const MissingLibrary& error) {  // the other claims can be decided
    result.verdict = unknown(error.what());
  }
  result.passed = claim.misprint ? result.verdict.is_refuted() : result.verdict.holds();
  return result;
}

}  // namespace liaison
