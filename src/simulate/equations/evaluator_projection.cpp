#include <cmath>
#include <limits>

#include "evaluator_parts.hpp"

#include "liaison/mechanics/term_sizes.hpp"

namespace liaison {

namespace {

constexpr int most_rounds = 8;
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();  ///< of a residual: nothing to do
/// Newton's method squares its error: after so short a step from such a residual nothing is left to do, as
/// far from the origin as the bodies may be.
constexpr double last_residual = 1e-9, short_step = 1e-12;
/// After another one, what is left is looked at: nothing more than rounding, or nothing that a step makes
/// less.
constexpr double met = 64 * std::numeric_limits<double>::epsilon(), less = 0.1;
/// With which it may end: badly conditioned, but met. Or with rounding of what moves beside the relation.
constexpr double largest_residual = 1e-10;

/// The terms whose sum an expression is.
std::span<const Expr> terms_of(const Expr& e) {
  return e.is(Op::add) ? e.args() : std::span<const Expr>(&e, 1);
}

bool is_met(double before, double now) {
  return now <= met || (now < largest_residual && now > less * before);
}

}  // namespace

ConstraintResiduals::ConstraintResiduals(std::span<const Expr> inputs, Family levels, Family relations,
                                         Engine engine) {
  std::vector<std::vector<Expr>> expressions;
  std::size_t number = 0;
  for (const Family& family : {levels, relations}) {
    if (family.equations != nullptr) {
      firsts_[number] = family.first;
      counts_[number] = family.equations->g.columns;
      const std::vector<SparseEntry>& gradients = family.equations->g.entries;
      auto entry = gradients.begin();
      for (std::size_t k = 0; k < family.equations->c.size(); ++k) {
        const std::span<const Expr> terms = terms_of(family.equations->c[k]);
        expressions.emplace_back(terms.begin(), terms.end());
        for (Expr term : terms) {
          if (const Expr size = size_of_terms(term); size != abs(term)) expressions.back().push_back(size);
        }
        Row row{number, terms.size(), expressions.back().size() - terms.size(), sources_.size(), 0};
        for (; entry != gradients.end() && entry->row == k; ++entry) {
          expressions.back().push_back(entry->value);
          sources_.push_back(family.first + entry->column);
        }
        row.end = sources_.size();
        const std::vector<std::size_t>& vanishing = family.equations->vanishing;
        row.vanishing = std::find(vanishing.begin(), vanishing.end(), k) != vanishing.end();
        rows_.push_back(row);
      }
    }
    ++number;
  }
  if (!rows_.empty()) program_ = EntryProgram(inputs, expressions, engine);
}

void ConstraintResiduals::evaluate(const double* in) {
  constexpr double rest = 1e-8;  // terms that are less than this part of what they were: a body at rest
  largest_[0] = largest_[1] = along_[0] = along_[1] = 0;
  if (rows_.empty()) return;
  double unknown[2] = {0, 0};
  for (int family = 0; family < 2; ++family)
    for (std::size_t i = 0; i < counts_[family]; ++i)
      unknown[family] = std::max(unknown[family], std::abs(in[firsts_[family] + i]));
  const double* values = program_(in);
  for (Row& row : rows_) {
    double value = 0, size = 0, gradients = 0, hidden = 0;
    for (std::size_t i = 0; i < row.terms; ++i, ++values) {
      value += *values;
      size += std::abs(*values);
    }
    for (std::size_t i = 0; i < row.hidden; ++i, ++values) hidden += *values;
    for (std::size_t i = row.begin; i < row.end; ++i, ++values) {
      size += std::abs(*values * in[sources_[i]]);
      gradients += std::abs(*values);
    }
    if (row.vanishing && std::abs(value) <= vanished_beside * (size + hidden)) value = 0;
    row.value = value;
    row.gradients = gradients;
    if (std::isfinite(size)) row.size = std::max(row.size, size);
    const double along = size + hidden + gradients * unknown[row.family];
    if (std::isfinite(along)) row.along = std::max(row.along, along);
    const auto measure = [&](double by, double& largest) {
      // below the normal numbers there are no digits
      const bool is_nothing = std::abs(value) < std::numeric_limits<double>::min();
      const double relative = is_nothing ? 0 : std::abs(value) / by;
      if (relative > largest || std::isnan(relative)) largest = relative;
    };
    measure(std::max(size, rest * row.size), largest_[row.family]);
    measure(row.along, along_[row.family]);
  }
}

double ConstraintResiduals::beside_others(std::size_t family) const {
  double open = 0;  // of an unknown, times what is less than rounding
  for (const Row& row : rows_)
    if (row.family == family && row.gradients > 0) open = std::max(open, row.along / row.gradients);
  double largest = 0;
  for (const Row& row : rows_) {
    if (row.family != family || row.value == 0) continue;
    const double relative = std::abs(row.value) / std::max(row.along, row.gradients * open);
    if (relative > largest || std::isnan(relative)) largest = relative;
  }
  return largest;
}

std::vector<double> ConstraintResiduals::sizes() const {
  std::vector<double> result;
  for (const Row& row : rows_) result.insert(result.end(), {row.size, row.along});
  return result;
}

void ConstraintResiduals::set_sizes(std::span<const double> sizes) {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const bool known = 2 * k + 1 < sizes.size();
    rows_[k].size = known ? sizes[2 * k] : 0;
    rows_[k].along = known ? sizes[2 * k + 1] : 0;
  }
}

