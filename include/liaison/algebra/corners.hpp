#ifndef LIAISON_ALGEBRA_CORNERS_HPP
#define LIAISON_ALGEBRA_CORNERS_HPP

#include <memory>
#include <vector>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// Of one expression with one piece or thousands.
class SmoothnessTest {
 public:
  SmoothnessTest(Algebra& algebra, Expr e);
  ~SmoothnessTest();
  /// The derivatives of e up to an order, by all of its symbols but parameters, are continuous across u = 0,
  /// an argument of its pieces (proved): both pieces and their derivatives agree wherever u vanishes. So it
  /// is for x*abs(x) across x = 0 to the first order.
  bool is_smooth_across(Expr u, int order) const;

 private:
  class Index;
  Algebra& algebra_;
  std::unique_ptr<Index> index_;
};

/// The arguments of pieces of e, sign, abs, min and max, that move and are not known to be so.
std::vector<Expr> corners(Algebra& algebra, Expr e, int order);

}  // namespace liaison

#endif  // LIAISON_ALGEBRA_CORNERS_HPP
