#include "liaison/algebra/pieces.hpp"

#include <gtest/gtest.h>

#include <array>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/corners.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison {
namespace {

class Pieces : public ::testing::Test {
 protected:
  Expr e(std::string_view text) { return parse(pool, text); }
  PieceArguments arguments(std::string_view text) {
    const std::array one{e(text)};
    return piece_arguments(one);
  }
  Expr on(std::string_view text, std::string_view surface, int side) {
    const std::array one{e(text)};
    return on_side(one, e(surface), side).front();
  }
  Grade grade(std::string_view left, std::string_view right) {
    return algebra.are_equal(e(left), e(right)).grade;
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(Pieces, a_sign_jumps_and_an_absolute_value_has_a_kink) {
  const PieceArguments found = arguments("sign(x) + abs(y) + sign(x)*x");
  EXPECT_EQ(found.jumps, std::vector{e("x")});
  EXPECT_EQ(found.kinks, std::vector{e("y")});
}

TEST_F(Pieces, min_and_max_change_where_two_arguments_meet) {
  const PieceArguments found = arguments("max(x, 5)");
  EXPECT_TRUE(found.jumps.empty());
  ASSERT_EQ(found.kinks.size(), 1U);
  EXPECT_TRUE(found.kinks[0] == e("x - 5") || found.kinks[0] == e("5 - x"));
}

TEST_F(Pieces, a_side_decides_those_that_lie_behind_it) {
  EXPECT_EQ(on("max(2*x + 6, 0) + abs(x - 1)", "x", 1), e("2*x + 6 + abs(x - 1)"));
  EXPECT_EQ(on("max(2*x + 6, 0) + abs(x - 1)", "x", -1), e("max(2*x + 6, 0) + 1 - x"));
  EXPECT_EQ(on("max(2*x + 6, 0) + abs(x - 1)", "x", 0), e("2*x + 6 + 1 - x"));
  EXPECT_EQ(on("sign(3 - x)", "x", -1), e("1"));
  EXPECT_EQ(on("sign(3 - x)", "x", 1), e("sign(3 - x)"));
  EXPECT_EQ(on("sign(y + 1)", "x", 1), e("sign(y + 1)"));
  EXPECT_EQ(on("abs(-2*x)", "x", -1), e("-2*x"));
}

TEST_F(Pieces, near_a_zero_the_others_are_decided) {
  const std::array one{e("max(x, 0)*abs(x - 1) + sign(-x/2 - 4)*abs(y)")};
  EXPECT_EQ(near_zero_of(one, e("x")).front(), e("max(x, 0)*(1 - x) - abs(y)"));
}

TEST_F(Pieces, inner_pieces_come_first) {
  const PieceArguments found = arguments("abs(abs(x) - 1)");
  ASSERT_EQ(found.kinks.size(), 2U);
  EXPECT_EQ(found.kinks[0], e("x"));
  EXPECT_EQ(found.kinks[1], e("abs(x) - 1"));
}

TEST_F(Pieces, on_a_side_a_piece_is_what_it_is_there) {
  EXPECT_EQ(on("sign(x)*y", "x", 1), e("y"));
  EXPECT_EQ(on("sign(x)*y", "x", -1), e("-y"));
  EXPECT_EQ(on("sign(x)*y", "x", 0), e("0"));
  EXPECT_EQ(on("abs(x) + x", "x", -1), e("0"));
  EXPECT_EQ(on("max(x, 5)", "x - 5", 1), e("x"));
  EXPECT_EQ(on("max(x, 5)", "x - 5", -1), e("5"));
  EXPECT_EQ(on("min(x, 5)", "x - 5", 1), e("5"));
}

TEST_F(Pieces, an_angle_jumps_on_the_negative_half_axis) {
  const std::array one{e("atan2(x, y) + z")};
  const std::vector<Cut> found = cuts(one);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].y, e("x"));
  EXPECT_EQ(found[0].x, e("y"));
}

TEST_F(Pieces, for_all_includes_the_points_where_a_function_changes) {
  EXPECT_EQ(grade("sign(x)^2", "1"), Grade::refuted);
  EXPECT_EQ(grade("sign(x)*abs(x)", "x"), Grade::proved);
  EXPECT_EQ(grade("abs(x + 4)", "x + 4"), Grade::refuted);
  EXPECT_EQ(grade("max(x, 5)", "5"), Grade::refuted);
  EXPECT_EQ(grade("max(x, y) + min(x, y)", "x + y"), Grade::proved);
  EXPECT_EQ(grade("abs(x - 1e6)", "1e6 - x"), Grade::refuted);
  EXPECT_EQ(grade("sign(x)^3", "sign(x)"), Grade::proved);
}

TEST_F(Pieces, a_sign_that_follows_from_other_signs_is_no_case_of_its_own) {
  EXPECT_EQ(grade("max(x, max(y, z))", "max(max(x, y), z)"), Grade::proved);
  EXPECT_EQ(grade("max(max(w, x), max(y, z))", "max(w, max(max(x, y), z))"), Grade::proved);
  EXPECT_EQ(grade("max(x, min(y, z))", "min(max(x, y), max(x, z))"), Grade::proved);
  EXPECT_EQ(grade("max(abs(x - z) - abs(x - y) - abs(y - z), 0)", "0"), Grade::proved);
  EXPECT_EQ(grade("abs(x + 1)*sqrt(x)", "(x + 1)*sqrt(x)"), Grade::proved);
  EXPECT_EQ(grade("sign(x + y + 1)*log(x)*sqrt(y)", "log(x)*sqrt(y)"), Grade::proved);
  EXPECT_EQ(grade("max(x, max(y, z))", "max(max(x, y), y)"), Grade::refuted);
  EXPECT_EQ(grade("abs(x - 1)*sqrt(x)", "(x - 1)*sqrt(x)"), Grade::refuted);
  EXPECT_EQ(grade("sign(x)*sqrt(x)*sqrt(-x)", "sqrt(x)"), Grade::proved);
  EXPECT_EQ(grade("sign(x + y)*log(x)*sqrt(y)", "log(x)*sqrt(y)"), Grade::proved);
  EXPECT_EQ(grade("sign(x + y) + sqrt(x)*sqrt(y)", "1 + sqrt(x)*sqrt(y)"), Grade::refuted);
}

TEST_F(Pieces, a_side_that_no_component_has_is_not_asked_about) {
  Region places{.equations = {e("x^2 - 1")}, .domain = {}, .assumed = {}};
  const auto grade_there = [&](std::string_view left, std::string_view right) {
    return algebra.are_equal(e(left), e(right), places).grade;
  };
  EXPECT_EQ(grade_there("sign(x)", "x"), Grade::proved);
  EXPECT_EQ(grade_there("sign(x - 1/2)", "x"), Grade::proved);
  EXPECT_EQ(grade_there("sign(x - 1)", "(x - 1)/2"), Grade::proved);
  EXPECT_EQ(grade_there("sign(x)", "1"), Grade::refuted);
  EXPECT_EQ(grade_there("sign(x + 2)", "x"), Grade::refuted);
  EXPECT_EQ(grade_there("sign(x + 1)", "1"), Grade::refuted);  // it vanishes at x = -1
  places.equations = {e("x^2 - a^2"), e("y^2 - 2*y*x")};
  EXPECT_EQ(grade_there("abs(a)*sign(x)", "x"), Grade::proved);
  EXPECT_EQ(grade_there("max(y, 0)*sign(x)", "y"), Grade::refuted);
}

TEST_F(Pieces, sides_are_followed_before_all_pieces_are_expanded_in_one) {
  Algebra hasty(pool, {.max_operations = 10'000'000});
  const auto grade_of = [&](std::string_view left, std::string_view right) {
    return hasty.are_equal(e(left), e(right)).grade;
  };
  EXPECT_EQ(grade_of("max(2*x, min(sin(x - y), x - 1))", "min(max(2*x, sin(x - y)), max(2*x, x - 1))"),
            Grade::proved);
  EXPECT_EQ(grade_of("atan(max(x^2, min(sin(tan(x^2)), sin(1 - x))) - 1)",
                     "atan(min(max(x^2, sin(tan(x^2))), max(x^2, sin(1 - x))) - 1)"),
            Grade::proved);
}

/// A curve through many points, in a square: what stands beside a piece in a long sum is not looked at.
TEST_F(Pieces, smoothness_in_long_sums_is_told_by_what_stands_at_the_piece) {
  const Expr x = pool.symbol("x", SymbolKind::coordinate), y = pool.symbol("y", SymbolKind::coordinate);
  std::vector<Expr> terms{y};
  for (long k = 0; k < 60; ++k) {
    const Expr way = max(x - pool.number(k), pool.number(0));
    terms.push_back(pool.number(k + 1) * (k % 2 == 0 ? way : pow(way, 3)));
  }
  const Expr curve = pool.add(terms);
  for (const Expr whole : {curve, pow(curve, 2), curve * y}) {
    const SmoothnessTest test(algebra, whole);
    for (long k = 0; k < 60; ++k) {
      for (const Expr u : {x - pool.number(k), pool.number(2 * k) - 2 * x}) {
        EXPECT_EQ(test.is_smooth_across(u, 1), k % 2 == 1) << k;
        EXPECT_EQ(test.is_smooth_across(u, 2), k % 2 == 1) << k;
        EXPECT_EQ(test.is_smooth_across(u, 3), false) << k;
      }
    }
    EXPECT_EQ(corners(algebra, whole, 1).size(), 30U);
  }
}

/// Two pieces that change at one place, and cancel there.
TEST_F(Pieces, all_pieces_that_change_at_one_place_are_looked_at_together) {
  const Expr x = pool.symbol("x", SymbolKind::coordinate);
  std::vector<Expr> terms{max(2 * x - 6, pool.number(0)), Rational(-1) * abs(x - 3)};
  for (long k = 10; k < 40; ++k) terms.push_back(abs(x - pool.number(k)));
  const SmoothnessTest test(algebra, pool.add(terms));
  EXPECT_TRUE(test.is_smooth_across(x - 3, 1));
  EXPECT_FALSE(test.is_smooth_across(x - 10, 1));
}

}  // namespace
}  // namespace liaison
