#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "liaison/unilateral/impact.hpp"

namespace liaison {
namespace {

constexpr ImpactLaw laws[] = {ImpactLaw::energetic, ImpactLaw::newton, ImpactLaw::poisson};

/// One contact in the plane: row 0 the normal, row 1 the slip.
ImpactProblem one_contact(double nn, double nt, double tt, double v_n, double v_t, double mu, double e,
                          ImpactLaw law) {
  return {{nn, nt, nt, tt}, {v_n, v_t}, {{0, {{{1}, mu, mu}}, e}}, law};
}

struct RandomImpacts {
  std::mt19937_64 random;
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random); }
  /// r = B^T B is that of a rigid body, up to nearly singular ones; slip and coupling of both signs.
  ImpactProblem next(ImpactLaw law) {
    const double a = uniform(0.1, 2), b = uniform(-2, 2), c = uniform(0.02, 2);
    const double mu = random() % 8 == 0 ? 0 : uniform(0, 2.5);
    const double v_t = random() % 16 == 0 ? 0 : uniform(-3, 3);
    const double e = random() % 8 == 0 ? 0 : random() % 8 == 0 ? 1 : uniform(0, 1);
    return one_contact(a * a, a * b, b * b + c * c, -uniform(0.01, 3), v_t, mu, e, law);
  }
};

std::string text(const ImpactProblem& problem) {
  std::string words = std::string(word_for(problem.law)) + ": r =";
  for (const double x : problem.r) words += " " + std::to_string(x);
  words += ", v =";
  for (const double x : problem.velocity) words += " " + std::to_string(x);
  words += ", mu = " + std::to_string(problem.contacts[0].resisted[0].slipping) +
           ", e = " + std::to_string(problem.contacts[0].restitution);
  return words;
}

/// 1/2 v r^-1 v.
double energy(const ImpactProblem& problem, const std::vector<double>& v) {
  const auto& r = problem.r;
  return 0.5 * (r[3] * v[0] * v[0] - 2 * r[1] * v[0] * v[1] + r[0] * v[1] * v[1]) /
         (r[0] * r[3] - r[1] * r[2]);
}

/// What each law promises, of one impact.
void expect_law(const ImpactProblem& problem, const Impact& impact) {
  const double mu = problem.contacts[0].resisted[0].slipping, e = problem.contacts[0].restitution;
  const double p_n = impact.impulses[0], p_t = impact.impulses[1];
  ASSERT_TRUE(std::isfinite(p_n) && std::isfinite(p_t)) << text(problem);
  EXPECT_GE(p_n, 0) << text(problem);
  EXPECT_GE(impact.velocities[0], -1e-12) << text(problem);
  EXPECT_LE(std::abs(p_t), mu * p_n * (1 + 1e-10) + 1e-14) << text(problem);
  for (std::size_t k = 0; k < 2; ++k) {
    const double sum = problem.velocity[k] + p_n * problem.r[k] + p_t * problem.r[2 + k];
    EXPECT_NEAR(sum, impact.velocities[k], 1e-12 * (1 + p_n)) << text(problem);
  }
  // Slip has one direction, or the impulse is within the cone; slip after it is opposed at last.
  if (problem.law == ImpactLaw::newton) {
    EXPECT_NEAR(impact.velocities[0], -e * problem.velocity[0], 1e-12 * (1 + p_n)) << text(problem);
    if (std::abs(impact.velocities[1]) > 1e-10 * (1 + p_n)) {
      EXPECT_NEAR(p_t, -std::copysign(mu * p_n, impact.velocities[1]), 1e-10 * (1 + p_n)) << text(problem);
    }
    return;
  }
  const double before = energy(problem, problem.velocity), after = energy(problem, impact.velocities);
  if (problem.law == ImpactLaw::energetic) {
    EXPECT_LE(impact.energy, 1e-11 * before) << text(problem);
  }
  EXPECT_NEAR(impact.energy, after - before, 1e-9 * (before + after)) << text(problem);
}

