#include "liaison/structure/momentum_equations.hpp"

#include <algorithm>

#include "admissible_directions.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/structure/first_integrals.hpp"
#include "symmetry_ansatz.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t operations = 200'000'000;

bool has_relations_between_velocities(const StateFlow& flow) {
  return flow.motion->relation_count > 0 && !flow.has_levels;
}

using Rows = std::vector<std::vector<Expr>>;

Matrix matrix_of(Pool& pool, const Rows& rows, std::size_t columns) {
  Matrix matrix(pool, rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < columns; ++k) matrix(i, k) = rows[i][k];
  }
  return matrix;
}

/// Symmetries without a part along the time, by what they do to the positions.
Rows fields_on_positions(const StateSpace& space, const Symmetries& symmetries) {
  Rows rows;
  for (const Symmetry& symmetry : symmetries.fields) {
    if (!symmetry.field.component(space.time_form()).is_zero()) continue;
    rows.emplace_back();
    for (std::size_t i = 0; i < space.size(); ++i)
      rows.back().push_back(symmetry.field.component(space.configuration_form(i)));
  }
  return rows;
}

/// The admissible directions, one to a free velocity.
Rows directions_on_positions(const StateSpace& space, const AdmissibleDirections& directions) {
  Rows rows;
  for (std::size_t r = directions.with_time ? 1 : 0; r < directions.fields.size(); ++r) {
    rows.emplace_back();
    for (std::size_t i = 0; i < space.size(); ++i) rows.back().push_back(directions.fields[r].component(i));
  }
  return rows;
}

class Search {
 public:
  Search(Algebra& algebra, const StateFlow& flow, const Symmetries& symmetries,
         const AdmissibleDirections& directions)
      : algebra_(algebra),
        flow_(flow),
        space_(flow.motion->space),
        symmetries_(fields_on_positions(space_, symmetries)),
        directions_(directions_on_positions(space_, directions)) {}

  MomentumEquations run() {
    if (symmetries_.empty() || directions_.empty()) return std::move(result_);
    Rows fields = horizontal_fields();
    const std::size_t horizontal = fields.size();
    for (std::vector<Expr>& field : allowed_fields()) {
      fields.push_back(std::move(field));
      if (rank(algebra_, matrix_of(algebra_.pool(), fields, space_.size())).rank < fields.size())
        fields.pop_back();
    }
    for (std::size_t j = 0; j < fields.size() && !algebra_.options().is_interrupted(); ++j)
      add(std::move(fields[j]), j < horizontal);
    return std::move(result_);
  }

