#include "table_curve.hpp"

#include <algorithm>
#include <cstddef>

namespace liaison {

namespace {

Rational width(const std::vector<TablePoint>& points, std::size_t k) {
  return points[k + 1].x - points[k].x;
}

/// Of the straight line over piece k.
Rational chord(const std::vector<TablePoint>& points, std::size_t k) {
  return (points[k + 1].y - points[k].y) / width(points, k);
}

/// The slope at an end of three points: that of the parabola, kept from passing the points (as by Moler).
Rational slope_at_end(const Rational& h0, const Rational& h1, const Rational& d0, const Rational& d1) {
  const Rational slope = ((Rational(2) * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope.sign() != d0.sign()) return 0;
  if (d0.sign() != d1.sign() && abs(slope) > Rational(3) * abs(d0)) return Rational(3) * d0;
  return slope;
}

/// Harmonic means of the chords beside each point, 0 where they differ in sign.
std::vector<Rational> monotone_slopes(const std::vector<TablePoint>& points) {
  const std::size_t n = points.size();
  if (n == 2) return {chord(points, 0), chord(points, 0)};
  std::vector<Rational> slopes(n);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const Rational before = chord(points, k - 1), behind = chord(points, k);
    if (before.sign() * behind.sign() <= 0) continue;
    const Rational h0 = width(points, k - 1), h1 = width(points, k);
    const Rational w0 = Rational(2) * h1 + h0, w1 = h1 + Rational(2) * h0;
    slopes[k] = (w0 + w1) / (w0 / before + w1 / behind);
  }
  slopes.front() = slope_at_end(width(points, 0), width(points, 1), chord(points, 0), chord(points, 1));
  slopes.back() =
      slope_at_end(width(points, n - 2), width(points, n - 3), chord(points, n - 2), chord(points, n - 3));
  return slopes;
}

/// Continuous second derivatives at the inner points, and third ones at the second and the last but one;
/// three points lie on a parabola.
std::vector<Rational> spline_slopes(const std::vector<TablePoint>& points) {
  const std::size_t n = points.size();
  if (n == 2) return {chord(points, 0), chord(points, 0)};
  std::vector<double> h(n - 1), d(n - 1);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    h[k] = width(points, k).to_double();
    d[k] = chord(points, k).to_double();
  }
  if (n == 3) {
    const Rational h0 = width(points, 0), h1 = width(points, 1), d0 = chord(points, 0), d1 = chord(points, 1);
    const Rational second = (d1 - d0) / (h0 + h1);  // half of it
    return {d0 - second * h0, d0 + second * h0, d1 + second * h1};
  }
  // rows: below, diagonal, above, right side
  std::vector<double> below(n), diagonal(n), above(n), right(n);
  const auto close_end = [&](std::size_t row, double h0, double h1, double d0, double d1, double& beside) {
    diagonal[row] = h1;
    beside = h0 + h1;
    right[row] = ((h0 + 2 * (h0 + h1)) * h1 * d0 + h0 * h0 * d1) / (h0 + h1);
  };
  close_end(0, h[0], h[1], d[0], d[1], above[0]);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    below[k] = h[k];
    diagonal[k] = 2 * (h[k - 1] + h[k]);
    above[k] = h[k - 1];
    right[k] = 3 * (h[k] * d[k - 1] + h[k - 1] * d[k]);
  }
  close_end(n - 1, h[n - 2], h[n - 3], d[n - 2], d[n - 3], below[n - 1]);
  for (std::size_t k = 1; k < n; ++k) {
    const double factor = below[k] / diagonal[k - 1];
    diagonal[k] -= factor * above[k - 1];
    right[k] -= factor * right[k - 1];
  }
  std::vector<Rational> slopes(n);
  double last = 0;
  for (std::size_t k = n; k-- > 0;) {
    last = (right[k] - (k + 1 < n ? above[k] * last : 0)) / diagonal[k];
    slopes[k] = Rational::from_double(last);
  }
  return slopes;
}

Expr linear_curve(Expr u, const std::vector<TablePoint>& points, bool is_extended) {
  Pool& pool = u.pool();
  const std::size_t n = points.size();
  std::vector<Expr> terms{pool.number(points[0].y)};
  Rational before = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const bool is_last = k + 1 == n;
    const Rational slope = is_last ? (is_extended ? before : Rational(0)) : chord(points, k);
    const Expr way = u - pool.number(points[k].x);
    if (slope != before) {
      terms.push_back(pool.number(slope - before) * (k == 0 && is_extended ? way : max(way, pool.number(0))));
    }
    before = slope;
  }
  return pool.add(terms);
}

/// Of Hermite's cubic over each piece, which begins at 0 and is walked through once.
Expr cubic_curve(Expr u, const std::vector<TablePoint>& points, const std::vector<Rational>& slopes,
                 bool is_extended) {
  Pool& pool = u.pool();
  const Expr zero = pool.number(0);
  const std::size_t n = points.size();
  std::vector<Expr> ways;
  for (const TablePoint& point : points) ways.push_back(max(u - pool.number(point.x), zero));
  std::vector<Expr> terms{pool.number(points[0].y)};
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const Rational h = width(points, k), d = chord(points, k);
    const Expr way = ways[k] - ways[k + 1];
    terms.push_back(pool.number(slopes[k]) * way);
    terms.push_back(pool.number((Rational(3) * d - Rational(2) * slopes[k] - slopes[k + 1]) / h) *
                    pow(way, 2));
    terms.push_back(pool.number((slopes[k] + slopes[k + 1] - Rational(2) * d) / (h * h)) * pow(way, 3));
  }
  if (is_extended) {
    terms.push_back(pool.number(slopes.front()) * min(u - pool.number(points[0].x), zero));
    terms.push_back(pool.number(slopes.back()) * ways.back());
  }
  return pool.add(terms);
}

}  // namespace

Expr table_curve(Expr u, const std::vector<TablePoint>& points, TableKind kind, bool is_extended) {
  switch (kind) {
    case TableKind::linear: return linear_curve(u, points, is_extended);
    case TableKind::cubic: return cubic_curve(u, points, spline_slopes(points), is_extended);
    case TableKind::monotone: return cubic_curve(u, points, monotone_slopes(points), is_extended);
  }
  return {};
}

}  // namespace liaison
