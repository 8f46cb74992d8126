#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coupling.hpp"
#include "interval.hpp"
#include "moment.hpp"
#include "simulate/equations/runner.hpp"
#include "step_box.hpp"

namespace liaison {

/// What the equations divide by, along a motion: bases of negative powers (and of roots, whose derivatives do
/// not have a value there), arguments of logarithms, the
/// diagonal of the mass matrix, the squared gradients of relations that have no level, det r of forces with
/// directions of their own. Where one of them
/// comes to zero the motion may end (a slip that ends, the vertex of a cone, a pole), at one instant that a
/// step may pass over unseen. A step is looked at more closely where its box does not exclude a zero.
class PoleWatch {
 public:
  PoleWatch(Evaluator& evaluator, const SimulationOptions& options);

  bool empty() const { return divisors_.empty(); }
  /// Begins at a state; what is zero there is not looked at until it has left zero.
  void begin(double t, const std::vector<double>& y);

  /// Why no one motion begins there; empty where none of the gradients is zero.
  std::string vanished_at_begin() const;

  /// The least squared gradient of a relation of the velocities beside the largest that it was: near to its
  /// zero the errors of a state across the relation decide how the motion comes to it.
  double least_gradient() const;

  using StateAt = std::function<void(double t, double* y)>;
  struct Step {
    double before, time;
    const std::vector<double>& first;
    std::vector<double> last;
    const StateAt& state_at;
    bool may_shorten;  ///< it may be taken again, to an earlier end
    bool coarse;       ///< the tolerance does not choose its length
  };
  struct Pole {
    double t = 0;
    std::string what;             ///< why the motion does not go on
    std::optional<double> again;  ///< the step is to be taken again up to there, and then looked at
  };
  /// The first place of a step at which the motion is not determined; nothing where it goes on.
  std::optional<Pole> after_step(const Step& step);
  /// The length of a step of one length from a state: where a square by which the equations divide, as that
  /// of a slip speed, would come to zero within it, a part of the way there.
  double length_before_zero(double t, const std::vector<double>& y, double length);
  /// What a determinant that has fallen to nothing at a state means; empty where none has.
  std::string lost_coupling(double t, const double* y);
  /// What the equations divide by and has fallen to that part of what it was, or below; empty where nothing
  /// has.
  std::string fallen_divisor(double t, const double* y, double part = 1e-6);
  template <class Memory>
  void remember(Memory& memory) {
    for (Divisor& divisor : divisors_) memory(divisor);
    memory(box_, coupling_);
  }

 private:
  enum class Kind { written, root, mass, gradient, bent_gradient, coupling };
  struct Past {
    double t = 0, value = 0;
    std::vector<double> y = {};
    template <class Memory>
    void remember(Memory& memory) {
      memory(t, value, y);
    }
  };
  struct Divisor {
    Expr expression = {};
    Kind kind = Kind::written;
    std::string name = {};   ///< of the relation
    Expr whole = {};         ///< the base that a root has, of which this is a piece
    double power = 0;        ///< of a root of positions, the least; 0 for others
    double farthest = 0;     ///< the largest size that was seen
    double last = 0;         ///< at the end of the last step
    bool is_square = false;  ///< no sum of its terms is negative
    bool left_zero = false;
    double found = NAN;           ///< the time at which the last step came to zero, before it was taken again
    std::vector<Past> past = {};  ///< the states at the beginnings of steps, while it becomes smaller
    template <class Memory>
    void remember(Memory& memory) {
      memory(farthest, last, left_zero, found, past);
    }
  };
  struct Zero {  ///< or a value on the way to it
    double t = 0;
    double value = 0;
    bool crosses = false;
  };

  void drop_constants(const std::vector<Expr>& variables);
  void make_programs(const std::vector<Expr>& variables);
  void values(double t, const double* y);
  bool is_clear(std::size_t divisor, const Step& step, double end);
  std::optional<Zero> nearest_zero(std::size_t divisor, const Step& step);
  static void remember(Divisor& divisor, double t, double value, const std::vector<double>& y);
  void remember_within(std::size_t divisor, const Step& step, double end);
  double value_at(std::size_t divisor, double t, const StateAt& state_at);
  double rounding_at(std::size_t divisor, double t, const StateAt& state_at);
  std::optional<Pole> judge(std::size_t divisor, const Zero& zero, const Step& step);
  double time_to_zero(std::size_t divisor, const Step& step);
  double errors_of_root(const Divisor& divisor) const;
  std::optional<Zero> last_as_large(std::size_t divisor, double value, double end, const Step& step);
  bool acts_on_its_base(std::size_t divisor, double t, double left);
  std::string in_words(const Divisor& divisor, const std::string& ends) const;
  std::string why(std::size_t divisor, const Zero& zero, double ahead, const Step& step);

  Evaluator& evaluator_;
  const SimulationOptions& options_;
  std::vector<Divisor> divisors_;
  IntervalProgram enclosures_;
  Runner program_;
  StepBox box_;
  Coupling coupling_;
  std::vector<double> inputs_, state_, values_;  ///< the last values, one a divisor
};

}  // namespace liaison
