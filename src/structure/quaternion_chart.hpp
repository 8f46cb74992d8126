#pragma once

#include "liaison/algebra/matrix.hpp"
#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// e = (1, s)/sqrt(1 + s^2) of each unit quaternion, its last three symbols standing for s: what vanishes on
/// unit quaternions alone is zero there.
struct QuaternionChart {
  Substitution chart, back;
};
QuaternionChart chart_of_quaternions(const StateFlow& flow);

/// Places of the quaternions, with rational numbers: terms that cancel on unit quaternions do so here. One
/// without symbols where the system has no rotation.
std::vector<Substitution> rational_quaternions(const StateFlow& flow);

/// The canonical entries in the chart; the matrix itself where the system has no rotation.
Matrix in_quaternion_chart(Algebra& algebra, const StateFlow& flow, Matrix matrix);

}  // namespace liaison
