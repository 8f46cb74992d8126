#pragma once

#include <memory>
#include <string>
#include <vector>

#include "chunks.hpp"
#include "machine_kernel.hpp"
#include "vector_math.hpp"

namespace liaison {

struct EmitOptions {
  unsigned lanes = 1;                       ///< states at once
  bool contract = false;                    ///< a*b + c may be rounded once
  const VectorMath* vector_math = nullptr;  ///< nullptr: library functions lane by lane
};

/// Machine code of this host, in memory that lives as long as its maker. Scratch memory of a kernel holds
/// `lanes` numbers a slot if there is more than one chunk.
class CodeMaker {
 public:
  virtual ~CodeMaker() = default;
  /// Throws std::runtime_error where no code can be made.
  virtual Kernel make(const std::string& name, const Program& program, const std::vector<Chunk>& chunks,
                      const EmitOptions& options) = 0;
};

/// The maker of the module liaison_llvm, which is opened at the first call and stays: LLVM takes longer to
/// load than a small model to check. It keeps what it makes in code_cache(). Throws MissingLibrary.
std::unique_ptr<CodeMaker> open_code_maker(bool thorough);

/// Programs cross to the module as they lie in memory: the version and the sizes of what crosses.
inline std::string code_maker_version() {
  std::string version = LIAISON_VERSION;
  for (std::size_t size : {sizeof(Program), sizeof(Chunk), sizeof(EmitOptions)})
    version += "." + std::to_string(size);
  return version;
}

}  // namespace liaison

/// What the module exports; nothing where it is of another version than asks. Unoptimised code unless
/// `thorough`; code is kept in the folder `cache` unless that is empty.
extern "C" {
using LiaisonCodeMaker = liaison::CodeMaker*(const char* version, bool thorough, const char* cache);
constexpr const char* liaison_code_maker_name = "liaison_code_maker";
}
