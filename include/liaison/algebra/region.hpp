#ifndef LIAISON_ALGEBRA_REGION_HPP
#define LIAISON_ALGEBRA_REGION_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "liaison/algebra/certainty.hpp"
#include "liaison/expr/domain.hpp"

namespace liaison {

class Algebra;
struct Candidate;

/// A set of real points: the values of symbols (positive ones > 0) at which every equation is zero, every
/// requirement holds, and every expression that is asked about has a value. It may have several components,
/// of different dimension, or no point at all.
struct Region {
  std::vector<Expr> equations;  ///< each = 0
  Domain domain;
  std::vector<Expr> assumed;  ///< taken not to vanish (det r): a statement says nothing where one does
};

/// A point that certainly lies in a region: the free symbols have exact values; the others are the only
/// solution of as many equations in a box (Krawczyk's test in balls), and the rest of the equations follow
/// from these (proved).
struct RegionPoint {
  std::vector<std::pair<Expr, Rational>> given;  ///< symbols, and unknown functions at their arguments
  std::vector<std::pair<Expr, Ball>> solved;
  std::vector<std::size_t> rows;                 ///< of the equations that determine `solved`, one each
  std::shared_ptr<const Candidate> certificate;  ///< from which `solved` is sharpened
  /// As a witness prints it: exact values, and 17 digits of the others.
  std::vector<std::pair<Expr, Rational>> printed() const;
};

/// What a witness prints of a value that is enclosed: 17 digits.
Rational printed_value(const Ball& ball);

class NaturalUnits;

struct PointOptions {
  std::uint64_t seed = 20'260'101;
  int tries = 60;                       ///< starts for one point
  const NaturalUnits* units = nullptr;  ///< other than those in which the covered ranges are told
};

/// Finds certified points of a region, the same ones for the same seed. They are not confined to a box around
/// zero: starts come from several scales, from both sides of where the arguments of pieces (abs, sign, min,
/// max, roots, denominators, logarithms) vanish, then from growing boxes.
class PointFinder {
 public:
  /// `asked`: expressions that must have a value at each point, arguments of unknown functions included.
  PointFinder(Algebra& algebra, const Region& region, std::span<const Expr> asked, PointOptions options = {});
  ~PointFinder();
  PointFinder(const PointFinder&) = delete;
  PointFinder& operator=(const PointFinder&) = delete;

  /// Proves that an equation holds wherever the others do, except perhaps on some sets, each given by
  /// equations. Asked where the finder itself cannot see it; a point that certainly lies on none of the sets
  /// is one at which it holds. Without it only multiples and rational combinations are seen.
  struct Following {
    bool is_known = false;
    std::vector<std::vector<Expr>> unless;
  };
  using Follows = std::function<Following(std::size_t row, std::span<const std::size_t> others)>;
  void set_follows(Follows follows);

  /// The next point; nothing after some failed tries, and `failure` says what failed last. Points cycle
  /// through the sides of the switching surfaces, so that a few of them see every piece.
  std::optional<RegionPoint> next();
  /// A point with e > 0, e < 0 or e = 0 (side 1, -1, 0), certified.
  std::optional<RegionPoint> next_on_side(Expr e, int side);
  /// Enclosures at a point with at least `bits`, the solved symbols sharpened accordingly; nothing where an
  /// expression has no value, or none at this precision.
  std::optional<std::vector<Ball>> values(const RegionPoint& point, std::span<const Expr> es,
                                          long bits) const;
  const std::string& failure() const;
  /// The values covered so far, for a person: "-3.1 <= x <= 10, 0 < m <= 40".
  std::string covered() const;

 private:
  struct Search;
  std::unique_ptr<Search> search_;
};

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_REGION_HPP
