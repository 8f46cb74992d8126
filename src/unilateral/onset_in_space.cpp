#include "liaison/unilateral/onset_in_space.hpp"

#include <acb.h>
#include <arb_fmpz_poly.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>

#include <array>
#include <optional>

#include "expr/raw.hpp"
#include "liaison/expr/error.hpp"

namespace liaison {

namespace {

/// a + b cos(s) + c sin(s).
using Trigonometric = std::array<Rational, 3>;

/// Polynomials in t = tan(s/2) of degree two, (1 + t^2) times the trigonometric one.
class Polynomial {
 public:
  Polynomial() { fmpq_poly_init(value_); }
  Polynomial(const Polynomial& other) : Polynomial() { fmpq_poly_set(value_, other.value_); }
  Polynomial& operator=(const Polynomial& other) {
    fmpq_poly_set(value_, other.value_);
    return *this;
  }
  ~Polynomial() { fmpq_poly_clear(value_); }
  static Polynomial of(const Trigonometric& e) {
    Polynomial result;
    const Rational constant = e[0] + e[1], linear = Rational(2) * e[2], square = e[0] - e[1];
    fmpq_poly_set_coeff_fmpq(result.value_, 0, constant.raw());
    fmpq_poly_set_coeff_fmpq(result.value_, 1, linear.raw());
    fmpq_poly_set_coeff_fmpq(result.value_, 2, square.raw());
    return result;
  }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    fmpq_poly_mul(result.value_, a.value_, b.value_);
    return result;
  }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    fmpq_poly_sub(result.value_, a.value_, b.value_);
    return result;
  }
  bool is_zero() const { return fmpq_poly_is_zero(value_); }

  /// All real roots, each once, to 60 digits and more.
  std::vector<Rational> real_roots() const {
    std::vector<Rational> result;
    if (fmpq_poly_degree(value_) < 1) return result;
    fmpz_poly_t whole, slope, common;
    fmpz_poly_init(whole);
    fmpz_poly_init(slope);
    fmpz_poly_init(common);
    fmpq_poly_get_numerator(whole, value_);
    fmpz_poly_derivative(slope, whole);
    fmpz_poly_gcd(common, whole, slope);
    fmpz_poly_div(whole, whole, common);  // every root once
    const slong degree = fmpz_poly_degree(whole);
    acb_ptr roots = _acb_vec_init(degree);
    arb_fmpz_poly_complex_roots(roots, whole, 0, 256);
    for (slong i = 0; i < degree; ++i) {
      if (!acb_is_real(roots + i)) continue;
      arf_get_fmpq(result.emplace_back().raw(), arb_midref(acb_realref(roots + i)));
    }
    _acb_vec_clear(roots, degree);
    fmpz_poly_clear(whole);
    fmpz_poly_clear(slope);
    fmpz_poly_clear(common);
    return result;
  }

 private:
  fmpq_poly_t value_;
};

class OneContactInSpace {
 public:
  OneContactInSpace(const ContactNumbers& numbers, const ContactRows& contact)
      : numbers_(numbers), contact_(contact) {}

  SpaceMotions find() {
    add_open();
    add_stuck();
    add_slipping();
    return std::move(result_);
  }

 private:
  std::size_t row(std::size_t i) const { return i == 2 ? contact_.normal : contact_.resisted[i].row; }
  const Rational& r(std::size_t force, std::size_t relation) const {
    return numbers_.r[row(force)][row(relation)];
  }
  const Rational& drive(std::size_t relation) const { return numbers_.drive[row(relation)]; }

  void add(ContactMode mode, const std::array<Rational, 3>& forces) {
    std::vector<Rational> all(numbers_.r.size());
    for (std::size_t i = 0; i < 3; ++i) all[row(i)] = forces[i];
    PossibleMotion motion;
    motion.modes = {mode};
    motion.vertices.push_back(motion_numbers(numbers_, {contact_}, all, false));
    result_.motions.push_back(std::move(motion));
  }

  void add_open() {
    if (drive(2).sign() < 0) return;
    add(drive(2).sign() > 0 ? ContactMode::opens : ContactMode::touches, {});
  }

