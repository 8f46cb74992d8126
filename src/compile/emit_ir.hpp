#pragma once

#include <string>
#include <vector>

#include "code_maker.hpp"

namespace llvm {
class Module;
}

namespace liaison {

/// Adds the program as a function of that name, a Kernel.
void emit_program(llvm::Module& module, const std::string& name, const Program& program,
                  const std::vector<Chunk>& chunks, const EmitOptions& options);

}  // namespace liaison
