#ifndef LIAISON_SIMULATE_INTEGRATOR_HPP
#define LIAISON_SIMULATE_INTEGRATOR_HPP

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace liaison {

/// y' = f(t, y); false where f has no value.
using Rates = std::function<bool(double t, const double* y, double* dy)>;

struct Tolerance {
  double relative = 1e-9;
  double absolute = 1e-12;
};
/// The absolute part is a thousandth of the relative one beside the largest number of the start and of what
/// its relations are made of, or beside 1 where that is larger or nothing moves there: small units are as
/// good as large ones. `relations`: size_of_relations.
Tolerance tolerance_for(double relative, std::span<const double> start, double relations);

/// The shortest step that a time of this size can tell from none: where the clock ends. Nothing else bounds a
/// step from below, least of all the length of the run.
double shortest_step(double t);

/// Times of steps of one length: begin + n*length, and no sum of them, so that a million steps are as exact
/// as one.
class StepClock {
 public:
  void begin(double t) {
    origin_ = t;
    count_ = 0;
  }
  /// The end of the step of this length that begins at t, not beyond `end`; what is left over by rounding is
  /// no step of its own.
  double next(double t, double length, double end) const;
  /// That step was taken. An end that is no multiple of the length begins another count.
  void advance(double t, double length, double end);

  double origin() const { return origin_; }
  double count() const { return count_; }
  void recall(double origin, double count) {
    origin_ = origin;
    count_ = count;
  }

 private:
  double origin_ = 0, count_ = 0;  ///< backward steps count down
};

enum class StepOutcome {
  stepped,
  too_small,       ///< the step fell below what the time can tell apart: a singularity is near
  no_value,        ///< the equations have no value at the beginning of the step
  no_convergence,  ///< the equations of an implicit step were not solved
};

/// A method that carries a state through time, step by step.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Begins at a state; false where the equations have no value there.
  virtual bool begin(double t, std::span<const double> y, double end) = 0;
  /// One step, not beyond `end`.
  virtual StepOutcome step(double end) = 0;
  /// The state was changed from outside, by a projection or an event.
  virtual bool restart(std::span<const double> y) = 0;

  virtual double time() const = 0;
  virtual std::span<const double> state() const = 0;
  /// The state at a time within the last step.
  virtual void interpolate(double t, double* y) = 0;

  /// The length of every step, or 0 where the tolerance decides.
  virtual double fixed_length() const { return 0; }
  /// Whether its estimate of the error may overlook what the equations do by the time alone. The steps of
  /// such a method are compared with the integral of the rates along them.
  virtual bool overlooks_time() const { return false; }
  /// The same of what any part of the state does that the others only take up: every step is compared.
  virtual bool overlooks_quadratures() const { return false; }
  /// Whether states within a step are as exact as those at its end.
  virtual bool interpolates_to_its_order() const { return true; }
  /// A method that stays on the constraints by itself is not projected.
  virtual bool keeps_constraints() const { return false; }
  /// A method of many steps loses its past at a restart: it is projected only where it must.
  virtual bool lives_on_its_past() const { return false; }
  /// A step may be taken again with another length, from its beginning.
  virtual bool may_step_again() const { return false; }
  /// What the method remembers besides time and state, so that a run can go on later with the same bits;
  /// empty: nothing, or what cannot be told. `recall` comes after `begin`.
  virtual std::vector<double> memory() const { return {}; }
  virtual void recall(std::span<const double> memory) { static_cast<void>(memory); }

  virtual std::size_t evaluations() const = 0;
  virtual std::size_t rejected() const = 0;
  /// More about the last step that was not taken; may be empty.
  virtual std::string failure() const { return {}; }
};

}  // namespace liaison

#endif  // LIAISON_SIMULATE_INTEGRATOR_HPP
