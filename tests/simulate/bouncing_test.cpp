#include "bouncing.hpp"

#include <gtest/gtest.h>

namespace liaison {
namespace {

/// A few of the million that `./dev bench contacts` looks at.
TEST(Bouncing, bodies_in_a_box_do_not_penetrate_and_keep_their_balances) {
  for (const BouncingKind& kind : bouncing_kinds()) {
    const Bouncing found = random_bounces(kind, 1, 150);
    for (const std::string& broken : found.broken) ADD_FAILURE() << kind.name << ", " << broken;
    EXPECT_EQ(found.impacts, 150u) << kind.name;
    EXPECT_GT(found.looks, 1000u) << kind.name;
  }
}

}  // namespace
}  // namespace liaison
