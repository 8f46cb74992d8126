#include "slip_directions.hpp"

#include <arb.h>
#include <arb_mat.h>

#include <deque>

#include "expr/raw.hpp"

namespace liaison {

namespace {

constexpr slong search_bits = 80, root_bits = 320;
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

/// The directions at which one hypothesis has a solution.
class Directions {
 public:
  Directions(const ContactNumbers& numbers, const SlipEquations& equations)
      : numbers_(numbers), equations_(equations) {}

  FoundDirections find(std::size_t& boxes) {
    const std::size_t k = equations_.slips.size();
    Balls whole(k, 1);
    for (std::size_t j = 0; j < k; ++j) {
      arb_set_d(whole(j), 0.1234567 + turn / 2);
      mag_set_d(arb_radref(whole(j)), turn / 2 + 1e-6);
    }
    std::deque<Balls> open{whole};
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
    const std::size_t n = numbers_.drive.size(), unknowns = equations_.effects.size(), k = angles.rows();
    Effects result{Balls(n, unknowns), Balls(k, 1), Balls(k, 1)};
    arb_t number;
    arb_init(number);
    for (std::size_t u = 0; u < unknowns; ++u) {
      for (std::size_t row = 0; row < n; ++row)
        arb_set_fmpq(result.on_rows(row, u), equations_.effects[u][row].raw(), bits);
    }
    for (std::size_t j = 0; j < k; ++j) {
      const SlipEquations::Slip& slip = equations_.slips[j];
      arb_sin_cos(result.sine(j), result.cosine(j), angles(j), bits);
      for (std::size_t row = 0; row < n; ++row) {
        arb_set_fmpq(number, (slip.slipping * numbers_.r[slip.first][row]).raw(), bits);
        arb_submul(result.on_rows(row, slip.unknown), number, result.cosine(j), bits);
        arb_set_fmpq(number, (slip.slipping * numbers_.r[slip.second][row]).raw(), bits);
        arb_submul(result.on_rows(row, slip.unknown), number, result.sine(j), bits);
      }
    }
    arb_clear(number);
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
        arb_set_fmpq(bordered(e, unknowns), numbers_.drive[equations_.zero[e]].raw(), search_bits);
      }
      for (std::size_t u = 0; u < unknowns; ++u) {
        arb_mul(bordered(unknowns, u), effects(slip.first, u), sine(j), search_bits);
        arb_submul(bordered(unknowns, u), effects(slip.second, u), cosine(j), search_bits);
      }
      arb_set_fmpq(number, numbers_.drive[slip.first].raw(), search_bits);
      arb_mul(bordered(unknowns, unknowns), number, sine(j), search_bits);
      arb_set_fmpq(number, numbers_.drive[slip.second].raw(), search_bits);
      arb_submul(bordered(unknowns, unknowns), number, cosine(j), search_bits);
      arb_mat_det(number, bordered.raw(), search_bits);
      result = !arb_contains_zero(number);
    }
    arb_clear(number);
    return result;
  }

  /// Forces, rates, the parts of the rates across the directions, and how these change with the directions.
  std::optional<Values> values(const Balls& angles, slong bits) const {
    const std::size_t n = numbers_.drive.size(), unknowns = equations_.effects.size(), k = angles.rows();
    const Effects made = effects_at(angles, bits);
    const Balls &effects = made.on_rows, &cosine = made.cosine, &sine = made.sine;
    arb_t part, number;
    arb_init(part);
    arb_init(number);
    const auto set = [&](arb_ptr to, const Rational& value) { arb_set_fmpq(to, value.raw(), bits); };
    Balls matrix(unknowns, unknowns), right(unknowns, 1);
    for (std::size_t e = 0; e < unknowns; ++e) {
      for (std::size_t u = 0; u < unknowns; ++u) arb_set(matrix(e, u), effects(equations_.zero[e], u));
      set(right(e), -numbers_.drive[equations_.zero[e]]);
    }
    Values result{Balls(unknowns, 1), Balls(n, 1), Balls(k, 1), Balls(k, k)};
    bool regular = arb_mat_solve(result.unknowns.raw(), matrix.raw(), right.raw(), bits) != 0;
    if (regular) {
      arb_mat_mul(result.rates.raw(), effects.raw(), result.unknowns.raw(), bits);
      for (std::size_t row = 0; row < n; ++row) {
        set(number, numbers_.drive[row]);
        arb_add(result.rates(row), result.rates(row), number, bits);
      }
      const auto across = [&](const Balls& rates, std::size_t j, arb_ptr to) {
        arb_mul(to, rates(equations_.slips[j].first), sine(j), bits);
        arb_submul(to, rates(equations_.slips[j].second), cosine(j), bits);
      };
      for (std::size_t j = 0; j < k; ++j) across(result.rates, j, result.across(j));
      for (std::size_t i = 0; i < k && regular; ++i) {
        const SlipEquations::Slip& slip = equations_.slips[i];
        Balls change(n, 1), of_unknowns(unknowns, 1);
        for (std::size_t row = 0; row < n; ++row) {
          set(number, slip.slipping * numbers_.r[slip.first][row]);
          arb_mul(change(row), number, sine(i), bits);
          set(number, slip.slipping * numbers_.r[slip.second][row]);
          arb_submul(change(row), number, cosine(i), bits);
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
    arb_clear(number);
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

  Answer ask(const Balls& box) {
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

  const ContactNumbers& numbers_;
  const SlipEquations& equations_;
  FoundDirections found_;
};

}  // namespace

FoundDirections slip_directions(const ContactNumbers& numbers, const SlipEquations& equations,
                                std::size_t& boxes) {
  return Directions(numbers, equations).find(boxes);
}

}  // namespace liaison
