#include "variational_equations.hpp"

#include <algorithm>
#include <array>

#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/simulate/variational.hpp"

namespace liaison {

namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw Error(not_for_method, message, hint);
}

const char* const another_method = "take a method for the equations of motion, such as Dormand and Prince's";

class Equations {
 public:
  Equations(Algebra& algebra, const System& system)
      : algebra_(algebra), system_(system), pool_(*system.pool) {}

  VariationalEquations make() {
    refuse_other_systems();
    add_positions();
    invert_chart();
    replace_velocities();
    add_dynamics();
    add_constraints();
    add_state();
    return std::move(result_);
  }

 private:
  void refuse_other_systems() const {
    if (!system_.reactions.empty()) {
      refuse("the reaction `" + system_.reactions.front().name + "` has no relation that determines it",
             another_method);
    }
    if (!system_.unilaterals.empty()) {
      refuse("the constraint `" + system_.unilaterals.front().name +
                 "` may open; a step of constant length does not see when",
             another_method);
    }
    for (Expr force : system_.forces) {
      for (const Constraint& constraint : system_.constraints) {
        if (depends_on(force, constraint.factor))
          refuse("an applied force depends on the factor of `" + constraint.name + "`", another_method);
      }
    }
  }

  void add_positions() {
    result_.rotation_count = system_.rotations.size();
    for (const Direction& direction : system_.directions) {
      if (direction.rotation) continue;
      result_.positions.push_back(direction.coordinate);
      result_.rates.push_back(direction.velocity);
    }
    for (const Rotation& rotation : system_.rotations) {
      for (Expr e : rotation.quaternion) {
        result_.positions.push_back(e);
        result_.rates.push_back(pool_.symbol("rate__" + e.symbol().name, SymbolKind::auxiliary));
      }
    }
  }

