#include "limits_of_motions.hpp"

#include <algorithm>

#include "convex_hull.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

std::vector<const MotionNumbers*> generators_of(const PossibleMotion& motion) {
  std::vector<const MotionNumbers*> result;
  for (const auto* some : {&motion.vertices, &motion.rays})
    for (const MotionNumbers& one : *some) result.push_back(&one);
  return result;
}

/// Some forces of a motion have a friction of a coefficient times the pressure, against a side; a ray says
/// nothing of contacts that it does not press.
bool is_at_limit(const PossibleMotion& motion, std::size_t contact, std::size_t row,
                 const Rational& coefficient, int side) {
  const auto is_met = [&](const MotionNumbers& one) {
    return one.resistances[contact][row] == Rational(-side) * coefficient * one.factors[contact];
  };
  return std::any_of(motion.vertices.begin(), motion.vertices.end(), is_met) ||
         std::any_of(motion.rays.begin(), motion.rays.end(), [&](const MotionNumbers& one) {
           return !one.factors[contact].is_zero() && is_met(one);
         });
}

/// Every choice of one entry of each list.
std::vector<std::vector<int>> all_choices(const std::vector<std::vector<int>>& lists) {
  std::vector<std::vector<int>> result{{}};
  for (const std::vector<int>& list : lists) {
    std::vector<std::vector<int>> longer;
    for (const auto& so_far : result) {
      for (const int entry : list) {
        longer.push_back(so_far);
        longer.back().push_back(entry);
      }
    }
    result = std::move(longer);
  }
  return result;
}

}  // namespace

bool is_rest_that_goes_on(const System& system, const std::vector<Expr>& texts,
                          const ContactStateValues& state, const PossibleMotion& motion) {
  for (const Expr e : texts) {
    if (!e.empty() && depends_on(e, system.time)) return false;
  }
  for (const Direction& direction : system.directions) {
    const auto velocity = state.values.find(direction.velocity);
    if (velocity == state.values.end() || !velocity->second.is_zero()) return false;
  }
  const auto is_at_rest = [](const MotionNumbers& numbers) {
    return std::all_of(numbers.accelerations.begin(), numbers.accelerations.end(),
                       [](const Rational& acceleration) { return acceleration.is_zero(); });
  };
  return std::all_of(motion.vertices.begin(), motion.vertices.end(), is_at_rest) &&
         std::all_of(motion.rays.begin(), motion.rays.end(), is_at_rest);
}

bool stays_at_rest(const PossibleMotion& motion) {
  return motion.equilibrium &&
         std::none_of(motion.settled.begin(), motion.settled.end(),
                      [&](const auto& one) { return motion.modes[one.first] == ContactMode::opens; });
}

bool has_kinks(const std::vector<Expr>& texts) {
  const auto nodes = postorder(texts);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr e) {
    return e.is(Op::abs) || e.is(Op::sign) || e.is(Op::min) || e.is(Op::max);
  });
}

bool has_one_acceleration(const PossibleMotion& motion) {
  const std::vector<Rational>& first = motion.vertices[0].accelerations;
  return std::all_of(motion.vertices.begin(), motion.vertices.end(),
                     [&](const MotionNumbers& one) { return one.accelerations == first; }) &&
         std::all_of(motion.rays.begin(), motion.rays.end(), [](const MotionNumbers& one) {
           return std::all_of(one.accelerations.begin(), one.accelerations.end(),
                              [](const Rational& x) { return x.is_zero(); });
         });
}

bool is_held_within_limits(const PossibleMotion& motion, const std::vector<ContactRows>& contacts) {
  if (!has_one_acceleration(motion)) return false;
  const auto generators = generators_of(motion);
  const auto& first = motion.vertices[0];
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (motion.modes[c] == ContactMode::touches) return false;
    if (motion.modes[c] == ContactMode::opens) continue;
    Rational pressure;  // of a sum of all, which is as good as a mean
    for (const MotionNumbers* one : generators) pressure += one->factors[c];
    if (pressure.sign() <= 0) return false;
    const std::vector<ResistedRow>& rows = contacts[c].resisted;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].direction != 0 || !first.slip_rates[c][i].is_zero()) continue;
      Rational force;
      for (const MotionNumbers* one : generators) force += one->resistances[c][i];
      if (abs(force) >= rows[i].sticking * pressure) return false;
    }
  }
  return true;
}

bool is_at_limit_of_friction(const PossibleMotion& motion, const std::vector<ContactRows>& contacts) {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (motion.modes[c] != ContactMode::sticks && motion.modes[c] != ContactMode::slips) continue;
    for (std::size_t i = 0; i < contacts[c].resisted.size(); ++i) {
      const ResistedRow& row = contacts[c].resisted[i];
      if (row.direction != 0 || !motion.vertices[0].slip_rates[c][i].is_zero()) continue;
      for (const int side : {1, -1}) {
        if (is_at_limit(motion, c, i, row.slipping, side) || is_at_limit(motion, c, i, row.sticking, side))
          return true;
      }
    }
  }
  return false;
}

