#include "liaison/structure/steady_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "characteristic.hpp"
#include "given_velocities.hpp"
#include "integral_search.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/derived_quantities.hpp"
#include "liaison/model/integrals.hpp"
#include "liaison/model/kinematics.hpp"
#include "manifold_motion.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t operations_with_symbols = 300'000'000;

class Work {
 public:
  /// `known`: values that the flow has been given.
  Work(Algebra& algebra, const StateFlow& flow, const Substitution& given, const Substitution& known)
      : algebra_(algebra), flow_(flow), given_(given), known_(known) {}

  /// Inputs have their values along the motion itself.
  SteadyMotion run(const std::vector<Expr>& inputs, const Substitution& values) {
    for (Expr input : inputs) {
      if (values.contains(input)) at_.emplace(input, values.at(input));
    }
    result_.reason = why_not();
    values_ = &values;
    if (result_.reason.empty()) complete_state();
    if (result_.reason.empty()) find_variables();
    if (result_.reason.empty()) require_steady();
    if (result_.reason.empty()) linearise(inputs);
    return std::move(result_);
  }

 private:
  std::string why_not() const {
    if (!flow_.standing.pieces.empty()) return flow_.standing.pieces;
    if (!flow_.is_autonomous(algebra_)) return "the motion depends on time";
    return {};
  }

  /// The free velocities: given, or from given ones that depend on them.
  void complete_state() {
    Pool& pool = algebra_.pool();
    for (Expr position : flow_.positions)
      at_.emplace(position, given_.contains(position) ? given_.at(position) : pool.number(0));
    std::vector<Expr> unknown;
    for (Expr velocity : flow_.velocities) {
      if (given_.contains(velocity)) {
        at_.emplace(velocity, given_.at(velocity));
      } else {
        unknown.push_back(velocity);
      }
    }
    std::vector<Expr> rows, right;
    for (const auto& [symbol, value] : flow_.inclusion) {
      if (!given_.contains(symbol)) continue;
      const Expr there = substitute(value, at_);
      rows.push_back(there);
      right.push_back(given_.at(symbol));
    }
    // Velocities of a model that has parameters of its own for them.
    const StateSpace& space = flow_.motion->space;
    for (std::size_t i = 0; i < space.size(); ++i) {
      const Expr velocity = space.system->directions[i].velocity;
      if (!given_.contains(velocity) || at_.contains(velocity) || flow_.inclusion.contains(velocity))
        continue;
      if (std::find(unknown.begin(), unknown.end(), velocity) != unknown.end()) continue;
      rows.push_back(substitute(flow_.restricted(space.velocities[i]), at_));
      right.push_back(given_.at(velocity));
    }
    complete_velocities(algebra_, {unknown, rows, right}, at_, result_.reason);
  }

  Expr rate_of(Expr variable) const {
    const std::size_t n = flow_.coframe->dimension() - 1 - flow_.velocities.size();
    const System& system = *flow_.motion->space.system;
    for (std::size_t i = 0; i < n; ++i) {
      if (system.directions[i].coordinate == variable) return flow_.field.component(i);
    }
    const auto place = std::find(flow_.velocities.begin(), flow_.velocities.end(), variable);
    return flow_.field.component(n + static_cast<std::size_t>(place - flow_.velocities.begin()));
  }

