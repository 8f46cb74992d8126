#include "liaison/unilateral/mode_problem.hpp"

#include <algorithm>
#include <utility>

namespace liaison {

bool ContactRows::rests() const {
  return std::any_of(resisted.begin(), resisted.end(),
                     [](const ResistedRow& row) { return row.direction == 0; });
}

/// The pairs of the complementarity problem: N of each contact, then two for each velocity at rest.
struct ModeProblem::Pairs {
  struct Rest {
    std::size_t contact, resisted;
    bool stuck;
    Rational coefficient;
  };
  std::vector<Rest> rests;
  Complementarity problem;
  std::size_t contacts = 0;

  std::size_t push(std::size_t rest) const { return contacts + 2 * rest; }  ///< s against growth
  std::size_t decrease(std::size_t rest) const { return push(rest) + 1; }   ///< decrease against 2 mu N - s
};

namespace {

/// What one unit of N of a contact does to every row: its own force, and the resistances that go with it.
/// At the limit at which they cancel, as r_n = mu r_nt of Painleve's rod, rounding is no pivot.
std::vector<SumBesideNoise> terms_of_normal(const ContactRows& contact, const ContactNumbers& numbers,
                                            const std::vector<Rational>& with) {
  std::vector<SumBesideNoise> sums;
  for (std::size_t k = 0; k < numbers.r.size(); ++k) {
    SumBesideNoise& sum = sums.emplace_back(numbers.noise, numbers.r[contact.normal][k]);
    for (std::size_t i = 0; i < contact.resisted.size(); ++i)
      if (!with[i].is_zero()) sum.add(with[i] * numbers.r[contact.resisted[i].row][k]);
  }
  return sums;
}

std::vector<Rational> normal_effect(const ContactRows& contact, const ContactNumbers& numbers,
                                    const std::vector<Rational>& with) {
  std::vector<Rational> effect;
  for (const SumBesideNoise& sum : terms_of_normal(contact, numbers, with)) effect.push_back(sum.value());
  return effect;
}

}  // namespace

Complementarity ModeProblem::normal_problem() const {
  Complementarity problem;
  problem.noise = numbers_.noise;
  for (const ContactRows& contact : contacts_) {
    std::vector<Rational> with;
    for (const ResistedRow& row : contact.resisted) with.push_back(Rational(-row.direction) * row.slipping);
    const std::vector<Rational> effect = normal_effect(contact, numbers_, with);
    std::vector<Rational>& line = problem.r.emplace_back();
    for (const ContactRows& other : contacts_) line.push_back(effect[other.normal]);
    problem.drive.push_back(numbers_.drive[contact.normal]);
  }
  return problem;
}

std::vector<ModeProblem::Limit> ModeProblem::limits_of_r() const {
  std::vector<Limit> found;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    std::vector<std::vector<Rational>> ways{{}};
    const auto add = [&](const std::vector<Rational>& coefficients) {
      std::vector<std::vector<Rational>> next;
      for (const std::vector<Rational>& so_far : ways) {
        for (const Rational& coefficient : coefficients) {
          next.push_back(so_far);
          next.back().push_back(coefficient);
        }
      }
      ways = std::move(next);
    };
    bool resists = false;
    for (const ResistedRow& row : contacts_[c].resisted) {
      resists = resists || !row.slipping.is_zero();
      if (row.direction != 0) {
        add({Rational(-row.direction) * row.slipping});
      } else {
        add({-row.slipping, row.slipping});
      }
    }
    if (!resists) continue;
    for (const std::vector<Rational>& with : ways) {
      const std::vector<SumBesideNoise> sums = terms_of_normal(contacts_[c], numbers_, with);
      const auto look = [&](std::size_t row) {
        if (sums[row].cancels()) found.push_back({c, row, with});
      };
      for (const ContactRows& other : contacts_) {
        look(other.normal);
        for (const ResistedRow& row : other.resisted)
          if (row.direction == 0) look(row.row);
      }
    }
  }
  return found;
}

std::vector<PossibleMotion> ModeProblem::all(const EnumerationLimits& limits) const {
  std::vector<std::pair<std::size_t, std::size_t>> unequal;
  std::size_t rests = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    for (const ResistedRow& row : contacts_[c].resisted) {
      if (row.direction != 0) continue;
      if (row.slipping != row.sticking) unequal.emplace_back(c, rests);
      ++rests;
    }
  }
  std::vector<PossibleMotion> found;
  std::vector<bool> stuck(rests, false);
  for (std::size_t choice = 0; choice < (std::size_t{1} << unequal.size()); ++choice) {
    for (std::size_t i = 0; i < unequal.size(); ++i) stuck[unequal[i].second] = (choice >> i & 1) != 0;
    collect(stuck, limits, found);
  }
  return found;
}

