#include "vector_math.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "kernels.hpp"

namespace liaison {

unsigned host_vector_lanes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return 8;
  if (__builtin_cpu_supports("avx2")) return 4;
#endif
  return 2;
}

VectorMath::VectorMath(unsigned lanes) {
  const unsigned most = std::min(lanes, host_vector_lanes());
#if defined(__x86_64__)
  isa_ = most == 8 ? 'e' : most == 4 ? 'd' : most == 2 ? 'b' : 0;
#elif defined(__aarch64__)
  isa_ = most == 2 ? 'n' : 0;
#endif
  if (isa_ == 0) return;
  library_ = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);  // stays: compiled code points into it
  if (library_ != nullptr) lanes_ = most;
}

const void* VectorMath::find(Operation operation) const {
  if (library_ == nullptr) return nullptr;
  const bool one = kernels::unary_function(operation) != nullptr;
  if (!one && kernels::binary_function(operation) == nullptr) return nullptr;
  const std::string name =
      fmt::format("_ZGV{}N{}{}_{}", isa_, lanes_, one ? "v" : "vv", operation_name(operation));
  return dlsym(library_, name.c_str());
}

}  // namespace liaison
