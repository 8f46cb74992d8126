#include "slips_in_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "liaison/expr/error.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/model/kinematics.hpp"
#include "resisted.hpp"

namespace liaison {

namespace {

constexpr std::size_t highest_order = 6;  ///< of derivatives of slips
constexpr std::size_t most_at_limits = 6;

Rational binomial(std::size_t n, std::size_t k) {
  Rational result(1);
  for (std::size_t i = 0; i < k; ++i)
    result = result * Rational(static_cast<long>(n - i)) / Rational(static_cast<long>(i + 1));
  return result;
}

/// A velocity at rest whose friction is at a limit.
struct AtLimit {
  std::size_t contact, row;  ///< the first of its rows
  bool in_space, can_slip;
  Rational direction[2];  ///< in which it would slip
};

/// One that begins to slip: the coefficients of its direction in powers of the time, as symbols and numbers.
struct Beginning {
  std::size_t place;  ///< among those at limits
  std::vector<Expr> symbols[2];
  std::vector<Rational> numbers[2];
  std::vector<Expr> slip;         ///< derivative of the order that is looked at
  std::vector<Rational> past[2];  ///< of each order before its value
  std::size_t order = 0;          ///< of the first that is not zero
};

/// One that sticks on.
struct Sticking {
  std::size_t place;
  Expr lack;  ///< of its friction to the limit
  bool decided = false;
};

class SlipsFromLimits {
 public:
  SlipsFromLimits(Algebra& algebra, const System& system, const std::vector<ContactInTime>& contacts,
                  const std::vector<ContactRows>& rows, const PossibleMotion& motion,
                  const ContactStateValues& state)
      : algebra_(algebra),
        system_(system),
        contacts_(contacts),
        rows_(rows),
        motion_(motion),
        state_(state),
        numbers_(state) {}

  SlipsInTime find() {
    if (!collect()) return std::move(result_);
    stays_.assign(at_limits_.size(), false);
    for (std::size_t slipping = 0; slipping < std::size_t{1} << at_limits_.size(); ++slipping) {
      bool can = true;
      for (std::size_t i = 0; i < at_limits_.size(); ++i)
        can = can && ((slipping >> i & 1) == 0 || at_limits_[i].can_slip);
      if (can) attempt(slipping);
    }
    return std::move(result_);
  }

 private:
  bool leave_open(const std::string& why) {
    auto& known = result_.left_open;
    if (std::find(known.begin(), known.end(), why) == known.end()) known.push_back(why);
    return false;
  }
  const MotionNumbers& now() const { return motion_.vertices[0]; }

  /// What is at its limit; false where the motion has other conditions that its accelerations do not decide.
  bool collect() {
    const auto beside = [&] {
      return leave_open(
          "a friction at its limit along a surface in space, beside other conditions at theirs: higher "
          "derivatives are not asked");
    };
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      if (motion_.modes[c] == ContactMode::opens) continue;
      if (motion_.modes[c] == ContactMode::touches || now().factors[c].sign() <= 0) return beside();
      for (std::size_t i = 0; i < rows_[c].resisted.size(); ++i) {
        const ResistedRow& row = rows_[c].resisted[i];
        if (row.direction != 0 || row.second) continue;
        const bool in_space = i + 1 < rows_[c].resisted.size() && rows_[c].resisted[i + 1].second;
        if (!add(c, i, in_space)) return false;
      }
    }
    return at_limits_.size() <= most_at_limits ||
           leave_open(fmt::format("more than {} frictions at their limits", most_at_limits));
  }

  bool add(std::size_t c, std::size_t i, bool in_space) {
    const std::vector<Rational>&rates = now().slip_rates[c], &forces = now().resistances[c];
    if (!rates[i].is_zero() || (in_space && !rates[i + 1].is_zero()))
      return !in_space || leave_open(
                              "a friction at its limit beside a slip that begins along a surface in space: "
                              "higher derivatives are not asked");
    const Rational square = forces[i] * forces[i] + (in_space ? forces[i + 1] * forces[i + 1] : Rational(0));
    const auto is_limit = [&](const Rational& coefficient) {
      return square == coefficient * coefficient * now().factors[c] * now().factors[c];
    };
    const ResistedRow& row = rows_[c].resisted[i];
    if (square.is_zero() || !(is_limit(row.slipping) || is_limit(row.sticking))) return true;
    const bool is_slipping = is_limit(row.slipping);
    const Rational limit = (is_slipping ? row.slipping : row.sticking) * now().factors[c];
    at_limits_.push_back(
        {c, i, in_space, is_slipping, {-forces[i] / limit, in_space ? -forces[i + 1] / limit : Rational(0)}});
    return true;
  }

