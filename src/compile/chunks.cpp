#include "chunks.hpp"

#include <algorithm>

#include "schedule.hpp"

namespace liaison {
namespace {

/// Which slots hold a value that is read later, followed from the last instruction to the first.
class LiveSlots {
 public:
  explicit LiveSlots(const Program& program) : live_(program.slot_count, false) {}

  void step_back(const Instruction& instruction) {
    for_each_slot_written(instruction, [this](std::uint32_t slot) {
      count_ -= live_[slot];
      live_[slot] = false;
    });
    for_each_slot_read(instruction, [this](std::uint32_t slot) {
      count_ += !live_[slot];
      live_[slot] = true;
    });
  }
  bool is_live(std::uint32_t slot) const { return live_[slot]; }
  std::size_t count() const { return count_; }

 private:
  std::vector<bool> live_;
  std::size_t count_ = 0;
};

/// The number of values alive before each instruction.
std::vector<std::size_t> live_before(const Program& program) {
  std::vector<std::size_t> counts(program.instructions.size() + 1, 0);
  LiveSlots live(program);
  for (std::size_t i = program.instructions.size(); i-- > 0;) {
    live.step_back(program.instructions[i]);
    counts[i] = live.count();
  }
  return counts;
}

}  // namespace

std::vector<Chunk> plan_chunks(const Program& program, std::size_t size) {
  const std::vector<Instruction>& instructions = program.instructions;
  const std::vector<std::size_t> live = live_before(program);
  size = std::max<std::size_t>(size, 1);
  std::vector<Chunk> chunks;
  for (std::size_t begin = 0; begin < instructions.size();) {
    std::size_t end = instructions.size();
    if (end - begin > size) {
      const auto first = live.begin() + static_cast<std::ptrdiff_t>(begin + size - size / 4);
      const auto last = live.begin() + static_cast<std::ptrdiff_t>(begin + size + 1);
      end = static_cast<std::size_t>(std::min_element(first, last) - live.begin());
    }
    chunks.push_back({.begin = begin, .end = end, .stores = {}});
    begin = end;
  }
  LiveSlots after(program);
  for (std::size_t k = chunks.size(); k-- > 0;) {
    Chunk& chunk = chunks[k];
    for (std::size_t i = chunk.begin; i < chunk.end; ++i)
      for_each_slot_written(instructions[i], [&](std::uint32_t slot) {
        if (after.is_live(slot)) chunk.stores.push_back(slot);
      });
    std::sort(chunk.stores.begin(), chunk.stores.end());
    chunk.stores.erase(std::unique(chunk.stores.begin(), chunk.stores.end()), chunk.stores.end());
    for (std::size_t i = chunk.end; i-- > chunk.begin;) after.step_back(instructions[i]);
  }
  return chunks;
}

}  // namespace liaison
