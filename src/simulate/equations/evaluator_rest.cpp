#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "evaluator_parts.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

/// Relations whose gradients are parallel to within this angle are not taken for independent ones.
constexpr double independent = 1e-9;

/// Of each relation whether it holds where all velocities are zero, at every state and time.
std::vector<bool> hold_at_rest(const AssembledEquations& equations) {
  Substitution rest;
  for (const Expr parameter : equations.parameters)
    rest.emplace(parameter, equations.system->pool->number(0));
  std::vector<bool> result;
  for (const Expr relation : equations.relations) result.push_back(substitute(relation, rest).is_zero());
  return result;
}

/// Numbers that are joined.
class Heads {
 public:
  explicit Heads(std::size_t count) : head_(count) { std::iota(head_.begin(), head_.end(), std::size_t{0}); }
  std::size_t of(std::size_t a) const {
    while (head_[a] != a) a = head_[a];
    return a;
  }
  void join(std::size_t a, std::size_t b) { head_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> head_;
};

/// Velocities that relations join, with these relations: among themselves alone.
struct Group {
  std::vector<std::size_t> velocities, relations;
};

/// Of what rests, by relations among it alone.
std::vector<Group> groups_of(const AssembledEquations& equations, const std::vector<std::size_t>& relations,
                             const std::vector<bool>& rests) {
  const std::size_t n = equations.parameters.size();
  Heads heads(n);
  std::vector<std::optional<std::size_t>> of_relation(equations.relation_count);
  for (const SparseEntry& entry : equations.gradients.entries) {
    if (std::find(relations.begin(), relations.end(), entry.row) == relations.end()) continue;
    auto& own = of_relation[entry.row];
    if (own) heads.join(entry.column, *own);
    own = entry.column;
  }
  std::vector<Group> result(n);
  for (std::size_t a = 0; a < n; ++a)
    if (rests[a]) result[heads.of(a)].velocities.push_back(a);
  for (std::size_t k = 0; k < of_relation.size(); ++k)
    if (of_relation[k]) result[heads.of(*of_relation[k])].relations.push_back(k);
  std::erase_if(result, [](const Group& group) { return group.velocities.empty(); });
  return result;
}

/// The relations that say something, of these velocities alone.
std::vector<std::size_t> among(const AssembledEquations& equations, const std::vector<bool>& hold,
                               const std::vector<bool>& velocities) {
  std::vector<bool> kept(hold.size()), is_empty(hold.size(), true);
  for (std::size_t k = 0; k < hold.size(); ++k) kept[k] = hold[k];
  for (const SparseEntry& entry : equations.gradients.entries) {
    is_empty[entry.row] = false;
    kept[entry.row] = kept[entry.row] && velocities[entry.column];
  }
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (kept[k] && !is_empty[k]) result.push_back(k);
  return result;
}

/// Whether the gradients of some relations are those of this state as long as some velocities are zero.
class Standing {
 public:
  explicit Standing(const AssembledEquations& equations) : equations_(equations) {}

  bool keeps_gradients(const Group& group, const std::vector<bool>& rests) const {
    std::vector<Expr> entries;
    for (const SparseEntry& entry : equations_.gradients.entries)
      if (std::find(group.relations.begin(), group.relations.end(), entry.row) != group.relations.end())
        entries.push_back(entry.value);
    const std::vector<Expr> symbols = symbols_in(entries);
    return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return stands(symbol, rests); });
  }

 private:
  /// A parameter of the model, or a position that only velocities move which are zero.
  bool stands(Expr symbol, const std::vector<bool>& rests) const {
    const auto& parameters = equations_.system->parameters;
    if (std::any_of(parameters.begin(), parameters.end(),
                    [&](const Parameter& one) { return one.symbol == symbol; }))
      return true;
    const auto& positions = equations_.positions;
    const auto found = std::find(positions.begin(), positions.end(), symbol);
    if (found == positions.end()) return false;
    Substitution rest;
    for (std::size_t a = 0; a < rests.size(); ++a)
      if (rests[a]) rest.emplace(equations_.parameters[a], equations_.system->pool->number(0));
    return substitute(equations_.position_rates[static_cast<std::size_t>(found - positions.begin())], rest)
        .is_zero();
  }

  const AssembledEquations& equations_;
};

}  // namespace

void Evaluator::leave_rest() {
  implementation_->at_rest = implementation_->said_to_rest;
  implementation_->rounding_is_rest = false;
  implementation_->standing.clear();
}

/// What a method leaves of positions that nothing moves is its rounding.
void Evaluator::Implementation::stand(double t, const double* y) {
  standing.clear();
  standing_from = t;
  if (at_rest.empty()) return;
  Substitution rest;
  for (const std::size_t a : at_rest)
    rest.emplace(equations.parameters[a], equations.system->pool->number(0));
  for (std::size_t i = 0; i < positions; ++i)
    if (substitute(equations.position_rates[i], rest).is_zero()) standing.emplace_back(i, y[i]);
}

/// Velocities to which these relations allow no value but zero, here.
std::vector<bool> Evaluator::Implementation::held_by(std::span<const std::size_t> relations,
                                                     std::span<const double> gradients,
                                                     std::span<const double> masses) const {
  std::vector<bool> result(n, false);
  Eigen::MatrixXd columns(n, relations.size());
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    for (Eigen::Index a = 0; a < columns.rows(); ++a)
      columns(a, k) =
          gradients[relations[static_cast<std::size_t>(k)] * n + a] / std::sqrt(masses[a * n + a]);
    if (const double length = columns.col(k).norm(); length > 0) columns.col(k) /= length;
  }
  if (relations.empty() || !columns.allFinite()) return result;
  const Eigen::MatrixXd span = DensePivoted(columns, independent).basis();
  for (Eigen::Index a = 0; a < columns.rows(); ++a) {
    Eigen::VectorXd left = -span * span.row(a).transpose();
    left(a) += 1;
    result[static_cast<std::size_t>(a)] = left.norm() <= independent;
  }
  return result;
}

