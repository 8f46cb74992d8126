#include "schedule.hpp"

#include <algorithm>
#include <array>

namespace liaison {
namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFF;

/// Who makes and who reads each value.
struct Uses {
  Uses(const std::vector<Instruction>& instructions, std::size_t slot_count)
      : maker(slot_count, nobody), readers(slot_count) {
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      for_each_slot_written(instructions[i], [&](std::uint32_t slot) { maker[slot] = i; });
      for_each_slot_read(instructions[i], [&](std::uint32_t slot) { readers[slot].push_back(i); });
    }
  }
  std::vector<std::uint32_t> maker;
  std::vector<std::vector<std::uint32_t>> readers;
};

/// Registers that the tree below an instruction needs if nothing is shared (Sethi and Ullman's number).
std::vector<std::uint32_t> register_needs(const std::vector<Instruction>& instructions, const Uses& uses) {
  std::vector<std::uint32_t> need(instructions.size(), 0);
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    std::array<std::uint32_t, 2> below{0, 0};
    std::size_t n = 0;
    for_each_slot_read(instructions[i], [&](std::uint32_t slot) { below[n++] = need[uses.maker[slot]]; });
    const std::uint32_t most = std::max(below[0], below[1]);
    need[i] = std::max<std::uint32_t>(1, n == 2 && below[0] == below[1] ? most + 1 : most);
  }
  return need;
}

/// From the first store on; at each instruction the operand that needs more registers first.
std::vector<std::uint32_t> depth_first(const std::vector<Instruction>& instructions, const Uses& uses) {
  const std::vector<std::uint32_t> need = register_needs(instructions, uses);
  std::vector<bool> placed(instructions.size(), false);
  std::vector<std::uint32_t> order, stack;
  order.reserve(instructions.size());
  for (std::uint32_t root = 0; root < instructions.size(); ++root) {
    if (instructions[root].operation != Operation::store) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const std::uint32_t top = stack.back();
      if (placed[top]) {
        stack.pop_back();
        continue;
      }
      std::array<std::uint32_t, 2> open{};
      std::size_t n = 0;
      for_each_slot_read(instructions[top], [&](std::uint32_t slot) {
        if (!placed[uses.maker[slot]]) open[n++] = uses.maker[slot];
      });
      if (n == 0) {
        placed[top] = true;
        order.push_back(top);
        stack.pop_back();
        continue;
      }
      if (n == 2 && need[open[0]] > need[open[1]]) std::swap(open[0], open[1]);
      for (std::size_t k = 0; k < n; ++k) stack.push_back(open[k]);  // the last one is looked at first
    }
  }
  return order;
}

/// Instructions that may be placed, by how many live values they add. One is offered again when its growth
/// changes: what is stale is passed over when it is met. Among equals the one that was offered last.
class GrowthQueue {
 public:
  void offer(std::uint32_t i, int growth) { buckets_[static_cast<std::size_t>(growth - least)].push_back(i); }

  /// `is_current(i, growth)`: i is not placed yet and still has this growth. `nobody` if none is left.
  template <class IsCurrent>
  std::uint32_t take(const IsCurrent& is_current) {
    for (std::size_t k = 0; k < buckets_.size(); ++k) {
      std::vector<std::uint32_t>& bucket = buckets_[k];
      while (!bucket.empty()) {
        const std::uint32_t i = bucket.back();
        bucket.pop_back();
        if (is_current(i, static_cast<int>(k) + least)) return i;
      }
    }
    return nobody;
  }

 private:
  static constexpr int least = -2;  ///< sincos of an input
  std::array<std::vector<std::uint32_t>, 5> buckets_;
};

