#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulate_support.hpp"

namespace liaison::test {
namespace {

/// Derivatives of a periodic function from its values at equal distances, exact for trigonometric
/// polynomials.
std::vector<double> periodic_derivative(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<double> result(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < n; ++k) {
      if (j == k) continue;
      const double half =
          std::numbers::pi * (static_cast<double>(j) - static_cast<double>(k)) / static_cast<double>(n);
      result[j] += ((j + k) % 2 == 0 ? 0.5 : -0.5) / std::tan(half) * values[k];
    }
  }
  return result;
}

/// Row G1.I-integral-invariant: each point of a closed curve is moved along its motion for a time of its own,
/// and the integral of p dq - H dt over the curve stays.
TEST(IntegralInvariant, OfAnOscillatorFromSimulatedMotions) {
  constexpr std::size_t points = 48;
  constexpr double m = 2, k = 3;
  RunnableModel model =
      read_runnable("param m = 2, k = 3\ncoord q\nkinetic m/2*q'^2\npotential k/2*q^2\nstart q = 0\n");
  std::vector<double> q, p, t;
  for (std::size_t j = 0; j < points; ++j) {
    const double s = 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(points);
    model.start[model["q"]] = 1 + std::cos(s) / 2;
    model.start[model["q'"]] = (0.3 + 0.7 * std::sin(s)) / m;
    RunRequest request;
    request.options.until = request.options.every = 0.8 + 0.3 * std::sin(s);
    request.options.tolerance = {1e-13, 1e-16};
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
    q.push_back(result.y[0]);
    p.push_back(m * result.y[1]);
    t.push_back(result.t);
  }
  const std::vector<double> dq = periodic_derivative(q), dt = periodic_derivative(t);
  double integral = 0;
  for (std::size_t j = 0; j < points; ++j) {
    const double energy = p[j] * p[j] / (2 * m) + k / 2 * q[j] * q[j];
    integral += (p[j] * dq[j] - energy * dt[j]) * 2 * std::numbers::pi / static_cast<double>(points);
  }
  EXPECT_NEAR(integral, -1.099557428756428, 1e-12);
}

}  // namespace
}  // namespace liaison::test
