#ifndef LIAISON_COMPILE_TAYLOR_HPP
#define LIAISON_COMPILE_TAYLOR_HPP

#include <cstddef>

#include "liaison/compile/program.hpp"

namespace liaison {

/// The Taylor coefficients of the solution of y' = f(t, y) as a straight-line program, by the recurrences of
/// automatic differentiation. Its outputs are y^(k)/k! for k = 1 .. order, each of all components.
///
/// `rates` has the inputs t, y (`size` of them), then constants of the motion; its first `size` outputs are
/// f. Throws limit_reached where the program would have more than `max_instructions`, or holds atan2.
Program make_taylor_program(const Program& rates, std::size_t size, std::size_t order,
                            std::size_t max_instructions = 60000);

}  // namespace liaison

#endif  // LIAISON_COMPILE_TAYLOR_HPP
