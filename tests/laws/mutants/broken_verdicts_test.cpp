#include "broken_verdicts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace liaison::test {
namespace {

class BrokenVerdict : public ::testing::TestWithParam<VerdictMutant> {};

TEST_P(BrokenVerdict, is_caught_by_its_law) {
  const std::string failure = find_failure(verdict_law_named(GetParam().law), GetParam().operations);
  EXPECT_NE(failure, "") << GetParam().defect << " was not noticed";
}

INSTANTIATE_TEST_SUITE_P(Verdicts, BrokenVerdict, ::testing::ValuesIn(verdict_mutants()),
                         [](const auto& tried) {
                           return tried.param.defect + "_against_" + tried.param.law;
                         });

TEST(BrokenVerdicts, every_law_has_been_seen_to_fail) {
  const std::vector<VerdictMutant> mutants = verdict_mutants();
  for (const VerdictLaw& law : verdict_laws()) {
    const bool seen = std::any_of(mutants.begin(), mutants.end(),
                                  [&](const VerdictMutant& m) { return m.law == law.name; });
    EXPECT_TRUE(seen) << law.name << " has no broken variant";
  }
}

}  // namespace
}  // namespace liaison::test
