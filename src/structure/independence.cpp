#include "independence.hpp"

#include "liaison/forms/calculus.hpp"
#include "modular_matrix.hpp"
#include "modular_points.hpp"

namespace liaison {

namespace {

/// The components of all differentials, one function after the other.
std::vector<Expr> differentials(const StateFlow& flow, const std::vector<Expr>& functions) {
  std::vector<Expr> result;
  for (Expr f : functions) {
    const Form df = d(flow.coframe, f);
    for (std::size_t k = 0; k < flow.coframe->dimension(); ++k) {
      const std::size_t index[] = {k};
      result.push_back(df.coefficient(index));
    }
  }
  return result;
}

}  // namespace

Independence are_independent(Algebra& algebra, const StateFlow& flow, const std::vector<Expr>& functions,
                             std::uint64_t seed) {
  const std::size_t rows = functions.size(), columns = flow.coframe->dimension();
  if (rows == 1) return {true, Grade::proved};
  std::vector<Expr> asked = differentials(flow, functions);
  const auto exact = [&] { return rank(algebra, Matrix(rows, columns, asked)); };  // on all of space
  if (flow.has_levels || !flow.standing.pieces.empty()) return {exact().rank == rows, Grade::unknown};
  const FunctionTable table(algebra, asked, flow.state());
  if (!table.refusal().empty() || !table.is_complete()) {  // roots that depend on each other
    const RankResult result = exact();
    return {result.rank == rows, result.grade};
  }
  for (std::uint64_t attempt = 0; attempt < 4; ++attempt) {
    ModularPoints points(table, {flow.quaternions, {}}, seed + attempt);
    const auto at = points.next();
    if (!at) continue;
    ModularMatrix matrix(points.field(), columns);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto begin = at->begin() + static_cast<std::ptrdiff_t>(i * columns);
      matrix.add_row({begin, begin + static_cast<std::ptrdiff_t>(columns)});
    }
    if (matrix.rank() == rows) return {true, Grade::proved};
  }
  return {false, Grade::checked};
}

}  // namespace liaison
