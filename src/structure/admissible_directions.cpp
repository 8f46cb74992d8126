#include "admissible_directions.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

std::optional<AdmissibleDirections> admissible_directions(Algebra& algebra, const StateFlow& flow) {
  AdmissibleDirections result;
  Pool& pool = algebra.pool();
  const std::size_t time = flow.coframe->dimension() - 1, n = time - flow.velocities.size();
  Substitution at_rest;
  for (Expr velocity : flow.velocities) at_rest.emplace(velocity, pool.number(0));
  std::vector<Expr> drift(flow.coframe->dimension(), pool.number(0));
  std::vector<std::vector<Expr>> slopes(flow.velocities.size(), drift);
  for (std::size_t i = 0; i < n; ++i) {
    const Expr psi = flow.field.component(i);
    drift[i] = algebra.readable(substitute(psi, at_rest));
    for (std::size_t a = 0; a < flow.velocities.size(); ++a) {
      const Expr slope = algebra.readable(derivative(psi, flow.velocities[a]));
      for (Expr velocity : flow.velocities) {
        if (depends_on(slope, velocity)) return std::nullopt;  // not linear in these parameters
      }
      slopes[a][i] = slope;
      if (!depends_on(slope, flow.time)) continue;
      const Expr rate = algebra.readable(derivative(slope, flow.time));
      if (!rate.is_zero()) result.by_time.push_back(rate);
    }
    if (!drift[i].is_zero()) result.by_time.push_back(drift[i]);
    result.forms.push_back(i);
  }
  result.with_time = !result.by_time.empty();
  if (result.with_time) {
    drift[time] = pool.number(1);
    result.fields.emplace_back(flow.coframe, std::move(drift));
    result.forms.push_back(time);
  }
  for (auto& components : slopes) result.fields.emplace_back(flow.coframe, std::move(components));
  return result;
}

}  // namespace liaison
