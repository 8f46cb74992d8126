#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// What a file of triangles weighs.
namespace liaison::robot {

using Corner = std::array<double, 3>;
using Triangle = std::array<Corner, 3>;

/// The faces of a file .stl or .obj; none where it is not one, and `problem` says why. Corners are rounded to
/// floats, as MuJoCo has them; faces with more corners are cut into triangles about their first.
std::vector<Triangle> triangles_of(const std::string& bytes, std::string_view name, std::string& problem);

/// Of density one, about its centre.
struct MeshSolid {
  double volume = 0;
  Corner centre{};
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
};

/// `exact`: by the signed volume under each face (Gauss), which asks for a closed surface whose faces go
/// round to the left seen from outside. Else as MuJoCo does it unless told otherwise: all volumes between the
/// faces and the middle of the surface count as positive, which is the same for what is convex.
MeshSolid solid_of(const std::vector<Triangle>& faces, bool exact);

}  // namespace liaison::robot
