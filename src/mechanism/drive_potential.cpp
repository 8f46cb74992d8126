#include "drive_potential.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "liaison/mechanics/drive_energy.hpp"
#include "liaison/mechanics/initial_state.hpp"
#include "liaison/mechanics/manifold.hpp"
#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/quantities.hpp"

namespace liaison {

namespace {

/// The powers of the drives at states, in doubles and without a closed form.
class PowersOfDrives {
 public:
  PowersOfDrives(MechanismParts& parts, const AssembledEquations& equations, const AskedDrives& asked,
                 const DoublePoint& values)
      : equations_(equations),
        evaluator_(equations, values, {Engine::interpreted}),
        powers_(parts.algebra(), equations, values, powers_of(asked), Engine::interpreted) {}

  std::optional<std::vector<double>> at(const DoublePoint& state) {
    const double t = state.at(equations_.system->time);
    const std::vector<double> y = evaluator_.pack(state);
    std::vector<double> rates(y.size()), result(powers_.size());
    if (!evaluator_.rates(t, y.data(), rates.data())) return {};
    const double* accelerations = rates.data() + evaluator_.position_count();
    if (!powers_.evaluate(t, y.data(), accelerations, evaluator_.factors(), result.data())) return {};
    return result;
  }

 private:
  static std::vector<Expr> powers_of(const AskedDrives& asked) {
    std::vector<Expr> result;
    for (const AskedDrive& drive : asked.drives) result.push_back(drive.power);
    return result;
  }

  const AssembledEquations& equations_;
  Evaluator evaluator_;
  Quantities powers_;
};

/// A state near to this one at another time, on the constraints.
std::optional<DoublePoint> another_state(const AssembledEquations& equations, const DoublePoint& values,
                                         double after, int trial) {
  const System& system = *equations.system;
  StateRequest request;
  request.use_start = false;
  request.project = true;
  request.given.emplace_back(system.time, values.at(system.time) + after);
  for (const Parameter& parameter : system.parameters)
    if (const auto value = values.find(parameter.symbol); value != values.end())
      request.parameters.emplace_back(parameter.symbol, value->second);
  double turn = std::numbers::sqrt2 * trial;
  const auto move = [&](Expr symbol) {
    turn += std::numbers::phi;
    request.given.emplace_back(symbol, values.at(symbol) + 0.3 * std::sin(turn));
  };
  for (const Direction& direction : system.directions) {
    if (!direction.coordinate.empty()) move(direction.coordinate);
    move(direction.velocity);
  }
  const CompletedState found = complete_state(equations, request);
  return found.ok() ? std::optional(found.values) : std::nullopt;
}

/// Whether a power is seen to differ between two states of the same time: then there is no P, and no closed
/// form is needed to know it.
bool powers_depend_on_state(MechanismParts& parts, const AssembledEquations& equations,
                            const AskedDrives& asked, const DoublePoint& values) {
  constexpr int trials = 3;
  constexpr double clearly = 1e-6;
  PowersOfDrives powers(parts, equations, asked, values);
  for (int trial = 0; trial < trials; ++trial) {
    const double after = trial * std::numbers::inv_sqrt3;  // at some times a power rests
    const auto one = another_state(equations, values, after, trial);
    const auto two = another_state(equations, values, after, trial + trials);
    const auto here = one ? powers.at(*one) : std::nullopt;
    const auto there = two ? powers.at(*two) : std::nullopt;
    if (!here || !there) continue;
    for (std::size_t k = 0; k < here->size(); ++k) {
      const double a = (*here)[k], b = (*there)[k];
      if (std::abs(a - b) > clearly * std::max({1.0, std::abs(a), std::abs(b)})) return true;
    }
  }
  return false;
}

}  // namespace

Expr potential_of_drives(MechanismParts& parts, const AssembledEquations& equations, const AskedDrives& asked,
                         const DoublePoint& values) {
  constexpr std::size_t most_directions = 6;
  constexpr std::uint64_t operations =
      200'000'000;  // a run does not wait longer for one more law of its energy
  const System& system = parts.system();
  if (asked.drives.empty() || !asked.has_law || system.directions.size() > most_directions) return {};
  try {
    if (powers_depend_on_state(parts, equations, asked, values)) return {};
    const BudgetScope budget(parts.algebra(), operations);
    const Motion motion =
        derive_motion(parts.algebra(), system);  // not the run's: its steps stay as they are
    const DriveEnergy energy =
        drive_energy(parts.algebra(), motion, solve_manifold(parts.algebra(), motion), asked);
    if (energy.potential.empty() || budget.is_exhausted()) return {};
    DoublePoint point = values;
    point.emplace(system.time, 0.0);
    const Expr one[] = {energy.potential};
    const DoubleValues found = evaluate(one, point);
    return found.status == EvaluationStatus::ok ? energy.potential : Expr();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    return {};
  }
}

}  // namespace liaison
