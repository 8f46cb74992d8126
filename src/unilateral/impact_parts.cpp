#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impact_path.hpp"

namespace liaison {

std::string_view word_for(ImpactLaw law) {
  switch (law) {
    case ImpactLaw::energetic: return "energetic";
    case ImpactLaw::newton: return "newton";
    case ImpactLaw::poisson: break;
  }
  return "poisson";
}

std::vector<double> impact_noise(const ImpactProblem& problem) {
  const std::size_t n = problem.velocity.size();
  double energy = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double r = problem.r[k * n + k];
    if (r > 0) energy = std::max(energy, problem.velocity[k] * problem.velocity[k] / r);
  }
  std::vector<double> noise;
  for (std::size_t k = 0; k < n; ++k) {
    const double r = problem.r[k * n + k];
    noise.push_back(1e-300 + 1e-13 * (r > 0 ? std::sqrt(r * energy) : std::abs(problem.velocity[k])));
  }
  return noise;
}

std::vector<double> velocities_after(const ImpactProblem& problem, const std::vector<double>& impulses) {
  const std::size_t n = problem.velocity.size();
  std::vector<double> v = problem.velocity;
  for (std::size_t h = 0; h < n; ++h) {
    if (impulses[h] == 0) continue;
    for (std::size_t k = 0; k < n; ++k) v[k] += impulses[h] * problem.r[h * n + k];
  }
  return v;
}

Impact finish_impact(const ImpactProblem& problem, std::vector<double> impulses, std::string how) {
  Impact impact;
  impact.velocities = velocities_after(problem, impulses);
  const std::vector<double> noise = impact_noise(problem);
  for (std::size_t k = 0; k < noise.size(); ++k) {
    double terms = std::abs(problem.velocity[k]);
    for (std::size_t h = 0; h < noise.size(); ++h)
      terms += std::abs(impulses[h] * problem.r[h * noise.size() + k]);
    if (impulses[k] != 0 && std::abs(impact.velocities[k]) <= std::max(noise[k], 1e-14 * terms))
      impact.velocities[k] = 0;
    impact.energy += 0.5 * impulses[k] * (problem.velocity[k] + impact.velocities[k]);
  }
  impact.impulses = std::move(impulses);
  impact.how = std::move(how);
  return impact;
}

void add_impact(const ImpactProblem& problem, Impact impact, Impacts& to) {
  const std::vector<double> noise = impact_noise(problem);
  const bool known = std::any_of(to.all.begin(), to.all.end(), [&](const Impact& other) {
    for (std::size_t k = 0; k < noise.size(); ++k) {
      if (std::abs(impact.velocities[k] - other.velocities[k]) > 1e4 * noise[k]) return false;
    }
    return true;
  });
  if (!known) to.all.push_back(std::move(impact));
}

std::string impact_name(const ImpactProblem& problem, std::size_t contact) {
  const std::string& name = problem.contacts[contact].name;
  return name.empty() ? fmt::format("contact {}", contact + 1) : fmt::format("`{}`", name);
}

}  // namespace liaison
