#include "near_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "liaison/unilateral/onset_in_space.hpp"

namespace liaison {

namespace {

/// Part of its terms by which a condition is within rounding of its limit, and by which the data are moved to
/// see what lies beyond.
constexpr double near_by = 1e-12, moved_by = 1e-11;
/// What is less, beside its terms, is a zero that was computed to 60 digits.
constexpr double computed_zero = 1e-40;
/// Accelerations that differ by this part of the largest are those of one motion.
constexpr double alike = 1e-8;

class NearLimits {
 public:
  NearLimits(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts,
             const std::vector<std::string>& names, bool is_exact)
      : numbers_(numbers), contacts_(contacts), names_(names), is_exact_(is_exact) {
    for (const Rational& acceleration : numbers.free_acceleration)
      free_ = std::max(free_, std::abs(acceleration.to_double()));
  }

  std::string text(const std::vector<PossibleMotion>& motions) {
    for (const PossibleMotion& motion : motions) {
      if (motion.is_family()) continue;  // its vertices are at limits
      for (std::size_t c = 0; c < contacts_.size(); ++c) look(motion.vertices[0], c);
    }
    for (std::size_t c = 0; c < contacts_.size(); ++c) look_without_motion(c);
    if (near_.empty()) return {};
    const std::string as_given = in_words(motions);
    std::set<std::string> beyond;
    for (const std::size_t c : near_) {
      for (const int side : {-1, 1}) {
        beyond.insert(in_words(solved_with(c, side, 0)));
        beyond.insert(in_words(solved_with(c, 0, side)));
      }
    }
    beyond.erase(as_given);
    if (beyond.empty()) return {};
    return fmt::format("within rounding of a limit: {}. As the data are given: {}; a little beyond: {}",
                       fmt::join(what_, "; "), as_given, fmt::join(beyond, ", or "));
  }

 private:
  /// Of the rate of a row, the terms that cancel in it.
  double rate_size(std::size_t row) const {
    double field = 0;
    for (const Rational& component : numbers_.fields[row])
      field = std::max(field, std::abs(component.to_double()));
    const double terms = field > 0 ? free_ * std::abs(numbers_.r[row][row].to_double()) / field : 0;
    return std::max(terms, std::abs(numbers_.drive[row].to_double()));
  }
  void take(std::size_t c, const std::string& what, double value, double size, double near = near_by) {
    if (!(std::abs(value) <= near * size) || (value == 0 && is_exact_)) return;
    near_.insert(c);
    what_.push_back(fmt::format("{} of `{}` is {:.2g} of its terms from it", what, names_[c],
                                size > 0 ? std::abs(value) / size : 0));
  }

  /// What friction lacks to its limit, exactly where it is none.
  static Rational slack(const Rational& limit, const std::vector<Rational>& forces, std::size_t i,
                        bool in_space) {
    if (!in_space) return limit - abs(forces[i]);
    const Rational left = limit * limit - forces[i] * forces[i] - forces[i + 1] * forces[i + 1];
    return limit.is_zero() ? left : left / (Rational(2) * limit);
  }

  void look(const MotionNumbers& motion, std::size_t c) {
    const ContactRows& contact = contacts_[c];
    const std::size_t normal = contact.normal;
    const double pressure = motion.factors[c].to_double(), size = rate_size(normal);
    if (motion.factors[c].is_zero()) {
      if (!motion.separations[c].is_zero())
        take(c, "the separation", motion.separations[c].to_double(), size);
      return;
    }
    take(c, "the pressure", pressure * numbers_.r[normal][normal].to_double(), size);
    for (std::size_t i = 0; i < contact.resisted.size(); ++i) {
      const ResistedRow& row = contact.resisted[i];
      if (row.direction != 0 || row.second) continue;
      const bool in_space = i + 1 < contact.resisted.size() && contact.resisted[i + 1].second;
      const auto length = [&](const std::vector<Rational>& of) {
        const double first = of[i].to_double();
        return in_space ? std::hypot(first, of[i + 1].to_double()) : std::abs(first);
      };
      const double speed = length(motion.slip_rates[c]);
      if (speed > 0) {
        take(c, "the growth of the slip", speed, rate_size(row.row));
        continue;
      }
      const Rational limit = row.sticking * motion.factors[c];
      take(c, "the friction", slack(limit, motion.resistances[c], i, in_space).to_double(),
           limit.to_double());
    }
  }

