#include "laws/mutants/broken_operators.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace liaison::test {
namespace {

class BrokenOperator : public ::testing::TestWithParam<Mutant> {};

TEST_P(BrokenOperator, is_refuted_by_its_law) {
  const LawResult result = try_law(law_named(GetParam().law), GetParam().operators, 6);
  EXPECT_TRUE(result.verdict.is_refuted())
      << GetParam().defect << " was not noticed: " << describe(result.verdict);
}

INSTANTIATE_TEST_SUITE_P(Forms, BrokenOperator, ::testing::ValuesIn(cartan_mutants()),
                         [](const ::testing::TestParamInfo<Mutant>& tried) {
                           return tried.param.defect + "_against_" + tried.param.law;
                         });

TEST(BrokenOperators, every_law_has_been_seen_to_fail) {
  const std::vector<Mutant> mutants = cartan_mutants();
  for (const Law& law : cartan_laws()) {
    const bool seen =
        std::any_of(mutants.begin(), mutants.end(), [&](const Mutant& m) { return m.law == law.name; });
    EXPECT_TRUE(seen) << law.name << " has no broken variant";
  }
}

}  // namespace
}  // namespace liaison::test
