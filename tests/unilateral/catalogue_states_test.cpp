#include <gtest/gtest.h>

#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/checked_claims.hpp"
#include "liaison/mechanism/motions_at_state.hpp"

// States of the catalogue with unilateral constraints: r, drives and all motions, rows G4.* and G5.*.
namespace liaison {
namespace {

class Model {
 public:
  explicit Model(const std::string& text) : parts_("model", text) {}
  PossibleMotions at(const std::string& state, const std::string& set = "") {
    return motions_at(parts_, read_given_state(parts_, state, set, false)).motions;
  }

 private:
  MechanismParts parts_;
};

Rational number(const std::string& text) {
  return Rational::parse(text).value();
}

/// "opens", "kept": the modes of the first contact in each motion; "a+b" of all contacts.
std::vector<std::string> modes(const PossibleMotions& found) {
  std::vector<std::string> result;
  for (const PossibleMotion& motion : found.motions) {
    std::string text;
    for (const ContactMode mode : motion.modes)
      text += (text.empty() ? "" : "+") + std::string(word_for(mode));
    result.push_back(text);
  }
  return result;
}
using Modes = std::vector<std::string>;

TEST(StatesOfOneConstraint,
     a_servo_pushes_one_way) {  // rows G4.I-servo-positive, G4.IV-servo-negative, G4.I-class-U
  for (const int sign : {1, -1}) {
    Model discs(
        "param I1 = 3, I2 = 2.5, G = 6\ncoord a, b\nkinetic I1/2*a'^2 + I2/2*b'^2\nforce a = G\n"
        "unilateral follow: b' - a' >= 0 by " +
        std::string(sign > 0 ? "b'" : "-b'") + "\n");
    for (const int couple : {6, -6}) {
      const auto found = discs.at("a' = 1, b' = 1", "G = " + std::to_string(couple));
      EXPECT_TRUE(found.exact);
      EXPECT_EQ(found.drive[0], Rational(-couple, 3));
      EXPECT_EQ(found.r[0][0], Rational(sign * 2, 5));
      EXPECT_EQ(found.p_matrix->is_p, sign > 0);
      const Modes expected = sign > 0     ? (couple > 0 ? Modes{"kept"} : Modes{"opens"})
                             : couple > 0 ? Modes{}
                                          : Modes{"opens", "kept"};
      EXPECT_EQ(modes(found), expected);
      for (const PossibleMotion& motion : found.motions) {
        if (motion.modes[0] != ContactMode::kept) continue;
        EXPECT_EQ(motion.vertices[0].factors[0], Rational(5));
      }
    }
  }
}

constexpr const char* curve =
    "param g = 10, v0 = 2, c = 3, d = 7\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
    "let F = -g*x^2/(2*v0^2) + c*x^3/6 + d*x^4/24\nlet slope = -g*x/v0^2 + c*x^2/2 + d*x^3/6\n";

TEST(StatesOfOneConstraint, a_point_stays_on_a_curve_or_takes_off) {  // rows G4.II-two-motions, G4.II-thm1
  Model model(std::string(curve) + "unilateral surface: y' - slope*x' >= 0\n");
  const auto slow = model.at("x' = 1");
  EXPECT_EQ(slow.drive[0], number("-7.5"));
  EXPECT_EQ(slow.r[0][0], Rational(1));
  EXPECT_EQ(modes(slow), Modes{"kept"});
  EXPECT_EQ(slow.motions[0].vertices[0].factors[0], number("7.5"));
  const auto fast = model.at("x' = 3");
  EXPECT_EQ(fast.drive[0], number("12.5"));
  EXPECT_EQ(modes(fast), Modes{"opens"});
  const auto ordinary = model.at("x = 1/2, x' = 3/2, y' = -1.09375");
  EXPECT_EQ(ordinary.drive[0], number("-9.71875"));
  EXPECT_NEAR(ordinary.r[0][0].to_double(), 1.53168402778, 1e-11);
  EXPECT_NEAR(ordinary.motions.at(0).vertices[0].factors[0].to_double(), 6.34514026636, 1e-11);
}

TEST(StatesOfOneConstraint,
     a_vanishing_drive_is_decided_by_the_next_order) {  // rows G4.II-degenerate, G4.II-discussion
  Model ideal(std::string(curve) + "unilateral surface: y' - slope*x' >= 0\n");
  Model thruster(std::string(curve) + "unilateral surface: y' - slope*x' >= 0 by -y'\n");
  EXPECT_EQ(modes(ideal.at("x' = 2", "c = 3")), Modes{"kept"});
  EXPECT_EQ(modes(ideal.at("x' = 2", "c = -3")), Modes{"opens"});
  EXPECT_EQ(modes(ideal.at("x' = 2", "c = 0")), Modes{"kept"});
  EXPECT_EQ(thruster.at("x' = 2").r[0][0], Rational(-1));
  EXPECT_EQ(modes(thruster.at("x' = 2", "c = 3")), Modes{});
  EXPECT_EQ(modes(thruster.at("x' = 2", "c = -3")), (Modes{"opens", "kept"}));
  const auto said = [](const PossibleMotions& found, std::size_t i) {
    return found.motions.at(i).settled.at(0).second;
  };
  EXPECT_EQ(said(ideal.at("x' = 2", "c = 3"), 0), "the derivative of order 1 of its factor is 24");
  EXPECT_EQ(said(ideal.at("x' = 2", "c = -3"), 0), "the derivative of order 2 of its relation is 24");
  EXPECT_EQ(said(ideal.at("x' = 2", "c = 0"), 0), "the derivative of order 2 of its factor is 112");
  EXPECT_EQ(said(thruster.at("x' = 2", "c = -3"), 1), "the derivative of order 1 of its factor is 24");
}

TEST(StatesOfOneConstraint, ideal_ones_are_always_determinate) {  // row G4.III-appell
  Model model(
      "coord x, y, z\nkinetic x'^2 + x'*y'/2 + y'^2/2 + 3/2*z'^2\nunilateral a: x'^2 + y'^2 - 2*z'^2 >= 0\n");
  const auto found = model.at("x' = 1, y' = 1, z' = 1");
  EXPECT_NEAR(found.r[0][0].to_double(), 9.90476190476, 1e-11);
  EXPECT_TRUE(found.p_matrix->is_p);
}

/// A rod of length 2 on a plane: the contact at G + (-sin, cos) of the angle.
std::string rod(const std::string& law) {
  return "param M = 1, g = 10, f = 2, delta = 1\ncoord xi, eta, alpha\n"
         "kinetic M/2*(xi'^2 + eta'^2) + M/6*alpha'^2\npotential M*g*eta\n"
         "let w = eta' - sin(alpha)*alpha'\nlet u = xi' - cos(alpha)*alpha'\n"
         "unilateral floor: eta + cos(alpha) >= 0 power " +
         law + "\n";
}
/// a = 3/5, b = -4/5, sliding forward.
std::string rod_state(int spin) {
  return "alpha = -acos(-4/5), eta = 4/5, alpha' = " + std::to_string(spin) + ", eta' = -3/5*" +
         std::to_string(spin) + ", xi' = 10";
}

struct RodCase {
  const char *set, *response, *drive;
  int spin;
  Modes expected;
  const char* factor;
};

void expect_rod(Model& model, const std::vector<RodCase>& cases) {
  for (const RodCase& each : cases) {
    const auto found = model.at(rod_state(each.spin), each.set);
    EXPECT_TRUE(found.exact);
    EXPECT_EQ(found.r[0][0], number(each.response)) << each.set;
    EXPECT_EQ(found.drive[0], number(each.drive)) << each.set;
    EXPECT_EQ(modes(found), each.expected) << each.set << " spin " << each.spin;
    for (const PossibleMotion& motion : found.motions) {
      if (motion.modes[0] == ContactMode::slips) {
        EXPECT_NEAR(motion.vertices[0].factors[0].to_double(), number(each.factor).to_double(), 1e-10);
      }
    }
  }
}

TEST(StatesOfOneConstraint, painleve) {  // row G4.IV-painleve
  Model model(rod("w - f*abs(u)"));
  expect_rod(model, {{"f = 1/2", "1.36", "-10", 0, {"slips"}, "7.35294117647"},
                     {"f = 2", "-0.8", "-10", 0, {}, "0"},
                     {"f = 1/2", "1.36", "-9.2", 1, {"slips"}, "6.76470588235"},
                     {"f = 2", "-0.8", "-9.2", 1, {}, "0"},
                     {"f = 1/2", "1.36", "10", 5, {"opens"}, "0"},
                     {"f = 2", "-0.8", "10", 5, {"opens", "slips"}, "12.5"}});
  // The critical coefficient at this angle: r = 0 is neither.
  EXPECT_EQ(model.at(rod_state(0), "f = 13/9").r[0][0], Rational(0));
}

TEST(StatesOfOneConstraint, resistance_to_rolling_alone) {  // row G4.IV-rolling-resistance
  Model model(rod("w - delta*abs(alpha')"));
  expect_rod(model, {{"delta = 1", "0.28", "-9.2", 1, {"slips"}, "32.8571428571"},
                     {"delta = 2", "-1.52", "-9.2", 1, {}, "0"},
                     {"delta = 1", "0.28", "10", 5, {"opens"}, "0"},
                     {"delta = 2", "-1.52", "10", 5, {"opens", "slips"}, "6.57894736842"}});
}

TEST(StatesOfOneConstraint, two_harmless_resistances_together) {  // row G4.IV-combined
  Model model(rod("w - f*abs(u) - delta*abs(alpha')"));
  expect_rod(model, {{"f = 1.2, delta = 0", "0.352", "-9.2", 1, {"slips"}, "26.1363636364"},
                     {"f = 1.2, delta = 0", "0.352", "10", 5, {"opens"}, "0"},
                     {"f = 0, delta = 0.5", "1.18", "-9.2", 1, {"slips"}, "7.79661016949"},
                     {"f = 1.2, delta = 0.5", "-0.548", "-9.2", 1, {}, "0"},
                     {"f = 1.2, delta = 0.5", "-0.548", "10", 5, {"opens", "slips"}, "18.2481751825"}});
}

/// p unit masses realise any r: rows G5.I-V3.
std::string masses(const std::vector<std::string>& rows, const std::vector<std::string>& forces) {
  std::string text = "coord x1, x2\nkinetic (x1'^2 + x2'^2)/2\n";
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const std::string name = std::to_string(k + 1);
    text += "force x" + name + " = " + forces[k] + "\nunilateral a" + name + ": x" + name + "' >= 0 power " +
            rows[k] + "\n";
  }
  return text;
}

TEST(StatesOfSeveral, hypotheses) {  // rows G5.I-V3, G5.I-hypotheses
  Model model(masses({"2*x1' + x2'", "x1' + 2*x2'"}, {"1", "-2"}));
  const auto found = model.at("");
  EXPECT_EQ(modes(found), Modes{"opens+kept"});
  EXPECT_EQ(found.motions[0].vertices[0].factors[1], Rational(1));
  EXPECT_EQ(found.motions[0].vertices[0].separations[0], Rational(2));
}

TEST(StatesOfSeveral, all_drives_vanish) {  // row G5.III-degenerate-all
  const auto with = [](const std::string& first, const std::string& second) {
    return modes(Model(masses({"x1' + 2*x2'", "2*x1' + x2'"}, {first, second})).at("t = 0"));
  };
  EXPECT_EQ(with("-t", "-t"), (Modes{"kept+opens", "opens+kept", "kept+kept"}));
  EXPECT_EQ(with("t", "-t"), Modes{"opens+kept"});
  EXPECT_EQ(with("t", "t"), Modes{"opens+opens"});
}

TEST(StatesOfSeveral, one_is_undecided_beside_one_that_is_kept) {  // row G5.III-degenerate-general
  for (const int slope : {1, -1}) {
    Model model(
        "param g = 10, c = 1/2, s = 1\ncoord x, z\nkinetic (x'^2 + z'^2)/2\nforce x = s*t\nforce z = -g\n"
        "unilateral a1: z' >= 0\nunilateral a2: x' + c*z' >= 0\n");
    const auto found = model.at("t = 0", "s = " + std::to_string(slope));
    EXPECT_EQ(found.r[1][1], Rational(5, 4));
    EXPECT_EQ(found.drive[1], Rational(-5));
    EXPECT_EQ(modes(found), Modes{slope > 0 ? "kept+opens" : "kept+kept"});
    EXPECT_EQ(found.motions[0].vertices[0].factors[0], Rational(10));
    EXPECT_EQ(found.motions[0].settled[0].second, slope > 0 ? "the derivative of order 2 of its relation is 1"
                                                            : "the derivative of order 1 of its factor is 1");
  }
}

TEST(StatesOfSeveral, given_directions) {  // row G5.IV-thmIV
  Model model(
      "coord x, y, z\nkinetic x'^2 + x'*y'/2 + y'^2/2 + 3/2*z'^2\nforce x = 1\nforce y = -2\nforce z = -3\n"
      "unilateral a1: x' + y' >= 0 power x' + 2*y' - z'\nunilateral a2: y' + 2*z' >= 0 power y' + z'\n");
  const auto found = model.at("");
  EXPECT_EQ(found.r[0][0], Rational(2));
  EXPECT_EQ(found.r[0][1], Rational(4, 3));
  EXPECT_EQ(found.r[1][0], Rational(6, 7));
  EXPECT_EQ(found.r[1][1], Rational(38, 21));
  EXPECT_TRUE(found.p_matrix->is_p);
  EXPECT_EQ(modes(found), Modes{"opens+kept"});
  EXPECT_NEAR(found.motions[0].vertices[0].factors[1].to_double(), 2.52631578947, 1e-11);
  EXPECT_NEAR(found.motions[0].vertices[0].separations[0].to_double(), 0.736842105263, 1e-11);
}

TEST(StatesOfSeveral, ideal_ones_have_one_motion_each) {  // row G5.IV-thmV
  Model model(
      "param X = 1, Y = -2, Z = -3\ncoord x, y, z\nkinetic x'^2 + x'*y'/2 + y'^2/2 + 3/2*z'^2\n"
      "force x = X\nforce y = Y\nforce z = Z\n"
      "unilateral a1: x'^2 + y'^2 - 2*z'^2 >= 0\nunilateral a2: x'*z' - y'*z' >= 0\n");
  const std::string state = "x' = 1, y' = 1, z' = 1";
  const auto with = [&](const std::string& set) { return modes(model.at(state, set)); };
  const auto found = model.at(state);
  EXPECT_NEAR(found.r[0][0].to_double(), 9.90476190476, 1e-11);
  EXPECT_NEAR(found.r[0][1].to_double(), -1.14285714286, 1e-11);
  EXPECT_EQ(found.r[0][1], found.r[1][0]);
  EXPECT_EQ(with("X = 1, Y = -2, Z = -3"), Modes{"opens+opens"});
  EXPECT_EQ(with("X = -5, Y = 1, Z = 2"), Modes{"kept+kept"});
  EXPECT_EQ(with("X = 3, Y = 3, Z = -1"), Modes{"opens+kept"});
  EXPECT_EQ(with("X = -1, Y = -6, Z = 1"), Modes{"kept+opens"});
}

TEST(StatesOfSeveral, two_feet) {  // rows G5.IV-two-feet-smooth, G5.IV-two-feet-friction
  const auto feet = [](const std::string& friction) {
    return "param Y = -10, G = 0, f = 2\ncoord xi, eta, alpha\nkinetic (xi'^2 + eta'^2)/2 + "
           "alpha'^2/6\nforce eta = Y\n"
           "force alpha = G\nunilateral left: eta' - alpha' >= 0 power eta' - alpha'" +
           friction + "\nunilateral right: eta' + alpha' >= 0 power eta' + alpha'" + friction + "\n";
  };
  Model smooth(feet(""));
  EXPECT_EQ(modes(smooth.at("xi' = 1")), Modes{"kept+kept"});
  EXPECT_EQ(smooth.at("xi' = 1", "G = 8").motions.at(0).vertices[0].factors, (std::vector<Rational>{9, 1}));
  EXPECT_EQ(modes(smooth.at("xi' = 1", "G = 40")), Modes{"kept+opens"});
  EXPECT_EQ(modes(smooth.at("xi' = 1", "Y = 1")), Modes{"opens+opens"});
  Model rough(feet(" - f*abs(xi' + alpha')"));
  const auto none = rough.at("xi' = 1");
  EXPECT_EQ(none.r, (RationalMatrix{{10, -8}, {4, -2}}));
  EXPECT_FALSE(none.p_matrix->is_p);
  EXPECT_EQ(none.verdict, MotionVerdict::none);
  EXPECT_EQ(rough.at("xi' = 1", "G = 8").verdict, MotionVerdict::none);
  const auto two = rough.at("xi' = 1", "G = 40");
  EXPECT_EQ(modes(two), (Modes{"slips+opens", "opens+slips"}));
  EXPECT_EQ(two.motions[0].vertices[0].factors[0], Rational(13));
  EXPECT_EQ(two.motions[1].vertices[0].factors[1], Rational(55));
  EXPECT_EQ(modes(rough.at("xi' = 1", "Y = 1")), (Modes{"opens+opens", "opens+slips"}));
}

TEST(Friction, modes_of_a_contact_at_rest) {  // row G5.V-planar-modes
  const auto solid = [](const std::string& a, const std::string& b, const std::string& k2) {
    return "param X = 2, Y = -10, G = 0, f = 0.5\ncoord xi, eta, alpha\nkinetic (xi'^2 + eta'^2)/2 + " + k2 +
           "/2*alpha'^2\nforce xi = X\nforce eta = Y\nforce alpha = G\nunilateral floor: eta' + " + a +
           "*alpha' >= 0 friction f on xi' - (" + b + ")*alpha'\n";
  };
  Model one(solid("0.6", "-0.8", "1/3"));
  const auto slips = one.at("");
  EXPECT_EQ(modes(slips), Modes{"slips"});
  EXPECT_NEAR(slips.motions[0].vertices[0].factors[0].to_double(), 7.35294117647, 1e-11);
  EXPECT_NEAR(slips.motions[0].vertices[0].resistances[0][0].to_double(), -3.67647058824, 1e-11);
  EXPECT_NEAR(slips.motions[0].vertices[0].slip_rates[0][0].to_double(), 1.85294117647, 1e-11);
  EXPECT_FALSE(slips.p_matrix.has_value());
  Model three(solid("2", "-0.8", "0.1"));
  const auto all = three.at("", "X = 18, Y = 3, G = 3, f = 4");
  ASSERT_EQ(all.motions.size(), 3u);
  const auto with = [&](ContactMode mode) {
    const auto found = std::find_if(all.motions.begin(), all.motions.end(),
                                    [&](const PossibleMotion& motion) { return motion.modes[0] == mode; });
    EXPECT_NE(found, all.motions.end());
    return found->vertices[0];
  };
  EXPECT_EQ(with(ContactMode::opens).separations[0], Rational(63));
  EXPECT_NEAR(with(ContactMode::sticks).factors[0].to_double(), 4.3417721519, 1e-10);
  EXPECT_NEAR(with(ContactMode::sticks).resistances[0][0].to_double(), -15.0632911392, 1e-10);
  EXPECT_NEAR(with(ContactMode::slips).factors[0].to_double(), 2.73913043478, 1e-10);
  EXPECT_NEAR(with(ContactMode::slips).slip_rates[0][0].to_double(), 4.74782608696, 1e-10);
}

TEST(Friction, resistance_to_rolling_makes_no_motion_or_several) {  // row G6.III.III-C-modes
  struct Case {
    const char *a, *b, *k2, *X, *Y, *G, *f, *delta, *eps;
    std::vector<std::pair<const char*, double>> expected;  ///< mode and N
  };
  const std::vector<Case> cases = {
      {"0.6", "-0.8", "1/3", "2", "-10", "0", "0.5", "0", "1", {{"slips", 7.35294117647}}},
      {"-1.2", "-0.1", "1.1", "-15", "-10", "15", "3.5", "3.5", "1", {}},
      {"1.9", "-1.5", "0.7", "-6", "-13", "17", "0.4", "3.8", "-1", {{"opens", 0}, {"slips", 13.1073446328}}},
      {"-0.3",
       "-1.5",
       "0.1",
       "9",
       "-16",
       "-18",
       "0.8",
       "2.4",
       "1",
       {{"opens", 0}, {"slips", 4.26966292135}, {"sticks", 16.3662790698}, {"slips", 22.3529411765}}}};
  for (const Case& each : cases) {
    const std::string text = fmt::format(
        "coord xi, eta, alpha\nkinetic (xi'^2 + eta'^2)/2 + ({2})/2*alpha'^2\nforce xi = {3}\nforce eta = "
        "{4}\nforce alpha = {5}\n"
        "unilateral floor: eta' + ({0})*alpha' >= 0 power eta' + ({0})*alpha' + ({8})*{7}*alpha' - "
        "{6}*abs(xi' - ({1})*alpha')\n",
        each.a, each.b, each.k2, each.X, each.Y, each.G, each.f, each.delta, each.eps);
    const auto found = Model(text).at("");
    std::vector<std::pair<double, std::string>> got, expected;
    for (const PossibleMotion& motion : found.motions) {
      got.emplace_back(motion.vertices[0].factors[0].to_double(), word_for(motion.modes[0]));
    }
    for (const auto& [mode, force] : each.expected) expected.emplace_back(force, mode);
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(got.size(), expected.size()) << each.delta;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i].first, expected[i].first, 1e-9);
      EXPECT_EQ(got[i].second, expected[i].second);
    }
  }
}

