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

bool Follower::is_one(const BranchPlace& one, const BranchPlace& two) const {
  const BranchPlace between = sum(one, scaled(two, -1));
  const double size = std::max({in_units(one.y).norm(), in_units(two.y).norm(), 1e-9 * size_});
  return product(between, between) < 1e-12 && in_units(between.y).norm() <= 1e-5 * size;
}

Likeness Follower::likeness_of(const BranchPoint& one, const BranchPoint& two) {
  if (!request_.rest && std::abs(one.period - two.period) > 1e-6 * one.period) return Likeness::none;
  if (!have_one_spectrum(one.spectrum, two.spectrum)) return Likeness::none;
  const VectorXd a = in_units(Eigen::Map<const VectorXd>(one.y.data(), index(n_))),
                 b = in_units(Eigen::Map<const VectorXd>(two.y.data(), index(n_)));
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
  const BranchPlace here{Eigen::Map<const VectorXd>(point.y.data(), index(n_)), point.period,
                         point.parameter};
  // on the way between two of its points, also where it turns back
  for (std::size_t k = 0; k + 1 < branch.points.size(); ++k) {
    const BranchPoint &one = branch.points[k], &two = branch.points[k + 1];
    const BranchPlace from{Eigen::Map<const VectorXd>(one.y.data(), index(n_)), one.period, one.parameter};
    const BranchPlace to{Eigen::Map<const VectorXd>(two.y.data(), index(n_)), two.period, two.parameter};
    const BranchPlace way = sum(to, scaled(from, -1)), off = sum(here, scaled(from, -1));
    const double length = product(way, way), part = length > 0 ? product(off, way) / length : -1;
    const BranchPlace beside = sum(off, scaled(way, -part));
    if (part < 0 || part > 1 || product(beside, beside) > 0.1 * length) continue;
    BranchPlace there = sum(from, scaled(way, part));
    if (!correct(there, here, scaled(way, 1 / std::sqrt(length)))) continue;
    if (is_one(there, here)) return Likeness::same;
  }
  for (std::size_t k = 0; k + 1 < branch.points.size(); ++k) {
    const BranchPoint &one = branch.points[k], &two = branch.points[k + 1];
    const double before = point.parameter - one.parameter, after = point.parameter - two.parameter;
    if (before * after > 0 || one.parameter == two.parameter) continue;
    const double part = before / (before - after);
    const auto place = [&](const BranchPoint& of) {
      return BranchPlace{Eigen::Map<const VectorXd>(of.y.data(), index(n_)), of.period, of.parameter};
    };
    BranchPlace there = sum(scaled(place(one), 1 - part), scaled(place(two), part));
    if (!correct_at(there, point.parameter)) continue;
    const Likeness found = likeness_of(point, point_of(there));
    if (found == Likeness::same) return found;
    if (found == Likeness::image) result = found;
  }
  return result;
}

bool Follower::is_closed(const BranchPoint& first, const BranchPlace& first_direction,
                         const BranchPlace& place, const BranchPlace& next, const BranchPlace& turned) {
  // the first point lies on the way from one to the other, also where the branch turns back
  const BranchPlace begin{Eigen::Map<const VectorXd>(first.y.data(), index(n_)), first.period,
                          first.parameter};
  const BranchPlace way = sum(next, scaled(place, -1)), to_first = sum(begin, scaled(place, -1));
  const double length = product(way, way), part = length > 0 ? product(to_first, way) / length : -1;
  const BranchPlace beside = sum(to_first, scaled(way, -part));
  if (part > 0 && part <= 1 && product(beside, beside) < 0.1 * length &&
      product(turned, first_direction) > 0.5 * std::sqrt(product(first_direction, first_direction))) {
    BranchPlace there = sum(place, scaled(way, part));
    if (correct(there, begin, first_direction) && is_one(there, begin)) return true;
  }
  // a motion may come back with another of its states as the start
  if (request_.rest || !request_.orbit.autonomous) return false;
  const double before = first.parameter - place.parameter, after = first.parameter - next.parameter;
  if (before * after > 0 || before == 0 || place.parameter == next.parameter) return false;
  if (turned.parameter * first_direction.parameter <= 0) return false;
  if (std::abs(next.period - first.period) > 0.2 * first.period) return false;
  BranchPlace there = sum(scaled(place, after / (after - before)), scaled(next, before / (before - after)));
  return correct_at(there, first.parameter) && likeness_of(first, point_of(there)) == Likeness::same;
}

bool Follower::is_family(const FamilyBranch& branch) const {
  const double first = branch.points.front().parameter;
  return branch.points.size() > 3 &&
         std::all_of(branch.points.begin(), branch.points.end(), [&](const BranchPoint& point) {
           return std::abs(point.parameter - first) < 1e-9 * range_;
         });
}

void Follower::compare(FamilyBranch& branch, const std::vector<FamilyBranch>& known) {
  if (is_family(branch)) return;
  const std::size_t last = branch.points.size() - 1, most = std::min(compared_points - 1, last);
  for (std::size_t k = 0; k < known.size() && !is_interrupted(); ++k) {
    Likeness least = Likeness::same;
    for (std::size_t part = 0; part <= most && least != Likeness::none; ++part) {  // both ends too
      const Likeness here = likeness_to(branch.points[part * last / most], known[k]);
      if (here == Likeness::none || least == Likeness::same) least = here;
    }
    if (least == Likeness::none || (least == Likeness::image && branch.likeness == Likeness::image)) continue;
    branch.likeness = least;
    branch.like = k;
    if (least == Likeness::same) return;
  }
}

}  // namespace liaison
