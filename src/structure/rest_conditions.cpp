#include "rest_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admissible_directions.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

class RestSearch {
 public:
  RestSearch(Algebra& algebra, const StateFlow& flow, const Substitution& values)
      : algebra_(algebra), flow_(flow), values_(values) {
    for (Expr velocity : flow.velocities) at_rest_.emplace(velocity, algebra.pool().number(0));
  }

  RestConditions run() {
    std::vector<Expr> levels;
    for (const auto& constraint : flow_.motion->constraints)
      if (!constraint.level.empty()) levels.push_back(constraint.level);
    for (Expr& level : levels) level = without_factor_of_time(level);
    take_given(levels);
    take_moved(levels);
    for (Expr level : levels) add(level);
    result_.has_levels = !result_.equations.empty();
    take_drift();
    if (result_.refusal.empty()) take_accelerations();
    return std::move(result_);
  }

 private:
  bool holds_position(Expr e) const {
    return std::any_of(flow_.positions.begin(), flow_.positions.end(),
                       [&](Expr position) { return depends_on(e, position); });
  }

  /// (x - 1)*(2 + sin(t)) vanishes where it does at one time: a level f(q)*g(t), whose logarithm has a rate
  /// that no position changes, is that at a time when it is not zero everywhere.
  Expr without_factor_of_time(Expr level) {
    const Expr rate = derivative(level, flow_.time);
    if (rate.is_zero()) return level;
    const PieceArguments pieces =
        piece_arguments({&level, 1});  // what is one product here may be another there
    if (!pieces.jumps.empty() || !pieces.kinks.empty()) return level;
    const bool is_product = std::all_of(flow_.positions.begin(), flow_.positions.end(), [&](Expr position) {
      if (!depends_on(level, position)) return true;
      const Expr change = derivative(rate, position) * level - rate * derivative(level, position);
      return change.is_zero() || algebra_.is_zero(change).is_proved();
    });
    if (!is_product) return level;
    for (const Expr then : at_times(algebra_, level, flow_.time))
      if (holds_position(then) && algebra_.is_zero(then).is_refuted()) return then;
    return level;
  }

