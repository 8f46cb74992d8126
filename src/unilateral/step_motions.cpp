#include "liaison/unilateral/step_motions.hpp"
#include "mechanics/dense.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

// The law as equations without cases, with rates rho that have the units of an impulse over a velocity:
//   N = max(0, N - rho v_n),   T = the nearest to T - rho v_t in the disc of radius mu max(0, N - rho v_n),
// and Newton's method on them. Their derivatives jump where a contact changes its mode, which the method
// passes.
namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Contact = ManyContacts::Contact;
using Resistance = ManyContacts::Resistance;

constexpr double solved = 1e-11;         ///< the residual of a motion
constexpr double rounding = 1e-15;       ///< a residual that does not get better
constexpr double different = 1e-9;       ///< part of the fastest velocity by which motions differ
constexpr int most_newton_steps = 60;    ///< from one start
constexpr std::size_t most_subsets = 6;  ///< contacts whose sets are all starts
constexpr int random_starts = 12;

Index at(std::size_t i) {
  return static_cast<Index>(i);
}

MatrixXd dense(const SparseRows& rows, std::size_t columns) {
  MatrixXd result = MatrixXd::Zero(at(rows.size()), at(columns));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = rows.begins[row]; i < rows.begins[row + 1]; ++i)
      result(at(row), at(rows.columns[i])) += rows.values[i];
  }
  return result;
}

class StepMotions {
 public:
  explicit StepMotions(const ManyContacts& problem)
      : problem_(problem),
        rows_(dense(problem.rows, problem.free.size())),
        responses_(dense(problem.responses, problem.free.size())),
        r_(rows_ * responses_.transpose()),
        drive_(rows_ * Eigen::Map<const VectorXd>(problem.free.data(), at(problem.free.size()))) {
    for (std::size_t k = 0; k < problem.bias.size(); ++k) drive_(at(k)) += problem.bias[k];
    for (const Contact& contact : problem.contacts)
      drive_(at(contact.normal)) += contact.restitution * contact.before;
    // Impulses are measured by what they do: v^2/r of a row is twice an energy, whatever its units.
    unit_ = VectorXd::Ones(drive_.size());
    double energy = 0;
    for (Index k = 0; k < drive_.size(); ++k) {
      if (!(r_(k, k) > 0)) continue;
      unit_(k) = std::sqrt(r_(k, k));
      energy = std::max(energy, std::abs(drive_(k)) / unit_(k));
    }
    size_ = energy;
  }

  std::vector<StepMotion> all() {
    if (size_ == 0) return {finished(VectorXd::Zero(drive_.size()))};
    std::vector<StepMotion> found;
    const auto from = [&](const VectorXd& start) {
      StepMotion motion = near(start);
      if (motion.impulses.empty()) return;
      const auto is_same = [&](const StepMotion& other) { return differ(motion, other) <= different; };
      if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(std::move(motion));
    };
    from(VectorXd::Zero(drive_.size()));
    const ManyImpulses iterated = solve(problem_, {}, {.tolerance = 1e-12, .most_sweeps = 400});
    from(Eigen::Map<const VectorXd>(iterated.impulses.data(), at(iterated.impulses.size())));
    const std::size_t contacts = problem_.contacts.size();
    if (contacts <= most_subsets) {
      for (std::size_t set = 1; set < std::size_t{1} << contacts; ++set) from(pressing(set));
    }
    std::mt19937 random(1);
    for (int i = 0; i < random_starts; ++i) from(drawn(random));
    return found;
  }

  StepMotion near(const VectorXd& start) {
    VectorXd f = start, best = start;
    double least = INFINITY;
    for (int i = 0; i < most_newton_steps; ++i) {
      Equations now = equations(f);
      const double value = now.value.norm();
      if (!std::isfinite(value)) break;
      if (value < 0.999 * least) {
        least = value;
        best = f;
      }
      if (value <= rounding * size_) break;
      const VectorXd step = DenseLeast(now.slope, 1e-12).solve(now.value);
      // As far as the equations get better, or where they do not, a small way: cases change.
      double part = 1;
      while (part > 1e-3 && !(equations(f - unscaled(part * step)).value.norm() < (1 - 0.1 * part) * value))
        part /= 2;
      if (part <= 1e-3 && least <= solved * size_) break;
      f -= unscaled((part <= 1e-3 ? 0.5 : part) * step);
    }
    StepMotion motion = finished(best);
    return motion.residual <= solved ? motion : StepMotion{};
  }

 private:
  struct Equations {
    VectorXd value;  ///< in units of size_
    MatrixXd slope;  ///< by scaled impulses
  };
  VectorXd unscaled(const VectorXd& scaled) const { return scaled.cwiseQuotient(unit_); }
  VectorXd velocities(const VectorXd& f) const { return drive_ + r_ * f; }

