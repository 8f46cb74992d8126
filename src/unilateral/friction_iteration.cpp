#include <algorithm>
#include <cmath>

#include "friction_problem.hpp"

namespace liaison {

namespace {

/// Gauss and Seidel's iteration: each normal force, then each resistance, takes its own best value while the
/// others rest. For symmetric r each resistance makes a convex function of its forces least.
class Iteration {
 public:
  explicit Iteration(const FrictionProblem& problem)
      : problem_(problem), noise_(problem.noise()), forces_(problem.size()) {
    for (const auto& contact : problem.contacts) {
      std::vector<double>& limits = limits_.emplace_back();
      for (const auto& resisted : contact.resisted) limits.push_back(resisted.sticking);
    }
  }

  FrictionForces find() {
    FrictionForces result;
    bool converged = false;
    for (int round = 0; round < 8; ++round) {
      converged = iterate();
      if (!converged || !lower_limits()) break;
    }
    if (!converged) {
      result.complete = false;
      result.note("an iteration for one solution did not converge, and others were not looked for");
      return result;
    }
    result.complete = has_one_velocity();
    if (result.complete && all_asked_are_normal()) make_least();
    result.all.push_back(forces_);
    if (!result.complete) result.note("one solution by iteration; others were not looked for");
    return result;
  }

 private:
  bool iterate() {
    v_ = problem_.velocities(forces_);
    for (int sweep = 0; sweep < 4'000; ++sweep) {
      largest_ = 0;
      for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
        set_normal(problem_.contacts[c], sweep == 0);
        for (std::size_t i = 0; i < problem_.contacts[c].resisted.size(); ++i)
          set_resistance(problem_.contacts[c], i, limits_[c][i]);
      }
      if (!std::all_of(v_.begin(), v_.end(), [](double v) { return std::isfinite(v); })) return false;
      if (largest_ <= 0.01) break;
      if (sweep % 64 == 63) v_ = problem_.velocities(forces_);
    }
    v_ = problem_.velocities(forces_);
    return largest_ <= 100;
  }

  void change(std::size_t row, double to) {
    const double by = to - forces_[row];
    if (by == 0) return;
    forces_[row] = to;
    for (std::size_t k = 0; k < v_.size(); ++k) v_[k] += by * problem_.entry(row, k);
    largest_ = std::max(largest_, std::abs(by * problem_.entry(row, row)) / noise_[row]);
  }

  void set_normal(const FrictionProblem::Contact& contact, bool first) {
    double to = contact.least;
    if (!contact.given) {
      double along = problem_.entry(contact.normal, contact.normal);
      for (const auto& resisted : contact.resisted) {
        for (std::size_t j = 0; resisted.moving && j < resisted.rows.size(); ++j)
          along -=
              resisted.slipping * resisted.direction[j] * problem_.entry(resisted.rows[j], contact.normal);
      }
      const double step = v_[contact.normal] / along;
      if (along != 0) to = std::max(contact.least, forces_[contact.normal] - step);
    } else if (!first) {
      return;
    }
    change(contact.normal, to);
    for (const auto& resisted : contact.resisted) {
      for (std::size_t j = 0; resisted.moving && j < resisted.rows.size(); ++j)
        change(resisted.rows[j], -resisted.slipping * resisted.direction[j] * to);
    }
  }

  void set_resistance(const FrictionProblem::Contact& contact, std::size_t index, double coefficient) {
    const auto& resisted = contact.resisted[index];
    if (resisted.moving) return;
    const double limit = coefficient * forces_[contact.normal];
    const std::size_t x = resisted.rows[0];
    if (resisted.rows.size() == 1) {
      const double r = problem_.entry(x, x);
      if (r > 0) change(x, std::clamp(forces_[x] - v_[x] / r, -limit, limit));
      return;
    }
    // (r + alpha) f = r f_before - v, with the least alpha >= 0 that keeps f within its limit.
    const std::size_t y = resisted.rows[1];
    const double xx = problem_.entry(x, x), yy = problem_.entry(y, y),
                 xy = 0.5 * (problem_.entry(x, y) + problem_.entry(y, x));
    const double a = xx * forces_[x] + xy * forces_[y] - v_[x];
    const double b = xy * forces_[x] + yy * forces_[y] - v_[y];
    double fx = 0, fy = 0;
    const auto length = [&](double alpha) {
      const double det = (xx + alpha) * (yy + alpha) - xy * xy;
      fx = ((yy + alpha) * a - xy * b) / det;
      fy = ((xx + alpha) * b - xy * a) / det;
      return std::hypot(fx, fy);
    };
    if (limit <= 0 || (a == 0 && b == 0)) {
      change(x, 0);
      change(y, 0);
      return;
    }
    // A singular r of the two gives its shortest f: the limit of small alpha.
    const double first = xx * yy - xy * xy > 1e-13 * xx * yy ? 0 : 1e-13 * (xx + yy) + 1e-300;
    if (!(length(first) <= limit)) {
      double low = first, high = first + std::hypot(a, b) / limit;
      for (int i = 0; i < 200 && low < high; ++i) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        (length(middle) > limit ? low : high) = middle;
      }
      length(high);
    }
    change(x, fx);
    change(y, fy);
  }