TEST(ImpactInThePlane, random_impacts_keep_their_laws) {
  const char* asked = std::getenv("LIAISON_IMPACTS");
  const int count = asked ? std::atoi(asked) : 60'000;
  RandomImpacts impacts{std::mt19937_64(21)};
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    const ImpactProblem problem = impacts.next(laws[i % 3]);
    const Impacts found = simultaneous_impacts(problem);
    ASSERT_TRUE(found.complete) << text(problem) << ": " << found.remark;
    ASSERT_FALSE(found.all.empty()) << text(problem) << ": " << found.remark;
    if (problem.law != ImpactLaw::newton) {
      ASSERT_EQ(found.all.size(), 1u) << text(problem);
    }
    for (const Impact& impact : found.all) expect_law(problem, impact);
  }
}

/// The same path in small steps of the impulse, friction implicit in each.
std::pair<double, double> by_small_steps(const ImpactProblem& problem, double step) {
  double v_n = problem.velocity[0], v_t = problem.velocity[1], in = 0, out = 0;
  const double mu = problem.contacts[0].resisted[0].slipping, e = problem.contacts[0].restitution;
  const bool energetic = problem.law == ImpactLaw::energetic;
  while (v_n < 0 || out < (energetic ? e * e : e) * in) {
    const double free = v_t + step * problem.r[1];
    const double p_t = std::clamp(-free / problem.r[3], -mu * step, mu * step);
    const double before = v_n;
    v_t = free + p_t * problem.r[3];
    v_n += step * problem.r[0] + p_t * problem.r[2];
    const double amount = energetic ? std::abs(0.5 * (before + v_n)) * step : step;
    (0.5 * (before + v_n) < 0 ? in : out) += amount;
  }
  return {v_n, v_t};
}

TEST(ImpactInThePlane, paths_are_those_of_small_steps) {
  RandomImpacts impacts{std::mt19937_64(22)};
  int turned = 0;
  for (int i = 0; i < 300; ++i) {
    const ImpactProblem problem = impacts.next(i % 2 == 0 ? ImpactLaw::energetic : ImpactLaw::poisson);
    const Impacts found = simultaneous_impacts(problem);
    ASSERT_EQ(found.all.size(), 1u) << found.remark;
    const double step = found.all[0].impulses[0] / 30'000;
    const auto [v_n, v_t] = by_small_steps(problem, step);
    const double scale = 1 + std::abs(v_n) + std::abs(v_t);
    EXPECT_NEAR(v_n, found.all[0].velocities[0], 2e-3 * scale) << text(problem) << found.all[0].how;
    EXPECT_NEAR(v_t, found.all[0].velocities[1], 2e-3 * scale) << text(problem) << found.all[0].how;
    turned += found.all[0].velocities[1] * problem.velocity[1] < -1e-6;
  }
  EXPECT_GT(turned, 10);  // slip has come back in some of them
}

TEST(ImpactInThePlane, laws_agree_without_friction) {
  RandomImpacts impacts{std::mt19937_64(23)};
  for (int i = 0; i < 2000; ++i) {
    ImpactProblem problem = impacts.next(ImpactLaw::energetic);
    problem.contacts[0].resisted[0] = {{1}, 0, 0};
    const double e = problem.contacts[0].restitution;
    const double p = -(1 + e) * problem.velocity[0] / problem.r[0];
    for (const ImpactLaw law : laws) {
      problem.law = law;
      const Impacts found = simultaneous_impacts(problem);
      ASSERT_EQ(found.all.size(), 1u) << text(problem);
      EXPECT_NEAR(found.all[0].impulses[0], p, 1e-12 * p) << text(problem);
      EXPECT_NEAR(found.all[0].velocities[0], -e * problem.velocity[0], 1e-12 * (1 + p)) << text(problem);
      if (e == 1) {
        EXPECT_NEAR(found.all[0].energy, 0, 1e-12 * energy(problem, problem.velocity));
      }
    }
  }
}

