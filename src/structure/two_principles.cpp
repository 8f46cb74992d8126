#include "liaison/structure/two_principles.hpp"

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/manifold.hpp"
#include "liaison/mechanics/vakonomic.hpp"
#include "polynomial_form.hpp"

namespace liaison {

namespace {

/// Rows of an affine system for the multipliers, at each state.
struct Rows {
  std::vector<std::vector<Expr>> left;
  std::vector<Expr> right;
  void append(const Rows& more) {
    left.insert(left.end(), more.left.begin(), more.left.end());
    right.insert(right.end(), more.right.begin(), more.right.end());
  }
};

class Comparison {
 public:
  Comparison(Algebra& algebra, const StateFlow& flow)
      : algebra_(algebra), flow_(flow), motion_(*flow.motion) {}

  TwoPrinciples run() {
    result_.reason = why_not();
    if (!result_.reason.empty()) return std::move(result_);
    grade_ = motion_.grade;
    find_covariants();
    find_idle();
    if (!algebra_.options().is_interrupted()) result_.brackets = count_first_brackets(algebra_, flow_);
    try {
      find_changes();
      if (result_.reason.empty() && speaks_of_orientation())
        result_.reason = "the orientation of a body enters, and its parameters are not independent";
      if (result_.reason.empty()) follow();
    } catch (const Error& error) {  // what is known without the multipliers is known
      if (error.code() != ErrorCode::limit_reached) throw;
      result_.reason = error.what();
    }
    return std::move(result_);
  }

 private:
  std::size_t count() const { return motion_.relation_count; }
  Expr on_states(Expr e) const { return algebra_.readable(flow_.restricted(e)); }

  std::string why_not() const {
    if (!flow_.standing.pieces.empty()) return flow_.standing.pieces;
    std::string reason = why_not_vakonomic(algebra_, *motion_.space.system);
    if (!reason.empty()) return reason;
    if (flow_.has_levels) return "the coordinates satisfy relations between them";
    if (motion_.status != FactorStatus::determined) return "the reactions are not determined";
    return {};
  }

  /// That no symbol of another kind has.
  std::string free_name(std::string name) const {
    Expr known = algebra_.pool().find_symbol(name);
    while (!known.empty() && known.symbol().kind != SymbolKind::multiplier) {
      name += "_";
      known = algebra_.pool().find_symbol(name);
    }
    return name;
  }

  /// E_i(phi^h) on the motion, and C_rh.
  void find_covariants() {
    const StateSpace& space = motion_.space;
    Pool& pool = algebra_.pool();
    const std::vector<Expr> no_forces(space.size(), pool.number(0));
    for (std::size_t h = 0; h < count(); ++h) {
      const ConstraintField& constraint = motion_.constraints[h];
      result_.relations.push_back(constraint.name);
      result_.multipliers.push_back(pool.symbol(free_name("mu_" + constraint.name), SymbolKind::multiplier));
      const FreeSystem expression =
          derive_free_system(space, derive_omega(algebra_, space, constraint.relation, no_forces).omega);
      lagrange_.emplace_back();
      for (std::size_t i = 0; i < space.size(); ++i) {
        Expr e = -expression.load[i];
        for (std::size_t a = 0; a < space.size(); ++a)
          e = e + expression.mass(i, a) * motion_.acceleration[a];
        lagrange_.back().push_back(on_states(e));
      }
    }
    result_.directions = flow_.velocities;
    for (Expr velocity : flow_.velocities) {
      std::vector<Expr> row, terms;
      for (std::size_t h = 0; h < count(); ++h) {
        Expr c = pool.number(0);
        for (std::size_t i = 0; i < space.size(); ++i)
          c = c + derivative(flow_.field.component(i), velocity) * lagrange_[h][i];
        row.push_back(algebra_.canonical(c).value);
        terms.push_back(result_.multipliers[h] * algebra_.readable(row.back()));
      }
      covariants_.push_back(std::move(row));
      result_.further.push_back(algebra_.readable(pool.add(terms)));
    }
  }