TEST(Friction, an_ellipse_on_a_plane) {  // rows G6.III.III-geometry, G6.III.III-A, G6.III.III-B, G6.III.III-C
  Model ellipse(
      "param M = 2, k2 = 1.25, f = 0.25, delta = 0.1\ncoord xi, eta, alpha\n"
      "kinetic M/2*(xi'^2 + eta'^2 + k2*alpha'^2)\nforce xi = 1/2 + sin(alpha)/5\nforce eta = -20\n"
      "force alpha = 0.3*cos(alpha)\nlet p = sqrt(4*cos(alpha)^2 + sin(alpha)^2)\n"
      "let a = 3*sin(alpha)*cos(alpha)/p\n"
      "unilateral floor: eta - p >= 0 power eta' + a*alpha' - f*abs(xi' + p*alpha') - delta*abs(alpha')\n");
  const std::string p = "sqrt(4*cos(0.7)^2 + sin(0.7)^2)";
  const std::string touching =
      "alpha = 0.7, alpha' = 1.5, eta = " + p + ", eta' = -4.5*sin(0.7)*cos(0.7)/" + p;
  const auto smooth = ellipse.at(touching + ", xi' = 3", "f = 0, delta = 0");
  EXPECT_NEAR(smooth.r[0][0].to_double(), 0.817247074058, 1e-11);
  EXPECT_NEAR(smooth.drive[0].to_double(), -8.15191392245, 1e-10);
  EXPECT_NEAR(smooth.motions.at(0).vertices[0].factors[0].to_double(), 9.9748462628, 1e-9);
  EXPECT_NEAR(smooth.motions[0].vertices[0].accelerations[2].to_double(), 3.64510678021, 1e-10);
  const auto rough = ellipse.at(touching + ", xi' = 3");
  EXPECT_NEAR(rough.r[0][0].to_double(), 0.633806752571, 1e-11);
  EXPECT_NEAR(rough.motions.at(0).vertices[0].factors[0].to_double(), 12.8618287662, 1e-9);
  EXPECT_NEAR(rough.motions[0].vertices[0].accelerations[0].to_double(), -1.29330682705, 1e-10);
  // Of the two velocities that it resists, one is the rotation.
  const std::size_t slip = symbols_in(rough.resisted[0][0]).size() > 1 ? 0 : 1;
  EXPECT_NEAR(rough.motions[0].vertices[0].resistances[0][slip].to_double(), -3.21545719156, 1e-9);
  const std::string rolling = touching + ", xi' = -1.5*" + p;
  EXPECT_EQ(modes(ellipse.at(rolling)), Modes{"slips"});  // sticking would need more than f N
  const auto rolls = ellipse.at(rolling, "f = 0.26");
  ASSERT_EQ(rolls.motions.size(), 1u);
  EXPECT_NEAR(rolls.motions[0].vertices[0].factors[0].to_double(), 12.9012311539, 1e-9);
  EXPECT_NEAR(rolls.motions[0].vertices[0].resistances[0][slip].to_double(), -3.2675448481, 1e-9);
  EXPECT_NEAR(rolls.motions[0].vertices[0].accelerations[2].to_double(), 2.00212543183, 1e-10);
}

