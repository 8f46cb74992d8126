#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "local_parts.hpp"
#include "step_box.hpp"

namespace liaison {

/// What equations do within a short way of the state (a hill, a wall, a peak of a quotient): parts whose
/// argument moves over many of its own lengths in a step may have a feature there that no stage of the method
/// has seen. The method's estimate of its error says nothing of it.
class StateFeatures {
 public:
  explicit StateFeatures(Evaluator& evaluator);

  bool empty() const { return parts_.empty(); }
  void begin() { box_.begin(); }
  template <class Memory>
  void remember(Memory& memory) {
    memory(box_);
  }

  using StateAt = std::function<void(double t, double* y)>;
  /// Whether the step is the integral of the rates between two times.
  using Follows = std::function<bool(double low, double high)>;
  struct Feature {
    double low = 0, high = 0;  ///< a time around it, as long as it lasts or shorter
  };
  /// The first feature inside of a step that the step does not follow.
  std::optional<Feature> in_step(double before, double time, const std::vector<double>& first,
                                 const std::vector<double>& last, const StateAt& state_at,
                                 const Follows& follows);

 private:
  bool may_change(std::size_t part) const;

  StepBox box_;
  LocalParts parts_;
  std::vector<double> slack_;  ///< of each part: changes that are none
};

}  // namespace liaison
