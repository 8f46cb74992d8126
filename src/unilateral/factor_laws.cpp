#include "factor_laws.hpp"

#include <arb.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "expr/raw.hpp"
#include "liaison/algebra/real_roots.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_hypotheses = 5'000;
constexpr long root_bits = 256;

/// A row that a contact resists, in a hypothesis: it sticks (0), or slips in a direction.
struct Way {
  std::size_t contact, resisted;
  int direction;
};
struct Hypothesis {
  std::vector<bool> presses;  ///< one a contact
  std::vector<Way> ways;      ///< of those that press
};

/// Columns of an affine function: the constant, then what a unit of each unknown friction adds.
using Affine = std::vector<Rational>;

Rational middle_of(const Ball& ball) {
  Rational result;
  arf_get_fmpq(result.raw(), arb_midref(ball.raw()));
  return result;
}

Rational simplest_near(const Rational& value) {
  const Rational slack = abs(value) * power(Rational(10), -40);
  const Rational low = value - slack, high = value + slack;
  Rational result;
  if (!value.is_zero()) fmpq_simplest_between(result.raw(), low.raw(), high.raw());
  return result;
}

class LawProblem {
 public:
  LawProblem(Algebra& algebra, const ContactNumbers& numbers, const std::vector<ContactRows>& contacts,
             const FactorLaws& laws)
      : algebra_(algebra), numbers_(numbers), contacts_(contacts), laws_(laws) {}

  LawMotions find() {
    double count = 1;
    for (const ContactRows& contact : contacts_) {
      double ways = 1;
      for (const ResistedRow& row : contact.resisted) ways *= row.direction != 0 ? 1 : 3;
      count *= 1 + ways;
    }
    if (count > most_hypotheses) {
      leave_open("more ways to stick and slip under a law of factors than are looked at");
      return std::move(result_);
    }
    Hypothesis hypothesis{std::vector<bool>(contacts_.size()), {}};
    choose(hypothesis, 0);
    return std::move(result_);
  }

 private:
  void leave_open(const std::string& why) {
    auto& known = result_.left_open;
    if (std::find(known.begin(), known.end(), why) == known.end()) known.push_back(why);
  }

  void choose(Hypothesis& hypothesis, std::size_t contact) {
    if (contact == contacts_.size()) return look_at(hypothesis);
    hypothesis.presses[contact] = false;
    choose(hypothesis, contact + 1);
    hypothesis.presses[contact] = true;
    choose_way(hypothesis, contact, 0);
    hypothesis.presses[contact] = false;
  }
  void choose_way(Hypothesis& hypothesis, std::size_t contact, std::size_t resisted) {
    const std::vector<ResistedRow>& rows = contacts_[contact].resisted;
    if (resisted == rows.size()) return choose(hypothesis, contact + 1);
    const std::vector<int> ways = rows[resisted].direction != 0 ? std::vector<int>{rows[resisted].direction}
                                                                : std::vector<int>{0, 1, -1};
    for (const int way : ways) {
      hypothesis.ways.push_back({contact, resisted, way});
      choose_way(hypothesis, contact, resisted + 1);
      hypothesis.ways.pop_back();
    }
  }

  const FactorLaw* law_of(const Way& way) const {
    for (const FactorLaw& law : laws_.laws)
      if (law.contact == way.contact && law.resisted == way.resisted) return &law;
    return nullptr;
  }
  const ResistedRow& row_of(const Way& way) const { return contacts_[way.contact].resisted[way.resisted]; }

