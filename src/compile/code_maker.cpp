#include "code_maker.hpp"

#include <fmt/format.h>

#include <mutex>

#include "expr/late_library.hpp"
#include "liaison/compile/code_cache.hpp"
#include "liaison/expr/missing_library.hpp"

#ifdef LIAISON_LLVM_INSIDE
extern "C" LiaisonCodeMaker liaison_code_maker;
#endif

namespace liaison {
namespace {

constexpr late::Module module{"liaison_llvm.so", "makes machine code",
                              "`simulate --engine interpreted` runs without it"};

LiaisonCodeMaker* open_module() {
#ifdef LIAISON_LLVM_INSIDE
  return &liaison_code_maker;
#endif
  return reinterpret_cast<LiaisonCodeMaker*>(late::find_function(module, liaison_code_maker_name));
}

struct CacheFolder {
  std::mutex mutex;
  std::filesystem::path path;
};
CacheFolder& cache_folder() {
  static CacheFolder folder;
  return folder;
}

}  // namespace

void set_code_cache(std::filesystem::path folder) {
  const std::lock_guard lock(cache_folder().mutex);
  cache_folder().path = std::move(folder);
}

std::filesystem::path code_cache() {
  const std::lock_guard lock(cache_folder().mutex);
  return cache_folder().path;
}

std::unique_ptr<CodeMaker> open_code_maker(bool thorough) {
  static LiaisonCodeMaker* const make = open_module();  // tried again at the next call where it throws
  std::unique_ptr<CodeMaker> maker(make(code_maker_version().c_str(), thorough, code_cache().c_str()));
  if (!maker)
    throw MissingLibrary(
        fmt::format("{} is not of version {}, as the program is", module.file, code_maker_version()),
        module.without);
  return maker;
}

}  // namespace liaison
