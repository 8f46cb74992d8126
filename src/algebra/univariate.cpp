#include "univariate.hpp"

#include <acb.h>
#include <arb_fmpz_poly.h>

namespace liaison {

namespace {

class IntegerPolynomial {
 public:
  IntegerPolynomial() { fmpz_poly_init(p_); }
  ~IntegerPolynomial() { fmpz_poly_clear(p_); }
  IntegerPolynomial(const IntegerPolynomial&) = delete;
  IntegerPolynomial& operator=(const IntegerPolynomial&) = delete;
  fmpz_poly_struct* raw() { return p_; }

 private:
  fmpz_poly_t p_;
};

class ComplexBalls {
 public:
  explicit ComplexBalls(slong count) : count_(count), all_(_acb_vec_init(count)) {}
  ~ComplexBalls() { _acb_vec_clear(all_, count_); }
  ComplexBalls(const ComplexBalls&) = delete;
  ComplexBalls& operator=(const ComplexBalls&) = delete;
  acb_ptr raw() { return all_; }

 private:
  slong count_;
  acb_ptr all_;
};

}  // namespace

Univariate::Univariate(const Poly& p, std::size_t variable) {
  fmpz_poly_init(p_);
  Exponents exponents;
  for (std::size_t term = 0; term < p.terms(); ++term) {
    p.exponents(term, exponents);
    fmpz_poly_set_coeff_fmpz(p_, static_cast<slong>(exponents[variable]), p.raw()->coeffs + term);
  }
  IntegerPolynomial slope, common;
  fmpz_poly_derivative(slope.raw(), p_);
  fmpz_poly_gcd(common.raw(), p_, slope.raw());
  fmpz_poly_div(p_, p_, common.raw());
}

std::size_t Univariate::count_real_roots() const {
  return static_cast<std::size_t>(fmpz_poly_num_real_roots_sturm(p_));
}

std::vector<Ball> Univariate::real_roots(long bits) const {
  const slong count = fmpz_poly_degree(p_);
  ComplexBalls roots(count);
  arb_fmpz_poly_complex_roots(roots.raw(), p_, 0, bits);
  std::vector<Ball> result;
  for (slong i = 0; i < count; ++i) {  // of the real ones the imaginary part is exactly zero
    if (!arb_is_zero(acb_imagref(roots.raw() + i))) continue;
    arb_set(result.emplace_back().raw(), acb_realref(roots.raw() + i));
  }
  return result;
}

}  // namespace liaison
