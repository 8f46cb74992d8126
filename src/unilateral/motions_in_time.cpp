#include "motions_in_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/error.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/model/kinematics.hpp"
#include "resisted.hpp"

namespace liaison {

namespace {

constexpr int highest_order = 6;  ///< of derivatives of accelerations and factors
/// Of accelerations that tell two motions apart: conditions may differ in any order that is looked at.
constexpr int compared_orders = highest_order + 1;
constexpr std::size_t most_hypotheses = 64;
constexpr std::size_t most_that_stick = 4;  ///< velocities that depend on each other: 3^4 ways to hold them

/// The first derivative of a quantity that is not zero at the state.
struct Leading {
  int order = 0, sign = 0;
  Rational value;
  bool for_ever = false;  ///< zero, and provably so for ever
  bool is_open() const { return sign == 0 && !for_ever; }
};

/// One hypothesis that holds.
struct Held {
  std::vector<ContactMode> modes;
  std::vector<Leading> factors;         ///< one a contact; of an open one nothing
  std::vector<std::string> how;         ///< what is said of it beside its factor
  MotionInTime::Carried carried;        ///< at the state
  std::vector<Rational> accelerations;  ///< and their derivatives
};

class Hypotheses {
 public:
  Hypotheses(Algebra& algebra, const System& system, const std::vector<ContactInTime>& contacts,
             const ContactStateValues& state)
      : algebra_(algebra), system_(system), contacts_(contacts), state_(state) {}

  MotionsInTime all(const std::vector<std::vector<WayInTime>>& ways) {
    std::size_t count = 1;
    for (const auto& own : ways) {
      count *= own.size();
      if (count > most_hypotheses) {
        leave_open(fmt::format("more than {} ways to go on, of which none was followed", most_hypotheses));
        return std::move(result_);
      }
    }
    const FactorStatus without_contacts = keep(std::vector<WayInTime>(ways.size())).motion.status;
    if (without_contacts != FactorStatus::none && without_contacts != FactorStatus::determined) {
      leave_open(
          "the constraints that cannot open do not determine their forces, which higher derivatives need");
      return std::move(result_);
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<WayInTime> taken;
      std::size_t rest = i;
      for (const auto& own : ways) {
        taken.push_back(own[rest % own.size()]);
        rest /= own.size();
      }
      attempt(taken);
    }
    join();
    return std::move(result_);
  }

 private:
  void attempt(const std::vector<WayInTime>& ways) {
    try {
      follow(ways);
    } catch (const Error& error) {
      const ErrorCode code = error.code();
      if (code == ErrorCode::wrong_degree)
        return leave_open(
            "a friction whose direction is not one of velocities, which higher derivatives need");
      if (code != ErrorCode::missing_value && code != ErrorCode::undefined_constant &&
          code != ErrorCode::division_by_zero)
        throw;
      leave_open("contacts that depend on each other here, and not beside it");
    }
  }

  /// What sticks and depends on each other: all vertices of the forces that share the load.
  void follow_limits(const std::vector<WayInTime>& ways) {
    std::vector<std::pair<std::size_t, std::size_t>> sticking;
    std::string names;
    for (std::size_t c = 0; c < ways.size(); ++c) {
      const std::size_t before = sticking.size();
      for (std::size_t i = 0; i < ways[c].slips.size(); ++i)
        if (ways[c].closed && ways[c].slips[i] == 0) sticking.emplace_back(c, i);
      if (sticking.size() > before)
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", contacts_[c].held.name);
    }
    if (sticking.size() > most_that_stick)
      return leave_open(fmt::format(
          "whether {} stick on together: they share a load that is at a limit, and more than {} velocities "
          "that stick and depend on each other are not followed",
          names, most_that_stick));
    std::vector<WayInTime> held = ways;
    for (WayInTime& way : held) way.limits.assign(way.slips.size(), 0);
    std::size_t count = 1;
    for (std::size_t k = 0; k < sticking.size(); ++k) count *= 3;
    for (std::size_t number = 1; number < count; ++number) {
      std::size_t rest = number;
      for (const auto& [c, i] : sticking) {
        held[c].limits[i] = static_cast<int>(rest % 3) - (rest % 3 == 2 ? 3 : 0);
        rest /= 3;
      }
      attempt(held);
    }
  }