  /// Levels that give a coordinate as a function of the time alone, one after another.
  void take_given(std::vector<Expr>& levels) {
    for (bool found = true; found;) {
      found = false;
      for (std::size_t k = 0; k < levels.size() && !found; ++k) {
        const Expr level = algebra_.readable(substitute(levels[k], result_.given));
        for (Expr position : flow_.positions) {
          if (!depends_on(level, position)) continue;
          const Expr slope = algebra_.readable(derivative(level, position));
          const Expr rest = algebra_.readable(level - slope * position);
          if (!is_never_zero(slope) || holds_position(rest)) continue;
          const Expr law = algebra_.readable(-rest / slope);
          result_.given.emplace(position, law);
          // A coordinate that a relation fixes stays.
          result_.moving.push_back({position, law, algebra_.readable(derivative(law, flow_.time))});
          levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(k));
          found = true;
          break;
        }
      }
    }
  }

  /// Levels that the time moves and that hold one coordinate alone, in whatever way: it goes with the time,
  /// at the rate -level_t/level_x.
  void take_moved(std::vector<Expr>& levels) {
    std::erase_if(levels, [&](Expr written) {
      const Expr level = algebra_.readable(substitute(written, result_.given));
      std::vector<Expr> held;
      for (Expr position : flow_.positions)
        if (depends_on(level, position)) held.push_back(position);
      const Expr by_time = algebra_.readable(derivative(level, flow_.time));
      if (held.size() != 1 || by_time.is_zero() || algebra_.is_zero(by_time).is_proved()) return false;
      if (std::find(along_.begin(), along_.end(), held[0]) != along_.end()) return true;
      result_.moving.push_back({held[0], {}, algebra_.readable(-by_time / derivative(level, held[0]))});
      along_.push_back(held[0]);
      return true;
    });
  }

  /// Free of the state, and not zero for the parameters as given.
  bool is_never_zero(Expr slope) const {
    const Expr valued = substitute(slope, values_);
    return valued.is_constant() && constant_sign(valued).value_or(0) != 0;
  }

  /// What moves while the free velocities are zero: along with the time, or nothing where it vanishes.
  void take_drift() {
    const System& system = *flow_.motion->space.system;
    const std::size_t n = flow_.coframe->dimension() - 1 - flow_.velocities.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Expr position = system.directions[i].coordinate;
      if (position.empty() || result_.given.contains(position)) continue;
      if (std::find(along_.begin(), along_.end(), position) != along_.end()) continue;
      const Expr drift =
          algebra_.readable(substitute(substitute(flow_.field.component(i), at_rest_), result_.given));
      if (drift.is_zero() || algebra_.is_zero(drift).is_proved()) continue;
      if (holds_position(drift)) {
        add(drift);
      } else {
        result_.moving.push_back({position, {}, drift});
        along_.push_back(position);
      }
    }
  }

  /// Those of the free velocities. Where nothing moves and all constraints are ideal they vanish with the
  /// load (mass * u' = load) on the admissible directions, which is shorter.
  void take_accelerations() {
    const Motion& motion = *flow_.motion;
    const System& system = *motion.space.system;
    const std::size_t n = motion.space.size();
    const bool is_plain = result_.moving.empty() && flow_.is_autonomous(algebra_) &&
                          std::all_of(system.constraints.begin(), system.constraints.end(),
                                      [](const auto& c) { return c.power_kind == PowerKind::ideal; });
    for (std::size_t a = 0; a < flow_.velocities.size(); ++a) {
      if (!is_plain) {
        add(substitute(flow_.field.component(n + a), at_rest_));
        continue;
      }
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < n; ++i)
        terms.push_back(flow_.restricted(motion.free.load[i]) *
                        derivative(flow_.field.component(i), flow_.velocities[a]));
      add(substitute(algebra_.pool().add(terms), at_rest_));
    }
    for (Expr moved : along_) {
      for (Expr equation : result_.equations)
        if (depends_on(equation, moved))
          result_.refusal = fmt::format("{} goes on, and what holds the others depends on where it is",
                                        moved.symbol().name);
    }
  }

  void add(Expr equation) {
    const Expr e = algebra_.readable(substitute(substitute(equation, result_.given), values_));
    if (e.is_zero() || algebra_.is_zero(e).is_proved()) return;
    if (std::find(result_.equations.begin(), result_.equations.end(), e) == result_.equations.end())
      result_.equations.push_back(e);
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const Substitution& values_;
  Substitution at_rest_;
  std::vector<Expr> along_;  ///< moves, and its law is not known
  RestConditions result_;
};

}  // namespace

RestConditions rest_conditions(Algebra& algebra, const StateFlow& flow, const Substitution& values) {
  return RestSearch(algebra, flow, values).run();
}

std::string unknown_function(std::span<const Expr> equations) {
  for (Expr node : postorder(equations))
    if (node.is(Op::apply))
      return fmt::format("the function {} is not given", node.application().function->name);
  return {};
}

Expr without_quotients(Algebra& algebra, Expr equation) {
  const auto divides = [](Expr e) {
    return e.is(Op::pow) && e.arg(1).is_number() && e.arg(1).number().sign() < 0 && !e.arg(0).is_constant();
  };
  const std::vector<Expr> nodes = postorder(std::vector<Expr>{equation});
  if (std::none_of(nodes.begin(), nodes.end(), divides)) return equation;
  const Expr fraction = algebra.canonical(equation).value;
  if (!fraction.is(Op::mul)) return equation;
  std::vector<Expr> kept;
  for (Expr factor : fraction.args())
    if (!divides(factor)) kept.push_back(factor);
  const Expr result = algebra.readable(algebra.pool().mul(kept));
  const std::vector<Expr> left = postorder(std::vector<Expr>{result});
  return std::none_of(left.begin(), left.end(), divides) ? result : equation;
}

std::vector<Expr> at_times(Algebra& algebra, Expr equation, Expr time) {
  if (!depends_on(equation, time)) return {equation};
  std::vector<Expr> result;
  for (const Rational& moment : {Rational(1, 3), Rational(5, 7), Rational(13, 11)}) {
    const Substitution then{{time, algebra.pool().number(moment)}};
    try {
      result.push_back(algebra.readable(substitute(equation, then)));
    } catch (const Error& error) {  // no value at that time
      if (error.code() == ErrorCode::limit_reached) throw;
    }
  }
  return result;
}

}  // namespace liaison
