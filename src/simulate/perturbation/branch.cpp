#include "liaison/simulate/branch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "follower.hpp"
#include "index.hpp"

namespace liaison {

namespace {

using Eigen::VectorXd;

/// What is not followed is named.
void add_notes(Branches& result, bool rest) {
  for (FamilyBranch& branch : result.branches) {
    for (SpecialPoint& special : branch.special) {
      if (!special.note.empty()) continue;
      if (special.kind == SpecialKind::branching)
        special.note = "the branch that crosses is not followed";
      else if (special.kind == SpecialKind::doubling)
        special.note = "the motions of twice the period are not followed";
      else if (special.kind == SpecialKind::swinging && rest)
        special.note = "the periodic motions that begin are not followed";
      else if (special.kind == SpecialKind::torus)
        special.note = "the motions on the torus are not followed";
    }
  }
}

}  // namespace

Branches Follower::run() {
  Branches result;
  BranchPlace place{Eigen::Map<const VectorXd>(request_.orbit.y.data(), index(n_)), request_.orbit.period,
                    request_.from};
  size_ = std::max(unit_of_state(request_.orbit.tolerance), place.y.norm());
  const BranchPlace given = place;
  bool begins = correct_at(place, request_.from);
  if (!begins && request_.rest) {
    place = given;
    begins = come_to_rest(place) && correct_at(place, request_.from);
  }
  begins = begins && closes_again(place);
  auto direction = begins ? tangent(linear_) : std::nullopt;
  if (!direction) {
    result.failure = message_;
    restore();
    return result;
  }
  if (direction->parameter * (request_.to - request_.from) < 0) *direction = scaled(*direction, -1);
  first_size_ = size_;
  result.branches.push_back(follow(place, *direction));
  follow_crossings(result);
  restore();
  return result;
}

void Follower::follow_crossings(Branches& result) {
  constexpr std::size_t most_branches = 40;
  std::deque<Crossing> ahead;
  const auto take = [&](std::size_t branch) {
    for (Crossing& crossing : std::exchange(crossings_, {})) {
      crossing.branch = branch;
      const std::vector<SpecialPoint>& special = result.branches[branch].special;
      if (crossing.special >= special.size()) continue;  // those of a family count for nothing
      met_.push_back({crossing.at, special[crossing.special].at, branch});
      ahead.push_back(std::move(crossing));
    }
  };
  if (!request_.crossing) return crossings_.clear();
  for (take(0); !ahead.empty() && result.branches.size() < most_branches; ahead.pop_front()) {
    const Crossing crossing = ahead.front();
    std::vector<std::string> others;
    for (const double side : {1.0, -1.0}) {
      if (is_interrupted()) return;
      FamilyBranch other = follow_crossing(crossing, side);
      if (other.points.size() < 2) {
        crossings_.clear();
        continue;
      }
      const std::vector<Crossing> found = std::exchange(crossings_, {});
      compare(other, result.branches);
      const std::string known = std::to_string(other.like + 1);
      if (other.likeness == Likeness::same) {
        if (std::find(others.begin(), others.end(), known) == others.end()) others.push_back(known);
        continue;
      }
      if (other.likeness == Likeness::image)
        for (const Crossing& one : found)
          if (one.special < other.special.size())
            other.special[one.special].note = fmt::format("followed from branch {} alone", known);
      const bool is_new = other.likeness == Likeness::none;
      result.branches.push_back(std::move(other));
      others.push_back(std::to_string(result.branches.size()));
      if (is_new) crossings_ = found;
      take(result.branches.size() - 1);
    }
    std::string& note = result.branches[crossing.branch].special[crossing.special].note;
    if (!others.empty())
      note = fmt::format("followed as {} {}", others.size() > 1 ? "branches" : "branch",
                         fmt::join(others, " and "));
  }
}

namespace {

/// Between its last two points: the fold where it ends has been told.
bool has_just_turned(const FamilyBranch& branch) {
  return !branch.special.empty() && branch.special.back().kind == SpecialKind::fold &&
         branch.special.back().after + 2 >= branch.points.size();
}

}  // namespace

FamilyBranch Follower::follow(BranchPlace place, BranchPlace direction) {
  FamilyBranch branch;
  const double low = std::min(request_.from, request_.to), high = std::max(request_.from, request_.to);
  constexpr double shortest = 1e-7;
  double length = 0.01;
  branch.points.push_back(point_of(place));
  const std::vector<std::size_t> jumps = map_.jumps;
  const BranchPlace first_direction = direction;
  VectorXd flow = linear_.flow;
  Linear at_place = linear_;
  BranchPlace earlier = direction;  // before the last step, of which `walked` is the length
  double walked = 0;
  std::optional<bool> crossed;  // whether others cross near the place; not yet known
  // no shorter step is asked for where it is not decided
  const double undecided = request_.rest ? 1e-7 : 1e-6;
  Signs before = signs_of(branch.points.back(), direction);
  while (branch.points.size() < request_.max_points) {
    if (is_interrupted()) {
      branch.end = "interrupted";
      return branch;
    }
    const BranchPlace predicted = sum(place, scaled(direction, length));
    BranchPlace next = predicted;
    const bool found = correct(next, predicted, direction) && has_events(jumps);
    std::optional<BranchPlace> turned;
    if (found) turned = turned_from(direction);
    // a sharp turn is a longer way than it seems
    if (!found || product(*turned, direction) < 0.9) {
      length /= 2;
      if (length > shortest) continue;
      branch.end = found ? "the branch turns too sharply" : message_;
      // it turns back where it ends
      const double left = direction.parameter * walked / (earlier.parameter - direction.parameter);
      if (!found && left > 0 && left < 2 * std::max(walked, shortest) && !has_just_turned(branch))
        branch.special.push_back(
            {SpecialKind::fold, branch.points.back(), branch.points.size() - 1, "where the branch ends"});
      if (!found && request_.orbit.events && newton_failed_)
        branch.end += ": an impact or a reset may begin or end next to here, as where a motion only touches";
      return branch;
    }
    const bool is_asked = length > undecided;
    if (is_asked && !stays(place, at_place, direction, length, next, crossed)) {
      length /= 2;
      continue;
    }
    if (next.parameter < low || next.parameter > high) {
      end_at(branch, place, next, direction, before, next.parameter < low ? low : high);
      return branch;
    }
    if (!closes_again(next)) {
      branch.end = message_;
      return branch;
    }
    const BranchPoint point = point_of(next);
    const Signs now = signs_of(point, *turned);
    const bool may_jump = direction.parameter * turned->parameter > 0 && bends(direction, *turned, length);
    if ((are_several(before, now) || may_jump) && length > apart_) {  // shorter steps tell them apart
      length /= 2;
      continue;
    }
    if (const double part = turns_within(direction, length, *turned, next.parameter - place.parameter);
        part > 0 && is_asked) {
      length *= part;
      continue;
    }
    const Linear here = linear_;
    if (ends_at_rest(branch, place, flow, next)) return branch;
    if (is_closed(branch.points.front(), first_direction, place, next, *turned)) {
      branch.points.push_back(branch.points.front());
      branch.end = "the branch comes back to its first point";
      return branch;
    }
    if (const auto kind = change(before, now); kind && !meets_crossing(branch, place, next)) {
      const bool is_located = locate(place, direction, length, before, *kind, branch, point, now, *turned);
      if (!is_located && length > apart_) {  // the step may have gone over to another branch
        branch.special.pop_back();
        length /= 4;
        continue;
      }
    }
    linear_ = here;
    flow = here.flow;
    at_place = here;
    crossed.reset();
    branch.points.push_back(point);
    if (is_family(branch)) {
      branch.special.clear();
      branch.end = "a family at one value of the parameter";
      return branch;
    }
    before = now;
    place = next;
    earlier = std::exchange(direction, *turned);
    walked = length;
    measure_again(place, direction, length);
    // behind a narrow place steps become long again
    length = std::min(longest_step(place, direction), (is_asked && length < 1e-3 ? 2 : 1.3) * length);
  }
  branch.end = fmt::format("stopped after {} points, and it goes on", branch.points.size());
  return branch;
}

bool Follower::bends(const BranchPlace& one, const BranchPlace& two, double length) const {
  constexpr double least = 1e-4;  // a change of the state that is worth a shorter step
  const VectorXd a = in_units(one.y) / size_, b = in_units(two.y) / size_;
  if (a.norm() > 0.5 || b.norm() > 0.5) return false;  // the angle between them tells
  const double p = one.parameter / range_, q = two.parameter / range_;
  const double larger = std::max(a.norm() * std::abs(q), b.norm() * std::abs(p));
  return (a * q - b * p).norm() > 0.5 * larger + least * std::max(std::abs(p), std::abs(q)) / length;
}

void Follower::measure_again(const BranchPlace& place, BranchPlace& direction, double& length) {
  const double size = in_units(place.y).norm();
  if (size < 10 * size_) return;
  size_ = size;
  const double norm = std::sqrt(product(direction, direction));
  direction = scaled(direction, 1 / norm);
  length *= norm;
}

double Follower::longest_step(const BranchPlace& place, const BranchPlace& direction) const {
  constexpr double longest = 0.04;
  const double along = std::abs(direction.parameter) / range_;
  const double by_motion = longest * std::max(1.0, in_units(place.y).norm() / size_);
  return along > longest ? std::min(by_motion, std::max(longest, longest / along)) : by_motion;
}

void Follower::end_at(FamilyBranch& branch, const BranchPlace& place, const BranchPlace& next,
                      const BranchPlace& direction, const Signs& before, double bound) {
  const double part = (bound - place.parameter) / (next.parameter - place.parameter);
  BranchPlace last = sum(scaled(place, 1 - part), scaled(next, part));
  const std::vector<std::size_t> jumps = map_.jumps;
  if (!correct_at(last, bound) || !has_events(jumps) || !closes_again(last)) {
    branch.end = message_;
    return;
  }
  BranchPlace turned = turned_from(direction);
  // a family stands at this value, or another branch: the point of this one is between its others
  if (is_vague(direction)) {
    turned = direction;
    std::vector<Sample> samples{{0, place.parameter - bound, place}};
    const double length = product(direction, sum(next, scaled(place, -1)));
    samples.push_back({length, next.parameter - bound, next});
    add_samples(
        place, direction, part * length, length,
        [&](const BranchPlace& one) { return one.parameter - bound; }, samples);
    const auto zero = zero_between(samples);
    if (!zero) {
      branch.end = "the end of the range, where branches cross";
      return;
    }
    last = zero->place;
    last.parameter = bound;
    if (!linearise(last)) {
      branch.end = message_;
      return;
    }
  }
  const BranchPoint point = point_of(last);
  const Signs now = signs_of(point, turned);
  if (const auto kind = change(before, now))
    locate(place, direction, product(direction, sum(last, scaled(place, -1))), before, *kind, branch, point,
           now, turned);
  branch.points.push_back(point);
  branch.end = "the end of the range";
}

bool Follower::meets_crossing(FamilyBranch& branch, const BranchPlace& place, const BranchPlace& next) {
  const BranchPlace way = sum(next, scaled(place, -1));
  const double length = product(way, way);
  for (const auto& [at, point, other] : met_) {
    const BranchPlace to = sum(at, scaled(place, -1));
    const double part = product(to, way) / length;
    const BranchPlace beside = sum(to, scaled(way, -part));
    if (part < -0.1 || part > 1.1 || product(beside, beside) > 0.1 * length) continue;
    branch.special.push_back({SpecialKind::branching, point, branch.points.size() - 1,
                              fmt::format("where it crosses branch {}", other + 1)});
    return true;
  }
  return false;
}

FamilyBranch Follower::follow_crossing(const Crossing& crossing, double side) {
  size_ = first_size_;
  // branches may be much narrower than the unit
  for (const double distance : {0.01, 0.003, 0.03, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const double norm = std::sqrt(product(crossing.across, crossing.across));
    const BranchPlace direction = scaled(crossing.across, side / norm);
    const BranchPlace predicted = sum(crossing.at, scaled(direction, distance));
    BranchPlace place = predicted;
    if (!correct(place, predicted, direction)) continue;
    auto turned = kernel(linear_, 1).front();
    if (product(turned, direction) < 0) turned = scaled(turned, -1);
    if (product(turned, direction) < 0.3) continue;  // back on the branch that is known
    return follow(place, turned);
  }
  return {};
}

std::string name_of(SpecialKind kind) {
  switch (kind) {
    case SpecialKind::fold: return "fold";
    case SpecialKind::branching: return "branching";
    case SpecialKind::doubling: return "period doubling";
    case SpecialKind::torus: return "torus";
    case SpecialKind::swinging: break;
  }
  return "Hopf";
}

Branches follow_branches(const AssembledEquations& equations, Evaluator& evaluator,
                         PerturbationEquations& perturbation, const DoublePoint& values,
                         const BranchRequest& request, Expr energy) {
  Branches result = Follower(equations, evaluator, perturbation, values, request, energy).run();
  add_notes(result, request.rest);
  return result;
}

}  // namespace liaison
