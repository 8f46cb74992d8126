#include "value_flow.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace liaison {
namespace {

constexpr std::uint32_t no_value = FlowStep::no_value;

std::span<const std::uint32_t> operands(const FlowStep& step) {
  return {step.operands.data(), step.operand_count};
}
/// Calls `f` for each value that the step makes.
template <class F>
void for_each_result(const FlowStep& step, F&& f) {
  if (step.operation == Operation::store) return;
  f(step.result);
  if (step.second != no_value) f(step.second);
}

/// Slots become values.
std::vector<FlowStep> name_values(const Program& program, ValueFlow& flow) {
  std::vector<std::uint32_t> in_slot(program.slot_count, no_value);
  const auto value_of = [&](Operand operand) {
    switch (operand.kind) {
      case Operand::Kind::input: return operand.index;
      case Operand::Kind::constant: return flow.input_count + operand.index;
      case Operand::Kind::slot: break;
    }
    return in_slot[operand.index];
  };
  std::vector<FlowStep> steps;
  steps.reserve(program.instructions.size());
  for (const Instruction& instruction : program.instructions) {
    FlowStep step{.operation = instruction.operation};
    step.operand_count = static_cast<std::uint8_t>(operand_count(instruction.operation));
    step.operands[0] = value_of(instruction.a);
    if (step.operand_count == 2) step.operands[1] = value_of(instruction.b);
    if (step.operation == Operation::store) {
      step.result = instruction.destination;
    } else {
      step.result = in_slot[instruction.destination] = flow.value_count++;
      if (instruction.second != Instruction::no_slot)
        step.second = in_slot[instruction.second] = flow.value_count++;
    }
    steps.push_back(step);
  }
  return steps;
}

/// How often each value is read by steps that the outputs need; steps that they do not need go.
std::vector<std::uint32_t> drop_unread(std::vector<FlowStep>& steps, std::uint32_t value_count) {
  std::vector<std::uint32_t> reads(value_count, 0);
  std::vector<bool> kept(steps.size(), false);
  for (std::size_t i = steps.size(); i-- > 0;) {
    bool is_needed = steps[i].operation == Operation::store;
    for_each_result(steps[i], [&](std::uint32_t value) { is_needed = is_needed || reads[value] > 0; });
    if (!is_needed) continue;
    kept[i] = true;
    for (std::uint32_t value : operands(steps[i])) ++reads[value];
  }
  std::size_t n = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (kept[i]) steps[n++] = steps[i];
  steps.resize(n);
  return reads;
}

/// Products that are read once, by a sum.
class Fusion {
 public:
  Fusion(std::vector<FlowStep>& steps, const std::vector<std::uint32_t>& reads)
      : steps_(steps), reads_(reads), maker_(reads.size(), nobody), taken_(steps.size(), false) {}

  void run() {
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].operation == Operation::add || steps_[i].operation == Operation::sub) fuse(steps_[i]);
      for_each_result(steps_[i], [&](std::uint32_t value) { maker_[value] = i; });
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (!taken_[i]) steps_[n++] = steps_[i];
    steps_.resize(n);
  }

 private:
  static constexpr std::uint32_t nobody = 0xFFFFFFFF;
  struct Product {
    std::uint32_t maker = nobody;  ///< the step that multiplies
    std::uint32_t negation = nobody;
  };

  /// The step that makes the value for this one reader.
  std::uint32_t only_for_one(std::uint32_t value) const {
    return reads_[value] == 1 ? maker_[value] : nobody;
  }
  Product product(std::uint32_t value) const {
    Product found{.maker = only_for_one(value), .negation = nobody};
    if (found.maker != nobody && steps_[found.maker].operation == Operation::neg) {
      found.negation = found.maker;
      found.maker = only_for_one(steps_[found.negation].operands[0]);
    }
    if (found.maker != nobody && steps_[found.maker].operation != Operation::mul) found.maker = nobody;
    return found;
  }

  void fuse(FlowStep& sum) {
    const Product first = product(sum.operands[0]), second = product(sum.operands[1]);
    if (first.maker == nobody && second.maker == nobody) return;
    // of two products the one that is made later: the other is there already
    const bool is_second = first.maker == nobody || (second.maker != nobody && second.maker > first.maker);
    const Product& fused = is_second ? second : first;
    const bool is_difference = sum.operation == Operation::sub, is_negated = fused.negation != nobody;
    sum.is_fused = true;
    sum.negates_product = is_second ? is_difference != is_negated : is_negated;
    sum.negates_summand = is_difference && !is_second;
    sum.operands[2] = sum.operands[is_second ? 0 : 1];
    sum.operands[0] = steps_[fused.maker].operands[0];
    sum.operands[1] = steps_[fused.maker].operands[1];
    sum.operand_count = 3;
    taken_[fused.maker] = true;
    if (is_negated) taken_[fused.negation] = true;
  }

  std::vector<FlowStep>& steps_;
  const std::vector<std::uint32_t>& reads_;
  std::vector<std::uint32_t> maker_;
  std::vector<bool> taken_;
};

