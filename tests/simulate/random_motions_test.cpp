#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "simulate_support.hpp"

// Random models with kinks of the time and of the state, events and resets: every method against a run with
// short fixed steps that is written here and shares nothing with the library.

namespace liaison {
namespace {

using test::read_runnable;
using test::RunRequest;

using State = std::array<double, 4>;  // x, y, x', y'

/// A driven mass on springs that change at kinks, and a ball above a floor that is coupled to it.
struct RandomModel {
  double spring, damping, edge, edge_force, step_force, limit, limit_force, bump_time, bump_width, bump_force,
      drive, frequency, gravity, coupling, restitution, gate, gate_part, x, vx, y;

  explicit RandomModel(unsigned seed) {
    std::mt19937 engine(seed);
    const auto draw = [&](double low, double high) {
      // Not a distribution of the library, whose numbers differ between implementations.
      const double unit = static_cast<double>(engine()) / 4294967296.0;
      return std::round((low + (high - low) * unit) * 1000) / 1000;
    };
    spring = draw(1, 20), damping = draw(0, 0.3), edge = draw(-0.5, 0.5), edge_force = draw(-3, 3);
    step_force = draw(0, 1.5), limit = draw(-0.5, 0.5), limit_force = draw(-3, 3);
    bump_time = draw(0.3, 2), bump_width = draw(0.005, 0.1), bump_force = draw(-40, 40);
    drive = draw(-1, 1), frequency = draw(1, 12), gravity = draw(5, 10), coupling = draw(-0.5, 0.5);
    restitution = draw(0.88, 0.98), gate = draw(-0.6, 0.6), gate_part = draw(0.5, 1.5);
    x = draw(-1, 1), vx = draw(-2, 2), y = draw(0.3, 1.5);
  }

  std::string text() const {
    return fmt::format(
        "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
        "force x = -{}*x - {}*x' + {}*abs(x - {}) - {}*sign(x - {}) + {}*min(x, {})"
        " + {}*max(0, 1 - ((t - {})/{})^2) + {}*sign(sin({}*t))\n"
        "force y = -{} + {}*abs(x - {})\nstart x = {}, x' = {}, y = {}\n"
        "event floor: y = 0 falling then reset y' = -{}*y'\n"
        "event gate: x = {} rising then reset x' = {}*x'\nevent level: x + y = 0.4\n",
        spring, damping, edge_force, edge, step_force, edge, limit_force, limit, bump_force, bump_time,
        bump_width, drive, frequency, gravity, coupling, edge, x, vx, y, restitution, gate, gate_part);
  }

