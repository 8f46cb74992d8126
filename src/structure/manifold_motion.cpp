#include "manifold_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "characteristic.hpp"
#include "given_velocities.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/derived_quantities.hpp"
#include "liaison/model/integrals.hpp"
#include "liaison/model/kinematics.hpp"
#include "manifold_equations.hpp"
#include "steady_fields.hpp"

namespace liaison {

namespace {

class Work {
 public:
  Work(Algebra& algebra, const StateFlow& flow, const Substitution& given, const Substitution& values)
      : algebra_(algebra),
        flow_(flow),
        given_(given),
        values_(values),
        equations_(manifold_equations(*flow.motion, values)) {}

  SteadyMotion run(const std::vector<Expr>& inputs, const Substitution& values) {
    for (Expr input : inputs)
      if (values.contains(input)) at_.emplace(input, values.at(input));
    result_.reason = equations_.reason.empty() ? flow_.standing.pieces : equations_.reason;
    if (result_.reason.empty()) ignore_places();
    if (result_.reason.empty()) take_places();
    if (result_.reason.empty()) take_velocities();
    if (result_.reason.empty()) take_rates();
    if (result_.reason.empty()) take_tangent();
    if (result_.reason.empty()) require_steady();
    if (result_.reason.empty()) require_fixed_relations(inputs);
    if (result_.reason.empty()) linearise(inputs);
    return std::move(result_);
  }

 private:
  Expr there(Expr e) const { return algebra_.readable(substitute(e, at_)); }

  bool is_met(Expr place) const {
    for (const std::vector<Expr>* list :
         {&equations_.residuals, &equations_.place_rates, &equations_.levels, &equations_.speeds}) {
      for (Expr e : *list)
        if (depends_on(e, place) && depends_on(algebra_.canonical(e).value, place)) return true;
    }
    return false;
  }

  /// Positions on which nothing depends change along a steady motion.
  void ignore_places() {
    for (Expr position : flow_.positions) {
      if (is_met(position)) continue;
      const auto at = std::find(equations_.places.begin(), equations_.places.end(), position);
      equations_.place_rates.erase(equations_.place_rates.begin() + (at - equations_.places.begin()));
      equations_.places.erase(at);
      result_.ignored.push_back(position);
    }
  }

  void take_places() {
    Pool& pool = algebra_.pool();
    for (Expr place : equations_.places) {
      const bool is_first = std::any_of(flow_.quaternions.begin(), flow_.quaternions.end(),
                                        [&](const auto& e) { return e[0] == place; });
      at_.emplace(place, given_.contains(place) ? given_.at(place) : pool.number(is_first ? 1 : 0));
    }
    for (std::size_t h = 0; h < equations_.levels.size(); ++h) {
      const Expr value = there(equations_.levels[h]);
      const Verdict kept = algebra_.is_zero(value);
      if (kept.holds()) {
        result_.grade = weaker(result_.grade, kept.grade);
        continue;
      }
      result_.reason =
          fmt::format("`{}` is not kept there: {} is {}; give all coordinates in its relation",
                      equations_.level_names[h], to_infix(equations_.levels[h]), to_infix(value));
      if (!kept.is_refuted()) result_.reason += ", and it was not decided whether that is zero";
      return;
    }
  }

  /// Those that are given, and what the relations determine; the others are zero.
  void take_velocities() {
    Pool& pool = algebra_.pool();
    const StateSpace& space = flow_.motion->space;
    std::vector<Expr> unknown, rows, right;
    for (Expr velocity : equations_.velocities) {
      if (given_.contains(velocity)) {
        at_.emplace(velocity, given_.at(velocity));
      } else {
        unknown.push_back(velocity);
      }
    }
    for (Expr speed : equations_.speeds) {
      rows.push_back(substitute(speed, at_));
      right.push_back(pool.number(0));
    }
    for (std::size_t i = 0; i < space.size(); ++i) {  // of a model with velocity parameters of its own
      const Expr velocity = space.system->directions[i].velocity;
      if (!given_.contains(velocity) || at_.contains(velocity)) continue;
      rows.push_back(substitute(substitute(space.velocities[i], values_), at_));
      right.push_back(given_.at(velocity));
    }
    complete_velocities(algebra_, {unknown, rows, right}, at_, result_.reason);
  }

