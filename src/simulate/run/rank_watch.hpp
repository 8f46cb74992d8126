#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// Where the gradients of the relations lose their rank along a motion. There the factors have poles or are
/// open (rows G2.IV-degenerate, G3.II-compat), at one instant that every step may pass over unseen; but the
/// gradient of the combination that vanishes changes its sign.
class RankWatch {
 public:
  explicit RankWatch(Evaluator& evaluator);
  ~RankWatch();

  /// Whether there is anything that can be lost: gradients that depend on the state, and not too many; after
  /// `begin` not where their form shows that they are independent everywhere.
  bool is_needed() const { return needed_; }
  /// The same, whatever their form shows.
  bool do_gradients_turn() const { return turn_; }
  /// Whether a motion may go on beyond such a place: not where a gradient that vanishes belongs to one
  /// relation of the velocities alone.
  bool may_pass() const { return may_pass_; }

  void begin(double t, const double* y);
  /// The end of a step, before it is projected. How far the relations are from depending on each other there,
  /// beside the farthest that was seen: 0 to 1. Errors of the state come into the motion divided by this.
  double look(double t, const double* y);
  /// The same of the last look or begin, where a run that begins next to a singular configuration is near.
  double distance() const;

  /// How fast the gradients turn, as an angle in a unit of time: between a state and one a short time after.
  double turning(double t, const double* y, const double* after, double length);

  /// A state a time after that of the last look; false where it is not known.
  using Prediction = std::function<bool(double after, double* y)>;
  /// The time from there after which the gradient of the shortest combination comes to zero or next to it, by
  /// predicted states; `length` is a short time, beside that of a change of the state. Not exactly: by its
  /// rate alone. Nothing where it does not become short.
  std::optional<double> ahead(const Prediction& predict, double length, bool exactly);

  /// A state of the motion inside of the last step.
  using StateAt = std::function<void(double t, double* y)>;
  struct Loss {
    double t = 0;
    std::vector<std::string> relations;  ///< that depend on each other there; one: its gradient vanishes
    bool passes = false;                 ///< one motion goes on
    bool is_certain = false;             ///< else the gradient turned over, and was short, but did not vanish
    std::string what;
  };
  /// The losses between the last two looks, by time. `coarse`: steps have one length, and what turns over
  /// next to zero within one of them is not resolved.
  std::vector<Loss> find(const StateAt& state_at, bool coarse);

  /// The relations that nearly depend on each other at a state: whose combination has a gradient that is
  /// shorter than this part of the longest. Empty where there are none.
  std::vector<std::string> nearly_dependent(double t, const double* y, double part);
  /// What a velocity counts beside the others: the root of its entry in the mass matrix where the run began,
  /// so that no unit tells how near gradients or velocities are. One where that is no measure.
  const std::vector<double>& weights() const { return weights_; }
  template <class Memory>
  void remember(Memory& memory) {
    memory(weights_, lengths_, chosen_, farthest_, now_);
  }

 private:
  /// The combination of relations, each divided by the length of its first gradient, whose gradient is
  /// shortest.
  struct Point {
    double t = 0;
    std::vector<double> combination;  ///< of length one
    std::vector<double> gradient;     ///< of the combination
    double length = 0;                ///< of that
    template <class Memory>
    void remember(Memory& memory) {
      memory(t, combination, gradient, length);
    }
  };
  /// With the combination that is there already for a beginning.
  bool measure(const double* y, Point& point);
  bool read(double t, const double* y);
  void weigh(double t, const double* y);
  void choose();
  std::vector<double> even_parts(const StateAt& state_at);
  std::optional<Loss> locate(Point low, Point high, const StateAt& state_at, bool coarse);
  bool is_triangle_clear() const;
  std::vector<std::string> names(const std::vector<double>& combination) const;
  Loss describe(const Point& at, double relative) const;

  Evaluator& evaluator_;
  bool needed_ = false, turn_ = false, may_pass_ = false;
  std::vector<SparseEntry> triangle_;  ///< of the gradients, one a relation where that shows their rank
  std::vector<bool> bends_;            ///< relations that are not affine in the velocities
  std::vector<double> weights_, lengths_, entries_, y_;
  std::vector<std::size_t> chosen_;  ///< relations that do not repeat others at the beginning
  double farthest_ = 0;
  Point before_, now_;
  struct Linear;
  std::unique_ptr<Linear> linear_;
};

}  // namespace liaison