// The same ellipse as a body with a contact that can open: its slip and its rotation come from the geometry.
TEST(Friction, a_contact_of_a_body_is_the_one_written_by_hand) {
  const std::string ellipse =
      "param M = 2, k2 = 1.25, f = 0.25, delta = 0.1\ncoord xi, eta, alpha\n"
      "let p = sqrt(4*cos(alpha)^2 + sin(alpha)^2)\nlet a = 3*sin(alpha)*cos(alpha)/p\n"
      "force xi = 1/2 + sin(alpha)/5\nforce eta = -20\nforce alpha = 0.3*cos(alpha)\n";
  Model hand(ellipse +
             "kinetic M/2*(xi'^2 + eta'^2 + k2*alpha'^2)\nunilateral floor: eta - p >= 0 "
             "power eta' + a*alpha' - f*abs(xi' + p*alpha') - delta*abs(alpha')\n");
  Model body(
      ellipse +
      "body E mass M inertia M*k2 at [xi, eta] angle alpha\n"
      "contact floor: E on ground at [xi + a, eta - p] normal [0, 1] unilateral friction f rolling delta\n");
  const std::string p = "sqrt(4*cos(0.7)^2 + sin(0.7)^2)";
  for (const std::string& state : {"alpha' = 1.5, eta' = -4.5*sin(0.7)*cos(0.7)/" + p + ", xi' = 3",
                                   "alpha' = 1.5, eta' = -4.5*sin(0.7)*cos(0.7)/" + p + ", xi' = -1.5*" + p,
                                   std::string("xi' = 1"), std::string("xi' = 0")}) {
    const std::string touching = "alpha = 0.7, eta = " + p + ", " + state;
    const auto one = hand.at(touching), other = body.at(touching);
    EXPECT_EQ(modes(one), modes(other)) << state;
    ASSERT_EQ(one.motions.size(), other.motions.size());
    for (std::size_t i = 0; i < one.motions.size(); ++i) {
      const MotionNumbers &a = one.motions[i].vertices[0], &b = other.motions[i].vertices[0];
      EXPECT_NEAR(a.factors[0].to_double(), b.factors[0].to_double(), 1e-12) << state;
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(a.accelerations[k].to_double(), b.accelerations[k].to_double(), 1e-12) << state;
    }
  }
}