 private:
  Expr power(std::size_t h, const std::vector<Expr>& field) const {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < space_.size(); ++i)
      terms.push_back(flow_.motion->constraints[h].direction[i] * field[i]);
    return algebra_.canonical(flow_.restricted(space_.pool().add(terms))).value;
  }

  /// sum c_a X_a with constants c that every constraint allows: from points, then decided.
  Rows horizontal_fields() const {
    const std::size_t k = symmetries_.size(), relations = flow_.motion->relation_count;
    std::vector<Expr> powers;
    for (std::size_t h = 0; h < relations; ++h) {
      for (const std::vector<Expr>& field : symmetries_) powers.push_back(power(h, field));
    }
    std::vector<Expr> entries;
    const auto samples = rational_samples(algebra_, flow_, powers, k + 2);
    for (const std::vector<Expr>& sample : samples)
      entries.insert(entries.end(), sample.begin(), sample.end());
    Rows result;
    if (samples.empty()) return result;
    const NullSpaceResult found =
        null_space(algebra_, Matrix(samples.size() * relations, k, std::move(entries)));
    for (const std::vector<Expr>& c : found.basis) {
      std::vector<Expr> field(space_.size(), algebra_.pool().number(0));
      for (std::size_t i = 0; i < field.size(); ++i) {
        for (std::size_t a = 0; a < k; ++a) field[i] = field[i] + c[a] * symmetries_[a][i];
      }
      bool is_allowed = true;
      for (std::size_t h = 0; h < relations && is_allowed; ++h)
        is_allowed = algebra_.follows(power(h, field), flow_.unit_quaternions());
      if (is_allowed) result.push_back(std::move(field));
    }
    return result;
  }

  /// Combinations of the admissible directions that are combinations of the symmetries, over functions.
  Rows allowed_fields() {
    const std::size_t k = symmetries_.size(), m = directions_.size(), n = space_.size();
    Pool& pool = algebra_.pool();
    Rows both = symmetries_;
    both.insert(both.end(), directions_.begin(), directions_.end());
    Matrix columns(pool, n, k + m);
    for (std::size_t j = 0; j < k + m; ++j) {
      for (std::size_t i = 0; i < n; ++i) columns(i, j) = both[j][i];
    }
    const NullSpaceResult all = null_space(algebra_, columns);
    Rows chosen;  // factors of the directions
    for (const std::vector<Expr>& vector : all.basis)
      chosen.emplace_back(vector.begin() + static_cast<std::ptrdiff_t>(k), vector.end());
    const RankResult found = rank(algebra_, matrix_of(pool, chosen, m));
    Grade grade = weaker(all.grade, found.grade);
    if (!flow_.quaternions.empty()) {
      // Of quaternions of length one ranks may be smaller than of others; at a point of them they are not.
      const RankResult of_symmetries = rank(algebra_, matrix_of(pool, symmetries_, n));
      grade = weaker(grade, of_symmetries.grade);
      std::vector<Expr> asked = columns.entries;
      for (const std::vector<Expr>& factors : chosen)
        asked.insert(asked.end(), factors.begin(), factors.end());
      const auto samples = rational_samples(algebra_, flow_, asked, 1);
      const auto rank_at_point = [&](std::size_t rows, std::size_t width, std::size_t first) {
        const auto begin = samples.front().begin() + static_cast<std::ptrdiff_t>(first);
        return rank(algebra_, Matrix(rows, width, {begin, begin + static_cast<std::ptrdiff_t>(rows * width)}))
            .rank;
      };
      const bool is_all = !samples.empty() && rank_at_point(chosen.size(), m, n * (k + m)) == found.rank &&
                          m + of_symmetries.rank - rank_at_point(n, k + m, 0) == found.rank;
      if (!is_all) grade = Grade::unknown;
    }
    const Rows steps = in_steps(chosen, found);
    if (steps.size() < found.rank) grade = Grade::unknown;
    result_.none_else = weaker(grade, flow_.standing.at_most());
    Rows result;
    for (const std::vector<Expr>& factors : steps) {
      result.emplace_back(n, pool.number(0));
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t r = 0; r < m; ++r)
          result.back()[i] = result.back()[i] + factors[r] * directions_[r][i];
      }
      clear(result.back());
    }
    return result;
  }

  /// The same rows, each with a column in which it is one and the others zero.
  Rows in_steps(const Rows& rows, const RankResult& found) const {
    Pool& pool = algebra_.pool();
    const std::size_t s = found.rank, m = directions_.size();
    Matrix chosen(pool, s, s);
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t k = 0; k < s; ++k) chosen(k, i) = rows[found.rows[i]][found.columns[k]];
    }
    Rows result;
    for (std::size_t step = 0; step < s; ++step) {
      std::vector<Expr> unit(s, pool.number(0)), row(m, pool.number(0));
      unit[step] = pool.number(1);
      const SolveResult solved = solve(algebra_, chosen, unit);
      if (solved.status != SolveStatus::unique) continue;
      for (std::size_t r = 0; r < m; ++r) {
        for (std::size_t i = 0; i < s; ++i) row[r] = row[r] + solved.x[i] * rows[found.rows[i]][r];
      }
      result.push_back(std::move(row));
    }
    return result;
  }

  /// Without what all components divide by.
  void clear(std::vector<Expr>& components) const {
    Expr factor = algebra_.pool().number(1);
    for (Expr component : components) {
      const Expr e = algebra_.canonical(component * factor).value;
      const auto factors = e.is(Op::mul) ? e.args() : std::span<const Expr>(&e, 1);
      for (Expr part : factors) {
        if (part.is(Op::pow) && part.arg(1).is_number() && part.arg(1).number().sign() < 0 &&
            !part.arg(0).is_constant())
          factor = factor * pow(part.arg(0), -part.arg(1).number());
      }
    }
    for (Expr& component : components) component = component * factor;
  }

  void add(std::vector<Expr> field, bool is_horizontal) {
    std::vector<Expr> components(space_.coframe->dimension(), space_.pool().number(0)), terms;
    for (std::size_t i = 0; i < space_.size(); ++i) {
      field[i] = algebra_.readable(field[i]);
      components[space_.configuration_form(i)] = field[i];
      terms.push_back(field[i] * flow_.motion->omega.momenta[i]);
    }
    Expr momentum = algebra_.readable(flow_.restricted(space_.pool().add(terms)));
    if (momentum.is_zero()) return;             // a field that carries no momentum
    if (to_infix(momentum).starts_with('-')) {  // of a field and its opposite the one that reads better
      momentum = algebra_.readable(-momentum);
      for (Expr& e : components) e = algebra_.readable(-e);
    }
    MomentumEquation equation{VectorField(space_.coframe, std::move(components)),
                              is_horizontal,
                              momentum,
                              algebra_.readable(apply(flow_.field, momentum)),
                              {}};
    equation.conserved = conservation_of(equation);
    result_.equations.push_back(std::move(equation));
  }

  Verdict conservation_of(const MomentumEquation& equation) const {
    Verdict verdict = algebra_.is_zero(equation.rate);
    if (verdict.is_refuted()) return verdict;
    verdict = at_general_states(std::move(verdict), flow_.conditions,
                                "its rate is zero where the closed forms have a value");
    Verdict everywhere = is_conserved(algebra_, *flow_.motion, equation.momentum);
    return everywhere.holds() || everywhere.is_refuted() ? everywhere : verdict;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const StateSpace& space_;
  Rows symmetries_, directions_;  ///< by components on the positions
  MomentumEquations result_;
};

}  // namespace

