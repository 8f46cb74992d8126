#ifndef LIAISON_LIAISON_HPP
#define LIAISON_LIAISON_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "liaison/mechanism/message.hpp"

/// A model and what can be asked of it, by the names of the commands. Names are the model's own; numbers are
/// in SI units. Nothing is printed, nothing of the libraries below is seen.
namespace liaison {

class MechanismParts;

/// Values for names of a model. A text is read as on the command line: exact, with the unit behind a number
/// or that of its declaration. A double is in SI units, and as exact as it is.
class Values {
 public:
  Values() = default;
  Values(std::string text) : text_(std::move(text)) {}  // NOLINT: "m = 2 [kg], l = 30 [cm]"
  Values(const char* text) : text_(text) {}             // NOLINT
  Values& set(std::string name, double value) {
    numbers_.emplace_back(std::move(name), value);
    return *this;
  }
  const std::string& text() const { return text_; }
  const std::vector<std::pair<std::string, double>>& numbers() const { return numbers_; }

 private:
  std::string text_;
  std::vector<std::pair<std::string, double>> numbers_;
};

/// Numbers by name, in the order of the model.
class Numbers {
 public:
  void add(std::string name, double value) { all_.emplace_back(std::move(name), value); }
  /// Throws std::out_of_range with the names that there are.
  double operator[](const std::string& name) const;
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::pair<std::string, double>> all_;
};

struct ParameterValue {
  std::string name;
  std::string exact;  ///< in SI units, "3/10", "pi/6"; empty: the model gives it no value
  double value = 0;
  std::string unit;  ///< of the declaration; may be empty
};
using ParameterValues = std::vector<ParameterValue>;

struct DeriveRequest {
  std::string formulation = {};  ///< further roads: "lagrange", "all", ...
  std::string format = "text";   ///< "text", "latex", "html" or "json"
};
struct Derivation {
  struct Road {
    std::string name;
    bool applicable = false;
    bool agrees = false;
    std::string how;  ///< it is known that it agrees, or why it cannot be gone
  };
  std::string text;
  std::vector<Road> roads;
};

struct AnalyzeRequest {
  /// "constraints", "vakonomic", "symmetries", "integrals", "measure", "integrability", "equilibria"; none:
  /// all
  std::vector<std::string> only = {};
  unsigned degree = 2;  ///< of first integrals in the velocities
  std::uint64_t budget = 1'000'000'000;
  std::string format = "text";  ///< of the page: "text", "latex", "html" or "json"
};
struct AnalyzedSystem {
  struct Integral {
    std::string expression;
    std::string how;          ///< it is known that motions keep it
    bool for_values = false;  ///< for the values of the parameters that the model gives
  };
  std::string text;  ///< the whole page
  std::size_t degrees_of_freedom = 0;
  std::vector<std::size_t> growth_vector;
  std::vector<std::string> symmetries;  ///< fields on the states
  std::vector<Integral> first_integrals;
};

struct EvaluateRequest {
  Values at = {}, parameters = {};
  bool project = false;  ///< move the state onto the constraints, least in the mass metric
};
struct Evaluation {
  struct PossibleMotion {
    Numbers acceleration, multiplier;
  };
  Numbers state, parameters;
  std::vector<std::string> chosen;      ///< where the state was completed and there was a choice
  std::vector<PossibleMotion> motions;  ///< several, or none, where the factors are not determined
  double kinetic = 0, potential = 0;
  std::vector<std::vector<double>> r;
  Numbers drive, residual;
  bool compatible = true;
  std::string kind;  ///< "regular", "redundant", "contradictory", "undetermined"
};

struct CheckedClaim {
  std::string name, text;
  std::size_t line = 0;
  std::string status;  ///< "proved", "checked", "refuted", "unknown", "empty"
  bool passed = false;
  std::string how;  ///< it is known, with the witness of a refutation
};
struct CheckRequest {
  std::uint64_t budget = 600'000'000;                   ///< operations for each claim
  std::function<void(const CheckedClaim&)> claim = {};  ///< each as soon as it is decided
};

struct SimulateRequest {
  Values parameters = {}, start = {};
  double until = 1;
  double every = 0;  ///< rows at this distance in time; 0: at each step
  double tolerance = 1e-9;
  double step = 0;      ///< a constant step instead of a tolerance
  double max_step = 0;  ///< no step is longer; 0: no bound
  std::string integrator = "dop853";
  bool project = false;  ///< move the start onto the constraints
  std::size_t max_steps = 1'000'000'000;
  std::function<bool(const std::vector<double>&)> row =
      {};  ///< each as soon as it is known; false ends the run
};
struct Trajectory {
  struct Event {
    double t = 0;
    std::string name;
    bool touches = false;  ///< its function came to zero and kept its sign: nothing else was done
  };
  struct Impact {
    double t = 0;
    Numbers impulses;   ///< by contact
    double energy = 0;  ///< by how much it changed: work - loss
    double work = 0;    ///< of what moves walls and constraints
    double loss = 0;    ///< that the law of impact takes
  };
  struct ContactMode {
    std::string name;
    double begin = 0, end = 0;
    std::string mode;  ///< "open", "touches", "closed", "sticks", "rolls", "slips"
  };
  /// "finished", "event", "singular", "step_limit", "interrupted"; of contacts also "several" and
  /// "impossible": they allow more than one motion from there on, or none.
  std::string outcome;
  std::string message;
  std::vector<std::string> chosen;  ///< where the start was completed and there was a choice
  std::vector<std::string> notes;   ///< what a reader of the numbers should know
  double t = 0;
  std::size_t steps = 0;
  std::vector<std::string> columns;  ///< t, coordinates, velocities, quaternions, factors, T, V, outputs
  std::vector<std::vector<double>> rows;
  Numbers final_state;
  std::vector<Event> events;
  std::vector<Impact> impacts;                         ///< of unilateral constraints
  std::vector<ContactMode> contacts;                   ///< what they did, one after the other
  std::vector<std::string> possible;                   ///< of "several": each motion in words
  std::vector<std::pair<double, std::string>> passed;  ///< singular configurations: when, and what they are
  std::vector<std::string> undetermined;  ///< factors that are not: the rows show their least sum of squares
  std::vector<std::string> determined;    ///< combinations of these that are: "lambda(a) + 2*lambda(b)"
  Numbers kept;     ///< digits to which energy, integrals and constraints were kept, of those that should be
                    ///< and that no reset or impact changed
  Numbers changed;  ///< the sum of what resets and impacts took from such a one or gave to it
  /// A column by its name; throws std::out_of_range.
  std::vector<double> operator[](const std::string& column) const;
};

/// Owns a model with everything that was made from it: derived once, when it is first needed. Threads that
/// ask one mechanism wait for each other; two mechanisms have nothing in common. A stop token ends each call
/// soon, also one that waits for another thread, which then has no result; what it cut short is not kept.
class Mechanism {
 public:
  static Answer<Mechanism> from_file(const std::string& path);
  /// `name` is the place in messages.
  static Answer<Mechanism> from_text(std::string text, std::string name = "model");
  Mechanism(Mechanism&&) noexcept;
  Mechanism& operator=(Mechanism&&) noexcept;
  ~Mechanism();

