#pragma once

#include <memory>
#include <span>
#include <vector>

#include "liaison/compile/elimination.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// Linear equations with relations that their unknowns keep:
///   a x = b + l^T z,   g x + c = 0.
/// For the motion x = du/dt and z = lambda; for a step onto the constraints a is the metric, b = 0, c what is
/// left of the relations, l = g.
struct SaddleEquations {
  std::vector<Expr> inputs;
  std::vector<std::pair<Expr, double>> fixed;  ///< inputs that keep their values
  SparseMatrix a, l, g;
  std::vector<Expr> b, c;
  std::vector<Expr> further;  ///< wanted at the same time: rates of positions
  bool symmetric = false;     ///< a
  bool ideal = false;         ///< and l = g
  bool strict = true;         ///< relations that cannot be kept are a failure; else met as well as can be
};
/// Entry (j, i) is entry (i, j), as expressions.
bool is_symmetric(const SparseMatrix& matrix);

enum class SaddleOutcome { solved, no_value, singular, incompatible };

/// Not thread safe. After the first call, calls take no memory, but for dense factors of forces that are not
/// ideal.
class SaddleSolver {
 public:
  virtual ~SaddleSolver() = default;
  virtual SaddleOutcome solve(const double* in, double* further, double* x, double* z) = 0;
  virtual std::size_t operation_count() const = 0;  ///< of one call
  /// Where all is one straight-line program: its outputs begin with `further` and x. Else null.
  virtual const Program* program() const { return nullptr; }
};
using SaddlePtr = std::shared_ptr<const SaddleEquations>;

/// Dense factors at each state: Cholesky where that goes, else with pivoting; complete orthogonal
/// decomposition where relations depend on each other.
std::unique_ptr<SaddleSolver> make_dense_solver(SaddlePtr equations, Engine engine);

/// Pivots below this, relative to the terms that they are made of, are taken for zero.
inline constexpr double smallest_pivot = 1e-10;
/// The matrix [a l^T; g 0] of the unknowns (x, -z); only where there are as many forces as relations.
std::vector<EliminationEntry> saddle_entries(const SaddleEquations& equations);
EliminationPlan plan_saddle(const SaddleEquations& equations);
/// The elimination as a program. Where a pivot is small, dense factors at this state.
std::unique_ptr<SaddleSolver> make_unrolled_solver(SaddlePtr equations, const EliminationPlan& plan,
                                                   Engine engine);
/// The elimination over numbers on the pattern; entries by kernels run over all bodies of the same shape.
std::unique_ptr<SaddleSolver> make_sparse_solver(SaddlePtr equations, EliminationPlan plan, Engine engine);

}  // namespace liaison
