#include "holonomic_factors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/algebra/factors.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// The factors of one relation beside all others.
class FactoredRelation {
 public:
  FactoredRelation(Algebra& algebra, const Motion& motion, const ConstraintField& constraint,
                   std::vector<Expr> factors)
      : algebra_(algebra),
        motion_(motion),
        place_(static_cast<std::size_t>(&constraint - motion.constraints.data())),
        factors_(std::move(factors)) {
    leave_out_contained();
  }

  /// Of each factor; nothing where none has states.
  std::optional<Verdict> decide(const Claim& claim, std::string& detail) {
    std::optional<Verdict> whole;
    for (const Expr factor : factors_) {
      ClaimResult result = check(with(factor), claim);
      if (result.verdict.is_refuted()) result = beside_others(factor, claim, std::move(result));
      if (result.verdict.grade == Grade::empty) continue;
      if (result.verdict.is_refuted())
        detail = fmt::format("{}, where {} = 0", result.detail, to_infix(factor));
      whole = whole ? conjunction(std::move(*whole), std::move(result.verdict)) : std::move(result.verdict);
      if (whole->is_refuted()) break;
    }
    return whole;
  }

 private:
  ClaimResult check(const Motion& component, const Claim& claim) {
    return ClaimChecker(algebra_, component).check(claim);
  }

  /// The model with the factor for the relation.
  Motion with(Expr factor) const {
    const StateSpace& space = motion_.space;
    Motion component = motion_;
    ConstraintField& part = component.constraints[place_];
    const bool is_level = std::none_of(space.parameters.begin(), space.parameters.end(),
                                       [&](Expr u) { return depends_on(factor, u); });
    part.level = is_level ? factor : Expr{};
    part.relation = is_level ? space.in_parameters(time_derivative(*space.system, factor)) : factor;
    RelationRate rate = derive_relation_rate(space, part.relation);
    part.gradient = std::move(rate.gradient);
    part.bias = rate.bias;
    return component;
  }

  Expr product_without(Expr factor) const {
    Expr product = algebra_.pool().number(1);
    for (const Expr other : factors_) {
      if (other != factor) product = product * other;
    }
    return product;
  }

  /// One after the other: a factor on whose states the product of those left vanishes has no component of its
  /// own. Where a factor follows from the other relations, so does the product.
  void leave_out_contained() {
    for (std::size_t k = 0; k < factors_.size() && factors_.size() > 1;) {
      if (algebra_.follows(product_without(factors_[k]), states_of(with(factors_[k])))) {
        factors_.erase(factors_.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }

  /// A refutation is one of the relation where no other factor vanishes: elsewhere states of this factor may
  /// be no component, but lie on one of another.
  ClaimResult beside_others(Expr factor, const Claim& claim, ClaimResult refuted) {
    if (factors_.size() < 2) return refuted;
    System own = *motion_.space.system;
    own.domain.push_back({product_without(factor), Bound::nonzero});
    Motion component = with(factor);
    component.space.system = &own;
    ClaimResult result = check(component, claim);
    if (!result.verdict.is_refuted())
      result.verdict = Verdict::of(
          Grade::unknown,
          fmt::format("d of a relation leaves the ideal where {} = 0, on states that may be no component",
                      to_infix(factor)));
    return result;
  }

  Algebra& algebra_;
  const Motion& motion_;
  std::size_t place_;
  std::vector<Expr> factors_;
};

}  // namespace

std::optional<Verdict> holonomic_by_factors(Algebra& algebra, const Motion& motion,
                                            const std::vector<const ConstraintField*>& asked,
                                            std::string& detail) {
  const StateSpace& space = motion.space;
  Claim claim;
  claim.kind = ClaimKind::holonomic;
  for (const ConstraintField* constraint : asked) claim.constraints.push_back(constraint->name);
  for (const ConstraintField* constraint : asked) {
    if (linear_coefficients(constraint->relation, space.parameters)) continue;
    std::vector<Expr> factors = factors_of(algebra, constraint->relation);
    // a power of one factor is that factor where it is of degree one
    if (factors.size() < 2 && (factors.empty() || !linear_coefficients(factors[0], space.parameters)))
      continue;
    return FactoredRelation(algebra, motion, *constraint, std::move(factors)).decide(claim, detail);
  }
  return std::nullopt;
}

}  // namespace liaison
