#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

/// What is done with the values of a program at each of its calls: without a branch or a call for each of
/// them, beside which a small program of rates is short.
namespace liaison {

/// No NaN and no infinity: times zero these are no zero.
inline bool are_finite(const double* values, std::size_t count) {
  double even = 0, odd = 0;
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2) {
    even += values[i] * 0;
    odd += values[i + 1] * 0;
  }
  if (i < count) even += values[i] * 0;
  return even + odd == 0;
}

/// To the last bit: a zero has a sign.
inline bool are_same_bits(const double* one, const double* other, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (std::bit_cast<std::uint64_t>(one[i]) != std::bit_cast<std::uint64_t>(other[i])) return false;
  return true;
}

/// Of pairs of a number and a size: no number is as small as that part of its size, nor is one a NaN.
inline bool are_above(const double* pairs, std::size_t count, double part) {
  bool below = false;
  for (std::size_t i = 0; i < count; i += 2) below |= !(std::abs(pairs[i]) > part * pairs[i + 1]);
  return !below;
}

/// Of a few numbers a call costs more than the copy.
inline void copy_values(const double* from, std::size_t count, double* to) {
  constexpr std::size_t few = 24;
  if (count > few) {
    std::copy_n(from, count, to);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

}  // namespace liaison
