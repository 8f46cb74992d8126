#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison {

/// What values are drawn for: the symbols of some expressions, and each unknown function at its arguments,
/// for which a hidden symbol stands. The values of an unknown function and of its derivatives at one point
/// are free (there is a smooth function with any finite set of Taylor coefficients at different points);
/// where its arguments cannot be told apart it takes the same value.
class Slots {
 public:
  Slots(Pool& pool, std::span<const Expr> es);

  struct Slot {
    Expr original;
    Expr symbol;                  ///< the original itself, or its stand-in
    std::vector<Expr> arguments;  ///< over the symbols of earlier slots; empty for symbols
    bool is_function() const { return original.is(Op::apply); }
    bool is_positive() const { return !is_function() && original.symbol().positive; }
  };
  std::size_t size() const { return slots_.size(); }
  const Slot& operator[](std::size_t i) const { return slots_[i]; }
  const std::vector<Slot>& all() const { return slots_; }
  std::span<const Expr> symbols() const { return symbols_; }

  /// With the hidden symbols in place of unknown functions.
  Expr hide(Expr e) const;
  std::vector<Expr> hide(std::span<const Expr> es) const;

  /// Every symbol of a hidden expression is one of the slots, and no unknown function is left.
  bool covers(Expr hidden) const;

  /// The value that the function of slot i must take because another slot, whose value is in `known`, has the
  /// same arguments; `clash` if it could be that of two which differ.
  struct Forced {
    std::optional<std::size_t> slot;
    bool clash = false;
  };
  Forced forced_value(std::size_t i, const BallPoint& known, std::span<const std::optional<Rational>> values,
                      long bits) const;

 private:
  bool may_be_equal(std::size_t i, std::size_t k, const BallPoint& known, long bits) const;

  std::vector<Slot> slots_;
  std::vector<Expr> symbols_;
  Substitution stand_ins_;
};

}  // namespace liaison
