#include <fmt/format.h>

#include <cmath>

#include "contact_model.hpp"

// Contacts that share what they carry, along a motion: they hold while some way to share it is within all
// limits, and give way where the last one goes.
namespace liaison {
namespace {

struct SharedCase {
  std::string name, text;
  double until;
  double holds_until;             ///< where every contact has stuck, from the start
  std::vector<std::string> then;  ///< of each contact
};
void PrintTo(const SharedCase& one, std::ostream* out) {
  *out << one.name;
}

/// A block of weight 20 on feet at -3/10 and 1/2, its centre 2/5 high, pushed by t at 1/10 above it: it slips
/// where t = f W, or tips where t (h + c) = W b.
std::string pushed_block(const std::string& friction) {
  return "param f = " + friction + R"(
coord x, y, th
body B mass 2 inertia 1/5 at [x, y] angle th
gravity [0, -10]
contact L: B on ground at [x - 3/10*cos(th) + 2/5*sin(th), y - 3/10*sin(th) - 2/5*cos(th)] normal [0, 1] unilateral friction f
contact R: B on ground at [x + 1/2*cos(th) + 2/5*sin(th), y + 1/2*sin(th) - 2/5*cos(th)] normal [0, 1] unilateral friction f
force x = t
force th = -t/10
start y = 2/5
)";
}

/// A man of weight 40 climbs by 1/2 in a unit of time on a ladder of length 4 and weight 10.
std::string ladder(const std::string& wall, const std::string& floor) {
  return "param fw = " + wall + ", ff = " + floor + R"(, l = 2
coord x, y, th
body ladder mass 1 inertia 4/3 at [x, y] angle th
gravity [0, -10]
contact foot: ladder on ground at [x - l*cos(th), y - l*sin(th)] normal [0, 1] unilateral friction ff
contact top: ladder on ground at [x + l*cos(th), y + l*sin(th)] normal [-1, 0] unilateral gap -x - l*cos(th) friction fw
force y = -40
force th = -40*(t/2 - l)*cos(th)
start th = 11/10, x = -l*cos(11/10), y = l*sin(11/10)
)";
}
/// Both ends slip: N = W/(1 + ff fw) on the floor, ff N at the wall, and moments about the foot.
double ladder_slips(double wall, double floor) {
  const double pressure = floor * 50 / (1 + floor * wall);
  return (pressure * 4 * (std::tan(1.1) + wall) - 20) / 40 * 2;
}

const std::string groove = R"(
coord x, y
particle P mass 1 at [x, y]
gravity [0, -10]
unilateral l: (y - x)/sqrt(2) >= 0 friction 2/5 on (x' + y')/sqrt(2)
unilateral r: (y + x)/sqrt(2) >= 0 friction 2/5 on (x' - y')/sqrt(2)
force x = 8*t
start x = 0, y = 0
)";

const std::string disc = R"(
param r = 1/2
coord x, y, th
body D mass 1 inertia 1/8 at [x, y] angle th
gravity [0, -10]
contact p: D on ground at [x - r*sqrt(2)/2, y - r*sqrt(2)/2] normal [sqrt(2)/2, sqrt(2)/2] unilateral gap (x + y)*sqrt(2)/2 - r friction 3/10
contact q: D on ground at [x + r*sqrt(2)/2, y - r*sqrt(2)/2] normal [-sqrt(2)/2, sqrt(2)/2] unilateral gap (y - x)*sqrt(2)/2 - r friction 3/10
force th = t
start y = r*sqrt(2)
)";

const std::string belt = R"(
coord x, y, th
body B mass 1 inertia 1/10 at [x, y] angle th
gravity [0, -10]
unilateral L: y - sin(th)/2 - cos(th)/4 >= 0 friction 1/5 on x' + th'*(sin(th)/2 + cos(th)/4) - t^2/2
unilateral R: y + sin(th)/2 - cos(th)/4 >= 0 friction 1/5 on x' + th'*(-sin(th)/2 + cos(th)/4) - t^2/2
start y = 1/4
)";

