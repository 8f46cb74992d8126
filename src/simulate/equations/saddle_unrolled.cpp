#include <algorithm>
#include <cmath>

#include "liaison/compile/interpreter.hpp"
#include "runner.hpp"
#include "saddle.hpp"

namespace liaison {

namespace {

EliminationEquations elimination_of(const SaddleEquations& equations) {
  EliminationEquations result;
  result.first_late = equations.a.rows;
  result.size = equations.a.rows + equations.g.rows;
  result.entries = saddle_entries(equations);
  result.right = equations.b;
  for (Expr rest : equations.c) result.right.push_back(-rest);
  result.symmetric = equations.ideal;
  return result;
}

class UnrolledSolver : public SaddleSolver {
 public:
  UnrolledSolver(SaddlePtr equations, const EliminationPlan& plan, Engine engine)
      : equations_(std::move(equations)), engine_(engine) {
    EliminationProgram made =
        make_elimination_program(equations_->inputs, equations_->further, elimination_of(*equations_), plan,
                                 {.fixed = equations_->fixed});
    program_ = Runner(std::move(made.program), engine);
  }

  SaddleOutcome solve(const double* in, double* further, double* x, double* z) override {
    const double* values = program_(in);
    const std::size_t count = equations_->further.size(), n = equations_->a.rows, m = equations_->l.rows;
    if (!is_sound(count + n + m)) return solve_dense(in, further, x, z);
    RankMemory& ranks = *equations_->ranks;
    if (ranks.learning) ranks.rank = m;
    if (!ranks.open.empty()) ranks.open.clear();
    std::copy_n(values, count, further);
    std::copy_n(values + count, n, x);
    std::transform(values + count + n, values + count + n + m, z, [](double w) { return -w; });
    return SaddleOutcome::solved;
  }

  const Program* program() const override { return &program_.program(); }
  std::size_t operation_count() const override { return program_.program().instructions.size(); }

 private:
  /// Everything is finite and no pivot is what rounding left of its terms.
  bool is_sound(std::size_t first_check) const {
    const std::span<const double> values = program_.values();
    if (!all_finite(values.first(first_check))) return false;
    for (std::size_t i = first_check; i < values.size(); i += 2)
      if (!(std::abs(values[i]) > smallest_pivot * values[i + 1])) return false;
    return true;
  }

  SaddleOutcome solve_dense(const double* in, double* further, double* x, double* z) {
    if (!dense_) dense_ = make_dense_solver(equations_, engine_);
    return dense_->solve(in, further, x, z);
  }

  SaddlePtr equations_;
  Engine engine_;
  Runner program_;
  std::unique_ptr<SaddleSolver> dense_;
};

}  // namespace

bool is_symmetric(const SparseMatrix& matrix) {
  std::vector<const SparseEntry*> turned;
  for (const SparseEntry& entry : matrix.entries) turned.push_back(&entry);
  std::stable_sort(turned.begin(), turned.end(),
                   [](const SparseEntry* a, const SparseEntry* b) { return a->column < b->column; });
  return matrix.rows == matrix.columns &&
         std::equal(matrix.entries.begin(), matrix.entries.end(), turned.begin(),
                    [](const SparseEntry& a, const SparseEntry* b) {
                      return a.row == b->column && a.column == b->row && a.value == b->value;
                    });
}

std::vector<EliminationEntry> saddle_entries(const SaddleEquations& equations) {
  const std::size_t n = equations.a.rows;
  std::vector<EliminationEntry> entries;
  for (const SparseEntry& entry : equations.a.entries) {
    if (!equations.ideal || entry.row >= entry.column)
      entries.push_back({entry.row, entry.column, entry.value});
  }
  for (const SparseEntry& entry : equations.g.entries)
    entries.push_back({n + entry.row, entry.column, entry.value});
  if (!equations.ideal) {
    for (const SparseEntry& entry : equations.l.entries)
      entries.push_back({entry.column, n + entry.row, entry.value});
  }
  return entries;
}

EliminationPlan plan_saddle(const SaddleEquations& equations) {
  std::vector<EliminationPlace> places;
  const std::vector<EliminationEntry> entries = saddle_entries(equations);
  for (const EliminationEntry& entry : entries) places.push_back({entry.row, entry.column});
  return plan_elimination(equations.a.rows + equations.g.rows, places, equations.a.rows);
}

std::unique_ptr<SaddleSolver> make_unrolled_solver(SaddlePtr equations, const EliminationPlan& plan,
                                                   Engine engine) {
  return std::make_unique<UnrolledSolver>(std::move(equations), plan, engine);
}

}  // namespace liaison
