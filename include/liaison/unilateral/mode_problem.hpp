#ifndef LIAISON_UNILATERAL_MODE_PROBLEM_HPP
#define LIAISON_UNILATERAL_MODE_PROBLEM_HPP

#include <vector>

#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

/// Forces f_h and rates a_k of the rows of contacts, and of everything else, once the bilateral constraints
/// are kept:
///   a_k = drive_k + sum_h f_h r[h][k].
struct ContactNumbers {
  RationalMatrix r;
  std::vector<Rational> drive;
  Rational noise;                           ///< relative error of the numbers
  std::vector<Rational> free_acceleration;  ///< du/dt without forces of the rows
  RationalMatrix fields;                    ///< and what a unit of each force adds
  std::vector<Rational> bilateral_factors;  ///< the same for the factors of the bilateral constraints
  RationalMatrix bilateral_response;
};

/// One velocity that a contact resists, at a state: the row of the relation, its coefficients there, and
/// which way it goes.
struct ResistedRow {
  std::size_t row = 0;
  Rational slipping, sticking;
  int direction = 0;    ///< sign of the velocity; 0: at rest, the force is at most the coefficient times N
  bool second = false;  ///< with the row before it one velocity along a surface in space, at rest
};
struct ContactRows {
  std::size_t normal = 0;
  std::vector<ResistedRow> resisted;
  Rational least = {};  ///< N >= least, and N - least or a'' is zero
  bool given = false;   ///< N = least
  bool rests() const;   ///< something that it resists is at rest
};

/// Everything that follows from the forces of the rows; of a ray, what they add.
MotionNumbers motion_numbers(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts,
                             const std::vector<Rational>& forces, bool is_ray);

/// All assignments of modes to contacts whose velocities have one component each (CONTACT laws of Coulomb,
/// row G5.V-planar-modes), as one linear complementarity problem: for a contact N against a''; for each
/// velocity at rest, with the force T = s - mu N: s against the growth of the velocity, its decrease against
/// 2 mu N - s. Where mu differs between what sticks and what slips each of the two is asked for.
class ModeProblem {
 public:
  ModeProblem(const ContactNumbers& numbers, std::vector<ContactRows> contacts)
      : numbers_(numbers), contacts_(std::move(contacts)) {}

  /// r and drives with the directions of what slips in them; without velocities at rest.
  Complementarity normal_problem() const;
  std::vector<PossibleMotion> all(const EnumerationLimits& limits = {}) const;
  /// Where what N does to the rate of a row and what the frictions that go with it do cancel, as far as the
  /// digits tell: beyond the limit there are other motions.
  struct Limit {
    std::size_t contact, row;
    std::vector<Rational> with;  ///< of N, one a resisted row: its frictions
  };
  std::vector<Limit> limits_of_r() const;

 private:
  struct Pairs;
  void collect(const std::vector<bool>& stuck, const EnumerationLimits& limits,
               std::vector<PossibleMotion>& found) const;
  MotionNumbers numbers_of(const Pairs& pairs, const ComplementaryPoint& point, bool is_ray) const;

  const ContactNumbers& numbers_;
  std::vector<ContactRows> contacts_;
};

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_MODE_PROBLEM_HPP
