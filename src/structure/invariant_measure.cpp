#include "liaison/structure/invariant_measure.hpp"

#include <algorithm>

#include "chartless_flow.hpp"
#include "integral_ansatz.hpp"
#include "liaison/algebra/own_budget.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/mechanics/states.hpp"
#include "measure_obstruction.hpp"
#include "polynomial_form.hpp"
#include "shift_of_time.hpp"

namespace liaison {

namespace {

Expr divergence_of(Algebra& algebra, const StateFlow& flow, const VectorField& field) {
  IndexSet all;
  for (std::size_t k = 0; k < flow.coframe->dimension(); ++k) all.set(k);
  const Form volume(flow.coframe, flow.coframe->dimension(), {{all, algebra.pool().number(1)}});
  const Form change = lie(field, volume);
  return change.terms().empty() ? algebra.pool().number(0) : algebra.readable(change.terms().front().second);
}

/// r, or its size where a root is taken and r is negative somewhere: both keep the measure.
Expr base_of_power(Algebra& algebra, Expr r, const Rational& exponent, const Region& states) {
  constexpr std::uint64_t operations = 10'000'000;
  if (exponent.is_integer() || is_seen_nonnegative(r)) return r;
  const Expr size = abs(r);
  try {
    const OwnBudget budget(algebra, operations);
    return algebra.are_equal(size, r, states).grade == Grade::refuted ? size : r;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    return r;
  }
}

/// exp(sum c log(u) + v) as the product of u^c and exp(v), where the c are numbers.
Expr exponential_of(Algebra& algebra, Expr sum, const Region& states) {
  Pool& pool = algebra.pool();
  std::vector<Expr> rest;
  Expr product = pool.number(1);
  const std::vector<Expr> terms =
      sum.is(Op::add) ? std::vector<Expr>(sum.args().begin(), sum.args().end()) : std::vector<Expr>{sum};
  for (Expr term : terms) {
    Rational factor(1);
    Expr base = term;
    if (term.is(Op::mul) && term.args().size() == 2 && term.arg(0).is_number()) {
      factor = term.arg(0).number();
      base = term.arg(1);
    }
    if (base.is(Op::log)) {
      product = product * pow(base_of_power(algebra, base.arg(0), factor, states), factor);
    } else {
      rest.push_back(term);
    }
  }
  return rest.empty() ? product : product * exp(pool.add(rest));
}

class Search {
 public:
  Search(Algebra& algebra, const StateFlow& flow, const MeasureOptions& options)
      : algebra_(algebra), flow_(flow), options_(options) {}

  InvariantMeasure run() {
    result_.reason = flow_.standing.pieces;
    if (flow_.has_levels && flow_.standing.rank < flow_.motion->relation_count)
      result_.reason = "the relations are not independent";
    if (!result_.reason.empty()) return std::move(result_);
    result_.divergence = divergence_of(algebra_, flow_, flow_.field);
    if (!flow_.is_autonomous(algebra_)) {
      shift_ = shift_of_time(algebra_, flow_);
      if (shift_) shift_divergence_ = divergence_of(algebra_, flow_, *shift_);
    }
    if (flow_.has_levels) {
      states_ = states_of(*flow_.motion);
      relations_ = relations_of(algebra_, *flow_.motion);
      result_.beside_relations = true;
    } else {
      states_ = flow_.unit_quaternions();
    }
    if (accept(algebra_.pool().number(1), Rational(1), "volume")) return std::move(result_);
    if (flow_.has_levels) {
      if (accept(bordered_determinant(), Rational(1), "determinant of the kinetic energy and the relations"))
        return std::move(result_);
    } else {
      const Expr determinant = kinetic_determinant();
      for (const Rational& exponent : exponents()) {
        if (is_interrupted()) return interrupted();
        if (accept(determinant, exponent, "determinant of the kinetic energy")) return std::move(result_);
      }
    }
    const DensityByBrackets brackets = ask_brackets();
    if (result_.obstruction) return std::move(result_);
    search();
    if (!result_.density && brackets.logarithm && !is_interrupted()) take_logarithm(*brackets.logarithm);
    if (!result_.density && shift_) {
      result_.none = Grade::unknown;
      result_.near_general_places = false;
      result_.reason =
          "the time is in the velocity parameters alone, and densities that move with them are "
          "not searched for";
    }
    return is_interrupted() && !result_.density ? interrupted() : std::move(result_);
  }

 private:
  static const std::vector<Rational>& exponents() {
    static const std::vector<Rational> list{Rational(1), Rational(1, 2), Rational(-1, 2), Rational(-1)};
    return list;
  }
  bool is_interrupted() const { return algebra_.options().is_interrupted(); }

