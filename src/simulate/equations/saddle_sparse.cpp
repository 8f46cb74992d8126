#include <algorithm>
#include <cmath>

#include "entry_program.hpp"
#include "liaison/compile/interpreter.hpp"
#include "saddle.hpp"

namespace liaison {

namespace {

/// Up to this many unknowns a singular system is solved again with dense factors and complete pivoting.
constexpr std::size_t dense_limit = 1500;

/// Elimination over numbers. A late pivot that is zero belongs to a relation that the others imply: its
/// factor is set to zero, and whether it is kept is seen afterwards.
struct NumberArithmetic {
  using Value = double;
  static double zero() { return 0; }
  static double plus(double a, double b) { return a + b; }
  static double times(double a, double b) { return a * b; }
  static double less_product(double a, double b, double c) { return a - b * c; }
  static double plus_size(double a, double b, double c) { return a + std::abs(b * c); }
  static double size(double a) { return std::abs(a); }
  double pivot(std::size_t step, double d, double size_of_terms) {
    if (std::abs(d) > smallest_pivot * size_of_terms) return 1 / d;
    (plan->order[step] < first_late ? singular : dependent) = true;
    return 0;
  }

  const EliminationPlan* plan = nullptr;
  std::size_t first_late = 0;
  bool singular = false, dependent = false;
};

/// Where the parts of the equations stand among the values of their rows.
struct RowLayout {
  std::vector<std::vector<Expr>> rows;
  std::vector<std::size_t> entries;  ///< of the saddle matrix
  std::vector<std::size_t> right;    ///< b, then c
  std::vector<std::size_t> further;
};

RowLayout lay_out(const SaddleEquations& equations, const std::vector<EliminationEntry>& entries) {
  const std::size_t n = equations.a.rows, m = equations.g.rows;
  std::vector<std::vector<std::size_t>> of_row(n + m);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const std::size_t owner = std::max(entries[e].row, entries[e].column) >= n
                                  ? std::max(entries[e].row, entries[e].column)
                                  : entries[e].row;
    of_row[owner].push_back(e);
  }
  RowLayout layout;
  layout.entries.resize(entries.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < n + m; ++i) {
    std::vector<Expr> row{i < n ? equations.b[i] : equations.c[i - n]};
    layout.right.push_back(next++);
    for (std::size_t e : of_row[i]) {
      row.push_back(entries[e].value);
      layout.entries[e] = next++;
    }
    layout.rows.push_back(std::move(row));
  }
  for (Expr e : equations.further) {
    layout.rows.push_back({e});
    layout.further.push_back(next++);
  }
  return layout;
}

class SparseSolver : public SaddleSolver {
 public:
  SparseSolver(SaddlePtr equations, EliminationPlan plan, Engine engine)
      : equations_(std::move(equations)),
        engine_(engine),
        plan_(std::move(plan)),
        elimination_(plan_, equations_->ideal, equations_->a.rows, {&plan_, equations_->a.rows}) {
    const std::vector<EliminationEntry> entries = saddle_entries(*equations_);
    std::vector<EliminationPlace> places;
    for (const EliminationEntry& entry : entries) places.push_back({entry.row, entry.column});
    scatter_ = EliminationScatter(plan_, places, equations_->ideal);
    RowLayout layout = lay_out(*equations_, entries);
    program_ = EntryProgram(equations_->inputs, layout.rows, engine);
    entries_ = std::move(layout.entries);
    right_ = std::move(layout.right);
    further_ = std::move(layout.further);
    const std::size_t n = equations_->a.rows;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (entries[e].row >= n) gradients_.push_back({entries[e].row - n, entries[e].column, entries_[e]});
    }
    left_.assign(equations_->g.rows, 0);
  }
  SparseSolver(const SparseSolver&) = delete;
  SparseSolver& operator=(const SparseSolver&) = delete;

  SaddleOutcome solve(const double* in, double* further, double* x, double* z) override {
    const double* values = program_(in);
    if (!all_finite(program_.values())) return SaddleOutcome::no_value;
    for (std::size_t i = 0; i < further_.size(); ++i) further[i] = values[further_[i]];
    const std::size_t n = equations_->a.rows;
    NumberArithmetic& arithmetic = elimination_.arithmetic();
    arithmetic.singular = arithmetic.dependent = false;
    elimination_.factorise(
        scatter_, [&](std::size_t e) { return values[entries_[e]]; },
        [&](std::size_t i) { return i < n ? values[right_[i]] : -values[right_[i]]; });
    if (arithmetic.singular || arithmetic.dependent) {
      if (plan_.order.size() <= dense_limit) return solve_dense(in, further, x, z);
      if (arithmetic.singular) return SaddleOutcome::singular;
    }
    RankMemory& ranks = *equations_->ranks;
    if (ranks.learning && !arithmetic.dependent) ranks.rank = equations_->g.rows;
    if (!ranks.open.empty()) ranks.open.clear();
    elimination_.back_substitute([&](std::size_t i, double value) { (i < n ? x[i] : z[i - n]) = value; });
    for (std::size_t h = 0; h < equations_->g.rows; ++h) z[h] = -z[h];
    if (arithmetic.dependent && equations_->strict && !keeps_relations(values, x))
      return SaddleOutcome::incompatible;
    return SaddleOutcome::solved;
  }

  std::size_t operation_count() const override {
    return program_.operation_count() + plan_.products * (equations_->ideal ? 1 : 2);
  }

 private:
  bool keeps_relations(const double* values, const double* x) {
    double size = 1, worst = 0;
    for (std::size_t k = 0; k < left_.size(); ++k) left_[k] = values[right_[equations_->a.rows + k]];
    for (const Gradient& gradient : gradients_) {
      const double term = values[gradient.value] * x[gradient.column];
      left_[gradient.row] += term;
      size = std::max(size, std::abs(term));
    }
    for (double left : left_) worst = std::max(worst, std::abs(left));
    return worst <= 1e-8 * size;
  }

  SaddleOutcome solve_dense(const double* in, double* further, double* x, double* z) {
    if (!dense_) dense_ = make_dense_solver(equations_, engine_);
    return dense_->solve(in, further, x, z);
  }

  struct Gradient {
    std::size_t row, column, value;
  };
  SaddlePtr equations_;
  Engine engine_;
  EliminationPlan plan_;
  Elimination<NumberArithmetic> elimination_;
  EliminationScatter scatter_;
  EntryProgram program_;
  std::vector<std::size_t> entries_, right_, further_;  ///< places of values
  std::vector<Gradient> gradients_;
  std::vector<double> left_;
  std::unique_ptr<SaddleSolver> dense_;
};

}  // namespace

std::unique_ptr<SaddleSolver> make_sparse_solver(SaddlePtr equations, EliminationPlan plan, Engine engine) {
  return std::make_unique<SparseSolver>(std::move(equations), std::move(plan), engine);
}

}  // namespace liaison
