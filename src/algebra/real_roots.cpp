#include "liaison/algebra/real_roots.hpp"

#include <flint/fmpz_poly.h>

#include <array>

#include "memory.hpp"
#include "operation_costs.hpp"
#include "rewrite.hpp"

namespace liaison {

namespace {

constexpr unsigned long largest_degree = 200;

/// A polynomial in one variable that counts its roots.
class InOneVariable {
 public:
  InOneVariable(const Poly& p, std::size_t variable) {
    fmpz_poly_init(p_);
    Exponents exponents;
    for (std::size_t term = 0; term < p.terms(); ++term) {
      p.exponents(term, exponents);
      fmpz_poly_set_coeff_fmpz(p_, static_cast<slong>(exponents[variable]), p.raw()->coeffs + term);
    }
  }
  ~InOneVariable() { fmpz_poly_clear(p_); }
  InOneVariable(const InOneVariable&) = delete;
  InOneVariable& operator=(const InOneVariable&) = delete;

  /// Different ones.
  std::size_t real_roots() {
    fmpz_poly_t slope, common;
    fmpz_poly_init(slope);
    fmpz_poly_init(common);
    fmpz_poly_derivative(slope, p_);
    fmpz_poly_gcd(common, p_, slope);
    fmpz_poly_div(p_, p_, common);
    fmpz_poly_clear(slope);
    fmpz_poly_clear(common);
    return static_cast<std::size_t>(fmpz_poly_num_real_roots_sturm(p_));
  }

 private:
  fmpz_poly_t p_;
};

/// The one generator that occurs, where it is the symbol or a root of it.
std::optional<std::size_t> only_generator(const Field& field, const Poly& p, Expr symbol) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    if (p.degree(i) == 0) continue;
    const Generator& generator = field.generators()[i];
    if (found || generator.kind != GeneratorKind::plain || generator.atom != symbol) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace

std::optional<std::size_t> most_real_roots(Algebra& algebra, Expr e, Expr symbol) {
  const CallScope scope(algebra);
  try {
    const std::array es{rewrite(algebra, e)};
    Field field = make_field(algebra, es);
    const Poly zero = field.convert(es[0]).num;
    if (zero.is_zero()) return std::nullopt;
    if (zero.is_constant()) return 0;
    const auto generator = only_generator(field, zero, symbol);
    if (!generator || zero.degree(*generator) > largest_degree) return std::nullopt;
    charge_real_roots(zero);
    return InOneVariable(zero, *generator).real_roots();
  } catch (const LimitReached&) {
    return std::nullopt;
  } catch (const NotCanonical&) {
    return std::nullopt;
  }
}

}  // namespace liaison