ConstraintStep::ConstraintStep(SaddlePtr equations, std::size_t first, Assembly assembly, Engine engine)
    : equations_(std::move(equations)),
      first_(first),
      assembly_(assembly),
      engine_(engine),
      change_(equations_->a.rows),
      factors_(equations_->l.rows) {}

double ConstraintStep::take(double* in) {
  if (!solver_) solver_ = make_solver(equations_, choose_solver(*equations_, assembly_, false), engine_);
  if (solver_->solve(in, nullptr, change_.data(), factors_.data()) != SaddleOutcome::solved) return -1;
  double moved = 0, size = 0;
  double* at = in + first_;
  for (std::size_t i = 0; i < change_.size(); ++i) {
    size = std::max(size, std::abs(at[i]));
    at[i] += change_[i];
    size = std::max(size, std::abs(at[i]));
    moved = std::max(moved, std::abs(change_[i]));
  }
  return moved == 0 ? 0 : moved / size;
}

void Evaluator::Implementation::normalise_quaternions(double* at) const {
  for (std::size_t first = positions - 4 * system.rotations.size(); first < positions; first += 4) {
    double square = 0;
    for (std::size_t k = 0; k < 4; ++k) square += at[first + k] * at[first + k];
    const double length = std::sqrt(square);
    for (std::size_t k = 0; k < 4; ++k) at[first + k] /= length;
  }
}

/// `known`: the residuals belong to the inputs.
bool Evaluator::Implementation::project_positions(double* in, bool& known) {
  for (int round = 0; round < most_rounds; ++round) {
    const double left = constraint_residuals.level();
    if (!std::isfinite(left)) return false;
    if (left <= rounding) return true;
    const double change = level_step.take(in);
    if (change < 0) return false;
    normalise_quaternions(in + 1);
    known = left >= last_residual || change > short_step;
    if (!known) return true;
    constraint_residuals.evaluate(in);
    if (left < last_residual && is_met(left, constraint_residuals.level())) return true;
  }
  return constraint_residuals.level() < largest_residual ||
         constraint_residuals.level_along_run() <= rounding ||
         constraint_residuals.level_beside_others() <= rounding;
}

bool Evaluator::Implementation::project_velocities(double* in, bool known) {
  if (!known) constraint_residuals.evaluate(in);
  for (int round = 0; round < most_rounds; ++round) {
    const double left = constraint_residuals.relation();
    if (!std::isfinite(left)) return false;
    if (left <= rounding) return true;
    const double change = relation_step.take(in);
    if (change < 0) return false;
    if (left < last_residual && change <= short_step) return true;
    constraint_residuals.evaluate(in);
    if (left < last_residual && is_met(left, constraint_residuals.relation())) return true;
  }
  return constraint_residuals.relation() < largest_residual ||
         constraint_residuals.relation_along_run() <= rounding ||
         constraint_residuals.relation_beside_others() <= rounding;
}

/// Sides that follow the state may change on the way.
bool Evaluator::Implementation::project(double t, double* y) {
  for (int round = 0; round < most_rounds; ++round) {
    if (!project_with_sides(t, y)) return false;
    if (sides_are_held || switches.empty()) return true;
    constraint_residuals.evaluate(inputs(t, y));
    if (std::max(constraint_residuals.level(), constraint_residuals.relation()) < largest_residual)
      return true;
  }
  return false;
}

/// Where nothing is left but rounding, one evaluation of the residuals and no factorisation.
bool Evaluator::Implementation::project_with_sides(double t, double* y) {
  const bool is_free = equations.relation_count == 0 && system.rotations.empty();
  if (is_free && standing.empty() && at_rest.empty()) return true;
  double* in = inputs(t, y);
  has_rates = false;
  const auto rest = [&] {
    for (auto& [i, value] : standing) {
      if (t == standing_from) {
        value = in[1 + i];
      } else {
        in[1 + i] = value;
      }
    }
    for (const std::size_t a : at_rest) in[1 + positions + a] = 0;
  };
  rest();
  normalise_quaternions(in + 1);
  constraint_residuals.evaluate(in);
  bool known = true;
  if (!project_positions(in, known) || !project_velocities(in, known)) return false;
  rest();
  std::copy_n(in + 1, symbols.size(), y);
  return true;
}

}  // namespace liaison
