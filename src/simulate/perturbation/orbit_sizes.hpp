#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "liaison/simulate/integrator.hpp"

namespace liaison {

/// What was seen of each entry of a state along a period.
struct OrbitWay {
  Eigen::VectorXd reached;   ///< how far it goes from its start
  Eigen::VectorXd largest;   ///< its largest value
  Eigen::VectorXd rounding;  ///< what rounding does to it within the period
  Eigen::VectorXd noise;     ///< with what rounding of the other entries does to it there
};

/// How far the entries of a state go in a period: what everything of a periodic motion is measured by.
/// Positions have one measure and velocities another; an entry that is much smaller than the others has its
/// own, so that it is followed to its own digits.
class OrbitSizes {
 public:
  OrbitSizes(std::size_t size, std::size_t positions, bool may_differ);

  /// Before anything was measured: what rounding does to each entry.
  void expect(const Eigen::VectorXd& noise);
  bool is_measured() const { return is_measured_; }
  const Eigen::VectorXd& noise() const { return way_.noise; }
  /// Absolute tolerances before anything was measured, no smaller than rounding.
  std::vector<double> expected_absolute(const Tolerance& tolerance) const;
  /// `tolerance` is the relative one.
  void take(OrbitWay way, double period, double tolerance);
  /// What was as large as others when a measure was chosen may have become small: true where an entry has
  /// its own measure from now on, or none any more. Twice at most.
  bool learn();
  /// From now on none has its own measure, nor its own tolerance.
  void give_up();

  /// Of each entry, the largest 1; and the largest itself.
  const Eigen::VectorXd& relative() const { return relative_; }
  double reach() const { return reach_; }
  /// Of each entry beside that of its kind: 1, or less where it has its own.
  const Eigen::VectorXd& own() const { return own_; }
  bool has_own() const { return (own_.array() < 1).any(); }
  /// The largest part that an entry of a change is of how far this entry itself goes.
  double largest_part(const Eigen::VectorXd& change) const;
  /// The same of the rounding of the values themselves: far from the origin fewer digits are left.
  double rounding_part() const;
  /// Entries without a measure of their own that go less than a thousandth as far as the largest of their
  /// kind, and what part of it.
  std::vector<std::pair<std::size_t, double>> small_entries() const;
  /// Absolute tolerances: a thousandth of the relative one beside each size, and no less than rounding. Empty
  /// where nothing was measured.
  std::vector<double> absolute(const Tolerance& tolerance) const;
  /// Beside values that are much larger than how far they go the relative tolerance is a smaller one.
  double part_of_relative() const { return part_; }
  /// Far from the origin derivatives have the rounding of what is left of the values.
  double rounding_of_deviations() const { return 10 * far_ * std::numeric_limits<double>::epsilon(); }
  /// The same for deviations, which have the relative sizes.
  std::vector<double> absolute_of_deviations(const Tolerance& tolerance) const;

 private:
  static constexpr double much_smaller_ = 1e-2;  ///< than others of its kind
  static constexpr double at_rest_ = 1e-3;       ///< beside what it was when it got its own measure
  double kind_of(std::size_t i) const { return kinds_[i < positions_ ? 0 : 1]; }
  void choose(bool may_begin);

  std::size_t size_, positions_;
  bool may_differ_, is_measured_ = false, gave_up_ = false;
  double kinds_[2] = {1, 1}, reach_ = 1, tolerance_ = 1e-12, part_ = 1;
  double far_ = 1;  ///< how much larger positions are than how far they go
  OrbitWay way_;
  Eigen::VectorXd relative_, own_;
  std::vector<double> begun_;  ///< how far an entry went when it got its own measure; zero: it has none
  std::vector<int> chances_;   ///< how often it may get one
};

}  // namespace liaison