/// Two walls squeeze a box with 40 - 5 t, and friction carries its weight: 2 f (40 - 5 t) = 10.
const std::string squeezed = R"(
coord x, y, u
particle B mass 1 at [x, y]
particle W mass 1 at [u, 0]
force y = -10
force u = -(40 - 5*t)
unilateral left: x - 1/2 >= 0 friction 1/2 on y'
unilateral right: u - x - 1/2 >= 0 friction 1/2 on y'
start x = 1/2, u = 1
)";

const std::string three_feet = R"(
coord x, y, th
body B mass 1 inertia 1/10 at [x, y] angle th
gravity [0, -10]
for i in 1..3: contact F_{i}: B on ground at [x + ({i}-2)*cos(th)/2 + sin(th)/4, y + ({i}-2)*sin(th)/2 - cos(th)/4] normal [0, 1] unilateral friction 1/2
force x = t
start y = 1/4
)";

class SharedContacts : public ::testing::TestWithParam<SharedCase> {};

TEST_P(SharedContacts, HoldWhileSomeWayIsWithinTheLimits) {
  const SharedCase& one = GetParam();
  test::ContactModel contacts(one.text, "dop853", 1e-9);
  const SimulationResult result = contacts.until(one.until);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_FALSE(result.unexplored);
  for (std::size_t c = 0; c < one.then.size(); ++c) {
    std::vector<ContactSpan> own;
    for (const ContactSpan& span : result.contact_spans) {
      if (span.contact == c) own.push_back(span);
    }
    ASSERT_GE(own.size(), one.then[c] == "sticks" ? 1U : 2U) << c;
    EXPECT_EQ(own[0].mode, "sticks") << c;
    EXPECT_TRUE(result.open_contacts.contains(c)) << c;
    if (one.then[c] == "sticks") continue;
    EXPECT_NEAR(own[0].end, one.holds_until, 1e-12 * one.holds_until) << c;
    EXPECT_EQ(own[1].mode, one.then[c]) << c;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, SharedContacts,
    ::testing::Values(
        SharedCase{"BlockSlips", pushed_block("3/10"), 7, 6, {"slips", "slips"}},
        SharedCase{"BlockTips", pushed_block("6/5"), 20.2, 20, {"open", "sticks"}},
        SharedCase{"Ladder", ladder("1/5", "2/5"), 7.1, ladder_slips(0.2, 0.4), {"slips", "slips"}},
        SharedCase{
            "LadderOnSmoothFloor", ladder("1/2", "1/5"), 4, ladder_slips(0.5, 0.2), {"slips", "slips"}},
        SharedCase{"Groove", groove, 3, 35.0 / 12, {"slips", "open"}},
        SharedCase{"DiscInAGroove", disc, 3, 1.5 * std::sqrt(2) / 1.09, {"slips", "slips"}},
        SharedCase{"Belt", belt, 3, 2, {"slips", "slips"}},
        SharedCase{"Squeezed", squeezed, 7, 6, {"slips", "slips"}},
        SharedCase{"ThreeFeet", three_feet, 6, 5, {"slips", "slips", "slips"}}),
    [](const auto& one) { return one.param.name; });

/// In every row the forces carry the load, and stay within their cones while the contacts stick.
TEST(SharedContacts, RowsShowAWayWithinTheLimits) {
  test::ContactModel contacts(pushed_block("3/10"), "dop853", 1e-9);
  contacts.until(5.99, 0.01);
  ASSERT_GT(contacts.rows.size(), 500U);
  for (const Row& row : contacts.rows) {
    const double left = row.factors[0], left_slip = row.factors[1], right = row.factors[2],
                 right_slip = row.factors[3];
    EXPECT_NEAR(left + right, 20, 1e-9) << row.t;
    EXPECT_NEAR(left_slip + right_slip, -row.t, 1e-9);
    EXPECT_LE(std::abs(left_slip), 0.3 * left) << row.t;
    EXPECT_LE(std::abs(right_slip), 0.3 * right) << row.t;
  }
}

/// A table on legs in space, pushed: friction carries mu W, however the legs share it, and then it slides.
std::string table(const std::string& legs, const std::string& push, int size = 1) {
  const std::string length = std::to_string(size), square = std::to_string(size * size);
  return "param g = 10, h = " + length + "/5, k = " + square + R"(
coord x, y, z
rotation R (p, q, r) in body
body B mass 2 inertia [k/10, k/5, 3*k/10] at [x, y, z] rotation R
gravity [0, 0, -g]
)" + legs +
         push + "\nstart z = h\n";
}
std::string leg(const std::string& name, const std::string& a, const std::string& b) {
  const auto along = [&](const char* i) {
    const std::string row(i);
    return "(" + a + ")*R" + row + "1 + (" + b + ")*R" + row + "2 - h*R" + row + "3";
  };
  return "contact " + name + ": B on ground at [x + " + along("1") + ", y + " + along("2") + ", z + " +
         along("3") + "] normal [0, 0, 1] unilateral friction 3/10\n";
}

