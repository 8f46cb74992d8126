#include "latency_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

namespace liaison {
namespace {

/// Steps that may stand before an older one. A processor itself looks ahead over some hundred instructions
/// that wait (the scheduler of Skylake holds 97). Measured on the eliminations of chains and on a Taylor
/// program, rounded once: 128 takes 5 to 35 % off the time, 32 half as much, 1024 no more.
constexpr std::uint32_t window = 128;
/// Additions, products and both fused begin twice a cycle.
constexpr unsigned begun_at_once = 2;
constexpr std::uint32_t longest = 32;

/// Cycles until a result can be used (A. Fog, Instruction tables: 4 since Skylake).
std::uint32_t latency(const FlowStep& step) {
  switch (step.operation) {
    case Operation::neg:
    case Operation::abs:
    case Operation::store: return 1;
    case Operation::div: return 14;
    case Operation::sqrt: return 18;
    case Operation::min:
    case Operation::max: return 10;
    case Operation::sign: return 9;
    default: return 4;
  }
}

/// The steps of the window by their numbers: a circle of bits.
class Ready {
 public:
  void insert(std::uint32_t step) { word(step) |= bit(step); }
  void erase(std::uint32_t step) { word(step) &= ~bit(step); }
  bool empty() const { return (bits_[0] | bits_[1]) == 0; }
  /// The first one from `oldest` on, which is in the window; not of an empty set.
  std::uint32_t first(std::uint32_t oldest) const {
    for (std::uint32_t from = oldest;;) {
      const std::uint64_t rest = bits_[from % window / 64] >> (from % 64);
      if (rest != 0) return from + static_cast<std::uint32_t>(std::countr_zero(rest));
      from += 64 - from % 64;
    }
  }

 private:
  static_assert(window == 128);
  static std::uint64_t bit(std::uint32_t step) { return std::uint64_t{1} << (step % 64); }
  std::uint64_t& word(std::uint32_t step) { return bits_[step % window / 64]; }
  std::array<std::uint64_t, 2> bits_{};
};

/// Of each step in a run without calls who reads its result, one after another.
class Readers {
 public:
  Readers(std::span<const FlowStep> steps, std::vector<std::uint32_t>& maker)
      : open_operands(steps.size(), 0), begin_(steps.size() + 1, 0) {
    std::uint32_t total = 0;
    const auto for_each_read = [&](auto f) {
      for (std::uint32_t i = 0; i < steps.size(); ++i) {
        for (unsigned k = 0; k < steps[i].operand_count; ++k)
          if (const std::uint32_t from = maker[steps[i].operands[k]]; from != nobody) f(i, from);
        if (steps[i].operation != Operation::store) maker[steps[i].result] = i;
      }
      for (const FlowStep& step : steps)
        if (step.operation != Operation::store) maker[step.result] = nobody;
    };
    for_each_read([&](std::uint32_t i, std::uint32_t from) {
      ++open_operands[i];
      ++begin_[from + 1];
      ++total;
    });
    for (std::size_t i = 0; i < steps.size(); ++i) begin_[i + 1] += begin_[i];
    readers_.resize(total);
    std::vector<std::uint32_t> place(begin_.begin(), begin_.end() - 1);
    for_each_read([&](std::uint32_t i, std::uint32_t from) { readers_[place[from]++] = i; });
  }
  static constexpr std::uint32_t nobody = 0xFFFFFFFF;

  std::span<const std::uint32_t> of(std::uint32_t step) const {
    return std::span(readers_).subspan(begin_[step], begin_[step + 1] - begin_[step]);
  }
  std::vector<std::uint32_t> open_operands;  ///< of each step, that are not begun yet

 private:
  std::vector<std::uint32_t> begin_, readers_;
};

/// A run of steps without calls, cycle by cycle.
class Run {
 public:
  Run(std::span<const FlowStep> steps, std::vector<std::uint32_t>& maker)
      : steps_(steps), readers_(steps, maker), can_begin_(steps.size(), 0), is_begun_(steps.size(), false) {}

  void order(std::vector<FlowStep>& result) {
    const std::size_t end = result.size() + steps_.size();
    admit();
    while (result.size() < end) {
      for (std::uint32_t i : waiting_[now_ % longest]) ready_.insert(i);
      waiting_[now_ % longest].clear();
      for (unsigned k = 0; k < begun_at_once && !ready_.empty(); ++k) {
        const std::uint32_t step = ready_.first(oldest_);
        result.push_back(steps_[step]);
        begin(step);
      }
      ++now_;
    }
  }

 private:
  void wait_or_begin(std::uint32_t step) {
    if (can_begin_[step] <= now_)
      ready_.insert(step);
    else
      waiting_[can_begin_[step] % longest].push_back(step);
  }
  /// Steps that come into the window.
  void admit() {
    for (; admitted_ < steps_.size() && admitted_ < oldest_ + window; ++admitted_)
      if (readers_.open_operands[admitted_] == 0) wait_or_begin(admitted_);
  }
  void begin(std::uint32_t step) {
    ready_.erase(step);
    is_begun_[step] = true;
    const std::uint32_t done = now_ + latency(steps_[step]);
    for (std::uint32_t reader : readers_.of(step)) {
      can_begin_[reader] = std::max(can_begin_[reader], done);
      if (--readers_.open_operands[reader] == 0 && reader < admitted_) wait_or_begin(reader);
    }
    while (oldest_ < steps_.size() && is_begun_[oldest_]) ++oldest_;
    admit();
  }

  std::span<const FlowStep> steps_;
  Readers readers_;
  std::vector<std::uint32_t> can_begin_;
  std::vector<bool> is_begun_;
  Ready ready_;
  std::array<std::vector<std::uint32_t>, longest> waiting_;  ///< by the cycle when they can begin
  std::uint32_t now_ = 0, oldest_ = 0, admitted_ = 0;
};

}  // namespace

void hide_latencies(ValueFlow& flow) {
  std::vector<std::uint32_t> maker(flow.value_count, Readers::nobody);
  std::vector<FlowStep> result;
  result.reserve(flow.steps.size());
  const std::span<const FlowStep> steps = flow.steps;
  for (std::size_t begin = 0; begin < steps.size();) {
    std::size_t end = begin;
    while (end < steps.size() && !is_call(steps[end].operation)) ++end;
    Run(steps.subspan(begin, end - begin), maker).order(result);
    if (end < steps.size()) result.push_back(steps[end++]);
    begin = end;
  }
  flow.steps = std::move(result);
}

}  // namespace liaison
