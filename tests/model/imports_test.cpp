#include <filesystem>
#include <fstream>

#include "liaison/expr/print.hpp"
#include "liaison/model/scenery.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

/// A folder for the files of one test.
class Imports : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("imports_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_ / "parts");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Source source(const std::string& text) const { return {(folder_ / "model.lia").string(), text}; }
  System read(const std::string& text) const {
    const Source model = source(text);
    ParsedModel parsed = parse_model(model);
    EXPECT_TRUE(parsed.ok()) << render(parsed.diagnostics, model);
    return std::move(parsed.system);
  }
  std::vector<Diagnostic> errors(const std::string& text) const {
    return parse_model(source(text)).diagnostics;
  }
  /// One report, with this code, at the line and column given, that holds these words.
  void expect_error(const std::string& text, const std::string& code, std::size_t line, std::size_t column,
                    const std::string& words) const {
    const Source model = source(text);
    const std::vector<Diagnostic> found = errors(text);
    ASSERT_EQ(found.size(), 1u) << render(found, model);
    const Source::Place place = model.place(found[0].span.begin);
    EXPECT_EQ(found[0].code, code) << render(found, model);
    EXPECT_EQ(place.line, line) << render(found, model);
    EXPECT_EQ(place.column, column) << render(found, model);
    EXPECT_NE(found[0].message.find(words), std::string::npos) << render(found, model);
    EXPECT_FALSE(found[0].hint.empty()) << render(found, model);
  }

  std::filesystem::path folder_;
};

const std::string link =
    "system \"Link\"\nparam m > 0 = 1, l > 0 = 2, g = 9.81\ncoord phi\n"
    "body rod mass m inertia m*l^2/12 on ground by hinge phi centre [l/2, 0]\n"
    "frame tip on rod at [l, 0]\ngravity [0, -g]\nstart phi = 1, phi' = 2\n"
    "claim m*l^2/3*phi'' == -m*g*l/2*cos(phi)\n";

}  // namespace

TEST_F(Imports, are_what_a_person_would_write) {
  write("link.lia", link);
  const System parts = read(
      "import \"link.lia\" as A (m = 3)\n"
      "import \"link.lia\" as B (ground = A_tip, l = A_l, m = 2*A_m)\n"
      "param g = 10\ngravity [0, -g]\nstart B_phi = 5\noutput x = B_tip.x\n");
  const System by_hand = read(
      "param A_m > 0 = 3, A_l > 0 = 2, A_g = 9.81\ncoord A_phi\n"
      "body A_rod mass A_m inertia A_m*A_l^2/12 on ground by hinge A_phi centre [A_l/2, 0]\n"
      "frame A_tip on A_rod at [A_l, 0]\nstart A_phi = 1, A_phi' = 2\n"
      "let B_m = 2*A_m\nparam B_g = 9.81\ncoord B_phi\n"
      "body B_rod mass B_m inertia B_m*A_l^2/12 on A_tip by hinge B_phi centre [A_l/2, 0]\n"
      "frame B_tip on B_rod at [A_l, 0]\nstart B_phi' = 2\n"
      "param g = 10\ngravity [0, -g]\nstart B_phi = 5\noutput x = B_tip.x\n");
  EXPECT_EQ(to_lia(parts), to_lia(by_hand));
  EXPECT_TRUE(parts.claims.empty());
  EXPECT_EQ(to_lia(read(to_lia(parts))), to_lia(parts));
}

TEST_F(Imports, a_bushing_on_the_ground_stands_on_what_is_given) {
  write("mount.lia",
        "param k = 3\ncoord x, y, phi\nbody B mass 1 inertia 1 at [x, y] angle phi\n"
        "bushing U: ground at [1, 0] to B stiffness [k, k, 2] damping 1/10\nstart x = 1\n");
  const std::string frame = "frame F on ground at [5, 0]\n";
  const System part = read(frame + "import \"mount.lia\" as P (ground = F)\noutput f = P_U.force.x\n");
  const System by_hand = read(frame +
                              "param P_k = 3\ncoord P_x, P_y, P_phi\n"
                              "body P_B mass 1 inertia 1 at [P_x, P_y] angle P_phi\n"
                              "bushing P_U: F at [1, 0] to P_B stiffness [P_k, P_k, 2] damping 1/10\n"
                              "start P_x = 1\noutput f = P_U.force.x\n");
  EXPECT_EQ(to_lia(part), to_lia(by_hand));
}