/// From the last instruction to the first: of those whose readers are all placed, the one that adds the
/// fewest live values (operands that begin to live minus results that are made here); among equals the one
/// that became free last, which keeps to one subtree.
class BackwardOrder {
 public:
  BackwardOrder(const std::vector<Instruction>& instructions, const Uses& uses)
      : instructions_(instructions),
        uses_(uses),
        open_readers_(instructions.size(), 0),
        live_(uses.maker.size(), false),
        placed_(instructions.size(), false) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t i = 0; i < instructions_.size(); ++i)
      for_each_slot_written(instructions_[i], [&](std::uint32_t slot) {
        open_readers_[i] += static_cast<std::uint32_t>(uses_.readers[slot].size());
      });
    for (std::uint32_t i = 0; i < instructions_.size(); ++i)
      if (open_readers_[i] == 0) offer(i);
    std::vector<std::uint32_t> order;
    order.reserve(instructions_.size());
    for (std::uint32_t next = take(); next != nobody; next = take()) {
      order.push_back(next);
      place(next);
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

 private:
  int growth(std::uint32_t i) const {
    int result = 0;
    for_each_slot_read(instructions_[i], [&](std::uint32_t slot) { result += !live_[slot]; });
    for_each_slot_written(instructions_[i], [&](std::uint32_t slot) { result -= live_[slot]; });
    return result;
  }
  void offer(std::uint32_t i) { queue_.offer(i, growth(i)); }
  std::uint32_t take() {
    return queue_.take([this](std::uint32_t i, int at) { return !placed_[i] && growth(i) == at; });
  }

  void place(std::uint32_t i) {
    placed_[i] = true;
    for_each_slot_written(instructions_[i], [&](std::uint32_t slot) { live_[slot] = false; });
    for_each_slot_read(instructions_[i], [&](std::uint32_t slot) {
      const bool starts = !live_[slot];
      live_[slot] = true;
      if (--open_readers_[uses_.maker[slot]] == 0) offer(uses_.maker[slot]);
      if (!starts) return;
      for (std::uint32_t reader : uses_.readers[slot])  // they have become cheaper
        if (!placed_[reader] && open_readers_[reader] == 0) offer(reader);
    });
  }

  const std::vector<Instruction>& instructions_;
  const Uses& uses_;
  std::vector<std::uint32_t> open_readers_;
  std::vector<bool> live_;
  std::vector<bool> placed_;
  GrowthQueue queue_;
};

/// From the first instruction to the last: of those whose operands are there, the one that leaves the fewest
/// live values (results made here minus operands read for the last time); among equals the one that became
/// possible last, and at the beginning the one that stands first depth first. It follows sums that grow
/// together term by term, where the other orders finish one before they begin the next.
class ForwardOrder {
 public:
  ForwardOrder(const std::vector<Instruction>& instructions, const Uses& uses)
      : instructions_(instructions),
        uses_(uses),
        open_operands_(instructions.size(), 0),
        open_readers_(uses.maker.size(), 0),
        placed_(instructions.size(), false) {}

  std::vector<std::uint32_t> run(const std::vector<std::uint32_t>& start) {
    for (std::size_t slot = 0; slot < open_readers_.size(); ++slot)
      open_readers_[slot] = static_cast<std::uint32_t>(uses_.readers[slot].size());
    for (std::uint32_t i = 0; i < instructions_.size(); ++i)
      for_each_slot_read(instructions_[i], [&](std::uint32_t) { ++open_operands_[i]; });
    for (std::size_t k = start.size(); k-- > 0;)
      if (open_operands_[start[k]] == 0) offer(start[k]);
    std::vector<std::uint32_t> order;
    order.reserve(instructions_.size());
    for (std::uint32_t next = take(); next != nobody; next = take()) {
      order.push_back(next);
      place(next);
    }
    return order;
  }

 private:
  int growth(std::uint32_t i) const {
    int result = 0;
    for_each_slot_written(instructions_[i], [&](std::uint32_t) { ++result; });
    for_each_slot_read(instructions_[i], [&](std::uint32_t slot) { result -= open_readers_[slot] == 1; });
    return result;
  }
  void offer(std::uint32_t i) { queue_.offer(i, growth(i)); }
  std::uint32_t take() {
    return queue_.take([this](std::uint32_t i, int at) { return !placed_[i] && growth(i) == at; });
  }