  void look_at(const Hypothesis& hypothesis) {
    open_.clear();
    for (const Way& way : hypothesis.ways)
      if (way.direction != 0 && law_of(way) != nullptr) open_.push_back(way);
    if (!solve(hypothesis)) return;
    if (open_.empty()) {
      take(hypothesis, {});
      return;
    }
    std::vector<Expr> unknowns, equations;
    Pool& pool = algebra_.pool();
    for (std::size_t i = 0; i < open_.size(); ++i)
      unknowns.push_back(pool.symbol(fmt::format("friction_{}'", i), SymbolKind::multiplier));
    const Substitution factors = factors_in(unknowns);
    for (std::size_t i = 0; i < open_.size(); ++i)
      equations.push_back(unknowns[i] - substitute(law_of(open_[i])->slipping, factors) *
                                            in(unknowns, forces_[contacts_[open_[i].contact].normal]));
    const auto roots = real_solutions(algebra_, equations, unknowns, root_bits);
    if (!roots) {
      leave_open(
          "a law of friction in factors whose solutions are not all found: it is not rational, or there "
          "are infinitely many");
      return;
    }
    for (const std::vector<Ball>& box : *roots) try_root(hypothesis, box, unknowns, equations);
  }

  /// Exact where short fractions solve the equations; of several unknowns a box may hold no zero.
  void try_root(const Hypothesis& hypothesis, const std::vector<Ball>& box, const std::vector<Expr>& unknowns,
                const std::vector<Expr>& equations) {
    constexpr std::uint64_t short_fraction = 60;
    Substitution at;
    std::vector<Rational> simple, middle;
    bool is_short = true;
    for (std::size_t i = 0; i < box.size(); ++i) {
      middle.push_back(middle_of(box[i]));
      simple.push_back(simplest_near(middle.back()));
      is_short = is_short && simple.back().bits() <= short_fraction;
      at.emplace(unknowns[i], algebra_.pool().number(simple.back()));
    }
    const auto vanishes = [&](Expr e) { return algebra_.is_zero(substitute(e, at)).is_proved(); };
    if (is_short && std::all_of(equations.begin(), equations.end(), vanishes)) {
      take(hypothesis, simple);
      return;
    }
    if (unknowns.size() > 1 && !is_zero_of(box, unknowns, equations)) return;
    if (take(hypothesis, middle)) result_.exact = false;
  }
  /// To the digits of a box.
  bool is_zero_of(const std::vector<Ball>& box, const std::vector<Expr>& unknowns,
                  const std::vector<Expr>& equations) const {
    BallPoint point;
    for (std::size_t i = 0; i < box.size(); ++i) point.emplace(unknowns[i], box[i]);
    const BallValues found = evaluate_balls(equations, point, root_bits);
    return std::all_of(found.values.begin(), found.values.end(),
                       [](const Ball& value) { return arb_contains_zero(value.raw()) != 0; });
  }

  Expr in(const std::vector<Expr>& unknowns, const Affine& affine) const {
    Expr sum = algebra_.pool().number(affine[0]);
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      sum = sum + algebra_.pool().number(affine[i + 1]) * unknowns[i];
    return sum;
  }
  Substitution factors_in(const std::vector<Expr>& unknowns) const {
    Substitution result;
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      result.emplace(laws_.contact_factors[c], in(unknowns, forces_[contacts_[c].normal]));
    for (std::size_t b = 0; b < laws_.bilateral_factors.size(); ++b) {
      Affine factor(open_.size() + 1);
      factor[0] = numbers_.bilateral_factors[b];
      for (std::size_t h = 0; h < forces_.size(); ++h)
        for (std::size_t i = 0; i < factor.size(); ++i)
          factor[i] += forces_[h][i] * numbers_.bilateral_response[h][b];
      result.emplace(laws_.bilateral_factors[b], in(unknowns, factor));
    }
    return result;
  }

