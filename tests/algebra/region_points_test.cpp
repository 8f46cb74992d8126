#include "liaison/algebra/region.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {
namespace {

class RegionPoints : public ::testing::Test {
 protected:
  RegionPoints() {
    pool.function("f", 1);
    for (const char* name : {"x", "y", "z", "w"}) pool.symbol(name, SymbolKind::coordinate);
    for (const char* name : {"u", "v"}) pool.symbol(name, SymbolKind::velocity);
    for (const char* name : {"l", "m"}) pool.symbol(name, SymbolKind::parameter, true);
  }
  Expr e(std::string_view text) { return parse(pool, text); }
  std::vector<Expr> es(std::initializer_list<const char*> texts) {
    std::vector<Expr> result;
    for (const char* text : texts) result.push_back(e(text));
    return result;
  }
  Region region(std::initializer_list<const char*> equations, Domain domain = {}) {
    return {es(equations), std::move(domain), {}};
  }
  double value(const PointFinder& finder, const RegionPoint& point, const char* text) {
    const auto values = finder.values(point, es({text}), 128);
    return values ? values->front().mid() : NAN;
  }
  static std::string in_words(const RegionPoint& point) {
    std::string result;
    for (const auto& [symbol, value] : point.printed())
      result += to_infix(symbol) + " = " + value.to_string() + ", ";
    return result;
  }

  /// All equations vanish to 60 digits and all requirements hold, from the values of the symbols alone.
  void expect_in(const Region& region, const PointFinder& finder, const RegionPoint& point) {
    std::vector<Expr> symbols;
    for (const auto& [symbol, value] : point.given) symbols.push_back(symbol);
    for (const auto& [symbol, value] : point.solved) symbols.push_back(symbol);
    const auto values = finder.values(point, symbols, 256);
    ASSERT_TRUE(values) << in_words(point);
    BallPoint balls;
    for (std::size_t i = 0; i < symbols.size(); ++i) balls.emplace(symbols[i], (*values)[i]);
    for (Expr equation : region.equations) {
      const BallValues found = evaluate_balls(std::span(&equation, 1), balls, 256);
      ASSERT_EQ(found.status, EvaluationStatus::ok) << to_infix(equation) << " at " << in_words(point);
      EXPECT_TRUE(found.values[0].contains_zero()) << to_infix(equation) << " at " << in_words(point);
      EXPECT_LT(std::abs(found.values[0].mid()) + found.values[0].rad(), 1e-60) << to_infix(equation);
    }
    for (const Requirement& requirement : region.domain) {
      const BallValues found = evaluate_balls(std::span(&requirement.e, 1), balls, 256);
      ASSERT_EQ(found.status, EvaluationStatus::ok);
      const Ball& ball = found.values[0];
      const bool holds = requirement.bound == Bound::nonzero    ? !ball.contains_zero()
                         : requirement.bound == Bound::positive ? ball.is_positive()
                                                                : !ball.is_negative();
      EXPECT_TRUE(holds) << to_infix(requirement.e) << " at " << in_words(point);
    }
    for (Expr symbol : symbols) {
      if (!symbol.is(Op::symbol) || !symbol.symbol().positive) continue;
      EXPECT_TRUE(balls.at(symbol).is_positive()) << in_words(point);
    }
  }
  std::vector<RegionPoint> points(const Region& region, PointFinder& finder, int count) {
    std::vector<RegionPoint> result;
    for (int i = 0; i < count; ++i) {
      auto point = finder.next();
      if (!point) {
        ADD_FAILURE() << "no point " << i << ": " << finder.failure();
        break;
      }
      expect_in(region, finder, *point);
      result.push_back(*point);
    }
    return result;
  }
  /// Both signs of a function are met by the first points.
  void expect_both_sides(std::initializer_list<const char*> asked, const char* text, int count = 8) {
    const std::vector<Expr> all = es(asked);
    PointFinder finder(algebra, {}, all);
    std::set<bool> sides;
    for (const RegionPoint& point : points({}, finder, count)) sides.insert(value(finder, point, text) > 0);
    EXPECT_EQ(sides.size(), 2u) << text << ": " << finder.covered();
  }