  void place(std::uint32_t i) {
    placed_[i] = true;
    for_each_slot_read(instructions_[i], [&](std::uint32_t slot) {
      if (--open_readers_[slot] != 1) return;
      for (std::uint32_t reader : uses_.readers[slot])  // the last reader frees the value now
        if (!placed_[reader] && open_operands_[reader] == 0) offer(reader);
    });
    for_each_slot_written(instructions_[i], [&](std::uint32_t slot) {
      for (std::size_t k = uses_.readers[slot].size(); k-- > 0;) {
        const std::uint32_t reader = uses_.readers[slot][k];
        if (--open_operands_[reader] == 0) offer(reader);
      }
    });
  }

  const std::vector<Instruction>& instructions_;
  const Uses& uses_;
  std::vector<std::uint32_t> open_operands_;
  std::vector<std::uint32_t> open_readers_;
  std::vector<bool> placed_;
  GrowthQueue queue_;
};

std::vector<Instruction> in_order(const std::vector<Instruction>& instructions,
                                  const std::vector<std::uint32_t>& order) {
  std::vector<Instruction> result;
  result.reserve(order.size());
  for (std::uint32_t i : order) result.push_back(instructions[i]);
  return result;
}

}  // namespace

LiveCount count_live(const std::vector<Instruction>& instructions, std::size_t slot_count) {
  std::vector<bool> live(slot_count, false);
  LiveCount count;
  std::size_t now = 0;
  for (std::size_t i = instructions.size(); i-- > 0;) {
    for_each_slot_written(instructions[i], [&](std::uint32_t slot) {
      now += !live[slot];  // a result that nobody reads lives here all the same
      live[slot] = true;
    });
    count.most = std::max(count.most, now);
    count.total += now;
    for_each_slot_written(instructions[i], [&](std::uint32_t slot) {
      now -= live[slot];
      live[slot] = false;
    });
    for_each_slot_read(instructions[i], [&](std::uint32_t slot) {
      now += !live[slot];
      live[slot] = true;
    });
  }
  return count;
}

std::vector<Instruction> schedule(const std::vector<Instruction>& instructions, std::size_t slot_count) {
  const Uses uses(instructions, slot_count);
  std::vector<Instruction> best = instructions;
  LiveCount least = count_live(best, slot_count);
  const std::vector<std::uint32_t> by_depth = depth_first(instructions, uses);
  for (const std::vector<std::uint32_t>& order :
       {by_depth, BackwardOrder(instructions, uses).run(), ForwardOrder(instructions, uses).run(by_depth)}) {
    std::vector<Instruction> candidate = in_order(instructions, order);
    const LiveCount count = count_live(candidate, slot_count);
    if (count >= least) continue;
    least = count;
    best = std::move(candidate);
  }
  return best;
}

std::uint32_t assign_slots(std::vector<Instruction>& instructions, std::size_t slot_count) {
  std::vector<std::uint32_t> last_read(slot_count, nobody);
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    for_each_slot_read(instructions[i], [&](std::uint32_t slot) { last_read[slot] = i; });
  std::vector<std::uint32_t> place(slot_count, nobody), free;
  std::uint32_t used = 0;
  const auto take = [&](std::uint32_t value) {
    if (free.empty()) free.push_back(used++);
    place[value] = free.back();
    free.pop_back();
    return place[value];
  };
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    Instruction& instruction = instructions[i];
    const Instruction before = instruction;
    if (before.a.kind == Operand::Kind::slot) instruction.a.index = place[before.a.index];
    if (operand_count(before.operation) == 2 && before.b.kind == Operand::Kind::slot)
      instruction.b.index = place[before.b.index];
    for_each_slot_read(before, [&](std::uint32_t value) {
      if (last_read[value] == i) free.push_back(place[value]);
    });
    if (before.operation == Operation::store) continue;
    instruction.destination = take(before.destination);
    if (before.second != Instruction::no_slot) instruction.second = take(before.second);
    for_each_slot_written(before, [&](std::uint32_t value) {
      if (last_read[value] == nobody) free.push_back(place[value]);
    });
  }
  return used;
}

}  // namespace liaison