  /// Of relations that are linear in the velocities C is so too: its coefficients, one by one.
  void find_idle() {
    if (speaks_of_orientation()) return;
    Pool& pool = algebra_.pool();
    Substitution at_rest;
    for (Expr velocity : flow_.velocities) at_rest.emplace(velocity, pool.number(0));
    std::vector<std::vector<Expr>> rows;
    for (const std::vector<Expr>& row : covariants_) {
      for (Expr velocity : flow_.velocities) {
        std::vector<Expr> slope;
        for (Expr c : row) slope.push_back(algebra_.canonical(derivative(c, velocity)).value);
        const bool is_linear = std::all_of(slope.begin(), slope.end(), [&](Expr e) {
          return std::none_of(flow_.velocities.begin(), flow_.velocities.end(),
                              [&](Expr other) { return depends_on(e, other); });
        });
        if (!is_linear) return;
        rows.push_back(std::move(slope));
      }
      std::vector<Expr> drift;
      for (Expr c : row) drift.push_back(substitute(c, at_rest));
      rows.push_back(std::move(drift));
    }
    Matrix matrix(pool, rows.size(), count());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t h = 0; h < count(); ++h) matrix(i, h) = rows[i][h];
    }
    const NullSpaceResult kernel = null_space(algebra_, matrix);
    if (kernel.grade != Grade::proved) return;
    for (const std::vector<Expr>& vector : kernel.basis) {
      result_.idle.emplace_back();
      for (Expr e : vector) result_.idle.back().push_back(algebra_.readable(e));
    }
  }

  /// N with mu' + lambda = N mu where C mu = 0: from as many components as there are relations.
  void find_changes() {
    Pool& pool = algebra_.pool();
    const std::size_t k = count(), n = motion_.space.size();
    Matrix directions(pool, k, n);
    for (std::size_t h = 0; h < k; ++h) {
      for (std::size_t i = 0; i < n; ++i) directions(h, i) = on_states(motion_.constraints[h].direction[i]);
    }
    const RankResult independent = rank(algebra_, directions);
    grade_ = weaker(grade_, independent.grade);
    if (independent.rank < k) {
      result_.reason = "the relations are not independent";
      return;
    }
    Matrix chosen(pool, k, k);
    for (std::size_t row = 0; row < k; ++row) {
      for (std::size_t h = 0; h < k; ++h) chosen(row, h) = directions(h, independent.columns[row]);
    }
    changes_.assign(k, std::vector<Expr>(k, pool.number(0)));
    for (std::size_t h = 0; h < k; ++h) {
      std::vector<Expr> right;
      for (std::size_t row = 0; row < k; ++row) right.push_back(-lagrange_[h][independent.columns[row]]);
      const SolveResult solved = solve(algebra_, chosen, right);
      grade_ = weaker(grade_, solved.grade);
      add_conditions(solved.conditions);
      for (std::size_t g = 0; g < k; ++g) changes_[g][h] = solved.x[g];
      factors_.push_back(on_states(motion_.factors[h]));
    }
  }

  bool speaks_of_orientation() const {
    std::vector<Expr> entries = factors_;
    for (const auto* matrix : {&covariants_, &changes_}) {
      for (const std::vector<Expr>& row : *matrix) entries.insert(entries.end(), row.begin(), row.end());
    }
    const std::vector<Expr> symbols = symbols_in(entries);
    return std::any_of(flow_.quaternions.begin(), flow_.quaternions.end(), [&](const auto& quaternion) {
      return std::any_of(quaternion.begin(), quaternion.end(), [&](Expr part) {
        return std::find(symbols.begin(), symbols.end(), part) != symbols.end();
      });
    });
  }

  /// C mu = 0 and what follows from it along the motion, until nothing new does or nothing is left.
  void follow() {
    Pool& pool = algebra_.pool();
    Rows last{covariants_, std::vector<Expr>(covariants_.size(), pool.number(0))}, all = last;
    std::size_t known = rank_of(all, true);
    if (known == 0) return conclude(Coincidence::always);
    for (std::size_t round = 0; round <= count(); ++round) {
      if (rank_of(all, false) < known) return conclude(Coincidence::different);
      last = derivative_of(last);
      all.append(last);
      const std::size_t now = rank_of(all, true);
      if (now == known) break;
      known = now;
    }
    const SolveResult solved = solve(algebra_, matrix_of(all, false), all.right);
    grade_ = weaker(grade_, solved.grade);
    if (solved.status == SolveStatus::inconsistent) return conclude(Coincidence::different);
    result_.free_multipliers = solved.kernel.size();
    if (solved.kernel.empty()) {
      for (Expr e : solved.x) result_.suitable.push_back(algebra_.readable(e));
    }
    if (result_.suitable.empty() || !are_suitable(result_.suitable)) add_conditions(solved.conditions);
    conclude(Coincidence::suitable);
  }

