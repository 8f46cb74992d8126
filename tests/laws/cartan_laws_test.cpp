#include "laws/cartan_laws.hpp"

#include <gtest/gtest.h>

namespace liaison::test {
namespace {

class CartanLaw : public ::testing::TestWithParam<Law> {};

TEST_P(CartanLaw, holds_on_random_forms_and_fields) {
  const LawResult result = try_law(GetParam(), Operators{}, 6);
  EXPECT_TRUE(result.verdict.is_proved()) << "on " << result.where << "\n" << describe(result.verdict);
}

INSTANTIATE_TEST_SUITE_P(Forms, CartanLaw, ::testing::ValuesIn(cartan_laws()),
                         [](const ::testing::TestParamInfo<Law>& tried) { return tried.param.name; });

}  // namespace
}  // namespace liaison::test
