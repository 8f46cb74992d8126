#pragma once

#include <optional>
#include <span>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison {

/// The solution of n equations in n unknowns that lies next to a point, as balls of any precision. It exists
/// and is the only one in its box by Krawczyk's test: K(X) = m - C f(m) + (1 - C f'(X))(X - m) inside X.
/// (R. Krawczyk, Computing 4 (1969) 187-201.)
class Enclosure {
 public:
  /// `exact`: the values of all other symbols, constant expressions.
  Enclosure(std::vector<Expr> equations, std::vector<Expr> unknowns, Substitution exact);

  /// Newton's method from the point, then the test. No: nothing is certain about a solution there.
  bool certify(const DoublePoint& start);
  /// The exact symbols and the unknowns, with about that many bits; nothing where the precision could not be
  /// reached, or a value of the exact symbols does not exist.
  std::optional<BallPoint> at(long bits) const;
  const std::vector<Expr>& unknowns() const { return unknowns_; }
  const std::vector<Expr>& equations() const { return equations_; }
  const Substitution& exact() const { return exact_; }
  /// The unknowns in double.
  DoublePoint approximation() const;

 private:
  std::optional<BallPoint> exact_values(long bits) const;
  bool evaluate_at(const BallPoint& fixed, std::span<const Ball> x, long bits, bool with_slopes,
                   std::vector<Ball>& out) const;
  bool newton(const BallPoint& fixed, std::vector<Ball>& x, long bits) const;
  /// `image` has the solution; in `box`, which holds it, there is no other.
  struct Certificate {
    std::vector<Ball> box, image;
  };
  std::optional<Certificate> krawczyk(const BallPoint& fixed, const std::vector<Ball>& middle,
                                      long bits) const;
  std::optional<Certificate> solution(const std::vector<Ball>& start, long bits) const;
  bool has_no_cut(const BallPoint& point, long bits) const;

  std::vector<Expr> equations_, unknowns_, slopes_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< of the slopes in the Jacobian
  std::vector<Expr> angles_;  ///< atan2 and sign of unknowns: they jump, and their derivatives do not show it
  Substitution exact_;
  Certificate certificate_;  ///< empty: not certified
  long certified_bits_ = 0;
};

}  // namespace liaison
