#include "mechanics/box_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "liaison/expr/parse.hpp"

namespace liaison::test {
namespace {

class BoxSearchTest : public testing::Test {
 protected:
  bool finds(const BoxSearch& search, double place) const {
    return std::any_of(search.places.begin(), search.places.end(),
                       [&](const std::vector<double>& x) { return std::abs(x[0] - place) < 1e-3; });
  }
  BoxSearch of(const std::string& text, SizeRange sizes = {}) {
    const Expr e[] = {parse(pool, text)}, x[] = {pool.symbol("x")};
    return places_of_zeros(e, x, {}, sizes);
  }
  Pool pool;
};

TEST_F(BoxSearchTest, zeros_that_no_slope_leads_to_are_met) {
  const BoxSearch search = of("(x - 1)*(1/(1 + (x - 7)^2*10^8) - 1/2)");
  EXPECT_TRUE(search.is_complete);
  EXPECT_TRUE(finds(search, 1));
  EXPECT_TRUE(finds(search, 7));
}

TEST_F(BoxSearchTest, far_zeros_are_met) {
  const BoxSearch search = of("(x - 1/1000)*(x + 123456)");
  EXPECT_TRUE(search.is_complete);
  EXPECT_TRUE(finds(search, 0.001));
  EXPECT_TRUE(std::any_of(search.places.begin(), search.places.end(),
                          [](const std::vector<double>& x) { return std::abs(x[0] + 123456) < 10; }));
}

TEST_F(BoxSearchTest, a_search_that_does_not_end_says_so) {
  EXPECT_FALSE(of("sin(1000*x)").is_complete);
}

}  // namespace
}  // namespace liaison::test