  bool moves(const FrictionProblem::Resisted& resisted) const {
    return std::any_of(resisted.rows.begin(), resisted.rows.end(),
                       [&](std::size_t row) { return std::abs(v_[row]) > 1e3 * noise_[row]; });
  }

  /// What moves has the coefficient of slip.
  bool lower_limits() {
    bool lowered = false;
    for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
      for (std::size_t i = 0; i < limits_[c].size(); ++i) {
        const auto& resisted = problem_.contacts[c].resisted[i];
        if (resisted.moving || limits_[c][i] == resisted.slipping || !moves(resisted)) continue;
        limits_[c][i] = resisted.slipping;
        lowered = true;
      }
    }
    return lowered;
  }

  bool all_asked_are_normal() const {
    for (const auto& contact : problem_.contacts) {
      if (contact.given || contact.least != 0 || !contact.resisted.empty()) return false;
    }
    return true;
  }

  /// Redundant contacts: the least sum of squares of the forces of the rows that stay closed, where it is of
  /// forces that push. Conjugate gradients from zero keep to the range of r.
  void make_least() {
    std::vector<std::size_t> rows;
    for (const auto& contact : problem_.contacts) {
      if (std::abs(v_[contact.normal]) <= 100 * noise_[contact.normal]) rows.push_back(contact.normal);
    }
    const std::size_t n = rows.size();
    std::vector<double> x(n), residual(n), along, next(n);
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      residual[i] = -problem_.drive[rows[i]];
      square += residual[i] * residual[i];
    }
    along = residual;
    const double small = 1e-30 * square;
    for (std::size_t round = 0; round < 4 * n && square > small; ++round) {
      double curvature = 0;
      for (std::size_t i = 0; i < n; ++i) {
        next[i] = 0;
        for (std::size_t j = 0; j < n; ++j) next[i] += along[j] * problem_.entry(rows[j], rows[i]);
        curvature += along[i] * next[i];
      }
      if (!(curvature > 0)) break;
      double after = 0;
      for (std::size_t i = 0; i < n; ++i) {
        x[i] += square / curvature * along[i];
        residual[i] -= square / curvature * next[i];
        after += residual[i] * residual[i];
      }
      for (std::size_t i = 0; i < n; ++i) along[i] = residual[i] + after / square * along[i];
      square = after;
    }
    std::vector<double> least(forces_.size());
    for (std::size_t i = 0; i < n; ++i) {
      if (!(x[i] >= 0)) return;
      least[rows[i]] = x[i];
    }
    const std::vector<double> v = problem_.velocities(least);
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (!(std::abs(v[k] - v_[k]) <= 100 * noise_[k])) return;
    }
    forces_ = std::move(least);
  }

  /// The velocities make a convex function least: N of each contact is given and the coefficients are equal,
  /// or nothing is resisted.
  bool has_one_velocity() const {
    if (!problem_.is_symmetric()) return false;
    for (const auto& contact : problem_.contacts) {
      for (const auto& resisted : contact.resisted) {
        const bool none = resisted.sticking == 0 && resisted.slipping == 0;
        if (none || (contact.given && resisted.moving)) continue;
        if (!contact.given || resisted.sticking != resisted.slipping) return false;
      }
    }
    return true;
  }

  const FrictionProblem& problem_;
  std::vector<double> noise_, forces_, v_;
  std::vector<std::vector<double>> limits_;  ///< coefficient of each resistance
  double largest_ = 0;                       ///< change of the sweep, in units of the noise
};

}  // namespace

FrictionForces one_by_iteration(const FrictionProblem& problem) {
  return Iteration(problem).find();
}

}  // namespace liaison