  void attempt(std::size_t slipping) {
    try {
      follow(slipping);
    } catch (const Error& error) {
      const ErrorCode code = error.code();
      if (code == ErrorCode::wrong_degree) {
        leave_open("a friction whose direction is not one of velocities, which higher derivatives need");
      } else if (code == ErrorCode::missing_value || code == ErrorCode::undefined_constant ||
                 code == ErrorCode::division_by_zero) {
        leave_open("a friction at its limit that has no higher derivatives there");
      } else if (code == ErrorCode::limit_reached) {
        leave_open("higher derivatives that are too long");
      } else {
        throw;
      }
    }
  }

  void follow(std::size_t slipping) {
    beginnings_.clear();
    stickings_.clear();
    numbers_ = state_;
    if (!keep(slipping)) {
      leave_open("the motion of what is kept has no closed form, which higher derivatives need");
      return;
    }
    for (std::size_t order = 1; order <= highest_order; ++order) {
      if (!look(order)) return;
      if (is_decided()) break;
    }
    SlipsInTime::Way way{motion_.modes, std::vector<std::string>(rows_.size())};
    if (!is_decided() && !is_stay(slipping)) {
      leave_open("derivatives of higher order than were looked at");
      return;
    }
    for (const Beginning& one : beginnings_) {
      if (one.order == 0 && stays_[one.place]) return;  // no slip: it stays at its limit
      const AtLimit& limit = at_limits_[one.place];
      way.modes[limit.contact] = ContactMode::slips;
      if (one.order > 0) say(way.how[limit.contact], text_of(one, limit));
    }
    for (const Sticking& one : stickings_)
      if (!text_of(one).empty()) say(way.how[at_limits_[one.place].contact], text_of(one));
    result_.ways.push_back(std::move(way));
  }

  /// What stays at its limit for ever begins no slip, whatever further orders say.
  bool is_stay(std::size_t slipping) const {
    for (std::size_t i = 0; i < at_limits_.size(); ++i)
      if ((slipping >> i & 1) != 0 && !stays_[i]) return false;
    return slipping != 0;
  }
  bool is_decided() const {
    return std::all_of(beginnings_.begin(), beginnings_.end(),
                       [](const Beginning& one) { return one.order > 0; }) &&
           std::all_of(stickings_.begin(), stickings_.end(), [](const Sticking& one) { return one.decided; });
  }
  static void say(std::string& how, const std::string& text) { how += (how.empty() ? "" : "; ") + text; }
  static std::string text_of(const Beginning& one, const AtLimit& limit) {
    const auto value = [&](std::size_t i) { return one.past[i][one.order - 1].to_string(); };
    return fmt::format("the derivative of order {} of its slip is {}", one.order,
                       limit.in_space ? fmt::format("[{}, {}]", value(0), value(1)) : value(0));
  }
  std::string text_of(const Sticking& one) const {
    return stays_[one.place] ? "its friction stays at the limit" : "";
  }

  /// The motion of a hypothesis; false where it has no closed form.
  bool keep(std::size_t slipping) {
    kept_ = system_;
    kept_.unilaterals.clear();
    std::vector<Constraint>& constraints = kept_.constraints;
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>> factors;  // of at limits that stick
    std::vector<std::size_t> normals(rows_.size());
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      if (motion_.modes[c] == ContactMode::opens) continue;
      normals[c] = constraints.size();
      constraints.push_back(contacts_[c].held);
      std::vector<ResistedSlip> slips;
      for (std::size_t i = 0; i < rows_[c].resisted.size(); ++i) {
        const auto place = place_of(c, i);
        if (place < at_limits_.size() && (slipping >> place & 1) != 0) {
          if (at_limits_[place].row == i) begin(place);
          slips.push_back({contacts_[c].resisted[i].slipping *
                               series(beginnings_.back(), i == at_limits_[place].row ? 0 : 1),
                           contacts_[c].resisted[i].slip.relation});
        } else if (const int way = way_of(c, i); way != 0) {
          slips.push_back({system_.pool->number(way) * contacts_[c].resisted[i].slipping,
                           contacts_[c].resisted[i].slip.relation});
        } else {
          if (place < at_limits_.size()) {
            if (at_limits_[place].row == i) factors.push_back({place, {}});
            factors.back().second.push_back(constraints.size());
          }
          constraints.push_back(contacts_[c].resisted[i].slip);
        }
      }
      constraints[normals[c]] = with_resistance(system_, contacts_[c].held, slips);
    }
    derived_.emplace(derive_motion(algebra_, kept_));
    if (derived_->acceleration.empty() || derived_->status == FactorStatus::incompatible ||
        derived_->status == FactorStatus::undetermined)
      return false;
    for (Beginning& one : beginnings_) {
      const AtLimit& limit = at_limits_[one.place];
      for (std::size_t i = 0; i < (limit.in_space ? 2U : 1U); ++i)
        one.slip.push_back(contacts_[limit.contact].resisted[limit.row + i].slip.relation);
    }
    for (const auto& [place, own] : factors)
      stickings_.push_back({place, lack(at_limits_[place], normals, own)});
    return true;
  }

