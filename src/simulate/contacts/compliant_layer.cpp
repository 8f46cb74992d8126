#include "liaison/simulate/compliant_layer.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "mechanics/dense.hpp"

namespace liaison {

namespace {

constexpr double step = 0.01;  ///< of tau
/// How long nothing may change before it is settled, and how long is waited for that; in tau over damping.
constexpr double calm = 12, longest = 400;
/// Forces that grow beyond this part of those at the beginning are those of an impact.
constexpr double impact_beside = 1e4;
constexpr double nothing = 1e-5;

/// In units of tau: w = v/tau, so that w' = drive + forces r; an elastic force f of a normal has f' =
/// -w/r_ii.
class Layer {
 public:
  Layer(const CompliantProblem& problem, const CompliantContacts& contacts)
      : rows_(problem.rows), contacts_(contacts), count_(problem.drive.size()) {
    r_ = Eigen::Map<const Eigen::MatrixXd>(rows_.r.data(), size(count_), size(count_));  // r(k, h) = r[h, k]
    drive_ = Eigen::Map<const Eigen::VectorXd>(problem.drive.data(), size(count_));
    state_ = Eigen::VectorXd::Zero(size(2 * count_));
    for (std::size_t k = 0; k < count_; ++k) {
      state_(size(k)) = rows_.velocity[k] / contacts.tau;
      state_(size(count_ + k)) = problem.forces[k];
    }
    for (const ImpactContact& contact : rows_.contacts) {
      state_(size(contact.normal)) = std::max(state_(size(contact.normal)), 0.0);  // it rests
      rest_ = std::max({rest_, std::abs(drive_(size(contact.normal))) / own(contact.normal),
                        problem.forces[contact.normal]});
    }
    for (std::size_t k = 0; k < count_; ++k) rest_ = std::max(rest_, std::abs(drive_(size(k))) / own(k));
  }

  CompliantEnd run() {
    CompliantEnd end;
    end.impulses.assign(count_, 0.0);
    Eigen::VectorXd total = Eigen::VectorXd::Zero(size(count_));
    double quiet = 0;
    std::vector<int> before;
    const double until = longest / contacts_.damping;
    for (double s = 0; s < until; s += step) {
      const Eigen::VectorXd first = forces(state_);
      advance();
      const Eigen::VectorXd last = forces(state_);
      total += step / 2 * (first + last);
      for (const ImpactContact& contact : rows_.contacts) peak_ = std::max(peak_, last(size(contact.normal)));
      const std::vector<int> now = signature(last);
      quiet = now == before && is_calm(last) ? quiet + step : 0;
      before = now;
      if (quiet > calm / contacts_.damping) {
        end.settles = true;
        break;
      }
    }
    end.is_impact = peak_ > impact_beside * rest_;
    tell(end, total);
    return end;
  }

 private:
  static Eigen::Index size(std::size_t n) { return static_cast<Eigen::Index>(n); }
  double own(std::size_t row) const { return r_(size(row), size(row)); }
  double speed(std::size_t row) const { return state_(size(row)); }

  /// Of the rows, at a state: w, then elastic forces.
  Eigen::VectorXd forces(const Eigen::VectorXd& state) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(size(count_));
    for (const ImpactContact& contact : rows_.contacts) {
      const Eigen::Index n = size(contact.normal);
      const double elastic = state(size(count_) + n);
      if (elastic > 0)
        all(n) = std::max(0.0, elastic - 2 * contacts_.damping * state(n) / own(contact.normal));
      for (const ImpactResistance& resistance : contact.resisted) {
        double length = 0;
        for (const std::size_t row : resistance.rows) {
          all(size(row)) = state(size(count_ + row)) -
                           2 * contacts_.damping * std::sqrt(contacts_.along) * state(size(row)) / own(row);
          length = std::hypot(length, all(size(row)));
        }
        const double most = resistance.sticking * all(n), slipping = resistance.slipping * all(n);
        if (length <= most) continue;
        for (const std::size_t row : resistance.rows) all(size(row)) *= slipping / length;
      }
    }
    return all;
  }

  Eigen::VectorXd rates(const Eigen::VectorXd& state) const {
    Eigen::VectorXd result(size(2 * count_));
    result.head(size(count_)) = drive_ + r_ * forces(state);
    for (const ImpactContact& contact : rows_.contacts) {
      result(size(count_ + contact.normal)) = -state(size(contact.normal)) / own(contact.normal);
      for (const ImpactResistance& resistance : contact.resisted) {
        for (const std::size_t row : resistance.rows)
          result(size(count_ + row)) = -contacts_.along * state(size(row)) / own(row);
      }
    }
    return result;
  }

