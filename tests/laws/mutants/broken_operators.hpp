#pragma once

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

}  // namespace liaison::test