/// Calls that lie on each other: those that need none have depth 1.
std::vector<std::uint32_t> call_depths(const ValueFlow& flow) {
  std::vector<std::uint32_t> depth(flow.value_count, 0);
  for (const FlowStep& step : flow.steps) {
    std::uint32_t most = 0;
    for (std::uint32_t value : operands(step)) most = std::max(most, depth[value]);
    most += is_call(step.operation);
    for_each_result(step, [&](std::uint32_t value) { depth[value] = most; });
  }
  return depth;
}

/// Of each step: the least depth of a call that it is needed for or that it is.
std::vector<std::uint32_t> call_phases(const ValueFlow& flow) {
  const std::vector<std::uint32_t> depth = call_depths(flow);
  const std::uint32_t last = depth.empty() ? 0 : *std::max_element(depth.begin(), depth.end()) + 1;
  std::vector<std::uint32_t> of_value(flow.value_count, last), of_step(flow.steps.size(), last);
  for (std::size_t i = flow.steps.size(); i-- > 0;) {
    const FlowStep& step = flow.steps[i];
    for_each_result(step, [&](std::uint32_t value) { of_step[i] = std::min(of_step[i], of_value[value]); });
    if (is_call(step.operation)) of_step[i] = depth[step.result];
    for (std::uint32_t value : operands(step)) of_value[value] = std::min(of_value[value], of_step[i]);
  }
  return of_step;
}

std::vector<FlowStep> in_phases(const std::vector<FlowStep>& steps,
                                const std::vector<std::uint32_t>& phases) {
  const std::uint32_t last = *std::max_element(phases.begin(), phases.end());
  std::vector<std::size_t> place(last + 2, 0);
  for (std::uint32_t phase : phases) ++place[phase + 1];
  for (std::size_t k = 1; k < place.size(); ++k) place[k] += place[k - 1];
  std::vector<FlowStep> sorted(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) sorted[place[phases[i]]++] = steps[i];
  return sorted;
}

/// Values that must go to memory because a call comes between their making and a reading. Those that sincos
/// makes lie there anyway.
std::size_t count_across_calls(const std::vector<FlowStep>& steps, std::size_t value_count) {
  std::vector<std::uint32_t> made_after(value_count, 0);  // so many calls
  std::vector<bool> in_memory(value_count, true);         // also all inputs and constants
  std::uint32_t calls = 0;
  std::size_t count = 0;
  for (const FlowStep& step : steps) {
    for (std::uint32_t value : operands(step)) {
      if (in_memory[value] || made_after[value] == calls) continue;
      in_memory[value] = true;
      ++count;
    }
    calls += is_call(step.operation);
    for_each_result(step, [&](std::uint32_t value) {
      made_after[value] = calls;
      in_memory[value] = step.operation == Operation::sincos;
    });
  }
  return count;
}

}  // namespace

bool is_call(Operation operation) {
  switch (operation) {
    case Operation::add:
    case Operation::sub:
    case Operation::mul:
    case Operation::div:
    case Operation::neg:
    case Operation::sqrt:
    case Operation::abs:
    case Operation::sign:
    case Operation::min:
    case Operation::max:
    case Operation::store: return false;
    default: return true;
  }
}

ValueFlow make_value_flow(const Program& program, bool contract) {
  ValueFlow flow{.input_count = static_cast<std::uint32_t>(program.inputs.size()),
                 .constant_count = static_cast<std::uint32_t>(program.constants.size()),
                 .value_count = 0,
                 .steps = {}};
  flow.value_count = flow.first_result();
  flow.steps = name_values(program, flow);
  const std::vector<std::uint32_t> reads = drop_unread(flow.steps, flow.value_count);
  if (contract) Fusion(flow.steps, reads).run();
  return flow;
}

void put_calls_first(ValueFlow& flow) {
  const auto is_call_step = [](const FlowStep& step) { return is_call(step.operation); };
  if (std::none_of(flow.steps.begin(), flow.steps.end(), is_call_step)) return;
  std::vector<FlowStep> steps = in_phases(flow.steps, call_phases(flow));
  if (count_across_calls(steps, flow.value_count) < count_across_calls(flow.steps, flow.value_count))
    flow.steps = std::move(steps);
}

}  // namespace liaison
