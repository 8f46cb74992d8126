#include <algorithm>

#include "program_values.hpp"
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
      : equations_(std::move(equations)),
        engine_(engine),
        ranks_(*equations_->ranks),
        further_(equations_->further.size()),
        n_(equations_->a.rows),
        forces_(equations_->l.rows) {
    EliminationProgram made =
        make_elimination_program(equations_->inputs, equations_->further, elimination_of(*equations_), plan,
                                 {.fixed = equations_->fixed});
    program_ = Runner(std::move(made.program), engine);
  }

  SaddleOutcome solve(const double* in, double* further, double* x, double* z) override {
    const double* values = program_(in);
    is_sound_ = is_sound(values);
    if (!is_sound_) return solve_dense(in, further, x, z);
    if (ranks_.learning) ranks_.rank = forces_;
    if (!ranks_.open.empty()) ranks_.open.clear();
    copy_values(values, further_, further);
    copy_values(values + further_, n_, x);
    const double* minus = values + further_ + n_;
    for (std::size_t h = 0; h < forces_; ++h) z[h] = -minus[h];
    return SaddleOutcome::solved;
  }

  bool repeat(double* further, double* x) const override {
    if (!is_sound_) return false;
    const double* values = program_.values().data();
    copy_values(values, further_, further);
    copy_values(values + further_, n_, x);
    return true;
  }

  const Program* program() const override { return &program_.program(); }
  std::size_t operation_count() const override { return program_.program().instructions.size(); }

 private:
  /// Everything is finite and no pivot is what rounding left of its terms.
  bool is_sound(const double* values) const {
    const std::size_t first_check = further_ + n_ + forces_, count = program_.values().size();
    return are_finite(values, first_check) &&
           are_above(values + first_check, count - first_check, smallest_pivot);
  }

  SaddleOutcome solve_dense(const double* in, double* further, double* x, double* z) {
    if (!dense_) dense_ = make_dense_solver(equations_, engine_);
    return dense_->solve(in, further, x, z);
  }

  SaddlePtr equations_;
  Engine engine_;
  RankMemory& ranks_;
  std::size_t further_, n_, forces_;
  Runner program_;
  bool is_sound_ = false;  ///< the last call
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