  Pool pool;
  Algebra algebra{pool};
};

TEST_F(RegionPoints, points_without_equations_are_exact_short_and_different) {
  const auto asked = es({"x + y*z + sin(w)"});
  PointFinder finder(algebra, {}, asked);
  std::set<std::string> seen;
  for (const RegionPoint& point : points({}, finder, 20)) {
    EXPECT_TRUE(point.solved.empty());
    EXPECT_EQ(point.given.size(), 4u);
    std::set<Rational> values;
    for (const auto& [symbol, value] : point.given) {
      values.insert(value);
      EXPECT_LE(value.bits(), 24u) << value.to_string();
    }
    EXPECT_EQ(values.size(), 4u) << in_words(point);
    seen.insert(in_words(point));
  }
  EXPECT_EQ(seen.size(), 20u);
}

TEST_F(RegionPoints, domains_are_found_wherever_they_are) {
  for (const char* text :
       {"sqrt(x - 20)", "log(x - 1e6)", "sqrt(3 - x)*sqrt(x - 299/100)", "asin(x - 50)", "acos(x/1000 + y)",
        "sqrt(-x - 1e9)", "sqrt(1 - (x - 1234)^2 - (y + 77)^2)", "log(log(x - 5))", "sqrt(sqrt(x) - 100)",
        "1/sqrt(x*y - 400)", "sqrt(sin(x) - 99/100)", "log(x - y - 1e4)*sqrt(y - 30)", "sqrt(x - 1e20)"}) {
    const auto asked = es({text});
    PointFinder finder(algebra, {}, asked);
    EXPECT_EQ(points({}, finder, 4).size(), 4u) << text;
  }
}

TEST_F(RegionPoints, requirements_are_kept_that_no_expression_shows) {
  const Region far = region({}, {{e("x - 20"), Bound::positive}, {e("21 - x"), Bound::nonnegative}});
  const auto asked = es({"x + y"});
  PointFinder finder(algebra, far, asked);
  EXPECT_EQ(points(far, finder, 8).size(), 8u);
  const Region none = region({}, {{e("-1 - x^2"), Bound::nonnegative}});
  PointFinder nowhere(algebra, none, asked);
  EXPECT_FALSE(nowhere.next());
  EXPECT_NE(nowhere.failure(), "");
}

TEST_F(RegionPoints, few_points_see_both_sides_of_every_switching_surface) {
  expect_both_sides({"abs(x + 4)"}, "x + 4", 3);
  expect_both_sides({"max(x, 5)"}, "x - 5", 3);
  expect_both_sides({"abs(x - 1000) + x"}, "x - 1000", 3);
  expect_both_sides({"sign(x*y - 100)"}, "x*y - 100", 4);
  expect_both_sides({"abs(sqrt(x - 20) - 3)"}, "sqrt(x - 20) - 3", 4);
  expect_both_sides({"min(x^2, 1e6)"}, "x^2 - 1e6", 4);
}

TEST_F(RegionPoints, combinations_of_sides_are_met) {
  const auto asked = es({"max(x, 5)*min(y, -7) + abs(z - 30)"});
  PointFinder finder(algebra, {}, asked);
  std::set<std::vector<bool>> pieces;
  for (const RegionPoint& point : points({}, finder, 40)) {
    pieces.insert(
        {value(finder, point, "x") > 5, value(finder, point, "y") > -7, value(finder, point, "z") > 30});
  }
  EXPECT_EQ(pieces.size(), 8u);
}

TEST_F(RegionPoints, a_piece_behind_four_surfaces_is_met_within_sixteen_points) {
  const auto asked = es({"max(0, x - 5)*max(0, -7 - y)*max(0, z - 100)*max(0, w + 3e5)"});
  PointFinder finder(algebra, {}, asked);
  int met = 0;
  for (const RegionPoint& point : points({}, finder, 16)) {
    const auto values = finder.values(point, asked, 128);
    met += values && values->front().is_positive() ? 1 : 0;
  }
  EXPECT_GT(met, 0);
}

TEST_F(RegionPoints, unknown_functions_take_the_same_value_at_the_same_arguments) {
  const auto asked = es({"f(x + y)", "f(y + x)", "f((x^2 - y^2)/(x - y))", "f(x)", "f(f(x))"});
  PointFinder finder(algebra, {}, asked);
  for (const RegionPoint& point : points({}, finder, 6)) {
    const auto values = finder.values(point, asked, 128);
    ASSERT_TRUE(values);
    EXPECT_TRUE(overlaps((*values)[0], (*values)[2]));
    EXPECT_FALSE(overlaps((*values)[0], (*values)[3]));
  }
}

TEST_F(RegionPoints, arguments_of_unknown_functions_obey_their_domain) {
  const auto asked = es({"f(sqrt(x - 20))"});
  PointFinder finder(algebra, {}, asked);
  for (const RegionPoint& point : points({}, finder, 6)) EXPECT_GE(value(finder, point, "x"), 20);
}

TEST_F(RegionPoints, a_point_on_a_side_is_certified_to_be_there) {
  const auto asked = es({"sign(x - 3/7)", "abs(x^2 - 2)", "max(x*y, 7)"});
  PointFinder finder(algebra, {}, asked);
  for (const char* text : {"x - 3/7", "x^2 - 2", "x*y - 7", "sin(x) - y", "x^3 - y - 1e5"}) {
    for (int side : {-1, 0, 1}) {
      const auto point = finder.next_on_side(e(text), side);
      ASSERT_TRUE(point) << text << ", side " << side << ": " << finder.failure();
      const auto values = finder.values(*point, es({text}), 256);
      ASSERT_TRUE(values);
      if (side == 0) expect_in(region({text}), finder, *point);
      if (side == 0) continue;
      EXPECT_TRUE(side > 0 ? values->front().is_positive() : values->front().is_negative());
    }
  }
  EXPECT_TRUE(finder.next_on_side(e("x - 3/7"), 0)->solved.empty());
  EXPECT_FALSE(finder.next_on_side(e("x^2 + 1"), -1));
  EXPECT_FALSE(finder.next_on_side(e("x^2 + 1"), 0));
}

TEST_F(RegionPoints, on_a_switching_surface_the_pieces_have_their_value_there) {
  const auto asked = es({"sign(3*x - 1)", "sqrt(3*x - 1)", "abs(x^2 - 2)"});
  PointFinder finder(algebra, {}, es({"x", "y"}));
  const auto rational = finder.next_on_side(e("3*x - 1"), 0);
  ASSERT_TRUE(rational) << finder.failure();
  const auto first = finder.values(*rational, std::span(asked).first(2), 128);
  ASSERT_TRUE(first);
  for (const Ball& value : *first) EXPECT_TRUE(value.mid() == 0 && value.rad() == 0);
  const auto root = finder.next_on_side(e("x^2 - 2"), 0);
  ASSERT_TRUE(root) << finder.failure();
  EXPECT_EQ(root->solved.size(), 1u);
  const auto second = finder.values(*root, std::span(asked).subspan(2, 1), 128);
  ASSERT_TRUE(second);
  EXPECT_TRUE((*second)[0].mid() == 0 && (*second)[0].rad() == 0);
}

TEST_F(RegionPoints, a_factor_that_vanishes_where_another_has_no_value_gives_no_point) {
  const Region nowhere = region({"(3*x - 1)*log(3*x - 1)"}, {{e("2 - 3*x"), Bound::positive}});
  PointFinder finder(algebra, nowhere, es({"x"}));
  EXPECT_FALSE(finder.next());
}

TEST_F(RegionPoints, both_halves_of_a_circle_are_found) {
  const Region circle = region({"x^2 + y^2 - l^2"});
  const auto asked = es({"x"});
  PointFinder finder(algebra, circle, asked);
  std::set<bool> left, below;
  for (const RegionPoint& point : points(circle, finder, 16)) {
    left.insert(value(finder, point, "x") < 0);
    below.insert(value(finder, point, "y") < 0);
  }
  EXPECT_EQ(left.size() + below.size(), 4u) << finder.covered();
}

TEST_F(RegionPoints, far_components_are_found_with_both_signs) {
  const Region far = region({"x^2 - 1e6"});
  PointFinder finder(algebra, far, es({"x"}));
  std::set<double> values;
  for (const RegionPoint& point : points(far, finder, 8)) {
    EXPECT_TRUE(point.solved.empty());
    values.insert(value(finder, point, "x"));
  }
  EXPECT_EQ(values, (std::set<double>{-1000, 1000}));
}

TEST_F(RegionPoints, both_factors_of_a_product_are_found) {
  for (const char* text : {"u*v", "u*v + u*x", "u^2 - v^2"}) {
    const Region both = region({text});
    PointFinder finder(algebra, both, es({"u", "v"}));
    std::set<bool> first;
    for (const RegionPoint& point : points(both, finder, 8)) {
      const double u = value(finder, point, "u"), v = value(finder, point, "v");
      first.insert(std::string_view(text) == "u^2 - v^2" ? u == v : u == 0);
    }
    EXPECT_EQ(first.size(), 2u) << text;
  }
}

TEST_F(RegionPoints, where_there_is_no_real_point_none_is_found_and_that_is_said_soon) {
  for (const auto& equations : {es({"x^2 + y^2 + 1"}), es({"x - 1", "x - 2"}), es({"exp(x)"})}) {
    const auto start = std::chrono::steady_clock::now();
    PointFinder finder(algebra, {equations, {}, {}}, es({"x"}));
    EXPECT_FALSE(finder.next());
    EXPECT_NE(finder.failure(), "");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(200));
  }
}

