#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "liaison/unilateral/lemke.hpp"

namespace bench {

liaison::DoubleComplementarity rounded(const liaison::Complementarity& problem);

/// A point in doubles solves the problem to 1e-7 of the drives. The sums are exact: beside factors of 1e16
/// doubles would call anything zero.
bool nearly_solves(const liaison::Complementarity& problem, const std::vector<double>& factors);

/// Enumeration against brute force and Siconos' enumeration, Lemke's path against Siconos', P-matrices and
/// others with their drives, on `count` random problems; prints one JSON line. The number of problems on
/// which they differ.
std::size_t compare_random(std::uint64_t seed, std::size_t count);

/// The same with Siconos on its own test problems, the *.dat files of a folder.
std::size_t compare_files(const std::string& folder);

}  // namespace bench
