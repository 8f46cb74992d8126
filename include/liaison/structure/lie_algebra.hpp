#ifndef LIAISON_STRUCTURE_LIE_ALGEBRA_HPP
#define LIAISON_STRUCTURE_LIE_ALGEBRA_HPP

#include <string>

#include "liaison/structure/symmetries.hpp"

namespace liaison {

/// The name of the algebra that fields span, "so(3) + R", by exact linear algebra on its structure constants
/// (row G6.II-thmV): what commutes with all and is no bracket is split off as R^k, a perfect ideal from what
/// commutes with it, and the rest is known by its dimension, its derived series, its centre and Killing's
/// form. Empty: it is not closed, has constants that are no numbers, or is none of those known.
std::string name_of_algebra(const Symmetries& symmetries);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_LIE_ALGEBRA_HPP
