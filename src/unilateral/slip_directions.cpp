#include "slip_directions.hpp"

#include <arb.h>
#include <arb_mat.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "expr/raw.hpp"

namespace liaison {

namespace {

constexpr slong search_bits = 64, root_bits = 320;
constexpr std::size_t most_boxes = 20'000;
constexpr double smallest_box = 0x1p-36, turn = 6.283185307179586;

class Balls {
 public:
  Balls(std::size_t rows, std::size_t columns) {
    arb_mat_init(value_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  Balls(const Balls& other) : Balls(other.rows(), other.columns()) { arb_mat_set(value_, other.value_); }
  Balls& operator=(const Balls& other) {
    if (this == &other) return *this;
    arb_mat_clear(value_);
    arb_mat_init(value_, arb_mat_nrows(other.value_), arb_mat_ncols(other.value_));
    arb_mat_set(value_, other.value_);
    return *this;
  }
  ~Balls() { arb_mat_clear(value_); }
  arb_ptr operator()(std::size_t i, std::size_t j = 0) {
    return arb_mat_entry(value_, static_cast<slong>(i), static_cast<slong>(j));
  }
  arb_srcptr operator()(std::size_t i, std::size_t j = 0) const {
    return arb_mat_entry(value_, static_cast<slong>(i), static_cast<slong>(j));
  }
  std::size_t rows() const { return static_cast<std::size_t>(arb_mat_nrows(value_)); }
  std::size_t columns() const { return static_cast<std::size_t>(arb_mat_ncols(value_)); }
  arb_mat_struct* raw() { return value_; }
  const arb_mat_struct* raw() const { return value_; }

 private:
  arb_mat_t value_;
};

/// What the equations are made of, in balls.
struct GivenBalls {
  Balls drive, effects;  ///< by row; of each unknown, without the slips
  /// What friction of a unit force along the first and the second row of a slip does to every row.
  std::vector<std::array<Balls, 2>> friction;

  GivenBalls(const ContactNumbers& numbers, const SlipEquations& equations, slong bits)
      : drive(numbers.drive.size(), 1), effects(numbers.drive.size(), equations.effects.size()) {
    const std::size_t n = numbers.drive.size();
    for (std::size_t row = 0; row < n; ++row) {
      arb_set_fmpq(drive(row), numbers.drive[row].raw(), bits);
      for (std::size_t u = 0; u < equations.effects.size(); ++u)
        arb_set_fmpq(effects(row, u), equations.effects[u][row].raw(), bits);
    }
    for (const SlipEquations::Slip& slip : equations.slips) {
      std::array<Balls, 2>& one = friction.emplace_back(std::array{Balls(n, 1), Balls(n, 1)});
      for (std::size_t row = 0; row < n; ++row) {
        arb_set_fmpq(one[0](row), (slip.slipping * numbers.r[slip.first][row]).raw(), bits);
        arb_set_fmpq(one[1](row), (slip.slipping * numbers.r[slip.second][row]).raw(), bits);
      }
    }
  }
};

/// The directions at which one hypothesis has a solution.
class Directions {
 public:
  Directions(const ContactNumbers& numbers, const SlipEquations& equations)
      : equations_(equations),
        search_(numbers, equations, search_bits),
        fine_(numbers, equations, root_bits),
        relations_(equations.relations.size(), 2 * equations.slips.size()) {
    for (std::size_t i = 0; i < relations_.rows(); ++i)
      for (std::size_t j = 0; j < relations_.columns(); ++j)
        arb_set_fmpq(relations_(i, j), equations.relations[i][j].raw(), search_bits);
  }

  FoundDirections find(std::size_t& boxes) {
    const auto& slips = equations_.slips;
    if (std::all_of(slips.begin(), slips.end(), [](const auto& slip) { return slip.line.has_value(); }))
      return along_lines();
    std::deque<Balls> open = whole();
    for (; !open.empty(); open.pop_front()) {
      if (++boxes > most_boxes) {
        found_.complete = false;
        break;
      }
      const Balls box = open.front();
      const Answer answer = ask(box);
      if (answer == Answer::none) continue;
      if (answer == Answer::one) continue;  // it is among those found
      if (mag_get_d(arb_radref(box(widest(box)))) < smallest_box) {
        found_.complete = false;
        continue;
      }
      divide(box, open);
    }
    return std::move(found_);
  }

 private:
  enum class Answer { none, one, divide };
  struct Values {
    Balls unknowns, rates, across, slope;
  };

  /// Forth and back on every line; whether the slips grow so is not asked.
  FoundDirections along_lines() const {
    FoundDirections result{{{}}, true};
    arb_t angle, number;
    arb_init(angle);
    arb_init(number);
    for (const SlipEquations::Slip& slip : equations_.slips) {
      arb_set_fmpq(number, (*slip.line)[0].raw(), root_bits);
      arb_set_fmpq(angle, (*slip.line)[1].raw(), root_bits);
      arb_atan2(angle, angle, number, root_bits);
      const std::array<Rational, 2> forth = direction(angle);
      std::vector<SlipDirections> both;
      for (const SlipDirections& so_far : result.all) {
        for (const int sign : {1, -1}) {
          both.push_back(so_far);
          both.back().push_back({Rational(sign) * forth[0], Rational(sign) * forth[1]});
        }
      }
      result.all = std::move(both);
    }
    arb_clear(angle);
    arb_clear(number);
    return result;
  }

  /// All directions: those of a slip along a line are two.
  std::deque<Balls> whole() const {
    constexpr double rounding = smallest_box / 2;
    std::deque<Balls> all{Balls(equations_.slips.size(), 1)};
    for (std::size_t j = 0; j < equations_.slips.size(); ++j) {
      const auto& line = equations_.slips[j].line;
      if (!line) {
        for (Balls& box : all) {
          arb_set_d(box(j), 0.1234567 + turn / 2);
          mag_set_d(arb_radref(box(j)), turn / 2 + 1e-6);
        }
        continue;
      }
      const double angle = std::atan2((*line)[1].to_double(), (*line)[0].to_double());
      std::deque<Balls> both;
      for (Balls& box : all) {
        for (const double direction : {angle, angle + turn / 2}) {
          arb_set_d(box(j), direction);
          mag_set_d(arb_radref(box(j)), rounding);
          both.push_back(box);
        }
      }
      all = std::move(both);
    }
    return all;
  }

  static std::size_t widest(const Balls& box) {
    std::size_t at = 0;
    for (std::size_t j = 1; j < box.rows(); ++j) {
      if (mag_cmp(arb_radref(box(j)), arb_radref(box(at))) > 0) at = j;
    }
    return at;
  }

  static void divide(const Balls& box, std::deque<Balls>& open) {
    const std::size_t j = widest(box);
    const double radius = mag_get_d(arb_radref(box(j))) / 2;
    for (const double side : {-1.0, 1.0}) {
      Balls half = box;
      arb_t shift;
      arb_init(shift);
      arb_set_d(shift, side * radius);
      mag_zero(arb_radref(half(j)));
      arb_add(half(j), half(j), shift, search_bits);
      mag_set_d(arb_radref(half(j)), radius * (1 + 0x1p-20));
      arb_clear(shift);
      open.push_back(std::move(half));
    }
  }

  /// What a unit of each unknown does to every row, while the slips have these directions.
  struct Effects {
    Balls on_rows, cosine, sine;
  };
  Effects effects_at(const Balls& angles, slong bits) const {
    const GivenBalls& given = given_to(bits);
    const std::size_t n = given.drive.rows(), k = angles.rows();
    Effects result{given.effects, Balls(k, 1), Balls(k, 1)};
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t u = equations_.slips[j].unknown;
      arb_sin_cos(result.sine(j), result.cosine(j), angles(j), bits);
      for (std::size_t row = 0; row < n; ++row) {
        arb_submul(result.on_rows(row, u), given.friction[j][0](row), result.cosine(j), bits);
        arb_submul(result.on_rows(row, u), given.friction[j][1](row), result.sine(j), bits);
      }
    }
    return result;
  }

  /// Where the equations may be singular: a rate across a direction times their determinant, the determinant
  /// of the equations with that row beside them, does not vanish.
  bool fails_by_determinant(const Balls& box) const {
    const auto [effects, cosine, sine] = effects_at(box, search_bits);
    const std::size_t unknowns = effects.columns();
    bool result = false;
    arb_t number;
    arb_init(number);
    for (std::size_t j = 0; j < box.rows() && !result; ++j) {
      const SlipEquations::Slip& slip = equations_.slips[j];
      Balls bordered(unknowns + 1, unknowns + 1);
      for (std::size_t e = 0; e < unknowns; ++e) {
        for (std::size_t u = 0; u < unknowns; ++u) arb_set(bordered(e, u), effects(equations_.zero[e], u));
        arb_set(bordered(e, unknowns), search_.drive(equations_.zero[e]));
      }
      for (std::size_t u = 0; u < unknowns; ++u) {
        arb_mul(bordered(unknowns, u), effects(slip.first, u), sine(j), search_bits);
        arb_submul(bordered(unknowns, u), effects(slip.second, u), cosine(j), search_bits);
      }
      arb_mul(bordered(unknowns, unknowns), search_.drive(slip.first), sine(j), search_bits);
      arb_submul(bordered(unknowns, unknowns), search_.drive(slip.second), cosine(j), search_bits);
      arb_mat_det(number, bordered.raw(), search_bits);
      result = !arb_contains_zero(number);
    }
    arb_clear(number);
    return result;
  }

  /// Forces, rates, the parts of the rates across the directions, and how these change with the directions.
  std::optional<Values> values(const Balls& angles, slong bits) const {
    const GivenBalls& given = given_to(bits);
    const std::size_t n = given.drive.rows(), unknowns = equations_.effects.size(), k = angles.rows();
    const Effects made = effects_at(angles, bits);
    const Balls &effects = made.on_rows, &cosine = made.cosine, &sine = made.sine;
    arb_t part;
    arb_init(part);
    Balls matrix(unknowns, unknowns), right(unknowns, 1);
    for (std::size_t e = 0; e < unknowns; ++e) {
      for (std::size_t u = 0; u < unknowns; ++u) arb_set(matrix(e, u), effects(equations_.zero[e], u));
      arb_neg(right(e), given.drive(equations_.zero[e]));
    }
    Values result{Balls(unknowns, 1), Balls(n, 1), Balls(k, 1), Balls(k, k)};
    bool regular = arb_mat_solve(result.unknowns.raw(), matrix.raw(), right.raw(), bits) != 0;
    if (regular) {
      arb_mat_mul(result.rates.raw(), effects.raw(), result.unknowns.raw(), bits);
      arb_mat_add(result.rates.raw(), result.rates.raw(), given.drive.raw(), bits);
      const auto across = [&](const Balls& rates, std::size_t j, arb_ptr to) {
        arb_mul(to, rates(equations_.slips[j].first), sine(j), bits);
        arb_submul(to, rates(equations_.slips[j].second), cosine(j), bits);
      };
      for (std::size_t j = 0; j < k; ++j) across(result.rates, j, result.across(j));
      for (std::size_t i = 0; i < k && regular; ++i) {
        const SlipEquations::Slip& slip = equations_.slips[i];
        Balls change(n, 1), of_unknowns(unknowns, 1);
        for (std::size_t row = 0; row < n; ++row) {
          arb_mul(change(row), given.friction[i][0](row), sine(i), bits);
          arb_submul(change(row), given.friction[i][1](row), cosine(i), bits);
          arb_mul(change(row), change(row), result.unknowns(slip.unknown), bits);
        }
        for (std::size_t e = 0; e < unknowns; ++e) arb_neg(right(e), change(equations_.zero[e]));
        regular = arb_mat_solve(of_unknowns.raw(), matrix.raw(), right.raw(), bits) != 0;
        if (!regular) break;
        Balls moved(n, 1);
        arb_mat_mul(moved.raw(), effects.raw(), of_unknowns.raw(), bits);
        arb_mat_add(moved.raw(), moved.raw(), change.raw(), bits);
        for (std::size_t j = 0; j < k; ++j) across(moved, j, result.slope(j, i));
        arb_mul(part, result.rates(slip.first), cosine(i), bits);
        arb_addmul(part, result.rates(slip.second), sine(i), bits);
        arb_add(result.slope(i, i), result.slope(i, i), part, bits);
      }
    }
    arb_clear(part);
    return regular ? std::optional(std::move(result)) : std::nullopt;
  }

  /// A condition of the hypothesis certainly fails.
  bool fails(const Balls& box, const Values& at) const {
    for (const auto& unknown : equations_.factor_of) {
      if (unknown && arb_is_negative(at.unknowns(*unknown))) return true;
    }
    arb_t along, sine, cosine;
    arb_init(along);
    arb_init(sine);
    arb_init(cosine);
    bool result = false;
    for (std::size_t j = 0; j < box.rows() && !result; ++j) {
      arb_sin_cos(sine, cosine, box(j), search_bits);
      arb_mul(along, at.rates(equations_.slips[j].first), cosine, search_bits);
      arb_addmul(along, at.rates(equations_.slips[j].second), sine, search_bits);
      result = arb_is_negative(along) || !arb_contains_zero(at.across(j));
    }
    arb_clear(along);
    arb_clear(sine);
    arb_clear(cosine);
    return result;
  }

  /// The terms of the relations for directions, or how they change with them.
  Balls terms_of_relations(const Balls& angles, bool changes) const {
    Balls terms(relations_.rows(), angles.rows());
    arb_t sine, cosine;
    arb_init(sine);
    arb_init(cosine);
    for (std::size_t j = 0; j < angles.rows(); ++j) {
      arb_sin_cos(sine, cosine, angles(j), search_bits);
      if (changes) {
        arb_swap(sine, cosine);
        arb_neg(cosine, cosine);
      }
      for (std::size_t i = 0; i < terms.rows(); ++i) {
        arb_mul(terms(i, j), relations_(i, 2 * j), cosine, search_bits);
        arb_addmul(terms(i, j), relations_(i, 2 * j + 1), sine, search_bits);
      }
    }
    arb_clear(sine);
    arb_clear(cosine);
    return terms;
  }

  /// The rates of slips that grow are positive multiples of their directions: sums of them that vanish have
  /// no terms of one sign, and as many sums as slips have a determinant that vanishes.
  bool fails_by_relations(const Balls& box) const {
    const std::size_t k = box.rows();
    const Balls terms = terms_of_relations(box, false);
    for (std::size_t i = 0; i < terms.rows(); ++i) {
      bool rises = false, falls = false, open = false;
      for (std::size_t j = 0; j < k; ++j) {
        rises = rises || arb_is_positive(terms(i, j));
        falls = falls || arb_is_negative(terms(i, j));
        open = open || (arb_contains_zero(terms(i, j)) && !arb_is_zero(terms(i, j)));
      }
      if (!open && rises != falls) return true;
    }
    return terms.rows() >= k && fails_by_determinant_of(terms, box);
  }
  /// By its value in the middle and its changes.
  bool fails_by_determinant_of(const Balls& terms, const Balls& box) const {
    const std::size_t k = box.rows();
    Balls middle = box;
    for (std::size_t j = 0; j < k; ++j) mag_zero(arb_radref(middle(j)));
    const Balls changes = terms_of_relations(box, true), there = terms_of_relations(middle, false);
    const auto determinant = [&](arb_ptr to, const Balls& from, std::size_t changed) {
      Balls square(k, k);
      for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j < k; ++j) arb_set(square(i, j), (j == changed ? changes : from)(i, j));
      arb_mat_det(to, square.raw(), search_bits);
    };
    arb_t value, part, spread;
    arb_init(value);
    arb_init(part);
    arb_init(spread);
    determinant(value, there, k);
    for (std::size_t j = 0; j < k; ++j) {
      determinant(part, terms, j);
      arb_zero(spread);
      mag_set(arb_radref(spread), arb_radref(box(j)));
      arb_addmul(value, part, spread, search_bits);
    }
    const bool result = !arb_contains_zero(value);
    arb_clear(value);
    arb_clear(part);
    arb_clear(spread);
    return result;
  }

