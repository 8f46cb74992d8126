#ifndef LIAISON_MODEL_SLIP_AXES_HPP
#define LIAISON_MODEL_SLIP_AXES_HPP

#include <vector>

#include "liaison/model/contact.hpp"

namespace liaison {

/// Along the surface of a contact with this normal of length one, of two or three components: in the plane
/// one axis, the normal turned by -90 degrees, in space two. The slip has a component along each.
std::vector<Triple> slip_axes(const std::vector<Expr>& normal, Pool& pool);

}  // namespace liaison

#endif  // LIAISON_MODEL_SLIP_AXES_HPP
