#include "liaison/structure/reduced_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_choices = 200;  ///< of coordinates to ignore

class Reduction {
 public:
  Reduction(Algebra& algebra, const Motion& motion, const std::vector<Expr>& by)
      : algebra_(algebra), motion_(motion), system_(*motion.space.system), pool_(algebra.pool()), by_(by) {}

  ReducedSystem run() {
    result_.reason = why_not();
    if (!result_.reason.empty()) return std::move(result_);
    if (!choose()) return std::move(result_);
    for (std::size_t i = 0; i < system_.directions.size(); ++i) {
      if (std::find(ignored_.begin(), ignored_.end(), i) == ignored_.end()) rest_.push_back(i);
    }
    if (rest_.empty()) {
      result_.reason = "no coordinate would be left: all are integrated at once";
      return std::move(result_);
    }
    for (const std::size_t i : ignored_) result_.ignored.push_back(coordinate(i));
    begin_system();
    if (result_.kind == ReducedSystem::Kind::chaplygin) complete_start();
    const bool is_done =
        result_.kind == ReducedSystem::Kind::routh ? reduce_by_routh() : reduce_by_chaplygin();
    if (is_done) finish();
    return std::move(result_);
  }

 private:
  Expr coordinate(std::size_t i) const { return system_.directions[i].coordinate; }
  Expr velocity(std::size_t i) const { return system_.directions[i].velocity; }

  std::string why_not() const {
    if (!system_.rotations.empty()) return "rotations have no coordinate to ignore: describe them by angles";
    if (!system_.chart.parameters.empty()) return "the model has velocity parameters of its own";
    if (!system_.rheonomic.empty()) return "the model has a rheonomic coordinate";
    if (!system_.unilaterals.empty() || !system_.families.empty() || !system_.contacts.empty())
      return "there are contacts, which open and close";
    if (!system_.reactions.empty()) return "there are reactions without a relation";
    for (const Event& event : system_.events) {
      if (event.action != EventAction::record)
        return fmt::format("the event `{}` acts on the motion, and what is left out with it", event.name);
    }
    for (const Constraint& constraint : system_.constraints) {
      if (constraint.holonomic)
        return fmt::format("`{}` is a relation between coordinates: solve it for one of them first",
                           constraint.name);
      if (constraint.power_kind != PowerKind::ideal)
        return fmt::format("the force of `{}` has a direction of its own", constraint.name);
    }
    return motion_.acceleration.empty() ? "the motion has no closed form: " + motion_.open_reason : "";
  }

  /// Why a coordinate cannot be ignored; empty: it can.
  std::string why_it_stays(std::size_t i) const {
    const Expr s = coordinate(i);
    const std::string name = s.symbol().name;
    if (depends(system_.kinetic, s)) return fmt::format("the kinetic energy depends on {}", name);
    if (depends(system_.potential, s)) return fmt::format("the potential depends on {}", name);
    for (Expr force : system_.forces) {
      if (depends(force, s)) return fmt::format("a force depends on {}", name);
    }
    for (const Constraint& constraint : system_.constraints) {
      if (depends(constraint.relation, s)) return fmt::format("`{}` depends on {}", constraint.name, name);
    }
    if (!system_.constraints.empty()) return {};
    if (!system_.forces[i].is_zero() && !algebra_.is_zero(system_.forces[i]).is_proved())
      return fmt::format("a force acts along {}", name);
    for (std::size_t j = 0; j < system_.forces.size(); ++j) {
      if (depends(system_.forces[j], velocity(i)))
        return fmt::format("the force along {} depends on {}'", coordinate(j).symbol().name, name);
    }
    return {};
  }
  bool depends(Expr e, Expr s) const {
    return depends_on(e, s) && depends_on(algebra_.canonical(e).value, s);
  }

  bool choose() {
    std::vector<std::size_t> can;
    for (std::size_t i = 0; i < system_.directions.size(); ++i) {
      const std::string why = why_it_stays(i);
      const bool is_asked = std::find(by_.begin(), by_.end(), coordinate(i)) != by_.end();
      if (is_asked && !why.empty()) {
        result_.reason = why;
        return false;
      }
      if (why.empty() && (by_.empty() || is_asked)) can.push_back(i);
    }
    const std::size_t relations = system_.constraints.size();
    if (relations == 0) {
      result_.kind = ReducedSystem::Kind::routh;
      ignored_ = can;
      if (can.empty()) result_.reason = "the energies depend on every coordinate, or a force acts along it";
      return !can.empty();
    }
    result_.kind = ReducedSystem::Kind::chaplygin;
    return choose_by_relations(can);
  }