TEST(Friction, a_law_of_the_pressure) {  // N = 10: it slips with 1/10 of it over 11
  Model model(
      "coord x, y\nparticle P mass 1 at [x, y]\ngravity [0, -10]\n"
      "contact c: P on ground at [x, y] normal [0, 1] unilateral friction 0.1/(1 + lambda(c))\n");
  const auto found = model.at("x' = 1");
  ASSERT_EQ(found.motions.size(), 1u);
  EXPECT_TRUE(found.undecided.empty()) << found.undecided;
  EXPECT_EQ(found.motions[0].vertices[0].factors[0], Rational(10));
  EXPECT_EQ(found.motions[0].vertices[0].accelerations[0], Rational(-1, 11));
}

TEST(Friction, one_contact_in_space) {  // rows G5.V-system-I, G5.V-one-contact-3d
  // W is the inverse of the mass matrix: the contact has the velocity of the coordinates.
  Model model(
      "param F = 3, G = -1, H = -2, f = 0.3\ncoord x, y, z\n"
      "let A = 2\nlet B = 0.5\nlet C = -0.3\nlet D = 1.5\nlet E = 0.4\n"
      "let d = 2*(1.5 - 0.16) - 0.5*(0.5 + 0.12) - 0.3*(0.2 + 0.45)\n"
      "kinetic ((1.5 - 0.16)*x'^2 + (2 - 0.09)*y'^2 + (3 - 0.25)*z'^2 + 2*(-0.12 - 0.5)*x'*y' + 2*(0.2 + "
      "0.45)*x'*z' + "
      "2*(-0.15 - 0.8)*y'*z')/(2*d)\n"
      "force x = ((1.5 - 0.16)*F + (-0.12 - 0.5)*G + (0.2 + 0.45)*H)/d\n"
      "force y = ((-0.12 - 0.5)*F + (2 - 0.09)*G + (-0.15 - 0.8)*H)/d\n"
      "force z = ((0.2 + 0.45)*F + (-0.15 - 0.8)*G + (3 - 0.25)*H)/d\n"
      "unilateral floor: z' >= 0 friction f on [x', y']\n");
  const auto slip = model.at("");
  EXPECT_EQ(modes(slip), Modes{"slips"});
  EXPECT_EQ(slip.drive[0], Rational(-2));
  const MotionNumbers& numbers = slip.motions[0].vertices[0];
  EXPECT_NEAR(numbers.factors[0].to_double(), 1.79281670934, 1e-10);
  EXPECT_NEAR(numbers.resistances[0][0].to_double(), -0.522936663948, 1e-10);
  EXPECT_NEAR(numbers.resistances[0][1].to_double(), 0.125755728682, 1e-10);
  EXPECT_NEAR(numbers.slip_rates[0][0].to_double(), 1.47915952364, 1e-10);
  EXPECT_NEAR(numbers.slip_rates[0][1].to_double(), -0.355708055214, 1e-10);
  const auto stick = model.at("", "F = 0.5, G = -0.2");
  EXPECT_EQ(modes(stick), Modes{"sticks"});
  EXPECT_NEAR(stick.motions[0].vertices[0].resistances[0][0].to_double(), 0.232643678161, 1e-10);
  EXPECT_NEAR(stick.motions[0].vertices[0].factors[0].to_double(), 2.29195402299, 1e-10);
  EXPECT_EQ(modes(model.at("", "H = 2")), Modes{"opens"});
}