  Matrix slopes(const std::vector<Expr>& rows, const std::vector<Expr>& symbols) const {
    Matrix matrix(algebra_.pool(), rows.size(), symbols.size());
    for (const JacobianEntry& entry : jacobian(rows, symbols))
      matrix(entry.row, entry.column) = there(entry.value);
    return matrix;
  }

  void add_conditions(const Conditions& conditions) {
    for (Expr condition : conditions) {
      const Expr value = algebra_.readable(condition);
      if (symbols_in(value).empty() && constant_sign(value).value_or(0) != 0) continue;
      if (std::find(result_.conditions.begin(), result_.conditions.end(), value) == result_.conditions.end())
        result_.conditions.push_back(value);
    }
  }

  void lose_rank() {
    result_.reason = "the relations, or the mass matrix, lose rank there: accelerations are not determined";
  }

  void take_rates() {
    const std::vector<Expr> unknowns = equations_.unknowns();
    Substitution none;
    for (Expr unknown : unknowns) none.emplace(unknown, algebra_.pool().number(0));
    matrix_ = slopes(equations_.residuals, unknowns);
    std::vector<Expr> right;
    for (Expr residual : equations_.residuals) right.push_back(there(-substitute(residual, none)));
    const SolveResult answer = solve(algebra_, *matrix_, right);
    if (answer.status != SolveStatus::unique) return lose_rank();
    result_.grade = weaker(result_.grade, answer.grade);
    add_conditions(answer.conditions);
    for (std::size_t k = 0; k < unknowns.size(); ++k)
      at_.emplace(unknowns[k], algebra_.readable(answer.x[k]));
  }

  /// Each of the others changes with those that are free as the relations say.
  void take_tangent() {
    const std::vector<Expr> state = equations_.state();
    const Matrix relations = slopes(equations_.relations(), state);
    Pool& pool = algebra_.pool();
    std::vector<std::size_t> dependent, free;
    if (relations.rows > 0) {
      const RankResult known = rank(algebra_, relations);
      if (known.rank < relations.rows) {
        result_.reason = "the relations lose rank there: the states have no tangent space";
        return;
      }
      dependent = known.columns;
    }
    for (std::size_t k = 0; k < state.size(); ++k)
      if (std::find(dependent.begin(), dependent.end(), k) == dependent.end()) free.push_back(k);
    Matrix square(pool, relations.rows, relations.rows);
    for (std::size_t i = 0; i < relations.rows; ++i)
      for (std::size_t k = 0; k < relations.rows; ++k) square(i, k) = relations(i, dependent[k]);
    for (const std::size_t column : free) {
      std::vector<Expr> direction(state.size(), pool.number(0));
      direction[column] = pool.number(1);
      if (relations.rows > 0) {
        std::vector<Expr> right;
        for (std::size_t i = 0; i < relations.rows; ++i) right.push_back(-relations(i, column));
        const SolveResult answer = solve(algebra_, square, right);
        if (answer.status != SolveStatus::unique) return lose_rank();
        result_.grade = weaker(result_.grade, answer.grade);
        add_conditions(answer.conditions);
        for (std::size_t k = 0; k < dependent.size(); ++k) direction[dependent[k]] = answer.x[k];
      }
      tangent_.push_back(std::move(direction));
      result_.variables.push_back(state[column]);
      free_.push_back(column);
    }
    if (free_.empty()) result_.reason = "the constraints leave nothing that could deviate";
  }

  Expr rate_of(std::size_t k) const {
    return k < equations_.places.size() ? equations_.place_rates[k]
                                        : equations_.rates[k - equations_.places.size()];
  }

