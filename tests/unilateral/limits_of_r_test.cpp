#include <gtest/gtest.h>

#include "liaison/mechanism/motions_at_state.hpp"
#include "liaison/mechanism/motions_scan.hpp"

// r_n = mu r_nt and r_tn = mu r_tt: what a pressure and its friction do cancels, and rounding of it is no
// pivot.
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

constexpr const char* rod =
    "param f = 2\ncoord x, y, theta\nkinetic (x'^2 + y'^2)/2 + theta'^2/6\npotential 10*y\n"
    "unilateral floor: y - sin(theta) >= 0 friction f on x' + sin(theta)*theta'\n";

// r = 1 + 3 cos^2 - 3 f sin cos = 1 + 3/5 - 6/5 f at tan = 2, and the drive is -10.
TEST(LimitsOfR, where_algebra_proves_them) {
  Model model(rod);
  const std::string state = "theta = atan(2), y = 2/sqrt(5), x' = -1";
  const PossibleMotions at_it = model.at(state, "f = 4/3");
  EXPECT_EQ(at_it.verdict, MotionVerdict::none);
  EXPECT_TRUE(at_it.undecided.empty()) << at_it.undecided;
  EXPECT_TRUE(at_it.r[0][0].is_zero());
  EXPECT_FALSE(at_it.p_matrix->is_p);
  EXPECT_EQ(model.at(state, "f = 13/10").verdict, MotionVerdict::unique);  // r = 1/25
  EXPECT_EQ(model.at(state, "f = 4/3 + 10^(-20)").verdict, MotionVerdict::none);
}

TEST(LimitsOfR, that_digits_do_not_tell_are_not_decided) {
  Model model(rod);
  const std::string state = "theta = atan(2), y = 2/sqrt(5), x' = -1";
  const PossibleMotions beside = model.at(state, "f = 4/3 - 10^(-50)");  // r = 12/10 * 10^-50
  EXPECT_NE(beside.undecided.find("within rounding of a limit"), std::string::npos) << beside.undecided;
  EXPECT_NE(beside.undecided.find("`floor`"), std::string::npos) << beside.undecided;
}

TEST(LimitsOfR, of_slips_that_begin) {
  // W = [[28/3, 1], [1, 3]] in irrational coordinates: r_tn = mu r_tt, so the slip keeps its drive -9/4.
  Model model(
      "param a = sqrt(2)\ncoord u, x\nkinetic u'^2/18*a^2 - u'*x'/27*a + 14/81*x'^2\n"
      "force u = a*(-7/36)\nforce x = -37/54\nunilateral c: a*u >= 0 friction 1/3 on x'\n");
  const PossibleMotions found = model.at("x' = 0");
  ASSERT_EQ(found.motions.size(), 1U);
  EXPECT_EQ(found.motions[0].modes[0], ContactMode::slips);
}

// r = 0 in fractions: none where it is pressed, and where not it opens.
TEST(LimitsOfR, are_mapped_exactly) {
  for (const bool is_pressed : {true, false}) {
    MechanismParts parts(
        "model", std::string(is_pressed ? "param k = 0\ncoord u, x\nkinetic (2/3)/2*u'^2 + (1/15)*u'*x' + "
                                          "(13/75)/2*x'^2\nforce u = -2/3\nforce x = -1/15\nunilateral c: u "
                                          ">= 0 friction 13/5 on x'\nstart x' = -1\n"
                                        : "param k = 0\ncoord u, x\nkinetic (10)/2*u'^2 + (180/7)*u'*x' + "
                                          "(3387/49)/2*x'^2\nforce u = 2500/49\nforce x = "
                                          "45441/343\nunilateral c: u >= 0 friction 1129/420 on "
                                          "x'\nstart x' = -1\n"));
    const GivenState given = read_given_state(parts, "", "", false);
    const MotionsScan scan = scan_motions(parts, given, {}, read_scan(parts, given, "k = 0:1:2"));
    for (const std::size_t kind : scan.at)
      EXPECT_EQ(scan.kinds[kind].verdict, is_pressed ? ScanVerdict::none : ScanVerdict::unique);
  }
}

}  // namespace
}  // namespace liaison
