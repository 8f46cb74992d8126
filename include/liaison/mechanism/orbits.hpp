#ifndef LIAISON_MECHANISM_ORBITS_HPP
#define LIAISON_MECHANISM_ORBITS_HPP

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "liaison/mechanism/prepared_run.hpp"
#include "liaison/simulate/branch.hpp"
#include "liaison/simulate/contact_deviations.hpp"
#include "liaison/simulate/drive_period.hpp"

namespace liaison {

/// Where a periodic motion is looked for, in the words of the command.
struct OrbitOptions {
  std::optional<std::string> period;  ///< "2*pi/w"; else that of the drive, or found from the start
  std::string turns;                  ///< "phi = 2*pi": what is larger after a period
  std::string hold;                   ///< "x, y": values of the start that stay
  double tolerance = 1e-12;
  std::function<bool()> interrupted = {};
};

struct OrbitAnswer {
  PeriodicOrbit orbit;
  std::vector<std::string> state_names;
  std::string period_from;               ///< "given", "the drive", "the start"
  std::vector<std::string> chosen = {};  ///< where the start was completed
};

/// Over which parameter a branch is followed: "w = 4 .. 9".
struct FollowedParameter {
  Expr symbol;
  double from = 0, to = 0;  ///< in SI units
  std::string unit = {};    ///< in which it was asked: "rpm"; empty: in SI units
  double scale = 1;         ///< of that unit
};
/// Throws Refused.
FollowedParameter read_followed(const System& system, const std::string& text, const Assignments& parameters);

struct BranchAnswer {
  Branches branches;
  std::vector<std::string> state_names;
  std::vector<std::string> chosen = {};  ///< where the start was completed
};

/// Everything that a search for periodic motions needs, made from a model and a start near one. Throws
/// Refused.
class OrbitSearch {
 public:
  OrbitSearch(MechanismParts& parts, const Assignments& parameters, const Assignments& start, bool project,
              double tolerance, std::vector<Expr> varied = {});
  OrbitAnswer find(const OrbitOptions& options);
  /// Periodic motions, or places of rest, over the parameter that may vary.
  BranchAnswer follow(const OrbitOptions& options, const FollowedParameter& over, bool rest);
  LyapunovExponents lyapunov(std::size_t count, double until, double tolerance,
                             const std::function<bool()>& interrupted);

  MechanismParts& parts() { return parts_; }
  PreparedRun& run() { return run_; }
  PerturbationEquations& perturbation() { return perturbation_; }
  /// The request that `find` makes of the options, and where its period is from.
  OrbitRequest request_of(const OrbitOptions& options, std::string& period_from);
  /// Conserved along the motion; empty where it is not known to be.
  Expr energy();

 private:
  PeriodicOrbit search(const OrbitRequest& request);
  double given_period(const std::string& text, const DoublePoint& values);
  std::vector<bool> held_of(const OrbitOptions& options);
  void require_rest_possible();
  DrivePeriod& drive_period();
  EventSource events(bool from_closed);
  /// The plain run has these parameters from now on; false, and why.
  bool take_parameters(const DoublePoint& values, std::string& why);
  /// Of the motion with all contacts open.
  const AssembledEquations& equations() const;
  Evaluator& evaluator();

  MechanismParts& parts_;
  Assignments parameters_;
  PreparedRun run_;
  std::unique_ptr<ContactDeviations> contacts_;  ///< null where there are none
  PerturbationEquations perturbation_;
  std::optional<DrivePeriod> drive_period_;
};

}  // namespace liaison

#endif  // LIAISON_MECHANISM_ORBITS_HPP