  /// The velocities, the positions in their rates, those in the rates of these, and so on.
  void find_variables() {
    std::vector<Expr> found = flow_.velocities;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Expr rate = algebra_.canonical(rate_of(found[k])).value;
      for (Expr position : flow_.positions) {
        if (depends_on(rate, position) && std::find(found.begin(), found.end(), position) == found.end())
          found.push_back(position);
      }
    }
    for (Expr position : flow_.positions) {
      const bool is_met = std::find(found.begin(), found.end(), position) != found.end();
      (is_met ? result_.variables : result_.ignored).push_back(position);
    }
    result_.variables.insert(result_.variables.end(), flow_.velocities.begin(), flow_.velocities.end());
    if (result_.variables.empty()) result_.reason = "the constraints leave nothing that could deviate";
  }

  Expr there(Expr e) const { return substitute(e, at_); }

  /// Of what holds no symbols.
  static std::optional<Ball> number_of(Expr e) {
    if (!symbols_in(e).empty()) return std::nullopt;
    const Expr asked[] = {e};
    const BallValues at = evaluate_balls(asked, {}, 192);
    if (at.status != EvaluationStatus::ok || !at.values[0].is_finite()) return std::nullopt;
    return at.values[0];
  }

  void require_steady() {
    for (Expr condition : flow_.conditions) {
      if (algebra_.is_zero(there(condition)).holds()) {
        result_.reason = fmt::format("the closed forms of the motion divide by {}, which is zero there",
                                     to_infix(condition));
        return;
      }
      const Expr value = algebra_.readable(there(condition));
      if (const auto number = number_of(value); number && !number->contains_zero()) continue;
      result_.conditions.push_back(value);
    }
    for (Expr variable : result_.variables) {
      const Expr rate = there(rate_of(variable));
      const Verdict verdict = algebra_.is_zero(rate);
      if (verdict.holds()) {
        result_.grade = weaker(result_.grade, verdict.grade);
        continue;
      }
      const Expr readable = algebra_.readable(rate);
      result_.reason = fmt::format("the motion is not steady: {} changes at the rate {}", to_infix(variable),
                                   to_infix(readable));
      const auto number = number_of(substitute(readable, *values_));
      if (number && !readable.is_number()) result_.reason += fmt::format(", which is {:.6g}", number->mid());
      if (!verdict.is_refuted()) result_.reason += "; whether that is zero was not decided";
      return;
    }
  }

  Matrix derivatives(const std::vector<Expr>& functions, const std::vector<Expr>& symbols) const {
    Matrix matrix(algebra_.pool(), functions.size(), symbols.size());
    for (std::size_t i = 0; i < functions.size(); ++i) {
      for (std::size_t k = 0; k < symbols.size(); ++k)
        matrix(i, k) = algebra_.readable(there(derivative(functions[i], symbols[k])));
    }
    return matrix;
  }

  void linearise(const std::vector<Expr>& inputs) {
    const System& system = *flow_.motion->space.system;
    std::vector<Expr> rates, outputs;
    for (Expr variable : result_.variables) rates.push_back(rate_of(variable));
    const std::vector<Expr>& state = result_.variables;
    DerivedQuantities derived(algebra_, *flow_.motion);
    for (const Output& output : system.outputs) {
      // accelerations, factors and energies as functions of the state
      const auto written = derived.in_state_variables(with_energies(system, output.value));
      const Expr e =
          written ? algebra_.readable(substitute(flow_.restricted(*written), known_)) : output.value;
      const std::vector<Expr> symbols = symbols_in(e);
      const bool is_of_state = std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
        return symbol.symbol().kind == SymbolKind::parameter ||
               std::find(state.begin(), state.end(), symbol) != state.end();
      });
      if (!is_of_state ||
          holds_integral(output.value)) {  // ignored positions, the time, what has no closed form
        result_.left_out.push_back(output.name);
        continue;
      }
      outputs.push_back(e);
      result_.outputs.push_back(output.name);
    }
    for (Expr input : inputs) result_.inputs.push_back(input.symbol().name);
    result_.a = derivatives(rates, result_.variables);
    result_.b = derivatives(rates, inputs);
    result_.c = derivatives(outputs, result_.variables);
    result_.d = derivatives(outputs, inputs);
    add_characteristic(algebra_, result_);
    if (result_.ignored.empty() && std::all_of(flow_.velocities.begin(), flow_.velocities.end(),
                                               [&](Expr velocity) { return at_.at(velocity).is_zero(); }))
      for (Expr position : flow_.positions) result_.rest.emplace(position, at_.at(position));
    find_domain();
  }

  /// The values of the state have values, and so has everything in the model around them.
  void find_domain() {
    std::vector<Expr> values;
    for (const std::vector<Expr>& symbols : {flow_.positions, flow_.velocities})
      for (Expr symbol : symbols) values.push_back(at_.at(symbol));
    result_.domain = natural_domain(values);
    for (const Requirement& requirement : domain_of(flow_))
      add_requirement(result_.domain, there(requirement.e), requirement.bound);
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const Substitution &given_, &known_;
  const Substitution* values_ = nullptr;
  Substitution at_;
  SteadyMotion result_;
};

}  // namespace

StatePlace place_in(const Domain& domain, const BallPoint& at) {
  StatePlace place = StatePlace::inside;
  for (const Requirement& requirement : domain) {
    const std::vector<Expr> symbols = symbols_in(requirement.e);
    if (!std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return at.contains(symbol); }))
      continue;
    const BallValues found = evaluate_balls(std::span(&requirement.e, 1), at, 128);
    if (found.status != EvaluationStatus::ok) {
      place = StatePlace::edge;
      continue;
    }
    const Ball& value = found.values[0];
    const bool is_zero = value.contains_zero() && value.rad() == 0;
    const bool is_sign = requirement.bound != Bound::nonzero;
    if ((is_sign && value.is_negative()) || (is_zero && requirement.bound != Bound::nonnegative))
      return StatePlace::outside;
    if (!value.is_positive() && (is_sign || !value.is_negative())) place = StatePlace::edge;
  }
  return place;
}

Domain domain_of(const StateFlow& flow) {
  Domain domain = flow.motion->space.system->domain;
  for (Requirement& requirement : domain)
    requirement.e = flow.restricted(flow.motion->space.in_parameters(requirement.e));
  return domain;
}

SteadyMotion linearise_steady_motion(Algebra& algebra, const StateFlow& flow, const Substitution& state,
                                     const std::vector<Expr>& inputs, const Substitution& values) {
  const bool is_chartless = flow.has_levels || !flow.quaternions.empty();
  try {
    try {
      const BudgetScope scope(algebra, operations_with_symbols);
      const Substitution none;
      SteadyMotion result = is_chartless ? linearise_on_manifold(algebra, flow, state, inputs, none, values)
                                         : Work(algebra, flow, state, none).run(inputs, values);
      if (result.reason.empty()) return result;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached || algebra.options().is_interrupted()) throw;
    }
    Substitution valued_state = state, without_inputs = values;
    for (Expr input : inputs) without_inputs.erase(input);
    for (auto& [symbol, value] : valued_state) value = substitute(value, without_inputs);
    SteadyMotion result;
    if (is_chartless) {
      result = linearise_on_manifold(algebra, flow, valued_state, inputs, without_inputs, values);
    } else if (const auto valued = flow_with_values(algebra, flow, without_inputs)) {
      result = Work(algebra, *valued, valued_state, without_inputs).run(inputs, values);
    } else {
      result.reason = "the closed forms of the motion have no value for the parameters as given";
    }
    result.for_values = true;
    return result;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::undefined_constant && error.code() != ErrorCode::division_by_zero) throw;
    SteadyMotion result;
    result.reason = fmt::format("the equations of motion have no value there: {}", error.what());
    return result;
  }
}

}  // namespace liaison
