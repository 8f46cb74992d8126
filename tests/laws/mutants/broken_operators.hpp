#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "laws/cartan_laws.hpp"

namespace liaison::test {

/// The operators with one of them broken, and a law that must notice.
struct Mutant {
  std::string law;
  std::string defect;
  Operators operators;
};
std::vector<Mutant> cartan_mutants();
/// What the test runner shows of a mutant.
inline void PrintTo(const Mutant& mutant, std::ostream* out) {
  *out << mutant.defect;
}

}  // namespace liaison::test