bool Evaluator::stay_at_rest(double t, const double* y) {
  Implementation& own = *implementation_;
  leave_rest();
  if (own.n == 0 || relation_count() == 0) return false;
  own.rounding_is_rest = true;
  const std::vector<bool> hold = hold_at_rest(own.equations);
  std::vector<double> entries, masses;
  if (std::find(hold.begin(), hold.end(), true) == hold.end() || !gradients(t, y, entries) ||
      !mass(t, y, masses))
    return false;
  const auto held = [&](const std::vector<std::size_t>& relations) {
    return own.held_by(relations, entries, masses);
  };
  const auto all = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
  };
  std::vector<bool> zero(own.n, true);
  std::vector<std::size_t> relations = among(own.equations, hold, zero);
  zero = held(relations);
  if (all(zero) && all(hold)) {
    own.at_rest.resize(own.n);
    std::iota(own.at_rest.begin(), own.at_rest.end(), std::size_t{0});
    own.stand(t, y);
    return true;
  }
  const Standing standing(own.equations);
  for (bool again = true; again;) {
    relations = among(own.equations, hold, zero);
    const std::vector<bool> before = std::exchange(zero, held(relations));
    for (std::size_t a = 0; a < own.n; ++a) zero[a] = zero[a] && before[a];
    again = zero != before;
    if (again) continue;
    for (const Group& group : groups_of(own.equations, relations, zero)) {
      if (standing.keeps_gradients(group, zero)) continue;
      for (const std::size_t a : group.velocities) zero[a] = false;
      again = true;
    }
  }
  for (const std::size_t a : own.said_to_rest) zero[a] = true;
  own.at_rest.clear();
  for (std::size_t a = 0; a < own.n; ++a)
    if (zero[a]) own.at_rest.push_back(a);
  own.stand(t, y);
  return false;
}

/// Velocities that masses, relations or forces join have one number.
void Evaluator::Implementation::join_accelerations() {
  Heads heads(n);
  const auto join = [&](const SparseMatrix& rows) {
    std::vector<std::size_t> first(rows.rows, n);
    for (const SparseEntry& entry : rows.entries) {
      std::size_t& own = first[entry.row];
      if (own < n) heads.join(entry.column, own);
      own = entry.column;
    }
  };
  for (const SparseEntry& entry : equations.mass.entries) heads.join(entry.row, entry.column);
  join(equations.directions);
  join(equations.gradients);
  for (std::size_t a = 0; a < n; ++a) joined.push_back(heads.of(a));
}

/// What the forces on what is joined could do to each velocity, by the factors of now: with F the largest of
/// them in the metric of the mass, (M^-1)_aa^(1/2) F. An acceleration is known to the rounding of that.
bool Evaluator::Implementation::measure_accelerations(double t, const double* y) {
  Pieces now;
  if (!pieces(t, y,
              std::vector<double>(input_values.begin() + static_cast<std::ptrdiff_t>(first_factor),
                                  input_values.begin() + static_cast<std::ptrdiff_t>(first_factor + forces)),
              now))
    return false;
  if (joined.empty()) join_accelerations();
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::MatrixXd inverse =
      DenseLu(Eigen::MatrixXd(Eigen::Map<const Matrix>(now.mass.data(), size, size))).inverse();
  std::vector<double> largest(n, 0);
  const auto take = [&](const double* force, double multiple) {  // of each joined part its own
    const Eigen::Map<const Eigen::VectorXd> own(force, size);
    const Eigen::VectorXd changes = inverse * own;
    std::vector<double> squares(n, 0);
    for (std::size_t a = 0; a < n; ++a)
      squares[joined[a]] += own(static_cast<Eigen::Index>(a)) * changes(static_cast<Eigen::Index>(a));
    for (std::size_t a = 0; a < n; ++a)
      largest[a] = std::max(largest[a], std::abs(multiple) * std::sqrt(std::max(0.0, squares[a])));
  };
  take(now.load.data(), 1);
  for (std::size_t h = 0; h < forces; ++h) take(now.directions.data() + h * n, factors[h]);
  acceleration_sizes.resize(n);
  for (std::size_t a = 0; a < n; ++a) {
    const double own = inverse(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(a));
    acceleration_sizes[a] = std::sqrt(std::max(0.0, own)) * largest[joined[a]];
    if (!std::isfinite(acceleration_sizes[a])) return false;
  }
  return true;
}

/// What has no velocity and an acceleration that is rounding of its forces begins no motion: where it could
/// move, as over an edge, it would do so ever faster.
void Evaluator::Implementation::rest_where_forces_cancel(double t, const double* y, double* dy) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon(), suspicion = 1e-9;
  const auto is_asked = [&](std::size_t a) {
    return y[positions + a] == 0 && dy[positions + a] != 0 &&
           (acceleration_sizes.empty() || std::abs(dy[positions + a]) <= suspicion * acceleration_sizes[a]);
  };
  bool any = false;
  for (std::size_t a = 0; a < n && !any; ++a) any = is_asked(a);
  if (!any || !measure_accelerations(t, y)) return;
  for (std::size_t a = 0; a < n; ++a)
    if (y[positions + a] == 0 && std::abs(dy[positions + a]) <= rounding * acceleration_sizes[a])
      dy[positions + a] = 0;
}

}  // namespace liaison