  const std::string& name() const;  ///< of the system; may be empty
  /// The parameters of the model with other values for some.
  Answer<ParameterValues> parameters(const Values& values = {}) const;

  /// Status::does_not_hold where a road does not agree.
  Answer<Derivation> derive(const DeriveRequest& request = {}, std::stop_token stop = {});
  /// What the system is; with Status::interrupted what was found before.
  Answer<AnalyzedSystem> analyze(const AnalyzeRequest& request = {}, std::stop_token stop = {});
  /// Numbers at a state; Status::numerical_failure, and numbers, where it has no motion.
  Answer<Evaluation> evaluate(const EvaluateRequest& request = {}, std::stop_token stop = {});
  /// Status::does_not_hold where a claim does not pass; with Status::interrupted those decided before.
  Answer<std::vector<CheckedClaim>> check(const CheckRequest& request = {}, std::stop_token stop = {});
  /// Status::numerical_failure, and the motion up to there, where it meets a singular state.
  Answer<Trajectory> simulate(const SimulateRequest& request, std::stop_token stop = {});

  /// The same run once for each of these values of parameters, beside those of the request; `request.row` is
  /// called for the rows of all of them. The equations are compiled once, with the parameters as inputs; with
  /// unilateral constraints for each run. Values that are refused have a trajectory with the outcome
  /// "refused" and no rows in their place, and a message whose place begins with theirs, as `parameters[2]`;
  /// the other runs are as they are without them. Where all are refused there is no result.
  Answer<std::vector<Trajectory>> sweep(const SimulateRequest& request, const std::vector<Values>& parameters,
                                        std::stop_token stop = {});

  /// What it owns, for work with expressions: liaison/mechanism/parts.hpp.
  MechanismParts& parts() { return owned(); }

 private:
  /// Throws std::logic_error where it was moved from.
  MechanismParts& owned() const;
  explicit Mechanism(std::unique_ptr<MechanismParts> parts);
  std::unique_ptr<MechanismParts> parts_;
};

}  // namespace liaison

#endif  // LIAISON_LIAISON_HPP
