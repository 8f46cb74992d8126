#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "liaison/compile/program.hpp"
#include "machine_kernel.hpp"

/// Scalar kernels written by ourselves: a straight line with a known order needs no compiler.
namespace liaison {

/// Pages that are written first and executed then, never both.
class ExecutableMemory {
 public:
  /// Nothing where the system refuses it.
  static std::unique_ptr<ExecutableMemory> holding(std::span<const std::uint8_t> bytes);
  ~ExecutableMemory();
  ExecutableMemory(const ExecutableMemory&) = delete;
  ExecutableMemory& operator=(const ExecutableMemory&) = delete;

  const std::uint8_t* begin() const { return begin_; }

 private:
  ExecutableMemory(std::uint8_t* begin, std::size_t size) : begin_(begin), size_(size) {}
  std::uint8_t* begin_;
  std::size_t size_;
};

struct NativeKernel {
  std::unique_ptr<ExecutableMemory> memory;  ///< none: it could not be made
  Kernel kernel = nullptr;
  std::size_t scratch = 0;  ///< numbers
};

/// With `contract` products and sums are rounded once if the processor has FMA3. The caller asks
/// has_native_code first.
NativeKernel make_native_kernel(const Program& program, bool contract);

/// For tests: from now on as if this machine could not.
void refuse_native_code(bool refused);

}  // namespace liaison
