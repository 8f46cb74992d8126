#include "constant_pool.hpp"

#include <bit>
#include <cstring>

#include "kernels.hpp"

namespace liaison {
namespace {

template <class F>
std::uint64_t address(F* function) {
  return std::bit_cast<std::uint64_t>(function);
}

std::uint64_t address_of(Operation operation) {
#ifdef __GLIBC__
  if (operation == Operation::sincos) return address(&::sincos);
#else
  if (operation == Operation::sincos) return address(&kernels::sincos);
#endif
  if (const kernels::Unary f = kernels::unary_function(operation)) return address(f);
  return address(kernels::binary_function(operation));
}

}  // namespace

ConstantPool::ConstantPool(const Program& program, const ValueFlow& flow) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  words_ = {sign, 0, ~sign, 0, 0, 0, std::bit_cast<std::uint64_t>(1.0), 0};
  for (double constant : program.constants) words_.push_back(std::bit_cast<std::uint64_t>(constant));
  for (const FlowStep& step : flow.steps) {
    if (!is_call(step.operation)) continue;
    std::uint32_t& place = functions_[static_cast<std::size_t>(step.operation)];
    if (place != 0) continue;
    place = static_cast<std::uint32_t>(words_.size());
    words_.push_back(address_of(step.operation));
  }
  if (words_.size() % 2 != 0) words_.push_back(0);
}

x86::Place ConstantPool::at(std::uint32_t word) const {
  return x86::Place::beside_code(
      8 * (static_cast<std::int32_t>(word) - static_cast<std::int32_t>(words_.size())));
}

std::vector<std::uint8_t> ConstantPool::bytes() const {
  std::vector<std::uint8_t> result(8 * words_.size());
  std::memcpy(result.data(), words_.data(), result.size());
  return result;
}

}  // namespace liaison
