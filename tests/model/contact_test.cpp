#include "liaison/model/contact.hpp"

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/kinematics.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

std::vector<Expr> velocities_of(const System& system) {
  std::vector<Expr> velocities;
  for (const Direction& direction : system.directions) velocities.push_back(direction.velocity);
  return velocities;
}

std::vector<Expr> force_of(const System& system, const Constraint& constraint) {
  if (constraint.power_kind == PowerKind::along) return constraint.direction;
  if (constraint.power_kind == PowerKind::ideal) return gradient(constraint.relation, velocities_of(system));
  return power_gradient(constraint.power, velocities_of(system)).value_or(std::vector<Expr>{});
}

void expect_round_trip(const System& system) {
  const std::string printed = to_lia(system);
  const System again = read_system(printed);
  EXPECT_EQ(to_lia(again), printed);
  ASSERT_EQ(again.constraints.size(), system.constraints.size());
  for (std::size_t i = 0; i < system.constraints.size(); ++i)
    EXPECT_EQ(again.constraints[i].power_kind, system.constraints[i].power_kind);
}

/// A disc of radius R in the plane, with its contact statement.
System disc(const std::string& statements) {
  return read_system(
      "param m = 1, R = 0.5, J = 0.1, f = 0.2, f1 = 0.1, delta = 0.01, v = 2, al = 0.3\n"
      "coord x, y, phi\nbody B mass m inertia J at [x, y] angle phi\n" +
      statements + "\n");
}

const Constraint& only(const System& system) {
  EXPECT_EQ(system.constraints.size(), 1u);
  return system.constraints.at(0);
}

}  // namespace

// ---- the statement ----

TEST(Contact, a_sphere_on_a_plane_is_the_model_written_by_hand) {
  const System hand = read_system(read_file(LIAISON_SOURCE_DIR "/models/classics/sphere_sliding.lia"));
  const System contact = read_system(
      "param M > 0 = 2, a > 0 = 0.3, k > 0 = 0.19, g = 9.81, f = 0.2\n"
      "coord xi, eta, zeta\nrotation (p, q, r) in space\n"
      "body S mass M inertia [M*k^2, M*k^2, M*k^2] at [xi, eta, zeta] rotation (p, q, r)\n"
      "gravity [0, 0, -g]\n"
      "contact floor: S on ground at [xi, eta, zeta - a] normal [0, 0, 1] friction f\n");
  EXPECT_EQ(only(contact).power_kind, PowerKind::given);
  EXPECT_FALSE(only(contact).holonomic);
  EXPECT_EQ(only(contact).factor, in(contact, "lambda_floor"));
  Algebra algebra(*hand.pool);
  const auto expect_equal = [&](Expr ours, Expr theirs) {
    const Verdict verdict = algebra.are_equal(copy_to(*hand.pool, ours), theirs);
    EXPECT_TRUE(verdict.is_proved()) << describe(verdict);
  };
  expect_equal(only(contact).relation, only(hand).relation);
  expect_equal(only(contact).power, only(hand).power);
  const std::vector<Expr> ours = force_of(contact, only(contact)), theirs = force_of(hand, only(hand));
  ASSERT_EQ(ours.size(), 6u);
  ASSERT_EQ(theirs.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) expect_equal(ours[i], theirs[i]);
  expect_round_trip(contact);
}

// What was given stays data: later stages ask which factor is a normal reaction, and where it slips.
TEST(Contact, stays_data_beside_its_constraint) {
  const System system = disc(
      "constraint held: phi' = 0\n"
      "contact c: B on ground at [x, y - R] normal [0, 1] friction f rolling delta");
  ASSERT_EQ(system.contacts.size(), 1u);
  const Contact& contact = system.contacts[0];
  EXPECT_EQ(system.constraints.at(contact.constraint).name, "c");
  EXPECT_EQ(contact.first, "B");
  EXPECT_EQ(contact.second, "");
  EXPECT_EQ(contact.normal, (std::vector<Expr>{system.pool->number(0), system.pool->number(1)}));
  EXPECT_EQ(contact.motion.velocity[0], in(system, "x'") + in(system, "R") * in(system, "phi'"));
  EXPECT_EQ(contact.speeds.normal, in(system, "y'"));
  EXPECT_EQ(contact.coefficients.friction, in(system, "f"));
  EXPECT_TRUE(contact.coefficients.pivoting.is_zero());
  EXPECT_NE(to_lia(system).find("contact c: B on ground at ["), std::string::npos);
  expect_round_trip(system);
}