  /// As many of these as relations, such that the relations are solved for their velocities; later ones
  /// first.
  bool choose_by_relations(const std::vector<std::size_t>& can) {
    const std::size_t relations = system_.constraints.size();
    for (const Constraint& constraint : system_.constraints) {
      std::vector<Expr> terms;
      for (const Direction& direction : system_.directions) {
        const Expr coefficient = derivative(constraint.relation, direction.velocity);
        const auto is_constant = [&](const Direction& other) {
          return !depends(coefficient, other.velocity);
        };
        if (!std::all_of(system_.directions.begin(), system_.directions.end(), is_constant))
          return refuse(fmt::format("`{}` is not linear in the velocities", constraint.name));
        terms.push_back(coefficient * direction.velocity);
      }
      if (!algebra_.is_zero(constraint.relation - pool_.add(terms)).is_proved())
        return refuse(fmt::format("`{}` has terms without velocities", constraint.name));
      if (depends(constraint.relation, system_.time))
        return refuse(fmt::format("`{}` depends on the time", constraint.name));
    }
    if (can.size() < relations)
      return refuse(
          fmt::format("{} relations, and {} coordinates on which nothing depends", relations, can.size()));
    // Of all choices one that divides by nothing that changes; else the first that there is.
    std::vector<bool> taken(can.size(), false);
    std::fill_n(taken.begin(), relations, true);
    std::size_t tried = 0;
    do {
      std::vector<std::size_t> choice;
      for (std::size_t k = 0; k < can.size(); ++k) {
        if (taken[k]) choice.push_back(can[k]);
      }
      const DeterminantResult det = determinant(algebra_, relations_by(choice));
      if (det.grade != Grade::proved || det.value.is_zero()) continue;
      const bool is_constant =
          std::none_of(system_.directions.begin(), system_.directions.end(),
                       [&](const Direction& direction) { return depends(det.value, direction.coordinate); });
      if (is_constant || ignored_.empty()) ignored_ = choice;
      if (is_constant) return true;
    } while (++tried < most_choices && std::prev_permutation(taken.begin(), taken.end()));
    if (ignored_.empty())
      return refuse("the relations are not solved for velocities of coordinates on which nothing depends");
    return true;
  }

  /// The coefficients of these velocities, one row a relation.
  Matrix relations_by(const std::vector<std::size_t>& choice) const {
    Matrix matrix(pool_, system_.constraints.size(), choice.size());
    for (std::size_t h = 0; h < matrix.rows; ++h) {
      for (std::size_t k = 0; k < choice.size(); ++k)
        matrix(h, k) = derivative(system_.constraints[h].relation, velocity(choice[k]));
    }
    return matrix;
  }

  bool refuse(std::string reason) {
    result_.reason = std::move(reason);
    return false;
  }

  void begin_system() {
    System& reduced = result_.system;
    reduced = system_;
    reduced.name = system_.name.empty() ? "" : system_.name + ", reduced";
    reduced.directions.clear();
    for (const std::size_t i : rest_) reduced.directions.push_back(system_.directions[i]);
    reduced.forces.clear();
    reduced.constraints.clear();
    reduced.claims.clear();
    reduced.events.clear();
    reduced.outputs.clear();
    reduced.queries.clear();
    reduced.particles.clear();
    reduced.bodies.clear();
    reduced.intrinsic = {};
    for (const InitialValue& value : reduced.start) {
      for (const std::size_t i : ignored_) {
        if (value.symbol == velocity(i)) result_.left_out.push_back(value.symbol.symbol().name);
      }
    }
    std::erase_if(reduced.start, [&](const InitialValue& value) {
      return std::any_of(ignored_.begin(), ignored_.end(), [&](std::size_t i) {
        return value.symbol == coordinate(i) || value.symbol == velocity(i);
      });
    });
  }

  /// What the start of the model leaves open of the rest, as a run of the model chooses it: what it gives of
  /// the ignored coordinates determines some of it.
  void complete_start() {
    if (system_.start.empty()) return;
    std::vector<InitialValue> chosen;
    try {
      const CompletedState state = complete_state(motion_, StateRequest{});
      if (!state.ok()) return;
      for (const std::size_t i : rest_) {
        for (Expr symbol : {coordinate(i), velocity(i)}) {
          const bool is_given = std::any_of(system_.start.begin(), system_.start.end(),
                                            [&](const InitialValue& one) { return one.symbol == symbol; });
          const auto value = state.values.find(symbol);
          if (is_given || value == state.values.end() || value->second == 0) continue;
          const auto number = Rational::parse(fmt::format("{:.17g}", value->second));
          chosen.push_back({symbol, pool_.number(*number), {}});
        }
      }
    } catch (const Error&) {
      return;  // no value there: what the start left out is named
    }
    result_.left_out.clear();
    result_.system.start.insert(result_.system.start.end(), chosen.begin(), chosen.end());
  }

