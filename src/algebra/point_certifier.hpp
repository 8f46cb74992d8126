#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "candidate.hpp"
#include "equation_parts.hpp"
#include "row_proof.hpp"
#include "side_search.hpp"

namespace liaison {

/// A solution of equations as far as doubles tell.
struct NumericPoint {
  const SideSearch::Place& start;
  const SideSearch::Wish& wish;
  const SideSearch& sides;
  std::vector<std::size_t> active;           ///< the part that vanishes, for each row
  std::vector<EquationParts::Slot> columns;  ///< what is solved for; the rest is as at the start
  std::vector<double> x;

  /// On the wanted side, and on no wrong side that x is not on.
  bool is_well_placed(std::span<const double> at) const;
};

/// Makes certified points of numerical ones: as much exactly as can be, then a box with one solution for the
/// rest, and a proof for each equation that is left over.
class PointCertifier {
 public:
  PointCertifier(Algebra& algebra, const Slots& slots, const EquationParts& parts, std::size_t own_rows)
      : slots_(slots), parts_(parts), proof_(algebra, slots, own_rows) {}
  void set_follows(PointFinder::Follows follows) { proof_.set_follows(std::move(follows)); }
  std::optional<Candidate> certify(const NumericPoint& point);

 private:
  using Slot = EquationParts::Slot;
  using Values = std::vector<std::optional<Rational>>;
  struct Pivots {
    std::vector<Slot> solved;
    NumericSystem rows;
  };
  /// What is left to do for a point, some of whose values are exact.
  struct Rest {
    std::vector<std::size_t> pending;  ///< rows that are not known to hold
    std::vector<Slot> unknowns;
    std::vector<double> x;
    NumericRows::Values values;  ///< of all parts, at x
  };

  Values values_before(const NumericPoint& point) const;
  void note_zeros(const NumericPoint& point, Candidate& candidate) const;
  bool vanishes(std::size_t part, const Candidate& candidate);
  std::optional<Candidate> exact_point_nearby(const NumericPoint& point);
  std::optional<Pivots> choose_pivots(const NumericPoint& point, bool drops_rows) const;
  std::optional<Candidate> certify_with_pivots(const NumericPoint& point, bool drops_rows);
  std::optional<Candidate> complete(const NumericPoint& point, Values exact, std::vector<double> x,
                                    bool drops_rows);
  std::optional<Rational> exact_zero(std::size_t part, Slot unknown, double near, Values exact) const;
  bool is_zero_for_all(std::size_t part, const Values& exact) const;
  enum class Step { none, done, contradiction };
  Step solve_part(std::size_t part, Values& exact, const std::vector<double>& x) const;
  bool solve_exactly(const NumericPoint& point, Values& exact, Rest& rest) const;
  bool choose_rows(const NumericPoint& point, const Rest& rest, bool drops_rows, Candidate& candidate) const;
  bool enclose(const NumericPoint& point, const Rest& rest, Candidate& candidate);
  bool prove_others(const NumericPoint& point, const Rest& rest, const Candidate& candidate);
  const SquareSystem& square_system(const std::vector<std::size_t>& parts, const std::vector<Slot>& unknowns);

  const Slots& slots_;
  const EquationParts& parts_;
  RowProof proof_;
  std::map<std::vector<std::size_t>, SquareSystem> systems_;
};

}  // namespace liaison
