#include "independence.hpp"

#include "chartless_flow.hpp"
#include "expr/ball_matrix.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/mechanics/states.hpp"
#include "modular_matrix.hpp"
#include "modular_points.hpp"

namespace liaison {

namespace {

constexpr int points_tried = 3;
constexpr long bits = 128;

/// The components of all differentials, one function after the other.
std::vector<Expr> differentials(const CoframePtr& coframe, const std::vector<Expr>& functions) {
  std::vector<Expr> result;
  for (Expr f : functions) {
    const Form df = d(coframe, f);
    for (std::size_t k = 0; k < coframe->dimension(); ++k) {
      const std::size_t index[] = {k};
      result.push_back(df.coefficient(index));
    }
  }
  return result;
}

ModularMatrix rows_of(const PrimeField& field, const std::vector<Residue>& values, std::size_t rows,
                      std::size_t columns) {
  ModularMatrix matrix(field, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * columns);
    matrix.add_row({begin, begin + static_cast<std::ptrdiff_t>(columns)});
  }
  return matrix;
}

/// Functions on states that satisfy relations: their differentials are independent of each other and of those
/// of the relations, at a point of the relations modulo a prime, then at a certified state.
class OnRelations {
 public:
  OnRelations(Algebra& algebra, const Motion& motion, const std::vector<Expr>& functions)
      : algebra_(algebra),
        motion_(motion),
        relations_(relations_of(algebra, motion)),
        columns_(motion.space.coframe->dimension()) {
    std::vector<Expr> all = relations_;
    all.insert(all.end(), functions.begin(), functions.end());
    rows_ = all.size();
    entries_ = differentials(motion.space.coframe, all);
  }

  Independence decide(const StateFlow& flow, std::uint64_t seed) {
    std::vector<Expr> asked = entries_, state = flow.state();
    asked.insert(asked.end(), relations_.begin(), relations_.end());
    state.insert(state.end(), motion_.space.parameters.begin(), motion_.space.parameters.end());
    const FunctionTable table(algebra_, asked, state);
    if (!table.refusal().empty()) return at_a_state(Grade::unknown);
    for (std::uint64_t attempt = 0; attempt < 4; ++attempt) {
      ModularPoints points(table, {flow.quaternions, {}, relations_}, seed + attempt);
      const auto at = points.next();
      if (!at) continue;
      const std::size_t relations = rows_of(points.field(), *at, relations_.size(), columns_).rank();
      if (rows_of(points.field(), *at, rows_, columns_).rank() == relations + rows_ - relations_.size())
        return at_a_state(Grade::checked);
      if (attempt > 0) return {false, Grade::checked};
    }
    return at_a_state(Grade::unknown);
  }

 private:
  /// Proved where the relations have full rank there, too: the differentials stay independent around it.
  Independence at_a_state(Grade otherwise) {
    if (rows_ <= columns_) {
      PointFinder finder(algebra_, states_of(motion_), entries_);
      for (int tries = 0; tries < points_tried; ++tries) {
        const auto point = finder.next();
        const auto values = point ? finder.values(*point, entries_, bits) : std::nullopt;
        if (values && have_full_rank(*values)) return {true, Grade::proved};
      }
    }
    if (otherwise == Grade::checked) return {true, otherwise};
    return {rank(algebra_, Matrix(rows_, columns_, entries_)).rank == rows_, Grade::unknown};
  }

  bool have_full_rank(const std::vector<Ball>& values) const {
    const BallMatrix rows(rows_, columns_, values);
    BallMatrix turned(columns_, rows_), gram(rows_, rows_);
    arb_mat_transpose(turned.raw(), rows.raw());
    arb_mat_mul(gram.raw(), rows.raw(), turned.raw(), bits);
    Ball determinant;
    arb_mat_det(determinant.raw(), gram.raw(), bits);
    return !determinant.contains_zero();
  }

  Algebra& algebra_;
  const Motion& motion_;
  std::vector<Expr> relations_, entries_;
  std::size_t columns_, rows_ = 0;
};

}  // namespace

bool are_dependent(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& functions) {
  const Matrix matrix(functions.size(), flow.coframe->dimension(), differentials(flow.coframe, functions));
  const RankResult result = rank(algebra, matrix);
  return result.grade == Grade::proved && result.rank < functions.size();
}

Independence are_independent(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& functions,
                             std::uint64_t seed) {
  const std::size_t rows = functions.size(), columns = flow.coframe->dimension();
  if (flow.has_levels && flow.standing.pieces.empty())
    return OnRelations(algebra, *flow.motion, functions).decide(flow, seed);
  if (rows == 1) return {true, Grade::proved};
  std::vector<Expr> asked = differentials(flow.coframe, functions);
  const auto exact = [&] { return rank(algebra, Matrix(rows, columns, asked)); };  // on all of space
  if (!flow.standing.pieces.empty()) return {exact().rank == rows, Grade::unknown};
  const FunctionTable table(algebra, asked, flow.state());
  if (!table.refusal().empty() || !table.is_complete()) {  // roots that depend on each other
    const RankResult result = exact();
    return {result.rank == rows, result.grade};
  }
  for (std::uint64_t attempt = 0; attempt < 4; ++attempt) {
    ModularPoints points(table, {flow.quaternions, {}}, seed + attempt);
    const auto at = points.next();
    if (!at) continue;
    if (rows_of(points.field(), *at, rows, columns).rank() == rows) return {true, Grade::proved};
  }
  return {false, Grade::checked};
}

}  // namespace liaison
