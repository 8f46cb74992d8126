#include "liaison/mechanics/motion_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/states.hpp"

namespace liaison {

namespace {

/// The motion changes with what no relation determines. A direction is known to rounding of its largest
/// factor, each measured by what moves its own relation, whatever their units.
bool moves_along(const StateValues& values, const std::vector<double>& open) {
  constexpr double rounding = 1e-9;
  std::vector<double> unit(open.size(), 0);
  double largest = 0;
  for (std::size_t h = 0; h < open.size(); ++h) {
    const double own = h < values.r[h].size() ? std::sqrt(std::abs(values.r[h][h])) : 0;
    if (own > 0) unit[h] = 1 / own;
    largest = std::max(largest, std::abs(open[h]) * own);
  }
  const std::size_t count = values.fields.empty() ? 0 : values.fields.front().size();
  for (std::size_t a = 0; a < count; ++a) {
    double sum = 0, size = 0;
    for (std::size_t h = 0; h < open.size(); ++h) {
      sum += open[h] * values.fields[h][a];
      size += std::max(std::abs(open[h]), largest * unit[h]) * std::abs(values.fields[h][a]);
    }
    if (std::abs(sum) > rounding * size) return true;
  }
  return false;
}

bool is_open(const Motion& motion, std::size_t h) {
  return std::any_of(motion.free_factors.begin(), motion.free_factors.end(),
                     [&](const std::vector<Expr>& direction) { return !direction[h].is_zero(); });
}

bool moves_on_open_factors(const Motion& motion) {
  return std::any_of(
      motion.constraints.begin(), motion.constraints.end(), [&](const ConstraintField& constraint) {
        return std::any_of(motion.acceleration.begin(), motion.acceleration.end(),
                           [&](Expr component) { return depends_on(component, constraint.factor); });
      });
}

std::string open_factors(const Motion& motion) {
  std::vector<std::string> names;
  for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
    if (is_open(motion, h)) names.push_back(fmt::format("lambda({})", motion.constraints[h].name));
  }
  if (names.size() == 1) return names.front() + " is open";
  std::string last;
  if (!names.empty()) {
    last = names.back();
    names.pop_back();
  }
  return fmt::format("{} and {} are open", fmt::join(names, ", "), last);
}

/// "a(c) - 2*a(d)".
std::string combination(const Motion& motion) {
  std::string text;
  for (std::size_t k = 0; k < motion.certificate.size(); ++k) {
    const Expr weight = motion.certificate[k];
    if (weight.is_zero()) continue;
    const bool minus = has_negative_lead(weight) && !weight.is(Op::add);
    const Expr size = minus ? -weight : weight;
    const std::string factor = size.is_one()      ? ""
                               : size.is(Op::add) ? "(" + to_infix(size) + ")*"
                                                  : to_infix(size) + "*";
    const std::string sign = text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    text += fmt::format("{}{}a({})", sign, factor, motion.constraints[k].name);
  }
  return text;
}

}  // namespace

std::string name_of(MotionKind kind) {
  switch (kind) {
    case MotionKind::regular: return "regular";
    case MotionKind::redundant: return "redundant";
    case MotionKind::contradictory: return "contradictory";
    case MotionKind::undetermined: break;
  }
  return "undetermined";
}

std::string in_words(MotionKind kind) {
  switch (kind) {
    case MotionKind::redundant: return "redundant but consistent";
    case MotionKind::undetermined: return "undetermined motion";
    default: return name_of(kind);
  }
}

std::optional<MotionKind> kind_of(const Motion& motion) {
  switch (motion.status) {
    case FactorStatus::none:
    case FactorStatus::determined: return MotionKind::regular;
    case FactorStatus::incompatible: return MotionKind::contradictory;
    case FactorStatus::singular_mass: return MotionKind::undetermined;
    case FactorStatus::undetermined:
      return moves_on_open_factors(motion) ? MotionKind::undetermined : MotionKind::redundant;
    case FactorStatus::implicit:
    case FactorStatus::not_solved: break;
  }
  return std::nullopt;
}

MotionKind kind_of(const StateValues& values) {
  if (values.compatible) return MotionKind::regular;
  if (values.motions.empty() && values.open.empty()) return MotionKind::contradictory;
  if (values.motions.size() != 1) return MotionKind::undetermined;
  if (values.open.empty()) return MotionKind::regular;  // by the second derivative
  const bool moves = std::any_of(values.open.begin(), values.open.end(),
                                 [&](const std::vector<double>& open) { return moves_along(values, open); });
  return moves ? MotionKind::undetermined : MotionKind::redundant;
}

bool has_no_motion(Algebra& algebra, const Motion& motion) {
  if (motion.relation_count == 0) return false;
  const Expr zero = algebra.pool().number(0);
  return algebra.are_equal(zero, zero, motions_of(algebra, motion)).grade == Grade::empty;
}

std::string describe_kind(const Motion& motion) {
  const auto kind = kind_of(motion);
  if (!kind) return {};
  switch (*kind) {
    case MotionKind::regular: break;
    case MotionKind::redundant:
      return fmt::format("{}: the motion is unique, {}", in_words(*kind), open_factors(motion));
    case MotionKind::contradictory:
      return fmt::format("{}: no factors keep {}", in_words(*kind), combination(motion));
    case MotionKind::undetermined:
      return fmt::format("{}: {}", in_words(*kind),
                         motion.status == FactorStatus::singular_mass
                             ? "the mass matrix is singular"
                             : open_factors(motion) + ", and so is the motion");
  }
  return in_words(*kind);
}

}  // namespace liaison
