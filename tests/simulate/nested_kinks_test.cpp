#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "simulate_support.hpp"

// Switches within switches, and under roots, logarithms, arcs and quotients, by every adaptive method:
// against closed forms, and against short fixed steps that end at each change and share nothing with the
// library.

namespace liaison::test {
namespace {

/// A state, and on which side the switches of a force are: as they are there, or as they were.
struct Place {
  double t, x, v;
  std::vector<int> sides = {};
  bool are_held = false;
  std::size_t next = 0;

  int side(double argument) {
    const int here = argument > 0 ? 1 : -1;
    if (!are_held) sides.push_back(here);
    // Beyond a change there may be more switches than were held: the step will end before it.
    return next < sides.size() ? sides[next++] : here;
  }
};

struct Force {
  std::string text;
  std::function<double(Place&)> value;
};

Force number(double c) {
  return {fmt::format("({})", c), [c](Place&) { return c; }};
}
const Force x{"x", [](Place& at) { return at.x; }};
const Force v{"x'", [](Place& at) { return at.v; }};
const Force t{"t", [](Place& at) { return at.t; }};

Force operator+(const Force& a, const Force& b) {
  return {fmt::format("({} + {})", a.text, b.text), [=](Place& at) {
            const double first = a.value(at);
            return first + b.value(at);
          }};
}
Force operator*(const Force& a, const Force& b) {
  return {fmt::format("{}*{}", a.text, b.text), [=](Place& at) {
            const double first = a.value(at);
            return first * b.value(at);
          }};
}
Force operator*(double c, const Force& a) {
  return number(c) * a;
}
Force operator+(const Force& a, double c) {
  return a + number(c);
}
Force sign(const Force& a) {
  return {fmt::format("sign({})", a.text),
          [=](Place& at) { return static_cast<double>(at.side(a.value(at))); }};
}
Force abs(const Force& a) {
  return {fmt::format("abs({})", a.text), [=](Place& at) {
            const double argument = a.value(at);
            return at.side(argument) * argument;
          }};
}
Force max(const Force& a, const Force& b) {
  return {fmt::format("max({}, {})", a.text, b.text), [=](Place& at) {
            const double first = a.value(at), second = b.value(at);
            return at.side(first - second) > 0 ? first : second;
          }};
}
Force max(const Force& a, double c) {
  return max(a, number(c));
}
Force min(const Force& a, const Force& b) {
  return {fmt::format("min({}, {})", a.text, b.text), [=](Place& at) {
            const double first = a.value(at), second = b.value(at);
            return at.side(first - second) > 0 ? second : first;
          }};
}
Force min(const Force& a, double c) {
  return min(a, number(c));
}
Force of(const std::string& name, double (*function)(double), const Force& a) {
  return {fmt::format("{}({})", name, a.text), [=](Place& at) { return function(a.value(at)); }};
}
Force sqrt(const Force& a) {
  return of("sqrt", std::sqrt, a);
}
Force log(const Force& a) {
  return of("log", std::log, a);
}
Force asin(const Force& a) {
  return of("asin", std::asin, a);
}
Force acos(const Force& a) {
  return of("acos", std::acos, a);
}
Force cos(const Force& a) {
  return of("cos", std::cos, a);
}
Force inverse(const Force& a) {
  return {fmt::format("1/{}", a.text), [=](Place& at) { return 1 / a.value(at); }};
}
Force power(const Force& a, double exponent) {
  return {fmt::format("{}^({})", a.text, exponent),
          [=](Place& at) { return std::pow(a.value(at), exponent); }};
}
Force atan2(const Force& y, const Force& along) {
  return {fmt::format("atan2({}, {})", y.text, along.text), [=](Place& at) {
            const double first = y.value(at), second = along.value(at);
            const double cut = second < 0 && first * at.side(first) < 0 ? -2 * std::acos(-1.0) : 0;
            return std::atan2(first, second) + cut * (first > 0 ? 1 : -1);
          }};
}

struct End {
  double x, v;
  std::size_t changes = 0;
  double shortest = INFINITY;  ///< between two changes
};

/// The classical method of Runge and Kutta; a step in which a side changes ends there.
End by_short_steps(const Force& force, double x0, double v0, double until, double h = 1e-3) {
  End now{.x = x0, .v = v0};
  double time = 0, last = -INFINITY;
  const auto sides_at = [&](double at, double position, double velocity) {
    Place place{at, position, velocity};
    force.value(place);
    return place.sides;
  };
  std::vector<int> sides = sides_at(0, x0 + 1e-9 * v0, v0 + 1e-12);
  const auto moved = [&](double length) {
    const auto rate = [&](double part, double dx, double dv) {
      Place place{time + part, now.x + dx, now.v + dv, sides, true};
      return std::pair{now.v + dv, force.value(place)};
    };
    const auto a = rate(0, 0, 0), b = rate(length / 2, length / 2 * a.first, length / 2 * a.second);
    const auto c = rate(length / 2, length / 2 * b.first, length / 2 * b.second);
    const auto d = rate(length, length * c.first, length * c.second);
    return std::pair{now.x + length / 6 * (a.first + 2 * b.first + 2 * c.first + d.first),
                     now.v + length / 6 * (a.second + 2 * b.second + 2 * c.second + d.second)};
  };
  const auto sides_after = [&](double part) {
    const auto [position, velocity] = moved(part);
    return sides_at(time + part, position, velocity);
  };
  while (time < until) {
    double part = std::min(h, until - time), low = 0;
    const bool changes = sides_after(part) != sides;
    if (changes) {
      for (int i = 0; i < 50; ++i) (sides_after((low + part) / 2) != sides ? part : low) = (low + part) / 2;
    }
    const auto [position, velocity] = moved(part);
    const std::vector<int> next = changes ? sides_after(part + 1e-13) : sides;
    now.x = position, now.v = velocity;
    time += part;
    if (!changes) continue;
    ++now.changes;
    now.shortest = std::min(now.shortest, time - last);
    last = time;
    sides = next;
  }
  return now;
}

std::string model_of(const Force& force, double x0, double v0) {
  return fmt::format("coord x\nkinetic x'^2/2\nforce x = {}\nstart x = {}, x' = {}\n", force.text, x0, v0);
}

void expect_end(const Force& force, double x0, double v0, double until, double end_x, double end_v) {
  const std::string text = model_of(force, x0, v0);
  const RunnableModel model = read_runnable(text);
  for (const Method& method : methods()) {
    if (!method.adaptive) continue;
    if (method.name == "taylor" && force.text.find("atan2") != std::string::npos) continue;  // has no series
    RunRequest request;
    request.options.until = until;
    request.options.tolerance = {1e-9, 1e-12};
    request.method.name = method.name;
    const SimulationResult result = run(model, request);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << method.name << ": " << result.message << text;
    EXPECT_NEAR(model.value(result.y, "x"), end_x, 1e-5) << method.name << ": " << text;
    EXPECT_NEAR(model.value(result.y, "x'"), end_v, 1e-5) << method.name << ": " << text;
  }
}

void expect_short_steps(const Force& force, double x0, double v0, double until) {
  const End end = by_short_steps(force, x0, v0, until);
  EXPECT_GT(end.changes, 0u) << force.text;
  expect_end(force, x0, v0, until, end.x, end.v);
}

TEST(NestedKinks, ASignWithinAMaximum) {
  // x'' = 1/2 until x = 0, at 2 sqrt(5) - 4, then 1.
  const double zero = 2 * std::sqrt(5.0) - 4, speed = 2 + zero / 2, rest = 2 - zero;
  expect_end(max(sign(x), 0.5), -1, 2, 2, speed * rest + rest * rest / 2, speed + rest);
  expect_end(max(sign(v), 0.5), 0, -1, 4, 1, 2);  // x' = 0 at 2, x = -1; then x'' = 1
}

TEST(NestedKinks, OfTheStateInsideOthers) {
  expect_short_steps(-1.0 * x + max(sign(x + -0.34), 0.5), -0.446, 0.241, 4);
  expect_short_steps(max(sign(x) * cos(t), 0.5), -1, 2, 2);
  expect_short_steps(abs(sign(x) + -0.5), -1, 2, 2);
  expect_short_steps(max(atan2(v, x), 0.5) + -1.0 * x, 1, 0, 10);
  expect_short_steps(-1.61 * x + -0.2 * v + 0.5 * max(max(sign(x + -0.34), max(x * v, 0.93)), 0.3), -0.446,
                     0.241, 4);
  expect_short_steps(max(abs(x), x) + -2.0 * x, -1, 1, 8);
  expect_short_steps(sign(sign(x) + 0.5 * x) + -1.0 * x, -2, 1, 8);
}

TEST(NestedKinks, UnderRootsLogarithmsArcsAndQuotients) {
  expect_short_steps(log(sign(x) + 2), -0.5, 2, 1);
  expect_short_steps(-1.0 * log(max(x, 0.5)) + -1.0 * x, -1, 2, 6);
  expect_short_steps(asin(max(min(x, 0.9), -0.9)) + -3.0 * x, 0, 2, 6);
  expect_short_steps(power(abs(x) + 1, 1.5) + -5.0 * x, 0, 2, 6);
  expect_short_steps(-3.0 * sqrt(abs(x) + 1) * x, -1, 2, 6);
  expect_short_steps(min(inverse(x * x + 1), 0.7) + -2.0 * x, 1, 1, 6);
  expect_short_steps(max(sqrt(x * x + 1), 1.2) + -2.0 * x, 0.5, 1, 6);
  expect_short_steps(log(sign(x) + 2) + -1.0 * x, -0.5, 2, 6);
  expect_short_steps(acos(0.5 * sign(x)) + -3.0 * x, -0.5, 2, 6);
  expect_short_steps(inverse(abs(x) + 1) + -2.0 * x, 0.5, 1, 6);
  expect_short_steps(log(max(sign(x), 0.5) + 1) + -1.0 * x, -0.5, 2, 6);
}

/// A random force with switches in switches, bounded beside the spring that is added to it.
class RandomForces {
 public:
  explicit RandomForces(unsigned seed) : engine_(seed) {}
  double draw(double low, double high) {
    const double unit = static_cast<double>(engine_()) / 4294967296.0;
    return std::round((low + (high - low) * unit) * 1000) / 1000;
  }
  Force force(int depth) {
    if (depth == 0) {
      const Force leaves[] = {x + draw(-0.5, 0.5), v + draw(-0.5, 0.5), draw(0.2, 1) * x + draw(-1, 1) * v,
                              cos(draw(1, 4) * t)};
      return leaves[engine_() % 4];
    }
    const Force inner = force(depth - 1);
    switch (engine_() % 9) {
      case 0: return sign(inner);
      case 1: return abs(inner + draw(-0.5, 0.5));
      case 2: return max(inner, draw(-0.8, 0.8));
      case 3: return min(inner, force(depth - 1));
      case 4: return sqrt(abs(inner) + draw(0.5, 1));
      case 5: return log(max(inner, 0) + draw(0.5, 2));
      case 6: return asin(max(min(inner, 0.9), -0.9));
      case 7: return inverse(abs(inner) + draw(0.5, 2));
      default: return max(draw(-1, 1) * inner, force(depth - 1));
    }
  }

