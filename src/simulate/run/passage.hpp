#pragma once

#include <functional>
#include <string>

#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// A motion that comes to a state at which its equations have no value, seen from before and, where `after`
/// is not zero, from behind.
struct Approach {
  double t = 0;                  ///< of that state
  double before = 0, after = 0;  ///< lengths of time that can be looked at
  double nearest = 0;            ///< no nearer than this
  /// A known state near a time; returns its own time.
  std::function<double(double t, double* y)> state_near;
  double tolerance = 0;  ///< of the motion: what its errors do to the rates is no growth
};

/// Why the motion does not go on there as one motion; empty where it does. By what the rates do on the way:
/// - they grow without bound;
/// - they jump;
/// - differences of two motions vanish as a power of the time that is left (an eigenvalue -p/s of the rates'
///   derivative along the constraints, at the time s before): all of a family of motions come to this state,
///   and by the same law a family leaves it.
std::string why_it_ends(Evaluator& evaluator, const Approach& approach);

}  // namespace liaison