void ModeProblem::collect(const std::vector<bool>& stuck, const EnumerationLimits& limits,
                          std::vector<PossibleMotion>& found) const {
  Pairs pairs;
  pairs.contacts = contacts_.size();
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    for (std::size_t i = 0; i < contacts_[c].resisted.size(); ++i) {
      const ResistedRow& row = contacts_[c].resisted[i];
      if (row.direction != 0) continue;
      const bool sticks = stuck[pairs.rests.size()];
      pairs.rests.push_back({c, i, sticks, sticks ? row.sticking : row.slipping});
    }
  }
  const std::size_t size = pairs.contacts + 2 * pairs.rests.size();
  Complementarity& problem = pairs.problem;
  problem.noise = numbers_.noise;
  problem.r.assign(size, std::vector<Rational>(size));
  problem.drive.assign(size, Rational(0));
  const auto put = [&](std::size_t force, const std::vector<Rational>& effect) {
    for (std::size_t c = 0; c < contacts_.size(); ++c) problem.r[force][c] = effect[contacts_[c].normal];
    for (std::size_t j = 0; j < pairs.rests.size(); ++j) {
      const auto& rest = pairs.rests[j];
      problem.r[force][pairs.push(j)] = effect[contacts_[rest.contact].resisted[rest.resisted].row];
    }
  };
  std::size_t rest = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    std::vector<Rational> with;
    const std::size_t first = rest;
    for (const ResistedRow& row : contacts_[c].resisted) {
      with.push_back(row.direction != 0 ? Rational(-row.direction) * row.slipping
                                        : -pairs.rests[rest++].coefficient);
    }
    put(c, normal_effect(contacts_[c], numbers_, with));
    problem.drive[c] = numbers_.drive[contacts_[c].normal];
    for (std::size_t j = first; j < rest; ++j) {
      const std::size_t row = contacts_[c].resisted[pairs.rests[j].resisted].row;
      put(pairs.push(j), numbers_.r[row]);
      problem.drive[pairs.push(j)] = numbers_.drive[row];
      problem.r[pairs.decrease(j)][pairs.push(j)] += Rational(1);
      problem.r[c][pairs.decrease(j)] = Rational(2) * pairs.rests[j].coefficient;
      problem.r[pairs.push(j)][pairs.decrease(j)] = Rational(-1);
      if (pairs.rests[j].stuck) {
        problem.no_separation.push_back(pairs.push(j));
        problem.no_factor.push_back(pairs.decrease(j));
        if (contacts_[c].least.is_zero()) problem.no_separation.push_back(c);
      }
    }
    if (contacts_[c].given) problem.no_factor.push_back(c);
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (contacts_[c].least.is_zero()) continue;
    for (std::size_t k = 0; k < size; ++k)
      problem.drive[k] =
          sum_beside_noise(problem.drive[k], contacts_[c].least * problem.r[c][k], numbers_.noise);
  }
  for (std::size_t c = 0; c < contacts_.size(); ++c) {  // where N is given a'' has any sign
    if (!contacts_[c].given) continue;
    problem.drive[c] = Rational(0);
    for (std::vector<Rational>& effect : problem.r) effect[c] = Rational(0);
  }
  std::sort(problem.no_separation.begin(), problem.no_separation.end());
  problem.no_separation.erase(std::unique(problem.no_separation.begin(), problem.no_separation.end()),
                              problem.no_separation.end());
  for (const ComplementarySet& set : all_solutions(problem, limits)) {
    PossibleMotion motion;
    const auto add = [&](std::vector<MotionNumbers>& to, const ComplementaryPoint& point, bool is_ray) {
      MotionNumbers numbers = numbers_of(pairs, point, is_ray);
      const bool zero =
          is_ray &&
          std::all_of(numbers.factors.begin(), numbers.factors.end(),
                      [](const Rational& x) { return x.is_zero(); }) &&
          std::all_of(numbers.slip_rates.begin(), numbers.slip_rates.end(), [](const auto& rates) {
            return std::all_of(rates.begin(), rates.end(), [](const Rational& x) { return x.is_zero(); });
          });
      // How a rate is split into growth and decrease where nothing resists it means nothing.
      const bool known = std::any_of(to.begin(), to.end(), [&](const MotionNumbers& other) {
        return other.factors == numbers.factors && other.resistances == numbers.resistances &&
               other.slip_rates == numbers.slip_rates;
      });
      if (!zero && !known) to.push_back(std::move(numbers));
    };
    for (const ComplementaryPoint& vertex : set.vertices) add(motion.vertices, vertex, false);
    for (const ComplementaryPoint& ray : set.rays) add(motion.rays, ray, true);
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const auto anywhere = [&](const auto& test) {
        return std::any_of(motion.vertices.begin(), motion.vertices.end(), test) ||
               std::any_of(motion.rays.begin(), motion.rays.end(), test);
      };
      const bool presses = anywhere([&](const MotionNumbers& n) { return !n.factors[c].is_zero(); });
      const bool opens = anywhere([&](const MotionNumbers& n) { return !n.separations[c].is_zero(); });
      const bool moves = anywhere([&](const MotionNumbers& n) {
        for (std::size_t i = 0; i < contacts_[c].resisted.size(); ++i) {
          if (contacts_[c].resisted[i].direction == 0 && !n.slip_rates[c][i].is_zero()) return true;
        }
        return false;
      });
      const bool slides = std::any_of(contacts_[c].resisted.begin(), contacts_[c].resisted.end(),
                                      [](const ResistedRow& row) { return row.direction != 0; });
      motion.modes.push_back(!presses               ? (opens ? ContactMode::opens : ContactMode::touches)
                             : contacts_[c].rests() ? (moves ? ContactMode::slips : ContactMode::sticks)
                             : slides               ? ContactMode::slips
                                                    : ContactMode::kept);
    }
    const bool known = std::any_of(found.begin(), found.end(), [&](const PossibleMotion& other) {
      return other.vertices.size() == motion.vertices.size() && other.rays.size() == motion.rays.size() &&
             std::equal(other.vertices.begin(), other.vertices.end(), motion.vertices.begin(),
                        [](const MotionNumbers& a, const MotionNumbers& b) {
                          return a.factors == b.factors && a.resistances == b.resistances;
                        });
    });
    if (!known) found.push_back(std::move(motion));
  }
}

