#include "admissible_directions.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "quaternion_chart.hpp"

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

void leave_out_time_of_chart(Algebra& algebra, const StateFlow& flow, AdmissibleDirections& directions) {
  if (!directions.with_time || flow.motion->space.system->chart.parameters.empty()) return;
  Pool& pool = algebra.pool();
  const std::size_t r = flow.velocities.size(), n = directions.forms.size() - 1;
  Matrix all(pool, 2 * r + 1, n);  // slopes, the drift, rates of the slopes
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t i = 0; i < n; ++i) {
      all(a, i) = directions.fields[a + 1].component(i);
      all(r + 1 + a, i) = derivative(all(a, i), flow.time);
    }
  }
  for (std::size_t i = 0; i < n; ++i) all(r, i) = directions.fields[0].component(i);
  all = in_quaternion_chart(algebra, flow, std::move(all));
  Matrix slopes(pool, r, n);
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t i = 0; i < n; ++i) slopes(a, i) = all(a, i);
  }
  const NullSpaceResult covectors = null_space(algebra, slopes);
  directions.time_grade = covectors.grade;
  directions.by_time.clear();
  for (const std::vector<Expr>& covector : covectors.basis) {
    for (std::size_t row = r; row < all.rows; ++row) {
      Expr sum = pool.number(0);
      for (std::size_t i = 0; i < n; ++i) sum += covector[i] * all(row, i);
      const Verdict verdict = algebra.is_zero(sum);
      if (verdict.is_proved()) continue;
      if (verdict.is_refuted()) {
        directions.by_time.push_back(algebra.readable(sum));
      } else {
        directions.time_grade = Grade::unknown;
      }
    }
  }
  if (!directions.by_time.empty()) {
    directions.time_grade = Grade::proved;  // a covector that vanishes on all slopes and not on these
    return;
  }
  directions.divided = covectors.conditions;
  directions.with_time = false;
  directions.fields.erase(directions.fields.begin());
  directions.forms.pop_back();
}

}  // namespace liaison