  Answer ask(const Balls& box) {
    if (fails_by_relations(box)) return Answer::none;
    const std::optional<Values> over = values(box, search_bits);
    if (!over) return fails_by_determinant(box) ? Answer::none : Answer::divide;
    if (fails(box, *over)) return Answer::none;
    // Krawczyk: m - Y g(m) + (1 - Y g'(B)) (B - m), with Y near the inverse of g'(m).
    const std::size_t k = box.rows();
    Balls middle = box, spread = box, inverse(k, k), image(k, 1), rest(k, k);
    for (std::size_t j = 0; j < k; ++j) {
      mag_zero(arb_radref(middle(j)));
      arf_zero(arb_midref(spread(j)));
    }
    const std::optional<Values> at = values(middle, search_bits);
    if (!at || !arb_mat_inv(inverse.raw(), at->slope.raw(), search_bits)) return Answer::divide;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) mag_zero(arb_radref(inverse(i, j)));
    }
    arb_mat_mul(rest.raw(), inverse.raw(), over->slope.raw(), search_bits);
    arb_mat_neg(rest.raw(), rest.raw());
    for (std::size_t j = 0; j < k; ++j) arb_add_ui(rest(j, j), rest(j, j), 1, search_bits);
    arb_mat_mul(image.raw(), rest.raw(), spread.raw(), search_bits);
    Balls step(k, 1);
    arb_mat_mul(step.raw(), inverse.raw(), at->across.raw(), search_bits);
    arb_mat_sub(image.raw(), image.raw(), step.raw(), search_bits);
    arb_mat_add(image.raw(), image.raw(), middle.raw(), search_bits);
    bool inside = true;
    for (std::size_t j = 0; j < k; ++j) {
      if (!arb_overlaps(image(j), box(j))) return Answer::none;
      inside = inside && arb_contains_interior(box(j), image(j));
    }
    if (!inside) return Answer::divide;
    return refine(middle) ? Answer::one : Answer::divide;
  }

