#include <filesystem>

#include "model_support.hpp"

namespace liaison::test {

namespace {

void expect_round_trip(const std::string& text, const std::string& what) {
  const Source source(what, text);
  const ParsedModel model = parse_model(source);
  ASSERT_TRUE(model.ok()) << render(model.diagnostics, source);
  const std::string printed = to_lia(model.system);
  const Source again("printed", printed);
  const ParsedModel second = parse_model(again);
  ASSERT_TRUE(second.ok()) << what << "\n" << printed << "\n" << render(second.diagnostics, again);
  // Everything in a system is printed, so that equal texts are equal systems.
  const bool lost_units = printed.starts_with("# in SI units");
  EXPECT_EQ(to_lia(second.system), lost_units ? printed.substr(printed.find('\n') + 1) : printed) << what;
  EXPECT_EQ(second.system.claims.size(), model.system.claims.size()) << what;
  EXPECT_EQ(second.system.queries.size(), model.system.queries.size()) << what;
}

}  // namespace

TEST(RoundTrip, all_models_print_as_models_that_are_equal) {
  std::size_t n = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LIAISON_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".lia") continue;
    expect_round_trip(read_file(entry.path().string()), entry.path().string());
    ++n;
  }
  EXPECT_GE(n, 12u);
}

TEST(RoundTrip, the_models_of_the_documentation_are_read_and_printed) {
  std::size_t n = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LIAISON_SOURCE_DIR "/docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = read_file(entry.path().string());
    const std::string opening = "\n```lia\n";
    for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at + 1)) {
      const std::size_t begin = at + opening.size();
      // parts and tables are seen from the folder of the bodies
      expect_round_trip(page.substr(begin, page.find("```", begin) - begin),
                        LIAISON_SOURCE_DIR "/models/bodies/" + entry.path().filename().string());
      ++n;
    }
  }
  EXPECT_GE(n, 10u);
}

TEST(RoundTrip, every_statement_prints) {
  expect_round_trip(
      "system \"Every statement\"\n"
      "param m > 0 = 1.5 [kg], R = 50 [cm], g = 9.81 [m/s^2], c [N*s/m], J = 2 [kg*m^2], k = 3 [N/m], f = "
      "0.2, v = 2 [m/s]\n"
      "function h(x)\nfunction e(x) = k*x^2/2\n"
      "coord x [m], y [m], z [m], phi [rad], n [m]\n"
      "rotation Q (p, q, r) in space\n"
      "velocity u, w: x' = u*cos(phi) - w*sin(phi), y' = u*sin(phi) + w*cos(phi)\n"
      "let slip = x' + R*phi'\n"
      "rheonomic s = v*t\n"
      "particle P mass m at [x, y, z + s]\n"
      "body B mass m inertia [J, J, 2*J, 0, J/3, 0] at [x, y, z] rotation Q\n"
      "body W mass m inertia J at [x, n] angle phi\n"
      "kinetic m/2*s'*x'\npotential e(n) + m*g*s\ndissipation c/2*slip^2\n"
      "force x = 3\nforce x = -m*g*h(x/R)\nforce [m*g, 0, 0] at B [R, 0, 0]\nmoment [J/R*g, 0, 0] on "
      "B\nforce q = m*g*R\n"
      "constraint rod: x^2 + y^2 = R^2\nconstraint far: z = 0.3\n"
      "constraint floor: z' = 0  power z' - f*(1 + lambda(floor)/(m*g))*abs(slip)\n"
      "constraint servo: phi' = 0  by x'\nconstraint push: n' = 0  along R*dx/R + dn\n"
      "reaction thrust: y'\nunilateral ground: n - 1*R >= 0 friction f restitution 0.5\n"
      "output all = m*x'' + lambda(rod)*x\nstart x = 1, u = 2, Q_e0 = 1, p = 1/2\n"
      "claim a: r(rod, floor) == dir(rod, x'') at (x = 1, R = 20) within 1e-8\n"
      "claim b: holonomic(rod) == false\nmisprint c: conserved(T + V)\nclaim compatible\n"
      "claim equations { x'' == g; y'' + z'' == g }\nclaim omega(x, t) == 3\n",
      "every statement");
}

TEST(RoundTrip, intrinsic_velocities_print) {
  expect_round_trip(
      "coord x, y, phi\nkinetic x'^2 + y'^2 + phi'^2\nconstraint blade: x'*sin(phi) = y'*cos(phi)\n"
      "intrinsic u: x' = u*cos(phi), y' = u*sin(phi)\nclaim u' == 0\n",
      "intrinsic");
}

}  // namespace liaison::test