TEST_F(RegionPoints, unit_quaternions_are_found_with_their_velocities) {
  const Region sphere = region({"x^2 + y^2 + z^2 + w^2 - 1", "x*u + y*v"});
  PointFinder finder(algebra, sphere, es({"x*y"}));
  EXPECT_EQ(points(sphere, finder, 8).size(), 8u);
}

TEST_F(RegionPoints, a_four_bar_loop_is_closed) {
  const Region loop = region({"2*cos(x) + 5*cos(y) - 4*cos(z) - 6", "2*sin(x) + 5*sin(y) - 4*sin(z)"});
  PointFinder finder(algebra, loop, es({"x"}));
  std::set<bool> configurations;
  for (const RegionPoint& point : points(loop, finder, 12))
    configurations.insert(value(finder, point, "sin(y - z)") > 0);
  EXPECT_EQ(configurations.size(), 2u);
}

TEST_F(RegionPoints, equations_that_follow_from_others_are_proved_to_hold) {
  const Region twice = region({"x^2 + y^2 - 3", "2*x^2 + 2*y^2 - 6"});
  PointFinder finder(algebra, twice, es({"x"}));
  EXPECT_EQ(points(twice, finder, 4).size(), 4u);
  const Region factor = region({"x^2 + y^2 - 3", "(x^2 + y^2 - 3)*(2 + sin(z))"});
  PointFinder with_factor(algebra, factor, es({"x"}));
  EXPECT_EQ(points(factor, with_factor, 4).size(), 4u);
  const Region sum = region({"x^2 + y^2 - 3", "y*z - 1", "x^2 + y^2 - 3*y*z"});
  PointFinder with_sum(algebra, sum, es({"x"}));
  EXPECT_EQ(points(sum, with_sum, 4).size(), 4u);
}

