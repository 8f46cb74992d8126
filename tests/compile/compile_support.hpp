#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "liaison/compile/interpreter.hpp"
#include "support/random_expression.hpp"

namespace liaison::test {

/// One run of the interpreter.
std::vector<double> interpret(const Program& program, const std::vector<double>& in);

/// The same bits, or both NaN.
bool same_bits(double a, double b);
::testing::AssertionResult all_same_bits(const std::vector<double>& a, const std::vector<double>& b);
/// Representable numbers between a and b; a large number if only one is NaN.
double ulps_between(double a, double b);

/// How often an operation occurs.
std::size_t count(const Program& program, Operation operation);

/// Expressions in all functions and roots, as inputs and outputs of one program.
struct RandomSystem {
  explicit RandomSystem(std::uint64_t seed, std::size_t outputs = 6);
  std::vector<double> state();  ///< values in [-2, 2]
  Pool pool;
  test::RandomExpressions random;
  std::vector<Expr> inputs, outputs;
};

/// `links` point masses on rods in a plane under gravity, by absolute angles: mass matrix and load.
struct Chain {
  explicit Chain(std::size_t links);
  std::vector<double> state() const;
  std::shared_ptr<Pool> pool;
  std::vector<Expr> inputs;   ///< parameters, angles, rates
  std::vector<Expr> outputs;  ///< M row by row, then the load
  std::size_t links;
};

}  // namespace liaison::test
