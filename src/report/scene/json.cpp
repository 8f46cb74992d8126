#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "liaison/report/scene.hpp"

namespace liaison {

namespace {

using Json = nlohmann::ordered_json;

/// Seven digits are finer than a picture. JSON has no infinity.
Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr);
}

Json value_json(const SceneValue& value) {
  if (value.column) return std::to_string(*value.column);
  return number(value.constant);
}

template <class Values>
Json list(const Values& values) {
  Json out = Json::array();
  for (const SceneValue& value : values) out.push_back(value_json(value));
  return out;
}

Json numbers(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(number(value));
  return out;
}

Json mesh_json(const SceneMesh& mesh) {
  Json out;
  for (const Vector3& v : mesh.vertices)
    for (const double x : v) out["v"].push_back(number(x));
  out["f"] = Json::array();
  out["tone"] = Json::array();
  for (const SceneMesh::Face& face : mesh.faces) {
    out["f"].push_back(face.corners);
    out["tone"].push_back(face.tone);
  }
  out["l"] = mesh.lines;
  return out;
}

Json solid_json(const SceneSolid& solid) {
  Json out{{"name", solid.name}, {"kind", solid.kind}, {"paint", solid.paint}};
  if (solid.between) {
    out["from"] = list((*solid.between)[0]);
    out["to"] = list((*solid.between)[1]);
  } else {
    out["at"] = list(solid.pose.at);
    out["turns"] = Json::array();
    for (const SceneTurn& turn : solid.pose.turns) {
      if (turn.quaternion) {
        out["turns"].push_back({{"q", list(*turn.quaternion)}});
      } else {
        out["turns"].push_back({{"axis", turn.axis}, {"angle", value_json(turn.angle)}});
      }
    }
  }
  out["mesh"] = mesh_json(solid.mesh);
  return out;
}

}  // namespace

std::string scene_json(const MovingScene& scene) {
  Json out{{"schema", 1},
           {"title", scene.title},
           {"subtitle", scene.subtitle},
           {"notes", scene.notes},
           {"dimension", scene.in_space ? 3 : 2},
           {"unit", scene.time_unit},
           {"size", number(scene.size)},
           {"t", numbers(scene.t)}};
  out["columns"] = Json::array();
  for (const std::vector<double>& column : scene.columns) out["columns"].push_back(numbers(column));
  for (const char* key : {"solids", "arrows", "tracks", "contacts", "grounds", "events"})
    out[key] = Json::array();
  for (const SceneSolid& solid : scene.solids) out["solids"].push_back(solid_json(solid));
  for (const SceneArrow& arrow : scene.arrows)
    out["arrows"].push_back({{"name", arrow.name},
                             {"kind", arrow.reaction ? "reaction" : "velocity"},
                             {"at", list(arrow.at)},
                             {"vector", list(arrow.vector)}});
  for (const SceneTrack& track : scene.tracks)
    out["tracks"].push_back(
        {{"name", track.name}, {"paint", track.paint}, {"traced", track.traced}, {"at", list(track.at)}});
  for (const SceneContact& contact : scene.contacts) {
    Json modes = Json::array();
    for (const SceneContact::Span& span : contact.modes)
      modes.push_back({number(span.begin), number(span.end), span.mode});
    out["contacts"].push_back({{"name", contact.name},
                               {"at", list(contact.at)},
                               {"normal", list(contact.normal)},
                               {"modes", modes},
                               {"impacts", numbers(contact.impacts)}});
  }
  for (const SceneGround& ground : scene.grounds)
    out["grounds"].push_back({{"normal", ground.normal}, {"height", number(ground.height)}});
  for (const SceneEvent& event : scene.events)
    out["events"].push_back({{"t", number(event.t)}, {"name", event.name}});
  // a name may not end the script in which this stands
  std::string text = out.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace liaison
