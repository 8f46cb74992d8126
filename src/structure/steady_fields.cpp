#include "steady_fields.hpp"

#include <algorithm>
#include <map>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/structure/symmetries.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_monomials = 20'000;
constexpr std::size_t max_positions = 12;

/// A field on V, on positions, quaternions and velocity parameters.
std::vector<Expr> on_state(const StateSpace& space, const VectorField& field,
                           const ManifoldEquations& equations) {
  const System& system = *space.system;
  Substitution rates;
  for (std::size_t i = 0; i < space.size(); ++i)
    rates.emplace(system.directions[i].velocity, field.component(space.configuration_form(i)));
  std::vector<Expr> result;
  for (Expr place : equations.places) {
    for (std::size_t i = 0; i < space.size(); ++i) {
      if (system.directions[i].coordinate == place)
        result.push_back(field.component(space.configuration_form(i)));
    }
    for (const Rotation& rotation : system.rotations) {
      const auto moved = quaternion_rates(system, rotation);
      for (std::size_t k = 0; k < 4; ++k)
        if (rotation.quaternion[k] == place) result.push_back(substitute(moved[k], rates));
    }
  }
  for (std::size_t a = 0; a < space.size(); ++a) result.push_back(field.component(space.velocity_form(a)));
  return result;
}

/// Turns and shifts with unknown coefficients, which must change none of the functions.
class LinearFields {
 public:
  LinearFields(Algebra& algebra, const StateFlow& flow, const ManifoldEquations& equations,
               const Substitution& values)
      : algebra_(algebra), flow_(flow), equations_(equations), values_(values) {}

  std::vector<std::vector<Expr>> run() {
    const System& system = *flow_.motion->space.system;
    const bool is_plain =
        std::all_of(system.forces.begin(), system.forces.end(), [](Expr e) { return e.is_zero(); }) &&
        std::all_of(system.constraints.begin(), system.constraints.end(),
                    [](const Constraint& c) { return c.power_kind == PowerKind::ideal; }) &&
        system.reactions.empty() && flow_.motion->space.parameters == velocities_of(system) &&
        flow_.positions.size() <= max_positions;
    if (!is_plain) return {};
    for (std::size_t a = 0; a < flow_.positions.size(); ++a) {
      add_shift(a);
      for (std::size_t b = a + 1; b < flow_.positions.size(); ++b) add_turn(a, b);
    }
    std::vector<Expr> kept = equations_.levels;
    kept.insert(kept.end(), equations_.speeds.begin(), equations_.speeds.end());
    kept.push_back(substitute(system.kinetic, values_));
    kept.push_back(substitute(system.potential, values_));
    std::vector<std::vector<Expr>> rows;
    for (Expr function : kept)
      if (!add_conditions(function, rows)) return {};
    return combinations(rows);
  }

 private:
  static std::vector<Expr> velocities_of(const System& system) {
    std::vector<Expr> result;
    for (const Direction& direction : system.directions) result.push_back(direction.velocity);
    return result;
  }

  std::vector<Expr> zeros() const {
    return std::vector<Expr>(equations_.places.size() + equations_.velocities.size(),
                             algebra_.pool().number(0));
  }
  std::size_t place_of(Expr position) const {
    return static_cast<std::size_t>(std::find(equations_.places.begin(), equations_.places.end(), position) -
                                    equations_.places.begin());
  }
  /// Of x' beside that of x.
  std::size_t velocity_of(Expr position) const {
    const System& system = *flow_.motion->space.system;
    std::size_t i = 0;
    while (system.directions[i].coordinate != position) ++i;
    return equations_.places.size() + i;
  }

  bool is_state(Expr position) const { return place_of(position) < equations_.places.size(); }

  void add_shift(std::size_t a) {
    if (!is_state(flow_.positions[a])) return;
    fields_.push_back(zeros());
    fields_.back()[place_of(flow_.positions[a])] = algebra_.pool().number(1);
  }
  void add_turn(std::size_t a, std::size_t b) {
    const Expr x = flow_.positions[a], y = flow_.positions[b];
    if (!is_state(x) || !is_state(y)) return;
    fields_.push_back(zeros());
    const std::size_t vx = velocity_of(x), vy = velocity_of(y), n = equations_.places.size();
    fields_.back()[place_of(x)] = -y;
    fields_.back()[place_of(y)] = x;
    fields_.back()[vx] = -equations_.velocities[vy - n];
    fields_.back()[vy] = equations_.velocities[vx - n];
  }

  /// sum_j c_j X_j(f) = 0, coefficient by coefficient; false where f is no polynomial.
  bool add_conditions(Expr function, std::vector<std::vector<Expr>>& rows) const {
    const std::vector<Expr> state = equations_.state();
    const std::vector<Expr> slopes = gradient(function, state);
    std::map<std::vector<unsigned>, std::vector<Expr>> by_monomial;
    for (std::size_t j = 0; j < fields_.size(); ++j) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < state.size(); ++i) terms.push_back(slopes[i] * fields_[j][i]);
      const auto monomials =
          polynomial_coefficients(algebra_.canonical(algebra_.pool().add(terms)).value, state, max_monomials);
      if (!monomials) return false;
      for (const Monomial& monomial : *monomials) {
        auto& row = by_monomial[monomial.exponents];
        row.resize(fields_.size(), algebra_.pool().number(0));
        row[j] = monomial.coefficient;
      }
    }
    for (auto& [exponents, row] : by_monomial) rows.push_back(std::move(row));
    return true;
  }

  std::vector<std::vector<Expr>> combinations(const std::vector<std::vector<Expr>>& rows) const {
    if (rows.empty()) return fields_;
    std::vector<Expr> entries;
    for (const auto& row : rows) entries.insert(entries.end(), row.begin(), row.end());
    const NullSpaceResult kept =
        null_space(algebra_, Matrix(rows.size(), fields_.size(), std::move(entries)));
    if (kept.grade != Grade::proved) return {};
    std::vector<std::vector<Expr>> result;
    for (const std::vector<Expr>& c : kept.basis) {
      std::vector<Expr> sum = zeros();
      for (std::size_t j = 0; j < fields_.size(); ++j) {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = sum[i] + c[j] * fields_[j][i];
      }
      result.push_back(std::move(sum));
    }
    return result;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const ManifoldEquations& equations_;
  const Substitution& values_;
  std::vector<std::vector<Expr>> fields_;
};

}  // namespace

SteadyFields steady_fields(Algebra& algebra, const StateFlow& flow, const ManifoldEquations& equations,
                           const Substitution& values) {
  SteadyFields result;
  if (flow.has_levels) {
    result.fields = LinearFields(algebra, flow, equations, values).run();
    return result;
  }
  const StateSpace& space = flow.motion->space;
  for (const Symmetry& symmetry : find_symmetries(algebra, flow).fields) {
    if (!symmetry.verdict.holds() || !symmetry.field.component(space.time_form()).is_zero()) continue;
    result.grade = weaker(result.grade, symmetry.verdict.grade);
    result.fields.push_back(on_state(space, symmetry.field, equations));
    for (Expr& e : result.fields.back()) e = substitute(e, values);
  }
  return result;
}

}  // namespace liaison