  void advance() {
    const Eigen::VectorXd a = rates(state_), b = rates(state_ + step / 2 * a),
                          c = rates(state_ + step / 2 * b), d = rates(state_ + step * c);
    state_ += step / 6 * (a + 2 * b + 2 * c + d);
    // A spring along the surface slips with it.
    const Eigen::VectorXd now = forces(state_);
    for (const ImpactContact& contact : rows_.contacts) {
      for (const ImpactResistance& resistance : contact.resisted) {
        double length = 0;
        for (const std::size_t row : resistance.rows) length = std::hypot(length, state_(size(count_ + row)));
        const double most = resistance.sticking * now(size(contact.normal));
        if (length <= most) continue;
        for (const std::size_t row : resistance.rows)
          state_(size(count_ + row)) *= resistance.slipping * now(size(contact.normal)) / length;
      }
    }
  }

  bool sticks(const ImpactResistance& resistance, const ImpactContact& contact,
              const Eigen::VectorXd& forces_now) const {
    double force = 0;
    for (const std::size_t row : resistance.rows) force = std::hypot(force, forces_now(size(row)));
    return force < resistance.slipping * forces_now(size(contact.normal)) * (1 - 1e-9);
  }

  /// Which contacts press, and which way they slip.
  std::vector<int> signature(const Eigen::VectorXd& forces_now) const {
    std::vector<int> result;
    for (const ImpactContact& contact : rows_.contacts) {
      const bool presses = forces_now(size(contact.normal)) > 0;
      result.push_back(presses ? 1 : 0);
      for (const ImpactResistance& resistance : contact.resisted) {
        if (!presses || sticks(resistance, contact, forces_now)) {
          result.push_back(0);
        } else {
          result.push_back(resistance.rows.size() > 1 || speed(resistance.rows[0]) > 0 ? 1 : -1);
        }
      }
    }
    return result;
  }

  /// What presses has come to rest, and what is open goes away.
  bool is_calm(const Eigen::VectorXd& forces_now) const {
    const Eigen::VectorXd rate = drive_ + r_ * forces_now;
    for (const ImpactContact& contact : rows_.contacts) {
      const std::size_t n = contact.normal;
      if (forces_now(size(n)) > 0) {
        if (std::abs(speed(n)) > nothing * std::max(rest_ * own(n), std::abs(rate(size(n))))) return false;
        if (std::abs(rate(size(n))) > nothing * (forces_now(size(n)) + rest_) * own(n)) return false;
      } else if (!(speed(n) > 0) || speed(n) + rate(size(n)) * 1e3 < 0) {
        return false;
      }
    }
    return true;
  }

  void tell(CompliantEnd& end, const Eigen::VectorXd& total) const {
    const Eigen::VectorXd now = forces(state_);
    std::vector<std::size_t> resting;
    for (const ImpactContact& contact : rows_.contacts) {
      const bool presses = now(size(contact.normal)) > 0;
      end.presses.push_back(presses);
      end.slips.emplace_back();
      if (presses) resting.push_back(contact.normal);
      for (const ImpactResistance& resistance : contact.resisted) {
        const bool is_stuck = sticks(resistance, contact, now);
        end.slips.back().push_back(is_stuck                                                      ? 0
                                   : resistance.rows.size() > 1 || speed(resistance.rows[0]) > 0 ? 1
                                                                                                 : -1);
        if (presses && is_stuck)
          resting.insert(resting.end(), resistance.rows.begin(), resistance.rows.end());
      }
    }
    Eigen::VectorXd velocities = Eigen::Map<const Eigen::VectorXd>(rows_.velocity.data(), size(count_));
    if (end.is_impact) {
      Eigen::VectorXd impulses = contacts_.tau * total;
      const Eigen::VectorXd reached = velocities + r_ * impulses;
      // What is at rest is so exactly in the limit.
      Eigen::MatrixXd among(size(resting.size()), size(resting.size()));
      Eigen::VectorXd left(size(resting.size()));
      for (std::size_t i = 0; i < resting.size(); ++i) {
        left(size(i)) = -reached(size(resting[i]));
        for (std::size_t j = 0; j < resting.size(); ++j)
          among(size(i), size(j)) = r_(size(resting[i]), size(resting[j]));
      }
      if (!resting.empty()) {
        const Eigen::VectorXd change = least_squares(among, left);
        for (std::size_t i = 0; i < resting.size(); ++i) impulses(size(resting[i])) += change(size(i));
      }
      velocities += r_ * impulses;
      end.impulses.assign(impulses.data(), impulses.data() + impulses.size());
    }
    for (const std::size_t row : resting) velocities(size(row)) = 0;
    end.velocities.assign(velocities.data(), velocities.data() + velocities.size());
  }

  const ImpactProblem& rows_;
  const CompliantContacts& contacts_;
  std::size_t count_;
  Eigen::MatrixXd r_;
  Eigen::VectorXd drive_, state_;
  double rest_ = 0, peak_ = 0;
};

}  // namespace

CompliantEnd through_compliant_layer(const CompliantProblem& problem, const CompliantContacts& contacts) {
  return Layer(problem, contacts).run();
}

}  // namespace liaison
