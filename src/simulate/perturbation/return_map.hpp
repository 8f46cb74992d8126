#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "liaison/simulate/periodic_orbit.hpp"
#include "orbit_sizes.hpp"

namespace liaison {

/// The state after a period as a function of the state before it, of the period and of parameters, with its
/// derivatives at one state, on the deviations that the relations allow.
class ReturnMap {
 public:
  ReturnMap(const AssembledEquations& equations, Evaluator& evaluator, PerturbationEquations& perturbation,
            const OrbitRequest& request, Expr energy)
      : equations_(equations),
        evaluator_(evaluator),
        perturbation_(perturbation),
        request_(request),
        sizes_(request.y.size(), equations.positions.size(), !evaluator.has_relations()),
        energy_(energy) {}

  /// How far the entries of the state go in a period: what everything is measured by from then on. False
  /// where there is no motion; failure() says why.
  bool measure(const DoublePoint& values, const std::vector<double>& y, double period,
               const Tolerance& tolerance);
  /// Of each entry of a state beside the reach, that of the largest; and that itself.
  const Eigen::VectorXd& sizes() const { return sizes_.relative(); }
  double reach() const { return sizes_.reach(); }
  /// Of each entry beside its kind, positions or velocities: 1, or less where it is much smaller.
  const Eigen::VectorXd& own_sizes() const { return sizes_.own(); }
  /// True where an entry that has become much smaller than the others is measured by itself from now on.
  bool learns_sizes() { return sizes_.learn(); }
  /// How far it is from where it was within a part of a period, beside the sizes.
  double way() const { return way_; }
  /// The length of a change of the state beside how far the motion goes.
  double measured(const Eigen::VectorXd& change) const {
    return change.cwiseQuotient(sizes()).norm() / reach();
  }
  /// The same where entries that are much smaller than others count beside these.
  double measured_by_kind(const Eigen::VectorXd& change) const {
    return measured(change.cwiseProduct(own_sizes()));
  }
  /// The largest part that what is left open is of how far that entry of the state goes.
  double largest_part() const { return sizes_.largest_part(residual); }
  double rounding_part() const { return sizes_.rounding_part(); }
  std::vector<std::pair<std::size_t, double>> small_entries() const { return sizes_.small_entries(); }
  /// The part that errors of a deviation are of it.
  double doubt_of_derivatives() const {
    return std::max(tolerance_.relative, sizes_.rounding_of_deviations());
  }
  /// What is left open is not more than errors of the steps, beside the state itself, become in a period.
  bool is_within_steps() const;
  /// What is left open is not more than what rounding of the state does in a period.
  bool is_within_rounding() const;

  /// False where there is no motion; failure() says why.
  bool take(const DoublePoint& values, const std::vector<double>& y, double period,
            const Tolerance& tolerance);
  const std::string& failure() const { return failure_; }

  Eigen::VectorXd residual;        ///< y after the period, minus y and the turns
  Eigen::VectorXd flow;            ///< the rates at the end
  Eigen::MatrixXd basis, image;    ///< of admissible deviations; what they are after the period
  Eigen::MatrixXd of_parameters;   ///< deviations at the start that go with a change of each parameter
  Eigen::MatrixXd by_parameters;   ///< and what they are after the period
  std::vector<std::size_t> jumps;  ///< the events that reset it, contacts among them, one after the other

  /// What closes once by chance, at a period that is not the drive's, does not close twice: beside the size
  /// of the motion, a part of its reach. After take(); false with failure().
  bool closes_again(double period, const Tolerance& tolerance, double size, double& second_defect);
  /// Whether the motion comes back after a part of the period as well as after the whole. After take().
  bool closes_within(double part, const Tolerance& tolerance, double size);
  /// How near the motion from y comes to another state within a period; negative where there is none.
  double distance(const DoublePoint& values, const std::vector<double>& y, double period,
                  const std::vector<double>& other, const Tolerance& tolerance);

  /// Where the motion is after each of so many periods, less its turns; the start is the first. Fewer where
  /// it ends before.
  std::vector<std::vector<double>> returns(std::size_t periods, double period);

  /// Multipliers without those that are 1 for a reason: along the motion (a quotient), and across the levels
  /// of the energy (a subspace). In between the matrix has a block of Jordan, whose eigenvalues would have
  /// half of the digits.
  std::vector<Multiplier> multipliers();

 private:
  std::optional<Eigen::VectorXd> energy_slope() const;
  double growth() const;  ///< the most of a deviation, beside the sizes
  /// Nothing with failure().
  std::optional<std::vector<EventRecord>> events_of(const PerturbedState& begin, double time);
  /// After that time from the start of the period; nothing with failure().
  std::optional<PerturbedState> follow(const PerturbedState& begin, double time, const Tolerance& tolerance,
                                       const std::function<bool(const PerturbedState&)>& receive = {});
  /// Where one has its own size steps may fall to its rounding, and then none has.
  PerturbedRunResult run(const PerturbedState& begin, double time, double every, const Tolerance& tolerance,
                         const std::vector<EventRecord>& events,
                         const std::function<bool(const PerturbedState&)>& receive);

  const AssembledEquations& equations_;
  Evaluator& evaluator_;
  PerturbationEquations& perturbation_;
  const OrbitRequest& request_;
  OrbitSizes sizes_;
  double way_ = 0, measured_period_ = 1;
  std::size_t usual_steps_ = 0;  ///< of a period with one tolerance for all entries
  Expr energy_;
  DoublePoint values_;
  std::vector<double> y_;
  double period_ = 0;
  std::vector<std::size_t> jumps_;  ///< of the last run
  Tolerance tolerance_;
  std::string failure_;
};

/// Beside which an absolute tolerance is a thousandth of the relative one, as tolerance_for makes it.
inline double unit_of(const Tolerance& tolerance) {
  return tolerance.absolute / (1e-3 * tolerance.relative);
}

/// That of states: numbers near 1 have the unit 1, and a start of nanometres its own.
inline double unit_of_state(const Tolerance& tolerance) {
  return unit_of(tolerance) < 1e-2 ? unit_of(tolerance) : 1.0;
}

/// Eigenvalues with what an error of `relative` of the matrix may do to each: by the angle between its
/// eigenvectors from the left and from the right, which vanishes where there is a block of Jordan.
std::vector<Multiplier> eigenvalues_of(const Eigen::MatrixXd& matrix, double relative);

}  // namespace liaison