TEST_F(RegionPoints, what_holds_by_other_equations_is_asked_for_and_proved_at_the_point) {
  // x^4 - 4 = (x^2 - 2)*(x^2 + 2) is seen; the third equation holds by the first two, with coefficients x, y.
  const Region region = this->region({"x^2 + y^2 - 3", "y^3 - z", "x^3 + x*y^2 - 3*x + y^4 - z*y"});
  PointFinder alone(algebra, region, es({"x"}));
  EXPECT_EQ(points(region, alone, 4).size(), 4u);
  PointFinder finder(algebra, region, es({"x"}));
  std::vector<std::size_t> asked;
  finder.set_follows([&](std::size_t row, std::span<const std::size_t> others) {
    asked.push_back(row);
    return PointFinder::Following{others.size() == 2, {}};
  });
  EXPECT_EQ(points(region, finder, 4).size(), 4u);
  EXPECT_EQ(asked.size(), 1u) << "the answer for the same rows is kept";
}

TEST_F(RegionPoints, an_equation_that_holds_on_one_component_is_proved_where_the_others_are_excluded) {
  // cos = 0 leaves sin = 1 and sin = -1; the third equation holds on two of the four combinations
  const Region quarter = region({"cos(x)", "cos(y)", "sin(x) - sin(y)"});
  PointFinder finder(algebra, quarter, es({"x"}));
  EXPECT_GE(points(quarter, finder, 4).size(), 4u);
  // it touches zero where the other one crosses it
  const Region touching = region({"cos(x) - 1", "sin(x)", "x^2 - 30 - y"});
  PointFinder on_top(algebra, touching, es({"x"}));
  EXPECT_GE(points(touching, on_top, 4).size(), 4u);
  const Region nowhere = region({"cos(x)", "cos(y)", "sin(x) - sin(y)", "sin(x) + sin(y)"});
  PointFinder none(algebra, nowhere, es({"x"}));
  EXPECT_FALSE(none.next());
}