  InvariantMeasure interrupted() {
    result_.none = Grade::unknown;
    result_.reason = "interrupted";
    return std::move(result_);
  }

  /// d(p_i xi^i_a)/dz^b, xi_a the admissible directions.
  Expr kinetic_determinant() const {
    const Motion& motion = *flow_.motion;
    const std::size_t n = motion.space.size(), r = flow_.velocities.size();
    Matrix metric(algebra_.pool(), r, r);
    for (std::size_t i = 0; i < n; ++i) {
      const Expr velocity = flow_.restricted(motion.space.velocities[i]);
      const Expr momentum = flow_.restricted(motion.omega.momenta[i]);
      for (std::size_t a = 0; a < r; ++a) {
        const Expr direction = derivative(velocity, flow_.velocities[a]);
        for (std::size_t b = 0; b < r; ++b)
          metric(a, b) = metric(a, b) + direction * derivative(momentum, flow_.velocities[b]);
      }
    }
    return algebra_.readable(determinant(algebra_, metric).value);
  }

  /// det(dp_i/du^a) det r: with relations between coordinates alone, ideal ones, it is Liouville's measure.
  /// The determinant of a matrix that is bordered by the gradients of the relations.
  Expr bordered_determinant() const {
    const Motion& motion = *flow_.motion;
    if (motion.determinant.empty()) return algebra_.pool().number(0);
    const std::size_t n = motion.space.size();
    Matrix metric(algebra_.pool(), n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t a = 0; a < n; ++a)
        metric(i, a) = derivative(motion.omega.momenta[i], motion.space.parameters[a]);
    }
    return algebra_.readable(determinant(algebra_, metric).value * motion.determinant);
  }

  /// Whether R^exponent is kept, exactly.
  bool accept(Expr r, const Rational& exponent, const std::string& origin) {
    const Expr rest = exponent * apply(flow_.field, r) + r * result_.divergence;
    if (r.is_zero() || !algebra_.follows(rest, states_)) return false;
    if (shift_ && !algebra_.follows(exponent * apply(*shift_, r) + r * shift_divergence_, states_))
      return false;
    if (flow_.has_levels && algebra_.follows(r, states_)) return false;  // zero at every state
    const bool is_determinant = origin.starts_with("determinant");       // of a kinetic energy: positive
    result_.density = pow(is_determinant ? r : base_of_power(algebra_, r, exponent, states_), exponent);
    result_.exponent = exponent;
    result_.origin = origin;
    Verdict verdict = Verdict::of(Grade::proved, "");
    Conditions conditions;
    for (Expr condition : flow_.conditions) {
      // Where the determinant vanishes no motion is determined: nothing is said of such states.
      if (origin == "search" || origin == "volume" || !is_power_of(r, condition))
        conditions.push_back(condition);
    }
    if (origin == "search") conditions.push_back(r);
    if (flow_.has_levels) std::erase_if(conditions, [&](Expr e) { return vanishes_nowhere_or_with(e, r); });
    const Verdict general =
        at_general_states(flow_.standing.limited(verdict), conditions, "where the closed forms have a value");
    result_.verdict = general.conditions.empty() && flow_.standing.reason.empty() ? verdict : general;
    tell_values_with_time();
    return true;
  }

  /// A density may depend on the time where the motion does: not where parameters take the time out of it.
  void tell_values_with_time() {
    if (!depends_on(*result_.density, flow_.time)) return;
    std::optional<Conditions> best;
    for (const Expr component : flow_.field.components()) {
      const Expr rate = algebra_.readable(derivative(component, flow_.time));
      if (rate.is_zero()) continue;
      Conditions own = conditions_on_values(algebra_, *flow_.motion->space.system, rate);
      if (!best || own.size() < best->size()) best = std::move(own);
    }
    if (best && !best->empty())
      result_.verdict = at_general_states(result_.verdict, *best, "where the motion depends on the time");
  }

  /// Beside relations: no state has e = 0, or the density vanishes there too.
  bool vanishes_nowhere_or_with(Expr e, Expr density) const {
    Region lost = states_;
    lost.equations.push_back(e);
    const Expr zero = algebra_.pool().number(0);
    return algebra_.are_equal(zero, zero, lost).grade == Grade::empty || algebra_.follows(density, lost);
  }

  /// e = constant * base or constant * base^2.
  bool is_power_of(Expr e, Expr base) const {
    const std::vector<Expr> state = flow_.state();
    for (const long power : {1, 2}) {
      const Expr ratio = algebra_.canonical(e / pow(base, Rational(power))).value;
      if (std::none_of(state.begin(), state.end(), [&](Expr symbol) { return depends_on(ratio, symbol); }))
        return true;
    }
    return false;
  }