// Rates on body axes are turned into space before they act at the contact.
TEST(Contact, of_a_body_with_rates_on_its_own_axes) {
  const System system = read_system(
      "param a, m, J, f\ncoord x, y, z\nrotation R (p, q, r) in body\n"
      "body S mass m inertia [J, J, J] at [x, y, z] rotation R\n"
      "let w1 = R11*p + R12*q + R13*r\nlet w2 = R21*p + R22*q + R23*r\n"
      "contact floor: S on ground at [x, y, z - a] normal [0, 0, 1] friction f\n"
      "constraint expected: z' = 0  power z' - f*sqrt((x' - a*w2)^2 + (y' + a*w1)^2)\n");
  Algebra algebra(*system.pool);
  EXPECT_TRUE(algebra.are_equal(system.constraints[0].relation, in(system, "z'")).is_proved());
  EXPECT_TRUE(algebra.are_equal(system.constraints[0].power, system.constraints[1].power).is_proved());
}

TEST(Contact, in_the_plane_resists_slip_and_turning) {
  const System level = disc("contact c: B on ground at [x, y - R] normal [0, 1] friction f rolling delta");
  EXPECT_EQ(only(level).relation, in(level, "y'"));
  EXPECT_TRUE(same(level, only(level).power, "y' - f*abs(x' + R*phi') - delta*abs(phi')"));
  expect_round_trip(level);
  const System slope = disc(
      "contact c: B on ground at [x + R*sin(al), y - R*cos(al)] normal [-sin(al), cos(al)] rolling delta "
      "friction f");
  EXPECT_TRUE(same(slope, only(slope).relation, "cos(al)*y' - sin(al)*x'"));
  EXPECT_TRUE(same(slope, only(slope).power,
                   "cos(al)*y' - sin(al)*x' - f*abs(cos(al)*x' + sin(al)*y' + R*phi') - delta*abs(phi')"));
}

TEST(Contact, without_resistance_is_ideal) {
  for (const std::string clause : {"", " friction 0 rolling 0"}) {
    const System system = disc("contact c: B on ground at [x, y - R] normal [0, 1]" + clause);
    EXPECT_EQ(only(system).power_kind, PowerKind::ideal);
    EXPECT_TRUE(only(system).power.empty());
    EXPECT_EQ(only(system).relation, in(system, "y'"));
    expect_round_trip(system);
  }
}

// The relation is the time derivative of the gap: the motion of the normal and of the point is in it (row
// G2.VI-kinematics).
TEST(Contact, of_two_spheres_is_the_rate_of_their_distance) {
  const System system = read_system(
      "param m, J, r1, r2, f, delta, varpi\ncoord x1, y1, z1, x2, y2, z2\n"
      "rotation A (p1, q1, w1) in space\nrotation B (p2, q2, w2) in space\n"
      "body S mass m inertia [J, J, J] at [x1, y1, z1] rotation A\n"
      "body T mass m inertia [J, J, J] at [x2, y2, z2] rotation B\n"
      "let d = sqrt((x1 - x2)^2 + (y1 - y2)^2 + (z1 - z2)^2)\n"
      "let nx = (x1 - x2)/d\nlet ny = (y1 - y2)/d\nlet nz = (z1 - z2)/d\n"
      "contact c: S on T at [x2 + r2*nx, y2 + r2*ny, z2 + r2*nz] normal [nx, ny, nz]\n"
      "  friction f rolling delta pivoting varpi\n"
      "constraint gap: d = r1 + r2\n");
  const Constraint& contact = system.constraints[0];
  Algebra algebra(*system.pool);
  EXPECT_TRUE(algebra.are_equal(contact.relation, time_derivative(system, system.constraints[1].relation))
                  .is_proved());
  // What turns one against the other about the normal is resisted by varpi alone.
  const auto l = force_of(system, contact);
  ASSERT_EQ(l.size(), 12u);
  Substitution on_axis;
  for (const char* name : {"x1", "y1", "x2", "y2", "z2", "p1", "q1", "p2", "q2", "x2'", "y1'", "y2'", "f"})
    on_axis.emplace(in(system, name), system.pool->number(0));
  for (const char* name : {"z1", "p1", "x1'"}) on_axis[in(system, name)] = system.pool->number(1);
  const Expr twist = substitute(l[8], on_axis);
  EXPECT_TRUE(algebra.are_equal(twist, in(system, "-varpi*sign(w1 - w2)")).is_proved());
  expect_round_trip(system);
}