 private:
  std::mt19937 engine_;
};

class RandomNestedKinks : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomNestedKinks, ::testing::Values(1, 1001, 2001, 3001));

TEST_P(RandomNestedKinks, OfEveryMethodAreThoseOfShortFixedSteps) {
  constexpr double until = 3;
  constexpr int enough = 10;
  int done = 0;
  for (unsigned seed = GetParam(); done < enough && seed < GetParam() + 200; ++seed) {
    RandomForces random(seed);
    const Force force = -1.5 * x + random.force(3);
    const double x0 = random.draw(-1, 1), v0 = random.draw(-2, 2);
    const End end = by_short_steps(force, x0, v0, until), near = by_short_steps(force, x0 + 1e-5, v0, until);
    const bool is_clear = end.changes > 0 && end.changes == near.changes && end.shortest > 5e-3 &&
                          near.shortest > 5e-3 && std::abs(end.x - near.x) < 1e-3 &&
                          std::abs(end.v - near.v) < 1e-3;
    if (!is_clear) continue;
    ++done;
    SCOPED_TRACE(fmt::format("seed {}", seed));
    expect_end(force, x0, v0, until, end.x, end.v);
  }
  EXPECT_EQ(done, enough);
}

TEST(NestedKinks, ASwitchWithinAnotherThatChattersIsAnEnd) {  // z + z'/2 = 10 from both sides
  const RunnableModel model = read_runnable(
      "coord z\nkinetic z'^2/2\npotential 9.81*z\nforce z = 15*max(0, sign(10 - z - z'/2))\nstart z = 0\n");
  for (const char* method : {"dop853", "taylor", "arkode"}) {
    const SimulationResult result = run_until(model, method, 3);
    EXPECT_EQ(result.outcome, SimulationOutcome::singular) << method;
    EXPECT_NEAR(result.t, 2.14010209601, 1e-6) << method;
    EXPECT_NE(result.message.find("a switch that chatters"), std::string::npos) << method << result.message;
  }
}

}  // namespace
}  // namespace liaison::test
