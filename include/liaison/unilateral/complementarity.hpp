#ifndef LIAISON_UNILATERAL_COMPLEMENTARITY_HPP
#define LIAISON_UNILATERAL_COMPLEMENTARITY_HPP

#include <cstddef>
#include <stop_token>
#include <vector>

#include "liaison/expr/rational.hpp"

/// Linear complementarity, exactly: which of p unilateral constraints are kept at a state, and all the ways.
namespace liaison {

using RationalMatrix = std::vector<std::vector<Rational>>;

/// Factors lambda and rates of the relations a of p constraints of class U (rows G5.I-V3, G5.I-hypotheses):
///   a_k = drive_k + sum_h lambda_h r[h][k],   lambda >= 0,  a >= 0,  lambda_k a_k = 0.
struct Complementarity {
  RationalMatrix r;                                             ///< r[h][k] = i(e^h)da^k: force h, relation k
  std::vector<Rational> drive;                                  ///< i(E)da^k
  std::vector<std::size_t> no_factor = {}, no_separation = {};  ///< what is asked for: these are zero
  Rational noise = {};  ///< relative error of the entries: a sum that is smaller beside its terms is zero
};

/// a + b, or zero where only noise is left of them.
Rational sum_beside_noise(const Rational& a, const Rational& b, const Rational& noise);

/// The same for a sum of several terms: what they were is not forgotten where some of them cancel.
class SumBesideNoise {
 public:
  SumBesideNoise(const Rational& noise, Rational first);
  void add(const Rational& term);
  /// Terms that are not zero, of which nothing is left.
  bool cancels() const { return value().is_zero() && !size_.is_zero(); }
  Rational value() const;

 private:
  const Rational& noise_;
  Rational sum_, size_;
};

struct ComplementaryPoint {
  std::vector<Rational> factors;      ///< lambda, one a constraint
  std::vector<Rational> separations;  ///< a, one a constraint
};

/// The solutions that keep one set of constraints: a polyhedron, hull of its vertices plus cone of its rays.
struct ComplementarySet {
  std::vector<std::size_t> kept;  ///< with a positive factor somewhere in it, ascending
  std::vector<std::size_t>
      undecided;  ///< neither factor nor separation is positive anywhere in it: degenerate
  std::vector<ComplementaryPoint> vertices;  ///< at least one
  std::vector<ComplementaryPoint> rays;      ///< directions in which it goes on without end

  bool is_point() const { return vertices.size() == 1 && rays.empty(); }
  bool is_regular() const { return is_point() && undecided.empty(); }
};

struct EnumerationLimits {
  std::size_t nodes = 50'000'000;   ///< of the tree of hypotheses
  std::size_t generators = 20'000;  ///< vertices and rays of one family
  std::stop_token stop = {};
};

/// Every solution, each in exactly one maximal set; in order of the number of constraints kept, then of their
/// indices. Descends through the 2^p hypotheses and leaves a branch as soon as no lambda, a >= 0 are left in
/// it: where rounded numbers prove that (Farkas), else by exact linear programming. What is found is exact.
/// Throws limit_reached.
std::vector<ComplementarySet> all_solutions(const Complementarity& problem,
                                            const EnumerationLimits& limits = {});

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_COMPLEMENTARITY_HPP
