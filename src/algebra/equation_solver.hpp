#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "equation_parts.hpp"
#include "point_certifier.hpp"
#include "side_search.hpp"

namespace liaison {

/// Finds points at which equations hold: a numerical solution from a random start, which is then certified.
class EquationSolver {
 public:
  /// `own_rows`: how many of the equations are the region's; the rest was added to them.
  EquationSolver(Algebra& algebra, const Slots& slots, std::vector<Expr> equations, std::size_t own_rows);
  EquationSolver(const EquationSolver&) = delete;
  EquationSolver& operator=(const EquationSolver&) = delete;
  void set_follows(PointFinder::Follows follows) { certifier_.set_follows(std::move(follows)); }
  std::span<const char> fixed() const { return parts_.fixed; }

  struct Start {
    SideSearch::Place place;
    SideSearch::Wish wish;
    int number;  ///< of the try
  };
  /// Values that were drawn are changed where an equation holds nothing else: f(y) = 0.
  std::optional<Candidate> solve(Start start, SideSearch& sides, Random& random, std::string& failure);

 private:
  bool find_numbers(NumericPoint& point, const Start& start, SideSearch& sides, Random& random);
  bool add_needed_sides(const NumericPoint& point, const SideSearch& sides, NumericSystem& system,
                        Random& random) const;
  void prepare_sides(const SideSearch& sides);
  bool solve_drawn_rows(const std::vector<std::size_t>& active, SideSearch::Place& place) const;
  bool is_solved_for(Expr e, std::span<const std::size_t> columns) const;

  const Slots& slots_;
  EquationParts parts_;
  PointCertifier certifier_;
  NumericRows numeric_sides_;
  std::size_t sides_prepared_ = 0;
  bool first_columns_serve_ = false;
};

}  // namespace liaison