  /// All rates vanish, or are those of a symmetry.
  void require_steady() {
    const std::vector<Expr> state = equations_.state();
    std::vector<Expr> rates;
    bool is_rest = true;
    std::size_t moved = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      rates.push_back(there(rate_of(k)));
      const Verdict still = algebra_.is_zero(rates.back());
      if (still.holds()) {
        result_.grade = weaker(result_.grade, still.grade);
        rates.back() = algebra_.pool().number(0);
      } else if (is_rest) {
        is_rest = false;
        moved = k;
      }
    }
    if (is_rest) {
      const auto& all = equations_.velocities;
      if (result_.ignored.empty() &&
          std::all_of(all.begin(), all.end(), [&](Expr velocity) { return at_.at(velocity).is_zero(); }))
        for (Expr place : equations_.places) result_.rest.emplace(place, at_.at(place));
      return;
    }
    const SteadyFields known = steady_fields(algebra_, flow_, equations_, values_);
    if (!known.fields.empty()) {
      Matrix matrix(algebra_.pool(), state.size(), known.fields.size());
      for (std::size_t k = 0; k < state.size(); ++k) {
        for (std::size_t j = 0; j < known.fields.size(); ++j) matrix(k, j) = there(known.fields[j][k]);
      }
      const SolveResult answer = solve(algebra_, matrix, rates);
      if (answer.status != SolveStatus::inconsistent) {
        result_.grade = weaker(weaker(result_.grade, answer.grade), known.grade);
        add_conditions(answer.conditions);
        along_.assign(state.size(), algebra_.pool().number(0));
        for (std::size_t j = 0; j < known.fields.size(); ++j) {
          for (std::size_t k = 0; k < state.size(); ++k)
            along_[k] = along_[k] + answer.x[j] * known.fields[j][k];
        }
        return;
      }
    }
    result_.reason = fmt::format(
        "the motion is not steady: {} changes at the rate {}, and no symmetry that is known goes along",
        to_infix(state[moved]), to_infix(rates[moved]));
  }

  /// The states are the same for all values of an input.
  void require_fixed_relations(const std::vector<Expr>& inputs) {
    for (Expr input : inputs) {
      for (Expr relation : equations_.relations()) {
        if (depends_on(relation, input))
          result_.reason = fmt::format("the input `{}` moves a relation", input.symbol().name);
      }
    }
  }

  /// The change of rates and factors with a change of the state or an input: residuals stay zero.
  std::vector<Expr> response(std::vector<Expr> right) {
    for (Expr& e : right) e = algebra_.canonical(-e).value;
    const SolveResult answer = solve(algebra_, *matrix_, right);
    result_.grade = weaker(result_.grade, answer.grade);
    return answer.x;
  }