TEST(ImpactInThePlane, a_ball_with_spin_slips_or_rolls) {
  // Solid sphere, m = 2, radius 0.3: slip of the contact point has r_tt = 1/m + a^2/J = 7/(2 m). It sticks
  // where abs(v_t) <= mu (1 + e) 7/2 abs(v_n).
  const double m = 2, e = 0.6, mu = 0.2, v_n = -3;
  const double threshold = 3.5 * mu * (1 + e) * -v_n;
  for (const ImpactLaw law : laws) {
    for (const double v_t : {0.3 * threshold, 0.999 * threshold, 1.001 * threshold, 5 * threshold}) {
      const Impacts found = simultaneous_impacts(one_contact(1 / m, 0, 3.5 / m, v_n, v_t, mu, e, law));
      ASSERT_EQ(found.all.size(), 1u);
      const Impact& impact = found.all[0];
      const double p = m * (1 + e) * -v_n;
      EXPECT_NEAR(impact.impulses[0], p, 1e-12 * p);
      EXPECT_NEAR(impact.impulses[1], v_t < threshold ? -v_t * m / 3.5 : -mu * p, 1e-12 * p);
      EXPECT_NEAR(impact.velocities[1], std::max(0.0, v_t - threshold), 1e-12 * v_t);
      if (v_t < threshold) {
        EXPECT_EQ(impact.velocities[1], 0);
      }
    }
  }
}

/// A uniform rod of length 2 and mass 1 at an angle: rows of its lower end (y - sin(theta), x - cos(theta)).
ImpactProblem rod(double theta, double v_n, double v_t, double mu, double e, ImpactLaw law) {
  const double s = std::sin(theta), c = std::cos(theta);
  return one_contact(1 + 3 * c * c, -3 * s * c, 1 + 3 * s * s, v_n, v_t, mu, e, law);
}

TEST(ImpactInThePlane, a_rod_that_sticks_at_once) {
  // From rest of the slip: sticks where mu >= 3 s c/(1 + 3 s^2), with 1/r_nn = (1 + 3 s^2)/4 of the mass;
  // else it slips all along, with r_nn - mu r_nt.
  const double theta = 1.1, s = std::sin(theta), c = std::cos(theta), e = 0.5;
  const double least = 3 * s * c / (1 + 3 * s * s);
  for (const ImpactLaw law : laws) {
    const Impact stick = simultaneous_impacts(rod(theta, -2, 0, 1.01 * least, e, law)).all.at(0);
    EXPECT_NEAR(stick.impulses[0], 2 * (1 + e) * (1 + 3 * s * s) / 4, 1e-12);
    EXPECT_EQ(stick.velocities[1], 0);
    EXPECT_NEAR(stick.velocities[0], 2 * e, 1e-12);
    const double mu = 0.5 * least;
    const Impact slip = simultaneous_impacts(rod(theta, -2, 0, mu, e, law)).all.at(0);
    EXPECT_NEAR(slip.impulses[0], 2 * (1 + e) / (1 + 3 * c * c - mu * 3 * s * c), 1e-12);
    EXPECT_LT(slip.velocities[1], 0);
    EXPECT_NEAR(slip.impulses[1], mu * slip.impulses[0], 1e-12);
  }
}

TEST(ImpactInThePlane, slip_that_stops_in_the_compression) {
  // r = (1, b; b, 1), b = 0.9, mu = 1 > b: slip stops at p1 = v_t/(mu - b), then it sticks, r_nn = 1 - b^2.
  const double b = 0.9, v_n = -1, v_t = 0.02, e = 0.7;
  const double p1 = v_t / (1 - b), v1 = v_n + p1 * (1 - b), stuck = 1 - b * b;
  const double p2 = -v1 / stuck;  // compression ends
  const double work = v_n * p1 + 0.5 * (1 - b) * p1 * p1 + 0.5 * v1 * p2;
  const double p3 = e * std::sqrt(-2 * work / stuck);  // p3^2 stuck/2 = -e^2 work
  const Impact impact =
      simultaneous_impacts(one_contact(1, b, 1, v_n, v_t, 1, e, ImpactLaw::energetic)).all.at(0);
  EXPECT_NEAR(impact.impulses[0], p1 + p2 + p3, 1e-12);
  EXPECT_NEAR(impact.velocities[0], p3 * stuck, 1e-12);
  EXPECT_EQ(impact.velocities[1], 0);
  EXPECT_NE(impact.how.find("sticks at p = 0.2"), std::string::npos) << impact.how;
  const Impact poisson =
      simultaneous_impacts(one_contact(1, b, 1, v_n, v_t, 1, e, ImpactLaw::poisson)).all.at(0);
  EXPECT_NEAR(poisson.impulses[0], (1 + e) * (p1 + p2), 1e-12);
}

