#ifndef LIAISON_SIMULATE_BRANCH_HPP
#define LIAISON_SIMULATE_BRANCH_HPP

#include <string>
#include <vector>

#include "liaison/simulate/periodic_orbit.hpp"

/// Places of rest and periodic motions over one parameter.
namespace liaison {

struct BranchRequest {
  OrbitRequest orbit;         ///< where it begins; of a place of rest: the state, the time and what is held
  bool rest = false;          ///< places of rest, not periodic motions
  std::size_t parameter = 0;  ///< of those of the perturbation
  double from = 0, to = 1;    ///< the branch begins at the first, and ends where it leaves what is between
  /// Of a drive, or as it was given; it may change with the parameter. Empty: that of the orbit.
  std::function<std::optional<double>(const DoublePoint&)> period_of = {};
  std::size_t max_points = 500;
  bool crossing = true;  ///< branches that cross are followed too
};

struct BranchPoint {
  double parameter = 0, period = 0;
  std::vector<double> y;
  std::vector<Multiplier> spectrum;  ///< multipliers of an orbit, exponents of a place of rest
  OrbitStability stability = OrbitStability::neutral;
};

enum class SpecialKind {
  fold,       ///< the branch turns back
  branching,  ///< another branch crosses
  doubling,   ///< of the period: a multiplier passes -1
  torus,      ///< a pair of multipliers leaves the unit circle
  swinging,   ///< a pair of exponents of a place of rest passes the imaginary axis: a periodic motion begins,
              ///< or those that are followed end
};
std::string name_of(SpecialKind kind);  ///< "fold", "branching", "period doubling", "torus", "Hopf"

struct SpecialPoint {
  SpecialKind kind = SpecialKind::fold;
  BranchPoint at;
  std::size_t after = 0;  ///< it lies between this point of its branch and the next one
  std::string note;       ///< which branches begin there, or that they are not followed
};

enum class Likeness {
  none,
  same,   ///< the same motions
  image,  ///< others, with the same period and spectrum: as a symmetry makes them
};
/// At so many points of a branch, its ends among them, it is compared with others.
inline constexpr std::size_t compared_points = 12;

struct FamilyBranch {
  std::vector<BranchPoint> points;
  std::vector<SpecialPoint> special;
  std::string end;                     ///< how it ended
  Likeness likeness = Likeness::none;  ///< to an earlier one
  std::size_t like = 0;                ///< the place of that
};

struct Branches {
  std::vector<FamilyBranch>
      branches;  ///< the first one, then those that cross, on each side, one after the other; none twice
  std::string failure;  ///< why there is no first point
};

/// Follows a branch by its length, with Newton's method on the equations bordered by its direction (Keller),
/// so that it goes around folds. Special points are found by halving between two points.
Branches follow_branches(const AssembledEquations& equations, Evaluator& evaluator,
                         PerturbationEquations& perturbation, const DoublePoint& values,
                         const BranchRequest& request, Expr energy = {});

}  // namespace liaison

#endif  // LIAISON_SIMULATE_BRANCH_HPP
