#include "code_maker.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "liaison/compile/jit.hpp"

#ifdef LIAISON_LLVM_INSIDE
extern "C" LiaisonCodeMaker liaison_code_maker;
#endif

namespace liaison {
namespace {

/// Found on the run path of the program: the build and the package link it with that of the module.
constexpr const char* module_name = "liaison_llvm.so";

LiaisonCodeMaker* open_module() {
#ifdef LIAISON_LLVM_INSIDE
  return &liaison_code_maker;
#endif
  void* module = dlopen(module_name, RTLD_NOW | RTLD_LOCAL);
  void* function = module == nullptr ? nullptr : dlsym(module, liaison_code_maker_name);
  if (function == nullptr)
    throw MissingModule(
        fmt::format("{}, the part that makes machine code, cannot be opened: {}", module_name, dlerror()));
  return reinterpret_cast<LiaisonCodeMaker*>(function);
}

}  // namespace

std::unique_ptr<CodeMaker> open_code_maker(bool thorough) {
  static LiaisonCodeMaker* const make = open_module();  // tried again at the next call where it throws
  std::unique_ptr<CodeMaker> maker(make(code_maker_version().c_str(), thorough));
  if (!maker)
    throw MissingModule(
        fmt::format("{} is not of version {}, as the program is", module_name, code_maker_version()));
  return maker;
}

}  // namespace liaison
