#include "repeated_relations.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "ball_elimination.hpp"
#include "expr/raw.hpp"
#include "least_change.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"
#include "motion_at_witness.hpp"

namespace liaison {

namespace {

constexpr long bits_of_a_place = 256;

using Row = std::vector<Ball>;

/// No combination of these rows vanishes: their Gram matrix is certainly regular.
bool are_certainly_independent(const std::vector<Row>& rows) {
  std::vector<BallEntry> gram;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Ball sum;
      for (std::size_t a = 0; a < rows[i].size(); ++a)
        arb_addmul(sum.raw(), rows[i][a].raw(), rows[k][a].raw(), bits_of_a_place);
      gram.push_back({i, k, std::move(sum)});
    }
  }
  return is_certainly_regular(rows.size(), gram, bits_of_a_place);
}

class ExactRest {
 public:
  ExactRest(Algebra& algebra, const Motion& motion, const Substitution& coordinates)
      : algebra_(algebra), motion_(motion), system_(*motion.space.system), place_(coordinates) {
    for (const Parameter& parameter : system_.parameters)
      parameters_.emplace(parameter.symbol, parameter.value ? parameter.exact() : algebra.pool().number(1));
    for (const ConstraintField& constraint : motion.constraints)
      levels_.push_back(substitute(constraint.level, parameters_));
    exact_ = place_;
    exact_.insert(parameters_.begin(), parameters_.end());
    exact_.emplace(system_.time, algebra.pool().number(0));
    for (Expr velocity : motion.space.parameters) exact_.emplace(velocity, algebra.pool().number(0));
  }

  std::optional<Witness> start_of_motion() {
    if (!is_state()) return std::nullopt;
    Witness witness;
    for (const auto& [symbol, value] : exact_) {
      if (!value.is_number()) return std::nullopt;
      witness.point.emplace_back(symbol, value.number());
      point_.emplace(symbol, Ball(value.number(), bits_of_a_place));
    }
    if (!has_values() || !has_definite_mass_at(motion_, witness) || !has_constant_rank()) return std::nullopt;
    return witness;
  }

 private:
  bool is_state() {
    const Region states = states_with_rates(motion_);
    for (Expr equation : states.equations) {
      const Expr value = substitute(equation, exact_);
      if (!value.is_constant() || !algebra_.is_zero(value).is_proved()) return false;
    }
    return std::all_of(states.domain.begin(), states.domain.end(), [&](const Requirement& requirement) {
      const Expr value = substitute(requirement.e, exact_);
      const BallValues found = evaluate_balls(std::span(&value, 1), {}, bits_of_a_place);
      if (found.status != EvaluationStatus::ok || found.values[0].contains_zero()) return false;
      return requirement.bound == Bound::nonzero || found.values[0].is_positive();
    });
  }

  /// The forces, and what the levels are made of, which has no corner there.
  bool has_values() const {
    const PieceArguments pieces = piece_arguments(levels_);
    if (!pieces.jumps.empty() || !pieces.kinks.empty() || !cuts(levels_).empty()) return false;
    return evaluate_balls(motion_.free.load, point_, bits_of_a_place).status == EvaluationStatus::ok &&
           evaluate_balls(levels_, point_, bits_of_a_place).status == EvaluationStatus::ok;
  }

  std::optional<Row> row_of(const std::vector<Expr>& gradient) const {
    BallValues row = evaluate_balls(gradient, point_, bits_of_a_place);
    if (row.status != EvaluationStatus::ok) return std::nullopt;
    return std::move(row.values);
  }

  /// By the velocity parameters, of a linear relation between coordinates.
  std::optional<Row> row_of_level(Expr level) const {
    const auto linear = linear_coefficients(motion_.space.in_parameters(time_derivative(system_, level)),
                                            motion_.space.parameters);
    return linear ? row_of(linear->coefficients) : std::nullopt;
  }

  /// Takes those relations whose gradients are independent of the rows so far; the others are returned.
  std::vector<std::size_t> add_independent(std::vector<Row>& rows, std::vector<std::size_t>& taken) const {
    std::vector<std::size_t> others;
    for (std::size_t h = 0; h < motion_.constraints.size(); ++h) {
      const auto row = row_of(motion_.constraints[h].gradient);
      std::vector<Row> more = rows;
      if (row) more.push_back(*row);
      if (!row || !are_certainly_independent(more)) {
        others.push_back(h);
      } else {
        rows = std::move(more);
        taken.push_back(h);
      }
    }
    return others;
  }

  bool has_constant_rank() {
    std::vector<Row> rows;
    std::vector<std::size_t> taken;
    if (add_independent(rows, taken).empty()) return true;
    const std::size_t rank = rows.size();
    const auto kept = kept_by_motions();
    if (!kept) return false;
    rows.clear();
    taken.clear();
    for (const auto& [symbol, value] : *kept) {
      auto row = row_of_level(symbol - value);
      if (!row) return false;
      rows.push_back(std::move(*row));
    }
    if (!rows.empty() && !are_certainly_independent(rows)) return false;
    const std::vector<std::size_t> others = add_independent(rows, taken);
    if (rows.size() != rank) return false;
    const std::vector<Expr> levels = substitute(levels_, *kept);
    Region manifold;
    for (std::size_t h : taken) manifold.equations.push_back(levels[h]);
    BallPoint around = point_;
    for (auto& [symbol, value] : around) arb_add_error_2exp_si(value.raw(), -20);
    return std::all_of(others.begin(), others.end(),
                       [&](std::size_t h) { return algebra_.follows_near(levels[h], manifold, around); });
  }

