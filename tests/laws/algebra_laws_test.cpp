#include "algebra_laws.hpp"

#include <gtest/gtest.h>

namespace liaison::test {
namespace {

class AlgebraicLaw : public ::testing::TestWithParam<AlgebraLaw> {};

TEST_P(AlgebraicLaw, holds_on_random_expressions) {
  EXPECT_EQ(find_failure(GetParam(), AlgebraOperations{}), "");
}

INSTANTIATE_TEST_SUITE_P(Algebra, AlgebraicLaw, ::testing::ValuesIn(algebra_laws()),
                         [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace liaison::test