  Expr lack(const AtLimit& limit, const std::vector<std::size_t>& normals,
            const std::vector<std::size_t>& own) const {
    const Expr most =
        contacts_[limit.contact].resisted[limit.row].sticking * derived_->factors[normals[limit.contact]];
    if (!limit.in_space)
      return most + system_.pool->number(limit.direction[0].sign()) * derived_->factors[own[0]];
    return pow(most, 2) - pow(derived_->factors[own[0]], 2) - pow(derived_->factors[own[1]], 2);
  }

  std::size_t place_of(std::size_t c, std::size_t i) const {
    std::size_t place = 0;
    for (; place < at_limits_.size(); ++place) {
      const AtLimit& one = at_limits_[place];
      if (one.contact == c && (one.row == i || (one.in_space && one.row + 1 == i))) break;
    }
    return place;
  }
  /// Of a velocity of one component: in which direction it slips.
  int way_of(std::size_t c, std::size_t i) const {
    const ResistedRow& row = rows_[c].resisted[i];
    return row.direction != 0 ? row.direction : now().slip_rates[c][i].sign();
  }

  void begin(std::size_t place) {
    Beginning& one = beginnings_.emplace_back(Beginning{place, {}, {}, {}, {}, 0});
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < highest_order; ++k) {
        one.symbols[i].push_back(
            system_.pool->symbol(fmt::format("slip_{}_{}_{}'", place, i, k), SymbolKind::parameter));
        set(one, i, k, k == 0 ? at_limits_[place].direction[i] : Rational(0));
      }
    }
  }
  void set(Beginning& one, std::size_t i, std::size_t k, const Rational& value) {
    one.numbers[i].resize(std::max(one.numbers[i].size(), k + 1));
    one.numbers[i][k] = value;
    numbers_.values[one.symbols[i][k]] = system_.pool->number(value);
  }
  /// A component of a direction around the state.
  Expr series(const Beginning& one, std::size_t i) const {
    Pool& pool = *system_.pool;
    const auto now = state_.values.find(system_.time);
    const Expr passed = system_.time - (now == state_.values.end() ? pool.number(0) : now->second);
    Expr sum = one.symbols[i][0];
    Rational factorial(1);
    for (std::size_t k = 1; k < highest_order; ++k) {
      factorial = factorial * Rational(static_cast<long>(k));
      sum = sum + one.symbols[i][k] * pow(passed, static_cast<int>(k)) * pool.number(Rational(1) / factorial);
    }
    return sum;
  }

  Expr along(Expr e) const {
    Substitution accelerations;
    for (std::size_t a = 0; a < derived_->acceleration.size(); ++a)
      accelerations.emplace(acceleration_symbol(derived_->space.parameters[a]), derived_->acceleration[a]);
    return substitute(time_derivative(kept_, e), accelerations);
  }
  Rational at(Expr e) { return ExactNumbers(algebra_, numbers_)(e); }

  /// One order more; false where a condition is broken, or cannot be asked.
  bool look(std::size_t order) {
    for (Beginning& one : beginnings_)
      for (Expr& component : one.slip) component = along(component);
    if (order > 1 && !turn(order)) return false;
    for (Beginning& one : beginnings_) {
      const AtLimit& limit = at_limits_[one.place];
      for (std::size_t i = 0; i < one.slip.size(); ++i) one.past[i].push_back(at(one.slip[i]));
      if (one.order > 0) continue;
      Rational way;
      for (std::size_t i = 0; i < one.slip.size(); ++i) way += limit.direction[i] * one.past[i].back();
      if (way.sign() < 0) return false;
      if (way.sign() > 0) one.order = order;
      if (one.order == 1) return false;  // a motion of its own, with that acceleration
    }
    return std::all_of(stickings_.begin(), stickings_.end(),
                       [&](Sticking& one) { return holds(one, order - 1); });
  }

  bool holds(Sticking& one, std::size_t order) {
    if (one.decided) return true;
    if (order > 0) one.lack = along(one.lack);
    const int sign = at(one.lack).sign();
    if (sign < 0) return false;
    one.decided = sign > 0;
    if (sign == 0 && algebra_.is_zero(one.lack).is_proved()) {
      one.decided = true;
      if (beginnings_.empty()) stays_[one.place] = true;
    }
    return true;
  }

  /// The next coefficients of the directions: of unit length, and no slip of this order across them.
  bool turn(std::size_t order) {
    const std::size_t k = order - 1;
    std::vector<Beginning*> turning;
    for (Beginning& one : beginnings_)
      if (at_limits_[one.place].in_space) turning.push_back(&one);
    for (Beginning* one : turning) {
      Rational inner;
      for (std::size_t j = 1; j < k; ++j)
        for (const auto& own : one->numbers) inner += binomial(k, j) * own[j] * own[k - j];
      shortening_[one] = -inner / Rational(2);
      set_turn(*one, k, Rational(0));
    }
    const std::vector<Rational> constant = across(turning, order);
    RationalMatrix rows(turning.size());  // of each equation, with its right-hand side
    for (std::size_t i = 0; i < turning.size(); ++i) {
      set_turn(*turning[i], k, Rational(1));
      const std::vector<Rational> moved = across(turning, order);
      for (std::size_t e = 0; e < turning.size(); ++e) rows[e].push_back(moved[e] - constant[e]);
      set_turn(*turning[i], k, Rational(0));
    }
    for (std::size_t e = 0; e < turning.size(); ++e) rows[e].push_back(-constant[e]);
    if (!eliminate(rows)) return leave_open("a slip in space whose direction the forces do not determine");
    for (std::size_t i = 0; i < turning.size(); ++i) set_turn(*turning[i], k, rows[i].back());
    return true;
  }
  void set_turn(Beginning& one, std::size_t k, const Rational& turn) {
    const Rational cosine = one.numbers[0][0], sine = one.numbers[1][0], length = shortening_[&one];
    set(one, 0, k, length * cosine - turn * sine);
    set(one, 1, k, length * sine + turn * cosine);
  }
  /// Of that order the derivatives of slip x direction.
  std::vector<Rational> across(const std::vector<Beginning*>& turning, std::size_t order) {
    std::vector<Rational> result;
    for (const Beginning* one : turning) {
      Rational& sum = result.emplace_back();
      for (std::size_t j = 1; j <= order; ++j) {
        const auto slip = [&](std::size_t i) { return j == order ? at(one->slip[i]) : one->past[i][j - 1]; };
        sum += binomial(order, j) *
               (slip(0) * one->numbers[1][order - j] - slip(1) * one->numbers[0][order - j]);
      }
    }
    return result;
  }
  /// By Gauss and Jordan; false where it is singular.
  static bool eliminate(RationalMatrix& rows) {
    for (std::size_t column = 0; column < rows.size(); ++column) {
      std::size_t pivot = column;
      while (pivot < rows.size() && rows[pivot][column].is_zero()) ++pivot;
      if (pivot == rows.size()) return false;
      std::swap(rows[pivot], rows[column]);
      const Rational own = rows[column][column];
      for (Rational& entry : rows[column]) entry = entry / own;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == column || rows[i][column].is_zero()) continue;
        const Rational ratio = rows[i][column];
        for (std::size_t j = column; j < rows[i].size(); ++j) rows[i][j] += -(ratio * rows[column][j]);
      }
    }
    return true;
  }

  Algebra& algebra_;
  const System& system_;
  const std::vector<ContactInTime>& contacts_;
  const std::vector<ContactRows>& rows_;
  const PossibleMotion& motion_;
  const ContactStateValues& state_;
  ContactStateValues numbers_;  ///< with the coefficients of directions
  std::vector<AtLimit> at_limits_;
  std::vector<bool> stays_;  ///< at its limit for ever, where all stick
  System kept_;
  std::optional<Motion> derived_;
  std::vector<Beginning> beginnings_;
  std::vector<Sticking> stickings_;
  std::map<const Beginning*, Rational> shortening_;
  SlipsInTime result_;
};

}  // namespace

SlipsInTime slips_in_time(Algebra& algebra, const System& system, const std::vector<ContactInTime>& contacts,
                          const std::vector<ContactRows>& rows, const PossibleMotion& motion,
                          const ContactStateValues& state) {
  return SlipsFromLimits(algebra, system, contacts, rows, motion, state).find();
}

}  // namespace liaison
