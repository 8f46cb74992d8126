#include <algorithm>
#include <array>
#include <cmath>

#include "friction_problem.hpp"

namespace liaison {

namespace {

constexpr double slack = 1e-11;  ///< relative, at the limits of sticking

/// Solves a x = b in place; a column without a pivot has x = 0. False: it contradicts itself.
bool eliminate(std::vector<double>& a, std::vector<double>& b, const std::vector<double>& sizes,
               double noise) {
  const std::size_t n = b.size();
  std::vector<std::size_t> rows(n, n);
  std::vector<bool> used(n);
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (!used[i] && (pivot == n || std::abs(a[i * n + column]) / sizes[i] >
                                         std::abs(a[pivot * n + column]) / sizes[pivot]))
        pivot = i;
    }
    if (pivot == n || std::abs(a[pivot * n + column]) <= 1e-12 * sizes[pivot] * sizes[column]) continue;
    used[pivot] = true;
    rows[column] = pivot;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == pivot || a[i * n + column] == 0) continue;
      const double factor = a[i * n + column] / a[pivot * n + column];
      for (std::size_t j = column; j < n; ++j) a[i * n + j] -= factor * a[pivot * n + j];
      b[i] -= factor * b[pivot];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!used[i] && std::abs(b[i]) > noise * sizes[i]) return false;
  }
  std::vector<double> x(n);
  for (std::size_t column = 0; column < n; ++column) {
    if (rows[column] < n) x[column] = b[rows[column]] / a[rows[column] * n + column];
  }
  b = x;
  return true;
}

/// Effects of N of the contact with what is moving; stick and slip of what is asked for.
class OneContactInSpace {
 public:
  explicit OneContactInSpace(const FrictionProblem& problem)
      : problem_(problem), contact_(problem.contacts[0]), noise_(problem.noise()) {
    moving_.assign(problem.size(), 0);
    moving_[contact_.normal] = 1;
    for (const auto& resisted : contact_.resisted) {
      if (!resisted.moving) {
        asked_.push_back(&resisted);
        continue;
      }
      for (std::size_t j = 0; j < resisted.rows.size(); ++j)
        moving_[resisted.rows[j]] = -resisted.slipping * resisted.direction[j];
    }
  }

  FrictionForces find() {
    add_without_force();
    const auto& resisted = *asked_[0];
    for (const bool closed : {false, true}) {
      if (closed ? contact_.given : (!contact_.given && contact_.least == 0)) continue;
      stick_in_space(resisted, closed);
      slip_in_space(resisted, closed);
    }
    if (result_.all.empty() && !nearest_.empty()) result_.all.push_back(nearest_);
    return std::move(result_);
  }

 private:
  /// N = 0: nothing is resisted.
  void add_without_force() {
    if (contact_.given || contact_.least > 0) return;
    if (problem_.drive[contact_.normal] < -noise_[contact_.normal]) return;
    result_.all.emplace_back(problem_.size());
  }

  double effect(const std::vector<double>& per_normal, std::size_t row) const {
    double sum = 0;
    for (std::size_t h = 0; h < per_normal.size(); ++h) {
      if (per_normal[h] != 0) sum += per_normal[h] * problem_.entry(h, row);
    }
    return sum;
  }

