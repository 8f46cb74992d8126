#include "liaison/mechanics/formulation.hpp"

#include <array>
#include <utility>

#include "extended_motion.hpp"
#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

struct Road {
  Formulation formulation;
  const char* name;
  FormulationResult (*derive)(Algebra&, const Motion&) = nullptr;
  FormulationResult (*derive_with_drives)(Algebra&, const Motion&, const System*) = nullptr;
};

constexpr std::array<Road, 16> roads = {{
    {Formulation::characteristic, "characteristic", derive_characteristic},
    {Formulation::omega_r, "omega_r", derive_by_omega_r},
    {Formulation::omega_s, "omega_s", derive_by_omega_s},
    {Formulation::lagrange, "lagrange", derive_lagrange},
    {Formulation::hamilton, "hamilton", derive_hamilton},
    {Formulation::intrinsic, "intrinsic", derive_intrinsic},
    {Formulation::gauss, "gauss", derive_gauss},
    {Formulation::gibbs_appell, "gibbs_appell", derive_gibbs_appell},
    {Formulation::extended, "extended", nullptr, derive_extended},
    {Formulation::dalembert, "dalembert", nullptr, derive_dalembert},
    {Formulation::extended_hamilton, "extended_hamilton", nullptr, derive_extended_hamilton},
    {Formulation::extended_form, "extended_form", nullptr, derive_extended_form},
    {Formulation::extended_gauss, "extended_gauss", nullptr, derive_extended_gauss},
    {Formulation::extended_gibbs_appell, "extended_gibbs_appell", nullptr, derive_extended_gibbs_appell},
    {Formulation::reactions, "reactions", nullptr, derive_reactions},
    {Formulation::perturbation, "perturbation", nullptr, derive_perturbation},
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

bool is_by_parameter(Formulation formulation) {
  return formulation == Formulation::gibbs_appell || formulation == Formulation::extended_gibbs_appell;
}

/// Roads whose first equations are those of the directions and the relations differentiated.
bool has_rows_of_directions(Formulation formulation) {
  switch (formulation) {
    case Formulation::characteristic:
    case Formulation::lagrange:
    case Formulation::gibbs_appell:
    case Formulation::extended:
    case Formulation::dalembert:
    case Formulation::extended_gauss:
    case Formulation::extended_gibbs_appell: return true;
    default: return false;
  }
}

/// Equations of drives follow those: left = R_0, against what Omega says on the extended manifold.
void add_rows_of_drives(Algebra& algebra, const Motion& motion, const FormulationResult& result,
                        const System* extended, std::vector<Expr>& found, std::vector<Expr>& wanted) {
  if (extended == nullptr || !extended->chart.parameters.empty()) return;
  const std::size_t first = wanted.size();
  const std::vector<Expr> rows = drive_rows(extend_motion(algebra, motion, *extended));
  for (std::size_t k = 0; k < rows.size() && first + k < result.equations.size(); ++k) {
    found.push_back(result.equations[first + k].first);
    wanted.push_back(rows[k]);
  }
}

/// Term by term: the coefficient of each acceleration, and the rest with the factors in it.
Verdict equations_agree(Algebra& algebra, const Motion& motion, const FormulationResult& result,
                        const System* extended, Agreement agreement) {
  std::vector<Expr> wanted = characteristic_rows(motion, is_by_parameter(result.formulation)), found;
  if (!has_rows_of_directions(result.formulation) || result.equations.size() < wanted.size())
    return no_verdict("the accelerations are not solved for, and the equations are of another shape");
  for (std::size_t k = 0; k < wanted.size(); ++k)
    found.push_back(result.equations[k].first - result.equations[k].second);
  if (result.formulation != Formulation::characteristic && result.formulation != Formulation::lagrange &&
      result.formulation != Formulation::gibbs_appell)
    add_rows_of_drives(algebra, motion, result, extended, found, wanted);
  const std::vector<Expr> accelerations = acceleration_symbols(motion.space);
  Substitution at_rest;
  for (Expr acceleration : accelerations) at_rest.emplace(acceleration, algebra.pool().number(0));
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const std::vector<Expr> is = gradient(found[k], accelerations);
    const std::vector<Expr> must_be = gradient(wanted[k], accelerations);
    for (std::size_t a = 0; a < accelerations.size(); ++a) agreement.add_identity(is[a], must_be[a]);
    agreement.add_identity(substitute(found[k], at_rest), substitute(wanted[k], at_rest));
  }
  for (const auto& [left, right] : result.statements) agreement.add(left, right);
  return agreement.verdict();
}

/// R_0 of a road against that of Omega on the extended manifold, on the motion; factors that stay open are
/// those of the road.
void add_drives(Algebra& algebra, const Motion& motion, const FormulationResult& result,
                const System* extended, Agreement& agreement) {
  if (result.drive_forces.empty() || extended == nullptr) return;
  const std::vector<Expr> rows = drive_rows(extend_motion(algebra, motion, *extended));
  const std::vector<Expr>& factors = result.factors.empty() ? motion.factors : result.factors;
  const std::vector<Expr> accelerations = acceleration_symbols(motion.space);
  Substitution values;
  for (std::size_t a = 0; a < accelerations.size(); ++a)
    values.emplace(accelerations[a], motion.acceleration[a]);
  for (std::size_t h = 0; h < factors.size(); ++h) values.emplace(motion.constraints[h].factor, factors[h]);
  for (std::size_t k = 0; k < rows.size(); ++k)
    agreement.add(result.drive_forces[k], substitute(rows[k], values));
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

FormulationResult derive_formulation(Algebra& algebra, const Motion& motion, Formulation formulation,
                                     const System* extended) {
  const Road& road = road_of(formulation);
  try {
    return road.derive != nullptr ? road.derive(algebra, motion)
                                  : road.derive_with_drives(algebra, motion, extended);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    return not_applicable(formulation, error.what());
  }
}

Verdict agrees(Algebra& algebra, const Motion& motion, const FormulationResult& result,
               const System* extended) {
  if (!result.applicable) return no_verdict(result.reason);
  Agreement agreement(algebra, motion);
  if (result.acceleration.empty())
    return equations_agree(algebra, motion, result, extended, std::move(agreement));
  if (motion.acceleration.empty()) return no_verdict("the motion is not known in closed form");
  for (std::size_t a = 0; a < motion.acceleration.size(); ++a) {
    agreement.add(result.acceleration[a], motion.acceleration[a]);
  }
  add_drives(algebra, motion, result, extended, agreement);
  for (const auto& [left, right] : result.statements) agreement.add(left, right);
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
