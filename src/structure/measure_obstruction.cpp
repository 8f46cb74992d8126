#include "measure_obstruction.hpp"

#include <algorithm>

#include "admissible_directions.hpp"
#include "function_table.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/mechanics/states.hpp"
#include "modular_matrix.hpp"
#include "modular_points.hpp"
#include "quaternion_chart.hpp"
#include "special_states.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t seed = 20'260'119;

/// F and the rate of -log rho along it.
struct RatedField {
  VectorField field;
  Expr rate;
};

bool is_zero_field(const VectorField& field) {
  return std::all_of(field.components().begin(), field.components().end(),
                     [](Expr e) { return e.is_zero(); });
}

class Brackets {
 public:
  Brackets(Algebra& algebra, const StateFlow& flow, Expr divergence)
      : algebra_(algebra), flow_(flow), divergence_(divergence) {}

  DensityByBrackets run() {
    result_.reason = flow_.standing.pieces;
    if (flow_.has_levels) result_.reason = "the coordinates satisfy relations between them";
    if (!result_.reason.empty()) return std::move(result_);
    if (!read_fields()) return std::move(result_);
    close();
    if (!result_.obstruction && result_.reason.empty()) integrate();
    return std::move(result_);
  }

 private:
  bool depends_on_time() const { return !flow_.is_autonomous(algebra_); }

  /// div X = alpha_0 + alpha_A z^A, X_0 and X_A with their rates; false: it is decided.
  bool read_fields() {
    const auto directions = admissible_directions(algebra_, flow_);
    if (!directions) return refuse("the velocities are not linear in the velocity parameters");
    const bool has_time = depends_on_time();
    const std::size_t time = flow_.coframe->dimension() - 1;
    for (std::size_t i = 0; i < time - flow_.velocities.size(); ++i) forms_.push_back(i);
    if (has_time) forms_.push_back(time);
    Substitution at_rest;
    for (Expr velocity : flow_.velocities) at_rest.emplace(velocity, algebra_.pool().number(0));
    std::vector<Expr> slopes;
    for (Expr velocity : flow_.velocities) {
      slopes.push_back(algebra_.readable(derivative(divergence_, velocity)));
      for (Expr other : flow_.velocities) {
        const Expr second = algebra_.readable(derivative(slopes.back(), other));
        if (!second.is_zero() && contradicts(second)) return false;
        if (!second.is_zero()) return refuse("the divergence is not linear in the velocities");
      }
    }
    const std::size_t count = directions->fields.size() - slopes.size();
    VectorField drift = count > 0 ? directions->fields.front() : VectorField(flow_.coframe);
    std::vector<Expr> components = drift.components();
    components[time] = algebra_.pool().number(has_time ? 1 : 0);
    drift = VectorField(flow_.coframe, std::move(components));
    first_.push_back({drift, algebra_.readable(substitute(divergence_, at_rest))});
    for (std::size_t a = 0; a < slopes.size(); ++a)
      first_.push_back({directions->fields[count + a], slopes[a]});
    return true;
  }

  bool refuse(std::string reason) {
    result_.reason = std::move(reason);
    return false;
  }

  /// D, D + [D, D], ...: brackets with what the last step added.
  void close() {
    for (const RatedField& one : first_) {
      if (!add(one)) return;
    }
    for (std::size_t begin = 0; begin < fields_.size();) {
      const std::size_t end = fields_.size();
      for (const RatedField& one : first_) {
        for (std::size_t j = begin; j < end; ++j) {
          if (algebra_.options().is_interrupted()) {
            result_.reason = "interrupted";
            return;
          }
          const RatedField other = fields_[j];
          const Expr rate = apply(one.field, other.rate) - apply(other.field, one.rate);
          if (!add({bracket(one.field, other.field), algebra_.readable(rate)})) return;
        }
      }
      begin = end;
    }
    result_.near_general_places = true;
    result_.grade = weaker(grade_, flow_.standing.at_most());
  }

  /// False: it is decided, or cannot be.
  bool add(const RatedField& given) {
    const RatedField one{simplified(algebra_, given.field), given.rate};
    if (is_zero_field(one.field)) return one.rate.is_zero() || !contradicts(one.rate);
    fields_.push_back(one);
    if (fields_.size() <= forms_.size() && is_independent_modulo_a_prime()) return true;
    const std::vector<Expr> factors = dependence();
    if (factors.empty()) return refuse("whether brackets depend on each other is not decided");
    Expr sum = algebra_.pool().number(0);
    for (std::size_t k = 0; k < fields_.size(); ++k) sum += factors[k] * fields_[k].rate;
    fields_.pop_back();
    sum = algebra_.readable(sum);
    return sum.is_zero() || !contradicts(sum);
  }

  /// c with sum c^k F_k = 0, where there is one; also where it holds of unit quaternions alone.
  std::vector<Expr> dependence() {
    const Matrix columns = transpose(components(false));
    const NullSpaceResult plain = null_space(algebra_, columns);
    grade_ = weaker(grade_, plain.grade);
    if (!plain.basis.empty()) return plain.basis[0];
    if (flow_.quaternions.empty()) return {};
    const NullSpaceResult turned = null_space(algebra_, in_quaternion_chart(algebra_, flow_, columns));
    grade_ = weaker(grade_, turned.grade);
    if (turned.basis.empty()) return {};
    std::vector<Expr> factors = turned.basis[0];
    const Substitution back = chart_of_quaternions(flow_).back;
    for (Expr& factor : factors) factor = substitute(factor, back);
    return factors;
  }

