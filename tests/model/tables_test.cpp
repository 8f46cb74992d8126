#include <fmt/format.h>

#include <array>
#include <fstream>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/dimension_of.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

const std::string mass = "coord x\nkinetic x'^2/2\n";

/// The force on x, where x is a number.
Expr force_at(const System& system, const Rational& x) {
  return substitute(system.forces[0], {{system.directions[0].coordinate, system.pool->number(x)}});
}

const std::string points = "points (0, 0), (1, 1), (2, 0), (4, 3), (5, 3)";

}  // namespace

TEST(Tables, pass_through_their_points_exactly) {
  for (const char* kind : {"linear", "monotone"}) {
    const System system = read_system("table f " + points + " " + kind + "\n" + mass + "force x = f(x)\n");
    const std::array<std::pair<int, int>, 5> given{{{0, 0}, {1, 1}, {2, 0}, {4, 3}, {5, 3}}};
    for (const auto& [at, value] : given) EXPECT_EQ(force_at(system, at), system.pool->number(value)) << kind;
    EXPECT_EQ(force_at(system, -3), system.pool->number(0)) << kind;
    EXPECT_EQ(force_at(system, 9), system.pool->number(3)) << kind;
  }
}

TEST(Tables, linear_ones_are_chords) {
  const System system = read_system("table f " + points + " linear extend\n" + mass + "force x = f(x)\n");
  EXPECT_EQ(force_at(system, Rational(5, 2)), system.pool->number(Rational(3, 4)));
  EXPECT_EQ(force_at(system, -2), system.pool->number(-2));
  EXPECT_EQ(force_at(system, 7), system.pool->number(3));
}

TEST(Tables, a_spline_has_two_derivatives_and_no_knot_beside_its_ends) {
  const System system = read_system("table f " + points + " cubic\n" + mass + "force x = f(x)\n");
  const auto value = [&](const Rational& x) { return evaluate(force_at(system, x), DoublePoint{}); };
  const Rational h(1, 1000);
  const auto second = [&](const Rational& x, const Rational& step) {
    return (value(x + step) - 2 * value(x) + value(x - step)) / (step * step).to_double();
  };
  // from the left and from the right of the inner points, extrapolated by the linear second derivative
  for (const Rational& knot : {Rational(1), Rational(2), Rational(4)}) {
    const double left = 2 * second(knot - h, h) - second(knot - h - h, h);
    const double right = 2 * second(knot + h, h) - second(knot + h + h, h);
    EXPECT_NEAR(left, right, 1e-6);
  }
  const auto third = [&](const Rational& x) {
    return (second(x + h, h) - second(x - h, h)) / (2 * h).to_double();
  };
  EXPECT_NEAR(third(Rational(1, 2)), third(Rational(3, 2)), 1e-5);
  EXPECT_NEAR(third(3), third(Rational(9, 2)), 1e-5);
  EXPECT_GT(std::abs(third(Rational(3, 2)) - third(3)), 0.1);
}

TEST(Tables, monotone_ones_stay_between_their_points) {
  const System system = read_system("table f " + points + " monotone\n" + mass + "force x = f(x)\n");
  for (int k = 0; k <= 100; ++k) {
    const double y = evaluate(force_at(system, Rational(k, 20)), DoublePoint{});
    EXPECT_GE(y, 0);
    EXPECT_LE(y, 3);
    if (k >= 80) {
      EXPECT_EQ(y, 3);
    }
  }
}

TEST(Tables, may_have_ten_thousand_points) {
  std::string many = "points (0, 0)";
  for (int k = 1; k < 10000; ++k) many += fmt::format(", ({}, {})", k, k * k % 7);
  const System system = read_system("table f " + many + "\n" + mass + "force x = f(x)\n");
  EXPECT_EQ(force_at(system, 5003), system.pool->number(5003 * 5003 % 7));
  EXPECT_NE(read_errors("table f " + many + ", (10000, 0)\n" + mass + "force x = f(x)\n"), "");
}

