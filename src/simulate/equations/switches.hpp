#pragma once

#include <unordered_map>
#include <vector>

#include "liaison/mechanics/assembled_equations.hpp"
#include "runner.hpp"

namespace liaison {

/// Whether the form of a node changes with the sign of an argument: abs, sign, min, max, atan2.
bool is_switch(Expr node);
/// At whose change of sign it does: of min and max the difference of the two.
Expr argument_of_switch(Expr node);
bool holds_switch_of(Expr e, Expr argument);

/// What changes its form where an argument changes its sign: abs, sign, min, max, and the jump of atan2. Such
/// a place is written with inputs for the side of its argument, so that between two changes the equations are
/// smooth, also a little beyond: a method that steps over a change sees no kink, and the change is found
/// where it is. Arguments that have switches in them are written with the sides of those: they jump only
/// where a side is changed.
class Switches {
 public:
  Switches() = default;

  /// The expression with sides in place of its switches. What could have no value beyond a change (a root of
  /// abs(x), min(x, 1/x)) stays as it is written, but its argument is an argument all the same; a nudge of
  /// the size of rounding takes it to the side on which the motion goes on from a change. A constant that is
  /// the larger or the smaller of two is exactly that on its side, and its root zero where it is zero.
  Expr hold(Expr e);
  void hold(std::vector<Expr>& es);
  void hold(SparseMatrix& matrix);

  bool empty() const { return arguments_.empty(); }
  std::size_t size() const { return arguments_.size(); }
  /// As they are written; those within an argument stand before it.
  const std::vector<Expr>& arguments() const { return arguments_; }
  /// The same with sides in them.
  const std::vector<Expr>& held_arguments() const { return held_arguments_; }
  /// Whether there are switches in an argument.
  bool is_nested(std::size_t argument) const { return nested_[argument]; }
  static constexpr std::size_t inputs_each = 4;
  /// Inputs of the expressions that were made: side (-1, 0, 1), below (1 or 0), above (1 or 0), nudge of
  /// each.
  const std::vector<Expr>& symbols() const { return symbols_; }
  /// Whether some switch of an argument stays as it is written.
  bool is_rough(std::size_t argument) const { return rough_[argument]; }
  static void write(double side, double nudge, double* inputs);

 private:
  std::size_t place_of(Expr argument, Expr held);
  Expr symbol(std::size_t place, std::size_t input) const { return symbols_[inputs_each * place + input]; }
  Expr held(Expr node, std::span<const Expr> args, bool delicate);
  Expr rough(Expr node, std::span<const Expr> args, std::size_t place) const;
  Expr root(Expr node, std::span<const Expr> args) const;

  std::vector<Expr> arguments_, held_arguments_, symbols_;
  std::vector<bool> rough_, nested_;
  std::unordered_map<Expr, std::size_t> places_;
  std::unordered_map<Expr, Expr> done_;
};

}  // namespace liaison
