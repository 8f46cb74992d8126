#include "liaison/forms/ideal.hpp"

#include <fmt/format.h>

#include "require.hpp"
#include "verdicts.hpp"

namespace liaison {

namespace {

/// theta^1 ^ ... ^ theta^k. Throws wrong_degree, mixed_coframes, and not_a_basis if the forms are dependent.
Form volume_of(Algebra& algebra, const CoframePtr& coframe, std::span<const Form> generators) {
  require_pfaff_forms(generators, coframe, "a generator of an ideal");
  Form volume = Form::function(coframe, coframe->pool().number(1));
  for (const Form& generator : generators) volume = wedge(volume, generator);
  volume = simplified(algebra, volume);
  if (is_zero(algebra, volume).holds()) {
    throw Error(
        ErrorCode::not_a_basis,
        fmt::format("the {} generators of the ideal are dependent: their product is 0", generators.size()),
        "leave out the forms that are combinations of the others");
  }
  return volume;
}

}  // namespace

Verdict is_closed(Algebra& algebra, const Form& a) {
  return is_zero(algebra, d(a));
}

Verdict is_in_ideal(Algebra& algebra, const Form& a, std::span<const Form> generators) {
  return is_zero(algebra, wedge(a, volume_of(algebra, a.coframe(), generators)));
}

Verdict is_closed_modulo(Algebra& algebra, const Form& a, std::span<const Form> generators) {
  return is_in_ideal(algebra, d(a), generators);
}

FrobeniusResult frobenius(Algebra& algebra, std::span<const Form> generators) {
  FrobeniusResult result;
  WeakestVerdict weakest;
  if (!generators.empty()) {
    const Form volume = volume_of(algebra, generators[0].coframe(), generators);
    for (std::size_t i = 0; i < generators.size(); ++i) {
      result.torsions.push_back(simplified(algebra, wedge(d(generators[i]), volume)));
      const Verdict verdict = is_zero(algebra, result.torsions.back());
      if (!verdict.holds() && !result.obstruction) result.obstruction = i;
      weakest.add(verdict);
    }
  }
  result.integrable = weakest.verdict();
  return result;
}

}  // namespace liaison