  /// One row a field; with its rate behind them.
  Matrix components(bool with_rates) const {
    Matrix matrix(algebra_.pool(), fields_.size(), forms_.size() + (with_rates ? 1 : 0));
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      for (std::size_t k = 0; k < forms_.size(); ++k) matrix(i, k) = fields_[i].field.component(forms_[k]);
      if (with_rates) matrix(i, forms_.size()) = fields_[i].rate;
    }
    return matrix;
  }

  bool is_independent_modulo_a_prime() {
    const Matrix matrix = components(false);
    const FunctionTable table(algebra_, matrix.entries, flow_.state());
    if (!table.refusal().empty() || !table.is_complete()) return false;
    for (std::uint64_t attempt = 0; attempt < 3; ++attempt) {
      ModularPoints points(table, {.quaternions = flow_.quaternions, .values = {}}, seed + attempt);
      const auto at = points.next();
      if (!at) continue;
      ModularMatrix values(points.field(), forms_.size());
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        const auto begin = at->begin() + static_cast<std::ptrdiff_t>(i * forms_.size());
        values.add_row({begin, begin + static_cast<std::ptrdiff_t>(forms_.size())});
      }
      if (values.rank() == fields_.size()) return true;
    }
    return false;
  }

  /// e would have to vanish wherever there is a density. False: it does so everywhere, or that is not known.
  bool contradicts(Expr e) {
    const Verdict vanishes = algebra_.are_equal(e, algebra_.pool().number(0), states_of(*flow_.motion));
    if (vanishes.is_proved()) return false;
    if (!vanishes.is_refuted()) {
      result_.reason = "whether the rates of a density contradict each other is not decided";
      return true;
    }
    result_.obstruction = to_infix(e).starts_with('-') ? algebra_.readable(-e) : e;
    result_.vanishes = vanishes;
    // General places lie around each place.
    result_.grade =
        is_certain_at_general_places(flow_.standing) ? grade_ : weaker(grade_, flow_.standing.at_most());
    if (result_.grade != Grade::proved) result_.reason = flow_.standing.reason;
    return true;
  }

  /// Brackets that reach every place give all derivatives of log rho.
  void integrate() {
    if (fields_.size() != forms_.size() || result_.grade != Grade::proved) return;
    const NullSpaceResult solved = null_space(algebra_, components(true));
    if (solved.basis.size() != 1 || solved.basis[0].back().is_zero()) return;
    const std::vector<Expr>& covector = solved.basis[0];
    Form form(flow_.coframe, 1);
    for (std::size_t k = 0; k < forms_.size(); ++k)
      form = form + covector[k] / covector.back() * Form::basis(flow_.coframe, forms_[k]);
    const Exactness exact = find_primitive(algebra_, simplified(algebra_, form));
    if (!exact.primitive || exact.primitive->terms().size() != 1 || exact.multivalued) return;
    const Expr logarithm = exact.primitive->terms().front().second;
    if (algebra_.follows(apply(flow_.field, logarithm) + divergence_, flow_.unit_quaternions()))
      result_.logarithm = logarithm;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  Expr divergence_;
  std::vector<std::size_t> forms_;  ///< of positions, and of the time where it counts
  std::vector<RatedField> first_, fields_;
  Grade grade_ = Grade::proved;
  DensityByBrackets result_;
};

}  // namespace

DensityByBrackets density_by_brackets(Algebra& algebra, const StateFlow& flow, Expr divergence) {
  return Brackets(algebra, flow, divergence).run();
}

bool is_quadratic_in_velocities(Algebra& algebra, const StateFlow& flow) {
  if (flow.has_levels || !flow.is_autonomous(algebra)) return false;
  const auto directions = admissible_directions(algebra, flow);
  if (!directions || directions->with_time) return false;
  Substitution at_rest;
  for (Expr velocity : flow.velocities) at_rest.emplace(velocity, algebra.pool().number(0));
  const auto is_zero = [&](Expr e) { return algebra.is_zero(e).is_proved(); };
  const std::size_t n = flow.coframe->dimension() - 1 - flow.velocities.size();
  for (std::size_t a = 0; a < flow.velocities.size(); ++a) {
    const Expr rate = flow.field.component(n + a);
    if (!is_zero(substitute(rate, at_rest))) return false;
    for (Expr one : flow.velocities) {
      const Expr slope = derivative(rate, one);
      if (!is_zero(substitute(slope, at_rest))) return false;
      for (Expr other : flow.velocities) {
        const Expr second = algebra.canonical(derivative(slope, other)).value;
        if (std::any_of(flow.velocities.begin(), flow.velocities.end(),
                        [&](Expr z) { return depends_on(second, z); }))
          return false;
      }
    }
  }
  return true;
}

}  // namespace liaison
