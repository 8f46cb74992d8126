#pragma once

#include <cstddef>

namespace liaison {

/// A program as a function, where lane k of variable i is in[i*in_step + k] (scalar: in[i]), and likewise
/// out. Scratch holds what its maker says.
using Kernel = void (*)(const double* in, std::size_t in_step, double* out, std::size_t out_step,
                        double* scratch);

}  // namespace liaison
