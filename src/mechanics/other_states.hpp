#pragma once

#include "least_change.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/system.hpp"
#include "only_state.hpp"
#include "open_relations.hpp"

namespace liaison {

/// Other solutions of relations than those that a certified state has.
class OtherStates {
 public:
  /// `known`: what is known as a number; `settled`: what has one value too, with the equations that give it.
  OtherStates(Algebra& algebra, const System& system, const CertifiedState& state, const Substitution& known,
              const OpenRelations& settled);

  /// Every other real solution of polynomial equations in which all that the model holds has a value.
  std::optional<std::vector<BallPoint>> exactly(OpenRelations part) const;
  /// Other values of what is open, of each part that is tied together, and of the parts with each other.
  StateDoubt look_in(const OpenRelations& open) const;

 private:
  void combine(const std::vector<Expr>& unknowns, const std::vector<BallPoint>& others,
               std::optional<std::vector<BallPoint>>& all) const;
  std::vector<OpenValues> values_of(const std::vector<BallPoint>& boxes,
                                    const std::vector<Expr>& of_part) const;
  std::vector<OpenValues> in_boxes(const OpenRelations& least, std::string& reason) const;
  bool is_other_solution(const NumericEquations& equations, DoublePoint& point,
                         const std::vector<OpenValues>& known) const;

  Algebra& algebra_;
  const System& system_;
  const CertifiedState& state_;
  std::optional<BallPoint> balls_;
  const Substitution& known_;
  const OpenRelations& settled_;
};

/// Another state with the values that a claim gives.
struct StateElsewhere {
  std::string where;  ///< "x = 2": what moved most, of what is asked about if it did
  DoublePoint values;
};
std::vector<StateElsewhere> states_elsewhere(const Motion& motion, const Claim& claim,
                                             const CertifiedState& state, const StateDoubt& doubt,
                                             Expr about);

}  // namespace liaison
