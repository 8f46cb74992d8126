#pragma once

#include "liaison/compile/program.hpp"

namespace liaison {

/// Vector functions of glibc's libmvec, found at run time by their names in the vector function ABI.
class VectorMath {
 public:
  /// For the widest registers that hold `lanes` doubles or fewer on this machine.
  explicit VectorMath(unsigned lanes);

  /// Lanes of the functions below; 1 if there are none.
  unsigned lanes() const { return lanes_; }
  /// The address of a function from vectors to a vector; nullptr: none.
  const void* find(Operation operation) const;

 private:
  unsigned lanes_ = 1;
  char isa_ = 0;  ///< the letter of the instruction set in the names
  void* library_ = nullptr;
};

/// Doubles in the widest vector register of this machine.
unsigned host_vector_lanes();

}  // namespace liaison