TEST(Friction, a_block_on_an_incline_sticks_while_it_can) {
  Model block(
      "param g = 10, s = 3/5, c = 4/5, mu = 0.8, nu = 0.9\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
      "potential g*(c*y - s*x)\nunilateral plane: y >= 0 friction mu sticking nu\n");
  EXPECT_EQ(modes(block.at("")), Modes{"sticks"});
  EXPECT_EQ(modes(block.at("", "mu = 0.7, nu = 0.7")), Modes{"slips"});
  // Between the two coefficients both can hold.
  EXPECT_EQ(modes(block.at("", "mu = 0.7, nu = 0.8")), (Modes{"slips", "sticks"}));
  EXPECT_EQ(modes(block.at("x' = -1", "mu = 0.7, nu = 0.8")), Modes{"slips"});
}

const std::string particle = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -10\n";

TEST(States, irrational_redundancy_is_no_pivot) {
  Model model(
      "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = 1\nforce z = -10\n"
      "constraint a: x^2 + y^2 = 2\nconstraint b: 3*x^2 + 3*y^2 = 6\nunilateral floor: z >= 0\n");
  const auto found = model.at("x = 1/2, y = sqrt(7)/2");
  EXPECT_NEAR(found.motions.at(0).vertices[0].accelerations[0].to_double(), 0.875, 1e-12);
  Model feet(particle +
             "unilateral A: y*cos(0.7) + x*sin(0.7) >= 0\n"
             "unilateral B: sqrt(2)*y*cos(0.7) + sqrt(2)*x*sin(0.7) >= 0\n");
  const auto both = feet.at("");
  EXPECT_FALSE(both.p_matrix->is_p);
  EXPECT_EQ(both.p_matrix->failing->value, Rational(0));
  ASSERT_EQ(both.motions.size(), 1u);
  EXPECT_EQ(both.motions[0].vertices.size(), 2u);
  EXPECT_EQ(both.verdict, MotionVerdict::unique);
}

