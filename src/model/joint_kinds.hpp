#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace liaison {

/// What a joint lets move: slides along its axis, turns about its axes, in this order.
struct JointKind {
  std::string_view name;
  std::size_t slides, turns;  ///< counts of its values
  std::size_t axes;           ///< in space
  std::string_view form;
};
inline constexpr std::array joint_kinds{
    JointKind{"hinge", 0, 1, 1, "by hinge phi axis [0, 0, 1]"},
    JointKind{"slider", 1, 0, 1, "by slider s axis [1, 0, 0]"},
    JointKind{"cylindrical", 1, 1, 1, "by cylindrical (phi, s) axis [0, 0, 1]"},
    JointKind{"screw", 0, 1, 1, "by screw phi axis [0, 0, 1] pitch h"},
    JointKind{"universal", 0, 2, 2, "by universal (a, b) axis [1, 0, 0] axis [0, 1, 0]"},
    JointKind{"planar", 2, 1, 0, "by planar (x, y, phi)"},
    JointKind{"ball", 0, 0, 0, "by ball R"},
    JointKind{"weld", 0, 0, 0, "by weld"},
};

/// Nothing: there is none of this name.
inline const JointKind* find_joint_kind(std::string_view name) {
  const auto kind = std::find_if(joint_kinds.begin(), joint_kinds.end(),
                                 [&](const JointKind& known) { return known.name == name; });
  return kind == joint_kinds.end() ? nullptr : &*kind;
}

inline bool is_joint_of_the_plane(const JointKind& kind) {
  return kind.name == "hinge" || kind.name == "slider" || kind.name == "weld";
}

inline std::string list_of_joint_kinds() {
  std::string list;
  for (const JointKind& kind : joint_kinds)
    list += fmt::format("{}`{}`", list.empty() ? "" : ", ", kind.name);
  return list;
}

}  // namespace liaison