  /// In scaled numbers: g = unit f, w = v / unit, so that rho is one.
  Equations equations(const VectorXd& f) const {
    const Index n = drive_.size();
    const VectorXd g = f.cwiseProduct(unit_), w = velocities(f).cwiseQuotient(unit_);
    const MatrixXd r = unit_.cwiseInverse().asDiagonal() * r_ * unit_.cwiseInverse().asDiagonal();
    Equations result{VectorXd::Zero(n), MatrixXd::Identity(n, n)};
    for (const Contact& contact : problem_.contacts) {
      const Index normal = at(contact.normal);
      const double pressed = g(normal) - w(normal);
      const bool presses = pressed > 0;
      VectorXd by = -r.row(normal).transpose();  // of the pressure
      by(normal) += 1;
      result.value(normal) = presses ? w(normal) : g(normal);
      if (presses) result.slope.row(normal) = r.row(normal);
      for (const Resistance& resisted : contact.resisted)
        add_resistance(resisted, unit_(normal), presses ? pressed : 0, by, g, w, r, result);
    }
    return result;
  }

  void add_resistance(const Resistance& resisted, double normal_unit, double pressed, const VectorXd& by,
                      const VectorXd& g, const VectorXd& w, const MatrixXd& r, Equations& result) const {
    const Index first = at(resisted.row), count = at(resisted.components);
    const double unit = unit_(first), weight = unit / normal_unit;
    // Components of one velocity are measured alike: by the first.
    VectorXd tried(count), own(count);
    MatrixXd slopes(count, r.cols()), owns = MatrixXd::Zero(count, r.cols());
    for (Index k = 0; k < count; ++k) {
      const double ratio = unit_(first + k) / unit;
      own(k) = g(first + k) / ratio;
      owns(k, first + k) = 1 / ratio;
      tried(k) = own(k) - w(first + k) * ratio;
      slopes.row(k) = owns.row(k) - ratio * r.row(first + k);
    }
    const double length = tried.norm();
    if (pressed > 0 && length <= resisted.sticking * weight * pressed) {  // it sticks
      for (Index k = 0; k < count; ++k) {
        result.value(first + k) = w(first + k);
        result.slope.row(first + k) = r.row(first + k);
      }
      return;
    }
    const double limit = resisted.slipping * weight * pressed;
    const VectorXd along = length > 0 ? VectorXd(tried / length) : VectorXd(VectorXd::Zero(count));
    MatrixXd slope = owns;
    if (limit > 0 && length > 0) {
      slope -= limit / length * (slopes - along * (along.transpose() * slopes));
      slope -= resisted.slipping * weight * along * by.transpose();
    }
    for (Index k = 0; k < count; ++k) {
      result.value(first + k) = own(k) - limit * along(k);
      result.slope.row(first + k) = slope.row(k);
    }
  }

  StepMotion finished(const VectorXd& f) const {
    StepMotion motion;
    VectorXd kept = f;
    for (const Contact& contact : problem_.contacts) {
      double& normal = kept(at(contact.normal));
      if (normal > rounding * size_ / unit_(at(contact.normal))) continue;
      normal = 0;
      for (const Resistance& resisted : contact.resisted)
        kept.segment(at(resisted.row), at(resisted.components)).setZero();
    }
    const VectorXd u = Eigen::Map<const VectorXd>(problem_.free.data(), at(problem_.free.size())) +
                       responses_.transpose() * kept;
    motion.impulses.assign(kept.data(), kept.data() + kept.size());
    motion.velocities.assign(u.data(), u.data() + u.size());
    motion.residual = size_ > 0 ? equations(kept).value.cwiseAbs().maxCoeff() / size_ : 0;
    motion.is_open = size_ > 0 && motion.residual <= solved && depends_on_load(kept);
    return motion;
  }

  double differ(const StepMotion& a, const StepMotion& b) const {
    const Eigen::Map<const VectorXd> f(a.impulses.data(), drive_.size()), g(b.impulses.data(), drive_.size());
    return size_ > 0 ? (r_ * (f - g)).cwiseQuotient(unit_).cwiseAbs().maxCoeff() / size_ : 0;
  }

