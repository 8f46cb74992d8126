#include "verdict_laws.hpp"

#include <gtest/gtest.h>

namespace liaison::test {
namespace {

class LawOfVerdicts : public ::testing::TestWithParam<VerdictLaw> {};

TEST_P(LawOfVerdicts, holds_on_random_statements) {
  EXPECT_EQ(find_failure(GetParam(), VerdictOperations{}), "");
}

INSTANTIATE_TEST_SUITE_P(Verdicts, LawOfVerdicts, ::testing::ValuesIn(verdict_laws()),
                         [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace liaison::test