  /// What decides whether there is a motion at all: the drive of a contact, and its own r where it slips.
  void look_without_motion(std::size_t c) {
    const std::size_t normal = contacts_[c].normal;
    const double drive = numbers_.drive[normal].to_double();
    if (std::abs(drive) > computed_zero * rate_size(normal)) take(c, "the drive", drive, rate_size(normal));
    look_at_effect(c, normal, 0);
    for (std::size_t i = 0; i < contacts_[c].resisted.size(); ++i) {
      const ResistedRow& row = contacts_[c].resisted[i];
      if (row.direction != 0 || row.slipping.is_zero()) continue;
      for (const int way : {1, -1}) {
        look_at_effect(c, normal, way, i);
        look_at_effect(c, row.row, way, i);
      }
    }
  }

  /// What the pressure of a contact that slips does to a row; `way`: in which one that rests begins to.
  void look_at_effect(std::size_t c, std::size_t to, int way, std::size_t begins = 0) {
    Rational own = numbers_.r[contacts_[c].normal][to];
    double size = std::abs(own.to_double());
    for (std::size_t i = 0; i < contacts_[c].resisted.size(); ++i) {
      const ResistedRow& row = contacts_[c].resisted[i];
      const int direction = row.direction == 0 && way != 0 && i == begins ? way : row.direction;
      if (direction == 0) continue;
      const Rational part = Rational(direction) * row.slipping * numbers_.r[row.row][to];
      own = own - part;
      size = std::max(size, std::abs(part.to_double()));
    }
    if (size > 0 && (!is_exact_ || std::abs(own.to_double()) > computed_zero * size))
      take(c, "r", own.to_double(), size, std::max(near_by, 3 * numbers_.noise.to_double()));
  }

  /// With other coefficients of a contact, or another drive of it.
  std::vector<PossibleMotion> solved_with(std::size_t c, int coefficient, int drive) const {
    ContactNumbers numbers = numbers_;
    std::vector<ContactRows> contacts = contacts_;
    const Rational part =
        Rational::from_double(std::max(moved_by, 10 * numbers_.noise.to_double()));  // seen beside the noise
    for (ResistedRow& row : contacts[c].resisted) {
      row.slipping *= Rational(1) + Rational(coefficient) * part;
      row.sticking *= Rational(1) + Rational(coefficient) * part;
    }
    numbers.drive[contacts[c].normal] +=
        Rational(drive) * part * Rational::from_double(rate_size(contacts[c].normal));
    const bool in_space = std::any_of(contacts[0].resisted.begin(), contacts[0].resisted.end(),
                                      [](const ResistedRow& row) { return row.second; });
    if (in_space) return motions_in_space(numbers, contacts[0]).motions;
    return ModeProblem(numbers, contacts).all();
  }

  /// "unique, `plane` sticks".
  std::string in_words(const std::vector<PossibleMotion>& motions) const {
    if (motions.empty()) return "none";
    bool is_one = true;
    double largest = free_;
    const std::vector<Rational>& first = motions[0].vertices[0].accelerations;
    for (const PossibleMotion& motion : motions) {
      for (const MotionNumbers& vertex : motion.vertices) {
        for (std::size_t a = 0; a < first.size(); ++a) {
          const double one = vertex.accelerations[a].to_double(), other = first[a].to_double();
          largest = std::max({largest, std::abs(one), std::abs(other)});
          is_one = is_one && std::abs(one - other) <= alike * largest;
        }
      }
    }
    std::set<std::string> ways;
    for (const PossibleMotion& motion : motions) {
      std::string way;
      for (std::size_t c = 0; c < motion.modes.size(); ++c)
        way += fmt::format("{}`{}` {}", c == 0 ? "" : ", ", names_[c], word_for(motion.modes[c]));
      ways.insert(way);
    }
    return fmt::format("{} ({})", is_one ? "unique" : "several", fmt::join(ways, " / "));
  }

  const ContactNumbers& numbers_;
  const std::vector<ContactRows>& contacts_;
  const std::vector<std::string>& names_;
  bool is_exact_;
  double free_ = 0;  ///< the largest acceleration without the contacts
  std::set<std::size_t> near_;
  std::vector<std::string> what_;
};

}  // namespace

std::string near_limits(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts,
                        const std::vector<std::string>& names, const std::vector<PossibleMotion>& motions,
                        bool is_exact) {
  return NearLimits(numbers, contacts, names, is_exact).text(motions);
}

}  // namespace liaison
