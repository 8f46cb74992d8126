#pragma once

#include <span>
#include <vector>

namespace liaison {

/// Points of Clenshaw and Curtis on [-1, 1], from 1 down to -1: those of n/2 are every second one.
std::vector<double> chebyshev_points(std::size_t degree);

/// A polynomial sum_k c_k T_k(x) on [-1, 1].
class ChebyshevSeries {
 public:
  ChebyshevSeries() = default;
  explicit ChebyshevSeries(std::vector<double> coefficients) : c_(std::move(coefficients)) {}
  /// Through values at chebyshev_points(values.size() - 1).
  static ChebyshevSeries through(std::span<const double> values);

  double operator()(double x) const;
  ChebyshevSeries derivative() const;
  /// The same polynomial on a part of [-1, 1].
  ChebyshevSeries on(double low, double high) const;
  /// Without last coefficients whose sizes add up to less.
  void trim(double size);

  std::size_t degree() const { return c_.empty() ? 0 : c_.size() - 1; }
  double size() const;              ///< sum of |c_k|: nowhere is it larger
  double size_of_the_rest() const;  ///< without c_0
  double mean() const { return c_.empty() ? 0 : c_[0]; }
  double tail() const;  ///< the last two coefficients

  /// Every place in (-1, 1) at which it changes its sign, in order.
  std::vector<double> sign_changes() const;

 private:
  std::vector<double> c_;
};

}  // namespace liaison
