#ifndef LIAISON_SIMULATE_RELATION_SIZE_HPP
#define LIAISON_SIMULATE_RELATION_SIZE_HPP

#include "liaison/expr/evaluate.hpp"
#include "liaison/mechanics/assembled_equations.hpp"

namespace liaison {

/// What the terms of the relations are beside their gradients, the largest of all: the lengths and speeds
/// whose rounding a state on the relations has, also next to the origin. Infinite where that has no value, 0
/// without relations.
double size_of_relations(const AssembledEquations& equations, const DoublePoint& state);

}  // namespace liaison

#endif  // LIAISON_SIMULATE_RELATION_SIZE_HPP
