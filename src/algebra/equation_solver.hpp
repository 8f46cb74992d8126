#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "candidate.hpp"
#include "newton_start.hpp"
#include "row_proof.hpp"
#include "side_search.hpp"

namespace liaison {

/// Finds points at which equations hold: a numerical start, then as much exactly as can be, then a box with
/// one solution for the rest, and a proof for each equation that is left over.
class EquationSolver {
 public:
  /// `own_rows`: how many of the equations are the region's; the rest was added to them.
  EquationSolver(Algebra& algebra, const Slots& slots, std::vector<Expr> equations, std::size_t own_rows);
  void set_follows(PointFinder::Follows follows) { proof_.set_follows(std::move(follows)); }

  /// Slots whose values are drawn, not solved for: unknown functions in the equations and what they depend
  /// on.
  std::span<const char> fixed() const { return fixed_; }

  struct Start {
    SideSearch::Place place;
    SideSearch::Wish wish;
    int number;  ///< of the try
  };
  std::optional<Candidate> solve(const Start& start, SideSearch& sides, Random& random, std::string& failure);

 private:
  using Slot = std::size_t;
  struct Attempt {
    const Start& start;
    SideSearch& sides;
    std::vector<std::size_t> active;  ///< the part that is to vanish, for each row
    std::vector<Slot> columns;        ///< what is solved for
    std::vector<double> x;
    bool is_well_placed(std::span<const double> x) const;
  };

  std::vector<std::optional<Rational>> values_before(const Attempt& attempt) const;
  void find_fixed();
  void find_columns();
  bool find_numbers(Attempt& attempt, Random& random);
  bool add_needed_sides(Attempt& attempt, NumericSystem& system, Random& random);
  void note_zeros(const Attempt& attempt, Candidate& candidate) const;
  std::optional<Candidate> certify(const Attempt& attempt);
  std::optional<Candidate> exact_point_nearby(const Attempt& attempt) const;
  std::optional<Candidate> complete(const Attempt& attempt, std::vector<std::optional<Rational>> exact,
                                    const std::vector<double>& x);
  bool solve_exactly(std::vector<std::optional<Rational>>& exact, std::vector<std::size_t>& pending,
                     const std::vector<std::size_t>& active, const std::vector<double>& x) const;
  std::optional<Rational> exact_zero(std::size_t part, Slot unknown, double near,
                                     std::vector<std::optional<Rational>> exact) const;
  bool enclose(Candidate& candidate, const std::vector<std::size_t>& pending, const Attempt& attempt,
               const std::vector<double>& x);
  const SquareSystem& square_system(const std::vector<std::size_t>& parts, const std::vector<Slot>& unknowns);

  const Slots& slots_;
  std::vector<Expr> equations_;
  std::vector<std::vector<std::size_t>> parts_of_row_;  ///< a product vanishes where one of its factors does
  std::vector<Expr> parts_;
  std::vector<std::vector<Slot>> slots_of_part_;
  std::vector<Prepared> exact_parts_;
  NumericRows numeric_;
  NumericRows numeric_sides_;
  std::size_t sides_prepared_ = 0;
  std::vector<char> fixed_, positive_;
  std::vector<double> weights_;  ///< of columns: parameters are solved for last
  std::vector<Slot> first_columns_, all_columns_;
  bool first_columns_serve_ = false;
  std::map<std::vector<std::size_t>, SquareSystem> systems_;
  RowProof proof_;
};

}  // namespace liaison
