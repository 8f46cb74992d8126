#include "liaison/algebra/switching.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "liaison/expr/parse.hpp"

namespace liaison {
namespace {

class SwitchingSurfaces : public ::testing::Test {
 protected:
  Expr e(std::string_view text) { return parse(pool, text); }
  Expr value(std::string_view text, std::string_view surface, int side) {
    return Switching(algebra, e(text)).value({{e(surface), side}});
  }
  /// The oddness of a factor; nothing where it is none.
  std::optional<bool> is_odd(const SignProduct& product, std::string_view base) {
    for (const SignProduct::Factor& factor : product.factors) {
      if (factor.base == e(base)) return factor.is_odd;
    }
    return std::nullopt;
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(SwitchingSurfaces, a_sign_is_the_product_of_those_of_the_factors) {
  const SignProduct product = sign_product(algebra, e("-2*x^3*(y + y^3)*(1 + z)^2*exp(x)"));
  EXPECT_EQ(product.sign, -1);
  EXPECT_EQ(is_odd(product, "x"), true);
  EXPECT_EQ(is_odd(product, "y"), true);
  EXPECT_EQ(is_odd(product, "1 + y^2"), true);
  EXPECT_EQ(is_odd(product, "1 + z"), false);
  EXPECT_EQ(product.factors.size(), 4U);
}

TEST_F(SwitchingSurfaces, roots_and_distances_do_not_change_sides) {
  EXPECT_EQ(is_odd(sign_product(algebra, e("sqrt(x)")), "x"), false);
  EXPECT_EQ(is_odd(sign_product(algebra, e("abs(x)")), "x"), false);
  EXPECT_EQ(is_odd(sign_product(algebra, e("x*abs(x)")), "x"), true);
  EXPECT_EQ(is_odd(sign_product(algebra, e("x*sign(x)")), "x"), false);
}

TEST_F(SwitchingSurfaces, what_changes_on_one_surface_changes_together) {
  for (int side : {1, 0, -1}) {
    EXPECT_EQ(value("sign(x) - sign(x^3)", "x", side), e("0"));
    EXPECT_EQ(value("sign(x)^2*sign(x^3)", "x", side), pool.number(side));
    EXPECT_EQ(value("sign(1 - x) + sign(x - 1)", "x - 1", side), e("0"));
    EXPECT_EQ(value("max(sign(x^2), 0)", "x", side), pool.number(side * side));
  }
}

TEST_F(SwitchingSurfaces, the_sign_of_another_factor_stays) {
  EXPECT_EQ(value("sign(x*y)", "x", -1), e("-sign(y)"));
  EXPECT_EQ(value("sign(x*y)", "x", 0), e("0"));
}

TEST_F(SwitchingSurfaces, an_angle_is_half_a_turn_on_its_cut_and_above_it) {
  EXPECT_EQ(value("atan2(y, -1)", "y", 1), e("pi"));
  EXPECT_EQ(value("atan2(y, -1)", "y", 0), e("pi"));
  EXPECT_EQ(value("atan2(y, -1)", "y", -1), e("-pi"));
  EXPECT_EQ(value("atan2(y, 1)", "y", -1), e("0"));
}

TEST_F(SwitchingSurfaces, a_surface_that_jumps_is_told) {
  EXPECT_EQ(Switching(algebra, e("sign(y + sign(x))")).jumping_surface(), e("y + sign(x)"));
  EXPECT_TRUE(Switching(algebra, e("sign(x*(2 + sign(x)))")).jumping_surface().empty());
}

}  // namespace
}  // namespace liaison
