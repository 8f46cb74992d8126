#include <filesystem>

#include "liaison/expr/evaluate.hpp"
#include "liaison/model/scenery.hpp"
#include "model_support.hpp"

namespace liaison::test {

namespace {

struct Read {
  ParsedModel model;
  Scenery scenery;
};

Read read_scenery(const std::string& text, const std::string& name = "m.lia") {
  const Source source(name, text);
  Read read{parse_model(source), {}};
  EXPECT_TRUE(read.model.ok()) << render(read.model.diagnostics, source) << text;
  if (read.model.ok()) read.scenery = scenery_of(source, read.model.system);
  return read;
}

const char* const everything =
    "param R = 1/2, L = 2, a = 3\n"
    "coord x, y, z, phi\n"
    "rotation Q (p, q, r) in body\n"
    "particle P mass 1 at [x, y, z]\n"
    "body B mass 1 inertia [1, 2, 3] at [x, 0, z] rotation Q centre [0, 0, 0]\n"
    "body C mass 1 inertia [1, 2, 3] on B at [1, 0, 0] by hinge phi axis [0, 0, 1] centre [0, 1, 0]\n"
    "frame F on C at [0, 0, R] turned x R\n"
    "spring S: P to B [1, 0, 0] stiffness 2\n"
    "damper D: [0, 0, 0] to C damping 1\n"
    "shape P ball radius R\n"
    "shape B cylinder radius R length L axis [0, 1, 0]\n"
    "shape B box [R, L, a] at [0, 0, a] turned z R, x L\n"
    "shape C polygon [0, 0, 0] [R, 0, 0] [0, L, 0] at [1, 1, 1]\n"
    "shape F disc radius R axis [1, 0, 0]\n"
    "shape ground ring radius a at [x, 0, 0] turned z phi\n"
    "shape rod P to C [0, 0, R] radius R\n"
    "shape line P to B to F\n"
    "shape point F [0, 0, 1]\n"
    "shape ground cone radius R length L at [0, 0, 0] axis [0, 0, -1]\n";

}  // namespace

TEST(Shapes, are_printed_back) {
  std::vector<std::string> texts{everything};
  for (const char* name :
       {"bodies/excavator", "bodies/stewart_platform", "mbs/andrews_mechanism", "bodies/quarter_car"})
    texts.push_back(read_file(LIAISON_SOURCE_DIR "/models/" + std::string(name) + ".lia"));
  for (const std::string& text : texts) {
    const Read first = read_scenery(text);
    const std::string printed = to_lia(first.model.system, first.scenery);
    const Read second = read_scenery(printed);
    EXPECT_EQ(second.scenery.shapes.size(), first.scenery.shapes.size()) << printed;
    EXPECT_TRUE(to_lia(second.model.system, second.scenery) == printed)
        << name_of(first.scenery.shapes[0].kind);
  }
}

TEST(Shapes, enter_no_equation) {
  std::string without;
  for (std::size_t at = 0, end; at < std::string(everything).size(); at = end + 1) {
    end = std::string(everything).find('\n', at);
    const std::string line = std::string(everything).substr(at, end + 1 - at);
    if (!line.starts_with("shape")) without += line;
  }
  EXPECT_EQ(to_lia(read_system(everything)), to_lia(read_system(without)));
}

TEST(Shapes, stand_where_they_are_put) {
  const Read read = read_scenery(
      "coord x, phi\nbody B mass 1 inertia 1 on ground at [x, 0] by hinge phi centre [2, 0]\n"
      "shape B disc radius 1\nshape B box [1, 1] at [0, 3]\nshape B polygon [0, 0] [1, 0] [0, 1]\n");
  DoublePoint at;
  for (const Direction& direction : read.model.system.directions)
    at.emplace(direction.coordinate, direction.coordinate.symbol().name == "x" ? 5.0 : 1.0);
  const double c = std::cos(1.0), s = std::sin(1.0);
  const double expected[3][2] = {{5 + 2 * c, 2 * s}, {5 - 3 * s, 3 * c}, {5, 0}};
  ASSERT_EQ(read.scenery.shapes.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_NEAR(evaluate(read.scenery.shapes[i].place[k], at), expected[i][k], 1e-14);
  ASSERT_EQ(read.scenery.joints.size(), 1u);
  EXPECT_NEAR(evaluate(read.scenery.joints[0].place[0], at), 5, 0);
}

TEST(Shapes, of_what_time_moves_are_seen_by_the_time_alone) {
  const Read read =
      read_scenery("coord x\nrheonomic s = 3*t\nparticle P mass 1 at [x, s]\nshape rod [s, 0] to P\n");
  ASSERT_EQ(read.scenery.shapes.size(), 1u);
  EXPECT_TRUE(same(read.model.system, read.scenery.shapes[0].points[0][0], "3*t"));
}

/// Each with its place, and none of them twice.
TEST(Shapes, that_cannot_be_drawn_are_told_with_their_place) {
  const std::string begin =
      "param R = 1\ncoord x, y, phi\nbody B mass 1 inertia 1 at [x, y] angle phi\nparticle P mass 1 at [x, "
      "y]\n";
  const std::pair<const char*, const char*> wrong[] = {
      {"shape B disc", "model:5:9: error: the radius of the disc is missing [L0460]"},
      {"shape B disc radius -1", "model:5:21: error: a radius is not positive [L0460]"},
      {"shape B disc radius x", "[L0425]"},
      {"shape B disc radius R length 2", "a disc has no length [L0460]"},
      {"shape B disc radius R radius R", "`radius` is given twice [L0404]"},
      {"shape B cylinder radius R length R", "there is no cylinder in the plane [L0460]"},
      {"shape B box [1, 2, 3]", "[L0421]"},
      {"shape B box", "a box has its sides behind it"},
      {"shape B polygon [0, 0] [1, 1]", "a polygon has three corners or more [L0460]"},
      {"shape B disc radius R axis [0, 0, 1]", "a disc in the plane has no axis [L0460]"},
      {"shape B mesh \"a.stl\"", "there is no mesh in the plane [L0460]"},
      {"shape Q disc radius R", "there is no body or frame `Q` [L0431]"},
      {"shape B wheel radius R", "`wheel` is nothing that can be drawn [L0460]"},
      {"shape disc radius R", "a disc is the shape of a body, and none is named [L0460]"},
      {"shape rod P", "a rod goes from a place to another one, and that is missing [L0460]"},
      {"shape rod P to B to P", "a rod goes from a place to one other [L0460]"},
      {"shape rod P to", "a place behind `to` is missing [L0402]"},
      {"shape rod P to [1, 2, 3]", "one end has 2 coordinates and the other 3 [L0421]"},
      {"shape point P radius 1", "a point has no radius [L0460]"},
      {"shape ground disc radius 1", "the place of the disc on the ground is missing [L0460]"},
      {"shape", "is missing [L0402]"},
      {"draw B disc radius 1", "it is called `shape` here"},
  };
  for (const auto& [line, message] : wrong) {
    const std::string errors = read_errors(begin + line + "\n");
    EXPECT_NE(errors.find(message), std::string::npos) << line << "\n" << errors;
    EXPECT_EQ(errors.find("error:"), errors.rfind("error:")) << line << "\n" << errors;
  }
}

}  // namespace liaison::test