TEST(ImpactInThePlane, a_jam_presses_until_slip_stops) {
  // r_nn - mu r_nt < 0 while it slips: the normal velocity falls first.
  const ImpactProblem problem = one_contact(1, 0.9, 1, -0.1, 1, 2, 0.5, ImpactLaw::energetic);
  const Impact impact = simultaneous_impacts(problem).all.at(0);
  const double p1 = 1 / (2 - 0.9), v1 = -0.1 + p1 * (1 - 1.8);
  EXPECT_LT(v1, -0.1);
  const double stuck = 1 - 0.81, work = p1 * (-0.1 + v1) / 2 - v1 * v1 / (2 * stuck);
  EXPECT_NEAR(impact.velocities[0], std::sqrt(-2 * 0.25 * work * stuck), 1e-12);
  EXPECT_EQ(impact.velocities[1], 0);
}

TEST(ImpactInThePlane, coefficients_that_differ_leave_both_ends) {
  // Needed to stick: b = 0.5 of N; slip has 0.4, sticking 0.6.
  ImpactProblem problem = one_contact(1, 0.5, 1, -1, 0, 0.4, 0.5, ImpactLaw::energetic);
  problem.contacts[0].resisted[0].sticking = 0.6;
  for (const ImpactLaw law : laws) {
    problem.law = law;
    const Impacts found = simultaneous_impacts(problem);
    ASSERT_EQ(found.all.size(), 2u) << word_for(law);
    EXPECT_EQ(found.all[0].velocities[1], 0);
    EXPECT_GT(found.all[1].velocities[1], 0.01);
  }
}

TEST(ImpactInThePlane, newton_creates_energy_for_the_double_pendulum) {
  // Kane: two equal rods hang from a hinge, m = 1, length 1, at 20 and 30 degrees; the end strikes the floor.
  const double a = M_PI / 9, b = M_PI / 6;
  const double m11 = 4.0 / 3, m12 = 0.5 * std::cos(a - b), m22 = 1.0 / 3, det = m11 * m22 - m12 * m12;
  const double n[2] = {-std::sin(a), -std::sin(b)}, t[2] = {std::cos(a), std::cos(b)};
  // Height of the end: -(cos a + cos b), so its rate is sin a a' + sin b b'.
  const double up[2] = {-n[0], -n[1]};
  const auto entry = [&](const double* x, const double* y) {
    return (m22 * x[0] * y[0] - m12 * (x[0] * y[1] + x[1] * y[0]) + m11 * x[1] * y[1]) / det;
  };
  const double rate[2] = {-0.1, -0.2};
  const double v_n = up[0] * rate[0] + up[1] * rate[1], v_t = t[0] * rate[0] + t[1] * rate[1];
  ASSERT_LT(v_n, 0);
  ImpactProblem problem{{entry(up, up), entry(up, t), entry(up, t), entry(t, t)},
                        {v_n, v_t},
                        {{0, {{{1}, 0.7, 0.7}}, 0.7, "floor"}},
                        ImpactLaw::newton};
  const Impact newton = simultaneous_impacts(problem).all.at(0);
  EXPECT_GT(newton.energy, 1e-3 * energy(problem, problem.velocity));
  problem.law = ImpactLaw::energetic;
  const Impact energetic = simultaneous_impacts(problem).all.at(0);
  EXPECT_LT(energetic.energy, 0);
  EXPECT_NE(energetic.how.find("`floor` ends its expansion"), std::string::npos) << energetic.how;
}

