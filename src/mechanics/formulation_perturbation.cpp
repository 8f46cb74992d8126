#include <algorithm>

#include "contract.hpp"
#include "extended_motion.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// q, p and their deviations xi, eta from one function, the variation of H.
class Coupled {
 public:
  Coupled(Algebra& algebra, const Motion& motion, const System* whole)
      : algebra_(algebra),
        motion_(motion),
        whole_(whole),
        system_(*motion.space.system),
        pool_(*system_.pool) {
    for (const Direction& direction : system_.directions) {
      const std::string& name = direction.coordinate.symbol().name;
      q_.push_back(direction.coordinate);
      v_.push_back(direction.velocity);
      p_.push_back(symbol_for_reading(system_, "p_" + name));
      xi_.push_back(symbol_for_reading(system_, "xi_" + name));
      eta_.push_back(symbol_for_reading(system_, "eta_" + name));
      rate_.push_back(acceleration_symbol(xi_.back()));  // xi'
    }
  }

  FormulationResult run() {
    const std::size_t n = q_.size();
    const std::vector<Expr> momenta = gradient(system_.kinetic, v_);
    std::vector<Expr> rows;
    for (std::size_t i = 0; i < n; ++i) rows.push_back(momenta[i] - p_[i]);
    const auto inverse = solve_rows(algebra_, rows, v_, n);
    if (!inverse)
      return not_applicable(Formulation::perturbation, "the momenta do not determine the velocities");
    for (std::size_t i = 0; i < n; ++i) into_.emplace(v_[i], (*inverse)[i]);
    const Expr H =
        algebra_.readable(substitute(contract(pool_, p_, v_) - system_.kinetic + system_.potential, into_));
    const std::vector<Expr> by_q = gradient(H, q_), by_p = gradient(H, p_);
    const Expr both = contract(pool_, by_q, xi_) + contract(pool_, by_p, eta_);
    FormulationResult result;
    result.formulation = Formulation::perturbation;
    place_rates_ = gradient(both, eta_);
    xi_rates_ = gradient(both, p_);
    const std::vector<Expr> down = gradient(both, xi_), eta_down = gradient(both, q_);
    for (std::size_t i = 0; i < n; ++i) {
      const Expr force = substitute(system_.forces[i], into_);
      momentum_rates_.push_back(force - down[i]);
      eta_rates_.push_back(contract(pool_, gradient(force, q_), xi_) +
                           contract(pool_, gradient(force, p_), eta_) - eta_down[i]);
    }
    // out of the momenta: p = dT/dv, eta = dp/dq xi + dp/dv xi'
    for (std::size_t i = 0; i < n; ++i) {
      back_.emplace(p_[i], momenta[i]);
      back_.emplace(eta_[i], contract(pool_, gradient(momenta[i], q_), xi_) +
                                 contract(pool_, gradient(momenta[i], v_), rate_));
    }
    for (std::size_t i = 0; i < n; ++i) result.equations.emplace_back(v_[i], place_rates_[i]);
    for (std::size_t i = 0; i < n; ++i)
      result.equations.emplace_back(acceleration_symbol(p_[i]), momentum_rates_[i]);
    for (std::size_t i = 0; i < n; ++i) result.equations.emplace_back(rate_[i], xi_rates_[i]);
    for (std::size_t i = 0; i < n; ++i)
      result.equations.emplace_back(acceleration_symbol(eta_[i]), eta_rates_[i]);
    // with p = dT/dv and eta its deviation: xi' is that of v, and eta' that of p' = dT/dq - dV/dq + Q
    const std::vector<Expr> slopes = gradient(system_.kinetic - system_.potential, q_);
    std::vector<Expr> second;
    for (std::size_t i = 0; i < n; ++i) {
      result.acceleration.push_back(algebra_.readable(algebra_.canonical(rate_of(place_rates_[i])).value));
      result.statements.emplace_back(substitute(xi_rates_[i], back_), rate_[i]);
      result.statements.emplace_back(substitute(eta_rates_[i], back_),
                                     deviation(slopes[i] + system_.forces[i]));
      if (whole_ != nullptr) second.push_back(rate_of(xi_rates_[i]));
    }
    if (whole_ != nullptr) add_drives(second, result);
    result.applicable = true;
    return result;
  }