TEST(States, what_is_rounded_refutes_nothing) {
  MechanismParts parts("model", particle +
                                    "param l = 1\nunilateral floor: y - l*sin(0.7) >= 0\n"
                                    "claim motions == none at (y = 0.644217687237691)\n"
                                    "claim lambda(floor) == 9 at (y = 0.644217687237691)\n"
                                    "claim lambda(floor) == 10 at (y = 0.644217687237691)\n"
                                    "claim lambda(floor) == 9 at (y = sin(0.7))\n");
  std::vector<std::string> status;
  check_claims(parts, 1'000'000'000,
               [&](const ClaimResult& result) { status.push_back(word_for(result.verdict.grade)); });
  EXPECT_EQ(status, (std::vector<std::string>{"unknown", "unknown", "checked", "refuted"}));
}

TEST(States, open_factors_of_one_motion) {
  Model model(particle + "unilateral A: y >= 0 friction 0.3 on x'\nunilateral B: y >= 0\n");
  const auto found = model.at("");
  EXPECT_EQ(found.verdict, MotionVerdict::unique);
  EXPECT_EQ(found.motions.size(), 1u);
  EXPECT_TRUE(found.undecided.empty()) << found.undecided;  // rest goes on with the forces of now
  EXPECT_TRUE(found.motions[0].equilibrium);
}