TEST(Contact, a_normal_may_be_an_axis_of_a_body) {
  const System system = read_system(
      "param m, J, a\ncoord x, y, z\nrotation R (p, q, r) in body\n"
      "body S mass m inertia [J, J, 2*J] at [x, y, z] rotation R\n"
      "contact c: S on ground at [x + a*R13, y + a*R23, z + a*R33] normal [R13, R23, R33] friction 0.1\n");
  EXPECT_EQ(only(system).power_kind, PowerKind::given);
}

// Row G2.VI-ThI: a coefficient is held fixed, whatever it depends on.
TEST(Contact, coefficients_may_depend_on_the_reaction_and_on_velocities) {
  const std::string at = "contact c: B on ground at [x, y - R] normal [0, 1] ";
  const System pressed = disc(at + "friction f/(1 + lambda(c)/(m*9.81))");
  EXPECT_TRUE(
      same(pressed, force_of(pressed, only(pressed))[0], "-f/(1 + lambda_c/(m*9.81))*sign(x' + R*phi')"));
  const System fast = disc(at + "friction f + f1*abs(x' + R*phi')");
  EXPECT_EQ(only(fast).power_kind, PowerKind::given);
  EXPECT_TRUE(same(fast, force_of(fast, only(fast))[0], "-(f + f1*abs(x' + R*phi'))*sign(x' + R*phi')"));
  expect_round_trip(fast);
  // f1*|phi'|*|slip| as a power would not say which of the two speeds carries the force.
  const System turning = disc(at + "friction f1*abs(phi')");
  EXPECT_EQ(only(turning).power_kind, PowerKind::along);
  EXPECT_TRUE(same(turning, only(turning).direction[0], "-f1*abs(phi')*sign(x' + R*phi')"));
  EXPECT_TRUE(same(turning, only(turning).direction[1], "1"));
  expect_round_trip(turning);
  // f1*|phi'|/|slip|*|slip| would be read as a resistance against turning.
  const System divided = disc(at + "friction f1*abs(phi')/abs(x' + R*phi')");
  EXPECT_EQ(only(divided).power_kind, PowerKind::along);
  EXPECT_TRUE(same(divided, only(divided).direction[0], "-f1*abs(phi')/(x' + R*phi')"));
}

// A driven solid: the force opposes the whole slip, its components are those on the free directions.
TEST(Contact, of_driven_bodies_opposes_the_whole_slip) {
  const System system = disc(
      "coord z\nrheonomic s = v*t\nbody W mass m inertia J at [s, z] angle 0\n"
      "contact c: B on W at [x, y - R] normal [0, 1] friction f");
  EXPECT_EQ(only(system).power_kind, PowerKind::along);
  EXPECT_TRUE(same(system, only(system).relation, "y' - z'"));
  EXPECT_TRUE(same(system, only(system).direction[0], "-f*sign(x' + R*phi' - v)"));
  EXPECT_TRUE(same(system, only(system).direction[3], "-1"));
  expect_round_trip(system);
}