std::string four_legs() {
  return leg("A", "1/2", "3/10") + leg("C", "1/2", "-3/10") + leg("D", "-1/2", "3/10") +
         leg("E", "-1/2", "-3/10");
}

TEST(SharedContacts, ATableOnThreeLegsSlides) {
  test::ContactModel contacts(
      table(leg("A", "3/5", "0") + leg("C", "-3/10", "1/2") + leg("D", "-3/10", "-1/2"), "force x = 4*t"),
      "dop853", 1e-9);
  const SimulationResult result = contacts.until(2);
  EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_GE(result.contact_spans.size(), 6U);
  EXPECT_EQ(result.contact_spans[0].mode, "sticks");
  EXPECT_NEAR(result.contact_spans[0].end, 1.5, 1e-9);
  EXPECT_NEAR(result.y[0], std::pow(0.5, 3) / 3, 1e-7);  // m x'' = 4 (t - 3/2)
}

/// Friction carries mu W however four legs share it, and through the centre it has no moment: the table
/// slides and does not turn.
TEST(SharedContacts, ATableOnFourLegsSlides) {
  test::ContactModel contacts(table(four_legs(), "force x = 3*t\nforce y = 2*t"), "dop853", 1e-9);
  const SimulationResult result = contacts.until(2);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  ASSERT_GE(result.contact_spans.size(), 8U);
  const double slips = 6 / std::sqrt(13), later = 2 - slips;
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(result.contact_spans[c].mode, "sticks");
    EXPECT_NEAR(result.contact_spans[c].end, slips, 1e-9);
    EXPECT_EQ(result.contact_spans[4 + c].mode, "slips");
    EXPECT_NEAR(result.contact_spans[4 + c].begin, slips, 1e-9);
  }
  EXPECT_NEAR(result.y[0], std::pow(later, 3) / 4, 1e-7);  // m x'' = 3 (t - slips)
  EXPECT_NEAR(result.y[1], std::pow(later, 3) / 6, 1e-7);
  EXPECT_LT(result.steps, 10'000U);
}

/// About the middle of a rectangle all legs have one arm, and friction has the moment mu W rho in every way.
TEST(SharedContacts, ATableOnFourLegsTurnsAboutItsMiddle) {
  test::ContactModel contacts(table(four_legs(), "force r = 3*t"), "dop853", 1e-9);
  const SimulationResult result = contacts.until(1.5);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  const double slips = 0.3 * 20 * std::hypot(0.5, 0.3) / 3, later = 1.5 - slips;
  EXPECT_NEAR(result.contact_spans[0].end, slips, 1e-9);
  EXPECT_NEAR(result.y.back(), 5 * later * later, 1e-6);  // J r' = 3 (t - slips)
}

