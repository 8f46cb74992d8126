#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

/// The rates of rows, of which those of some vanish. As vectors: what a unit of every force does to a rate,
/// then what it is without forces.
class KeptRates {
 public:
  KeptRates(const ContactNumbers& numbers, const std::vector<std::size_t>& zero) : numbers_(numbers) {
    for (const Rational& drive : numbers.drive) noise_of_drive_ += numbers.noise * abs(drive);
    for (const std::size_t row : zero) {
      std::vector<Rational> left = beside(row);
      if (std::size_t pivot = largest(left); !left[pivot].is_zero())
        basis_.emplace_back(pivot, std::move(left));
      else
        (left.back().is_zero() ? dependent_ : contradictory_) = true;
    }
  }
  bool are_dependent() const { return dependent_; }
  bool contradict() const { return contradictory_; }  ///< dependent rows would need rates that differ
  /// Whatever the forces are, the rate of this row vanishes where the others do.
  bool vanishes(std::size_t row) const {
    const std::vector<Rational> left = beside(row);
    return left[largest(left)].is_zero() && left.back().is_zero();
  }

  /// The direction along which the rates of two rows are, forth or back, whatever the forces are.
  std::optional<std::array<Rational, 2>> line(std::size_t first, std::size_t second) const {
    std::vector<Rational> one = beside(first), other = beside(second);
    const std::size_t pivots[2] = {largest(one), largest(other)};
    const bool by_first = abs(one[pivots[0]]) > abs(other[pivots[1]]);
    if (by_first) std::swap(one, other);
    const std::size_t pivot = by_first ? pivots[0] : pivots[1];
    if (other[pivot].is_zero()) return std::nullopt;
    const Rational ratio = one[pivot] / other[pivot];
    for (std::size_t i = 0; i < one.size(); ++i) {
      const Rational across = one[i] - ratio * other[i];
      if (i != pivot && abs(across) > (i + 1 < one.size() ? numbers_.noise : noise_of_drive_))
        return std::nullopt;
    }
    return by_first ? std::array{Rational(1), ratio} : std::array{ratio, Rational(1)};
  }

  /// Sums of the rates of some rows that vanish, whatever the forces are.
  std::vector<std::vector<Rational>> relations(const std::vector<std::size_t>& rows) const {
    std::vector<std::vector<Rational>> found;
    std::vector<std::tuple<std::size_t, std::vector<Rational>, std::vector<Rational>>> echelon;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<Rational> left = beside(rows[i]), sum(rows.size());
      sum[i] = Rational(1);
      for (const auto& [pivot, known, of_rows] : echelon) {
        const Rational ratio = left[pivot] / known[pivot];
        subtract(left, ratio, known);
        subtract(sum, ratio, of_rows);
        left[pivot] = Rational(0);
      }
      drop_noise(left);
      const std::size_t pivot = largest(left);
      if (!left[pivot].is_zero())
        echelon.emplace_back(pivot, std::move(left), std::move(sum));
      else if (left.back().is_zero())
        found.push_back(std::move(sum));
    }
    return found;
  }

 private:
  static void subtract(std::vector<Rational>& from, const Rational& ratio,
                       const std::vector<Rational>& other) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = from[i] - ratio * other[i];
  }
  /// A unit of a force has an effect of about one on its own rate.
  void drop_noise(std::vector<Rational>& left) const {
    for (std::size_t i = 0; i < left.size(); ++i)
      if (abs(left[i]) <= (i + 1 < left.size() ? numbers_.noise : noise_of_drive_)) left[i] = Rational(0);
  }
  std::vector<Rational> beside(std::size_t row) const {
    std::vector<Rational> left;
    for (const auto& effects : numbers_.r) left.push_back(effects[row]);
    left.push_back(numbers_.drive[row]);
    for (const auto& [pivot, known] : basis_) {
      const Rational ratio = left[pivot] / known[pivot];
      subtract(left, ratio, known);
      left[pivot] = Rational(0);
    }
    drop_noise(left);
    return left;
  }
  static std::size_t largest(const std::vector<Rational>& left) {
    std::size_t at = 0;
    for (std::size_t i = 1; i + 1 < left.size(); ++i)
      if (abs(left[i]) > abs(left[at])) at = i;
    return at;
  }

  const ContactNumbers& numbers_;
  std::vector<std::pair<std::size_t, std::vector<Rational>>> basis_;
  Rational noise_of_drive_;
  bool dependent_ = false, contradictory_ = false;
};

}  // namespace liaison