TEST(States, friction_of_a_particle_does_not_depend_on_how_the_gap_is_written) {
  for (const char* gap : {"y - x", "(y - x)/sqrt(2)", "5*y - 5*x"}) {
    Model model(particle + "unilateral c: " + gap + " >= 0 friction 1.2\n");
    EXPECT_EQ(modes(model.at("")), Modes{"sticks"}) << gap;
    Model slippery(particle + "unilateral c: " + gap + " >= 0 friction 0.8\n");
    EXPECT_EQ(modes(slippery.at("")), Modes{"slips"}) << gap;
  }
  Model body(
      "coord x, y, th\nbody B mass 1 inertia 1 at [x, y] angle th\nforce y = -10\nunilateral c: y >= 0 "
      "friction 0.3\n");
  EXPECT_THROW(body.at(""), Refused);
}

TEST(States, what_is_not_decided_is_said) {
  Model model(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -t\nforce x = t\nunilateral c: y >= 0 friction 2 on "
      "x'\n");
  const auto stuck = model.at("t = 0");  // the pressure t holds the force t
  EXPECT_TRUE(stuck.undecided.empty()) << stuck.undecided;
  EXPECT_EQ(modes(stuck), Modes{"sticks"});
  // The tenth derivative of the gap would decide; a particle without forces decides nothing at any order.
  Model flat("coord x, y\nkinetic (x'^2 + y'^2)/2\nunilateral c: y + x^9 >= 0\n");
  EXPECT_FALSE(flat.at("x' = 1").undecided.empty());
  Model free("coord x, y\nkinetic (x'^2 + y'^2)/2\nunilateral c: y >= 0\n");
  EXPECT_TRUE(free.at("x' = 1").undecided.empty());
  EXPECT_EQ(modes(free.at("x' = 1")), Modes{"touches"});
  Model kink("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -abs(x)\nunilateral c: y >= 0 power -y'\n");
  EXPECT_FALSE(kink.at("x' = 1").undecided.empty());
}