/// Pushed aside it turns, and then how four legs share the weight decides how.
TEST(SharedContacts, WhatTurnsOnFourLegsIsNotDetermined) {
  test::ContactModel contacts(table(four_legs(), "force x = 4*t\nforce r = t"), "dop853", 1e-9);
  const SimulationResult result = contacts.until(3);
  EXPECT_EQ(result.outcome, SimulationOutcome::several);
  EXPECT_NE(result.message.find("the motion depends on them"), std::string::npos) << result.message;
}

/// The moment after which a slip that begins is followed steps over no row of the grid.
TEST(SharedContacts, RowsKeepTheirGridWhereATableBeginsToSlide) {
  test::ContactModel contacts(
      table(leg("A", "3/5", "0") + leg("C", "-3/10", "1/2") + leg("D", "-3/10", "-1/2"), "force x = 4*t"),
      "dop853", 1e-9);
  ASSERT_EQ(contacts.until(1.75, 0.25).outcome, SimulationOutcome::finished);
  for (int k = 0; k <= 7; ++k) {
    const auto is_it = [&](const Row& row) { return std::abs(row.t - 0.25 * k) < 1e-12; };
    EXPECT_TRUE(std::any_of(contacts.rows.begin(), contacts.rows.end(), is_it)) << k;
  }
}

/// Within that moment the rows show the states of their times: what moves beside the table goes on evenly.
/// So does the state of a run that ends there.
TEST(SharedContacts, RowsWithinTheFirstMomentOfASlipAreThoseOfTheirTimes) {
  for (const char* push : {"force x = 6.0001 + 3*t", "force x = 5.9995 + 3*t"}) {
    test::ContactModel contacts(
        table(leg("A", "3/5", "0") + leg("C", "-3/10", "1/2") + leg("D", "-3/10", "-1/2"),
              std::string(push) + "\ncoord w\nkinetic w'^2/2\noutput W = w\nstart w' = 1"),
        "dop853", 1e-9);
    constexpr double every = 2e-6;
    for (const double until : {2.5 * every, 84.25 * every, 120 * every}) {
      const SimulationResult result = contacts.until(until, every);
      ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
      EXPECT_EQ(result.t, until);
      ASSERT_FALSE(contacts.rows.empty());
      EXPECT_EQ(contacts.rows.back().t, until);
      const std::vector<double>& last = contacts.rows.back().y;
      ASSERT_EQ(last.size(), result.y.size());
      // what is at rest is so exactly in the state, and in the row to the square of what doubles hold
      for (std::size_t i = 0; i < last.size(); ++i) EXPECT_NEAR(last[i], result.y[i], 1e-32) << i;
      for (int k = 0; k * every <= until; ++k) {
        const auto is_it = [&](const Row& row) { return std::abs(row.t - every * k) < 1e-9 * every; };
        EXPECT_EQ(std::count_if(contacts.rows.begin(), contacts.rows.end(), is_it), 1) << push << k;
      }
      double before = -1;
      for (const Row& row : contacts.rows) {
        EXPECT_GE(row.t, before);
        before = row.t;
        EXPECT_NEAR(row.outputs.at(0), row.t, 1e-15);
      }
    }
  }
}

/// The same motion in other units of length, which the floor does not know.
TEST(SharedContacts, ALargeTableSlidesAlike) {
  test::ContactModel contacts(
      table(leg("A", "60", "0") + leg("C", "-30", "50") + leg("D", "-30", "-50"), "force x = 4*t", 100),
      "dop853", 1e-9);
  const SimulationResult result = contacts.until(2);
  ASSERT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
  EXPECT_NEAR(result.contact_spans[0].end, 1.5, 1e-9);
  EXPECT_NEAR(result.y[0], std::pow(0.5, 3) / 3, 1e-6);
}

