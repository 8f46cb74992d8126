#include "liaison/mechanics/rounding.hpp"

#include <cmath>
#include <limits>

namespace liaison {

bool is_zero_to_rounding(Expr e, const DoublePoint& at) {
  std::vector<Expr> terms{e};
  if (e.is(Op::add)) terms.insert(terms.end(), e.args().begin(), e.args().end());
  const DoubleValues found = evaluate(terms, at);
  if (found.status != EvaluationStatus::ok) return false;
  double size = 0;
  for (std::size_t k = 1; k < found.values.size(); ++k) size += std::abs(found.values[k]);
  return std::abs(found.values[0]) <= 4 * std::numeric_limits<double>::epsilon() * size;
}

}  // namespace liaison