  /// Forces with v = 0 in the rows `stuck`, and in the normal where it is `closed`.
  bool solve(const std::vector<double>& per_normal, const std::vector<std::size_t>& stuck, bool closed,
             std::vector<double>& forces) const {
    // The normal stands first: where rows depend on each other its force is kept, and others are zero.
    std::vector<std::size_t> rows;
    if (closed) rows.push_back(contact_.normal);
    const std::size_t first = rows.size();
    rows.insert(rows.end(), stuck.begin(), stuck.end());
    const std::size_t n = rows.size();
    std::vector<double> a(n * n), b(n), sizes(n);
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double diagonal = problem_.entry(rows[i], rows[i]);
      sizes[i] = diagonal > 0 ? std::sqrt(diagonal) : 1;
      worst = std::max(worst, noise_[rows[i]] / sizes[i]);
      const double normal_effect = effect(per_normal, rows[i]);
      b[i] = -problem_.drive[rows[i]] - (closed ? 0 : contact_.least * normal_effect);
      for (std::size_t j = 0; j < n; ++j)
        a[i * n + j] = j < first ? normal_effect : problem_.entry(rows[j], rows[i]);
    }
    if (!eliminate(a, b, sizes, std::max(worst, 1e-300))) return false;
    const double normal = closed ? b[0] : contact_.least;
    forces.resize(per_normal.size());
    for (std::size_t h = 0; h < per_normal.size(); ++h) forces[h] = per_normal[h] * normal;
    for (std::size_t i = 0; i < stuck.size(); ++i) forces[stuck[i]] = b[first + i];
    return true;
  }

  /// How far forces are from the signs of the normal, beside what is noise; 0: they hold.
  double normal_violation(const std::vector<double>& forces, const std::vector<double>& v,
                          bool closed) const {
    const double normal = forces[contact_.normal];
    if (contact_.given) return 0;
    if (!closed) return std::max(0.0, -v[contact_.normal] / noise_[contact_.normal] - 1);
    const double r = problem_.entry(contact_.normal, contact_.normal);
    const double unit = r > 0 ? noise_[contact_.normal] / r : 0;
    if (contact_.least == 0 && normal <= unit) return INFINITY;  // without force: found on its own
    return normal >= contact_.least - unit ? 0 : INFINITY;
  }

  void take(const std::vector<double>& forces, double violation) {
    if (!std::all_of(forces.begin(), forces.end(), [](double f) { return std::isfinite(f); })) return;
    if (violation > 0) {
      if (violation < nearest_violation_) {
        nearest_violation_ = violation;
        nearest_ = forces;
      }
      return;
    }
    const bool known =
        std::any_of(result_.all.begin(), result_.all.end(), [&](const std::vector<double>& other) {
          for (std::size_t h = 0; h < forces.size(); ++h) {
            if (std::abs(forces[h] - other[h]) > 1e-9 * std::abs(forces[contact_.normal])) return false;
          }
          return true;
        });
    if (!known) result_.all.push_back(forces);
  }

  /// Beyond the limit of sticking, relative; 0: it holds.
  double beyond(double force, double limit) const {
    if (force <= limit * (1 + slack)) return 0;
    return limit > 0 ? (force / limit - 1) / slack : INFINITY;
  }

  void stick_in_space(const FrictionProblem::Resisted& resisted, bool closed) {
    std::vector<double> forces;
    if (!solve(moving_, resisted.rows, closed, forces)) return;
    const std::vector<double> v = problem_.velocities(forces);
    const double force = std::hypot(forces[resisted.rows[0]], forces[resisted.rows[1]]);
    take(forces, std::max(normal_violation(forces, v, closed),
                          beyond(force, resisted.sticking * forces[contact_.normal])));
  }

  /// Slip along u = (cos s, sin s): v = drive + N (a - mu u r) is parallel to u and goes with it, where
  /// N = least, or N = -drive_n/(a_n - mu u r_n). What is not parallel, times the denominator, is of degree
  /// two in u.
  void slip_in_space(const FrictionProblem::Resisted& resisted, bool closed) {
    const std::size_t x = resisted.rows[0], y = resisted.rows[1], n = contact_.normal;
    const double mu = resisted.slipping;
    const auto per_unit = [&](double c, double s, std::size_t row) {
      return effect(moving_, row) - mu * (c * problem_.entry(x, row) + s * problem_.entry(y, row));
    };
    const auto beside = [&](double c, double s) {
      const double scale = closed ? per_unit(c, s, n) : 1;
      const double normal = closed ? -problem_.drive[n] : contact_.least;
      return c * (scale * problem_.drive[y] + normal * per_unit(c, s, y)) -
             s * (scale * problem_.drive[x] + normal * per_unit(c, s, x));
    };
    // Its five coefficients from five values.
    std::array<double, 5> coefficients = {};
    for (int i = 0; i < 5; ++i) {
      const double angle = 2 * M_PI * i / 5;
      const double value = beside(std::cos(angle), std::sin(angle)) / 5;
      coefficients[0] += value;
      for (int k = 1; k <= 2; ++k) {
        coefficients[2 * k - 1] += 2 * value * std::cos(k * angle);
        coefficients[2 * k] += 2 * value * std::sin(k * angle);
      }
    }
    TrigonometricRoots roots = trigonometric_roots(coefficients);
    if (roots.every) roots.angles = {0};
    for (const double angle : roots.angles) {
      const double c = std::cos(angle), s = std::sin(angle);
      const double along = per_unit(c, s, n);
      const double normal = closed ? -problem_.drive[n] / along : contact_.least;
      if (!std::isfinite(normal) || normal < 0) continue;
      std::vector<double> forces = moving_;
      for (double& force : forces) force *= normal;
      forces[x] = -mu * normal * c;
      forces[y] = -mu * normal * s;
      const std::vector<double> v = problem_.velocities(forces);
      const double speed = c * v[x] + s * v[y], noise = std::max(noise_[x], noise_[y]);
      const double slow = speed > noise ? 0 : 1 - speed / std::max(noise, 1e-300);
      if (roots.every && slow == 0) {
        result_.complete = false;
        result_.note("it may begin to slip in any direction: one of them is given");
      }
      take(forces, std::max(normal_violation(forces, v, closed), slow));
    }
  }

  const FrictionProblem& problem_;
  const FrictionProblem::Contact& contact_;
  std::vector<double> noise_, moving_;  ///< force of each row for N = 1, of what is moving
  std::vector<const FrictionProblem::Resisted*> asked_;
  std::vector<double> nearest_;
  double nearest_violation_ = 1e4;  ///< what rounding can do to a hypothesis, in units of the noise
  FrictionForces result_;
};

}  // namespace

FrictionForces one_contact_in_space(const FrictionProblem& problem) {
  return OneContactInSpace(problem).find();
}

}  // namespace liaison
