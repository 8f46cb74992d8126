#include "friction_problem.hpp"

#include <algorithm>
#include <cmath>

#include "liaison/expr/error.hpp"

namespace liaison {

std::vector<double> FrictionProblem::velocities(const std::vector<double>& forces) const {
  std::vector<double> v = drive;
  for (std::size_t h = 0; h < size(); ++h) {
    if (forces[h] == 0) continue;
    for (std::size_t k = 0; k < size(); ++k) v[k] += forces[h] * entry(h, k);
  }
  return v;
}

std::vector<double> FrictionProblem::noise() const {
  // v^2/r of a row and f^2 r of a force are twice an energy, whatever their units.
  double energy = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    if (entry(k, k) > 0) energy = std::max(energy, drive[k] * drive[k] / entry(k, k));
  }
  for (const Contact& contact : contacts)
    energy = std::max(energy, contact.least * contact.least * entry(contact.normal, contact.normal));
  std::vector<double> noise;
  for (std::size_t k = 0; k < size(); ++k)
    noise.push_back(1e-300 +
                    1e-12 * (entry(k, k) > 0 ? std::sqrt(entry(k, k) * energy) : std::abs(drive[k])));
  return noise;
}

bool FrictionProblem::is_symmetric() const {
  for (std::size_t h = 0; h < size(); ++h) {
    for (std::size_t k = 0; k < h; ++k) {
      if (std::abs(entry(h, k) - entry(k, h)) > 1e-12 * std::sqrt(std::abs(entry(h, h) * entry(k, k))))
        return false;
    }
  }
  return true;
}

void FrictionForces::note(const std::string& text) {
  if (remark.find(text) == std::string::npos) remark += (remark.empty() ? "" : "; ") + text;
}

namespace {

/// In doubles where they decide, exactly where they do not.
FrictionForces all_in_the_plane(const FrictionProblem& problem, std::size_t pairs) {
  FrictionModes modes;
  const bool counted = count_of_hypotheses(problem) <= 5000;
  if (counted) modes = modes_by_elimination(problem);
  if (counted && (!modes.doubtful || problem.contacts.size() == 1))
    return {modes.distinct(problem), true, ""};
  if (counted && pairs <= 16) {
    try {
      return exact_modes(problem);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
    }
  }
  FrictionForces one = one_by_iteration(problem);
  if (one.complete || modes.found.empty()) return one;
  return {modes.distinct(problem), false, "what lies at the limit of two modes was decided to rounding"};
}

}  // namespace

FrictionForces all_forces(const FrictionProblem& problem) {
  std::size_t asked = 0, in_space = 0;
  for (const FrictionProblem::Contact& contact : problem.contacts) {
    for (const FrictionProblem::Resisted& resisted : contact.resisted) {
      if (resisted.moving) continue;
      ++asked;
      in_space += resisted.rows.size() == 2;
    }
  }
  if (in_space == 0) return all_in_the_plane(problem, problem.contacts.size() + 2 * asked);
  if (problem.contacts.size() == 1 && asked == 1) return one_contact_in_space(problem);
  return one_by_iteration(problem);
}

}  // namespace liaison
