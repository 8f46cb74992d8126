#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "liaison/forms/coframe.hpp"

/// Word by word work on index sets: order, members, and the sign of a product of basis forms.
namespace liaison {

using IndexWords = std::array<std::uint64_t, max_dimension / 64>;

static_assert(sizeof(IndexSet) == sizeof(IndexWords));
static_assert(std::bit_cast<IndexWords>(IndexSet(5)) == IndexWords{5});

inline IndexWords words_of(const IndexSet& set) {
  return std::bit_cast<IndexWords>(set);
}

inline bool are_disjoint(const IndexWords& a, const IndexWords& b) {
  std::uint64_t common = 0;
  for (std::size_t w = 0; w < a.size(); ++w) common |= a[w] & b[w];
  return common == 0;
}

/// Lexicographic order of two sets of the same size: the set that has the first index in which they differ.
inline bool precedes(const IndexWords& a, const IndexWords& b) {
  for (std::size_t w = 0; w < a.size(); ++w) {
    const std::uint64_t differ = a[w] ^ b[w];
    if (differ != 0) return (a[w] & (differ & (~differ + 1))) != 0;
  }
  return false;
}

/// Bit j: whether the number of members of `a` above j is odd.
inline IndexWords odd_above(const IndexWords& a) {
  IndexWords result{};
  bool carry = false;
  for (std::size_t w = a.size(); w-- > 0;) {
    std::uint64_t x = a[w];
    for (unsigned shift = 1; shift < 64; shift *= 2) x ^= x >> shift;
    result[w] = (x >> 1) ^ (carry ? ~std::uint64_t{0} : 0);
    carry = carry != ((x & 1) != 0);
  }
  return result;
}

/// Whether theta^A ^ theta^B = -theta^(A u B), from odd_above(A) and B, disjoint.
inline bool is_odd_product(const IndexWords& above_a, const IndexWords& b) {
  int count = 0;
  for (std::size_t w = 0; w < b.size(); ++w) count += std::popcount(above_a[w] & b[w]);
  return (count & 1) != 0;
}

/// Calls visit(index) for each member, in increasing order.
template <typename Visit>
void for_each_index(const IndexSet& set, Visit visit) {
  const IndexWords words = words_of(set);
  for (std::size_t w = 0; w < words.size(); ++w)
    for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
      visit(64 * w + static_cast<std::size_t>(std::countr_zero(rest)));
}

inline IndexSet single(std::size_t index) {
  return IndexSet().set(index);
}

}  // namespace liaison