  void leave_open(const std::string& why) {
    auto& known = result_.left_open;
    if (std::find(known.begin(), known.end(), why) == known.end()) known.push_back(why);
  }

  /// The motion that keeps what is closed.
  struct Kept {
    System system;
    Motion motion;
    std::vector<Expr> normals;                 ///< factors, one a contact; empty where it is open
    std::vector<std::vector<Expr>> stickings;  ///< forces of what sticks; empty where it slips
  };

  Kept keep(const std::vector<WayInTime>& ways) {
    System system = system_;
    system.unilaterals.clear();
    std::vector<std::size_t> normals;
    std::vector<std::vector<std::optional<std::size_t>>> stickings;
    auto& constraints = system.constraints;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      normals.push_back(constraints.size());
      auto& own = stickings.emplace_back(contacts_[c].resisted.size());
      if (!ways[c].closed) continue;
      constraints.push_back(pressed(contacts_[c], ways[c]));
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (ways[c].slips[i] != 0 || ways[c].is_at_limit(i)) continue;
        own[i] = constraints.size();
        constraints.push_back(contacts_[c].resisted[i].slip);
      }
    }
    Motion motion = derive_motion(algebra_, system);
    Kept kept{std::move(system), std::move(motion), {}, {}};
    if (kept.motion.acceleration.empty()) return kept;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      kept.normals.push_back(ways[c].closed ? kept.motion.factors[normals[c]] : Expr());
      auto& own = kept.stickings.emplace_back();
      for (const auto& place : stickings[c]) own.push_back(place ? kept.motion.factors[*place] : Expr());
    }
    return kept;
  }

  /// The constraint of a closed contact, with the friction of what slips.
  Constraint pressed(const ContactInTime& contact, const WayInTime& way) const {
    std::vector<ResistedSlip> slips;
    for (std::size_t i = 0; i < way.slips.size(); ++i) {
      const ContactInTime::Row& row = contact.resisted[i];
      if (way.slips[i] != 0) {
        slips.push_back({system_.pool->number(way.slips[i]) * row.slipping, row.slip.relation});
      } else if (way.is_at_limit(i)) {
        slips.push_back({system_.pool->number(way.limits[i]) * row.sticking, row.slip.relation});
      }
    }
    return with_resistance(system_, contact.held, slips);
  }

  static Expr along(const Kept& kept, Expr e) {
    Substitution accelerations;
    const auto& parameters = kept.motion.space.parameters;
    for (std::size_t a = 0; a < kept.motion.acceleration.size(); ++a)
      accelerations.emplace(acceleration_symbol(parameters[a]), kept.motion.acceleration[a]);
    return substitute(time_derivative(kept.system, e), accelerations);
  }

  Leading leading(const Kept& kept, Expr e) {
    ExactNumbers at(algebra_, state_);
    Leading result;
    for (int order = 0; order <= highest_order; ++order) {
      result.value = at(e);
      result.order = order;
      result.sign = result.value.sign();
      if (result.sign != 0) return result;
      if (algebra_.is_zero(e).is_proved()) {
        result.for_ever = true;
        return result;
      }
      if (order < highest_order) e = along(kept, e);
    }
    return result;
  }

  void follow(const std::vector<WayInTime>& ways) {
    const Kept kept = keep(ways);
    const FactorStatus status = kept.motion.status;
    if (status == FactorStatus::incompatible || status == FactorStatus::undetermined) {
      const bool sticks = std::any_of(ways.begin(), ways.end(), [](const WayInTime& way) {
        return std::find(way.slips.begin(), way.slips.end(), 0) != way.slips.end();
      });
      const bool is_no_vertex =
          std::any_of(ways.begin(), ways.end(), [](const WayInTime& way) { return !way.limits.empty(); });
      if (sticks && !is_no_vertex) follow_limits(ways);
      return;
    }
    if (kept.motion.acceleration.empty()) {
      leave_open("the motion of what is kept has no closed form, which higher derivatives need");
      return;
    }
    if (!holds_now(kept, ways)) return;
    Held held;
    const std::size_t count = contacts_.size();
    held.factors.resize(count);
    held.how.resize(count);
    bool is_open = false;
    for (std::size_t c = 0; c < count; ++c) {
      const std::optional<ContactMode> mode = ways[c].closed ? mode_of_closed(kept, ways[c], c, held, is_open)
                                                             : mode_of_open(kept, c, held, is_open);
      if (!mode) return;
      held.modes.push_back(*mode);
    }
    if (is_open) leave_open("derivatives of higher order than were looked at");
    ExactNumbers at(algebra_, state_);
    for (std::size_t c = 0; c < count; ++c) {
      const Rational normal = ways[c].closed ? at(kept.normals[c]) : Rational(0);
      held.carried.normals.push_back(normal);
      auto& own = held.carried.resistances.emplace_back();
      for (std::size_t i = 0; i < contacts_[c].resisted.size(); ++i) {
        if (!ways[c].closed) {
          own.push_back(Rational(0));
        } else if (ways[c].is_at_limit(i)) {
          own.push_back(Rational(-ways[c].limits[i]) * at(contacts_[c].resisted[i].sticking) * normal);
        } else if (ways[c].slips[i] == 0) {
          own.push_back(at(kept.stickings[c][i]));
        } else {
          own.push_back(Rational(-ways[c].slips[i]) * at(contacts_[c].resisted[i].slipping) * normal);
        }
      }
    }
    for (Expr acceleration : kept.motion.acceleration) {
      for (int order = 0; order < compared_orders; ++order) {
        held.accelerations.push_back(at(acceleration));
        if (order + 1 < compared_orders) acceleration = along(kept, acceleration);
      }
    }
    held_.push_back(std::move(held));
  }

  Expr separation(const Kept& kept, std::size_t c) const {
    const Constraint& held = contacts_[c].held;
    return along(kept, held.holonomic ? time_derivative(system_, held.relation) : held.relation);
  }
  Expr slip_rate(const Kept& kept, std::size_t c, std::size_t i, int direction) const {
    return system_.pool->number(direction) * along(kept, contacts_[c].resisted[i].slip.relation);
  }
  /// What friction lacks to its limit, where it pushes to a side.
  Expr slack(const Kept& kept, std::size_t c, std::size_t i, int side) const {
    return contacts_[c].resisted[i].sticking * kept.normals[c] -
           system_.pool->number(side) * kept.stickings[c][i];
  }

  /// No condition is broken by the accelerations: most hypotheses end here.
  bool holds_now(const Kept& kept, const std::vector<WayInTime>& ways) {
    ExactNumbers at(algebra_, state_);
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (at(ways[c].closed ? kept.normals[c] : separation(kept, c)).sign() < 0) return false;
      if (!ways[c].closed) continue;
      for (std::size_t i = 0; i < contacts_[c].resisted.size(); ++i) {
        const int slips = ways[c].slips[i];
        if (slips != 0) {
          if (is_at_rest(c, i) && at(slip_rate(kept, c, i, slips)).sign() < 0) return false;
        } else if (ways[c].is_at_limit(i)) {
          if (!at(slip_rate(kept, c, i, 1)).is_zero()) return false;
        } else if (at(slack(kept, c, i, 1)).sign() < 0 || at(slack(kept, c, i, -1)).sign() < 0) {
          return false;
        }
      }
    }
    return true;
  }

  bool is_at_rest(std::size_t c, std::size_t i) {
    return ExactNumbers(algebra_, state_)(contacts_[c].resisted[i].slip.relation).is_zero();
  }

  std::optional<ContactMode> mode_of_open(const Kept& kept, std::size_t c, Held& held, bool& is_open) {
    const Leading gap = leading(kept, separation(kept, c));
    if (gap.sign < 0) return {};
    is_open = is_open || gap.is_open();
    const bool holonomic = contacts_[c].held.holonomic;
    if (gap.sign > 0) {
      if (gap.order > 0)
        held.how[c] =
            fmt::format("the derivative of order {} of its {} is {}", gap.order + (holonomic ? 2 : 1),
                        holonomic ? "gap" : "relation", gap.value.to_string());
      return ContactMode::opens;
    }
    held.how[c] = gap.for_ever ? "it stays closed without force"
                               : fmt::format("no derivative up to the order {} moves it",
                                             highest_order + (holonomic ? 2 : 1));
    return ContactMode::touches;
  }

  std::optional<ContactMode> mode_of_closed(const Kept& kept, const WayInTime& way, std::size_t c, Held& held,
                                            bool& is_open) {
    const Leading factor = leading(kept, kept.normals[c]);
    if (factor.sign < 0) return {};
    is_open = is_open || factor.is_open();
    held.factors[c] = factor;
    const auto add = [&](const std::string& text) {
      held.how[c] += (held.how[c].empty() ? "" : "; ") + text;
    };
    if (factor.sign == 0)  // the hypothesis that it is open says the same, or that it leaves
      return factor.for_ever ? std::nullopt : std::optional(ContactMode::touches);
    bool slips = false;
    for (std::size_t i = 0; i < contacts_[c].resisted.size(); ++i) {
      if (way.slips[i] != 0) {
        slips = true;
        if (!is_at_rest(c, i)) continue;
        const Leading rate = leading(kept, slip_rate(kept, c, i, way.slips[i]));
        // What does not begin to slip sticks at its limit, which is a hypothesis of its own.
        if (rate.sign < 0 || rate.for_ever) return {};
        is_open = is_open || rate.is_open();
        if (rate.order > 0)
          add(fmt::format("the derivative of order {} of its slip is {}", rate.order + 1,
                          (Rational(way.slips[i]) * rate.value).to_string()));
        continue;
      }
      if (way.is_at_limit(i)) {  // the others hold it, or it slips
        const Leading rate = leading(kept, slip_rate(kept, c, i, 1));
        if (rate.sign != 0) return {};
        is_open = is_open || rate.is_open();
        continue;
      }
      for (const int side : {1, -1}) {
        const Leading lack = leading(kept, slack(kept, c, i, side));
        if (lack.sign < 0) return {};
        is_open = is_open || lack.is_open();
        if (lack.sign > 0 && lack.order > factor.order)
          add(fmt::format("the derivative of order {} of what its friction lacks to the limit is {}",
                          lack.order, lack.value.to_string()));
        if (lack.for_ever) add("its friction stays at the limit");
      }
    }
    return contacts_[c].resisted.empty() ? ContactMode::kept
           : slips                       ? ContactMode::slips
                                         : ContactMode::sticks;
  }

  /// Hypotheses with the same motion are ways to carry it.
  void join() {
    std::vector<std::vector<const Held*>> groups;
    for (const Held& one : held_) {
      const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
        return group[0]->accelerations == one.accelerations && open_alike(*group[0], one);
      });
      if (known == groups.end()) {
        groups.push_back({&one});
      } else {
        known->push_back(&one);
      }
    }
    for (const auto& group : groups) result_.motions.push_back(joined(group));
  }

  static bool open_alike(const Held& a, const Held& b) {
    for (std::size_t c = 0; c < a.modes.size(); ++c)
      if ((a.modes[c] == ContactMode::opens) != (b.modes[c] == ContactMode::opens)) return false;
    return true;
  }

  MotionInTime joined(const std::vector<const Held*>& group) const {
    MotionInTime result{group[0]->modes, group[0]->how, {}};
    for (const Held* one : group) result.carried.push_back(one->carried);
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      int first = -1;  // order at which some way presses
      for (const Held* one : group) {
        const Leading& factor = one->factors[c];
        if (factor.sign <= 0) continue;
        if (first < 0 || factor.order < first) first = factor.order;
        if (result.modes[c] != ContactMode::touches) continue;
        result.modes[c] = one->modes[c];
        result.how[c] = one->how[c];
      }
      if (first <= 0) continue;
      std::optional<Rational> least, most;
      for (const Held* one : group) {
        const Leading& factor = one->factors[c];
        const Rational value = factor.sign > 0 && factor.order == first ? factor.value : Rational(0);
        if (!least || value < *least) least = value;
        if (!most || *most < value) most = value;
      }
      const std::string value = *least == *most
                                    ? most->to_string()
                                    : fmt::format("{} to {}", least->to_string(), most->to_string());
      result.how[c] = fmt::format("the derivative of order {} of its factor is {}{}{}", first, value,
                                  result.how[c].empty() ? "" : "; ", result.how[c]);
    }
    return result;
  }

  Algebra& algebra_;
  const System& system_;
  const std::vector<ContactInTime>& contacts_;
  const ContactStateValues& state_;
  std::vector<Held> held_;
  MotionsInTime result_;
};

}  // namespace

MotionsInTime motions_in_time(Algebra& algebra, const System& system,
                              const std::vector<ContactInTime>& contacts,
                              const std::vector<std::vector<WayInTime>>& ways,
                              const ContactStateValues& state) {
  return Hypotheses(algebra, system, contacts, state).all(ways);
}

}  // namespace liaison
