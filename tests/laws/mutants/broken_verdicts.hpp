#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "laws/verdict_laws.hpp"

namespace liaison::test {

/// The operations with one of them broken, and a law that must notice.
struct VerdictMutant {
  std::string law;
  std::string defect;
  VerdictOperations operations;
};
inline void PrintTo(const VerdictMutant& shown, std::ostream* out) {
  *out << shown.defect;
}
std::vector<VerdictMutant> verdict_mutants();

}  // namespace liaison::test