TEST(ImpactInThePlane, the_rod_without_motion_jumps) {
  // models/contacts/sliding_rod.lia: cos(theta) = 3/5, f = 2, its end slips to the left.
  const double theta = std::acos(0.6), slip = -1;
  for (const double e : {0.0, 0.5}) {
    ImpactProblem problem = rod(theta, 0, slip, 2, e, ImpactLaw::energetic);
    const double jam = problem.r[0] - 2 * std::abs(problem.r[1]);
    ASSERT_NEAR(jam, -0.8, 1e-12);
    for (const ImpactLaw law : laws) {
      problem.law = law;
      const Impacts found = tangential_impact(problem, 0);
      ASSERT_EQ(found.all.size(), 1u) << word_for(law) << found.remark;
      const Impact& impact = found.all[0];
      // Slip stops at p1 and it sticks; from there the normal behaves as with r_nn - r_nt^2/r_tt.
      const double p1 = 1 / (2 * problem.r[3] - std::abs(problem.r[1])), v1 = jam * p1;
      const double stuck = problem.r[0] - problem.r[1] * problem.r[1] / problem.r[3], p2 = -v1 / stuck;
      const double work = 0.5 * p1 * v1 + 0.5 * p2 * v1;
      EXPECT_EQ(impact.velocities[1], 0);
      const double out = law == ImpactLaw::newton    ? 0
                         : law == ImpactLaw::poisson ? e * (p1 + p2)
                                                     : e * std::sqrt(-2 * work / stuck);
      EXPECT_NEAR(impact.impulses[0], p1 + p2 + out, 1e-12);
      EXPECT_NEAR(impact.velocities[0], out * stuck, 1e-12);
      EXPECT_LT(impact.energy, 0);
    }
    problem.contacts[0].resisted[0] = {{1}, 0.5, 0.5};
    for (const ImpactLaw law : laws) {
      problem.law = law;
      const Impacts found = tangential_impact(problem, 0);
      EXPECT_TRUE(found.all.empty());
      EXPECT_NE(found.remark.find("is not jammed"), std::string::npos) << found.remark;
    }
  }
}

TEST(ImpactInThePlane, rolling_is_resisted_beside_slip) {
  // A disc, J = 1/2: slip x' + w, rolling w with length delta; struck with spin.
  for (const double delta : {0.0, 0.05, 10.0}) {
    // Rows: normal, slip = v + w, rolling = w; m = 1, radius 1.
    const ImpactProblem problem{{1, 0, 0, 0, 3, 2, 0, 2, 2},
                                {-1, 2, 2},
                                {{0, {{{1}, 0.3, 0.3}, {{2}, delta, delta}}, 0.5}},
                                ImpactLaw::energetic};
    const Impact impact = simultaneous_impacts(problem).all.at(0);
    EXPECT_NEAR(impact.impulses[0], 1.5, 1e-12);
    EXPECT_LE(std::abs(impact.impulses[2]), delta * 1.5 + 1e-12);
    EXPECT_LE(impact.energy, 0);
    if (delta == 10) {  // it does not turn any more
      EXPECT_EQ(impact.velocities[2], 0);
    }
    if (delta == 0.05) {
      EXPECT_NEAR(impact.impulses[2], -delta * 1.5, 1e-12);
    }
  }
}

TEST(ImpactInThePlane, what_does_not_close_is_left) {
  const Impacts found = simultaneous_impacts(one_contact(1, 0.2, 1, 0.5, 1, 0.3, 1, ImpactLaw::energetic));
  ASSERT_EQ(found.all.size(), 1u);
  EXPECT_EQ(found.all[0].velocities, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(found.all[0].impulses, (std::vector<double>{0, 0}));
  // A wall that nothing moves has no velocities after.
  const Impacts none = simultaneous_impacts(one_contact(0, 0, 1, -1, 0, 0.3, 1, ImpactLaw::energetic));
  EXPECT_TRUE(none.all.empty());
  EXPECT_FALSE(none.remark.empty());
}

}  // namespace
}  // namespace liaison