TEST(Tables, have_units) {
  const std::string unit_mass = "param m = 2 [kg]\ncoord x [m]\nkinetic m/2*x'^2\n";
  const System system =
      read_system(unit_mass + "table f points (0, 0), (100, 3) units [cm], [kN]\nforce x = f(x)\n");
  EXPECT_EQ(force_at(system, Rational(1, 2)), system.pool->number(1500));
  EXPECT_NE(read_errors(unit_mass + "table f points (0, 0), (100, 3) units [s], [kN]\nforce x = f(x)\n"), "");
  EXPECT_NE(read_errors(unit_mass + "table f points (0, 0), (100, 3) units [m], [m]\nforce x = f(x)\n"), "");
  // without units a table takes what its uses need, and cannot be used for two things
  EXPECT_EQ(read_errors(unit_mass + "table f points (0, 0), (1, 3)\nforce x = f(x)\n"), "");
  EXPECT_NE(read_errors(unit_mass + "table f points (0, 0), (1, 3)\nforce x = f(x) + f(x')\n"), "");
}

TEST(Tables, are_printed_as_what_they_are_short_for) {
  const System system = read_system("table f points (0, 0), (1, 1), (2, 0)\n" + mass + "force x = f(x)\n");
  EXPECT_EQ(to_lia(read_system(to_lia(system))), to_lia(system));
  const System by_hand = read_system(mass + "force x = max(x, 0) - 2*max(x - 1, 0) + max(x - 2, 0)\n");
  EXPECT_EQ(to_lia(system), to_lia(by_hand));
}

TEST(Tables, are_read_from_files) {
  const std::string folder = ::testing::TempDir();
  const auto read = [&](const std::string& text, const std::string& clauses) {
    std::ofstream(folder + "/points.csv") << text;
    const Source source(folder + "/model.lia",
                        mass + "table f from \"points.csv\" " + clauses + "\nforce x = f(x)\n");
    const ParsedModel model = parse_model(source);
    return model.ok() ? to_infix(force_at(model.system, 1)) : model.diagnostics[0].message;
  };
  EXPECT_EQ(read("x, y\n0, 1\n2, 3\n", ""), "2");
  EXPECT_EQ(read("# told\n\n0;9;1\r\n2;9;3\r\n", "columns 1, 3"), "2");
  EXPECT_EQ(read("u\tw\tv\n0\t0\t1\n2\t0\t3e0\n", "columns u, v"), "2");
  EXPECT_EQ(read("0 1\n  2   +3\n", ""), "2");
  EXPECT_EQ(read("0, 1\n2, nan\n", ""), "line 2 of the file: `nan` is not a number");
  EXPECT_EQ(read("0, 1\n2, 1e999999\n", ""), "line 2 of the file: `1e999999` is not a number");
  EXPECT_EQ(read("0, 1\n2\n", ""), "line 2 of the file has 1 column, and column 2 is asked for");
  EXPECT_EQ(read("0, 1\n0, 2\n", ""), "line 2 of the file does not lie behind the line before");
  EXPECT_EQ(read("a, b\n0, 1\n1, 2\n", "columns a, c"), "the file has no column `c`");
  EXPECT_EQ(read("a [furlong], b\n0, 1\n1, 2\n", ""),
            "`furlong` in the first line of the file is not a unit");
  EXPECT_EQ(read("\"s, m\",\"h\",\"k\"\n0, 1, 7\n2, 3, 7\n", "columns 1, h"), "2");
  EXPECT_EQ(read("", ""), "a table has at least two points");
}

TEST(Conditions, choose_by_signs) {
  const System system =
      read_system(mass + "force x = if x > 2 then 5 else if -1 < x and x <= 1 or x < -3 then 7 else 9\n");
  const std::array<std::pair<int, int>, 4> expected{{{3, 5}, {0, 7}, {-4, 7}, {-2, 9}}};
  for (const auto& [at, value] : expected) EXPECT_EQ(force_at(system, at), system.pool->number(value)) << at;
  EXPECT_EQ(force_at(system, 2), system.pool->number(7));  // between 5 and 9, on the border itself
}