TEST_F(RegionPoints, an_unknown_function_takes_the_value_that_an_equation_gives_it) {
  const Region zero = region({"f(y)*x", "f(y)"});
  PointFinder finder(algebra, zero, es({"x"}));
  const auto point = finder.next();
  ASSERT_TRUE(point) << finder.failure();
  EXPECT_EQ(value(finder, *point, "f(y)"), 0);
  EXPECT_NE(value(finder, *point, "x"), 0) << "nothing asks for it";
  const Region twice = region({"f(x) - 1", "f(y) - 2", "x - y"});
  PointFinder clash(algebra, twice, es({"x"}));
  EXPECT_FALSE(clash.next()) << "f would have two values at one place";
}

TEST_F(RegionPoints, singular_points_are_found_where_they_are_rational) {
  const Region touching = region({"y", "y - x^2"});
  PointFinder finder(algebra, touching, es({"x"}));
  const auto point = finder.next();
  ASSERT_TRUE(point) << finder.failure();
  EXPECT_TRUE(point->solved.empty());
  EXPECT_EQ(value(finder, *point, "x"), 0);
  const Region origin = region({"x^2 + y^2"});
  PointFinder at_origin(algebra, origin, es({"x"}));
  ASSERT_TRUE(at_origin.next()) << at_origin.failure();
}

TEST_F(RegionPoints, points_are_found_where_equations_lose_rank_on_all_of_the_solutions) {
  const Region cranks = region({"cos(x) - cos(y)", "sin(x) - sin(y)", "cos(x) - cos(z)", "sin(x) - sin(z)"});
  PointFinder finder(algebra, cranks, es({"x"}));
  EXPECT_EQ(points(cranks, finder, 4).size(), 4u);
}

TEST_F(RegionPoints, a_chain_of_rods_is_placed_and_moves) {
  Region chain;
  const auto symbol = [&](std::string name, SymbolKind kind) { return pool.symbol(name, kind); };
  Expr x = pool.number(0), y = x, u = x, v = x;
  for (const char* number : {"1", "2", "3", "4", "5", "6"}) {
    const Expr next_x = symbol(std::string("x") + number, SymbolKind::coordinate);
    const Expr next_y = symbol(std::string("y") + number, SymbolKind::coordinate);
    const Expr next_u = symbol(std::string("u") + number, SymbolKind::velocity);
    const Expr next_v = symbol(std::string("v") + number, SymbolKind::velocity);
    chain.equations.push_back(pow(next_x - x, 2) + pow(next_y - y, 2) - pow(e("l"), 2));
    chain.equations.push_back((next_x - x) * (next_u - u) + (next_y - y) * (next_v - v));
    x = next_x, y = next_y, u = next_u, v = next_v;
  }
  PointFinder finder(algebra, chain, std::span(&x, 1));
  EXPECT_EQ(points(chain, finder, 4).size(), 4u);
}

TEST_F(RegionPoints, linear_equations_give_exact_values) {
  const Region linear = region({"x + 2*y - 3", "u + 2*v", "z - x*y"});
  PointFinder finder(algebra, linear, es({"x"}));
  for (const RegionPoint& point : points(linear, finder, 4)) EXPECT_TRUE(point.solved.empty());
}

TEST_F(RegionPoints, parameters_are_given_and_solved_for_only_where_they_must_be) {
  const Region rod = region({"x^2 + y^2 - l^2"});
  PointFinder finder(algebra, rod, es({"x"}));
  for (const RegionPoint& point : points(rod, finder, 6)) {
    for (const auto& [symbol, value] : point.solved) EXPECT_NE(to_infix(symbol), "l");
  }
  const Region between = region({"x + y - l", "l^2 - m - 7"});
  PointFinder with_parameters(algebra, between, es({"x"}));
  EXPECT_EQ(points(between, with_parameters, 4).size(), 4u);
}

TEST_F(RegionPoints, domains_and_sides_are_reached_on_the_solutions_of_equations) {
  const Region circle = region({"x^2 + y^2 - 25"}, {{e("x - 4"), Bound::positive}});
  PointFinder finder(algebra, circle, es({"sqrt(x - 4)", "abs(y - 29/10)"}));
  std::set<bool> sides;
  for (const RegionPoint& point : points(circle, finder, 6)) sides.insert(value(finder, point, "y") > 2.9);
  EXPECT_EQ(sides.size(), 2u);
  ASSERT_TRUE(finder.next_on_side(e("y - 2"), 0)) << finder.failure();
  EXPECT_FALSE(finder.next_on_side(e("x + 1"), -1));
}

