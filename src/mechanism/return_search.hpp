#pragma once

#include <functional>
#include <string>
#include <vector>

#include "liaison/simulate/contact_deviations.hpp"
#include "liaison/simulate/periodic_orbit.hpp"

namespace liaison {

/// A guess of a period: the first time at which the motion from a state comes back past it, near to it.
class ReturnSearch {
 public:
  struct Motion {
    const AssembledEquations& equations;
    Evaluator& evaluator;
    PerturbationEquations& perturbation;
    const DoublePoint& values;
    double begin = 0;
    ContactDeviations* contacts = nullptr;
    EventSource events;         ///< empty where nothing jumps
    std::vector<double> turns;  ///< by how much the state is larger when it is back; empty: by nothing
  };
  /// `name` is that of the model, for what is refused.
  ReturnSearch(Motion motion, std::string name);
  /// Throws Refused.
  double run(const std::function<bool()>& interrupted);

 private:
  /// A state on the way, on which side of the plane across the flow at the start, and how far from that.
  struct Place {
    double t = 0, side = 0, distance = 0;
    std::vector<double> y, rates;
  };
  Place place_at(double t, const std::vector<double>& y) const;
  /// Where that plane is passed between two places, on a cubic curve.
  Place crossing(const Place& from, const Place& to) const;
  /// A reset in the last step may have put it back where it began, from any side.
  bool has_jumped_back(const Place& now) const;
  /// False where the search ends here.
  bool look(const PerturbedState& state);
  /// After which time nothing is looked for any more.
  double horizon() const;

  Motion motion_;
  std::string name_;
  std::vector<double> start_, flow_;  ///< the state, its rates
  double speed_ = 0, fastest_ = 0;    ///< the largest rate at the start, and on the way
  double largest_ = 0;                ///< distance from the start
  double best_, found_ = 0;           ///< the smallest distance of a crossing; its time after the start
  Place before_;
  std::vector<EventRecord> met_;
};

}  // namespace liaison
