#include "extended_motion.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// Hamilton's equations on coordinates and drives, with a momentum p_0 for each drive.
class ExtendedHamilton {
 public:
  ExtendedHamilton(Algebra& algebra, const Motion& motion, const System* whole)
      : algebra_(algebra),
        motion_(motion),
        extended_(extend_motion(algebra, motion, *whole)),
        space_(motion.space),
        system_(*motion.space.system) {}

  FormulationResult run() {
    const std::size_t n = space_.size(), m = system_.rheonomic.size();
    for (const Direction& direction : system_.directions) velocities_.push_back(direction.velocity);
    for (const Rheonomic& chosen : system_.rheonomic) {
      velocities_.push_back(chosen.velocity);
      const Expr rate = derivative(chosen.value, system_.time);
      law_.emplace(chosen.symbol, chosen.value);
      law_.emplace(chosen.velocity, rate);
      second_.push_back(derivative(rate, system_.time));
    }
    forces_ = extended_.forces;
    const std::vector<Expr> momenta = gradient(system_.kinetic_extended, velocities_);
    std::vector<Expr> rows;
    for (std::size_t a = 0; a < n + m; ++a) {
      p_.push_back(symbol_for_reading(
          system_, "p_" + (a < n ? named(system_.directions[a]) : system_.rheonomic[a - n].name)));
      out_.emplace(p_[a], momenta[a]);
      rows.push_back(momenta[a] - p_[a]);
    }
    const auto inverse = solve_rows(algebra_, rows, velocities_, n + m);
    if (!inverse)
      return not_applicable(Formulation::extended_hamilton,
                            "the tensor of inertia on the drives and the coordinates is singular: `extended` "
                            "needs no inverse of it");
    Substitution into;
    std::vector<Expr> energy{-system_.kinetic_extended};
    for (std::size_t a = 0; a < n + m; ++a) {
      into.emplace(velocities_[a], (*inverse)[a]);
      energy.push_back(p_[a] * velocities_[a]);
    }
    hamiltonian_ = algebra_.readable(substitute(space_.pool().add(energy), into));
    rates_of_place_ = gradient(hamiltonian_, p_);
    derive_momentum_rates();
    FormulationResult result;
    result.formulation = Formulation::extended_hamilton;
    for (std::size_t a = 0; a < n + m; ++a) result.equations.emplace_back(velocities_[a], rates_of_place_[a]);
    for (std::size_t a = 0; a < n + m; ++a)
      result.equations.emplace_back(acceleration_symbol(p_[a]), momentum_rates_[a]);
    solve(result);
    return result;
  }

 private:
  static std::string named(const Direction& direction) {
    return (direction.rotation ? direction.velocity : direction.coordinate).symbol().name;
  }

  /// p_i' = -dH/dq^i + Q_i + lambda l_i, p_0' = -dH/dq0 - dV/dq0 + Q_0 + lambda l_0 + R_0.
  void derive_momentum_rates() {
    const std::size_t n = space_.size();
    const std::vector<Expr> slopes = configuration_derivatives(system_, hamiltonian_);
    const std::vector<Expr> turning = turning_terms(
        system_, {rates_of_place_.begin(), rates_of_place_.begin() + static_cast<std::ptrdiff_t>(n)},
        {p_.begin(), p_.begin() + static_cast<std::ptrdiff_t>(n)});
    const std::vector<Expr> applied = applied_forces(space_), pushes = reactions(motion_);
    for (std::size_t i = 0; i < n; ++i)
      momentum_rates_.push_back(applied[i] + pushes[i] - slopes[i] - turning[i]);
    for (std::size_t k = 0; k < system_.rheonomic.size(); ++k) {
      const Expr q0 = system_.rheonomic[k].symbol;
      momentum_rates_.push_back(forces_[k] - derivative(hamiltonian_, q0) -
                                derivative(system_.potential_extended, q0) + applied_on_drive(k));
    }
  }

