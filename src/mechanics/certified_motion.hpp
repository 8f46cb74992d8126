#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/ball_matrix.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// The objects of a motion at a state as balls (in double: StateValues).
struct MotionBalls {
  enum class Status {
    ok,
    more_bits,  ///< something has no value, or nothing is known to determine the motion, at this precision
    no_value,   ///< something has no value there
  };
  Status status = Status::ok;
  std::string reason;  ///< not ok: what has no value
  std::vector<Ball> free_acceleration;
  BallMatrix fields{0, 0};  ///< one column a force
  BallMatrix r{0, 0};       ///< r(h, k) = i(e^h)da^k
  std::vector<Ball> drive;
  Ball determinant;      ///< det r where it is square
  bool regular = false;  ///< the factors and accelerations are certainly those of the only motion
  /// The mass matrix is certainly regular. Where it is not, relations may determine the motion without E,
  /// e^h, r and drive: what these have no value of is empty.
  bool has_fields = true;
  std::vector<Ball> factors, acceleration;
};

/// By the factorisations of mass and r in balls; where the masses are singular, of both together. Where
/// directions depend on factors, the point has them, and nothing is solved for.
MotionBalls evaluate_motion(const Motion& motion, const BallPoint& point, long bits);

/// As large as what they are computed from: forces and biases term by term, every product with its absolute
/// value. A factor or an acceleration is zero up to rounding of given values where it is small against this.
struct MotionSizes {
  std::vector<Ball> free_acceleration, drive, factors, acceleration;
};
/// Of a motion that is regular at the point; else nothing. Without fields accelerations and factors alone.
std::optional<MotionSizes> evaluate_sizes(const Motion& motion, const BallPoint& point, long bits);

bool is_implicit(const Motion& motion);  ///< a direction depends on a factor

}  // namespace liaison
