#pragma once

#include <string>
#include <vector>

#include "laws/algebra_laws.hpp"

namespace liaison::test {

/// The operations with one of them broken, and a law that must notice.
struct AlgebraMutant {
  std::string law;
  std::string defect;
  AlgebraOperations operations;
};
std::vector<AlgebraMutant> algebra_mutants();

}  // namespace liaison::test
