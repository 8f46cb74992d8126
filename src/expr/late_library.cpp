#include "late_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "liaison/expr/missing_library.hpp"

namespace liaison::late {

void* find_function(const Module& module, const char* function) {
  void* opened = dlopen(module.file, RTLD_NOW | RTLD_LOCAL);  // the same one each time
  void* address = opened == nullptr ? nullptr : dlsym(opened, function);
  if (address == nullptr) {
    const char* why = dlerror();  // none where the function stands at no place
    throw MissingLibrary(fmt::format("{}, the part that {}, cannot be opened: {}", module.file,
                                     module.purpose, why == nullptr ? function : why),
                         module.without);
  }
  return address;
}

}  // namespace liaison::late