TEST_F(RegionPoints, unknown_functions_in_equations_have_given_values) {
  const Region coupled = region({"u - f(x)*v", "v^2 + f(2*x) - f(x + x) - 2"});
  PointFinder finder(algebra, coupled, es({"f(u)"}));
  for (int i = 0; i < 4; ++i) {
    const auto point = finder.next();
    ASSERT_TRUE(point) << finder.failure();
    const auto values = finder.values(*point, coupled.equations, 256);
    ASSERT_TRUE(values);
    for (const Ball& value : *values) EXPECT_LT(std::abs(value.mid()) + value.rad(), 1e-60);
  }
  const Region hopeless = region({"f(x)^2 - 2"});
  PointFinder none(algebra, hopeless, es({"x"}));
  EXPECT_FALSE(none.next());
  EXPECT_NE(none.failure().find("unknown function"), std::string::npos) << none.failure();
}

TEST_F(RegionPoints, equations_with_pieces_are_solved_inside_a_piece) {
  const Region pieces = region({"abs(x) + abs(y) - 7", "max(z, x) - 5"});
  PointFinder finder(algebra, pieces, es({"x"}));
  EXPECT_EQ(points(pieces, finder, 12).size(), 12u);
}

TEST_F(RegionPoints, the_same_seed_gives_the_same_points) {
  const auto run = [&](std::uint64_t seed) {
    const Region circle = region({"x^2 + y^2 - l^2"});
    const auto asked = es({"abs(x - y)", "f(x)"});
    PointFinder finder(algebra, circle, asked, {.seed = seed});
    std::string result;
    for (int i = 0; i < 6; ++i) {
      const auto point = finder.next();
      result += point ? in_words(*point) : "none";
    }
    return result + finder.covered();
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST_F(RegionPoints, later_points_are_looked_for_farther_away) {
  for (const char* text : {"x", "sqrt(x - 20)", "abs(x + 4)"}) {
    PointFinder finder(algebra, {}, es({text}));
    double largest = 0;
    for (const RegionPoint& point : points({}, finder, 40))
      largest = std::max(largest, std::abs(value(finder, point, "x")));
    EXPECT_GT(largest, 1e4) << text;
  }
}

TEST_F(RegionPoints, a_side_of_something_outside_the_region_is_refused) {
  PointFinder finder(algebra, {}, es({"x"}));
  EXPECT_FALSE(finder.next_on_side(e("x - y"), 0));
  EXPECT_NE(finder.failure().find("symbols"), std::string::npos);
  EXPECT_FALSE(finder.next_on_side(e("f(x)"), 1));
}

TEST_F(RegionPoints, what_has_no_symbols_holds_everywhere_or_nowhere) {
  PointFinder finder(algebra, {}, es({"sqrt(2) + pi"}));
  EXPECT_TRUE(finder.next());
  EXPECT_TRUE(finder.next_on_side(e("pi - 3"), 1));
  EXPECT_FALSE(finder.next_on_side(e("pi - 3"), -1));
  const Region none = region({}, {{e("2 - pi"), Bound::positive}});
  PointFinder nowhere(algebra, none, es({"pi"}));
  EXPECT_FALSE(nowhere.next());
  const Region contradiction = region({"x - 1", "3"});
  PointFinder never(algebra, contradiction, es({"x"}));
  EXPECT_FALSE(never.next());
  const Region nothing_said = region({"x - 1", "x - x"});
  PointFinder always(algebra, nothing_said, es({"x"}));
  EXPECT_TRUE(always.next());
}

TEST_F(RegionPoints, what_was_covered_is_said_in_short_words) {
  const auto asked = es({"x + m"});
  PointFinder finder(algebra, {}, asked);
  EXPECT_EQ(finder.covered(), "");
  points({}, finder, 5);
  EXPECT_NE(finder.covered().find(" <= x <= "), std::string::npos) << finder.covered();
}

/// On y = 0 the last equation says nothing about x, whose zeros of the sine are no rational numbers.
TEST_F(RegionPoints, an_equation_that_asks_nothing_here_gives_no_number) {
  const Region given = region({"y*z", "sin(x)", "x*y"}, {{e("x^2"), Bound::positive}});
  PointFinder finder(algebra, given, es({"x"}), {});
  const auto point = finder.next();
  ASSERT_TRUE(point) << finder.failure();
  expect_in(given, finder, *point);
  EXPECT_GT(std::abs(value(finder, *point, "x")), 3);
}

}  // namespace
}  // namespace liaison
