#include <algorithm>
#include <array>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/algebra/region.hpp"
#include "region_proof.hpp"
#include "zero_test.hpp"

namespace liaison {

Verdict Algebra::is_zero(Expr e) {
  return are_equal(e, pool_.number(0), {});
}

Verdict Algebra::are_equal(Expr a, Expr b) {
  return are_equal(a, b, {});
}

Verdict Algebra::are_equal(Expr a, Expr b, const Region& region) {
  return decide(*this, a, b, region);
}

bool Algebra::follows(Expr e, const Region& region) {
  return prove_zero(*this, e, region).proved;
}

bool Algebra::follows_near(Expr e, const Region& region, const BallPoint& point) {
  const RegionProof proof = prove_zero(*this, e, region, most_parts_to_exclude);
  if (proof.proved) return true;
  return proof.open_is_all && std::all_of(proof.open.begin(), proof.open.end(), [&](const Region& part) {
           return std::any_of(part.equations.begin(), part.equations.end(), [&](Expr equation) {
             const BallValues found = evaluate_balls(std::span(&equation, 1), point, check_bits);
             return found.status == EvaluationStatus::ok && !found.values[0].contains_zero();
           });
         });
}

Verdict Algebra::vanishes_on_no_component(Expr e, const Region& region) {
  const Expr zero = pool_.number(0);
  if (follows(e, region)) {
    Verdict verdict = are_equal(zero, zero, region);
    if (verdict.holds()) verdict = Verdict::of(Grade::refuted, "it vanishes everywhere");
    return verdict;
  }
  Region off_its_zeros = region;
  off_its_zeros.assumed.push_back(e);
  Verdict verdict = decide_off_parameters(*this, off_its_zeros);
  if (verdict.grade == Grade::checked && verdict.divided)
    verdict = Verdict::of(Grade::unknown, "it vanishes on a part that may be a component of the states");
  return verdict;
}

Verdict Algebra::vanishes_generically(Expr e) {
  Region off_the_surfaces;
  const std::array es{e};
  const PieceArguments pieces = piece_arguments(es);
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) off_the_surfaces.domain.push_back({u, Bound::nonzero});
  }
  return are_equal(e, pool_.number(0), off_the_surfaces);
}

}  // namespace liaison
