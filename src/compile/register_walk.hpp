#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "value_flow.hpp"

/// From values to registers: the machine code of one scalar kernel.
namespace liaison {

/// Bytes that are laid at a place divisible by 16, and where in them the kernel begins.
struct KernelBytes {
  std::vector<std::uint8_t> bytes;  ///< constants, then code
  std::size_t entry = 0;
  std::size_t scratch = 0;  ///< numbers of scratch memory that it writes and reads
};

/// Code for AVX, of fused steps for FMA3, with the calling convention of the System V ABI (AMD64 supplement,
/// section 3.2): a Kernel. In time linear in the number of steps.
KernelBytes write_kernel(const Program& program, const ValueFlow& flow);

}  // namespace liaison
