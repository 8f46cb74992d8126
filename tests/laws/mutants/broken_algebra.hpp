#pragma once

#include <ostream>
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
inline void PrintTo(const AlgebraMutant& shown, std::ostream* out) {
  *out << shown.defect;
}
std::vector<AlgebraMutant> algebra_mutants();

}  // namespace liaison::test