  /// The velocities of the ignored coordinates by the rest.
  bool solve_rates(const Matrix& matrix, const std::vector<Expr>& right) {
    const SolveResult solved = solve(algebra_, matrix, right);
    if (solved.status != SolveStatus::unique || solved.grade != Grade::proved)
      return refuse("the velocities of the ignored coordinates are not determined by the rest");
    result_.agrees.conditions = solved.conditions;
    for (std::size_t k = 0; k < ignored_.size(); ++k) {
      result_.rates.push_back(algebra_.readable(solved.x[k]));
      by_rest_.emplace(velocity(ignored_[k]), result_.rates.back());
    }
    return true;
  }

  std::string fresh_name(const std::string& wanted) const {
    std::string name = wanted;
    const auto is_taken = [&](const std::string& text) {
      return std::any_of(system_.parameters.begin(), system_.parameters.end(),
                         [&](const Parameter& p) { return p.symbol.symbol().name == text; }) ||
             std::any_of(system_.directions.begin(), system_.directions.end(),
                         [&](const Direction& d) { return d.coordinate.symbol().name == text; });
    };
    while (is_taken(name)) name += "_";
    return name;
  }

  Expr shorter(Expr e) const {
    const Expr readable = algebra_.readable(e);
    return to_infix(readable).size() < to_infix(e).size() ? readable : e;
  }

  bool reduce_by_routh() {
    const std::size_t m = ignored_.size();
    Matrix mass(pool_, m, m);
    std::vector<Expr> right;
    Substitution at_rest;
    for (const std::size_t i : ignored_) at_rest.emplace(velocity(i), pool_.number(0));
    for (std::size_t k = 0; k < m; ++k) {
      const Expr momentum = derivative(system_.kinetic, velocity(ignored_[k]));
      const Expr p =
          pool_.symbol(fresh_name("p_" + coordinate(ignored_[k]).symbol().name), SymbolKind::parameter);
      result_.momentum.push_back(shorter(momentum));
      result_.momenta.push_back(p);
      for (std::size_t j = 0; j < m; ++j) {
        mass(k, j) = derivative(momentum, velocity(ignored_[j]));
        for (const std::size_t i : ignored_) {
          if (depends(mass(k, j), velocity(i)))
            return refuse("the kinetic energy is not quadratic in the velocities of the ignored coordinates");
        }
      }
      right.push_back(p - substitute(momentum, at_rest));
    }
    if (!solve_rates(mass, right)) return false;
    std::vector<Expr> terms{substitute(system_.kinetic, by_rest_)};
    for (std::size_t k = 0; k < m; ++k) terms.push_back(-result_.momenta[k] * result_.rates[k]);
    const Expr routhian = algebra_.readable(pool_.add(terms));
    Substitution still;
    for (const std::size_t i : rest_) still.emplace(velocity(i), pool_.number(0));
    const Expr amended = algebra_.readable(substitute(routhian, still));
    result_.system.kinetic = algebra_.readable(routhian - amended);
    result_.system.potential = algebra_.readable(system_.potential - amended);
    for (const std::size_t i : rest_) result_.system.forces.push_back(system_.forces[i]);
    for (std::size_t k = 0; k < m; ++k) add_momentum(k);
    return true;
  }

  /// Its value by the start of the model, and its unit.
  void add_momentum(std::size_t k) {
    Parameter parameter;
    parameter.symbol = result_.momenta[k];
    Substitution start{{system_.time, pool_.number(0)}};
    for (const Direction& direction : system_.directions) {
      start.emplace(direction.coordinate, pool_.number(0));
      start.emplace(direction.velocity, pool_.number(0));
    }
    for (const InitialValue& value : system_.start) start[value.symbol] = value.value;
    Substitution values;
    for (const Parameter& other : system_.parameters) {
      if (other.value) values.emplace(other.symbol, other.exact());
    }
    try {
      const Expr at = algebra_.readable(substitute(substitute(result_.momentum[k], start), values));
      if (at.is_number()) {
        parameter.value = at.number();
      } else if (at.is_constant()) {
        parameter.value = Rational::parse(fmt::format("{:.17g}", evaluate(at, {})));
      }
    } catch (const Error&) {  // no value at the start: none is given
    }
    const auto& directions = system_.directions;
    const bool has_units =
        std::any_of(directions.begin(), directions.end(),
                    [](const Direction& direction) { return direction.unit.has_value(); }) ||
        std::any_of(system_.parameters.begin(), system_.parameters.end(),
                    [](const Parameter& other) { return other.unit.has_value(); });
    if (const auto& unit = directions[ignored_[k]].unit; has_units)
      parameter.unit = parse_unit(unit && !unit->dimension.is_none() ? "J*s/(" + unit->text + ")" : "J*s");
    result_.system.parameters.push_back(std::move(parameter));
  }

