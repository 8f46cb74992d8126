#ifndef LIAISON_MECHANISM_STABILITY_HPP
#define LIAISON_MECHANISM_STABILITY_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/mechanism/motions_scan.hpp"
#include "liaison/structure/steady_motion.hpp"

/// Small deviations of a steady motion, and a chart of its stability over one or two parameters.
namespace liaison {

/// A change on the way from a grid point to the next one, between two values.
struct StabilityBoundary {
  std::size_t axis = 0, i = 0, j = 0;
  Rational before, after;  ///< of that range: the kinds there are those told
  std::size_t kind_before = 0, kind_after = 0;
};

struct StabilityChart {
  std::vector<ScanRange> ranges;                ///< one or two
  std::vector<std::optional<RootSides>> kinds;  ///< all that were met; nothing: not decided
  std::vector<std::size_t> at;                  ///< index into `kinds` at (i, j): i + j * ranges[0].count
  std::vector<StabilityBoundary> boundaries;
};

struct StabilityAnswer {
  SteadyMotion motion;
  std::optional<RootSides> sides;  ///< for the values that are given; nothing: not exactly decided
  std::vector<Eigenvalue> eigenvalues;
  bool has_energy_minimum =
      false;  ///< at rest: it is stable (proved), also where the linear equations do not decide
  std::optional<Matrix> a, b, c, d;  ///< with these values in them
  std::optional<StabilityChart> chart;
};

/// `inputs`: names of parameters. Throws Refused where the motion is not steady.
StabilityAnswer judge_stability(MechanismParts& parts, const GivenState& given,
                                const std::vector<std::string>& inputs, const std::vector<ScanRange>& ranges);

/// "asymptotically stable", "unstable, 2 roots on the right", "neutral, 2 roots on the axis";
/// "not decided".
std::string text_of(const std::optional<RootSides>& kind);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_STABILITY_HPP
