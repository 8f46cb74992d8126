#include "other_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "box_search.hpp"
#include "liaison/algebra/real_roots.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion.hpp"
#include "state_choices.hpp"

namespace liaison {

namespace {

constexpr long bits_of_others = 256;
constexpr std::size_t most_boxes = 32;

/// Each alone, and with those of other unknowns.
void add_others(const std::vector<OpenValues>& others, std::vector<OpenValues>& found) {
  constexpr std::size_t most_others = 64;
  const std::size_t before = found.size();
  for (const OpenValues& other : others) {
    for (std::size_t i = 0; i < before && found.size() <= most_others; ++i) {
      const bool is_apart = std::none_of(found[i].begin(), found[i].end(), [&](const auto& one) {
        return std::any_of(other.begin(), other.end(),
                           [&](const auto& another) { return another.first == one.first; });
      });
      if (!is_apart) continue;
      found.push_back(found[i]);
      found.back().insert(found.back().end(), other.begin(), other.end());
    }
  }
}

/// A requirement on these values alone certainly fails.
bool is_outside(const Domain& domain, const BallPoint& point) {
  return std::any_of(domain.begin(), domain.end(), [&](const Requirement& requirement) {
    const BallValues found = evaluate_balls(std::span(&requirement.e, 1), point, bits_of_others);
    if (found.status == EvaluationStatus::outside_domain) return true;
    if (found.status != EvaluationStatus::ok || requirement.bound == Bound::nonzero) return false;
    return found.values[0].is_negative();
  });
}

/// What zeros may be measured by: the state, and the numbers in the equations, whichever of the many
/// solutions the state is.
SizeRange sizes_in(const OpenRelations& relations, double of_state) {
  constexpr double least = 1e-30, most = 1e30;
  SizeRange result{1, 1};
  const auto add = [&](double size) {
    if (!(size > least && size < most)) return;
    result.smallest = std::min(result.smallest, size);
    result.largest = std::max(result.largest, size);
  };
  add(of_state);
  for (Expr e : postorder(relations.equations)) {
    if (!e.is_number()) continue;
    const double size = std::abs(e.number().to_double());
    add(size);
    add(1 / size);
  }
  return result;
}

}  // namespace

OtherStates::OtherStates(Algebra& algebra, const System& system, const CertifiedState& state,
                         const Substitution& known, const OpenRelations& settled)
    : algebra_(algebra),
      system_(system),
      state_(state),
      balls_(state.at(bits_of_others)),
      known_(known),
      settled_(settled) {}

StateDoubt OtherStates::look_in(const OpenRelations& open) const {
  StateDoubt doubt;
  std::vector<OpenValues> found{{}};       // the state itself
  doubt.all = std::vector<BallPoint>{{}};  // as well
  for (const OpenRelations& part : parts_of(open)) {
    if (is_linear(part)) continue;
    if (const auto all = exactly(part)) {
      add_others(values_of(*all, part.unknowns), found);
      combine(part.unknowns, *all, doubt.all);
      continue;
    }
    std::string reason;
    std::vector<OpenRelations> seen;
    std::vector<Expr> left = part.unknowns;  // by what was found exactly
    for (const OpenRelations& closed : closed_parts(part)) {
      const bool holds_seen = std::any_of(seen.begin(), seen.end(), [&](const OpenRelations& other) {
        return std::all_of(other.unknowns.begin(), other.unknowns.end(),
                           [&](Expr unknown) { return is_among(closed.unknowns, unknown); });
      });
      if (const auto all = exactly(closed)) {
        add_others(values_of(*all, closed.unknowns), found);
        const bool is_apart = std::all_of(closed.unknowns.begin(), closed.unknowns.end(),
                                          [&](Expr unknown) { return is_among(left, unknown); });
        if (!is_apart) doubt.all.reset();
        combine(closed.unknowns, *all, doubt.all);
        std::erase_if(left, [&](Expr unknown) { return is_among(closed.unknowns, unknown); });
      } else if (!holds_seen) {
        add_others(in_boxes(closed, reason), found);
      } else {
        continue;
      }
      seen.push_back(closed);
    }
    if (!is_linear({part.equations, left})) doubt.all.reset();
    if (doubt.reason.empty())
      doubt.reason = fmt::format("it is not proved that the given values leave no other value of `{}`{}",
                                 (seen.empty() ? part : seen.front()).unknowns.front().symbol().name, reason);
  }
  doubt.others.assign(found.begin() + 1, found.end());
  if (doubt.all) doubt.all->erase(doubt.all->begin());
  if (doubt.others.empty()) return doubt;
  const auto& [symbol, value] = doubt.others.front().front();
  doubt.reason = fmt::format("{} = {:.6g} was chosen: {:.6g} is possible too", symbol.symbol().name,
                             state_.approximate.at(symbol), value);
  return doubt;
}

/// Every combination of the boxes so far with those of a part, the state itself among both and first.
void OtherStates::combine(const std::vector<Expr>& unknowns, const std::vector<BallPoint>& others,
                          std::optional<std::vector<BallPoint>>& all) const {
  if (!all) return;
  if (all->size() * (1 + others.size()) > most_boxes) {
    all.reset();
    return;
  }
  BallPoint own;
  for (Expr unknown : unknowns) own.emplace(unknown, balls_->at(unknown));
  std::vector<BallPoint> result;
  for (std::size_t i = 0; i <= others.size(); ++i) {
    for (const BallPoint& box : *all) {
      result.push_back(box);
      for (const auto& [symbol, value] : i == 0 ? own : others[i - 1])
        result.back().insert_or_assign(symbol, value);
    }
  }
  all = std::move(result);
}

/// In the order of the unknowns, those of the part first.
std::vector<OpenValues> OtherStates::values_of(const std::vector<BallPoint>& boxes,
                                               const std::vector<Expr>& of_part) const {
  std::vector<OpenValues> result;
  for (const BallPoint& box : boxes) {
    result.emplace_back();
    for (const auto* unknowns : {&of_part, &settled_.unknowns}) {
      for (Expr symbol : *unknowns) {
        if (const auto found = box.find(symbol); found != box.end())
          result.back().emplace_back(symbol, found->second.mid());
      }
    }
  }
  return result;
}

std::optional<std::vector<BallPoint>> OtherStates::exactly(OpenRelations part) const {
  constexpr std::size_t most_unknowns = 6;
  const bool holds_settled =
      std::any_of(settled_.unknowns.begin(), settled_.unknowns.end(), [&](Expr symbol) {
        return std::any_of(part.equations.begin(), part.equations.end(),
                           [&](Expr equation) { return depends_on(equation, symbol); });
      });
  if (holds_settled) {  // numbers that have no exact form here
    part.unknowns.insert(part.unknowns.end(), settled_.unknowns.begin(), settled_.unknowns.end());
    for (Expr equation : substitute(settled_.equations, known_)) part.equations.push_back(equation);
  }
  if (!balls_ || part.unknowns.size() > most_unknowns) return std::nullopt;
  const auto boxes = real_solutions(algebra_, part.equations, part.unknowns, bits_of_others);
  if (!boxes) return std::nullopt;
  Domain domain = system_.domain;
  for (Requirement& requirement : domain) requirement.e = substitute(requirement.e, known_);
  std::vector<BallPoint> result;
  std::size_t met = 0;  // one that lies next to the state may be another
  for (const std::vector<Ball>& box : *boxes) {
    BallPoint point;
    bool is_state = true;
    for (std::size_t i = 0; i < box.size(); ++i) {
      is_state = is_state && overlaps(box[i], balls_->at(part.unknowns[i]));
      point.emplace(part.unknowns[i], box[i]);
    }
    if (is_state) ++met;
    if (!is_state && !is_outside(domain, point)) result.push_back(std::move(point));
  }
  return met == 1 ? std::optional(std::move(result)) : std::nullopt;
}

/// Newton's method from every place where the equations may vanish.
std::vector<OpenValues> OtherStates::in_boxes(const OpenRelations& least, std::string& reason) const {
  constexpr std::size_t most_unknowns = 3, most_others = 8;
  std::vector<OpenValues> result;
  const std::vector<Expr>& unknowns = least.unknowns;
  if (unknowns.size() > most_unknowns || !balls_) return result;
  BallPoint given = *balls_;
  double size = 0;
  for (Expr unknown : unknowns) {
    given.erase(unknown);
    size = std::max(size, std::abs(state_.approximate.at(unknown)));
  }
  const BoxSearch found = places_of_zeros(least.equations, unknowns, given, sizes_in(least, size));
  const NumericEquations equations(least.equations, unknowns);
  for (const std::vector<double>& place : found.places) {
    if (result.size() == most_others) break;
    DoublePoint point = state_.approximate;
    for (std::size_t i = 0; i < unknowns.size(); ++i) point[unknowns[i]] = place[i];
    if (is_other_solution(equations, point, result)) {
      result.emplace_back();
      for (Expr unknown : unknowns) result.back().emplace_back(unknown, point.at(unknown));
    }
  }
  if (result.empty())
    reason = fmt::format(": none was found {}between {:.3g} and {:.3g}", found.is_complete ? "" : "in boxes ",
                         -found.reach, found.reach);
  return result;
}

bool OtherStates::is_other_solution(const NumericEquations& equations, DoublePoint& point,
                                    const std::vector<OpenValues>& known) const {
  constexpr double small = 1e-9, different = 1e-6;
  if (!solve_least_change(equations, point).converged) return false;
  const NumericEquations::Values values = equations.at(point);
  if (!values.failure.empty() || equations.are_below_doubles(point)) return false;
  for (Eigen::Index k = 0; k < values.residual.size(); ++k) {
    if (!(std::abs(values.residual(k)) <= small * values.size(k))) return false;
  }
  for (const Requirement& requirement : system_.domain) {
    const DoubleValues needed = evaluate(std::span(&requirement.e, 1), point);
    if (needed.status != EvaluationStatus::ok) return false;
    if (requirement.bound != Bound::nonzero && needed.values[0] < 0) return false;
  }
  const auto is_far = [&](Expr unknown, double other) {
    const double value = point.at(unknown), largest = std::max(std::abs(value), std::abs(other));
    return std::abs(value - other) > std::max(different * largest, small * size_beside(unknown, point));
  };
  const std::vector<Expr>& unknowns = equations.unknowns();
  const auto differs = [&](auto value_of) {
    return std::any_of(unknowns.begin(), unknowns.end(),
                       [&](Expr unknown) { return is_far(unknown, value_of(unknown)); });
  };
  if (!differs([&](Expr unknown) { return state_.approximate.at(unknown); })) return false;
  return std::all_of(known.begin(), known.end(), [&](const OpenValues& other) {
    return differs([&](Expr unknown) {
      return std::find_if(other.begin(), other.end(), [&](const auto& one) { return one.first == unknown; })
          ->second;
    });
  });
}

std::vector<StateElsewhere> states_elsewhere(const Motion& motion, const Claim& claim,
                                             const CertifiedState& state, const StateDoubt& doubt,
                                             Expr about) {
  std::vector<StateElsewhere> result;
  for (const auto& values : doubt.others) {
    StateRequest request = state_request(*motion.space.system, claim);
    request.given.insert(request.given.end(), values.begin(), values.end());
    CompletedState other = complete_state(motion, request);
    if (!other.ok()) continue;
    const auto distance = [&](const auto& one) {
      const bool is_meant = about.empty() || depends_on(about, one.first);
      return std::pair(is_meant, std::abs(one.second - state.approximate.at(one.first)));
    };
    const auto moved = std::max_element(values.begin(), values.end(), [&](const auto& a, const auto& b) {
      return distance(a) < distance(b);
    });
    result.push_back(
        {fmt::format("{} = {:.6g}", moved->first.symbol().name, moved->second), std::move(other.values)});
  }
  return result;
}

}  // namespace liaison
