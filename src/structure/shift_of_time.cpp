#include "shift_of_time.hpp"

#include <algorithm>

#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/forms/calculus.hpp"

namespace liaison {

std::optional<VectorField> shift_of_time(Algebra& algebra, const StateFlow& flow) {
  if (flow.motion->space.system->chart.parameters.empty()) return std::nullopt;
  const std::size_t last = flow.coframe->dimension() - 1, r = flow.velocities.size(), n = last - r;
  Matrix slopes(algebra.pool(), n, r);
  std::vector<Expr> rates, components(flow.coframe->dimension(), algebra.pool().number(0));
  for (std::size_t i = 0; i < n; ++i) {
    rates.push_back(-derivative(flow.field.component(i), flow.time));
    for (std::size_t a = 0; a < r; ++a)
      slopes(i, a) = derivative(flow.field.component(i), flow.velocities[a]);
  }
  const SolveResult solved = solve(algebra, slopes, rates);
  if (solved.status == SolveStatus::inconsistent) return std::nullopt;
  for (std::size_t a = 0; a < r; ++a) components[n + a] = solved.x[a];
  components[last] = algebra.pool().number(1);
  VectorField shift(flow.coframe, std::move(components));
  const VectorField change = bracket(shift, flow.field);
  const Region positions = flow.unit_quaternions();
  const bool is_kept = std::all_of(change.components().begin(), change.components().end(),
                                   [&](Expr e) { return e.is_zero() || algebra.follows(e, positions); });
  if (!is_kept) return std::nullopt;
  return shift;
}

}  // namespace liaison