  static std::vector<Expr> times(Pool& pool, const Matrix& matrix, const std::vector<Expr>& x) {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < matrix.columns; ++k) terms.push_back(matrix(i, k) * x[k]);
      result.push_back(pool.add(terms));
    }
    return result;
  }

  void linearise(const std::vector<Expr>& inputs) {
    Pool& pool = algebra_.pool();
    const std::vector<Expr> state = equations_.state(), unknowns = equations_.unknowns();
    const std::size_t n = free_.size(), places = equations_.places.size();
    read_outputs();
    const Matrix by_state = slopes(equations_.residuals, state),
                 by_input = slopes(equations_.residuals, inputs);
    const Matrix moves = slopes(equations_.place_rates, state),
                 pushed = slopes(equations_.place_rates, inputs);
    const Matrix told = slopes(outputs_, state), direct = slopes(outputs_, inputs),
                 through = slopes(outputs_, unknowns);
    const Matrix carried = slopes(along_, state);
    result_.a = Matrix(pool, n, n);
    result_.b = Matrix(pool, n, inputs.size());
    result_.c = Matrix(pool, outputs_.size(), n);
    result_.d = Matrix(pool, outputs_.size(), inputs.size());
    const auto fill = [&](std::size_t k, const std::vector<Expr>& rates, const std::vector<Expr>& changes,
                          const std::vector<Expr>& outputs, Matrix& a, Matrix& c) {
      for (std::size_t i = 0; i < n; ++i)
        a(i, k) = algebra_.readable(free_[i] < places ? rates[free_[i]] : changes[free_[i] - places]);
      const std::vector<Expr> indirect = times(pool, through, changes);
      for (std::size_t o = 0; o < outputs_.size(); ++o) c(o, k) = algebra_.readable(outputs[o] + indirect[o]);
    };
    for (std::size_t k = 0; k < n; ++k) {
      const std::vector<Expr>& direction = tangent_[k];
      const std::vector<Expr> changes = response(times(pool, by_state, direction));
      fill(k, times(pool, moves, direction), changes, times(pool, told, direction), *result_.a, *result_.c);
      if (along_.empty()) continue;
      const std::vector<Expr> back = times(pool, carried, direction);
      for (std::size_t i = 0; i < n; ++i)
        (*result_.a)(i, k) = algebra_.readable((*result_.a)(i, k) - back[free_[i]]);
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      std::vector<Expr> one(inputs.size(), pool.number(0));
      one[k] = pool.number(1);
      fill(k, times(pool, pushed, one), response(times(pool, by_input, one)), times(pool, direct, one),
           *result_.b, *result_.d);
      result_.inputs.push_back(inputs[k].symbol().name);
    }
    add_characteristic(algebra_, result_);
    find_domain();
  }

  /// Functions of the state, of accelerations and of factors; along a motion that goes on, those that stay.
  void read_outputs() {
    const System& system = *flow_.motion->space.system;
    DerivedQuantities derived(algebra_, *flow_.motion);
    const std::vector<Expr> state = equations_.state(), unknowns = equations_.unknowns();
    const auto is_in = [](const std::vector<Expr>& list, Expr symbol) {
      return std::find(list.begin(), list.end(), symbol) != list.end();
    };
    for (const Output& output : system.outputs) {
      const auto written = derived.in_motion_variables(with_energies(system, output.value));
      bool is_told = written.has_value() && !holds_integral(output.value);
      const Expr e =
          written ? substitute(flow_.motion->space.in_parameters(*written), values_) : output.value;
      for (Expr symbol : symbols_in(e)) {
        is_told = is_told && (symbol.symbol().kind == SymbolKind::parameter || is_in(state, symbol) ||
                              (is_in(unknowns, symbol) && along_.empty()));
      }
      if (is_told && !along_.empty()) {
        std::vector<Expr> terms;
        for (std::size_t k = 0; k < state.size(); ++k) terms.push_back(derivative(e, state[k]) * along_[k]);
        is_told = algebra_.is_zero(algebra_.pool().add(terms)).is_proved();
      }
      (is_told ? result_.outputs : result_.left_out).push_back(output.name);
      if (is_told) outputs_.push_back(e);
    }
  }

  void find_domain() {
    std::vector<Expr> values;
    for (Expr symbol : equations_.state()) values.push_back(at_.at(symbol));
    result_.domain = natural_domain(values);
    for (const Requirement& requirement : flow_.motion->space.system->domain)
      add_requirement(result_.domain,
                      substitute(substitute(flow_.motion->space.in_parameters(requirement.e), values_), at_),
                      requirement.bound);
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const Substitution &given_, &values_;
  ManifoldEquations equations_;
  Substitution at_;
  std::optional<Matrix> matrix_;            ///< of the rates and factors in the residuals
  std::vector<std::vector<Expr>> tangent_;  ///< one direction for each that is free
  std::vector<std::size_t> free_;
  std::vector<Expr> along_, outputs_;  ///< the symmetry that goes along; empty: a rest
  SteadyMotion result_;
};

}  // namespace

SteadyMotion linearise_on_manifold(Algebra& algebra, const StateFlow& flow, const Substitution& given,
                                   const std::vector<Expr>& inputs, const Substitution& known,
                                   const Substitution& values) {
  return Work(algebra, flow, given, known).run(inputs, values);
}

}  // namespace liaison
