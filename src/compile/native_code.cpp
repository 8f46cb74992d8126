#include "native_code.hpp"

#include <array>
#include <atomic>
#include <cstring>

#include "latency_order.hpp"
#include "liaison/compile/jit.hpp"
#include "register_walk.hpp"

#if defined(__x86_64__) && defined(__unix__) && defined(__GNUC__)
#define LIAISON_NATIVE_CODE 1
#include <sys/mman.h>
#endif

namespace liaison {
namespace {

std::atomic<bool> is_refused = false;

#ifdef LIAISON_NATIVE_CODE
/// Code that returns at once is made and run.
bool can_execute() {
  constexpr std::array<std::uint8_t, 1> ret{0xC3};
  const std::unique_ptr<ExecutableMemory> memory = ExecutableMemory::holding(ret);
  if (!memory) return false;
  reinterpret_cast<void (*)()>(reinterpret_cast<std::uintptr_t>(memory->begin()))();
  return true;
}
#endif

}  // namespace

#ifdef LIAISON_NATIVE_CODE

std::unique_ptr<ExecutableMemory> ExecutableMemory::holding(std::span<const std::uint8_t> bytes) {
  void* const memory =
      ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::unique_ptr<ExecutableMemory> result(
      new ExecutableMemory(static_cast<std::uint8_t*>(memory), bytes.size()));
  std::memcpy(memory, bytes.data(), bytes.size());
  if (::mprotect(memory, bytes.size(), PROT_READ | PROT_EXEC) != 0) return nullptr;
  return result;
}
ExecutableMemory::~ExecutableMemory() {
  ::munmap(begin_, size_);
}

bool has_native_code() {
  static const bool can = __builtin_cpu_supports("avx") && can_execute();
  return can && !is_refused.load(std::memory_order_relaxed);
}

NativeKernel make_native_kernel(const Program& program, bool contract) {
  ValueFlow flow = make_value_flow(program, contract && __builtin_cpu_supports("fma"));
  put_calls_first(flow);
  hide_latencies(flow);
  const KernelBytes code = write_kernel(program, flow);
  NativeKernel result;
  result.memory = ExecutableMemory::holding(code.bytes);
  if (!result.memory) return result;
  result.kernel =
      reinterpret_cast<Kernel>(reinterpret_cast<std::uintptr_t>(result.memory->begin()) + code.entry);
  result.scratch = code.scratch;
  return result;
}

#else

std::unique_ptr<ExecutableMemory> ExecutableMemory::holding(std::span<const std::uint8_t>) {
  return nullptr;
}
ExecutableMemory::~ExecutableMemory() = default;
bool has_native_code() {
  return false;
}
NativeKernel make_native_kernel(const Program&, bool) {
  return {};
}

#endif

void refuse_native_code(bool refused) {
  is_refused.store(refused, std::memory_order_relaxed);
}

}  // namespace liaison