/// "N, m, -": of each output, then of each factor.
std::string told_units(const std::string& text) {
  const Source source("m.lia", text);
  const ParsedModel model = parse_model(source);
  EXPECT_TRUE(model.ok()) << render(model.diagnostics, source);
  const ToldDimensions told = told_dimensions(source, model.system);
  std::string out;
  const auto add = [&](const std::string& unit) {
    out += (out.empty() ? "" : ", ") + (unit.empty() ? "-" : unit);
  };
  for (const Output& output : model.system.outputs) add(unit_of_output(model.system, output, told));
  for (const Constraint& one : model.system.constraints) add(unit_of_factor(model.system, one.name, told));
  return out;
}

TEST(Tables, give_their_units_to_outputs_and_reactions) {
  const std::string mass = "param m = 2 [kg], k = 200 [N/m], w = 3 [rad/s]\ncoord y [m]\nkinetic m/2*y'^2\n";
  const std::string cam = "table cam points (0, 10), (1, 15) extend units [rad], [mm]\n";
  EXPECT_EQ(told_units(mass + cam +
                       "output lift = cam(w*t)\noutput pull = k*(y - cam(w*t))\noutput part = y/cam(w*t)\n"),
            "m, N, -");
  EXPECT_EQ(
      told_units(mass + cam + "constraint follow: y = cam(w*t)\noutput moment = lambda(follow)*cam(w*t)\n"),
      "N·m, N");
  // without units of its own it takes those of what it is compared with, or has none that is known
  const std::string open = "table cam points (0, 10), (1, 15) extend\n";
  EXPECT_EQ(told_units(mass + open + "output pull = k*(y - cam(t))\noutput alone = cam(t)\n"), "N, m");
  EXPECT_EQ(told_units(mass + open + "output part = y/cam(t)\noutput speed = y'\n"), "-, m/s");
}

TEST(Conditions, stand_in_brackets_and_functions) {
  const System system = read_system(mass +
                                    "function clip(u) = piecewise(u < 0, 0, u < 1, u, 1)\n"
                                    "force x = 2*(if x >= 0 then 1 else -1) + clip(x/2) + step(x - 4)\n");
  EXPECT_EQ(force_at(system, 1), system.pool->number(Rational(5, 2)));
  EXPECT_EQ(force_at(system, 5), system.pool->number(4));
  EXPECT_EQ(force_at(system, -5), system.pool->number(-2));
}

TEST(Conditions, do_not_recur_with_their_nesting) {
  std::string text = mass + "force x = ";
  for (int k = 0; k < 2000; ++k) text += "(if x > 0 then 1 else ";
  EXPECT_NE(read_errors(text), "");
  text = mass + "force x = if ";
  for (int k = 0; k < 100'000; ++k) text += "(";
  EXPECT_NE(read_errors(text + "x > 0 then 1 else 2"), "");
}

TEST(Motors, push_along_what_they_turn) {
  const std::string arm = "param w = 2, c = 3\ncoord a, b\nkinetic a'^2/2 + b'^2/2\n";
  EXPECT_EQ(to_lia(read_system(arm + "motor M: b - a moment 5 - c*b'\n")),
            to_lia(read_system(arm + "force b = 5 - c*b'\nforce a = c*b' - 5\n")));
  EXPECT_EQ(to_lia(read_system(arm + "motor M: a = w*t\n")),
            to_lia(read_system(arm + "constraint M: a = w*t\n")));
  EXPECT_EQ(to_lia(read_system(arm + "motor M: a = w*t\noutput P = drive_power(M)\n")),
            to_lia(read_system(arm + "constraint M: a = w*t\noutput P = drive_power(M)\n")));
}

}  // namespace liaison::test
