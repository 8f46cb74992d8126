#include "liaison/unilateral/q_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

#include "algebra/feasibility.hpp"
#include "liaison/unilateral/p_matrix.hpp"

namespace liaison {

namespace {

using Vector = std::vector<Rational>;

Rational inner(const Vector& a, const Vector& b) {
  Rational sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// Rows h with { drive : h . drive >= 0 } the cone of what is kept; nothing where it has no interior. There
/// drive = sum_k x_k column_k with x >= 0: the unit vectors of what opens, and -r[h] of what is kept.
std::optional<RationalMatrix> faces(const RationalMatrix& r, std::size_t kept) {
  const std::size_t n = r.size();
  RationalMatrix rows(n, Vector(2 * n));  // columns, then the unit matrix, to be inverted
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i)
      rows[i][k] = (kept >> k & 1) != 0 ? -r[k][i] : Rational(i == k ? 1 : 0);
    rows[k][n + k] = Rational(1);
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && rows[pivot][k].is_zero()) ++pivot;
    if (pivot == n) return {};
    std::swap(rows[pivot], rows[k]);
    const Rational own = rows[k][k];
    for (Rational& entry : rows[k]) entry = entry / own;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || rows[i][k].is_zero()) continue;
      const Rational ratio = rows[i][k];
      for (std::size_t j = k; j < 2 * n; ++j) rows[i][j] += -(ratio * rows[k][j]);
    }
  }
  for (Vector& row : rows) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
  return rows;
}

/// A drive with every inner product >= 1, exactly.
std::optional<Vector> drive_within(const RationalMatrix& sides, std::size_t count) {
  if (sides.empty()) return Vector(count, Rational(1));
  RationalMatrix rows;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    Vector& row = rows.emplace_back(2 * count + sides.size());
    for (std::size_t k = 0; k < count; ++k) {
      row[k] = sides[i][k];
      row[count + k] = -sides[i][k];
    }
    row[2 * count + i] = Rational(-1);
  }
  Feasibility problem(std::move(rows), Vector(sides.size(), Rational(1)));
  if (!problem.has_solution()) return {};
  const Vector found = problem.solution();
  Vector drive(count);
  for (std::size_t k = 0; k < count; ++k) drive[k] = found[k] - found[count + k];
  return drive;
}

class LeftOut {
 public:
  LeftOut(const RationalMatrix& r, std::size_t most) : r_(r), left_(most) {
    for (std::size_t kept = 0; kept < std::size_t{1} << r.size(); ++kept)
      if (auto own = faces(r, kept)) cones_.push_back(std::move(*own));
  }

  QMatrixAnswer find() {
    const bool is_found = descend(0, Vector(r_.size(), Rational(-1)));
    if (is_found) return {QVerdict::is_not_q, std::move(drive_)};
    return {is_cut_ ? QVerdict::undecided : QVerdict::is_q, {}};
  }

 private:
  /// What the cones from `next` on leave out of the region with `sides_` > 0, of which `drive` is a point.
  bool descend(std::size_t next, const Vector& drive) {
    while (next < cones_.size()) {
      const RationalMatrix& cone = cones_[next];
      const bool is_outside = std::any_of(cone.begin(), cone.end(),
                                          [&](const Vector& face) { return inner(face, drive).sign() < 0; });
      if (is_outside && !meets(cone)) {
        ++next;
        continue;
      }
      return split(next);
    }
    return is_certified(drive);
  }

  bool meets(const RationalMatrix& cone) {
    RationalMatrix both = sides_;
    both.insert(both.end(), cone.begin(), cone.end());
    return drive_within(both, r_.size()).has_value();
  }

  /// Behind each face of a cone, and before those that came first.
  bool split(std::size_t next) {
    const std::size_t before = sides_.size();
    for (const Vector& face : cones_[next]) {
      if (left_ == 0) {
        is_cut_ = true;
        break;
      }
      --left_;
      Vector back;
      for (const Rational& entry : face) back.push_back(-entry);
      sides_.push_back(back);
      const auto drive = drive_within(sides_, r_.size());
      if (drive && descend(next + 1, *drive)) return true;
      sides_.back() = face;
    }
    sides_.resize(before);
    return false;
  }

  bool is_without_motion(const Vector& drive) const {
    return std::all_of(sides_.begin(), sides_.end(),
                       [&](const Vector& side) { return inner(side, drive).sign() > 0; }) &&
           all_solutions({r_, drive}).empty();
  }

  /// Small integers where they will do.
  std::optional<Vector> in_integers(const Vector& drive) const {
    constexpr long most = 12;
    Rational largest;
    for (const Rational& entry : drive) largest = std::max(largest, abs(entry));
    for (long scale = 1; scale <= most && !largest.is_zero(); ++scale) {
      Vector rounded;
      for (const Rational& entry : drive)
        rounded.emplace_back(std::lround((entry * Rational(scale) / largest).to_double()));
      if (is_without_motion(rounded)) return rounded;
    }
    return {};
  }

  /// Cones without interior hold no open set: next to a point of one of them lies a drive without motion.
  bool is_certified(const Vector& drive) {
    constexpr int most_tries = 40;
    std::mt19937_64 random(1);
    if (auto rounded = in_integers(drive)) {
      drive_ = std::move(*rounded);
      return true;
    }
    Vector moved = drive;
    for (long i = 0; i < most_tries; ++i) {
      if (is_without_motion(moved)) {
        drive_ = std::move(moved);
        return true;
      }
      for (std::size_t k = 0; k < drive.size(); ++k)
        moved[k] = drive[k] + Rational(static_cast<long>(random() % 201) - 100, 100 + 50 * i * i);
    }
    is_cut_ = true;
    return false;
  }

  const RationalMatrix& r_;
  std::size_t left_;
  std::vector<RationalMatrix> cones_;
  RationalMatrix sides_;
  Vector drive_;
  bool is_cut_ = false;
};

}  // namespace

QMatrixAnswer q_matrix(const RationalMatrix& r, std::size_t most_regions) {
  constexpr std::size_t most_contacts = 10;
  if (r.empty() || p_matrix(r).is_p) return {QVerdict::is_q, {}};
  if (r.size() > most_contacts) return {};
  return LeftOut(r, most_regions).find();
}

}  // namespace liaison