MomentumEquations find_momentum_equations(Algebra& algebra, const StateFlow& flow,
                                          const Symmetries& symmetries) {
  MomentumEquations none;
  if (!has_relations_between_velocities(flow)) {
    none.reason = flow.motion->relation_count > 0
                      ? "relations bind the coordinates, which momentum equations need to be independent"
                      : "there are no relations between velocities";
    return none;
  }
  const auto directions = admissible_directions(algebra, flow);
  if (!directions) {
    none.reason = "the velocities are not linear in the velocity parameters";
    return none;
  }
  try {
    const BudgetScope scope(algebra, operations);
    return Search(algebra, flow, symmetries, *directions).run();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    none.reason = algebra.options().is_interrupted() ? "interrupted" : "not within the budget";
    return none;
  }
}

bool is_gauge_momentum(Algebra& algebra, const StateFlow& flow, const Symmetries& symmetries, Expr function) {
  if (!has_relations_between_velocities(flow)) return false;
  const auto directions = admissible_directions(algebra, flow);
  if (!directions || directions->with_time) return false;
  const StateSpace& space = flow.motion->space;
  const Expr f = flow.restricted(function);
  const Expr kinetic = flow.restricted(space.in_parameters(space.system->kinetic));
  const std::size_t m = flow.velocities.size();
  const auto is_free_of_velocities = [&](Expr e) {
    return std::none_of(flow.velocities.begin(), flow.velocities.end(),
                        [&](Expr velocity) { return depends_on(e, velocity); });
  };
  Matrix metric(algebra.pool(), m, m);
  std::vector<Expr> slopes;
  Substitution at_rest;
  for (std::size_t r = 0; r < m; ++r) {
    at_rest.emplace(flow.velocities[r], algebra.pool().number(0));
    slopes.push_back(algebra.canonical(derivative(f, flow.velocities[r])).value);
    if (!is_free_of_velocities(slopes.back())) return false;
    for (std::size_t s = 0; s < m; ++s)
      metric(r, s) =
          algebra.canonical(derivative(derivative(kinetic, flow.velocities[r]), flow.velocities[s])).value;
  }
  if (!algebra.is_zero(substitute(f, at_rest)).is_proved()) return false;
  const SolveResult solved = solve(algebra, metric, slopes);
  if (solved.status != SolveStatus::unique) return false;
  Rows rows = fields_on_positions(space, symmetries);
  if (rows.empty()) return false;
  const std::size_t along = rank(algebra, matrix_of(algebra.pool(), rows, space.size())).rank;
  rows.emplace_back(space.size(), algebra.pool().number(0));
  for (std::size_t i = 0; i < space.size(); ++i) {
    for (std::size_t r = 0; r < m; ++r)
      rows.back()[i] = rows.back()[i] + solved.x[r] * directions->fields[r].component(i);
  }
  const RankResult all = rank(algebra, matrix_of(algebra.pool(), rows, space.size()));
  return all.grade == Grade::proved && all.rank == along;
}

}  // namespace liaison