TEST(Contact, a_body_may_be_called_ground) {
  const System system = disc(
      "coord z\nbody ground mass m inertia J at [0, z] angle 0\n"
      "contact c: B on ground at [x, y - R] normal [0, 1]");
  EXPECT_TRUE(same(system, only(system).relation, "y' - z'"));
}

TEST(Contact, has_units) {
  const std::string start =
      "param m = 1 [kg], R = 0.5 [m], J = 0.1 [kg*m^2], f = 0.2 [1], b = 1 [cm]\ncoord x [m], y [m], phi\n"
      "body B mass m inertia J at [x, y] angle phi\ncontact c: B on ground at [x, y - R] normal [0, 1] ";
  expect_round_trip(read_system(start + "friction f rolling b\nclaim lambda(c) == m*x''\n"));
  EXPECT_NE(read_errors(start + "friction b\n").find("[L0412]"), std::string::npos);
  EXPECT_NE(read_errors(start + "rolling f\n").find("[L0412]"), std::string::npos);
  EXPECT_NE(read_errors(start + "\nclaim lambda(c) == x\nclaim lambda(c) == m\n").find("[L0412]"),
            std::string::npos);
}

// Rows G2.VI-l-components and G2.VI-ThII through the language, space axes on the trihedron.
TEST(Contact, of_two_solids_in_general_position) {
  const System system = read_system(
      "param f = 0.4, delta = 0.05, varpi = 0.03\ncoord x1, y1, z1\ncoord x2, y2, z2\n"
      "rotation A (p1, p2, p3) in space\nrotation B (p4, p5, p6) in space\n"
      "body S mass 1.5 inertia [1.2, 1.4, 1.6, 0.15, -0.05, 0.1] at [x1, y1, z1] rotation A\n"
      "body T mass 2.5 inertia [2, 1.8, 2.2, -0.25, 0.1, -0.2] at [x2, y2, z2] rotation B\n"
      "contact c: S on T at [0, 0, 0] normal [0, 0, 1] friction f rolling delta pivoting varpi\n");
  const std::string state =
      "x1 3/10 y1 -2/5 z1 7/10 x2 -1/5 y2 1/2 z2 -9/10 x1' 1/2 y1' -1/3 z1' 181/600 x2' -2/5 y2' 1/7 z2' 1/4 "
      "p1 3/5 p2 -2/3 p3 1/2 p4 -1/4 p5 1/6 p6 5/7 f 2/5 delta 1/20 varpi 3/100 "
      "A_e0 1 A_e1 0 A_e2 0 A_e3 0 B_e0 1 B_e1 0 B_e2 0 B_e3 0";
  Substitution at;
  std::stringstream words(state);
  for (std::string name, value; words >> name >> value;) at.emplace(in(system, name), in(system, value));

  const std::vector<Expr> v = velocities_of(system), l = substitute(force_of(system, only(system)), at);
  const std::vector<double> expected{-0.3017178921074401, 0.2626143819029018,  1.0,
                                     0.3017178921074401,  -0.2626143819029018, -1.0,
                                     0.5481264253748023,  0.5462060950215109,  0.07190284227210549,
                                     0.7720565856698406,  0.4365425323503932,  0.06833606967313967};
  ASSERT_EQ(l.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(evaluate(l[i], {}), expected[i], 1e-13) << i;

  Algebra algebra(*system.pool);
  Matrix M(*system.pool, 12, 12);
  const std::vector<Expr> momenta = gradient(system.kinetic, v);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j) M(i, j) = substitute(derivative(momenta[i], v[j]), at);
  const std::vector<Expr> da = substitute(gradient(only(system).relation, v), at);
  const SolveResult response = solve(algebra, M, da);
  ASSERT_EQ(response.status, SolveStatus::unique);
  double invariant = 0;
  for (std::size_t i = 0; i < 12; ++i) invariant += evaluate(l[i], {}) * evaluate(response.x[i], {});
  EXPECT_NEAR(invariant, 1.615799219328454, 1e-13);
}