  /// Velocity parameters as functions of the velocities, where the system chose some.
  void invert_chart() {
    const VelocityChart& chart = system_.chart;
    if (chart.parameters.empty()) {
      for (const Direction& direction : system_.directions)
        result_.velocity_parameters.push_back(direction.velocity);
      return;
    }
    result_.velocity_parameters = chart.parameters;
    const std::size_t n = chart.parameters.size();
    Substitution at_rest;
    for (Expr parameter : chart.parameters) at_rest.emplace(parameter, pool_.number(0));
    Matrix jacobian_of_chart(pool_, n, n);
    std::vector<Expr> right;
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<Expr> row = gradient(chart.velocities[i], chart.parameters);
      if (!are_free_of(row, chart.parameters)) {
        refuse("the velocity parameters are not linear: `" + system_.directions[i].velocity.symbol().name +
                   " = " + to_infix(chart.velocities[i]) + "`",
               "leave out the `velocity` statement, or choose parameters in which velocities are linear");
      }
      for (std::size_t a = 0; a < n; ++a) jacobian_of_chart(i, a) = substitute(row[a], at_rest);
      right.push_back(velocity_symbol(i) - substitute(chart.velocities[i], at_rest));
    }
    const SolveResult solution = solve(algebra_, jacobian_of_chart, right);
    if (solution.status != SolveStatus::unique) {
      throw Error(ErrorCode::not_a_basis, "the velocity parameters do not determine the velocities");
    }
    for (std::size_t a = 0; a < n; ++a) {
      from_chart_.emplace(chart.parameters[a], algebra_.readable(solution.x[a]));
    }
    // A velocity that is a parameter itself stands for itself.
    Substitution names;
    for (std::size_t i = 0; i < n; ++i) names.emplace(velocity_symbol(i), system_.directions[i].velocity);
    for (auto& [parameter, value] : from_chart_) value = substitute(value, names);
  }

  /// Apart from parameters of the same name while the chart is solved.
  Expr velocity_symbol(std::size_t i) const {
    return pool_.symbol("velocity__" + std::to_string(i), SymbolKind::auxiliary);
  }

  /// w as a function of e and e' on any ray: e^-1 is the conjugate divided by |e|^2.
  void replace_velocities() {
    for (std::size_t r = 0; r < system_.rotations.size(); ++r) {
      const Rotation& rotation = system_.rotations[r];
      const auto& e = rotation.quaternion;
      const std::size_t first = result_.positions.size() - 4 * (system_.rotations.size() - r);
      const Expr* f = result_.rates.data() + first;
      const Expr square = pow(e[0], 2) + pow(e[1], 2) + pow(e[2], 2) + pow(e[3], 2);
      const Rational turn(rotation.axes == Axes::body ? -1 : 1);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = 1 + k, j = 1 + (k + 1) % 3, l = 1 + (k + 2) % 3;
        const Expr vector = e[0] * f[i] - f[0] * e[i] + turn * (e[j] * f[l] - e[l] * f[j]);
        on_rays_.emplace(system_.directions[rotation.first_direction + k].velocity,
                         Rational(2) * vector / square);
      }
      for (Expr part : e) on_rays_.emplace(part, part * pow(square, Rational(-1, 2)));
    }
  }

  /// An expression of the model in (q, q', t).
  Expr on_positions(Expr e) const { return substitute(substitute(e, from_chart_), on_rays_); }

  void add_dynamics() {
    const Expr lagrangian = on_positions(system_.kinetic - system_.potential);
    result_.momenta = gradient(lagrangian, result_.rates);
    result_.forces = gradient(lagrangian, result_.positions);
    for (std::size_t i = 0; i < system_.directions.size(); ++i) {
      if (system_.forces.empty() || system_.forces[i].is_zero()) continue;
      const Expr force = on_positions(system_.forces[i]);
      const std::vector<Expr> work = gradient(on_positions(system_.directions[i].velocity), result_.rates);
      for (std::size_t k = 0; k < work.size(); ++k) result_.forces[k] += force * work[k];
    }
  }

  void add_constraints() {
    for (const Constraint& constraint : system_.constraints) {
      if (!is_ideal(constraint)) {
        refuse("the constraint `" + constraint.name + "` is not ideal: its force has a direction of its own",
               another_method);
      }
      if (constraint.holonomic) {
        result_.levels.push_back(constraint.relation);
        continue;
      }
      const Expr relation = on_positions(constraint.relation);
      if (!are_free_of(gradient(relation, result_.rates), result_.rates)) {
        refuse("the constraint `" + constraint.name + "` is not linear in the velocities", another_method);
      }
      result_.relations.push_back(relation);
    }
    for (const Rotation& rotation : system_.rotations) {
      const auto& e = rotation.quaternion;
      result_.levels.push_back(Rational(1, 2) * (pow(e[0], 2) + pow(e[1], 2) + pow(e[2], 2) + pow(e[3], 2)) -
                               Rational(1, 2));
    }
    for (Expr level : result_.levels) {
      const std::vector<Expr> by_position = gradient(level, result_.positions);
      std::vector<Expr> terms{derivative(level, system_.time)};
      for (std::size_t k = 0; k < by_position.size(); ++k) terms.push_back(by_position[k] * result_.rates[k]);
      result_.level_rates.push_back(pool_.add(terms));
    }
  }

  /// The direction is da/dv: as it stands, or a given power that says the same.
  bool is_ideal(const Constraint& constraint) const {
    if (constraint.power_kind == PowerKind::ideal) return true;
    std::vector<Expr> velocities;
    for (const Direction& direction : system_.directions) velocities.push_back(direction.velocity);
    std::vector<Expr> direction = constraint.direction;
    if (constraint.power_kind != PowerKind::along) {
      const auto found = power_gradient(substitute(constraint.power, from_chart_), velocities);
      if (!found) return false;
      direction = *found;
    }
    const Expr relation =
        constraint.holonomic ? time_derivative(system_, constraint.relation) : constraint.relation;
    const std::vector<Expr> ideal = gradient(substitute(relation, from_chart_), velocities);
    for (std::size_t i = 0; i < velocities.size(); ++i) {
      if (!algebra_.are_equal(ideal[i], substitute(direction[i], from_chart_)).holds()) return false;
    }
    return true;
  }

  void add_state() {
    for (Expr u : result_.velocity_parameters) result_.parameter_values.push_back(on_positions(u));
    Substitution in_chart;
    for (std::size_t i = 0; !system_.chart.parameters.empty() && i < system_.directions.size(); ++i)
      in_chart.emplace(system_.directions[i].velocity, system_.chart.velocities[i]);
    for (const Direction& direction : system_.directions) {
      if (!direction.rotation) result_.position_rates.push_back(substitute(direction.velocity, in_chart));
    }
    for (const Rotation& rotation : system_.rotations) {
      const std::array<Expr, 4> rates = quaternion_rates(system_, rotation);
      for (Expr rate : rates) result_.position_rates.push_back(substitute(rate, in_chart));
    }
  }

  bool are_free_of(const std::vector<Expr>& es, const std::vector<Expr>& symbols) const {
    return std::all_of(es.begin(), es.end(), [&](Expr e) {
      return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
        return !depends_on(e, symbol) || algebra_.is_zero(derivative(e, symbol)).holds();
      });
    });
  }

  Algebra& algebra_;
  const System& system_;
  Pool& pool_;
  Substitution from_chart_;  ///< velocity parameters in the velocities
  Substitution on_rays_;     ///< rates of rotations in (e, e'), quaternions at length one
  VariationalEquations result_;
};

}  // namespace

VariationalEquations variational_equations(Algebra& algebra, const System& system) {
  return Equations(algebra, system).make();
}

}  // namespace liaison
