#include "liaison/compile/taylor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "liaison/compile/interpreter.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison {
namespace {

/// The coefficients of y' = f(t, y) by repeated total derivatives of the expressions: y'' = f_t + f_y f, ...
std::vector<double> by_derivatives(Pool& pool, const std::vector<Expr>& inputs,
                                   const std::vector<Expr>& rates, const DoublePoint& at, std::size_t order) {
  std::vector<Expr> now = rates;
  std::vector<double> result;
  double factorial = 1;
  for (std::size_t k = 1; k <= order; ++k) {
    factorial *= static_cast<double>(k);
    for (Expr e : now) result.push_back(evaluate(e, at) / factorial);
    for (Expr& e : now) {
      std::vector<Expr> terms{derivative(e, inputs[0])};
      for (std::size_t i = 0; i < rates.size(); ++i) terms.push_back(derivative(e, inputs[1 + i]) * rates[i]);
      e = pool.add(terms);
    }
  }
  return result;
}

struct Case {
  const char* name;
  std::vector<std::string> rates;  ///< of x and y
};

class TaylorProgram : public ::testing::TestWithParam<Case> {};

TEST_P(TaylorProgram, AgreesWithRepeatedDerivatives) {
  Pool pool;
  const std::vector<Expr> inputs{pool.symbol("t"), pool.symbol("x"), pool.symbol("y"), pool.symbol("m")};
  std::vector<Expr> rates;
  for (const std::string& text : GetParam().rates) rates.push_back(parse(pool, text));
  const DoublePoint at{{inputs[0], 0.3}, {inputs[1], 0.7}, {inputs[2], -0.4}, {inputs[3], 1.7}};
  constexpr std::size_t order = 6;
  const Program program = make_taylor_program(make_program(inputs, rates), 2, order);
  const double in[] = {0.3, 0.7, -0.4, 1.7};
  std::vector<double> found(program.outputs.size()), scratch(program.slot_count);
  run(program, in, found.data(), scratch.data());
  const std::vector<double> expected = by_derivatives(pool, inputs, rates, at, order);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-11 * std::max(1.0, std::abs(expected[i]))) << i;
}

INSTANTIATE_TEST_SUITE_P(Rates, TaylorProgram,
                         ::testing::Values(Case{"products", {"y + t*x", "m*x^2 - x*y + 3"}},
                                           Case{"quotients", {"y/(2 + x^2)", "(x - t)/(m + y)"}},
                                           Case{"circle", {"sin(x*y) + t", "cos(x - 2*y)"}},
                                           Case{"roots", {"sqrt(1 + x^2)", "(2 + y)^(1/3)*x"}},
                                           Case{"exponential", {"exp(-x*t)", "log(2 + x*y)"}},
                                           Case{"hyperbolic", {"sinh(x) - y", "cosh(x*y) + tanh(y)"}},
                                           Case{"inverse", {"atan(x + y)", "asin(x/2) + acos(y/3)"}},
                                           Case{"tangent", {"tan(x)*y", "1 + tan(y - t)"}},
                                           Case{"pieces", {"abs(y)*x", "sign(x)*y^2"}},
                                           Case{"large powers", {"x^70 + y", "(x^2 + y^2)^(-3/2)*x"}}),
                         [](const auto& one) {
                           std::string name = one.param.name;
                           for (char& c : name) c = c == ' ' ? '_' : c;
                           return name;
                         });

TEST(TaylorProgramLimits, AreErrors) {
  Pool pool;
  const std::vector<Expr> inputs{pool.symbol("t"), pool.symbol("x")};
  const std::vector<Expr> angle{parse(pool, "atan2(x, t)")}, long_one{parse(pool, "sin(x)*cos(x)*exp(x)")};
  EXPECT_THROW(make_taylor_program(make_program(inputs, angle), 1, 5), Error);
  EXPECT_THROW(make_taylor_program(make_program(inputs, long_one), 1, 20, 100), Error);
}

}  // namespace
}  // namespace liaison
