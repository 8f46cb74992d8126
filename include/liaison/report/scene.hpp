#ifndef LIAISON_REPORT_SCENE_HPP
#define LIAISON_REPORT_SCENE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A mechanism that moves: solids on axes that move with time, drawn as a page, as one picture or as a film.
namespace liaison {

using Vector3 = std::array<double, 3>;

/// A number that stays, or one that has a value in each row.
struct SceneValue {
  double constant = 0;
  std::optional<std::size_t> column = {};
};
using ScenePoint = std::array<SceneValue, 3>;  ///< in the plane the third is 0

/// A turn about an axis that stays, or by a quaternion of length one.
struct SceneTurn {
  Vector3 axis{0, 0, 1};
  SceneValue angle = {};
  std::optional<std::array<SceneValue, 4>> quaternion = {};
};
struct ScenePose {
  ScenePoint at = {};
  std::vector<SceneTurn> turns = {};  ///< one behind the other, from the axes of space
};

/// Faces and lines on axes. A tone makes a face darker (below 1) or lighter, so that a turn is seen.
struct SceneMesh {
  struct Face {
    std::vector<std::size_t> corners;
    double tone = 1;
  };
  std::vector<Vector3> vertices = {};
  std::vector<Face> faces = {};
  std::vector<std::vector<std::size_t>> lines = {};
};

struct SceneSolid {
  std::string name = {};  ///< of the object that it belongs to
  std::string kind = {};  ///< "disc", "rod", "spring", "joint", ...
  std::size_t paint = 0;  ///< colour of a series; `ink` is another one
  ScenePose pose = {};
  /// Two ends: its axis x goes from the first to the second, and its lengths along x are in units of their
  /// distance.
  std::optional<std::array<ScenePoint, 2>> between = {};
  SceneMesh mesh = {};
};
constexpr std::size_t ink_paint = 7;   ///< of SceneSolid: joints, ground
constexpr std::size_t soft_paint = 8;  ///< springs, threads

/// An arrow at a place: a velocity or a reaction.
struct SceneArrow {
  std::string name = {};
  bool reaction = false;
  ScenePoint at = {}, vector = {};
};

/// A point whose way is drawn, or that has a name in the picture.
struct SceneTrack {
  std::string name = {};
  std::size_t paint = 0;
  ScenePoint at = {};
  bool traced = true;
};

/// What touches: where, along which normal, and what it did when.
struct SceneContact {
  std::string name = {};
  ScenePoint at = {}, normal = {};
  struct Span {
    double begin = 0, end = 0;
    std::string mode = {};
  };
  std::vector<Span> modes = {};
  std::vector<double> impacts = {};
};

/// A line of the plane or a plane of space that bounds the motion: normal.x = height on it.
struct SceneGround {
  Vector3 normal{0, 0, 1};
  double height = 0;
};

struct SceneEvent {
  double t = 0;
  std::string name = {};
};

struct MovingScene {
  std::string title = {}, subtitle = {};
  std::vector<std::string> notes = {};  ///< what is not drawn, and why
  bool in_space = false;
  std::string time_unit = {};  ///< "s" if there are units
  std::vector<double> t = {};  ///< growing; twice the same where something jumps
  std::vector<std::vector<double>> columns = {};
  std::vector<SceneSolid> solids = {};
  std::vector<SceneArrow> arrows = {};
  std::vector<SceneTrack> tracks = {};
  std::vector<SceneContact> contacts = {};
  std::vector<SceneGround> grounds = {};
  std::vector<SceneEvent> events = {};
  double size = 1;  ///< of the mechanism, without where it goes

  bool is_empty() const { return solids.empty() && tracks.empty(); }
};

/// Shapes with their axis of symmetry along z; those of the plane lie in z = 0.
namespace scene {
SceneMesh disc(double radius, bool in_space);
SceneMesh ring(double radius, double width, bool in_space);
SceneMesh ball(double radius);
SceneMesh cylinder(double radius, double length);
SceneMesh cone(double radius, double length);
SceneMesh box(const Vector3& sides);
SceneMesh rectangle(double a, double b);
SceneMesh polygon(const std::vector<Vector3>& corners);
/// The convex hull of points of the plane, wider by a radius, its corners round.
SceneMesh link(const std::vector<Vector3>& points, double radius);
/// Along x from 0 to 1, between two ends.
SceneMesh rod(double radius, bool in_space);
SceneMesh line();
SceneMesh spring(double radius, bool in_space);
SceneMesh damper(double radius, bool in_space);
/// A joint that is fixed to the ground of the plane: a support with hatches.
SceneMesh support(double size);
/// The faces of a file .stl (text or binary) or .obj, times a scale; throws Error where it is none.
SceneMesh mesh_of_file(const std::string& path, double scale);
}  // namespace scene

/// Rows between which a straight line tells the others, to a thousandth of the picture, all extrema among
/// them; at most so many that columns times rows stay below `most_numbers`. `kept`: rows that stay in any
/// case. The largest error, relative to the size of the picture, is told.
struct ThinnedScene {
  MovingScene scene;
  double error = 0;
};
ThinnedScene thinned(MovingScene scene, const std::vector<std::size_t>& kept = {},
                     std::size_t most_numbers = 200'000);

/// From where a mechanism in space is seen, angles in degrees, and what is drawn beside it.
struct SceneView {
  double azimuth = -55, elevation = 22;
  bool velocities = false, reactions = false;  ///< arrows
  bool names = false;                          ///< of points, and the sizes of the arrows
};

/// The scene as JSON: "schema" 1. A number stays; a text "3" is column 3.
std::string scene_json(const MovingScene& scene);
/// One file that works without a net: the picture, its controls and its script. It opens with this view.
std::string scene_page(const MovingScene& scene, const SceneView& view = {});
/// What stands in another page: a block, and what its head and its end need. In that page the document gets
/// events "liaison:time" with detail.t while the scene plays, and "liaison:pointer" with detail.t moves the
/// scene.
struct SceneBlock {
  std::string style, body, script;
};
SceneBlock scene_block(const MovingScene& scene, const SceneView& view = {});
/// A page of this program with the scene above what it shows.
std::string with_scene(std::string page, const MovingScene& scene);

/// One instant.
std::string scene_svg(const MovingScene& scene, double t, const SceneView& view = {});
std::string scene_png(const MovingScene& scene, double t, const SceneView& view = {}, double scale = 2);
/// Red, green and blue of each point, row by row from the top.
struct ScenePixels {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};
/// Pictures of a run at these times, one after the other, until `receive` wants no more.
void scene_frames(const MovingScene& scene, const std::vector<double>& times, double scale,
                  const SceneView& view, const std::function<bool(const ScenePixels&)>& receive);
/// A film of a run: its pictures at these times, so many in a second.
std::string scene_gif(const MovingScene& scene, const std::vector<double>& times, double rate,
                      const SceneView& view = {});

}  // namespace liaison

#endif  // LIAISON_REPORT_SCENE_HPP