  /// Arguments of kinks, then event functions.
  std::array<double, 7> functions(double t, const State& s) const {
    const double since = (t - bump_time) / bump_width;
    return {s[0] - edge, s[0] - limit, 1 - since * since, std::sin(frequency * t),
            s[1],        s[0] - gate,  s[0] + s[1] - 0.4};
  }
  /// With the sides of the kinks.
  State rates(double t, const State& s, const std::array<double, 4>& side) const {
    const double since = (t - bump_time) / bump_width;
    const double ax = -spring * s[0] - damping * s[2] + edge_force * side[0] * (s[0] - edge) -
                      step_force * side[0] + limit_force * (side[1] > 0 ? limit : s[0]) +
                      (side[2] > 0 ? bump_force * (1 - since * since) : 0) + drive * side[3];
    return {s[2], s[3], ax, -gravity + coupling * side[0] * (s[0] - edge)};
  }
};

struct Happening {
  double t;
  std::size_t event;
};

struct Reference {
  State end;
  std::vector<Happening> happenings;
  bool is_clear = true;  ///< nothing is touched, or crossed with hardly a speed
};

/// The classical method of Runge and Kutta. A step in which a function changes its sign is cut there.
Reference compute_reference(const RandomModel& model, double until) {
  const double h = model.bump_width / 10 < 1e-3 ? model.bump_width / 10 : 1e-3;
  Reference result;
  double t = 0;
  State s{model.x, model.y, model.vx, 0};
  std::array<double, 4> side{};
  auto now = model.functions(t, s);
  for (std::size_t k = 0; k < 4; ++k) side[k] = now[k] > 0 ? 1 : -1;
  side[3] = 1;  // the sine rises at the beginning
  const auto moved = [&](double length) {
    const auto along = [&](const State& rate, double part) {
      State at = s;
      for (std::size_t i = 0; i < 4; ++i) at[i] += part * rate[i];
      return at;
    };
    const State a = model.rates(t, s, side), b = model.rates(t + length / 2, along(a, length / 2), side);
    const State c = model.rates(t + length / 2, along(b, length / 2), side);
    const State d = model.rates(t + length, along(c, length), side);
    State end = s;
    for (std::size_t i = 0; i < 4; ++i) end[i] += length / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    return end;
  };
  std::array<double, 7> sign{}, before{};
  for (std::size_t k = 0; k < 7; ++k) sign[k] = now[k] > 0 ? 1 : -1;
  sign[3] = 1;
  while (t < until) {
    const double length = std::min(h, until - t);
    const auto changes = [&](double part) {
      const auto then = model.functions(t + part, moved(part));
      for (std::size_t k = 0; k < 7; ++k)
        if (then[k] * sign[k] < 0) return true;
      return false;
    };
    double part = length;
    if (changes(length)) {
      double low = 0;
      for (int i = 0; i < 60; ++i) (changes((low + part) / 2) ? part : low) = (low + part) / 2;
    }
    const State end = moved(part);
    before = now;
    now = model.functions(t + part, end);
    const double speeds[] = {end[2], end[2], 1, 1, end[3], end[2], end[2] + end[3]};
    s = end;
    t += part;
    for (std::size_t k = 0; k < 7; ++k) {
      if (now[k] * sign[k] >= 0) {
        result.is_clear = result.is_clear && (std::abs(now[k]) > 2e-3 || std::abs(speeds[k]) > 0.05);
        continue;
      }
      sign[k] = -sign[k];
      if (std::abs(speeds[k]) < 0.1) result.is_clear = false;
      if (k < 4) side[k] = sign[k];
      const bool is_gate = k == 5;
      if (k == 4 || (is_gate && sign[k] > 0) || k == 6) {
        result.happenings.push_back({t, k - 4});
        if (until - t < 1e-2) result.is_clear = false;
      }
      if (k == 4) {
        s[3] = -model.restitution * s[3];
        s[1] = 0;
        sign[4] = 1;
      }
      if (is_gate && sign[k] > 0) s[2] *= model.gate_part;
    }
    now = model.functions(t, s);
  }
  result.end = s;
  return result;
}

struct MethodBounds {
  const char* name;
  double step, state, time;
};
constexpr MethodBounds all_methods[] = {{"dop853", 0, 1e-6, 1e-6},
                                        {"taylor", 0, 1e-6, 1e-6},
                                        {"arkode", 0, 1e-6, 1e-6},
                                        {"adams", 0, 1e-4, 1e-4},
                                        {"bdf", 0, 1e-4, 1e-4},
                                        {"ida", 0, 1e-4, 1e-4},
                                        {"variational", 2e-4, 5e-3, 5e-3},
                                        {"variational4", 1e-3, 1e-3, 1e-3}};

class RandomMotions : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomMotions, ::testing::Values(1, 101, 201, 301, 401, 501));

TEST_P(RandomMotions, OfEveryMethodAreThoseOfShortFixedSteps) {
  constexpr double until = 2.5;
  constexpr int enough = 10;
  int done = 0;
  for (unsigned seed = GetParam(); done < enough && seed < GetParam() + 100; ++seed) {
    const RandomModel random(seed);
    const Reference reference = compute_reference(random, until);
    if (!reference.is_clear) continue;
    ++done;
    const test::RunnableModel model = read_runnable(random.text());
    for (const MethodBounds& method : all_methods) {
      SCOPED_TRACE(fmt::format("seed {}, {}\n{}", seed, method.name, random.text()));
      RunRequest request;
      request.method.name = method.name;
      request.method.step = method.step;
      request.options.until = until;
      const SimulationResult result = test::run(model, request);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(result.y[i], reference.end[i], method.state) << i;
      ASSERT_EQ(result.events.size(), reference.happenings.size());
      for (std::size_t i = 0; i < result.events.size(); ++i) {
        EXPECT_EQ(result.events[i].event, reference.happenings[i].event) << i;
        EXPECT_NEAR(result.events[i].t, reference.happenings[i].t, method.time) << i;
      }
    }
  }
  EXPECT_EQ(done, enough);
}

TEST(Bounces, ABallThatLosesAlmostAllItsSpeedStaysAboveItsFloor) {
  for (const double part : {0.3, 0.1, 0.05, 0.01, 1e-3, 1e-4}) {
    const test::RunnableModel model =
        read_runnable(fmt::format("coord y\nkinetic y'^2/2\npotential 9.81*y\nstart y = 1\n"
                                  "event bounce: y = 0 falling then reset y' = -{}*y'\n",
                                  part));
    const double fall = std::sqrt(2 / 9.81), rest = fall * (1 + 2 * part / (1 - part));
    for (const MethodBounds& method : all_methods) {
      RunRequest request;
      request.method.name = method.name;
      request.method.step = method.step;
      request.options.until = 3;
      const SimulationResult result = test::run(model, request);
      EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method.name << part;
      EXPECT_NEAR(result.t, rest, 1e-5) << method.name << part << result.message;
      EXPECT_NEAR(result.y[0], 0, 1e-9) << method.name << part;
    }
  }
}

}  // namespace
}  // namespace liaison
