#include <fmt/format.h>

#include <algorithm>

#include "contract.hpp"
#include "extended_motion.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// Particles whose places are the coordinates, one by one: the mass of each direction. Empty: they are not.
std::vector<Expr> masses_of_coordinates(const System& system) {
  std::vector<Expr> masses(system.directions.size());
  for (const Particle& particle : system.particles) {
    for (Expr component : particle.position) {
      if (component.is_zero()) continue;  // a component that nothing moves
      const auto found = std::find_if(system.directions.begin(), system.directions.end(),
                                      [&](const Direction& one) { return one.coordinate == component; });
      if (found == system.directions.end()) return {};
      Expr& mass = masses[static_cast<std::size_t>(found - system.directions.begin())];
      if (!mass.empty()) return {};
      mass = particle.mass;
    }
  }
  const bool all = std::none_of(masses.begin(), masses.end(), [](Expr mass) { return mass.empty(); });
  return all ? masses : std::vector<Expr>{};
}

std::optional<std::string> why_not(const System& system) {
  if (system.constraints.empty()) return "the system has no constraints";
  if (!system.chart.parameters.empty()) return "the model has velocity parameters";
  if (!system.bodies.empty() || !system.rotations.empty()) return "a body is no particle";
  if (!system.reactions.empty()) return "there are reactions without a relation";
  for (const Constraint& constraint : system.constraints) {
    if (!constraint.holonomic) return fmt::format("`{}` is no surface: it holds velocities", constraint.name);
    if (constraint.power_kind != PowerKind::ideal) return fmt::format("`{}` is not ideal", constraint.name);
  }
  if (masses_of_coordinates(system).empty())
    return "the coordinates are not the places of the particles, one by one";
  return std::nullopt;
}

class Surfaces {
 public:
  Surfaces(Algebra& algebra, const Motion& motion, const System* whole)
      : algebra_(algebra),
        motion_(motion),
        whole_(whole),
        system_(*motion.space.system),
        masses_(masses_of_coordinates(system_)),
        forces_(applied_forces(motion.space)) {
    for (const Direction& direction : system_.directions) places_.push_back(direction.coordinate);
    for (const Constraint& constraint : system_.constraints)
      gradients_.push_back(gradient(constraint.relation, places_));
  }

  FormulationResult run() {
    FormulationResult result;
    result.formulation = Formulation::reactions;
    const std::vector<Expr> accelerations = acceleration_symbols(motion_.space);
    const std::vector<Expr> factors = factor_symbols(motion_);
    for (std::size_t i = 0; i < masses_.size(); ++i) {
      std::vector<Expr> push{forces_[i]};
      for (std::size_t h = 0; h < factors.size(); ++h) push.push_back(factors[h] * gradients_[h][i]);
      result.equations.emplace_back(masses_[i] * accelerations[i], system_.pool->add(push));
    }
    std::vector<Expr> rows;
    for (std::size_t h = 0; h < factors.size(); ++h) {
      result.equations.emplace_back(second_rate(system_.constraints[h].relation), system_.pool->number(0));
      rows.push_back(condition(h, result.equations));
    }
    const auto solved = solve_rows(algebra_, rows, factors, 0);
    if (!solved) {
      result.reason = "no factors satisfy the relations";
      return result;
    }
    Substitution known;
    for (std::size_t h = 0; h < factors.size(); ++h) {
      known.emplace(factors[h], (*solved)[h]);
      result.factors.push_back(algebra_.readable((*solved)[h]));
    }
    for (std::size_t i = 0; i < masses_.size(); ++i)
      result.acceleration.push_back(
          algebra_.readable(substitute(result.equations[i].second / masses_[i], known)));
    add_normal_components(result);
    if (whole_ != nullptr) add_drives(known, result);
    result.applicable = true;
    return result;
  }

 private:
  Expr second_rate(Expr level) const { return time_derivative(system_, time_derivative(system_, level)); }

  /// G lambda = -(f_ij v v + 2 f_i0 v q0' + ...) - sum f_i F_i/m_i: f'' with the accelerations put in.
  Expr condition(std::size_t h, const std::vector<std::pair<Expr, Expr>>& equations) const {
    Substitution by_forces;
    const std::vector<Expr> accelerations = acceleration_symbols(motion_.space);
    for (std::size_t i = 0; i < masses_.size(); ++i)
      by_forces.emplace(accelerations[i], equations[i].second / masses_[i]);
    return substitute(second_rate(system_.constraints[h].relation), by_forces);
  }

  /// N = lambda |grad f| on each particle that the surface touches; its square is that of the reaction there.
  void add_normal_components(FormulationResult& result) const {
    for (std::size_t h = 0; h < system_.constraints.size(); ++h) {
      std::vector<std::pair<std::string, Expr>> normals;
      for (const Particle& particle : system_.particles) {
        std::vector<Expr> slope;
        for (Expr component : particle.position)
          if (!component.is_zero()) slope.push_back(derivative(system_.constraints[h].relation, component));
        const Expr square = contract(*system_.pool, slope, slope);
        if (!square.is_zero()) normals.emplace_back(particle.name, sqrt(algebra_.readable(square)));
      }
      for (const auto& [particle, size] : normals)
        result.equations.emplace_back(
            symbol_for_reading(system_, "N_" + system_.constraints[h].name +
                                            (normals.size() > 1 ? "_" + particle : std::string())),
            motion_.constraints[h].factor * size);
    }
  }

  /// R_0 = dV/dq0 - Q_0 - sum lambda df/dq0 (rows V2.R0-definition, V2.normal-reaction): the places of the
  /// particles do not hold q0.
  void add_drives(const Substitution& known, FormulationResult& result) const {
    const System& whole = *whole_;
    const ExtendedMotion extended = extend_motion(algebra_, motion_, whole);
    for (std::size_t k = 0; k < extended.m; ++k) {
      const std::size_t i = extended.n + k;
      const Expr q0 = whole.directions[i].coordinate;
      std::vector<Expr> terms{derivative(whole.potential, q0), -whole.forces[i]};
      for (std::size_t h = 0; h < system_.constraints.size(); ++h)
        terms.push_back(-(whole.constraints[h].factor * derivative(whole.constraints[h].relation, q0)));
      const Expr force = extended.inserted(system_.pool->add(terms));
      result.equations.emplace_back(extended.forces[k], force);
      result.drive_forces.push_back(algebra_.readable(substitute(force, known)));
    }
  }

  Algebra& algebra_;
  const Motion& motion_;
  const System* whole_;
  const System& system_;
  std::vector<Expr> masses_, forces_, places_;
  std::vector<std::vector<Expr>> gradients_;
};

}  // namespace

/// Ideal reactions lambda grad f of surfaces at rest and moving, from m a = F + sum lambda grad f and f'' = 0
/// on the places of the particles, with their components along the normals (rows V6.multipliers,
/// V2.normal-reaction, V9.reactions-fixed). Neither momenta nor forms are used.
FormulationResult derive_reactions(Algebra& algebra, const Motion& motion, const System* whole) {
  constexpr Formulation road = Formulation::reactions;
  const System& system = *motion.space.system;
  if (const auto reason = why_not(system)) return not_applicable(road, *reason);
  if (const auto obstacle = obstacle_to_points(algebra, motion.space)) return not_applicable(road, *obstacle);
  if (const auto obstacle = obstacle_to_solving(motion)) return not_applicable(road, *obstacle);
  return Surfaces(algebra, motion, whole).run();
}

}  // namespace liaison
