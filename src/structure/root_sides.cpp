#include <acb.h>
#include <arb_fmpz_poly.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly_factor.h>

#include "expr/raw.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/structure/steady_motion.hpp"

namespace liaison {

namespace {

/// An owner of a polynomial of FLINT's with whole coefficients.
class Polynomial {
 public:
  Polynomial() { fmpz_poly_init(value_); }
  ~Polynomial() { fmpz_poly_clear(value_); }
  Polynomial(const Polynomial&) = delete;
  Polynomial& operator=(const Polynomial&) = delete;
  fmpz_poly_struct* raw() { return value_; }
  slong degree() { return fmpz_poly_degree(value_); }

 private:
  fmpz_poly_t value_;
};

/// An owner of the factors of a polynomial without multiple roots, and their powers.
class Factors {
 public:
  explicit Factors(Polynomial& polynomial) {
    fmpz_poly_factor_init(value_);
    fmpz_poly_factor_squarefree(value_, polynomial.raw());
  }
  ~Factors() { fmpz_poly_factor_clear(value_); }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  slong size() const { return value_->num; }
  fmpz_poly_struct* at(slong k) { return value_->p + k; }
  std::size_t times(slong k) const { return static_cast<std::size_t>(value_->exp[k]); }

 private:
  fmpz_poly_factor_t value_;
};

/// Roots of a polynomial without multiple ones, with as many digits as `is_enough` of each asks for.
template <class Enough, class Take>
void for_each_root(fmpz_poly_struct* polynomial, const Enough& is_enough, const Take& take) {
  const slong n = fmpz_poly_degree(polynomial);
  if (n < 1) return;
  acb_ptr roots = _acb_vec_init(n);
  bool is_decided = false;
  for (slong bits = 64; !is_decided && bits <= 1 << 16; bits *= 2) {
    arb_fmpz_poly_complex_roots(roots, polynomial, 0, bits);
    is_decided = true;
    for (slong k = 0; k < n; ++k) is_decided = is_decided && is_enough(roots + k);
  }
  if (is_decided) {
    for (slong k = 0; k < n; ++k) take(roots + k);
  }
  _acb_vec_clear(roots, n);
  if (!is_decided) throw Error(ErrorCode::limit_reached, "the side of a root was not decided");
}

/// Numerators of the coefficients over a common denominator.
void read(const std::vector<Rational>& coefficients, Polynomial& whole) {
  fmpq_poly_t rational;
  fmpq_poly_init(rational);
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    fmpq_poly_set_coeff_fmpq(rational, static_cast<slong>(k), coefficients[k].raw());
  fmpq_poly_get_numerator(whole.raw(), rational);
  fmpq_poly_clear(rational);
}

/// Takes the roots that are zero out, and counts them.
std::size_t take_zeros(Polynomial& whole) {
  std::size_t zeros = 0;
  while (whole.degree() > 0 && fmpz_is_zero(whole.raw()->coeffs) != 0) {
    fmpz_poly_shift_right(whole.raw(), whole.raw(), 1);
    ++zeros;
  }
  return zeros;
}

/// The same with multiplicities.
template <class Enough, class Take>
void for_each_multiple_root(Polynomial& polynomial, const Enough& is_enough, const Take& take) {
  if (polynomial.degree() < 1) return;
  Factors factors(polynomial);
  for (slong k = 0; k < factors.size(); ++k) {
    const std::size_t times = factors.times(k);
    for_each_root(factors.at(k), is_enough, [&](acb_srcptr root) { take(root, times); });
  }
}

}  // namespace

RootSides count_root_sides(const std::vector<Rational>& coefficients) {
  Polynomial whole, even, odd, common, doubled, rest;
  read(coefficients, whole);
  RootSides sides;
  sides.zero = take_zeros(whole);
  sides.axis = sides.zero;
  for (slong k = 0; k <= whole.degree(); ++k)
    fmpz_poly_set_coeff_fmpz((k % 2 == 0 ? even : odd).raw(), k / 2, whole.raw()->coeffs + k);
  fmpz_poly_gcd(common.raw(), even.raw(), odd.raw());
  for (slong k = 0; k <= common.degree(); ++k)
    fmpz_poly_set_coeff_fmpz(doubled.raw(), 2 * k, common.raw()->coeffs + k);
  fmpz_poly_div(rest.raw(), whole.raw(), doubled.raw());
  const auto has_side = [](acb_srcptr root) { return arb_contains_zero(acb_realref(root)) == 0; };
  for_each_multiple_root(rest, has_side, [&](acb_srcptr root, std::size_t times) {
    (arb_is_positive(acb_realref(root)) != 0 ? sides.right : sides.left) += times;
  });
  // x^2 = y: a pair on the axis where y is negative, one root on each side where it is not.
  const auto is_real_or_not = [&](acb_srcptr root) {
    return arb_contains_zero(acb_imagref(root)) == 0 ||
           (arb_is_zero(acb_imagref(root)) != 0 && has_side(root));
  };
  for_each_multiple_root(common, is_real_or_not, [&](acb_srcptr root, std::size_t times) {
    if (arb_is_zero(acb_imagref(root)) != 0 && arb_is_negative(acb_realref(root)) != 0) {
      sides.axis += 2 * times;
    } else {
      sides.left += times;
      sides.right += times;
    }
  });
  return sides;
}

std::vector<Eigenvalue> enclosed_roots(const std::vector<Rational>& coefficients) {
  Polynomial whole;
  read(coefficients, whole);
  std::vector<Eigenvalue> result(take_zeros(whole), Eigenvalue{Ball(Rational(0)), Ball(Rational(0))});
  if (whole.degree() < 1) return result;
  Factors factors(whole);
  for (slong k = 0; k < factors.size(); ++k) {
    const slong n = fmpz_poly_degree(factors.at(k));
    acb_ptr roots = _acb_vec_init(n);
    arb_fmpz_poly_complex_roots(roots, factors.at(k), 0, 128);
    for (slong i = 0; i < n; ++i) {
      Eigenvalue value;
      arb_set(value.re.raw(), acb_realref(roots + i));
      arb_set(value.im.raw(), acb_imagref(roots + i));
      result.insert(result.end(), factors.times(k), value);
    }
    _acb_vec_clear(roots, n);
  }
  return result;
}

std::string name_of(const RootSides& sides) {
  if (sides.right > 0) return "unstable";
  return sides.axis > 0 ? "neutral" : "asymptotically stable";
}

}  // namespace liaison