  /// Impulses that would stop each row alone; of the contacts in the set.
  VectorXd pressing(std::size_t set) const {
    VectorXd f = VectorXd::Zero(drive_.size());
    for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
      if ((set >> c & 1) == 0) continue;
      const Index normal = at(problem_.contacts[c].normal);
      f(normal) = size_ / unit_(normal);
    }
    return f;
  }
  VectorXd drawn(std::mt19937& random) const {
    std::uniform_real_distribution<double> part(-1, 1);
    VectorXd f(drive_.size());
    for (Index k = 0; k < f.size(); ++k) f(k) = 2 * part(random) * size_ / unit_(k);
    for (const Contact& contact : problem_.contacts) f(at(contact.normal)) = std::abs(f(at(contact.normal)));
    return f;
  }

  /// Small changes of the impulses that keep the law and change the velocities. Unknown are the changes of u,
  /// in units of the slowest slip, of the pressures, and of what holds rows at rest:
  ///   du = sum dN (response_n - sum mu s response_t) - mu N ds response_t + sum dT response_t,
  ///   ds = the part of dv_t across s over the speed.
  bool depends_on_load(const VectorXd& f) const {
    const VectorXd v = velocities(f);
    const Index n = rows_.cols();
    double largest = 0, slowest = INFINITY;
    for (const Contact& contact : problem_.contacts) {
      largest = std::max(largest, f(at(contact.normal)));
      if (is_apart(contact, f, v)) continue;
      for (const Resistance& resisted : contact.resisted) {
        if (slips(resisted, f(at(contact.normal)), f, v))
          slowest = std::min(slowest, speed_of(resisted, v) / unit_(at(resisted.row)));
      }
    }
    if (!std::isfinite(slowest) || !(slowest > 0)) return false;
    std::vector<VectorXd> columns;
    std::vector<Index> held;
    MatrixXd inertia = slowest * MatrixXd::Identity(n, n);
    for (const Contact& contact : problem_.contacts) {
      const double normal = f(at(contact.normal));
      if (is_apart(contact, f, v)) continue;
      VectorXd effect = responses_.row(at(contact.normal)).transpose();
      held.push_back(at(contact.normal));
      std::vector<VectorXd> stuck;
      for (const Resistance& resisted : contact.resisted) {
        const Index first = at(resisted.row), count = at(resisted.components);
        if (!slips(resisted, normal, f, v)) {
          for (Index k = 0; k < count; ++k) {
            held.push_back(first + k);
            stuck.emplace_back(responses_.row(first + k).transpose());
          }
          continue;
        }
        const double speed = speed_of(resisted, v);
        const VectorXd along = v.segment(first, count) / speed;
        effect -= resisted.slipping * responses_.middleRows(first, count).transpose() * along;
        const MatrixXd across = MatrixXd::Identity(count, count) - along * along.transpose();
        inertia +=
            resisted.slipping * normal * slowest / speed *
            (responses_.middleRows(first, count).transpose() * across * rows_.middleRows(first, count));
      }
      columns.push_back(largest * effect);
      for (const VectorXd& one : stuck) columns.push_back(largest * one);
    }
    const Index loads = at(columns.size());
    MatrixXd system = MatrixXd::Zero(n + loads, n + loads);
    system.topLeftCorner(n, n) = inertia;
    for (Index j = 0; j < loads; ++j) {
      system.block(0, n + j, n, 1) = -columns[static_cast<std::size_t>(j)];
      system.block(n + j, 0, 1, n) = rows_.row(held[static_cast<std::size_t>(j)]);
    }
    return has_open_motion(std::move(system), n);
  }

  /// What touches without a load may take one.
  bool is_apart(const Contact& contact, const VectorXd& f, const VectorXd& v) const {
    const Index normal = at(contact.normal);
    return f(normal) == 0 && v(normal) > 1e-11 * size_ * unit_(normal);
  }
  static double speed_of(const Resistance& resisted, const VectorXd& v) {
    return v.segment(at(resisted.row), at(resisted.components)).norm();
  }
  bool slips(const Resistance& resisted, double normal, const VectorXd& f, const VectorXd& v) const {
    const double noise = 1e-11 * size_ * unit_(at(resisted.row));
    const double force = f.segment(at(resisted.row), at(resisted.components)).norm();
    return speed_of(resisted, v) > noise && force >= (1 - 1e-6) * resisted.slipping * normal;
  }

  /// Whether a solution of the homogeneous equations has a part in the first n unknowns.
  static bool has_open_motion(MatrixXd system, Index n) {
    for (int round = 0; round < 4; ++round) {
      for (Index i = 0; i < system.rows(); ++i) {
        const double size = system.row(i).cwiseAbs().maxCoeff();
        if (size > 0) system.row(i) /= size;
      }
      for (Index j = 0; j < system.cols(); ++j) {
        const double size = system.col(j).cwiseAbs().maxCoeff();
        if (size == 0) continue;
        system.col(j) /= size;
      }
    }
    const DenseSingular values(system, DenseSingular::Vectors::all_right);
    const double least = 1e-10 * values.values()(0);
    for (Index i = 0; i < system.cols(); ++i) {
      if (values.values()(i) > least) continue;
      // Beside the loads, which count as one.
      const double motion = (system.leftCols(n) * values.right().col(i).head(n)).cwiseAbs().maxCoeff();
      if (motion > 1e-6) return true;
    }
    return false;
  }

  const ManyContacts& problem_;
  MatrixXd rows_, responses_, r_;  ///< r_(k, h): of the impulse h on the row k
  VectorXd drive_, unit_;
  double size_ = 0;  ///< of the scaled velocities
};

}  // namespace

std::vector<StepMotion> step_motions(const ManyContacts& problem) {
  return StepMotions(problem).all();
}

StepMotion step_motion_near(const ManyContacts& problem, const std::vector<double>& impulses) {
  return StepMotions(problem).near(Eigen::Map<const VectorXd>(impulses.data(), at(impulses.size())));
}

}  // namespace liaison
