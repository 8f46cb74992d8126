#pragma once

#include <string>
#include <vector>

#include "liaison/simulate/evaluator.hpp"
#include "liaison/simulate/simulation.hpp"

namespace liaison {

/// What a motion carries over a change of form of its equations: where an energy, a momentum or a relation
/// jumps, the motion needs an impulse, and the equations of motion have none.
class Impulses {
 public:
  explicit Impulses(Evaluator& evaluator);

  /// With the sides before a change; h: a little way on along the motion.
  void see_before(double t, const std::vector<double>& y, double h);
  /// With those behind it. Empty, or what jumps `where` ("`x` changes its sign"). What the time alone
  /// switches is no wall: its energy may jump, and no force is infinite.
  std::string found_behind(const std::string& where, bool of_time);
  /// What found_behind saw, where rates of levels and relations between velocities jump and nothing else.
  const std::vector<JumpOfRate>& jumps_of_rates() const { return rates_; }
  /// With the sides of a start, or of a state behind an event: the relations that do not hold with them.
  std::string of_start(double t, const std::vector<double>& y, const std::vector<double>& following);
  /// With sides that follow the state.
  std::vector<double> values_at(double t, const std::vector<double>& y);

 private:
  struct Values {
    bool known = false;
    std::vector<double> values, sizes;
  };
  Values look(double t, const std::vector<double>& y);
  bool is_small(std::size_t k, double jump, double t, const std::vector<double>& y);
  std::string in_words(std::size_t k, double jump, const std::string& where) const;

  Evaluator& evaluator_;
  double t_ = 0, h_ = 0;
  std::vector<double> here_, farther_;  ///< the state at the change, and a little on
  Values before_here_, before_farther_;
  std::vector<JumpOfRate> rates_;
};

}  // namespace liaison