/// Numbers in front of the gap and of the slip of one leg alone change nothing.
TEST(SharedContacts, NumbersInFrontOfTheRowsOfOneLegDoNotCount) {
  for (const auto& [gap, slip] :
       {std::pair("1", "1"), std::pair("1e8", "1"), std::pair("1", "1e8"), std::pair("1e-8", "1e8")}) {
    std::string text =
        "coord x, y, z, a, b, r\nkinetic x'^2 + y'^2 + z'^2 + (a'^2 + b'^2 + r'^2)/5\npotential 20*z\n"
        "force x = 4*t\nforce r = t\n";
    for (const auto& [name, a, b] :
         {std::tuple("A", "3/5", "0"), std::tuple("B", "-3/10", "1/2"), std::tuple("C", "-3/10", "-1/2")}) {
      text += fmt::format(
          "unilateral {0}: {3}*(z + ({1})*a + ({2})*b) >= 0 friction 3/10*{3}/{4} on [{4}*(x' - ({2})*r'), "
          "{4}*(y' + ({1})*r')]\n",
          name, a, b, *name == 'A' ? gap : "1", *name == 'A' ? slip : "1");
    }
    const SimulationResult result = test::ContactModel(text, "dop853", 1e-9).until(2);
    ASSERT_EQ(result.outcome, SimulationOutcome::finished) << gap << " " << slip << ": " << result.message;
    EXPECT_NEAR(result.contact_spans[0].end, 1.30393535, 1e-7);
    EXPECT_NEAR(result.y[0], 0.1127297149, 1e-7);
    EXPECT_NEAR(result.y[5], 0.1341159061, 1e-7);
  }
}

/// A surface that is said twice, with numbers whose products are rounded: the motion is that of one, by any
/// assembly of the equations, constant or not.
TEST(SharedContacts, ASurfaceSaidTwiceIsOne) {
  for (const char* mass : {"0.76", "(0.76 + q0^2)"}) {
    const std::string head = fmt::format(
        "coord q0, q1\nkinetic ({}*q0')^2/2 + (-1.48*q0' + 1.11*q1')^2/2\npotential 1.6*q0 + 0.147922*q1\n"
        "unilateral A: 1.4*q0 + 1.7*q1 >= 0\n",
        mass);
    const auto last = [](const std::string& text, Assembly assembly, const std::string& method) {
      test::ModelWithContacts<ContactRun> contacts(text,
                                                   MethodRequest{.name = method, .tolerance = {1e-10, 1e-13}},
                                                   EvaluatorOptions{.assembly = assembly}, ContactOptions{});
      const SimulationResult result = contacts.until(1);
      EXPECT_EQ(result.outcome, SimulationOutcome::finished) << result.message;
      return result.y;
    };
    const std::vector<double> once = last(head, Assembly::automatic, "dop853");
    const std::string twice = head + "unilateral B: 0.4*(1.4*q0 + 1.7*q1) >= 0\n";
    for (const Assembly assembly : {Assembly::automatic, Assembly::unrolled, Assembly::factorised}) {
      for (const char* method : {"dop853", "taylor"}) {
        if (assembly == Assembly::factorised && *method == 't') continue;
        const std::vector<double> same = last(twice, assembly, method);
        for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(same[i], once[i], 1e-9) << mass << i;
      }
    }
  }
}

/// Tilted between two walls it is wedged, and a push that friction would not carry may start it too.
TEST(SharedContacts, AWedgedPegHasTwoMotions) {
  const auto peg = [](const std::string& d, const std::string& push) {
    return "param b = 1, h = 3/5, c = 141/125, mu = 1/2, d = " + d + ", P = " + push + R"(
coord x, y, th
body peg mass 1 inertia 1/2 at [x, y] angle th
force y = -P
force th = P*d
contact left: peg on ground at [x - b*cos(th) - h*sin(th), y - b*sin(th) + h*cos(th)] normal [1, 0] unilateral gap c + x - b*cos(th) - h*sin(th) friction mu
contact right: peg on ground at [x + b*cos(th) + h*sin(th), y + b*sin(th) - h*cos(th)] normal [-1, 0] unilateral gap c - x - b*cos(th) - h*sin(th) friction mu
start th = asin(7/25)
)";
  };
  test::ContactModel held(peg("4/5", "10"), "dop853", 1e-9);
  const SimulationResult rest = held.until(3);
  EXPECT_EQ(rest.outcome, SimulationOutcome::finished) << rest.message;
  EXPECT_EQ(rest.y[1], 0);
  for (const ContactSpan& span : rest.contact_spans) EXPECT_EQ(span.mode, "sticks");
  test::ContactModel open(peg("2/5", "10"), "dop853", 1e-9);
  const SimulationResult several = open.until(3);
  EXPECT_EQ(several.outcome, SimulationOutcome::several);
  EXPECT_EQ(several.possible.size(), 2U);
}

