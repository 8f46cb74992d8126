#ifndef LIAISON_COMPILE_ELIMINATION_HPP
#define LIAISON_COMPILE_ELIMINATION_HPP

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "liaison/compile/program.hpp"

/// Gaussian elimination in an order that is fixed beforehand, as a straight-line program or as a plan for
/// numbers.
namespace liaison {

struct EliminationPlace {
  std::size_t row = 0, column = 0;
};

/// Which unknown goes when, and where entries come into being. Steps are numbered from 0; the pattern is
/// symmetric, whatever the values are.
struct EliminationPlan {
  std::vector<std::size_t> order;         ///< the unknown of each step
  std::vector<std::size_t> step;          ///< of each unknown
  std::vector<std::size_t> column_begin;  ///< of each step in `rows`, and the end
  std::vector<std::size_t> rows;          ///< later steps coupled with it, ascending
  std::vector<std::size_t> row_begin;     ///< of each step in `columns`, and the end
  std::vector<std::size_t> columns;       ///< earlier steps coupled with it, ascending
  std::size_t products = 0;               ///< multiplications of the elimination where it is symmetric
};
/// Least degree first. Unknowns from `first_late` on have no diagonal entry of their own: each goes after all
/// of its neighbours before `first_late`.
EliminationPlan plan_elimination(std::size_t size, std::span<const EliminationPlace> places,
                                 std::size_t first_late);

struct EliminationEntry {
  std::size_t row = 0, column = 0;
  Expr value;
};
/// sum over columns of value*unknown = right, row by row.
struct EliminationEquations {
  std::size_t size = 0, first_late = 0;
  std::vector<EliminationEntry> entries;
  std::vector<Expr> right;
  bool symmetric = false;  ///< entries above the diagonal are not looked at
};
/// Outputs of the program: further expressions, the unknowns, then a pivot and the size of what it is made of
/// for each of the `checks`. Where a pivot is small beside its size, or not finite, the unknowns mean
/// nothing.
struct EliminationProgram {
  Program program;
  std::size_t further = 0, size = 0, checks = 0;
};
EliminationProgram make_elimination_program(std::span<const Expr> inputs, std::span<const Expr> further,
                                            const EliminationEquations& equations,
                                            const EliminationPlan& plan, const ProgramOptions& options = {});

/// The elimination itself, over numbers or over instructions. `Arithmetic` has Value, zero(), times(a, b),
/// plus(a, b), less_product(a, b, c) = a - b*c, plus_size(a, b, c) = a + |b*c|, size(a) = |a|, and
/// pivot(step, d, size), which gives 1/d. Matrix entries come by their place in the list that
/// `EliminationScatter` was made from.
struct EliminationScatter {
  struct Item {
    std::size_t step;  ///< the earlier of the two
    std::size_t entry;
  };
  EliminationScatter() = default;
  /// Symmetric: entries above the diagonal are not looked at.
  EliminationScatter(const EliminationPlan& plan, std::span<const EliminationPlace> places, bool symmetric);
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> diagonal;  ///< of each step: the entry, or none
  std::vector<std::size_t> lower_begin, upper_begin;
  std::vector<Item> lower, upper;  ///< of the row, of the column of each step
};

template <class Arithmetic>
class Elimination {
 public:
  using Value = typename Arithmetic::Value;

  Elimination(const EliminationPlan& plan, bool symmetric, std::size_t first_late, Arithmetic arithmetic)
      : plan_(&plan),
        symmetric_(symmetric),
        first_late_(first_late),
        arithmetic_(std::move(arithmetic)),
        row_(plan.order.size()),
        column_(plan.order.size()),
        inverse_(plan.order.size()),
        lower_(plan.rows.size()),
        upper_(symmetric ? 0 : plan.rows.size()),
        filled_(plan.order.size()),
        solution_(plan.order.size()) {}

  Arithmetic& arithmetic() { return arithmetic_; }

