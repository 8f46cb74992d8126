#include "liaison/mechanics/certified_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "enclosure.hpp"
#include "exact_motion.hpp"
#include "expr/raw.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "only_state.hpp"
#include "regular_part.hpp"
#include "state_choices.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

std::string with_hint(std::string message) {
  return std::move(message) + "; give fewer values, and the constraints determine the rest";
}

/// What a constraint does not allow can be mended by leaving a value out.
std::string told(const StateProblem& problem) {
  return problem.constraint.empty() ? problem.message : with_hint(problem.message);
}

constexpr std::size_t most_unknowns = 300;  ///< of one level, by dense factorisation

class Certification {
 public:
  Certification(Algebra& algebra, const Motion& motion, const Claim& claim)
      : algebra_(algebra), motion_(motion), system_(*motion.space.system), claim_(claim) {}

  /// Of several states with the given values the one with the values in `near`.
  CertifiedState run(const BallPoint& near = {}) {
    StateRequest request = state_request(system_, claim_);
    for (const auto& [symbol, value] : near) request.given.emplace_back(symbol, value.mid());
    const CompletedState completed = complete_state(motion_, request);
    state_.approximate = completed.values;
    if (!take_parameters()) {
      if (!completed.ok()) state_.problem = told(completed.problems.front());
      return state_;
    }
    take_given();
    const AssembledEquations equations = assembled(motion_);
    const StateRelations relations = relations_of(equations);
    take_levels(relations, equations, completed.together);
    follow_velocities();
    enclose(completed.ok());
    if (!state_.is_certified() && !completed.ok()) state_.problem = told(completed.problems.front());
    if (state_.problem.empty() && state_.is_certified()) keep_domain();
    return state_;
  }

 private:
  /// Everything in the model must have a value there.
  void keep_domain() {
    constexpr long bits = 128;
    const auto point = state_.at(bits);
    if (!point) return;
    for (const Requirement& requirement : system_.domain) {
      const BallValues found = evaluate_balls(std::span(&requirement.e, 1), *point, bits);
      if (found.status != EvaluationStatus::ok) continue;
      const Ball& value = found.values[0];
      const bool is_zero = arb_is_zero(value.raw());
      const bool fails = requirement.bound == Bound::nonzero
                             ? is_zero
                             : value.is_negative() || (is_zero && requirement.bound == Bound::positive);
      if (!fails) continue;
      state_.problem =
          fmt::format("this is no state of the model: {} does not hold", to_infix(Domain{requirement}));
      return;
    }
  }

  void enclose(bool is_near_solution) {
    const auto enclosure = std::make_shared<Enclosure>(equations_, unknowns_, exact_);
    state_.enclosure = enclosure;
    if (!state_.is_certified()) return;
    if (!enclosure->certify(state_.approximate)) {
      state_.uncertain = "no solution of the constraints is certain next to the values found";
      return;
    }
    constexpr double near = 1e-6, rounding = 1e-9;  // the solution in double selects the component
    for (const auto& [symbol, value] : enclosure->approximation()) {
      double& found = state_.approximate.at(symbol);
      const double allowed =
          std::max(near * std::abs(value), rounding * size_beside(symbol, state_.approximate));
      if (is_near_solution && std::abs(found - value) > allowed)
        state_.uncertain = fmt::format("`{}` is not next to the value found", symbol.symbol().name);
      found = value;
    }
  }

  bool take_parameters() {
    for (const Parameter& parameter : system_.parameters) {
      if (parameter.value) exact_.emplace(parameter.symbol, parameter.exact());
    }
    for (const InitialValue& given : claim_.at) {
      const Expr value = substitute(given.value, exact_);
      exact_.insert_or_assign(given.symbol, value);
      if (given.symbol.symbol().positive && constant_sign(value).value_or(1) <= 0)
        state_.problem = fmt::format("`{}` is declared positive", given.symbol.symbol().name);
    }
    return state_.problem.empty() &&
           std::all_of(system_.parameters.begin(), system_.parameters.end(),
                       [&](const Parameter& parameter) { return exact_.contains(parameter.symbol); });
  }

  void take_given() {
    Pool& pool = *system_.pool;
    exact_.emplace(system_.time, pool.number(0));
    for (const Rotation& rotation : system_.rotations) {
      const auto given = [&](Expr e) { return exact_.contains(e); };
      if (std::any_of(rotation.quaternion.begin(), rotation.quaternion.end(), given)) continue;
      for (std::size_t k = 0; k < 4; ++k) exact_.emplace(rotation.quaternion[k], pool.number(k == 0 ? 1 : 0));
    }
  }