  bool refine(Balls angles) {
    const std::size_t k = angles.rows();
    for (int i = 0; i < 10; ++i) {
      const std::optional<Values> at = values(angles, root_bits);
      Balls step(k, 1);
      if (!at || !arb_mat_solve(step.raw(), at->slope.raw(), at->across.raw(), root_bits)) return false;
      arb_mat_sub(angles.raw(), angles.raw(), step.raw(), root_bits);
      for (std::size_t j = 0; j < k; ++j) mag_zero(arb_radref(angles(j)));
    }
    SlipDirections root;
    for (std::size_t j = 0; j < k; ++j) root.push_back(direction(angles(j)));
    const auto is_near = [](const auto& a, const auto& b) {
      for (std::size_t j = 0; j < a.size(); ++j) {
        for (std::size_t i = 0; i < 2; ++i) {
          if (abs(a[j][i] - b[j][i]) > power(Rational(10), -40)) return false;
        }
      }
      return true;
    };
    for (const SlipDirections& known : found_.all) {
      if (is_near(known, root)) return true;
    }
    found_.all.push_back(std::move(root));
    return true;
  }

  /// On the circle exactly, by the tangent of half the angle or its inverse.
  static std::array<Rational, 2> direction(arb_srcptr angle) {
    arb_t sine, cosine;
    arb_init(sine);
    arb_init(cosine);
    arb_mul_2exp_si(sine, angle, -1);
    arb_sin_cos(sine, cosine, sine, root_bits);
    const bool steep = arf_cmpabs(arb_midref(sine), arb_midref(cosine)) > 0;
    if (steep) arb_swap(sine, cosine);
    arb_div(sine, sine, cosine, root_bits);
    Rational t;
    arf_get_fmpq(t.raw(), arb_midref(sine));
    arb_clear(sine);
    arb_clear(cosine);
    const Rational length = Rational(1) + t * t, other = (Rational(1) - t * t) / length;
    return {steep ? -other : other, Rational(2) * t / length};
  }

  const GivenBalls& given_to(slong bits) const { return bits == search_bits ? search_ : fine_; }

  const SlipEquations& equations_;
  GivenBalls search_, fine_;
  Balls relations_;
  FoundDirections found_;
};

}  // namespace

FoundDirections slip_directions(const ContactNumbers& numbers, const SlipEquations& equations,
                                std::size_t& boxes) {
  return Directions(numbers, equations).find(boxes);
}

}  // namespace liaison
