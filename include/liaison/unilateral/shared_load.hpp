#ifndef LIAISON_UNILATERAL_SHARED_LOAD_HPP
#define LIAISON_UNILATERAL_SHARED_LOAD_HPP

#include <cstddef>
#include <vector>

/// Contacts that share a load which their forces carry in many ways.
namespace liaison {

/// All forces that carry a load: a point, plus any multiples of directions.
struct ForceFamily {
  std::vector<double> point;
  std::vector<std::vector<double>> directions;
};

/// What a contact asks of its forces (CONTACT law of Coulomb): with nothing that it resists f_normal >= 0,
/// else |f_resisted| <= coefficient * f_normal, the length of one or of two components.
struct ForceCone {
  std::size_t normal = 0;
  std::vector<std::size_t> resisted = {};
  double coefficient = 0;
  double unit = 1;  ///< what a unit of f_normal does: by it contacts are measured against each other
};

struct SharedLoad {
  /// Of each cone, whether a direction of the family moves its forces. The others are not looked at: their
  /// forces are determined.
  std::vector<bool> is_open;
  /// The largest least distance of a member to the limits of the open cones, f_normal - |f_resisted| /
  /// coefficient, over the largest force of the point; not more than `enough`, which is not exceeded where a
  /// load is carried well. Negative: no member is within its cones. A convex problem (linear in the plane,
  /// of cones of second order in space), solved from below. Forces up to 1e4 times the point's are
  /// members.
  double margin = 0;
  /// The point where it is far enough within the cones, else as little as needed towards the member with the
  /// margin. Continuous in the data; within the cones where the margin is positive.
  std::vector<double> forces;

  static constexpr double enough = 0.05;
};
SharedLoad share_load(const ForceFamily& family, const std::vector<ForceCone>& cones);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_SHARED_LOAD_HPP
