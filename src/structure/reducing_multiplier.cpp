#include "liaison/structure/reducing_multiplier.hpp"

#include <algorithm>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/structure/invariant_measure.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_terms = 10'000;
constexpr std::uint64_t operations = 300'000'000;

class Search {
 public:
  Search(Algebra& algebra, const Motion& motion)
      : algebra_(algebra), motion_(motion), system_(*motion.space.system) {}

  ReducingMultiplier run() {
    const BudgetScope scope(algebra_, operations);
    try {
      decide();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      set_unknown("not within the budget");
    }
    try {
      if (result_.exists.holds()) find_closed_form();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
    }
    return std::move(result_);
  }

 private:
  void decide() {
    if (system_.directions.empty() || !system_.rotations.empty() || !system_.constraints.empty() ||
        motion_.space.parameters != motion_.space.velocities)
      return set_unknown("it is asked of systems in coordinates alone, without constraints");
    for (const Direction& direction : system_.directions) {
      result_.coordinates.push_back(direction.coordinate);
      velocities_.push_back(direction.velocity);
    }
    if (has_time())
      return set_unknown("energies or forces depend on the time, which is no function of the other one");
    if (!collect_equations()) return;
    const SolveResult solved = solve(algebra_, matrix(), right_);
    if (solved.status == SolveStatus::inconsistent)
      return set_none(solved.grade, "no d(log N) satisfies its linear equations");
    if (solved.status == SolveStatus::underdetermined && !is_free_of_forces())
      return set_unknown("the condition does not determine the multiplier");
    result_.logarithmic = solved.x;
    for (Expr& n : result_.logarithmic) n = algebra_.readable(n);
    for (Expr n : result_.logarithmic) {
      if (depends_on(n, system_.time) || has_velocity(n))
        return set_unknown("the multiplier would depend on more than the positions");
    }
    Grade grade = solved.grade;
    if (!is_closed(grade)) return;
    result_.exists = Verdict::of(grade);
    result_.exists.conditions = solved.conditions;
  }

  bool has_velocity(Expr e) const {
    return std::any_of(velocities_.begin(), velocities_.end(), [&](Expr v) { return depends_on(e, v); });
  }
  bool has_time() const {
    return depends_on(system_.kinetic, system_.time) || depends_on(system_.potential, system_.time) ||
           std::any_of(system_.forces.begin(), system_.forces.end(),
                       [&](Expr force) { return depends_on(force, system_.time); });
  }

  void set_unknown(const std::string& reason) {
    result_.exists = Verdict::of(Grade::unknown, reason);
    result_.reason = reason;
    result_.logarithmic.clear();
  }
  void set_none(Grade grade, const std::string& reason) {
    if (grade != Grade::proved) return set_unknown("it was not decided whether a pivot vanishes");
    result_.exists = Verdict::of(Grade::refuted);
    result_.reason = reason;
    result_.logarithmic.clear();
  }

  bool is_free_of_forces() const {
    return std::all_of(right_.begin(), right_.end(), [&](Expr e) { return algebra_.is_zero(e).is_proved(); });
  }

