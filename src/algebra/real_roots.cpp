#include "liaison/algebra/real_roots.hpp"

#include <array>

#include "exponential_roots.hpp"
#include "memory.hpp"
#include "operation_costs.hpp"
#include "rewrite.hpp"
#include "univariate.hpp"

namespace liaison {

namespace {

constexpr unsigned long largest_degree = 200;

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
    if (const auto sum = as_exponential_polynomial(field, zero, symbol))
      return count_real_zeros(*sum, zero.ring().budget());
    const auto generator = only_generator(field, zero, symbol);
    if (!generator || zero.degree(*generator) > largest_degree) return std::nullopt;
    charge_real_roots(zero);
    return Univariate(zero, *generator).count_real_roots();
  } catch (const LimitReached&) {
    return std::nullopt;
  } catch (const NotCanonical&) {
    return std::nullopt;
  }
}

}  // namespace liaison
