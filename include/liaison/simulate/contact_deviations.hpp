#ifndef LIAISON_SIMULATE_CONTACT_DEVIATIONS_HPP
#define LIAISON_SIMULATE_CONTACT_DEVIATIONS_HPP

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/simulate/perturbation.hpp"

namespace liaison {

/// What deviations need of unilateral constraints: the system that each set of closed contacts is, and
/// impacts with their derivatives. Impacts and releases stand among the events of a motion, behind those of
/// the model.
class ContactDeviations {
 public:
  /// The algebra outlives it. Throws Error where a contact has friction, is a relation between velocities, or
  /// has a force that is not along its normal: no rule of deviations is built for these.
  ContactDeviations(Algebra& algebra, const System& system, const DoublePoint& values,
                    std::vector<Expr> varied);
  ~ContactDeviations();

  using Closed = std::set<std::size_t>;  ///< contacts that press
  struct Mode {
    System system;  ///< its events: those of the model, then four a contact
    AssembledEquations equations;
    std::unique_ptr<Evaluator> evaluator;
    std::unique_ptr<PerturbationEquations> perturbation;
    std::vector<Expr> gaps;  ///< of all contacts
  };
  Mode& at(const Closed& closed);
  Mode& open() { return at({}); }

  enum class Kind {
    held,     ///< closed when the run begins
    bounces,  ///< an impact, and it is open again
    stays,    ///< an impact, and it is closed
    opens,    ///< its force comes to zero
  };
  struct Change {
    Kind kind = Kind::held;
    std::size_t contact = 0;
  };
  /// What an event of a mode is; nothing for an event of the model.
  std::optional<Change> change_of(std::size_t event) const;
  std::size_t event_of(const Change& change) const;
  const std::string& name(std::size_t contact) const;

  /// The events of a motion, from a plain run of it; nothing, and `why`, where deviations have no rule:
  /// several contacts at once, and impacts that accumulate.
  std::optional<std::vector<EventRecord>> events_of(const SimulationResult& run, double begin,
                                                    std::string& why) const;

  /// An impact of one contact while others are closed, by Newton's law, which is that of Poisson and of the
  /// energy for one contact without friction: M du = I_h l^h with a^h(u + du) = 0 for what is kept and
  /// a^c(u + du) = -e a^c(u).
  struct Impact {
    std::vector<double> change;       ///< of u
    std::vector<double> derivatives;  ///< of that by y, parameters and the time, row after row
    double restitution = 0;
    std::string failure;
  };
  /// `sides`: of arguments of abs, sign, min and max that are zero there; others have those of the state.
  Impact impact(const Closed& closed, std::size_t contact, const DoublePoint& values, double t,
                const std::vector<double>& y, const std::unordered_map<Expr, int>& sides = {});
  /// What an impact is computed from; empty where it has no rule.
  const std::vector<Expr>& impact_expressions(const Closed& closed, std::size_t contact);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace liaison

#endif  // LIAISON_SIMULATE_CONTACT_DEVIATIONS_HPP