  /// The forces of all rows as affine functions of the open frictions; false where the others are not
  /// determined by them.
  bool solve(const Hypothesis& hypothesis) {
    std::vector<Affine> effects;             // of each unknown on the rows
    std::vector<std::size_t> unknown, zero;  // its row; rows whose rates vanish
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (!hypothesis.presses[c]) continue;
      unknown.push_back(contacts_[c].normal);
      effects.push_back(numbers_.r[contacts_[c].normal]);
      for (const Way& way : hypothesis.ways) {
        if (way.contact != c || way.direction == 0 || law_of(way) != nullptr) continue;
        const Rational part = Rational(-way.direction) * row_of(way).slipping;
        for (std::size_t k = 0; k < numbers_.r.size(); ++k)
          effects.back()[k] =
              sum_beside_noise(effects.back()[k], part * numbers_.r[row_of(way).row][k], numbers_.noise);
      }
    }
    for (const Way& way : hypothesis.ways) {
      if (way.direction != 0) continue;
      unknown.push_back(row_of(way).row);
      effects.push_back(numbers_.r[row_of(way).row]);
    }
    const std::size_t n = unknown.size(), width = n + 1 + open_.size();
    RationalMatrix rows;
    for (const std::size_t k : unknown) {
      std::vector<Rational>& row = rows.emplace_back();
      for (const Affine& effect : effects) row.push_back(effect[k]);
      row.push_back(-numbers_.drive[k]);
      for (const Way& way : open_) row.push_back(Rational(way.direction) * numbers_.r[row_of(way).row][k]);
    }
    if (!eliminate(rows, width)) {
      leave_open("forces that are not determined, under a law of friction in factors");
      return false;
    }
    forces_.assign(numbers_.r.size(), Affine(open_.size() + 1));
    for (std::size_t i = 0; i < n; ++i)
      std::copy(rows[i].begin() + static_cast<std::ptrdiff_t>(n), rows[i].end(), forces_[unknown[i]].begin());
    for (const Way& way : hypothesis.ways) {
      if (way.direction == 0 || law_of(way) != nullptr) continue;
      for (std::size_t i = 0; i <= open_.size(); ++i)
        forces_[row_of(way).row][i] =
            Rational(-way.direction) * row_of(way).slipping * forces_[contacts_[way.contact].normal][i];
    }
    for (std::size_t i = 0; i < open_.size(); ++i)
      forces_[row_of(open_[i]).row][i + 1] = Rational(-open_[i].direction);
    return true;
  }
  bool eliminate(RationalMatrix& rows, std::size_t width) const {
    for (std::size_t column = 0; column < rows.size(); ++column) {
      std::size_t pivot = column;
      for (std::size_t i = column + 1; i < rows.size(); ++i)
        if (abs(rows[i][column]) > abs(rows[pivot][column])) pivot = i;
      if (rows[pivot][column].is_zero()) return false;
      std::swap(rows[pivot], rows[column]);
      const Rational own = rows[column][column];
      for (Rational& entry : rows[column]) entry = entry / own;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == column || rows[i][column].is_zero()) continue;
        const Rational ratio = rows[i][column];
        for (std::size_t j = column; j < width; ++j)
          rows[i][j] = j == column ? Rational(0)
                                   : sum_beside_noise(rows[i][j], -(ratio * rows[column][j]), numbers_.noise);
      }
    }
    return true;
  }

  /// Zero beside something of its kind, in numbers of 60 digits.
  static int sign_of(const Rational& value, const Rational& beside) {
    const Rational slack = power(Rational(10), -50) * (abs(beside) + abs(value));
    return abs(value) <= slack ? 0 : value.sign();
  }

  /// A coefficient where the open frictions are these; nothing where it has no value.
  std::optional<Rational> value_of(Expr law, const std::vector<Rational>& frictions) {
    std::vector<Expr> constants;
    for (const Rational& friction : frictions) constants.push_back(algebra_.pool().number(friction));
    const Expr value = substitute(law, factors_in(constants));
    if (value.is_number()) return value.number();
    const LongValue digits = evaluate_digits(value, {}, 60);
    if (!digits.value) return {};
    result_.exact = false;
    return middle_of(*digits.value);
  }

  /// Whether the conditions of a hypothesis hold: then it is a motion.
  bool take(const Hypothesis& hypothesis, const std::vector<Rational>& frictions) {
    std::vector<Rational> forces;
    for (const Affine& force : forces_) {
      Rational& sum = forces.emplace_back(force[0]);
      for (std::size_t i = 0; i < frictions.size(); ++i) sum += force[i + 1] * frictions[i];
    }
    PossibleMotion motion;
    motion.vertices.push_back(motion_numbers(numbers_, contacts_, forces, false));
    const MotionNumbers& numbers = motion.vertices[0];
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const Rational& value = hypothesis.presses[c] ? numbers.factors[c] : numbers.separations[c];
      const Rational& drive = numbers_.drive[contacts_[c].normal];
      const int sign = hypothesis.presses[c]
                           ? sign_of(value * numbers_.r[contacts_[c].normal][contacts_[c].normal], drive)
                           : sign_of(value, drive);
      if (sign < 0) return false;
      if (sign == 0) return at_limit();
      motion.modes.push_back(!hypothesis.presses[c]          ? ContactMode::opens
                             : contacts_[c].resisted.empty() ? ContactMode::kept
                                                             : ContactMode::sticks);
    }
    for (const Way& way : hypothesis.ways)
      if (const auto broken = breaks(way, numbers, frictions); broken) return *broken ? false : at_limit();
    for (const Way& way : hypothesis.ways)
      if (way.direction != 0) motion.modes[way.contact] = ContactMode::slips;
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (hypothesis.presses[c] && contacts_[c].rests() && !begins(hypothesis, c))
        motion.modes[c] = ContactMode::sticks;
    result_.motions.push_back(std::move(motion));
    return true;
  }
  bool begins(const Hypothesis& hypothesis, std::size_t c) const {
    return std::any_of(hypothesis.ways.begin(), hypothesis.ways.end(), [&](const Way& way) {
      return way.contact == c && way.direction != 0 && row_of(way).direction == 0;
    });
  }
  bool at_limit() {
    leave_open("a motion at a limit of its conditions, under a law of friction in factors");
    return false;
  }

  /// true: a condition is broken; false: it is at its limit; nothing: it holds.
  std::optional<bool> breaks(const Way& way, const MotionNumbers& numbers,
                             const std::vector<Rational>& frictions) {
    const ResistedRow& row = row_of(way);
    const FactorLaw* law = law_of(way);
    const Rational& pressure = numbers.factors[way.contact];
    std::optional<Rational> slipping = row.slipping, sticking = row.sticking;
    if (law != nullptr) {
      slipping = value_of(law->slipping, frictions);
      sticking = value_of(law->sticking, frictions);
      if (!slipping || !sticking || slipping->sign() < 0 || *sticking < *slipping) {
        leave_open(
            "a coefficient of friction that depends on factors, and is negative or has no value with "
            "some of them, or is smaller where it sticks");
        return true;
      }
    }
    if (way.direction == 0) {
      const Rational limit = *sticking * pressure;
      const int lack = sign_of(limit - abs(numbers.resistances[way.contact][way.resisted]), limit);
      return lack > 0 ? std::optional<bool>() : lack < 0;
    }
    if (row.direction != 0) return {};
    const Rational& rate = numbers.slip_rates[way.contact][way.resisted];
    const int growth = sign_of(Rational(way.direction) * rate, numbers_.drive[row.row]);
    return growth > 0 ? std::optional<bool>() : growth < 0;
  }

  Algebra& algebra_;
  const ContactNumbers& numbers_;
  const std::vector<ContactRows>& contacts_;
  const FactorLaws& laws_;
  std::vector<Way> open_;       ///< what slips under a law of factors
  std::vector<Affine> forces_;  ///< of all rows
  LawMotions result_;
};

}  // namespace

LawMotions motions_of_laws(Algebra& algebra, const ContactNumbers& numbers,
                           const std::vector<ContactRows>& contacts, const FactorLaws& laws) {
  return LawProblem(algebra, numbers, contacts, laws).find();
}

}  // namespace liaison