/// A peg that is wedged from the start: from when on the push, which comes to act nearer to the middle, might
/// move it too, is no event of its contacts. mu d(t) = v is at t = 13/25.
TEST(SharedContacts, AWedgedPegSaysWhenItMightSlip) {
  const auto peg = [](const std::string& push, const std::string& moment) {
    return R"(
param b = 1, h = 3/5, c = 141/125, mu = 1/2, d = 4/5
coord x, y, th
body peg mass 1 inertia 1/2 at [x, y] angle th
contact left: peg on ground at [x - b*cos(th) - h*sin(th), y - b*sin(th) + h*cos(th)] normal [1, 0] unilateral gap c + x - b*cos(th) - h*sin(th) friction mu
contact right: peg on ground at [x + b*cos(th) + h*sin(th), y + b*sin(th) - h*cos(th)] normal [-1, 0] unilateral gap c - x - b*cos(th) - h*sin(th) friction mu
start th = asin(7/25)
)" + fmt::format("force y = {}\nforce th = {}\n", push, moment);
  };
  for (const double every : {0.0, 1e-2}) {
    test::ContactModel later(peg("-10", "10*d*(1 - t/2)"), "dop853", 1e-9);
    const SimulationResult result = later.until(2, every);
    EXPECT_EQ(result.outcome, SimulationOutcome::several) << result.message;
    EXPECT_NEAR(result.t, 0.52, 1e-7);
    EXPECT_EQ(result.possible.size(), 2U);
    for (const ContactSpan& span : result.contact_spans) EXPECT_EQ(span.mode, "sticks");
    ASSERT_FALSE(later.rows.empty());
    EXPECT_EQ(later.rows.back().t, result.t);
    for (std::size_t i = 1; i < later.rows.size(); ++i) EXPECT_GT(later.rows[i].t, later.rows[i - 1].t);
  }
  // From the first moment on, at which nothing pushes.
  test::ContactModel soon(peg("-10*t", "4*t"), "dop853", 1e-9);
  const SimulationResult result = soon.until(2);
  EXPECT_EQ(result.outcome, SimulationOutcome::several) << result.message;
  EXPECT_LT(result.t, 1e-9);
  // As long as friction carries the push, nothing else is possible.
  EXPECT_EQ(test::ContactModel(peg("-10*t", "8*t"), "dop853", 1e-9).until(2).outcome,
            SimulationOutcome::finished);
}