  /// Linear relations that places nearby satisfy, as far as numbers see it: a coordinate by another one, or
  /// by a number. Nothing where no place nearby was found.
  std::optional<Substitution> kept_by_motions() const {
    constexpr double same = 1e-8;
    std::vector<Expr> symbols;
    for (const auto& [symbol, value] : place_) symbols.push_back(symbol);
    std::sort(symbols.begin(), symbols.end(), StructuralLess());
    const std::vector<DoublePoint> places = places_nearby(symbols);
    if (places.empty()) return std::nullopt;
    Substitution result;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const auto holds = [&](Expr value) {
        const Expr difference = symbols[i] - value;
        return std::all_of(places.begin(), places.end(), [&](const DoublePoint& place) {
          const DoubleValues found = evaluate(std::span(&difference, 1), place);
          return found.status == EvaluationStatus::ok && std::abs(found.values[0]) < same;
        });
      };
      const Expr here = place_.at(symbols[i]);
      std::vector<Expr> candidates{here};
      for (std::size_t j = 0; j < i; ++j) {
        if (result.contains(symbols[j])) continue;
        const Expr moved = symbols[j] - place_.at(symbols[j]);
        candidates.insert(candidates.end(), {here + moved, here - moved});
      }
      const auto found = std::find_if(candidates.begin(), candidates.end(), holds);
      if (found != candidates.end()) result.emplace(symbols[i], *found);
    }
    return result;
  }

  /// Along each direction that the gradients leave, one place on either side.
  std::vector<DoublePoint> places_nearby(const std::vector<Expr>& symbols) const {
    constexpr double far = 0.05, small = 1e-9;
    DoublePoint here;
    for (Expr symbol : symbols) here.emplace(symbol, place_.at(symbol).number().to_double());
    const NumericEquations equations(levels_, symbols);
    const NumericEquations::Values values = equations.at(here);
    std::vector<DoublePoint> result;
    if (!values.failure.empty()) return result;
    const auto n = static_cast<Eigen::Index>(symbols.size());
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(values.residual.size(), n);
    for (const auto& entry : values.jacobian) jacobian(entry.row(), entry.col()) += entry.value();
    Eigen::FullPivLU<Eigen::MatrixXd> factorised(jacobian);
    factorised.setThreshold(small);
    const Eigen::MatrixXd directions = factorised.kernel();
    for (Eigen::Index k = 0; k < directions.cols(); ++k) {
      const double length = directions.col(k).norm();
      for (const double step : {0.31, -0.23}) {
        if (length == 0) continue;
        DoublePoint place = here;
        for (Eigen::Index i = 0; i < n; ++i)
          place[symbols[static_cast<std::size_t>(i)]] += step / length * directions(i, k);
        if (!solve_least_change(equations, place).converged) continue;
        const bool has_moved = std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
          return std::abs(place.at(symbol) - here.at(symbol)) > far;
        });
        if (has_moved) result.push_back(std::move(place));
      }
    }
    return result;
  }

  Algebra& algebra_;
  const Motion& motion_;
  const System& system_;
  Substitution place_;               ///< coordinates
  Substitution parameters_, exact_;  ///< all values
  std::vector<Expr> levels_;         ///< with the values of parameters
  BallPoint point_;
};

/// Zero, and the start of the model where that is another place.
std::vector<Substitution> exact_places(const Motion& motion) {
  const System& system = *motion.space.system;
  Substitution zero;
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates()) {
    if (coordinate.symbol != system.time) zero.emplace(coordinate.symbol, system.pool->number(0));
  }
  Substitution start = zero, known;
  for (const Parameter& parameter : system.parameters) {
    if (parameter.value) known.emplace(parameter.symbol, parameter.exact());
  }
  for (const InitialValue& given : system.start) {
    const auto coordinate = start.find(given.symbol);
    const Expr value = substitute(given.value, known);
    if (coordinate != start.end() && value.is_number()) coordinate->second = value;
  }
  std::vector<Substitution> result{zero};
  if (start != zero) result.push_back(std::move(start));
  return result;
}

}  // namespace

std::optional<Witness> rest_on_repeated_relations(Algebra& algebra, const Motion& motion) {
  const System& system = *motion.space.system;
  const bool has_levels =
      !motion.constraints.empty() && motion.constraints.size() == motion.relation_count &&
      std::none_of(motion.constraints.begin(), motion.constraints.end(),
                   [](const ConstraintField& constraint) { return constraint.level.empty(); });
  if (!has_levels || !is_ideal(system) || !system.rotations.empty() || !system.chart.parameters.empty())
    return std::nullopt;
  for (const Substitution& place : exact_places(motion)) {
    if (auto witness = ExactRest(algebra, motion, place).start_of_motion()) return witness;
  }
  return std::nullopt;
}

}  // namespace liaison
