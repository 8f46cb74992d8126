#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace liaison {

/// Forces, or impulses, f_h of contacts and the rates, or velocities, that follow, in doubles:
///   v_k = drive_k + sum_h f_h r[h * n + k].
/// A contact has N = f of its normal: N >= least and v >= 0 of its row, one of N - least and v zero; or N is
/// given. What it resists is moving in a known direction, with the force -slipping N direction; or it is
/// asked for: sticks (v = 0, at most sticking N) or moves (against a force of slipping N).
struct FrictionProblem {
  struct Resisted {
    std::vector<std::size_t> rows;  ///< one or two
    double slipping = 0, sticking = 0;
    bool moving = false;
    std::array<double, 2> direction = {};  ///< of length one, where it is moving
  };
  struct Contact {
    std::size_t normal = 0;
    std::vector<Resisted> resisted;
    double least = 0;
    bool given = false;  ///< N = least
  };
  const std::vector<double>& r;
  std::vector<double> drive;
  std::vector<Contact> contacts;

  std::size_t size() const { return drive.size(); }
  double entry(std::size_t force, std::size_t row) const { return r[force * size() + row]; }
  std::vector<double> velocities(const std::vector<double>& forces) const;
  /// What counts as zero in each row, from drives and given forces, alike in every unit.
  std::vector<double> noise() const;
  bool is_symmetric() const;
};

struct FrictionForces {
  std::vector<std::vector<double>> all;  ///< one a row each
  bool complete = true;
  std::string remark;

  void note(const std::string& text);
};
FrictionForces all_forces(const FrictionProblem& problem);

/// Modes of velocities of one component each, all hypotheses by elimination in doubles.
struct FrictionModes {
  struct Mode {
    std::vector<double> forces;
    double margin = 0;  ///< how surely its inequalities hold, in units of the noise
  };
  std::vector<Mode> found;
  bool doubtful = false;  ///< an inequality at its limit, or a system without one solution

  /// One for each set of velocities.
  std::vector<std::vector<double>> distinct(const FrictionProblem& problem) const;
};
FrictionModes modes_by_elimination(const FrictionProblem& problem);
double count_of_hypotheses(const FrictionProblem& problem);

/// One contact, one velocity of two components that is asked for: the directions of slip are the roots of a
/// trigonometric polynomial of degree two.
FrictionForces one_contact_in_space(const FrictionProblem& problem);
/// ModeProblem, in rationals: families too. Throws limit_reached.
FrictionForces exact_modes(const FrictionProblem& problem);
/// Anything else: one solution by Gauss and Seidel's iteration.
FrictionForces one_by_iteration(const FrictionProblem& problem);

/// Zeros in [0, 2 pi) of a0 + a1 cos + b1 sin + a2 cos 2 + b2 sin 2; `every`: it vanishes.
struct TrigonometricRoots {
  std::vector<double> angles;
  bool every = false;
};
TrigonometricRoots trigonometric_roots(const std::array<double, 5>& coefficients);

}  // namespace liaison
