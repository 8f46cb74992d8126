#include "repeated_relations.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "ball_elimination.hpp"
#include "dense.hpp"
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

using ExactRows = std::vector<std::vector<Rational>>;

/// Of all vectors that the rows annihilate: the rows are reduced until each has a 1 where the others have 0.
std::vector<bool> components_that_vanish(ExactRows rows) {
  const std::size_t columns = rows.front().size();
  std::vector<bool> result(columns, false);
  std::size_t done = 0;
  for (std::size_t j = 0; j < columns && done < rows.size(); ++j) {
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(done);
    const auto pivot = std::find_if(from, rows.end(), [&](const auto& row) { return !row[j].is_zero(); });
    if (pivot == rows.end()) continue;
    std::iter_swap(from, pivot);
    const Rational by = rows[done][j];
    for (Rational& entry : rows[done]) entry = entry / by;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Rational times = rows[i][j];
      if (i == done || times.is_zero()) continue;
      for (std::size_t k = 0; k < columns; ++k) rows[i][k] += -times * rows[done][k];
    }
    ++done;
  }
  for (std::size_t i = 0; i < done; ++i) {
    const auto is_zero = [](const Rational& entry) { return entry.is_zero(); };
    if (std::count_if(rows[i].begin(), rows[i].end(), is_zero) + 1 != static_cast<std::ptrdiff_t>(columns))
      continue;
    result[static_cast<std::size_t>(std::find_if_not(rows[i].begin(), rows[i].end(), is_zero) -
                                    rows[i].begin())] = true;
  }
  return result;
}

