#ifndef LIAISON_MECHANISM_CONTRADICTION_HPP
#define LIAISON_MECHANISM_CONTRADICTION_HPP

#include <string>
#include <vector>

#include "liaison/mechanics/motion.hpp"
#include "liaison/mechanics/state.hpp"

namespace liaison {

/// A combination of relations that no factors keep: sum_k c_k r^{hk} = 0 for each force h, while the rate
/// sum_k c_k i(E)da^k is not 0.
struct Contradiction {
  std::vector<double> weights;  ///< c_k, the largest 1
  double rate = 0;
};
/// The one whose rate is largest against its weights; all weights 0 if there is none.
Contradiction find_contradiction(const StateValues& values);

/// "a(d) - 2*a(c)": the terms of a combination by the names of the constraints.
std::string combination(const Motion& motion, const std::vector<double>& weights, const std::string& letter);
/// What is wrong, by name: "the relations of `c` and `d` contradict each other: ...".
std::string describe(const Motion& motion, const Contradiction& contradiction);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_CONTRADICTION_HPP