TEST_F(Imports, share_coordinates_drive_them_and_hold_them) {
  write("cart.lia",
        "param m = 1, k = 2\ncoord x\nkinetic m/2*x'^2\npotential k/2*x^2\nforce x = -3*x'\nstart x = 1\n");
  const System shared = read("coord s\nimport \"cart.lia\" as A (x = s)\n");
  const System by_hand =
      read("coord s\nparam A_m = 1, A_k = 2\nkinetic A_m/2*s'^2\npotential A_k/2*s^2\nforce s = -3*s'\n");
  EXPECT_EQ(to_lia(shared), to_lia(by_hand));
  write("mass.lia", "param m = 1\ncoord x\nkinetic m/2*x'^2\n");
  const System driven =
      read("coord s\nimport \"mass.lia\" as A (x = 2*s)\nimport \"mass.lia\" as B (x = 0)\n");
  EXPECT_TRUE(same(driven, driven.kinetic, "2*A_m*s'^2"));
}

TEST_F(Imports, rename_all_that_a_declaration_brings) {
  write(
      "parts/all.lia",
      "param length = 2, mass = 1\ncoord x, y, z\nrotation (p, q, r) in body\nrotation S (u, v, w) in space\n"
      "kinetic x'^2 + y'^2 + z'^2 + p^2 + q^2 + r^2 + u^2 + v^2 + w^2\n"
      "spring length: x stiffness mass length 2*length\n"
      "potential rot1_e0 + S_e1 + S23 + length(length)\n"
      "constraint c: x' = 0  along dx + 2*w_p\nunilateral corner: y >= abs(z)  friction 0.1 on x'\n"
      "table f points (0, 0), (1, 1)\nfunction h(x) = x^2*mass\nforce y = f(y) + h'(y)\n"
      "output pull = lambda(c) + lambda_c + lambda(corner_1)\nevent stop: x = 1 then reset x' = -x'\nstart "
      "S_e0 = 1, x' = 1\n");
  const System part = read("import \"parts/all.lia\" as P\n");
  const System by_hand = read(
      "param P_length = 2, P_mass = 1\ncoord P_x, P_y, P_z\nrotation P_rot1 (P_p, P_q, P_r) in body\n"
      "rotation P_S (P_u, P_v, P_w) in space\n"
      "kinetic P_x'^2 + P_y'^2 + P_z'^2 + P_p^2 + P_q^2 + P_r^2 + P_u^2 + P_v^2 + P_w^2\n"
      "spring s: P_x stiffness P_mass length 2*P_length\n"
      "potential P_rot1_e0 + P_S_e1 + P_S23 + P_x\n"
      "constraint P_c: P_x' = 0  along dP_x + 2*w_P_p\n"
      "unilateral P_corner: P_y >= abs(P_z)  friction 0.1 on P_x'\n"
      "table f points (0, 0), (1, 1)\nforce P_y = f(P_y) + 2*P_y*P_mass\n"
      "output P_pull = 2*lambda(P_c) + lambda(P_corner_1)\nevent P_stop: P_x = 1 then reset P_x' = -P_x'\n"
      "start P_S_e0 = 1, P_x' = 1\n");
  EXPECT_EQ(to_lia(part), to_lia(by_hand));
}

TEST_F(Imports, lie_within_each_other_and_beside_their_tables) {
  write("parts/f.csv", "0, 0\n1, 4\n");
  write("parts/mass.lia", "table f from \"f.csv\"\ncoord x\nkinetic x'^2\nforce x = -f(x)\n");
  write("parts/two.lia", "for k in 1..2: import \"mass.lia\" as M{k}\n");
  const System parts = read("import \"parts/two.lia\" as P\n");
  const System by_hand = read(
      "table f points (0, 0), (1, 4)\ncoord P_M1_x\nkinetic P_M1_x'^2\nforce P_M1_x = -f(P_M1_x)\n"
      "coord P_M2_x\nkinetic P_M2_x'^2\nforce P_M2_x = -f(P_M2_x)\n");
  EXPECT_EQ(to_lia(parts), to_lia(by_hand));
}

TEST_F(Imports, may_be_no_whole_model) {
  write("law.lia", "param k = 2\nfunction law(x) = k*x^3\n");
  const System system = read("import \"law.lia\" as L\ncoord x\nkinetic x'^2/2\nforce x = -L_law(x)\n");
  EXPECT_TRUE(same(system, system.forces[0], "-L_k*x^3"));
}