class ExactRest {
 public:
  ExactRest(Algebra& algebra, const Motion& motion, const Substitution& coordinates)
      : algebra_(algebra), motion_(motion), system_(*motion.space.system), place_(coordinates) {
    for (const Parameter& parameter : system_.parameters)
      parameters_.emplace(parameter.symbol, parameter.value ? parameter.exact() : algebra.pool().number(1));
    for (const ConstraintField& constraint : motion.constraints) {
      if (!constraint.level.empty()) levels_.push_back(substitute(constraint.level, parameters_));
    }
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
    if (!has_values() || !has_definite_mass_at(motion_, witness)) return std::nullopt;
    const bool has_levels_alone = levels_.size() == motion_.constraints.size() && system_.rotations.empty();
    const bool moves = goes_straight() || (has_levels_alone && has_constant_rank());
    return moves ? std::optional(std::move(witness)) : std::nullopt;
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

  /// The forces and the energy, which do not jump there, and what the levels are made of, which has no
  /// corner.
  bool has_values() const {
    const PieceArguments pieces = piece_arguments(levels_);
    if (!pieces.jumps.empty() || !pieces.kinks.empty() || !cuts(levels_).empty()) return false;
    std::vector<Expr> acting = motion_.free.load;
    acting.push_back(system_.kinetic);
    std::vector<Expr> apart = piece_arguments(acting).jumps;
    for (const Cut& cut : cuts(acting)) apart.push_back(cut.y);
    for (Expr u : apart) {
      const BallValues found = evaluate_balls(std::span(&u, 1), point_, bits_of_a_place);
      if (found.status != EvaluationStatus::ok || found.values[0].contains_zero()) return false;
    }
    return evaluate_balls(motion_.free.load, point_, bits_of_a_place).status == EvaluationStatus::ok &&
           evaluate_balls(levels_, point_, bits_of_a_place).status == EvaluationStatus::ok;
  }

  /// Velocities that the relations make zero at the place, and what stands with them, are held. Where the
  /// gradients are then numbers, whatever the rest does, straight lines are the motions that they allow.
  bool goes_straight() {
    ExactRows rows;
    for (const ConstraintField& constraint : motion_.constraints) {
      std::vector<Rational>& row = rows.emplace_back();
      for (Expr entry : constraint.gradient) {
        const Expr value = algebra_.canonical(substitute(entry, exact_)).value;
        if (!value.is_number()) return false;
        row.push_back(value.number());
      }
    }
    const std::vector<bool> vanish = components_that_vanish(std::move(rows));
    Substitution held = parameters_, rest = parameters_;
    for (std::size_t a = 0; a < vanish.size(); ++a) {
      const Expr velocity = motion_.space.parameters[a];
      rest.emplace(velocity, algebra_.pool().number(0));
      if (vanish[a]) held.emplace(velocity, algebra_.pool().number(0));
    }
    for (const auto& [symbol, value] : place_) {
      const Expr rate = motion_.space.in_parameters(time_derivative(system_, symbol));
      if (substitute(rate, held).is_zero()) {
        held.emplace(symbol, value);
        rest.emplace(symbol, value);
      } else if (is_quaternion(symbol)) {
        return false;
      }
    }
    const auto is_number = [&](Expr e) { return algebra_.canonical(substitute(e, held)).value.is_number(); };
    return std::all_of(
        motion_.constraints.begin(), motion_.constraints.end(), [&](const ConstraintField& constraint) {
          const Expr at_rest = substitute(constraint.relation, rest);
          return algebra_.canonical(at_rest).value.is_zero() &&
                 std::all_of(constraint.gradient.begin(), constraint.gradient.end(), is_number);
        });
  }

  bool is_quaternion(Expr symbol) const {
    return std::any_of(system_.rotations.begin(), system_.rotations.end(), [&](const Rotation& rotation) {
      return std::find(rotation.quaternion.begin(), rotation.quaternion.end(), symbol) !=
             rotation.quaternion.end();
    });
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
    DenseRank factorised(jacobian);
    factorised.set_threshold(small);
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

/// Levels that do not hold at a place are solved for a coordinate in which they are linear there.
Substitution on_levels(const Motion& motion, Substitution place, const Substitution& parameters) {
  for (const ConstraintField& constraint : motion.constraints) {
    if (constraint.level.empty()) continue;
    const Expr level = substitute(constraint.level, parameters);
    if (substitute(level, place).is_zero()) continue;
    for (auto& [symbol, value] : place) {
      Substitution others = place;
      others.erase(symbol);
      const std::vector<Expr> one{symbol};
      const auto linear = linear_coefficients(substitute(level, others), one);
      const bool is_solved = linear && linear->coefficients[0].is_number() &&
                             !linear->coefficients[0].is_zero() && linear->rest.is_number();
      if (!is_solved) continue;
      value = -linear->rest / linear->coefficients[0].number();
      break;
    }
  }
  return place;
}

/// Zero, with rotations that turn nothing, and the start of the model where that is another place.
std::vector<Substitution> exact_places(const Motion& motion) {
  const System& system = *motion.space.system;
  Substitution zero;
  for (const ScalarCoordinate& coordinate : motion.space.coframe->scalar_coordinates()) {
    if (coordinate.symbol != system.time) zero.emplace(coordinate.symbol, system.pool->number(0));
  }
  for (const Rotation& rotation : system.rotations)
    zero.insert_or_assign(rotation.quaternion[0], system.pool->number(1));
  Substitution start = zero, known;
  for (const Parameter& parameter : system.parameters)
    known.emplace(parameter.symbol, parameter.value ? parameter.exact() : system.pool->number(1));
  for (const InitialValue& given : system.start) {
    const auto coordinate = start.find(given.symbol);
    const Expr value = substitute(given.value, known);
    if (coordinate != start.end() && value.is_number()) coordinate->second = value;
  }
  std::vector<Substitution> result{on_levels(motion, zero, known)};
  if (start != zero) result.push_back(on_levels(motion, start, known));
  return result;
}

}  // namespace

std::optional<Witness> rest_on_repeated_relations(Algebra& algebra, const Motion& motion) {
  const System& system = *motion.space.system;
  const bool has_relations_alone =
      !motion.constraints.empty() && motion.constraints.size() == motion.relation_count;
  if (!has_relations_alone || !is_ideal(system) || !system.chart.parameters.empty()) return std::nullopt;
  for (const Substitution& place : exact_places(motion)) {
    if (auto witness = ExactRest(algebra, motion, place).start_of_motion()) return witness;
  }
  return std::nullopt;
}

}  // namespace liaison