  /// F_i - sum_j (n_i p_j - n_j p_i) v^j by its monomials in the velocities: each is an equation for n.
  bool collect_equations() {
    Pool& pool = algebra_.pool();
    const std::size_t n = velocities_.size();
    std::vector<Expr> unknowns;
    for (std::size_t i = 0; i < n; ++i)
      unknowns.push_back(pool.symbol("#n" + std::to_string(i), SymbolKind::auxiliary));
    at_rest_.assign(n, pool.number(0));
    std::vector<Expr> momenta;
    for (Expr v : velocities_) momenta.push_back(derivative(system_.kinetic, v));
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<Expr> terms{system_.forces[i]};
      for (std::size_t j = 0; j < n; ++j)
        terms.push_back((unknowns[j] * momenta[i] - unknowns[i] * momenta[j]) * velocities_[j]);
      const auto monomials =
          polynomial_coefficients(algebra_.canonical(pool.add(terms)).value, velocities_, max_terms);
      if (!monomials) {
        set_unknown("the forces are no polynomials in the velocities");
        return false;
      }
      for (const Monomial& monomial : *monomials) {
        if (std::all_of(monomial.exponents.begin(), monomial.exponents.end(),
                        [](unsigned e) { return e == 0; })) {
          at_rest_[i] = monomial.coefficient;
          continue;
        }
        const auto linear = linear_coefficients(monomial.coefficient, unknowns);
        if (!linear) {
          set_unknown("the condition is not linear as it is written");
          return false;
        }
        rows_.push_back(linear->coefficients);
        right_.push_back(-linear->rest);
      }
    }
    add_forces_at_rest();
    if (rows_.empty()) {
      rows_.emplace_back(n, pool.number(0));
      right_.push_back(pool.number(0));
    }
    return true;
  }

  /// Forces without velocities belong to the potential where they have one; else nothing removes them.
  void add_forces_at_rest() {
    const auto& q = result_.coordinates;
    for (std::size_t i = 0; i < q.size(); ++i) {
      for (std::size_t j = i + 1; j < q.size(); ++j) {
        const Verdict closed =
            algebra_.is_zero(derivative(at_rest_[i], q[j]) - derivative(at_rest_[j], q[i]));
        if (closed.is_proved()) continue;
        rows_.emplace_back(q.size(), algebra_.pool().number(0));
        right_.push_back(derivative(at_rest_[i], q[j]) - derivative(at_rest_[j], q[i]));
      }
    }
  }

  Matrix matrix() const {
    Matrix result(algebra_.pool(), rows_.size(), velocities_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t k = 0; k < velocities_.size(); ++k) result(i, k) = rows_[i][k];
    }
    return result;
  }

  /// Weakens the grade to that of what was decided.
  bool is_closed(Grade& grade) {
    const auto& q = result_.coordinates;
    for (std::size_t i = 0; i < q.size(); ++i) {
      for (std::size_t j = i + 1; j < q.size(); ++j) {
        const Verdict closed = algebra_.is_zero(derivative(result_.logarithmic[i], q[j]) -
                                                derivative(result_.logarithmic[j], q[i]));
        if (closed.holds()) {
          grade = weaker(grade, closed.grade);
          continue;
        }
        if (closed.is_refuted()) {
          set_none(grade, "the only d(log N) that satisfies its linear equations is not closed");
        } else {
          set_unknown("it was not decided whether n is closed");
        }
        return false;
      }
    }
    return true;
  }

  bool is_multiplier(Expr value) const {
    for (std::size_t i = 0; i < result_.coordinates.size(); ++i) {
      const Expr slope = derivative(value, result_.coordinates[i]) / value;
      const Verdict same = algebra_.is_zero(slope - result_.logarithmic[i]);
      if (!same.holds() || weaker(same.grade, result_.exists.grade) != result_.exists.grade) return false;
    }
    return true;
  }

  /// S. A. Chaplygin (1911): with N the measure N^(n-1) dq dp is kept, and dq dp = det(M) dq dv.
  void find_closed_form() {
    Pool& pool = algebra_.pool();
    if (is_multiplier(pool.number(1))) {
      result_.value = pool.number(1);
      return;
    }
    const StateFlowResult flow = derive_state_flow(algebra_, motion_);
    if (!flow.flow || velocities_.size() < 2) return;
    const InvariantMeasure measure = find_invariant_measure(algebra_, *flow.flow);
    if (!measure.density) return;
    const Expr mass = determinant(algebra_, motion_.free.mass).value;
    const Rational power(1, static_cast<long>(velocities_.size()) - 1);
    const Expr value = algebra_.readable(pool.pow(*measure.density / mass, power));
    if (is_multiplier(value)) result_.value = value;
  }

  Algebra& algebra_;
  const Motion& motion_;
  const System& system_;
  std::vector<Expr> velocities_;
  std::vector<std::vector<Expr>> rows_;
  std::vector<Expr> right_;
  std::vector<Expr> at_rest_;  ///< forces without velocities
  ReducingMultiplier result_;
};

}  // namespace

ReducingMultiplier find_reducing_multiplier(Algebra& algebra, const Motion& motion) {
  return Search(algebra, motion).run();
}

}  // namespace liaison