MotionNumbers motion_numbers(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts,
                             const std::vector<Rational>& forces, bool is_ray) {
  MotionNumbers result;
  const auto total = [&](const std::vector<Rational>& free, const RationalMatrix& by_force, std::size_t k) {
    SumBesideNoise sum(numbers.noise, is_ray ? Rational(0) : free[k]);
    for (std::size_t h = 0; h < forces.size(); ++h) {
      if (!forces[h].is_zero()) sum.add(forces[h] * by_force[h][k]);
    }
    return sum.value();
  };
  for (const ContactRows& contact : contacts) {
    result.factors.push_back(forces[contact.normal]);
    result.separations.push_back(total(numbers.drive, numbers.r, contact.normal));
    std::vector<Rational>& resistances = result.resistances.emplace_back();
    std::vector<Rational>& rates = result.slip_rates.emplace_back();
    for (const ResistedRow& row : contact.resisted) {
      resistances.push_back(forces[row.row]);
      rates.push_back(total(numbers.drive, numbers.r, row.row));
    }
  }
  for (std::size_t a = 0; a < numbers.free_acceleration.size(); ++a) {
    result.accelerations.push_back(total(numbers.free_acceleration, numbers.fields, a));
  }
  for (std::size_t b = 0; b < numbers.bilateral_factors.size(); ++b) {
    result.bilateral_factors.push_back(total(numbers.bilateral_factors, numbers.bilateral_response, b));
  }
  return result;
}

MotionNumbers ModeProblem::numbers_of(const Pairs& pairs, const ComplementaryPoint& point,
                                      bool is_ray) const {
  std::vector<Rational> forces(numbers_.r.size());
  std::size_t rest = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Rational normal = is_ray ? point.factors[c] : contacts_[c].least + point.factors[c];
    forces[contacts_[c].normal] = normal;
    for (const ResistedRow& row : contacts_[c].resisted) {
      if (row.direction != 0) {
        forces[row.row] = Rational(-row.direction) * row.slipping * normal;
      } else {
        forces[row.row] = point.factors[pairs.push(rest)] - pairs.rests[rest].coefficient * normal;
        ++rest;
      }
    }
  }
  return motion_numbers(numbers_, contacts_, forces, is_ray);
}

}  // namespace liaison
