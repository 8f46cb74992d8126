#include "one_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "friction_problem.hpp"

namespace liaison {

namespace {

using Numbers = OneContact::Numbers;
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

/// All solutions, and the one that is preferred among them.
class Search {
 public:
  Search(const OneContact& contact, const Numbers& drive, const Numbers& present, ContactStep mode)
      : contact_(contact), drive_(drive), present_(present), mode_(mode) {}

  /// One: in the present mode, else the nearest.
  OneImpulse find() {
    if (contact_.size == 1) return without_resistance();
    if (mode_ == ContactStep::open) try_open();
    if (mode_ == ContactStep::sticks) try_stick();
    if (mode_ == ContactStep::slips) try_slips(Directions::nearby);
    if (best_.found > 0) return best_;
    if (mode_ != ContactStep::open) try_open();
    if (mode_ != ContactStep::sticks) try_stick();
    if (best_.found == 0) try_slips(Directions::nearby);
    if (best_.found == 0) try_slips(Directions::all);
    if (best_.found == 0) best_ = step_towards();
    return best_;
  }

  std::size_t count(double apart) {
    if (contact_.size == 1) return 1;
    keeps_all_ = true;
    try_open();
    try_stick();
    try_slips(Directions::all);
    std::vector<Numbers> distinct;
    for (const Numbers& p : all_) {
      if (std::none_of(distinct.begin(), distinct.end(), [&](const Numbers& q) {
            return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) <= apart;
          }))
        distinct.push_back(p);
    }
    return distinct.size();
  }

 private:
  void offer(const Numbers& p, ContactStep step) {
    double distance = 0;
    for (std::size_t k = 0; k < contact_.size; ++k)
      distance += contact_.r[k][k] * (p[k] - present_[k]) * (p[k] - present_[k]);
    const std::size_t found = best_.found + 1;
    if (found == 1 || distance < distance_) {
      best_ = {p, step, found};
      distance_ = distance;
    }
    best_.found = found;
    if (keeps_all_) all_.push_back(p);
  }

  OneImpulse without_resistance() const {
    if (drive_[0] >= 0) return {{}, ContactStep::open, 1};
    return {{-drive_[0] / contact_.r[0][0], 0, 0}, ContactStep::sticks, 1};
  }

  void try_open() {
    if (drive_[0] >= 0) offer({}, ContactStep::open);
  }

  Numbers velocities(const Numbers& p) const {
    Numbers v = drive_;
    for (std::size_t h = 0; h < contact_.size; ++h) {
      for (std::size_t k = 0; k < contact_.size; ++k) v[k] += p[h] * contact_.r[h][k];
    }
    return v;
  }

  /// As below, by determinants.
  bool at_rest_in_the_plane(Numbers& p) const {
    const auto& r = contact_.r;
    const double determinant = r[0][0] * r[1][1] - r[1][0] * r[0][1];
    if (!(std::abs(determinant) > rounding * std::abs(r[0][0] * r[1][1]))) return false;
    p[0] = (r[1][0] * drive_[1] - r[1][1] * drive_[0]) / determinant;
    p[1] = (r[0][1] * drive_[0] - r[0][0] * drive_[1]) / determinant;
    return true;
  }