TEST(States, contacts_that_are_not_at_rest) {
  Model ball(
      "param g = 10\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nunilateral floor: y >= 0 "
      "restitution 0.5\n");
  EXPECT_EQ(ball.at("y = 1").contacts[0].condition, ContactCondition::open);
  EXPECT_EQ(ball.at("y' = 1").contacts[0].condition, ContactCondition::separating);
  EXPECT_EQ(ball.at("").contacts[0].condition, ContactCondition::resting);
  EXPECT_THROW(ball.at("y' = -1"), Refused);
  EXPECT_THROW(ball.at("y = -1"), Refused);
  EXPECT_EQ(ball.at("y = 1").verdict, MotionVerdict::unique);
}

TEST(States, four_legs_share_their_load_in_a_family_of_two_ends) {
  const auto table = MechanismParts::from_file(LIAISON_SOURCE_DIR "/models/contacts/table_on_four_legs.lia");
  const auto found = motions_at(*table, read_given_state(*table, "z = h, x' = v", "", false)).motions;
  ASSERT_EQ(found.motions.size(), 1u);
  EXPECT_EQ(found.verdict, MotionVerdict::unique);
  ASSERT_EQ(found.motions[0].vertices.size(), 2u);
  EXPECT_TRUE(found.motions[0].rays.empty());
  std::vector<std::vector<double>> ends;
  for (const MotionNumbers& vertex : found.motions[0].vertices) {
    std::vector<double>& factors = ends.emplace_back();
    for (const Rational& factor : vertex.factors) factors.push_back(factor.to_double());
    EXPECT_EQ(vertex.accelerations[0], Rational(-2));
  }
  std::sort(ends.begin(), ends.end());
  EXPECT_EQ(ends, (std::vector<std::vector<double>>{{3, 15, 12, 0}, {15, 3, 0, 12}}));
}

TEST(States, bilateral_constraints_are_kept_exactly) {
  // A particle on a rod that stands on a floor: the rod carries what the floor does not.
  Model model(
      "param g = 10\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nconstraint guide: x - y = 0\n"
      "unilateral floor: y >= 0\n");
  const auto found = model.at("");
  EXPECT_EQ(modes(found), Modes{"kept"});
  EXPECT_EQ(found.motions[0].vertices[0].factors[0], Rational(10));
  EXPECT_EQ(found.motions[0].vertices[0].bilateral_factors[0], Rational(0));
  EXPECT_EQ(found.r[0][0], Rational(1, 2));
}

}  // namespace
}  // namespace liaison