TEST_F(Imports, say_once_what_all_of_them_say) {
  write("drop.lia",
        "param m > 0 = 1, g = 9.81\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\nstart t = 1\n");
  write("stone.lia", "coord x, y\nparticle P mass 2 at [x, y]\ngravity [0,  -9.810]\nstart t = 1.0\n");
  write("heavy.lia", "coord x, y\nparticle P mass 2 at [x, y]\ngravity [0, -10]\n");
  write("late.lia", "coord x, y\nparticle P mass 2 at [x, y]\nstart t = 2\n");
  write("both.lia", "import \"stone.lia\" as A\nimport \"stone.lia\" as B\n");
  const System given = read(
      "param g = 9.81\nimport \"drop.lia\" as A (g = g)\nfor k in 1..2: import \"drop.lia\" as B{k} (g = "
      "g)\n");
  const System by_hand = read(
      "param g = 9.81, A_m > 0 = 1\ncoord A_x, A_y\nparticle A_P mass A_m at [A_x, A_y]\nstart t = 1\n"
      "param B1_m > 0 = 1\ncoord B1_x, B1_y\nparticle B1_P mass B1_m at [B1_x, B1_y]\n"
      "param B2_m > 0 = 1\ncoord B2_x, B2_y\nparticle B2_P mass B2_m at [B2_x, B2_y]\ngravity [0, -g]\n");
  EXPECT_EQ(to_lia(given), to_lia(by_hand));
  const System nested = read("import \"both.lia\" as C\nimport \"stone.lia\" as D\n");
  EXPECT_TRUE(same(nested, nested.potential, "981/50*(C_A_y + C_B_y + D_y)"));
  EXPECT_EQ(nested.start.size(), 1u);
  const std::string stone = "import \"stone.lia\" as A\nimport ";
  expect_error(stone + "\"heavy.lia\" as B\n", "L0407", 2, 1,
               "gravity is given twice, and not alike, by the parts `A` and `B`");
  expect_error(stone + "\"late.lia\" as B\n", "L0407", 2, 1,
               "`t` starts twice, and not alike, by the parts `A` and `B`");
  expect_error(stone + "\"drop.lia\" as B\n", "L0407", 2, 1, "by the parts `A` and `B`");
  expect_error("coord x\nkinetic x'^2\ngravity [0, 1]\ngravity [0, 1]\n", "L0407", 4, 1,
               "gravity is given twice");
  const System own = read(stone + "\"heavy.lia\" as B\ngravity [0, -1]\n");
  EXPECT_TRUE(same(own, own.potential, "2*(A_y + B_y)"));
}

