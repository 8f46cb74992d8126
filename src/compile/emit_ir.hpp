#pragma once

#include <map>
#include <string>
#include <vector>

#include "code_maker.hpp"

namespace llvm {
class Module;
}

namespace liaison {

/// Functions of the library that code calls, by the names it calls them by.
using CalledFunctions = std::map<std::string, const void*>;

/// Adds the program as a function of that name, a Kernel. Functions that it calls stand in it by their names
/// alone, so that the same program is the same text in every process.
CalledFunctions emit_program(llvm::Module& module, const std::string& name, const Program& program,
                             const std::vector<Chunk>& chunks, const EmitOptions& options);

}  // namespace liaison
