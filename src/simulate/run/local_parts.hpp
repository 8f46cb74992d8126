#pragma once

#include <span>
#include <vector>

#include "interval.hpp"
#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// Parts of expressions that may do something within a short way of the state: exp, tanh, atan, sin, cos,
/// logarithms, roots and quotients. Where the argument of a part moves over many of its own lengths between
/// two samples there may be a hill, a wall or a peak that neither shows.
class LocalParts {
 public:
  LocalParts() = default;
  /// The parts in which there is something of the state and no unknown; `further` are enclosed with them.
  LocalParts(const Evaluator& evaluator, std::span<const Expr> expressions,
             std::span<const Expr> further = {});

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  Expr operator[](std::size_t part) const { return nodes_[part]; }

  /// Whether all are short over a box, which is enclosed only where some are not.
  bool are_short(std::span<const Interval> box);
  /// Over a box: the time, then the state.
  void enclose(std::span<const Interval> box) { enclosures_.run(box); }
  Interval range(std::size_t part) const { return enclosures_.output(part); }
  Interval further(std::size_t k) const { return enclosures_.output(2 * nodes_.size() + k); }
  /// Whether the argument moves over so little that there is no room for a feature.
  bool is_short(std::size_t part) const;

 private:
  bool is_short(std::size_t part, Interval argument) const;

  std::vector<Expr> nodes_;
  IntervalProgram arguments_;   ///< by themselves
  IntervalProgram enclosures_;  ///< of the parts, then of their arguments, then what is further asked for
};

/// The time, then the numbers of the state.
std::vector<Expr> variables_of(const Evaluator& evaluator);
/// Whether the time, the state and the parameters give an expression its value.
bool has_value_by_state(const Evaluator& evaluator, Expr e);

}  // namespace liaison