  /// C mu = 0 and mu' = N mu - lambda at every state at which these have a value.
  bool are_suitable(const std::vector<Expr>& mu) const {
    std::vector<Expr> rest;
    for (const std::vector<Expr>& row : covariants_) {
      rest.push_back(algebra_.pool().number(0));
      for (std::size_t h = 0; h < count(); ++h) rest.back() = rest.back() + row[h] * mu[h];
    }
    for (std::size_t g = 0; g < count(); ++g) {
      rest.push_back(apply(flow_.field, mu[g]) + factors_[g]);
      for (std::size_t h = 0; h < count(); ++h) rest.back() = rest.back() - changes_[g][h] * mu[h];
    }
    return std::all_of(rest.begin(), rest.end(), [&](Expr e) { return algebra_.is_zero(e).is_proved(); });
  }

  Rows derivative_of(const Rows& rows) const {
    Rows result;
    for (std::size_t i = 0; i < rows.left.size(); ++i) {
      const std::vector<Expr>& row = rows.left[i];
      std::vector<Expr> left;
      Expr right = apply(flow_.field, rows.right[i]);
      for (std::size_t h = 0; h < count(); ++h) {
        Expr e = apply(flow_.field, row[h]);
        for (std::size_t g = 0; g < count(); ++g) e = e + row[g] * changes_[g][h];
        left.push_back(algebra_.canonical(e).value);
        right = right + row[h] * factors_[h];
      }
      result.left.push_back(std::move(left));
      result.right.push_back(algebra_.canonical(right).value);
    }
    return result;
  }

  Matrix matrix_of(const Rows& rows, bool augmented) const {
    Matrix matrix(algebra_.pool(), rows.left.size(), count() + (augmented ? 1 : 0));
    for (std::size_t i = 0; i < rows.left.size(); ++i) {
      for (std::size_t h = 0; h < count(); ++h) matrix(i, h) = rows.left[i][h];
      if (augmented) matrix(i, count()) = rows.right[i];
    }
    return matrix;
  }

  std::size_t rank_of(const Rows& rows, bool augmented) {
    const RankResult found = rank(algebra_, matrix_of(rows, augmented));
    grade_ = weaker(grade_, found.grade);
    if (augmented) rank_conditions_ = found.conditions;
    return found.rank;
  }

  void add_conditions(const Conditions& more) {
    for (Expr condition : more) {
      if (std::find(conditions_.begin(), conditions_.end(), condition) == conditions_.end())
        conditions_.push_back(condition);
    }
  }

  void conclude(Coincidence coincidence) {
    result_.coincidence = coincidence;
    Verdict verdict = Verdict::of(grade_, "by exact ranks at general states");
    if (coincidence != Coincidence::suitable) {
      verdict = flow_.standing.limited(std::move(verdict));
      add_values(coincidence == Coincidence::different ? rank_conditions_ : Conditions{}, verdict.conditions);
    }
    if (coincidence == Coincidence::suitable) {
      add_conditions(flow_.conditions);
      Verdict general = at_general_states(flow_.standing.limited(verdict), conditions_,
                                          "where the closed forms have a value");
      if (!general.conditions.empty() || !flow_.standing.reason.empty()) verdict = std::move(general);
    }
    result_.verdict = std::move(verdict);
  }

  /// For values at which a divisor or a minor vanishes at all states the ranks may be others.
  void add_values(Conditions at, Conditions& told) {
    at.insert(at.end(), flow_.conditions.begin(), flow_.conditions.end());
    add_denominators(flow_.field.components(), at);
    for (const Expr e : at)
      liaison::add_conditions(told, conditions_on_values(algebra_, *motion_.space.system,
                                                         algebra_.readable(e), flow_.velocities));
    liaison::add_conditions(told, flow_.standing.for_values);
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const Motion& motion_;
  TwoPrinciples result_;
  std::vector<std::vector<Expr>> lagrange_;    ///< E_i(phi^h), one row a relation
  std::vector<std::vector<Expr>> covariants_;  ///< C_rh, one row a direction
  std::vector<std::vector<Expr>> changes_;     ///< N
  std::vector<Expr> factors_;                  ///< lambda_h
  Conditions conditions_;
  Conditions rank_conditions_;  ///< of the last rank of the equations with their right sides
  Grade grade_ = Grade::proved;
};

}  // namespace

std::string name_of(Coincidence coincidence) {
  switch (coincidence) {
    case Coincidence::always: return "always";
    case Coincidence::suitable: return "with suitable multipliers";
    case Coincidence::different: return "not in general";
    case Coincidence::undecided: break;
  }
  return "undecided";
}

TwoPrinciples compare_principles(Algebra& algebra, const StateFlow& flow) {
  return Comparison(algebra, flow).run();
}

}  // namespace liaison
