#include "impact_laws.hpp"

#include <gtest/gtest.h>

namespace liaison {
namespace {

/// A few of the million that `./dev bench contacts` looks at.
TEST(ImpactLaws, random_impacts_keep_what_their_law_promises) {
  for (const ImpactLaw law : {ImpactLaw::energetic, ImpactLaw::newton, ImpactLaw::poisson}) {
    for (const ImpactKind& kind : impact_kinds()) {
      const ImpactLaws laws = random_impacts(law, kind, 1, 400);
      for (const std::string& broken : laws.broken)
        ADD_FAILURE() << word_for(law) << ", " << kind.name << ", " << broken;
      EXPECT_EQ(laws.impacts, 400u);
      if (law == ImpactLaw::energetic || kind.components == 0) {
        EXPECT_GT(laws.promised, 20u) << word_for(law) << ", " << kind.name;
      }
      // One contact always has an impact.
      if (kind.most == 1) {
        EXPECT_EQ(laws.without, 0u) << word_for(law) << ", " << kind.name;
      }
    }
  }
}

/// Newton's law with friction is known to create energy: a judge that never sees it sees nothing.
TEST(ImpactLaws, newtons_law_with_friction_creates_energy) {
  const ImpactLaws laws = random_impacts(ImpactLaw::newton, impact_kinds()[0], 1, 2000);
  EXPECT_GT(laws.creating, 0u);
  EXPECT_GT(laws.created, 1e-3);
}

}  // namespace
}  // namespace liaison