/// Every declared name is marked by hand: `@x` is x in the part, and A_x in the model that imports it as A.
TEST_F(Imports, of_one_part_stand_beside_each_other) {
  write("parts/f.csv", "0, 0\n1, 4\n2, 5\n");
  write("parts/tetrahedron.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const std::string marked =
      "param @m > 0 = 2, @a > 0 = 1/2, @c = 3\ncoord @x, @y, @z, @s_1, @s_2, @s_3\n"
      "rotation @R (@p, @q, @r) in space\n"
      "body @S mass @m inertia [@a, @a, @a] at [@x, @y, @z] rotation @R\n"
      "contact @floor: @S on ground at [@x, @y, @z - @a] normal [0, 0, 1] friction 0.1 rolling 0.01\n"
      "table @f from \"%f.csv\" cubic\ntable @g points (0, 0), (1, 1)\nfunction @h(u) = u*@c\n"
      "for k in 1..3: kinetic @m*@s_{k}'^2/2\nfor k in 1..2: constraint @k_{k}: @s_{k} = 2*@s_{k+1}\n"
      "unilateral @wall: @s_3 >= -1 restitution 0.5\n"
      "force @s_1 = -@f(@s_1) - @g(@s_2) + @h(@s_3)\nspring @sp: @s_1 stiffness @c length @a\n"
      "input @u = sin(t)\nforce @x = @u\nlet @e = @R_e0 + @S.x\noutput @o = @e + lambda(@floor)\n"
      "event @hit: @s_1 = 1 rising then reset @s_1' = -@s_1'\n"
      "shape @S mesh \"%tetrahedron.obj\" scale @a\nshape rod @S to [0, 0, 0] radius @a/9\n"
      "start @x = 1, @y' = 2, @R_e1 = 1/10\n";
  const auto with = [&](const std::string& prefix, const std::string& folder) {
    std::string text;
    for (const char letter : marked)
      text += letter == '@' ? prefix : letter == '%' ? folder : std::string(1, letter);
    return text;
  };
  const std::string gravity = "gravity [0, 0, -9.81]\n";
  write("parts/part.lia", with("", "") + gravity);
  const std::string parts = "import \"parts/part.lia\" as A\nimport \"parts/part.lia\" as B\n";
  const std::string by_hand = with("A_", "parts/") + gravity + with("B_", "parts/");
  const System imported = read(parts), written = read(by_hand);
  EXPECT_EQ(to_lia(imported), to_lia(written));
  const Scenery drawn = scenery_of(source(parts), imported),
                drawn_by_hand = scenery_of(source(by_hand), written);
  ASSERT_EQ(drawn.shapes.size(), 4u);
  ASSERT_EQ(drawn_by_hand.shapes.size(), 4u);
  EXPECT_EQ(to_lia(imported, drawn), to_lia(written, drawn_by_hand));
  EXPECT_NE(to_lia(imported, drawn).find("parts/tetrahedron.obj"), std::string::npos);
}

TEST_F(Imports, ask_what_is_given_for_its_sign) {
  write("link.lia", link);
  write("any.lia", "param k = -1\ncoord x\nkinetic x'^2\n");
  const std::string front = "param M > 0 = 2, N = -3\nimport \"link.lia\" as A (m = ";
  const System seen =
      read(front + "M/2 + sqrt(M) + 3)\nlet sum = M + A_l\nimport \"any.lia\" as B (k = -M)\n");
  for (const Parameter& parameter : seen.parameters) EXPECT_NE(parameter.symbol.symbol().name, "A_m");
  for (const std::string value : {"-2*M", "M - 1", "N*M", "M*0", "sin(t)"})
    expect_error(front + value + ")\n", "L0434", 2, 29, "`m` of the part is positive");
  expect_error("import \"any.lia\" as B\nimport \"link.lia\" as A (m = B_k)\n", "L0434", 2, 29,
               "`m` of the part is positive");
  expect_error("let w = -2\nimport \"link.lia\" as A (m = w)\n", "L0434", 2, 29,
               "`m` of the part is positive");
}

TEST_F(Imports, that_are_wrong_say_where) {
  write("link.lia", link);
  write("self.lia", "import \"self.lia\" as A\n");
  write("one.lia", "import \"two.lia\" as A\n");
  write("two.lia", "import \"one.lia\" as A\n");
  write("bad.lia", "coord x\nkinetic x'^2\n  + q\n");
  const std::string rest = "coord x\nkinetic x'^2\n";
  expect_error(rest + "import \"no.lia\" as A\nforce x = A_k\n", "L0453", 3, 8,
               "cannot be read: there is no such file");
  expect_error(rest + "import \"self.lia\" as A\n", "L0453", 3, 8, "self.lia:1:8: `self.lia` imports itself");
  expect_error(rest + "import \"one.lia\" as A\n", "L0453", 3, 8, "`one.lia` imports itself");
  expect_error(rest + "import \"model.lia\" as A\n", "L0453", 3, 8, "imports itself");
  expect_error(rest + "import \"bad.lia\" as A\n", "L0453", 3, 8, "bad.lia:3:5: unknown name `q` (L0408)");
  expect_error(rest + "import \"link.lia\" as A (mm = 2)\n", "L0408", 3, 25, "the part has no `mm`");
  expect_error(rest + "import \"link.lia\" as A (rod = 2)\n", "L0453", 3, 25,
               "`rod` of this part is nothing that can be given");
  expect_error(rest + "import \"link.lia\" as A (m = 2, m = 3)\n", "L0407", 3, 32, "`m` is given twice");
  expect_error(rest + "import \"link.lia\" as A (m = -2)\n", "L0434", 3, 1, "declared positive");
  expect_error(rest + "param M = 2\nimport \"link.lia\" as A (m = M)\n", "L0434", 4, 29,
               "`M` is not said to be");
  expect_error(rest + "import \"link.lia\" as A (m = N)\n", "L0408", 3, 29, "unknown name `N`");
  expect_error(rest + "coord A_phi\nkinetic A_phi'^2\nimport \"link.lia\" as A\n", "L0407", 5, 1,
               "`A_phi` is declared twice");
  expect_error(rest + "import \"link.lia\" as A\nimport \"link.lia\" as B\n", "L0407", 4, 1,
               "gravity is given twice, and not alike, by the parts `A` and `B`");
  expect_error(rest + "import link.lia as A\n", "L0402", 3, 8, "the name of a file in quotes is missing");
  expect_error(rest + "import \"link.lia\"\n", "L0402", 3, 18, "`as` and a name for the part");
}

}  // namespace liaison::test