  /// `entries` by number, `right` by unknown.
  template <class Entries, class Right>
  void factorise(const EliminationScatter& scatter, const Entries& entries, const Right& right) {
    const EliminationPlan& plan = *plan_;
    const std::size_t size = plan.order.size();
    for (std::size_t k = 0; k < size; ++k) filled_[k] = plan.column_begin[k];
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t q = plan.row_begin[k]; q < plan.row_begin[k + 1]; ++q) {
        row_[plan.columns[q]] = arithmetic_.zero();
        if (!symmetric_) column_[plan.columns[q]] = arithmetic_.zero();
      }
      for (std::size_t q = scatter.lower_begin[k]; q < scatter.lower_begin[k + 1]; ++q)
        row_[scatter.lower[q].step] = entries(scatter.lower[q].entry);
      if (!symmetric_) {
        for (std::size_t q = scatter.upper_begin[k]; q < scatter.upper_begin[k + 1]; ++q)
          column_[scatter.upper[q].step] = entries(scatter.upper[q].entry);
      }
      const Value own =
          scatter.diagonal[k] == EliminationScatter::none ? arithmetic_.zero() : entries(scatter.diagonal[k]);
      step(k, own, right(plan.order[k]));
    }
  }

  /// By unknown.
  template <class Result>
  void back_substitute(Result&& result) {
    const EliminationPlan& plan = *plan_;
    for (std::size_t k = plan.order.size(); k-- > 0;) {
      Value value = symmetric_ ? arithmetic_.times(solution_[k], inverse_[k]) : solution_[k];
      const std::vector<Value>& factors = symmetric_ ? lower_ : upper_;
      for (std::size_t p = plan.column_begin[k]; p < plan.column_begin[k + 1]; ++p)
        value = arithmetic_.less_product(value, factors[p], solution_[plan.rows[p]]);
      if (!symmetric_) value = arithmetic_.times(value, inverse_[k]);
      solution_[k] = value;
      result(plan.order[k], value);
    }
  }

 private:
  void step(std::size_t k, Value own, Value right) {
    const EliminationPlan& plan = *plan_;
    const bool late = plan.order[k] >= first_late_;
    // A late pivot is minus what early steps give plus what late ones take from it.
    Value pivot = own, size = arithmetic_.size(own), taken = arithmetic_.zero();
    for (std::size_t q = plan.row_begin[k]; q < plan.row_begin[k + 1]; ++q) {
      const std::size_t j = plan.columns[q];
      const Value plain = row_[j], scaled = arithmetic_.times(plain, inverse_[j]);
      const std::size_t begin = plan.column_begin[j], end = filled_[j]++;
      if (symmetric_) {
        for (std::size_t p = begin; p < end; ++p)
          row_[plan.rows[p]] = arithmetic_.less_product(row_[plan.rows[p]], lower_[p], plain);
        Value& part = late && plan.order[j] >= first_late_ ? taken : pivot;
        part = arithmetic_.less_product(part, scaled, plain);
      } else {
        const Value across = column_[j];
        for (std::size_t p = begin; p < end; ++p) {
          Value& below = row_[plan.rows[p]];
          below = arithmetic_.less_product(below, scaled, upper_[p]);
          Value& beside = column_[plan.rows[p]];
          beside = arithmetic_.less_product(beside, lower_[p], across);
        }
        pivot = arithmetic_.less_product(pivot, scaled, across);
        size = arithmetic_.plus_size(size, scaled, across);
        upper_[end] = across;
      }
      lower_[end] = scaled;
      right = arithmetic_.less_product(right, scaled, solution_[j]);
    }
    if (symmetric_ && late) {
      size = arithmetic_.size(pivot);
      pivot = arithmetic_.plus(pivot, taken);
    }
    inverse_[k] = arithmetic_.pivot(k, pivot, size);
    solution_[k] = right;
  }

  const EliminationPlan* plan_;
  bool symmetric_;
  std::size_t first_late_;
  Arithmetic arithmetic_;
  std::vector<Value> row_, column_;  ///< of the step at work
  std::vector<Value> inverse_, lower_, upper_;
  std::vector<std::size_t> filled_;
  std::vector<Value> solution_;
};

}  // namespace liaison

#endif  // LIAISON_COMPILE_ELIMINATION_HPP
