#include <arb.h>

#include <algorithm>

#include "expr/raw.hpp"
#include "kept_rates.hpp"
#include "liaison/unilateral/onset_in_space.hpp"
#include "slip_directions.hpp"

// Several contacts at rest, some of them along surfaces in space (rows G5.V-all-slip-two-contacts,
// G5.V-mixed-two-contacts): every assignment of open, stick and slip; the directions of what begins to slip
// in space are the common zeros of as many trigonometric equations.
namespace liaison {

namespace {

constexpr std::size_t most_hypotheses = 5'000;
constexpr const char* held_by_each_other =
    "of forces that hold each other along surfaces in space a search finds some motions, not all";

/// A velocity at rest that a contact resists: one row, or two in space.
struct Rest {
  std::size_t contact;
  std::vector<std::size_t> rows;
  Rational slipping, sticking;
};

/// What is assumed: which contacts press, and whether each velocity at rest stays so (0) or goes its way.
struct Hypothesis {
  std::vector<bool> presses;
  std::vector<int> ways;  ///< one a rest; of those in space 1: it slips
};

/// Sums that are noise beside their terms are zero: of forces that hold each other no pivot is left.
std::optional<std::vector<Rational>> solved(RationalMatrix a, std::vector<Rational> b, const Rational& noise,
                                            bool& consistent) {
  const std::size_t n = b.size();
  consistent = true;
  bool regular = true;
  std::size_t rank = 0;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = rank;
    for (std::size_t i = rank + 1; i < n; ++i) {
      if (abs(a[i][column]) > abs(a[pivot][column])) pivot = i;
    }
    if (rank == n || a[pivot][column].is_zero()) {
      regular = false;
      continue;
    }
    std::swap(a[rank], a[pivot]);
    std::swap(b[rank], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == rank || a[i][column].is_zero()) continue;
      const Rational ratio = a[i][column] / a[rank][column];
      for (std::size_t j = column; j < n; ++j)
        a[i][j] = j == column ? Rational(0) : sum_beside_noise(a[i][j], -(ratio * a[rank][j]), noise);
      b[i] = sum_beside_noise(b[i], -(ratio * b[rank]), noise);
    }
    ++rank;
  }
  for (std::size_t i = rank; i < n; ++i) consistent = consistent && b[i].is_zero();
  if (!regular) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) b[i] = b[i] / a[i][i];
  return b;
}

/// To 75 digits: what comes from directions, which are rounded, has no more.
Rational rounded(const Rational& value) {
  arb_t ball;
  arb_init(ball);
  arb_set_fmpq(ball, value.raw(), 256);
  Rational result;
  arf_get_fmpq(result.raw(), arb_midref(ball));
  arb_clear(ball);
  return result;
}

