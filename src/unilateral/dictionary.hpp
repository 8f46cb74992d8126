#pragma once

#include <cstddef>
#include <vector>

#include "liaison/unilateral/complementarity.hpp"

namespace liaison {

/// The polyhedron lambda >= 0, a = drive + r^T lambda >= 0 at one of its points, some of the variables held
/// at zero: basic variables in terms of the others, as in the simplex method, exactly. Variables 0..p-1 are
/// the factors, p..2p-1 the separations.
class Dictionary {
 public:
  explicit Dictionary(const Complementarity& problem);

  std::size_t count() const { return count_; }
  bool is_feasible() const { return feasible_; }
  /// Holds a variable at zero; false: it is positive everywhere.
  bool fix(std::size_t variable);
  /// Positive somewhere. Moves to another point.
  bool can_be_positive(std::size_t variable);
  /// Everywhere: seen from the signs in its row, without a search.
  bool is_certainly_positive(std::size_t variable) const;
  bool is_certainly_zero(std::size_t variable) const;
  /// At the present point.
  bool is_positive(std::size_t variable) const;

  /// What is left: each variable as constant + coefficients * (free variables >= 0).
  struct Row {
    Rational constant;
    std::vector<Rational> coefficients;
  };
  std::size_t dimension() const { return columns_.size(); }
  Row row(std::size_t variable) const;

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void find_feasible();
  std::size_t leaving(std::size_t column, std::size_t preferred) const;
  void pivot(std::size_t row, std::size_t column);
  void drop_column(std::size_t column);
  void drop_row(std::size_t row);
  std::size_t row_of(std::size_t variable) const;
  std::size_t column_of(std::size_t variable) const;

  std::size_t count_;
  Rational noise_;
  bool feasible_ = true;
  std::vector<std::size_t> basis_, columns_;    ///< variables
  std::vector<std::vector<Rational>> entries_;  ///< one row a basic variable; the constant stands last
};

}  // namespace liaison
