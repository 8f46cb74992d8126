#include "liaison/mechanics/formulation.hpp"

#include <array>
#include <utility>

#include "formulations.hpp"
#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

struct Road {
  Formulation formulation;
  const char* name;
  FormulationResult (*derive)(Algebra&, const Motion&);
};

constexpr std::array<Road, 11> roads = {{
    {Formulation::characteristic, "characteristic", derive_characteristic},
    {Formulation::omega_r, "omega_r", derive_by_omega_r},
    {Formulation::omega_s, "omega_s", derive_by_omega_s},
    {Formulation::lagrange, "lagrange", derive_lagrange},
    {Formulation::hamilton, "hamilton", derive_hamilton},
    {Formulation::intrinsic, "intrinsic", derive_intrinsic},
    {Formulation::gauss, "gauss", derive_gauss},
    {Formulation::gibbs_appell, "gibbs_appell", derive_gibbs_appell},
    {Formulation::extended, "extended", derive_extended},
    {Formulation::dalembert, "dalembert", derive_dalembert},
    {Formulation::extended_hamilton, "extended_hamilton", derive_extended_hamilton},
}};

constexpr bool is_in_order() {
  for (std::size_t k = 0; k < roads.size(); ++k) {
    if (roads[k].formulation != static_cast<Formulation>(k)) return false;
  }
  return true;
}
static_assert(is_in_order(), "a road is found by its place");

const Road& road_of(Formulation formulation) {
  return roads[static_cast<std::size_t>(formulation)];
}

/// Many statements taken together: the first refutation, else the weakest grade.
class Agreement {
 public:
  Agreement(Algebra& algebra, const Motion& motion) : algebra_(algebra), motion_(motion) {
    verdict_.grade = Grade::proved;
  }

  /// a = b on the constraint manifold; what holds everywhere holds there.
  void add(Expr a, Expr b) {
    if (verdict_.is_refuted()) return;
    keep(algebra_.follows(a - b, {}) ? Verdict::of(Grade::proved) : are_equal_on(algebra_, motion_, a, b));
  }
  /// a = b everywhere, whatever the accelerations and factors in them are.
  void add_identity(Expr a, Expr b) {
    if (!verdict_.is_refuted()) keep(algebra_.are_equal(a, b));
  }
  const Verdict& verdict() const { return verdict_; }

 private:
  void keep(Verdict verdict) { verdict_ = conjunction(std::move(verdict_), std::move(verdict)); }

  Algebra& algebra_;
  const Motion& motion_;
  Verdict verdict_;
};

Verdict no_verdict(std::string reason) {
  Verdict verdict;
  verdict.reason = std::move(reason);
  return verdict;
}

/// sum_h lambda_h l^h_i for factors of a road.
std::vector<Expr> reactions_with(const Motion& motion, const std::vector<Expr>& factors) {
  Substitution values;
  for (std::size_t h = 0; h < factors.size(); ++h) values.emplace(motion.constraints[h].factor, factors[h]);
  return substitute(reactions(motion), values);
}

/// mass * u' - load - sum lambda_h l^h, one a direction, or one a velocity parameter for the road that
/// differentiates by them; then gradient * u' + bias of each relation.
std::vector<Expr> characteristic_rows(const Motion& motion, bool by_parameter) {
  Pool& pool = motion.space.pool();
  const std::size_t n = motion.space.size();
  const std::vector<Expr> accelerations = acceleration_symbols(motion.space), pushes = reactions(motion);
  std::vector<Expr> rows;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms{-motion.free.load[i], -pushes[i]};
    for (std::size_t a = 0; a < n; ++a) terms.push_back(motion.free.mass(i, a) * accelerations[a]);
    rows.push_back(pool.add(terms));
  }
  if (by_parameter) {
    const Matrix chart = chart_jacobian(motion.space);
    const std::vector<Expr> by_direction = std::exchange(rows, {});
    for (std::size_t a = 0; a < n; ++a) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < n; ++i) terms.push_back(chart(i, a) * by_direction[i]);
      rows.push_back(pool.add(terms));
    }
  }
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    std::vector<Expr> terms{motion.constraints[k].bias};
    for (std::size_t a = 0; a < n; ++a) {
      terms.push_back(motion.constraints[k].gradient[a] * accelerations[a]);
    }
    rows.push_back(pool.add(terms));
  }
  return rows;
}

/// Term by term: the coefficient of each acceleration, and the rest with the factors in it.
Verdict equations_agree(Algebra& algebra, const Motion& motion, const FormulationResult& result,
                        Agreement agreement) {
  const std::vector<Expr> expected =
      characteristic_rows(motion, result.formulation == Formulation::gibbs_appell);
  const bool same_shape =
      result.formulation == Formulation::characteristic || result.formulation == Formulation::lagrange ||
      result.formulation == Formulation::gibbs_appell || result.formulation == Formulation::extended ||
      result.formulation == Formulation::dalembert;
  if (!same_shape || result.equations.size() < expected.size()) {
    return no_verdict("the accelerations are not solved for, and the equations are of another shape");
  }
  const std::vector<Expr> accelerations = acceleration_symbols(motion.space);
  Substitution at_rest;
  for (Expr acceleration : accelerations) at_rest.emplace(acceleration, algebra.pool().number(0));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Expr row = result.equations[k].first - result.equations[k].second;
    const std::vector<Expr> found = gradient(row, accelerations);
    const std::vector<Expr> wanted = gradient(expected[k], accelerations);
    for (std::size_t a = 0; a < accelerations.size(); ++a) agreement.add_identity(found[a], wanted[a]);
    agreement.add_identity(substitute(row, at_rest), substitute(expected[k], at_rest));
  }
  return agreement.verdict();
}

}  // namespace

std::string name_of(Formulation formulation) {
  return road_of(formulation).name;
}

std::optional<Formulation> formulation_named(const std::string& name) {
  for (const Road& road : roads) {
    if (road.name == name) return road.formulation;
  }
  return std::nullopt;
}

FormulationResult derive_formulation(Algebra& algebra, const Motion& motion, Formulation formulation) {
  try {
    return road_of(formulation).derive(algebra, motion);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    return not_applicable(formulation, error.what());
  }
}

Verdict agrees(Algebra& algebra, const Motion& motion, const FormulationResult& result) {
  if (!result.applicable) return no_verdict(result.reason);
  Agreement agreement(algebra, motion);
  if (result.acceleration.empty()) return equations_agree(algebra, motion, result, std::move(agreement));
  if (motion.acceleration.empty()) return no_verdict("the motion is not known in closed form");
  for (std::size_t a = 0; a < motion.acceleration.size(); ++a) {
    agreement.add(result.acceleration[a], motion.acceleration[a]);
  }
  if (result.factors.empty()) return agreement.verdict();
  if (motion.status == FactorStatus::undetermined) {  // roads may leave different factors open
    const std::vector<Expr> found = reactions_with(motion, result.factors);
    const std::vector<Expr> wanted = reactions_with(motion, motion.factors);
    for (std::size_t i = 0; i < found.size(); ++i) agreement.add(found[i], wanted[i]);
  } else {
    for (std::size_t h = 0; h < motion.factors.size(); ++h) {
      agreement.add(result.factors[h], motion.factors[h]);
    }
  }
  return agreement.verdict();
}

}  // namespace liaison