class SeveralContacts {
 public:
  SeveralContacts(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts)
      : numbers_(numbers), contacts_(contacts) {
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const std::vector<ResistedRow>& resisted = contacts_[c].resisted;
      for (std::size_t i = 0; i < resisted.size(); ++i) {
        if (resisted[i].direction != 0) continue;
        if (resisted[i].second)
          rests_.back().rows.push_back(resisted[i].row);
        else
          rests_.push_back({c, {resisted[i].row}, resisted[i].slipping, resisted[i].sticking});
      }
    }
  }

  SpaceMotions find() {
    double count = 1;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      double ways = 1;
      for (const Rest& rest : rests_) ways *= rest.contact != c ? 1 : rest.rows.size() == 2 ? 2 : 3;
      count *= 1 + ways;
    }
    if (count > most_hypotheses) {
      leave_out("more ways to stick and slip in space than are looked at");
      return std::move(result_);
    }
    Hypothesis hypothesis{std::vector<bool>(contacts_.size()), std::vector<int>(rests_.size())};
    choose(hypothesis, 0);
    return std::move(result_);
  }

 private:
  void leave_out(const std::string& why) {
    if (result_.left_out.find(why) == std::string::npos)
      result_.left_out += (result_.left_out.empty() ? "" : "; ") + why;
  }

  void choose(Hypothesis& hypothesis, std::size_t contact) {
    if (contact == contacts_.size()) return look_at(hypothesis);
    hypothesis.presses[contact] = false;
    choose(hypothesis, contact + 1);
    hypothesis.presses[contact] = true;
    choose_way(hypothesis, contact, 0);
    hypothesis.presses[contact] = false;
  }
  void choose_way(Hypothesis& hypothesis, std::size_t contact, std::size_t rest) {
    while (rest < rests_.size() && rests_[rest].contact != contact) ++rest;
    if (rest == rests_.size()) return choose(hypothesis, contact + 1);
    const std::vector<int> ways = rests_[rest].rows.size() == 2 ? std::vector{0, 1} : std::vector{0, 1, -1};
    for (const int way : ways) {
      hypothesis.ways[rest] = way;
      choose_way(hypothesis, contact, rest + 1);
    }
    hypothesis.ways[rest] = 0;
  }

  SlipEquations equations_of(const Hypothesis& hypothesis) const {
    SlipEquations result;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      result.factor_of.emplace_back();
      if (!hypothesis.presses[c]) continue;
      result.factor_of[c] = result.effects.size();
      std::vector<Rational> effect = numbers_.r[contacts_[c].normal];
      const auto resist = [&](std::size_t row, const Rational& force) {
        for (std::size_t k = 0; k < effect.size(); ++k)
          effect[k] = sum_beside_noise(effect[k], -(force * numbers_.r[row][k]), numbers_.noise);
      };
      for (const ResistedRow& row : contacts_[c].resisted)
        if (row.direction != 0) resist(row.row, Rational(row.direction) * row.slipping);
      for (std::size_t i = 0; i < rests_.size(); ++i) {
        const Rest& rest = rests_[i];
        if (rest.contact != c || hypothesis.ways[i] == 0) continue;
        if (rest.rows.size() == 1)
          resist(rest.rows[0], Rational(hypothesis.ways[i]) * rest.slipping);
        else
          result.slips.push_back({result.effects.size(), rest.rows[0], rest.rows[1], rest.slipping, {}});
      }
      result.effects.push_back(std::move(effect));
      result.zero.push_back(contacts_[c].normal);
    }
    for (std::size_t i = 0; i < rests_.size(); ++i) {
      if (!hypothesis.presses[rests_[i].contact] || hypothesis.ways[i] != 0) continue;
      for (const std::size_t row : rests_[i].rows) {
        result.effects.push_back(numbers_.r[row]);
        result.zero.push_back(row);
      }
    }
    return result;
  }

  void look_at(const Hypothesis& hypothesis) {
    SlipEquations equations = equations_of(hypothesis);
    if (equations.slips.empty()) return settle(hypothesis, equations, {});
    const KeptRates kept(numbers_, equations.zero);
    const auto is_kept = [&](const SlipEquations::Slip& slip) {
      return kept.vanishes(slip.first) && kept.vanishes(slip.second);
    };
    if (kept.contradict() || std::any_of(equations.slips.begin(), equations.slips.end(), is_kept)) return;
    if (kept.are_dependent()) return leave_out(held_by_each_other);
    std::vector<std::size_t> rows;
    for (SlipEquations::Slip& slip : equations.slips) {
      slip.line = kept.line(slip.first, slip.second);
      rows.insert(rows.end(), {slip.first, slip.second});
    }
    equations.relations = kept.relations(rows);
    const FoundDirections directions = slip_directions(numbers_, equations, boxes_);
    if (!directions.complete)
      leave_out("directions in which contacts may begin to slip could not be told apart");
    for (const SlipDirections& found : directions.all) settle(hypothesis, equations, found);
  }

  /// Forces in the given directions, and whether every condition holds.
  void settle(const Hypothesis& hypothesis, const SlipEquations& equations,
              const SlipDirections& directions) {
    std::vector<std::vector<Rational>> effects = equations.effects;
    for (std::size_t j = 0; j < directions.size(); ++j) {
      const SlipEquations::Slip& slip = equations.slips[j];
      for (std::size_t k = 0; k < numbers_.drive.size(); ++k)
        effects[slip.unknown][k] =
            sum_beside_noise(effects[slip.unknown][k],
                             -(slip.slipping * (directions[j][0] * numbers_.r[slip.first][k] +
                                                directions[j][1] * numbers_.r[slip.second][k])),
                             numbers_.noise);
    }
    RationalMatrix matrix;
    std::vector<Rational> right;
    for (const std::size_t row : equations.zero) {
      std::vector<Rational>& line = matrix.emplace_back();
      for (const auto& effect : effects) line.push_back(effect[row]);
      right.push_back(-numbers_.drive[row]);
    }
    bool consistent = true;
    const auto unknowns = solved(std::move(matrix), std::move(right), numbers_.noise, consistent);
    if (!unknowns) {
      if (consistent) leave_out(held_by_each_other);
      return;
    }
    std::vector<Rational> forces(numbers_.drive.size());
    std::size_t next = 0, slip = 0;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (!hypothesis.presses[c]) continue;
      const Rational& normal = (*unknowns)[next++];
      if (normal.sign() <= 0) return;
      forces[contacts_[c].normal] = normal;
      for (const ResistedRow& row : contacts_[c].resisted)
        if (row.direction != 0) forces[row.row] = -(Rational(row.direction) * row.slipping * normal);
      for (std::size_t i = 0; i < rests_.size(); ++i) {
        const Rest& rest = rests_[i];
        if (rest.contact != c || hypothesis.ways[i] == 0) continue;
        if (rest.rows.size() == 1) {
          forces[rest.rows[0]] = -(Rational(hypothesis.ways[i]) * rest.slipping * normal);
        } else {
          for (std::size_t k = 0; k < 2; ++k)
            forces[rest.rows[k]] = -(rest.slipping * directions[slip][k] * normal);
          ++slip;
        }
      }
    }
    for (std::size_t i = 0; i < rests_.size(); ++i) {
      const Rest& rest = rests_[i];
      if (!hypothesis.presses[rest.contact] || hypothesis.ways[i] != 0) continue;
      Rational square;
      for (const std::size_t row : rest.rows) {
        forces[row] = (*unknowns)[next++];
        square += forces[row] * forces[row];
      }
      const Rational limit = rest.sticking * forces[contacts_[rest.contact].normal];
      if (square > limit * limit) return;
    }
    if (!directions.empty())
      for (Rational& force : forces) force = rounded(force);
    add(hypothesis, directions, motion_numbers(numbers_, contacts_, forces, false), forces);
  }

  void add(const Hypothesis& hypothesis, const SlipDirections& directions, MotionNumbers found,
           const std::vector<Rational>& forces) {
    const Rational small = std::max(power(Rational(10), -50), numbers_.noise);
    Rational size;
    for (const Rational& drive : numbers_.drive) size += abs(drive);
    const auto rate = [&](std::size_t row) {
      Rational sum = numbers_.drive[row];
      for (std::size_t h = 0; h < forces.size(); ++h)
        if (!forces[h].is_zero()) sum += forces[h] * numbers_.r[h][row];
      return sum;
    };
    std::size_t slip = 0;
    std::vector<bool> moves(contacts_.size());
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (!hypothesis.presses[c] && found.separations[c] < -(small * size)) return;
      const auto clean = [&](Rational& value) {
        if (abs(value) <= small * size) value = Rational(0);
      };
      clean(found.separations[c]);
      std::for_each(found.slip_rates[c].begin(), found.slip_rates[c].end(), clean);
      for (std::size_t i = 0; i < rests_.size(); ++i) {
        const Rest& rest = rests_[i];
        if (rest.contact != c || !hypothesis.presses[c] || hypothesis.ways[i] == 0) continue;
        moves[c] = true;
        Rational along = Rational(hypothesis.ways[i]) * rate(rest.rows[0]);
        if (rest.rows.size() == 2) {
          along = directions[slip][0] * rate(rest.rows[0]) + directions[slip][1] * rate(rest.rows[1]);
          ++slip;
        }
        if (along <= small * size) return;  // it stays at rest: what sticks has been looked at
      }
    }
    PossibleMotion motion;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const bool slides = std::any_of(contacts_[c].resisted.begin(), contacts_[c].resisted.end(),
                                      [](const ResistedRow& row) { return row.direction != 0; });
      motion.modes.push_back(!hypothesis.presses[c] ? (found.separations[c].is_zero() ? ContactMode::touches
                                                                                      : ContactMode::opens)
                             : contacts_[c].rests() ? (moves[c] ? ContactMode::slips : ContactMode::sticks)
                             : slides               ? ContactMode::slips
                                                    : ContactMode::kept);
    }
    motion.vertices.push_back(std::move(found));
    result_.motions.push_back(std::move(motion));
  }

  const ContactNumbers& numbers_;
  const std::vector<ContactRows>& contacts_;
  std::vector<Rest> rests_;
  std::size_t boxes_ = 0;
  SpaceMotions result_;
};

}  // namespace

SpaceMotions motions_in_space(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts) {
  return SeveralContacts(numbers, contacts).find();
}

}  // namespace liaison