/// A body between two walls in general position, under a load that grows evenly: the moments are those of all
/// assignments of modes, by elimination at many times. In the second what is possible goes again, within what
/// a method takes for one step; in the third the mode ends in the same step.
TEST(SharedContacts, ABodyBetweenWallsSaysWhenItMightMove) {
  struct Wall {
    double x, y, angle, friction;
  };
  struct Case {
    double mass, inertia, load[6];
    Wall walls[2];
    double moment;
  };
  for (const Case& one : {Case{0.686,
                               0.265,
                               {2.676, -4.134, 5.957, 5.665, -1.269, 1.956},
                               {{-0.243, -0.289, -1.674, 1.06}, {0.789, 0.248, 1.609, 0.77}},
                               0.449929},
                          Case{1.457,
                               0.713,
                               {3.11, -3.916, -4.068, 3.472, 0.943, -0.485},
                               {{-0.334, 0.281, -1.49, 0.33}, {0.493, 0.286, 1.723, 1.21}},
                               0.643026},
                          Case{0.977,
                               0.569,
                               {-5.402, -5.369, -8.241, 4.093, -0.117, 2.332},
                               {{-0.988, 0.181, -1.232, 0.35}, {0.67, -0.015, 1.246, 1.28}},
                               1.709237}}) {
    std::string text =
        fmt::format("coord x, y, th\nbody B mass {} inertia {} at [x, y] angle th\n", one.mass, one.inertia);
    const char* names[] = {"x", "y", "th"};
    for (std::size_t i = 0; i < 3; ++i)
      text += fmt::format("force {} = {} + ({})*t\n", names[i], one.load[2 * i], one.load[2 * i + 1]);
    for (const Wall& wall : one.walls) {
      const std::string x = fmt::format("x + ({})*cos(th) - ({})*sin(th)", wall.x, wall.y),
                        y = fmt::format("y + ({})*sin(th) + ({})*cos(th)", wall.x, wall.y);
      text += fmt::format(
          "contact c{0}: B on ground at [{1}, {2}] normal [-sin({3}), cos({3})] unilateral gap ({1} - "
          "({4}))*(-sin({3})) + ({2} - ({5}))*cos({3}) friction {6}\n",
          &wall - one.walls, x, y, wall.angle, wall.x, wall.y, wall.friction);
    }
    const SimulationResult result = test::ContactModel(text, "dop853", 1e-9).until(3);
    EXPECT_EQ(result.outcome, SimulationOutcome::several) << one.moment << ": " << result.message;
    EXPECT_NEAR(result.t, one.moment, 1e-4);
    for (const ContactSpan& span : result.contact_spans) EXPECT_EQ(span.mode, "sticks");
  }
}

/// What slides or rolls in space comes to rest and stays there: what is left of the slip is no second motion.
TEST(SharedContacts, WhatSlidesInSpaceComesToRest) {
  for (const char* name : {"table_on_three_legs", "table_on_four_legs", "sphere_coming_to_rest"}) {
    test::ContactModel contacts(test::model_text(std::string("contacts/") + name + ".lia"), "dop853", 1e-9);
    const SimulationResult result = contacts.until(8);
    EXPECT_EQ(result.outcome, SimulationOutcome::finished) << name << ": " << result.message;
    const std::size_t positions = contacts.run.evaluator().position_count();
    for (std::size_t i = positions; i < result.y.size(); ++i) EXPECT_NEAR(result.y[i], 0, 1e-12) << name << i;
  }
}

/// Four legs that slide and turn: the friction turns the table by how they share its weight, which nothing
/// tells.
TEST(SharedContacts, ATurningTableDependsOnItsLegs) {
  std::string text =
      "coord x, y, z, a, b, r\nkinetic x'^2 + y'^2 + z'^2 + (a'^2 + b'^2 + r'^2)/5\npotential 20*z\n"
      "force x = 4*t\nforce r = 2*(t - 3/2)^2\nstart t = 1.4\n";
  for (const char* leg : {"+ -", "- +"}) {
    for (const char* side : {"+ -", "- +"}) {
      text += fmt::format(
          "unilateral l{}{}: z {} a/2 {} 3*b/10 >= 0 friction 3/10 on [x' {} 3/10*r', y' {} 1/2*r']\n",
          leg[0] == '+' ? 1 : 2, side[0] == '+' ? 1 : 2, leg[0], side[0], side[2], leg[0]);
    }
  }
  test::ContactModel contacts(text, "dop853", 1e-9);
  SimulationOptions how;
  how.until = 4;
  const SimulationResult result = contacts.run.run(1.4, contacts.run.evaluator().pack(contacts.model.start),
                                                   how, {[](const Row&) { return true; }, {}});
  EXPECT_NE(result.outcome, SimulationOutcome::finished);
  EXPECT_GT(result.t, 1.5);
  EXPECT_LT(result.t, 2);
  EXPECT_NE(result.message.find("depends on"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace liaison
