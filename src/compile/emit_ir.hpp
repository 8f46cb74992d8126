#pragma once

#include <string>
#include <vector>

#include "chunks.hpp"
#include "vector_math.hpp"

namespace llvm {
class Module;
}

namespace liaison {

struct EmitOptions {
  unsigned lanes = 1;                       ///< states at once
  bool contract = false;                    ///< a*b + c may be rounded once
  const VectorMath* vector_math = nullptr;  ///< nullptr: library functions lane by lane
};

/// Adds the function
///   void NAME(const double* in, size_t in_step, double* out, size_t out_step, double* scratch)
/// where lane k of variable i is in[i*in_step + k] (scalar: in[i]), and likewise out. Scratch holds `lanes`
/// numbers a slot if there is more than one chunk.
void emit_program(llvm::Module& module, const std::string& name, const Program& program,
                  const std::vector<Chunk>& chunks, const EmitOptions& options);

}  // namespace liaison
