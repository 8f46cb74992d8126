#pragma once

#include <functional>
#include <string>
#include <vector>

#include "liaison/algebra/switching.hpp"
#include "liaison/mechanics/derived_quantities.hpp"

namespace liaison {

/// The same value at every state: where it jumps, with symbols replaced that a relation gives outright, so
/// that surfaces which are one are seen as one.
Expr on_solved_relations(const Motion& motion, Expr e);

/// Whether a quantity jumps where a motion comes to one of its switching surfaces.
class JumpSearch {
 public:
  /// Equality on states with accelerations and factors; refuted only where a motion certainly starts.
  using Compare = std::function<Verdict(Expr left, Expr right, const Region& motions)>;
  /// `motions`: the states with a motion at which the quantity has a value.
  JumpSearch(Algebra& algebra, const Motion& motion, DerivedQuantities& quantities, Region motions,
             Compare compare);

  /// What it is on a surface itself does not matter: a density may be anything there.
  void leave_out_surfaces() { with_surfaces_ = false; }

  /// Proved where it does not, whatever surfaces a motion comes to, and how.
  Verdict search(Expr kept, std::string& detail);

 private:
  Verdict across(const Switching& switching, Expr u, std::string& detail);
  std::vector<Expr> meeting(const Switching& switching, Expr u, const Region& on_u);
  bool is_one_where_they_meet(const Switching& switching, Expr u, const std::vector<Expr>& others,
                              const Region& on_u);
  bool is_one_on_all_sides(const Switching& switching, Switching::Sides sides, const Region& meeting);
  Expr in_motion(Expr e) { return quantities_.in_motion_variables(e).value_or(Expr()); }

  Algebra& algebra_;
  const Motion& motion_;
  DerivedQuantities& quantities_;
  Region motions_;
  Compare compare_;
  bool with_surfaces_ = true;
};

}  // namespace liaison
