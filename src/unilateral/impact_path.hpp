#pragma once

#include <cstddef>
#include <vector>

#include "liaison/unilateral/impact.hpp"

namespace liaison {

inline constexpr std::size_t no_contact = static_cast<std::size_t>(-1);

/// What counts as zero in each row of an impact.
std::vector<double> impact_noise(const ImpactProblem& problem);
/// v- + sum p r.
std::vector<double> velocities_after(const ImpactProblem& problem, const std::vector<double>& impulses);
/// Impulses with all that follows; velocities of which only rounding is left are zero.
Impact finish_impact(const ImpactProblem& problem, std::vector<double> impulses, std::string how);
/// Adds an end unless one with the same velocities is known.
void add_impact(const ImpactProblem& problem, Impact impact, Impacts& to);
/// "`floor`", "contact 2".
std::string impact_name(const ImpactProblem& problem, std::size_t contact);

/// The path of the normal impulses, phase by phase, with every branch: the law of Poisson or the energetic
/// one. A phase has one way to slip for everything that slips; in the plane all rates are constant in it and
/// its end is exact, in space it is followed by steps of Runge and Kutta's kind (Dormand and Prince).
Impacts impact_path(const ImpactProblem& problem, std::size_t jammed = no_contact);

}  // namespace liaison