  /// Q_0 without the potential, and what the constraints push there.
  Expr applied_on_drive(std::size_t k) const {
    const std::size_t i = extended_.n + k;
    const Motion& whole = extended_.motion;
    std::vector<Expr> terms{whole.space.system->forces[i]};
    for (std::size_t h = 0; h < whole.constraints.size(); ++h) {
      const bool is_drive = h >= extended_.relation_count && h < extended_.relation_count + extended_.m;
      if (!is_drive) terms.push_back(whole.constraints[h].factor * whole.constraints[h].direction[i]);
    }
    return extended_.inserted(system_.pool->add(terms));
  }

  /// d/dt of dH/dp_a by these equations, in coordinates, velocities and the time.
  Expr acceleration(std::size_t a) const {
    const Expr e = rates_of_place_[a];
    const std::vector<Expr> by_q = configuration_derivatives(system_, e), by_p = gradient(e, p_);
    std::vector<Expr> terms{derivative(e, system_.time)};
    for (std::size_t i = 0; i < by_q.size(); ++i) terms.push_back(by_q[i] * velocities_[i]);
    for (std::size_t b = 0; b < p_.size(); ++b) terms.push_back(by_p[b] * momentum_rates_[b]);
    for (const Rheonomic& chosen : system_.rheonomic)
      terms.push_back(derivative(e, chosen.symbol) * chosen.velocity);
    return algebra_.canonical(substitute(substitute(system_.pool->add(terms), out_), law_)).value;
  }

  /// R_0 from q0'' as it is said, factors from the relations: both are what keeps a constraint (row
  /// V6.gallissot-map).
  void solve(FormulationResult& result) const {
    const std::size_t n = space_.size();
    std::vector<Expr> accelerations, rows, unknowns = forces_;
    for (std::size_t a = 0; a < velocities_.size(); ++a) accelerations.push_back(acceleration(a));
    for (std::size_t k = 0; k < second_.size(); ++k) rows.push_back(accelerations[n + k] - second_[k]);
    for (std::size_t k = 0; k < motion_.relation_count; ++k) {
      std::vector<Expr> terms{motion_.constraints[k].bias};
      for (std::size_t i = 0; i < n; ++i)
        terms.push_back(motion_.constraints[k].gradient[i] * accelerations[i]);
      rows.push_back(space_.pool().add(terms));
    }
    const std::vector<Expr> factors = factor_symbols(motion_);
    unknowns.insert(unknowns.end(), factors.begin(), factors.end());
    const auto solution = solve_rows(algebra_, rows, unknowns, forces_.size());
    if (!solution) {
      result.reason = "no forces of the drives and factors satisfy the relations";
      return;
    }
    Substitution known;
    for (std::size_t k = 0; k < unknowns.size(); ++k) known.emplace(unknowns[k], (*solution)[k]);
    for (std::size_t k = 0; k < forces_.size(); ++k)
      result.drive_forces.push_back(algebra_.readable((*solution)[k]));
    for (std::size_t h = 0; h < factors.size(); ++h)
      result.factors.push_back(algebra_.readable((*solution)[forces_.size() + h]));
    for (std::size_t i = 0; i < n; ++i)
      result.acceleration.push_back(algebra_.readable(substitute(accelerations[i], known)));
    result.applicable = true;
  }

  Algebra& algebra_;
  const Motion& motion_;
  const ExtendedMotion extended_;
  const StateSpace& space_;
  const System& system_;
  std::vector<Expr> velocities_, second_, forces_, p_, rates_of_place_, momentum_rates_;
  Expr hamiltonian_;
  Substitution law_, out_;
};

}  // namespace

/// Rows V10.hamilton, V10.legendre, V3.momenta.
FormulationResult derive_extended_hamilton(Algebra& algebra, const Motion& motion, const System* whole) {
  const System& system = *motion.space.system;
  if (whole == nullptr)
    return not_applicable(Formulation::extended_hamilton, "the system has no rheonomic coordinate");
  if (!system.chart.parameters.empty())
    return not_applicable(Formulation::extended_hamilton, "the model has velocity parameters");
  if (const auto obstacle = obstacle_to_solving(motion))
    return not_applicable(Formulation::extended_hamilton, *obstacle);
  return ExtendedHamilton(algebra, motion, whole).run();
}

}  // namespace liaison
