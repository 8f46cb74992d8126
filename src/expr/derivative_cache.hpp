#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "flat_map.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

/// Which symbols may stand in an expression: one bit a symbol, shared between symbols only when a pool has
/// more than `width` of them.
struct SymbolSet {
  static constexpr std::size_t width = 256;
  std::array<std::uint64_t, width / 64> words{};

  bool meets(const SymbolSet& other) const {
    std::uint64_t common = 0;
    for (std::size_t i = 0; i < words.size(); ++i) common |= words[i] & other.words[i];
    return common != 0;
  }
  void join(const SymbolSet& other) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
  }
  std::size_t common(const SymbolSet& other) const;
};

/// The symbol set of each node of a pool, filled in by index: every node is looked at once in its life.
class SymbolSets {
 public:
  /// Covers all nodes of the pool up to that of `e`.
  void cover(Expr e) {
    if (e.index() >= sets_.size()) extend(e.pool(), e.index());
  }
  const SymbolSet& of(Expr e) const { return sets_[e.index()]; }
  /// No two symbols share a bit.
  bool exact() const { return n_symbols_ <= SymbolSet::width; }

 private:
  void extend(const Pool& pool, std::uint32_t last);

  std::vector<SymbolSet> sets_;
  std::size_t n_symbols_ = 0;
};

/// What the pool remembers for differentiation: derivatives by (node, symbol) and the symbols of each node.
struct DerivativeCache {
  FlatMap<std::uint64_t, Expr> values;
  SymbolSets symbols;

  static std::uint64_t key(Expr e, Expr symbol) {
    return static_cast<std::uint64_t>(e.index()) << 32 | symbol.index();
  }
};

}  // namespace liaison