bool is_at_limit_in_space(const PossibleMotion& motion, const std::vector<ContactRows>& contacts) {
  const MotionNumbers& first = motion.vertices[0];
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const std::vector<ResistedRow>& rows = contacts[c].resisted;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto& rates = first.slip_rates[c];
      if (!rows[i].second || !rates[i - 1].is_zero() || !rates[i].is_zero()) continue;
      for (const MotionNumbers* one : generators_of(motion)) {
        const Rational& pressure = one->factors[c];
        const std::vector<Rational>& force = one->resistances[c];
        const Rational square = force[i - 1] * force[i - 1] + force[i] * force[i];
        for (const Rational& coefficient : {rows[i].slipping, rows[i].sticking})
          if (pressure.sign() > 0 && square == coefficient * coefficient * pressure * pressure) return true;
      }
    }
  }
  return false;
}

std::vector<std::vector<WayInTime>> ways_in_time(const PossibleMotion& motion,
                                                 const std::vector<ContactRows>& contacts) {
  std::vector<std::vector<WayInTime>> result;
  const MotionNumbers& first = motion.vertices[0];
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    auto& ways = result.emplace_back();
    const bool can_open = std::any_of(motion.vertices.begin(), motion.vertices.end(),
                                      [&](const MotionNumbers& one) { return one.factors[c].is_zero(); });
    if (can_open) ways.push_back({});
    if (motion.modes[c] == ContactMode::opens) continue;
    std::vector<std::vector<int>> slips;
    for (std::size_t i = 0; i < contacts[c].resisted.size(); ++i) {
      const ResistedRow& row = contacts[c].resisted[i];
      if (row.second) return {};
      auto& own = slips.emplace_back();
      if (row.direction != 0) {
        own = {row.direction};
      } else if (!first.slip_rates[c][i].is_zero()) {
        own = {first.slip_rates[c][i].sign()};
      } else {
        own = {0};
        for (const int side : {1, -1})
          if (is_at_limit(motion, c, i, row.slipping, side)) own.push_back(side);
      }
    }
    for (auto& slip : all_choices(slips)) ways.push_back({true, std::move(slip)});
  }
  return result;
}

void drop_parts(std::vector<PossibleMotion>& motions) {
  const auto points = [](const std::vector<MotionNumbers>& numbers) {
    std::vector<std::vector<Rational>> result;
    for (const MotionNumbers& one : numbers) {
      std::vector<std::vector<Rational>> parts = one.resistances;
      parts.push_back(one.accelerations);
      result.push_back(one.factors);
      for (const auto& part : parts) result.back().insert(result.back().end(), part.begin(), part.end());
    }
    return result;
  };
  const auto is_part = [&](const PossibleMotion& inner, const PossibleMotion& outer) {
    if (!outer.is_family()) return false;
    const auto vertices = points(outer.vertices), rays = points(outer.rays);
    const auto inner_vertices = points(inner.vertices), inner_rays = points(inner.rays);
    const auto is_among = [](const auto& few, const auto& many) {
      return std::all_of(few.begin(), few.end(), [&](const auto& point) {
        return std::find(many.begin(), many.end(), point) != many.end();
      });
    };
    const bool is_face = is_among(inner_vertices, vertices) && is_among(inner_rays, rays);
    // what higher derivatives settled within a family is a motion of its own, but for rest
    const bool rest = stays_at_rest(inner) && stays_at_rest(outer);
    if (is_face || (!inner.settled.empty() && !rest)) return is_face;
    const std::vector<std::vector<Rational>> origin{std::vector<Rational>(vertices[0].size())};
    return std::all_of(inner_vertices.begin(), inner_vertices.end(),
                       [&](const auto& point) { return is_in_hull(point, vertices, rays); }) &&
           std::all_of(inner_rays.begin(), inner_rays.end(),
                       [&](const auto& point) { return is_in_hull(point, origin, rays); });
  };
  for (std::size_t i = motions.size(); i-- > 0;) {
    for (std::size_t k = 0; k < motions.size(); ++k) {
      if (k == i || !is_part(motions[i], motions[k])) continue;
      motions.erase(motions.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
}

bool move_alike(const PossibleMotion& one, const PossibleMotion& other, double within) {
  const std::vector<Rational>&a = one.vertices[0].accelerations, &b = other.vertices[0].accelerations;
  return std::equal(a.begin(), a.end(), b.begin(), [&](const Rational& x, const Rational& y) {
    return std::abs((x - y).to_double()) <= within;
  });
}

void drop_shared_otherwise(std::vector<PossibleMotion>& motions, const PossibleMotion& one, double within) {
  std::erase_if(motions, [&](const PossibleMotion& other) {
    return move_alike(other, one, within) &&
           std::equal(
               other.modes.begin(), other.modes.end(), one.modes.begin(),
               [](ContactMode its, ContactMode own) { return its == own || its == ContactMode::touches; });
  });
}

}  // namespace liaison
