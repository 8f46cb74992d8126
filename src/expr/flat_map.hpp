#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace liaison {

/// A hash map from unsigned integers for the inner loops of traversals: open addressing, no removal.
/// The largest key is reserved.
template <class Key, class Value>
class FlatMap {
 public:
  std::size_t size() const { return size_; }

  const Value* find(Key key) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(key)];
    return slot.key == key ? &slot.value : nullptr;
  }
  Value* find(Key key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

  /// Keeps the old value if there is one; the flag tells whether the key is new.
  std::pair<Value*, bool> insert(Key key, Value value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(key)];
    if (slot.key == key) return {&slot.value, false};
    slot.key = key;
    slot.value = std::move(value);
    ++size_;
    return {&slot.value, true};
  }

 private:
  static constexpr Key empty = std::numeric_limits<Key>::max();
  struct Slot {
    Key key = empty;
    Value value{};
  };

  /// The slot of the key, or the free slot where it belongs.
  std::size_t place(Key key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> shift_);
    while (slots_[i].key != key && slots_[i].key != empty) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 32 : 2 * slots_.size());
    old.swap(slots_);
    shift_ = 64 - std::countr_zero(slots_.size());
    for (Slot& slot : old)
      if (slot.key != empty) slots_[place(slot.key)] = std::move(slot);
  }

  std::vector<Slot> slots_;  ///< a power of two long
  std::size_t size_ = 0;
  int shift_ = 64;
};

/// A side table over nodes, by `Expr::index()`.
template <class Value>
using NodeMap = FlatMap<std::uint32_t, Value>;

}  // namespace liaison
