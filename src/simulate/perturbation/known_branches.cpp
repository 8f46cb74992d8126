#include <algorithm>
#include <cmath>

#include "follower.hpp"
#include "index.hpp"

namespace liaison {

namespace {

using Eigen::VectorXd;

/// Each has its own in the other, within what is doubtful.
bool have_one_spectrum(const std::vector<Multiplier>& one, const std::vector<Multiplier>& two) {
  if (one.size() != two.size()) return false;
  std::vector<bool> taken(two.size(), false);
  for (const Multiplier& a : one) {
    std::size_t nearest = two.size();
    double distance = INFINITY;
    for (std::size_t k = 0; k < two.size(); ++k) {
      if (taken[k] || !(std::abs(a.value - two[k].value) < distance)) continue;
      distance = std::abs(a.value - two[k].value);
      nearest = k;
    }
    if (nearest == two.size()) return false;
    const double allowed = 1e-5 * (std::abs(a.value) + 1e-3) + 10 * (a.doubt + two[nearest].doubt);
    if (!(distance <= allowed)) return false;
    taken[nearest] = true;
  }
  return true;
}

}  // namespace

Likeness Follower::likeness_of(const BranchPoint& one, const BranchPoint& two) {
  if (!request_.rest && std::abs(one.period - two.period) > 1e-6 * one.period) return Likeness::none;
  if (!have_one_spectrum(one.spectrum, two.spectrum)) return Likeness::none;
  const VectorXd a = Eigen::Map<const VectorXd>(one.y.data(), index(n_)),
                 b = Eigen::Map<const VectorXd>(two.y.data(), index(n_));
  const double same = 1e-5 * std::max(a.norm(), b.norm());
  if ((a - b).norm() <= same) return Likeness::same;
  if (request_.rest || !request_.orbit.autonomous) return Likeness::image;
  // one motion may begin at another of its states
  set_parameter(one.parameter);
  const double distance = map_.distance(values_, one.y, one.period, two.y, request_.orbit.tolerance);
  return distance >= 0 && distance <= 10 * same ? Likeness::same : Likeness::image;
}

Likeness Follower::likeness_to(const BranchPoint& point, const FamilyBranch& branch) {
  Likeness result = Likeness::none;
  for (std::size_t k = 0; k + 1 < branch.points.size(); ++k) {
    const BranchPoint &one = branch.points[k], &two = branch.points[k + 1];
    const double before = point.parameter - one.parameter, after = point.parameter - two.parameter;
    if (before * after > 0 || one.parameter == two.parameter) continue;
    const double part = before / (before - after);
    const auto place = [&](const BranchPoint& of) {
      return Place{Eigen::Map<const VectorXd>(of.y.data(), index(n_)), of.period, of.parameter};
    };
    Place there = sum(scaled(place(one), 1 - part), scaled(place(two), part));
    if (!correct_at(there, point.parameter)) continue;
    const Likeness found = likeness_of(point, point_of(there));
    if (found == Likeness::same) return found;
    if (found == Likeness::image) result = found;
  }
  return result;
}

bool Follower::is_closed(const BranchPoint& first, const Place& first_direction, const Place& place,
                         const Place& next, const Place& turned) {
  const double before = first.parameter - place.parameter, after = first.parameter - next.parameter;
  if (before * after > 0 || before == 0 || place.parameter == next.parameter) return false;
  if (turned.parameter * first_direction.parameter <= 0) return false;
  if (!request_.rest && std::abs(next.period - first.period) > 0.2 * first.period) return false;
  const double part = before / (before - after);
  Place there = sum(scaled(place, 1 - part), scaled(next, part));
  return correct_at(there, first.parameter) && likeness_of(first, point_of(there)) == Likeness::same;
}

void Follower::compare(FamilyBranch& branch, const std::vector<FamilyBranch>& known) {
  const std::size_t last = branch.points.size() - 1;
  for (std::size_t k = 0; k < known.size() && !is_interrupted(); ++k) {
    Likeness least = Likeness::same;
    for (const std::size_t part : {1, 2, 3}) {
      const Likeness here = likeness_to(branch.points[std::max<std::size_t>(1, part * last / 4)], known[k]);
      if (here == Likeness::none) least = Likeness::none;
      if (here == Likeness::image && least == Likeness::same) least = Likeness::image;
      if (least == Likeness::none) break;
    }
    if (least == Likeness::none || (least == Likeness::image && branch.likeness == Likeness::image)) continue;
    branch.likeness = least;
    branch.like = k;
    if (least == Likeness::same) return;
  }
}

}  // namespace liaison