  /// sum_h f_h r(h, k) = -drive(k), by Cramer's rule.
  void add_stuck() {
    const auto determinant = [&](std::optional<std::size_t> replaced) {
      const auto entry = [&](std::size_t k, std::size_t h) { return replaced == h ? -drive(k) : r(h, k); };
      Rational sum;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        sum += entry(0, i) * (entry(1, j) * entry(2, k) - entry(1, k) * entry(2, j));
      }
      return sum;
    };
    const Rational whole = determinant(std::nullopt);
    if (whole.is_zero()) {
      throw Error(
          ErrorCode::undefined_constant,
          "what holds the contact along its surface is not determined: another constraint does so too",
          "resist the velocity that is left: `friction F on U` with one component");
    }
    const std::array<Rational, 3> forces = {determinant(0) / whole, determinant(1) / whole,
                                            determinant(2) / whole};
    const Rational limit = contact_.resisted[0].sticking * forces[2];
    if (forces[2].sign() > 0 && forces[0] * forces[0] + forces[1] * forces[1] <= limit * limit) {
      add(ContactMode::sticks, forces);
    }
  }

  /// What a unit of N does to a relation while it slips in the direction s.
  Trigonometric effect(std::size_t relation) const {
    const Rational& mu = contact_.resisted[0].slipping;
    return {r(2, relation), -(mu * r(0, relation)), -(mu * r(1, relation))};
  }

  /// N D = -drive_n with D the effect on the normal; the rates of the slip times D, and their part across s
  /// is zero.
  void add_slipping() {
    const Polynomial normal = Polynomial::of(effect(2));
    const auto rate = [&](std::size_t k) {
      return Polynomial::of({drive(k), Rational(0), Rational(0)}) * normal -
             Polynomial::of({drive(2), Rational(0), Rational(0)}) * Polynomial::of(effect(k));
    };
    const Polynomial cosine = Polynomial::of({Rational(0), Rational(1), Rational(0)});
    const Polynomial sine = Polynomial::of({Rational(0), Rational(0), Rational(1)});
    const Polynomial across = rate(0) * sine - rate(1) * cosine;
    if (across.is_zero()) {
      // Then D times the rates is k (cos s, sin s): along s it has the sign of k D, and N that of -drive D.
      const Trigonometric e = effect(2), u = effect(0);
      const Rational k = drive(0) * (e[0] + e[1]) - drive(2) * (u[0] + u[1]);
      result_.every_direction = k.sign() * drive(2).sign() < 0;
      return;
    }
    for (const Rational& t : across.real_roots()) {
      const Rational length = Rational(1) + t * t;
      try_direction((Rational(1) - t * t) / length, Rational(2) * t / length);
    }
    try_direction_behind();
  }

  /// s = pi, where t is infinite.
  void try_direction_behind() {
    const Rational cosine(-1), sine(0);
    const Trigonometric e = effect(2), u = effect(1);
    const Rational normal = e[0] - e[1];
    if (normal.is_zero()) return;
    const Rational force = -drive(2) / normal;
    if ((drive(1) + force * (u[0] - u[1])).is_zero()) try_direction(cosine, sine);
  }

  void try_direction(const Rational& cosine, const Rational& sine) {
    const auto at = [&](const Trigonometric& e) { return e[0] + e[1] * cosine + e[2] * sine; };
    const Rational normal = at(effect(2));
    if (normal.is_zero()) return;
    const Rational force = -drive(2) / normal;
    const Rational along =
        (drive(0) + force * at(effect(0))) * cosine + (drive(1) + force * at(effect(1))) * sine;
    const Rational small = power(Rational(10), -50);
    if (force <= small * abs(drive(2)) || along <= small * (abs(drive(0)) + abs(drive(1)) + force)) return;
    const Rational& mu = contact_.resisted[0].slipping;
    add(ContactMode::slips, {-(mu * force * cosine), -(mu * force * sine), force});
  }

  const ContactNumbers& numbers_;
  const ContactRows& contact_;
  SpaceMotions result_;
};

}  // namespace

SpaceMotions motions_in_space(const ContactNumbers& numbers, const ContactRows& contact) {
  return OneContactInSpace(numbers, contact).find();
}

}  // namespace liaison
