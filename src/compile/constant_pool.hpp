#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "value_flow.hpp"
#include "x86_assembler.hpp"

namespace liaison {

/// What machine code reads beside itself: masks, constants and the addresses of functions, before its first
/// byte.
class ConstantPool {
 public:
  ConstantPool(const Program& program, const ValueFlow& flow);

  /// Masks are 16 bytes long and lie at multiples of 16 if the bytes do.
  x86::Place sign_bit() const { return at(0); }
  x86::Place all_but_sign() const { return at(2); }
  x86::Place zero() const { return at(4); }
  x86::Place one() const { return at(6); }
  x86::Place constant(std::uint32_t index) const { return at(first_constant + index); }
  x86::Place function(Operation operation) const {
    return at(functions_[static_cast<std::size_t>(operation)]);
  }
  std::vector<std::uint8_t> bytes() const;

 private:
  static constexpr std::uint32_t first_constant = 8;
  static constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::store) + 1;

  x86::Place at(std::uint32_t word) const;

  std::vector<std::uint64_t> words_;
  std::array<std::uint32_t, operation_count> functions_{};
};

}  // namespace liaison
