#pragma once

#include <cstdint>
#include <string>

#include "liaison/unilateral/lemke.hpp"

namespace bench {

liaison::DoubleComplementarity rounded(const liaison::Complementarity& problem);

/// Enumeration against brute force and Siconos' enumeration, Lemke's path against Siconos', P-matrices and
/// others with their drives, on `count` random problems; prints one JSON line. The number of problems on
/// which they differ.
std::size_t compare_random(std::uint64_t seed, std::size_t count);

/// The same with Siconos on its own test problems, the *.dat files of a folder.
std::size_t compare_files(const std::string& folder);

}  // namespace bench