  /// Places, then velocities; or both at once, where places follow from relations between velocities.
  void take_levels(const StateRelations& relations, const AssembledEquations& equations, bool together) {
    std::vector<Expr> rows = relations.velocity_relations, symbols = velocity_symbols(equations);
    std::vector<std::string> names = relations.velocity_names;
    for (std::size_t i = 0; i < system_.chart.velocities.size(); ++i) {
      const Expr velocity = system_.directions[i].velocity;
      const auto& u = equations.parameters;
      if (!exact_.contains(velocity) || std::find(u.begin(), u.end(), velocity) != u.end()) continue;
      rows.push_back(system_.chart.velocities[i] - velocity);
      names.emplace_back("the given velocities");
    }
    if (together) {
      rows.insert(rows.begin(), relations.levels.begin(), relations.levels.end());
      names.insert(names.begin(), relations.level_names.begin(), relations.level_names.end());
      symbols.insert(symbols.begin(), equations.positions.begin(), equations.positions.end());
    } else {
      take_level(relations.levels, relations.level_names, equations.positions);
    }
    take_level(rows, names, symbols);
  }

  /// v^i(q, u, t) where the velocity parameters are others.
  void follow_velocities() {
    for (std::size_t i = 0; i < system_.chart.velocities.size(); ++i) {
      const Expr velocity = system_.directions[i].velocity;
      const auto& u = motion_.space.parameters;
      if (exact_.contains(velocity) || std::find(u.begin(), u.end(), velocity) != u.end()) continue;
      const Expr value = substitute(system_.chart.velocities[i], exact_);
      if (value.is_constant()) {
        exact_.emplace(velocity, value);
      } else {
        state_.velocities.emplace_back(velocity, value);
      }
    }
  }

  /// One level, positions or velocities: gives every symbol an exact value, or an equation that determines
  /// it.
  void take_level(const std::vector<Expr>& rows, const std::vector<std::string>& names,
                  const std::vector<Expr>& symbols) {
    if (!state_.is_certified()) return;
    std::vector<Expr> free;
    for (Expr symbol : symbols) {
      if (!exact_.contains(symbol)) free.push_back(symbol);
    }
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Expr row = substitute(rows[k], exact_);
      const auto mentions = [&](Expr symbol) { return depends_on(row, symbol); };
      if (std::any_of(free.begin(), free.end(), mentions)) {
        open.push_back(k);
      } else if (!prove(row, rows[k], names[k])) {
        return;
      }
    }
    if (free.size() > most_unknowns || open.size() > most_unknowns) {
      state_.uncertain = "too many unknowns to certify them together";
      return;
    }
    std::vector<Expr> reduced;
    for (std::size_t k : open) reduced.push_back(substitute(rows[k], exact_));
    const auto part = select(reduced, free);
    if (!part) return;
    note_choices(*part, free);
    if (!take_simple_values(reduced, free)) take_unknowns(rows, names, open, reduced, *part, free);
  }

  /// Unknowns beyond the rank of the relations: what is not zero among them might as well be something else.
  void note_choices(const RegularPart& part, const std::vector<Expr>& free) {
    const double size = size_of(free);
    for (std::size_t j = 0; j < free.size(); ++j) {
      const bool is_determined = std::find(part.columns.begin(), part.columns.end(), j) != part.columns.end();
      if (!is_determined && !simple_value(free[j], size).is_zero()) state_.chosen.push_back(free[j]);
    }
  }

  double size_of(const std::vector<Expr>& symbols) const {
    double size = 0;
    for (Expr symbol : symbols) size = std::max(size, std::abs(approximate(symbol)));
    return size;
  }

  double approximate(Expr symbol) const { return state_.approximate.at(symbol); }

  /// Rational values next to those found, where they satisfy every relation exactly.
  bool take_simple_values(const std::vector<Expr>& reduced, const std::vector<Expr>& free) {
    const double size = size_of(free);
    Substitution simple;
    for (Expr symbol : free) simple.emplace(symbol, system_.pool->number(simple_value(symbol, size)));
    for (Expr row : reduced) {
      if (!substitute(row, simple).is_zero()) return false;
    }
    exact_.merge(simple);
    return true;
  }

  Rational simple_value(Expr symbol, double size) const {
    const double value = approximate(symbol);
    return std::abs(value) <= 1e-13 * size ? Rational(0) : simple_rational(value);
  }

  /// Unknowns that the relations determine get as many relations; the others keep the values found.
  void take_unknowns(const std::vector<Expr>& rows, const std::vector<std::string>& names,
                     const std::vector<std::size_t>& open, const std::vector<Expr>& reduced,
                     const RegularPart& part, const std::vector<Expr>& free) {
    const double size = size_of(free);
    for (std::size_t j = 0; j < free.size(); ++j) {
      if (std::find(part.columns.begin(), part.columns.end(), j) != part.columns.end()) {
        unknowns_.push_back(free[j]);
      } else {
        exact_.emplace(free[j], system_.pool->number(simple_value(free[j], size)));
      }
    }
    std::vector<std::size_t> dependent;
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (std::find(part.rows.begin(), part.rows.end(), k) != part.rows.end()) {
        equations_.push_back(substitute(reduced[k], exact_));
      } else {
        dependent.push_back(k);
      }
    }
    if (!dependent.empty()) solve_all_exactly();
    for (std::size_t k : dependent) {
      if (!prove(substitute(reduced[k], exact_), rows[open[k]], names[open[k]])) return;
    }
  }

  /// Exact values of the unknowns, where their equations are linear: they show whether other relations hold.
  void solve_all_exactly() {
    auto solved = solve_linear_exactly(algebra_, equations_, unknowns_);
    if (!solved) return;
    exact_.merge(*solved);
    equations_.clear();
    unknowns_.clear();
  }

  std::optional<RegularPart> select(const std::vector<Expr>& rows, const std::vector<Expr>& free) {
    std::vector<Expr> entries;
    const std::vector<JacobianEntry> slopes = jacobian(rows, free);
    for (const JacobianEntry& slope : slopes) entries.push_back(slope.value);
    const DoubleValues values = evaluate(entries, state_.approximate);
    if (values.status != EvaluationStatus::ok) {
      state_.uncertain = "the constraints have no derivative at this state: " + values.reason();
      return std::nullopt;
    }
    Eigen::MatrixXd matrix =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(free.size()));
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      matrix(static_cast<Eigen::Index>(slopes[k].row), static_cast<Eigen::Index>(slopes[k].column)) =
          values.values[k];
    }
    std::vector<bool> preferred;
    for (Expr symbol : free) preferred.push_back(approximate(symbol) != 0);
    return regular_part(matrix, preferred);
  }

  /// A relation that no unknown can satisfy any more: is it zero? `row` has the exact values put in.
  bool prove(Expr row, Expr relation, const std::string& name) {
    if (row.is_zero()) return true;
    if (!row.is_constant()) {
      state_.uncertain = fmt::format("`{}` depends on other relations at this state", name);
      return false;
    }
    if (const auto sign = constant_sign(row, 512); sign.value_or(0) != 0) {
      violated(row, relation, name);
      return false;
    }
    const Verdict verdict = algebra_.is_zero(row);
    if (verdict.is_proved()) return true;
    if (verdict.is_refuted()) {
      violated(row, relation, name);
    } else {
      state_.uncertain = fmt::format("it is not decided whether the given values satisfy `{}`", name);
    }
    return false;
  }

  /// Given values with a few digits may be meant to lie on the constraint: then they do so up to rounding.
  void violated(Expr row, Expr relation, const std::string& name) {
    constexpr double rounding = 1e-12;
    const double residual = evaluate(row, {});
    const std::vector<Expr> terms(relation.args().begin(), relation.args().end());
    const DoubleValues sizes = evaluate(terms, state_.approximate);
    double scale = 0;
    for (double size : sizes.values) scale = std::max(scale, std::abs(size));
    if (relation.is(Op::add) && std::abs(residual) <= rounding * scale) {
      state_.uncertain =
          fmt::format("the given values are rounded: they are off `{}` by {:.2g}", name, residual);
    } else {
      state_.problem = with_hint(
          fmt::format("the state is not on `{}`: {} = {:.6g}, not 0", name, to_infix(relation), residual));
    }
  }

  Algebra& algebra_;
  const Motion& motion_;
  const System& system_;
  const Claim& claim_;
  Substitution exact_;
  std::vector<Expr> equations_, unknowns_;  ///< of the state, one equation for each unknown
  CertifiedState state_;
};

}  // namespace