  DensityByBrackets ask_brackets() {
    if (flow_.has_levels || is_interrupted()) return {};
    try {
      DensityByBrackets brackets = density_by_brackets(algebra_, flow_, result_.divergence);
      result_.near_general_places = brackets.near_general_places && brackets.grade == Grade::proved;
      if (!brackets.obstruction) return brackets;
      result_.obstruction = brackets.obstruction;
      result_.obstructed = brackets.vanishes;
      result_.none = brackets.grade;
      result_.reason = brackets.reason;
      result_.none_at_rest = brackets.grade == Grade::proved && is_quadratic_in_velocities(algebra_, flow_);
      return brackets;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      return {};
    }
  }

  /// d log rho is exact: rho = exp of what it is the differential of.
  void take_logarithm(Expr logarithm) {
    if (shift_ && !algebra_.follows(apply(*shift_, logarithm) + shift_divergence_, states_)) return;
    result_.density = exponential_of(algebra_, logarithm, states_);
    result_.origin = "brackets";
    result_.verdict = at_general_states(flow_.standing.limited(Verdict::of(Grade::proved)), flow_.conditions,
                                        "where the closed forms have a value");
    if (result_.verdict.conditions.empty() && flow_.standing.reason.empty())
      result_.verdict = Verdict::of(Grade::proved);
    tell_values_with_time();
  }

  void search() {
    const FunctionBasis basis = make_function_basis(algebra_, function_generators(algebra_, flow_),
                                                    energy_coefficients(algebra_, flow_),
                                                    options_.function_degree, options_.max_columns);
    result_.form = "powers 1, 1/2, -1/2, -1 of combinations of " + basis.described;
    result_.none = Grade::proved;
    for (const Rational& exponent : exponents()) {
      if (is_interrupted()) return;
      IntegralAnsatz ansatz(algebra_, flow_, basis, 0, {flow_.quaternions, {}, relations_}, options_.seed);
      ansatz.set_weight(algebra_.readable(Rational(1) / exponent * result_.divergence));
      if (!ansatz.solve()) {
        result_.none = Grade::unknown;
        result_.reason = ansatz.refusal();
        return;
      }
      result_.unknowns = ansatz.columns();
      if (!ansatz.is_whole() && result_.none == Grade::proved) {
        result_.none = Grade::checked;
        result_.reason = "some functions of the form depend on others, or may";
      }
      for (const std::vector<Residue>& vector : ansatz.new_vectors({})) {
        const auto lifted = ansatz.lift(vector);
        if (lifted && accept(*lifted, exponent, "search")) return;
        result_.none = Grade::unknown;
        result_.reason = "one was found modulo a prime, and not written out";
      }
    }
    if (result_.none == Grade::proved && !flow_.standing.reason.empty()) {
      result_.none = Grade::checked;
      result_.reason = flow_.standing.reason;
    }
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const MeasureOptions& options_;
  Region states_;                ///< unit quaternions, and the relations between coordinates
  std::vector<Expr> relations_;  ///< where coordinates satisfy some: all that vanish at states
  /// The motion does not depend on the time that is in its velocity parameters: a density has to keep step.
  std::optional<VectorField> shift_;
  Expr shift_divergence_;
  InvariantMeasure result_;
};

}  // namespace

Expr density_rate(Algebra& algebra, const StateFlow& flow, Expr density) {
  const StateFlow whole = flow.has_levels ? without_chart(flow) : flow;
  const Expr on_states = whole.restricted(density);
  const std::vector<Expr> factors = on_states.is(Op::mul)
                                        ? std::vector<Expr>(on_states.args().begin(), on_states.args().end())
                                        : std::vector<Expr>{on_states};
  Expr product = algebra.pool().number(1), sum = algebra.pool().number(0);
  for (Expr factor : factors) {
    const bool is_power = factor.is(Op::pow) && factor.arg(1).is_number();
    const Expr base = is_power ? factor.arg(0) : factor;
    const Rational exponent = is_power ? factor.arg(1).number() : Rational(1);
    sum = sum * base + product * exponent * apply(whole.field, base);
    product = product * base;
  }
  return sum + product * divergence_of(algebra, whole, whole.field);
}

InvariantMeasure find_invariant_measure(Algebra& algebra, const StateFlow& flow,
                                        const MeasureOptions& options) {
  if (flow.has_levels) return Search(algebra, without_chart(flow), options).run();
  return Search(algebra, flow, options).run();
}

}  // namespace liaison
