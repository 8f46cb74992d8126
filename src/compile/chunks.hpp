#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "liaison/compile/program.hpp"

namespace liaison {

/// A run of instructions that becomes one machine function. Values cross over to later ones in scratch
/// memory.
struct Chunk {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::uint32_t> stores;  ///< slots written here and read later
};

/// Cuts near every `size` instructions, where few values are alive.
std::vector<Chunk> plan_chunks(const Program& program, std::size_t size);

}  // namespace liaison