  /// v = 0 by elimination with pivots; false where rows depend on each other.
  bool at_rest(Numbers& p) const {
    const std::size_t n = contact_.size;
    if (n == 2) return at_rest_in_the_plane(p);
    std::array<std::array<double, 4>, 3> a = {};
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t h = 0; h < n; ++h) a[k][h] = contact_.r[h][k];
      a[k][3] = -drive_[k];
    }
    for (std::size_t column = 0; column < n; ++column) {
      std::size_t pivot = column;
      for (std::size_t k = column + 1; k < n; ++k) {
        if (std::abs(a[k][column]) > std::abs(a[pivot][column])) pivot = k;
      }
      if (std::abs(a[pivot][column]) <= rounding * std::abs(contact_.r[column][column])) return false;
      std::swap(a[pivot], a[column]);
      for (std::size_t k = 0; k < n; ++k) {
        if (k == column) continue;
        const double factor = a[k][column] / a[column][column];
        for (std::size_t h = column; h < 4; ++h) a[k][h] -= factor * a[column][h];
      }
    }
    for (std::size_t h = 0; h < n; ++h) p[h] = a[h][3] / a[h][h];
    return true;
  }

  void try_stick() {
    Numbers p = {};
    if (!at_rest(p) || !(p[0] > 0)) return;
    if (std::hypot(p[1], p[2]) <= contact_.sticking * p[0]) offer(p, ContactStep::sticks);
  }

  /// In a direction of length one.
  void try_slip(double x, double y) {
    const double mu = contact_.slipping;
    const double along = contact_.r[0][0] - mu * (x * contact_.r[1][0] + y * contact_.r[2][0]);
    const double normal = -drive_[0] / along;
    if (!(normal > 0) || !std::isfinite(normal)) return;
    const Numbers p = {normal, -mu * normal * x, -mu * normal * y};
    const Numbers v = velocities(p);
    if (!(v[1] * x + v[2] * y > 0)) return;
    offer(p, ContactStep::slips);
  }

  enum class Directions { nearby, all };
  void try_slips(Directions which) {
    if (contact_.size == 3) {
      try_directions(which);
      return;
    }
    try_slip(1, 0);
    try_slip(-1, 0);
  }

  /// Directions (x, y) of slip are zeros of  (x v_y - y v_x) times the divisor of p_n.
  void try_directions(Directions which) {
    const auto& r = contact_.r;
    const double mu = contact_.slipping, d = drive_[0];
    const double bx = drive_[1], by = drive_[2];
    // v_t = b_t (r_nn - mu r_tn.s) - d (r_nt - mu R s) = c - mu A s.
    const double cx = bx * r[0][0] - d * r[0][1], cy = by * r[0][0] - d * r[0][2];
    const double axx = bx * r[1][0] - d * r[1][1], axy = bx * r[2][0] - d * r[2][1];
    const double ayx = by * r[1][0] - d * r[1][2], ayy = by * r[2][0] - d * r[2][2];
    if (mu == 0) {
      // No direction enters: that of the velocity that is left, if any.
      const double length = std::hypot(cx, cy);
      const double sign = r[0][0] > 0 ? 1 : -1;
      if (length > 0) try_slip(sign * cx / length, sign * cy / length);
      return;
    }
    const std::array<double, 5> wave = {-0.5 * mu * (ayx - axy), cy, -cx, -0.5 * mu * (ayx + axy),
                                        -0.5 * mu * (ayy - axx)};
    if (which == Directions::nearby) {
      const bool slipped = mode_ == ContactStep::slips && (present_[1] != 0 || present_[2] != 0);
      try_near(wave, slipped ? std::atan2(-present_[2], -present_[1]) : std::atan2(cy, cx));
      return;
    }
    for (const double angle : trigonometric_roots(wave).angles) try_slip(std::cos(angle), std::sin(angle));
  }

  /// Newton's method from an angle.
  void try_near(const std::array<double, 5>& wave, double angle) {
    for (int round = 0; round < 12; ++round) {
      const double c = std::cos(angle), s = std::sin(angle), c2 = c * c - s * s, s2 = 2 * c * s;
      const double value = wave[0] + wave[1] * c + wave[2] * s + wave[3] * c2 + wave[4] * s2;
      const double slope = wave[2] * c - wave[1] * s + 2 * (wave[4] * c2 - wave[3] * s2);
      const double change = value / slope;
      if (!(std::abs(change) < 1)) return;
      angle -= change;
      if (std::abs(change) > 1e-9) continue;
      try_slip(std::cos(angle), std::sin(angle));
      return;
    }
  }

  /// Where no mode holds, at a limit by rounding or because there is none.
  OneImpulse step_towards() const {
    const Numbers v = velocities(present_);
    Numbers p = {};
    p[0] = std::max(0.0, present_[0] - v[0] / contact_.r[0][0]);
    for (std::size_t k = 1; k < contact_.size; ++k)
      p[k] = contact_.r[k][k] > 0 ? present_[k] - v[k] / contact_.r[k][k] : 0;
    onto_disc(contact_.slipping * p[0], p[1], p[2]);
    const ContactStep step = p[0] > 0 ? ContactStep::slips : ContactStep::open;
    return {p, step, 0};
  }

  const OneContact& contact_;
  const Numbers &drive_, &present_;
  ContactStep mode_;
  OneImpulse best_;
  double distance_ = 0;
  bool keeps_all_ = false;
  std::vector<Numbers> all_;
};

}  // namespace

bool OneContact::is_immovable() const {
  return !(r[0][0] > 0);
}

OneImpulse solve(const OneContact& contact, const Numbers& drive, const Numbers& present, ContactStep mode) {
  return Search(contact, drive, present, mode).find();
}

std::size_t count_solutions(const OneContact& contact, const Numbers& drive, double apart) {
  const Numbers none = {};
  return Search(contact, drive, none, ContactStep::open).count(apart);
}

void onto_disc(double radius, double& x, double& y) {
  const double length = std::hypot(x, y);
  if (length <= radius) return;
  x *= radius / length;
  y *= radius / length;
}

}  // namespace liaison
