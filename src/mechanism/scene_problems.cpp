#include "scene_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "diagnostics.hpp"

namespace liaison {

namespace {

class ScenePlaces {
 public:
  ScenePlaces(MovingScene& scene, const SceneValues& values, const MechanismParts& parts,
              const Scenery& scenery)
      : scene_(scene), values_(values), parts_(parts), scenery_(scenery) {}

  void require() {
    for (const SceneSolid& solid : scene_.solids) {
      const std::string what = solid.name.empty() ? "a " + solid.kind : "`" + solid.name + "`";
      if (solid.between)
        for (const ScenePoint& end : *solid.between) require(end, solid.name, "the place of " + what);
      require(solid.pose.at, solid.name, "the place of " + what);
      for (const SceneTurn& turn : solid.pose.turns) {
        require({&turn.angle, 1}, solid.name, "the angle of " + what);
        if (turn.quaternion) require(*turn.quaternion, solid.name, "the orientation of " + what);
      }
    }
    for (const SceneTrack& track : scene_.tracks)
      require(track.at, track.name,
              "the place of " + (track.name.empty() ? std::string("a point") : "`" + track.name + "`"));
    for (const SceneContact& contact : scene_.contacts)
      require(contact.at, contact.name, "the place of `" + contact.name + "`");
  }

  void take_out_arrows() {
    std::erase_if(scene_.arrows, [&](const SceneArrow& arrow) {
      if (has_values(arrow.at) && has_values(arrow.vector)) return false;
      scene_.notes.push_back(fmt::format("the {} of `{}` has no value and is not drawn",
                                         arrow.reaction ? "force" : "velocity", arrow.name));
      return true;
    });
  }

 private:
  void require(std::span<const SceneValue> values, const std::string& name, const std::string& what) {
    for (const SceneValue& value : values) {
      const std::size_t row = first_without(value);
      if (row == none) continue;
      if (row == 0) {
        const std::string why = value.column ? values_.why_no_value(values_.expression(value)) : "";
        refuse(Status::numerical_failure, place_of(name), Problem::no_value,
               fmt::format("{} has no value at this state{}", what, why.empty() ? "" : ": " + why),
               "choose another state with --at, or other parameters with --set");
      }
      if (noted_.insert(what).second)
        scene_.notes.push_back(
            fmt::format("{} has no value at t = {:.6g}: it is not drawn there", what, scene_.t[row]));
    }
  }

  static constexpr auto none = static_cast<std::size_t>(-1);

  std::size_t first_without(const SceneValue& value) const {
    if (!value.column) return std::isfinite(value.constant) ? none : 0;
    const std::vector<double>& column = scene_.columns[*value.column];
    const auto found = std::find_if(column.begin(), column.end(), [](double x) { return !std::isfinite(x); });
    return found == column.end() ? none : static_cast<std::size_t>(found - column.begin());
  }

  bool has_values(const ScenePoint& point) const {
    return std::all_of(point.begin(), point.end(), [&](const SceneValue& value) {
      if (!value.column) return std::isfinite(value.constant);
      const std::vector<double>& column = scene_.columns[*value.column];
      return std::any_of(column.begin(), column.end(), [](double x) { return std::isfinite(x); });
    });
  }

  /// Of the statement that an object stands in; the file where no statement has the name.
  std::string place_of(const std::string& name) const {
    const auto in = [&](const auto& objects) -> std::string {
      for (const auto& object : objects) {
        if (name.empty() || object.name != name || object.span.end == object.span.begin) continue;
        const auto [line, column] = parts_.source().place(object.span.begin);
        return fmt::format("{}:{}:{}", parts_.name(), line, column);
      }
      return "";
    };
    std::string found = in(parts_.system().particles);
    if (found.empty()) found = in(parts_.system().bodies);
    if (found.empty()) found = in(scenery_.shapes);
    return found.empty() ? parts_.name() : found;
  }

  MovingScene& scene_;
  const SceneValues& values_;
  const MechanismParts& parts_;
  const Scenery& scenery_;
  std::set<std::string> noted_;
};

}  // namespace

void require_scene_values(MovingScene& scene, const SceneValues& values, const MechanismParts& parts,
                          const Scenery& scenery) {
  ScenePlaces places(scene, values, parts, scenery);
  places.require();
  places.take_out_arrows();
}

}  // namespace liaison
