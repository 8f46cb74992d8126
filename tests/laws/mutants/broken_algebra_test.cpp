#include "broken_algebra.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace liaison::test {
namespace {

class BrokenAlgebra : public ::testing::TestWithParam<AlgebraMutant> {};

TEST_P(BrokenAlgebra, is_caught_by_its_law) {
  const std::string failure = find_failure(algebra_law_named(GetParam().law), GetParam().operations);
  EXPECT_NE(failure, "") << GetParam().defect << " was not noticed";
}

INSTANTIATE_TEST_SUITE_P(Algebra, BrokenAlgebra, ::testing::ValuesIn(algebra_mutants()),
                         [](const auto& tried) {
                           return tried.param.defect + "_against_" + tried.param.law;
                         });

TEST(BrokenAlgebras, every_law_has_been_seen_to_fail) {
  const std::vector<AlgebraMutant> mutants = algebra_mutants();
  for (const AlgebraLaw& law : algebra_laws()) {
    const bool seen = std::any_of(mutants.begin(), mutants.end(),
                                  [&](const AlgebraMutant& m) { return m.law == law.name; });
    EXPECT_TRUE(seen) << law.name << " has no broken variant";
  }
}

}  // namespace
}  // namespace liaison::test