  bool reduce_by_chaplygin() {
    const std::size_t m = ignored_.size();
    std::vector<Expr> right;
    for (std::size_t h = 0; h < m; ++h) {
      const Expr relation = system_.constraints[h].relation;
      std::vector<Expr> terms;
      for (const std::size_t i : rest_) terms.push_back(-derivative(relation, velocity(i)) * velocity(i));
      right.push_back(pool_.add(terms));
    }
    if (!solve_rates(relations_by(ignored_), right)) return false;
    result_.system.kinetic = algebra_.readable(substitute(system_.kinetic, by_rest_));
    const auto a = [&](std::size_t k, std::size_t i) { return derivative(result_.rates[k], velocity(i)); };
    for (const std::size_t i : rest_) {
      std::vector<Expr> terms{substitute(system_.forces[i], by_rest_)};
      for (std::size_t k = 0; k < m; ++k) {
        terms.push_back(substitute(system_.forces[ignored_[k]], by_rest_) * a(k, i));
        const Expr momentum = substitute(derivative(system_.kinetic, velocity(ignored_[k])), by_rest_);
        for (const std::size_t b : rest_)
          terms.push_back(momentum *
                          (derivative(a(k, i), coordinate(b)) - derivative(a(k, b), coordinate(i))) *
                          velocity(b));
      }
      result_.system.forces.push_back(algebra_.readable(pool_.add(terms)));
    }
    return true;
  }

  /// Recorded events whose text has a value without what is ignored.
  void carry_events() {
    for (const Event& event : system_.events) {
      Event kept = event;
      kept.when = algebra_.readable(substitute(event.when, by_rest_));
      const auto is_left = [&](Expr symbol) {
        return symbol == system_.time || symbol.symbol().kind == SymbolKind::parameter ||
               std::any_of(rest_.begin(), rest_.end(), [&](std::size_t i) {
                 return symbol == coordinate(i) || symbol == velocity(i) ||
                        symbol == acceleration_symbol(velocity(i));
               });
      };
      const std::vector<Expr> symbols = symbols_in(kept.when);
      if (std::all_of(symbols.begin(), symbols.end(), is_left)) {
        result_.system.events.push_back(std::move(kept));
      } else {
        result_.events_left_out.push_back(event.name);
      }
    }
  }

  /// What is ignored as outputs; and whether the rest moves as in the model.
  void finish() {
    System& reduced = result_.system;
    reduced.kinetic_extended = reduced.kinetic;
    reduced.potential_extended = reduced.potential;
    carry_events();
    for (std::size_t k = 0; k < ignored_.size(); ++k)
      reduced.outputs.push_back(
          {fresh_name(coordinate(ignored_[k]).symbol().name + "_rate"), result_.rates[k]});
    const Motion motion = derive_motion(algebra_, reduced);
    Verdict verdict;
    verdict.grade = weaker(motion.grade, motion_.grade);
    if (motion.acceleration.size() != rest_.size()) {
      result_.agrees = {};
      result_.agrees.grade = Grade::unknown;
      result_.agrees.reason = "the reduced motion has no closed form: " + motion.open_reason;
      return;
    }
    for (std::size_t k = 0; k < rest_.size(); ++k) {
      const Expr whole = substitute(motion_.acceleration[rest_[k]], by_rest_);
      const Verdict same = algebra_.is_zero(whole - motion.acceleration[k]);
      verdict.grade = weaker(verdict.grade, same.grade);
      if (!same.holds()) {
        verdict = same;
        break;
      }
    }
    verdict.conditions = result_.agrees.conditions;
    result_.agrees = std::move(verdict);
  }

  Algebra& algebra_;
  const Motion& motion_;
  const System& system_;
  Pool& pool_;
  const std::vector<Expr>& by_;
  std::vector<std::size_t> ignored_, rest_;  ///< directions
  Substitution by_rest_;                     ///< velocities of the ignored ones
  ReducedSystem result_;
};

}  // namespace

ReducedSystem reduce_system(Algebra& algebra, const Motion& motion, const std::vector<Expr>& by) {
  return Reduction(algebra, motion, by).run();
}

}  // namespace liaison