 private:
  /// By these equations, out of the momenta.
  Expr rate_of(Expr e) const {
    const Expr terms[] = {derivative(e, system_.time), contract(pool_, gradient(e, q_), place_rates_),
                          contract(pool_, gradient(e, p_), momentum_rates_),
                          contract(pool_, gradient(e, xi_), xi_rates_),
                          contract(pool_, gradient(e, eta_), eta_rates_)};
    return substitute(pool_.add(terms), back_);
  }

  /// Of a function of the state.
  Expr deviation(Expr e) const {
    return contract(pool_, gradient(e, q_), xi_) + contract(pool_, gradient(e, v_), rate_);
  }

  /// A drive does not deviate; its force does, by the accelerations too (row V10.perturbation-limits).
  void add_drives(const std::vector<Expr>& second, FormulationResult& result) const {
    const ExtendedMotion extended = extend_motion(algebra_, motion_, *whole_);
    const std::vector<Expr> accelerations = acceleration_symbols(motion_.space);
    Substitution values;
    for (std::size_t i = 0; i < accelerations.size(); ++i) {
      values.emplace(accelerations[i], motion_.acceleration[i]);
    }
    const std::vector<Expr> lagrange = lagrange_rows(algebra_, extended.motion.space);
    const std::vector<Expr> rows = drive_rows(extended);
    for (std::size_t k = 0; k < extended.m; ++k) {
      const Expr row = extended.inserted(lagrange[extended.n + k]);
      std::vector<Expr> by_acceleration, after;
      for (std::size_t i = 0; i < accelerations.size(); ++i) {
        after.push_back(acceleration_symbol(rate_[i]));
        by_acceleration.push_back(derivative(row, accelerations[i]));
      }
      const Expr change = deviation(row) + contract(pool_, by_acceleration, after);
      result.equations.emplace_back(symbol_for_reading(system_, "delta_R_" + system_.rheonomic[k].name),
                                    algebra_.readable(change));
      Substitution solved;
      for (std::size_t i = 0; i < after.size(); ++i) solved.emplace(after[i], second[i]);
      result.statements.emplace_back(substitute(substitute(change, solved), values),
                                     deviation(substitute(rows[k], values)));
      result.drive_forces.push_back(algebra_.readable(substitute(row, values)));
    }
  }

  Algebra& algebra_;
  const Motion& motion_;
  const System* whole_;
  const System& system_;
  Pool& pool_;
  std::vector<Expr> q_, v_, p_, xi_, eta_, rate_;
  std::vector<Expr> place_rates_, momentum_rates_, xi_rates_, eta_rates_;
  Substitution into_, back_;
};

}  // namespace

/// q' = dW/deta, p' = Q - dW/dxi, xi' = dW/dp, eta' = dQ - dW/dq with the variation W = dH/dq xi + dH/dp eta:
/// the equations of motion and of small deviations (row V10.perturbation). Drives stay as they are.
FormulationResult derive_perturbation(Algebra& algebra, const Motion& motion, const System* whole) {
  constexpr Formulation road = Formulation::perturbation;
  const System& system = *motion.space.system;
  if (!motion.constraints.empty())
    return not_applicable(road, "there are constraints: `simulate --sensitivity` follows deviations on them");
  if (!system.rotations.empty()) return not_applicable(road, "a rotation has no coordinates");
  if (!system.chart.parameters.empty()) return not_applicable(road, "the model has velocity parameters");
  if (const auto obstacle = obstacle_to_solving(motion)) return not_applicable(road, *obstacle);
  if (motion.acceleration.empty()) return not_applicable(road, motion.open_reason);
  return Coupled(algebra, motion, whole).run();
}

}  // namespace liaison