bool CertifiedState::is_exact() const {
  return is_certified() && enclosure->unknowns().empty() && velocities.empty();
}

const Substitution& CertifiedState::exact() const {
  return enclosure->exact();
}

std::optional<BallPoint> CertifiedState::at(long bits) const {
  auto point = enclosure->at(bits);
  if (!point) return point;
  std::vector<Expr> values;
  for (const auto& [symbol, value] : velocities) values.push_back(value);
  BallValues found = evaluate_balls(values, *point, bits);
  if (found.status != EvaluationStatus::ok) return std::nullopt;
  for (std::size_t i = 0; i < velocities.size(); ++i)
    point->insert_or_assign(velocities[i].first, std::move(found.values[i]));
  return point;
}

std::optional<Substitution> exact_values(Algebra& algebra, const CertifiedState& state) {
  Substitution result = state.exact();
  if (state.is_exact()) return result;
  auto solved = solve_linear_exactly(algebra, state.enclosure->equations(), state.enclosure->unknowns());
  if (!solved) return std::nullopt;
  result.merge(*solved);
  for (const auto& [symbol, value] : state.velocities) result.emplace(symbol, substitute(value, result));
  return result;
}

CertifiedState certify_state(Algebra& algebra, const Motion& motion, const Claim& claim) {
  return Certification(algebra, motion, claim).run();
}

CertifiedState certify_state_in(Algebra& algebra, const Motion& motion, const Claim& claim,
                                const std::vector<BallPoint>& boxes, std::size_t box) {
  constexpr long bits = 256;
  CertifiedState state = Certification(algebra, motion, claim).run(boxes[box]);
  const auto point = state.is_certified() ? state.at(bits) : std::nullopt;
  if (!point) return state;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const bool may_be_in = std::all_of(boxes[i].begin(), boxes[i].end(), [&](const auto& side) {
      return overlaps(side.second, point->at(side.first));
    });
    if (may_be_in != (i == box)) state.uncertain = "it is not certain which of several states this is";
  }
  return state;
}

}  // namespace liaison