// ---- the normal reaction ----

struct Reactions : ::testing::Test {
  Pool pool;
  Expr N = pool.symbol("N");
  Expr number(long n) { return pool.number(n); }
  /// Of N*(ideal + loss) + drive = 0.
  NormalReactions find(Expr ideal, Expr loss, Expr drive, ContactSide side = ContactSide::unilateral) {
    return normal_reactions({ideal, loss}, drive, N, 100, side);
  }
};

TEST_F(Reactions, all_of_them_are_found) {
  // (N - 1)(N - 2)(N - 3)
  const NormalReactions three = find(number(11), pow(N, 2) - 6 * N, number(-6));
  EXPECT_TRUE(three.undecided.empty());
  ASSERT_EQ(three.values.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(three.values[i], static_cast<double>(i + 1), 1e-14);
  // sin has 31 zeros up to 100 besides N = 0, all simple.
  const NormalReactions many = find(number(0), sin(N) / N, number(0));
  EXPECT_EQ(many.values.size() + many.undecided.size(), 32u);
  const NormalReactions far = find(number(1), number(0), number(-101));
  EXPECT_TRUE(far.values.empty());
}

TEST_F(Reactions, the_ends_of_the_interval_count) {
  EXPECT_EQ(find(number(1), number(0), number(0)).values, std::vector<double>{0});
  EXPECT_EQ(find(number(1), number(0), number(-100)).values, std::vector<double>{100});
  // a zero where the first interval is cut in two
  EXPECT_EQ(find(number(-75), N, number(1250)).values, (std::vector<double>{25, 50}));
}

TEST_F(Reactions, a_double_root_is_undecided_and_none_is_none) {
  // (N - 1/3)^2, then the same and a little more
  const Expr loss = N, ideal = pool.number(Rational(-2, 3));
  const NormalReactions touching = find(ideal, loss, pool.number(Rational(1, 9)));
  EXPECT_TRUE(touching.values.empty());
  ASSERT_EQ(touching.undecided.size(), 1u);
  EXPECT_LE(touching.undecided[0].first, 1.0 / 3);
  EXPECT_GE(touching.undecided[0].second, 1.0 / 3);
  EXPECT_LT(touching.undecided[0].second - touching.undecided[0].first, 1e-5);
  const NormalReactions apart = find(ideal, loss, pool.number(Rational(1001, 9000)));
  EXPECT_TRUE(apart.values.empty());
  EXPECT_TRUE(apart.undecided.empty());
}

TEST_F(Reactions, of_a_bilateral_contact_may_be_two_or_none) {
  // i(e)da = 1 - 2 where it pushes and 1 + 2 where it pulls
  const Expr ideal = number(1), loss = number(-2);
  const NormalReactions two = find(ideal, loss, number(3), ContactSide::bilateral);
  ASSERT_EQ(two.values.size(), 2u);
  EXPECT_DOUBLE_EQ(two.values[0], -1);
  EXPECT_DOUBLE_EQ(two.values[1], 3);
  EXPECT_TRUE(find(ideal, loss, number(-3), ContactSide::bilateral).values.empty());
  EXPECT_EQ(find(ideal, loss, number(0), ContactSide::bilateral).values, std::vector<double>{0});
}

TEST_F(Reactions, a_law_of_the_reaction_is_a_law_of_its_size) {
  // loss = |N|: pulling, N*(4 - |N|) + drive = 0
  const NormalReactions found = find(number(4), N, number(3), ContactSide::bilateral);
  ASSERT_EQ(found.values.size(), 2u);
  EXPECT_DOUBLE_EQ(found.values[0], -3);
  EXPECT_DOUBLE_EQ(found.values[1], -1);
}

TEST_F(Reactions, need_numbers) {
  try {
    find(pool.symbol("m"), number(0), number(1));
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::missing_value);
  }
}

}  // namespace liaison::test
