#pragma once

#include <memory>
#include <span>
#include <vector>

#include "liaison/compile/elimination.hpp"
#include "liaison/mechanics/assembled_equations.hpp"
#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// How many of the relations are independent along a motion, and what that leaves open. States of a trial
/// step lie off the constraints, where relations that repeat each other seem independent; states near a
/// singular configuration have less rank than the motion. So the rank is learned at states of the motion
/// alone, and holds between them.
struct RankMemory {
  bool learning = false;
  std::size_t rank = 0;                   ///< the largest that was seen; 0: nothing was learned
  std::vector<std::vector<double>> open;  ///< of the last solution: directions of z that nothing determines
  double open_motion = 1e-9;              ///< what they may do to x, beside what their parts do
};

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
  std::shared_ptr<RankMemory> ranks = std::make_shared<RankMemory>();
  std::vector<std::size_t> vanishing;  ///< relations that ask nothing on a piece: there they are rounding
  bool strict = true;  ///< relations that cannot be kept are a failure; else met as well as can be
};
/// Entry (j, i) is entry (i, j), as expressions.
bool is_symmetric(const SparseMatrix& matrix);

enum class SaddleOutcome {
  solved,
  no_value,
  singular,
  incompatible,
  undetermined,  ///< what is open in z moves x: several solutions
};

/// Not thread safe. After the first call, calls take no memory, but for dense factors of forces that are not
/// ideal.
class SaddleSolver {
 public:
  virtual ~SaddleSolver() = default;
  virtual SaddleOutcome solve(const double* in, double* further, double* x, double* z) = 0;
  virtual std::size_t operation_count() const = 0;  ///< of one call
  /// What the last call found once more, without solving: false where it does not keep that.
  virtual bool repeat(double* further, double* x) const {
    static_cast<void>(further);
    static_cast<void>(x);
    return false;
  }
  /// Where all is one straight-line program: its outputs begin with `further` and x. Else null.
  virtual const Program* program() const { return nullptr; }
};
using SaddlePtr = std::shared_ptr<const SaddleEquations>;

/// Dense factors at each state: Cholesky where that goes, else with pivoting; orthogonal factors where
/// relations depend on each other, or nearly. Of factors that are open those with the least sum of squares.
std::unique_ptr<SaddleSolver> make_dense_solver(SaddlePtr equations, Engine engine);

/// The same for some of the relations, which may be others at each call.
class ActiveSolver : public SaddleSolver {
 public:
  /// A relation that is not active has neither its row of g and c nor that of l; rows of l beyond the
  /// relations stay. z is zero where it is not active.
  virtual void set_active(const std::vector<bool>& active) = 0;
  /// For the active ones r = (g a^-1 l^T)^T, row by row, and drive = g a^-1 b + c.
  virtual SaddleOutcome couple(const double* in, std::vector<double>& r, std::vector<double>& drive) = 0;
};
std::unique_ptr<ActiveSolver> make_active_solver(SaddlePtr equations, Engine engine);

/// Pivots below this, relative to the terms that they are made of, are taken for zero.
inline constexpr double smallest_pivot = 1e-8;
/// The matrix [a l^T; g 0] of the unknowns (x, -z); only where there are as many forces as relations.
std::vector<EliminationEntry> saddle_entries(const SaddleEquations& equations);
EliminationPlan plan_saddle(const SaddleEquations& equations);
/// The elimination as a program. Where a pivot is small, dense factors at this state.
std::unique_ptr<SaddleSolver> make_unrolled_solver(SaddlePtr equations, const EliminationPlan& plan,
                                                   Engine engine);
/// The elimination over numbers on the pattern; entries by kernels run over all bodies of the same shape.
std::unique_ptr<SaddleSolver> make_sparse_solver(SaddlePtr equations, EliminationPlan plan, Engine engine);

}  // namespace liaison
