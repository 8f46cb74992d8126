#include "register_walk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "constant_pool.hpp"
#include "kernels.hpp"
#include "x86_assembler.hpp"

namespace liaison {
namespace {

using x86::Assembler;
using x86::Gpr;
using x86::Place;
using x86::Xmm;

constexpr std::uint32_t no_value = FlowStep::no_value;
constexpr std::uint32_t never = 0xFFFFFFFF;
constexpr unsigned register_count = 16;
/// A base points this far into its array where that is long: displacements of one byte reach 32 numbers.
constexpr std::int32_t bias = 128;
/// Longer than any beginning of a kernel; what is not needed stays unused before it.
constexpr std::size_t prologue_room = 48;

std::uint32_t bit(Xmm xmm) {
  return 1u << xmm;
}

/// Where the step after this one reads each operand again, and where each value is read first.
struct NextReads {
  explicit NextReads(const ValueFlow& flow) : first(flow.value_count, never), after(flow.steps.size()) {
    for (std::size_t i = flow.steps.size(); i-- > 0;) {
      const FlowStep& step = flow.steps[i];
      for (unsigned k = 0; k < step.operand_count; ++k) after[i][k] = first[step.operands[k]];
      for (unsigned k = 0; k < step.operand_count; ++k)
        first[step.operands[k]] = static_cast<std::uint32_t>(i);
    }
  }
  std::vector<std::uint32_t> first;
  std::vector<std::array<std::uint32_t, 3>> after;
};

/// An array in memory by the register that holds its base.
struct Array {
  Gpr base = Gpr::rax;
  bool is_biased = false;
  Place at(std::uint32_t index) const {
    return Place::based(base, static_cast<std::int32_t>(index) * 8 - (is_biased ? bias : 0));
  }
};

/// Goes through the steps once. A value lies in a register, in its home in memory, or in both. When a
/// register is wanted and none is free, that one is given up whose value is read again last (L. A. Belady,
/// IBM Systems Journal 5, 1966), of those that have a home if there are any: they cost nothing. Everything is
/// in memory once at most, and it is read from there by the instruction that needs it where that can.
class RegisterWalk {
 public:
  RegisterWalk(const Program& program, const ValueFlow& flow)
      : flow_(flow),
        pool_(program, flow),
        reads_(flow),
        next_(reads_.first),
        register_(flow.value_count, no_register),
        home_(flow.value_count - flow.first_result(), none),
        output_(home_.size(), none) {
    has_calls_ = std::any_of(flow.steps.begin(), flow.steps.end(),
                             [](const FlowStep& step) { return is_call(step.operation); });
    in_ = {has_calls_ ? Gpr::rbx : Gpr::rdi, program.inputs.size() > bias / 8};
    out_ = {has_calls_ ? Gpr::rbp : Gpr::rdx, program.outputs.size() > bias / 8};
    scratch_ = {has_calls_ ? Gpr::r14 : Gpr::rsi, true};
    held_.fill(no_value);
    for (const FlowStep& step : flow.steps)
      if (step.operation == Operation::store && is_result(step.operands[0]))
        output_[index(step.operands[0])] = static_cast<std::int32_t>(step.result);
  }

  KernelBytes write() {
    code_.reserve(prologue_room + 8 * flow_.steps.size() + 64);
    code_.skip(prologue_room);
    for (std::size_t i = 0; i < flow_.steps.size(); ++i) write_step(i);
    leave();
    return together();
  }

 private:
  static constexpr Xmm no_register = 0xFF;
  static constexpr std::int32_t none = -1;
  static constexpr std::uint32_t all_registers = (1u << register_count) - 1;

  bool is_result(std::uint32_t value) const { return value >= flow_.first_result(); }
  std::size_t index(std::uint32_t value) const { return value - flow_.first_result(); }
  bool in_register(std::uint32_t value) const { return register_[value] != no_register; }
  Xmm register_of(std::uint32_t value) const { return register_[value]; }
  bool is_dead(std::uint32_t value) const { return next_[value] == never; }
  bool has_home(std::uint32_t value) const { return !is_result(value) || home_[index(value)] != none; }
  /// Homes of results: outputs 0, 1, ... are numbers -2, -3, ..., the others are places in scratch memory.
  static constexpr std::int32_t output_home(std::int32_t output) { return -2 - output; }

  Place home(std::uint32_t value) const {
    if (flow_.is_input(value)) return in_.at(value);
    if (flow_.is_constant(value)) return pool_.constant(value - flow_.input_count);
    const std::int32_t at = home_[index(value)];
    if (at < 0) return out_.at(static_cast<std::uint32_t>(-2 - at));
    return scratch_.at(static_cast<std::uint32_t>(at));
  }
  Place place(std::uint32_t value) const {
    return in_register(value) ? Place::of(register_of(value)) : home(value);
  }

  /// A home for a result: the output that it becomes anyway, else a place in scratch memory.
  void give_home(std::uint32_t value) {
    std::int32_t& at = home_[index(value)];
    if (output_[index(value)] != none) {
      at = output_home(output_[index(value)]);
    } else if (free_homes_.empty()) {
      at = scratch_count_++;
    } else {
      at = free_homes_.back();
      free_homes_.pop_back();
    }
  }
  void keep_in_memory(std::uint32_t value) {
    if (has_home(value)) return;
    give_home(value);
    code_.store(home(value), register_of(value));
  }
  void drop_register(std::uint32_t value) {
    if (!in_register(value)) return;
    held_[register_of(value)] = no_value;
    free_ |= bit(register_of(value));
    register_[value] = no_register;
  }
  void drop(std::uint32_t value) {
    drop_register(value);
    if (is_result(value) && home_[index(value)] >= 0) left_homes_.push_back(home_[index(value)]);
  }
  void hold(std::uint32_t value, Xmm xmm) {
    held_[xmm] = value;
    register_[value] = xmm;
    free_ &= ~bit(xmm);
  }
  /// Of a result that is made here.
  void hold_result(std::uint32_t value, Xmm xmm) {
    if (!is_dead(value)) hold(value, xmm);
  }

  /// A register that holds nothing that is still needed there, none of those in `excluded`.
  Xmm take(std::uint32_t excluded = 0) {
    const std::uint32_t free = free_ & ~excluded;
    if (free != 0) return static_cast<Xmm>(std::countr_zero(free));
    std::uint32_t cheap = no_value, other = no_value;
    for (Xmm xmm = 0; xmm < register_count; ++xmm) {
      if ((excluded & bit(xmm)) != 0) continue;
      const std::uint32_t value = held_[xmm];
      std::uint32_t& best = has_home(value) ? cheap : other;
      if (best == no_value || next_[value] > next_[best]) best = value;
    }
    const std::uint32_t value = cheap != no_value ? cheap : other;
    keep_in_memory(value);
    const Xmm xmm = register_of(value);
    drop_register(value);
    return xmm;
  }
  std::uint32_t registers_of(std::uint32_t value) const {
    return in_register(value) ? bit(register_of(value)) : 0;
  }

  /// Brings a value from memory. It stays for later readers where a register was free.
  void bring(std::uint32_t value, std::uint32_t excluded = 0) {
    if (in_register(value)) return;
    if ((free_ & ~excluded) == 0) for_now_ = value;
    const Xmm xmm = take(excluded);
    code_.load(xmm, home(value));
    hold(value, xmm);
  }

  /// The operands have been read: those that are not needed again give up their places.
  void pass(const FlowStep& step, std::size_t i) {
    for (unsigned k = 0; k < step.operand_count; ++k) next_[step.operands[k]] = reads_.after[i][k];
    for (unsigned k = 0; k < step.operand_count; ++k) {
      const std::uint32_t value = step.operands[k];
      const bool seen =
          std::find(step.operands.begin(), step.operands.begin() + k, value) != step.operands.begin() + k;
      if (!seen && is_dead(value)) drop(value);
    }
    if (for_now_ != no_value) drop_register(for_now_);
    for_now_ = no_value;
  }

  void write_step(std::size_t i) {
    free_homes_.insert(free_homes_.end(), left_homes_.begin(), left_homes_.end());
    left_homes_.clear();
    const FlowStep& step = flow_.steps[i];
    if (step.is_fused) return fused(step, i);
    switch (step.operation) {
      case Operation::add: return binary(step, i, x86::Arithmetic::add);
      case Operation::sub: return binary(step, i, x86::Arithmetic::sub);
      case Operation::mul: return binary(step, i, x86::Arithmetic::mul);
      case Operation::div: return binary(step, i, x86::Arithmetic::div);
      case Operation::neg: return masked(step, i, x86::Bitwise::bit_xor, pool_.sign_bit());
      case Operation::abs: return masked(step, i, x86::Bitwise::bit_and, pool_.all_but_sign());
      case Operation::sqrt: return square_root(step, i);
      case Operation::sign: return sign(step, i);
      case Operation::min: return smaller_or_nan(step, i, x86::Arithmetic::min);
      case Operation::max: return smaller_or_nan(step, i, x86::Arithmetic::max);
      case Operation::store: return store(step, i);
      default: return call(step, i);
    }
  }

  void binary(const FlowStep& step, std::size_t i, x86::Arithmetic operation) {
    std::uint32_t a = step.operands[0], b = step.operands[1];
    const bool commutes = operation == x86::Arithmetic::add || operation == x86::Arithmetic::mul;
    if (commutes && !in_register(a)) {
      const bool is_nearer = reads_.after[i][1] < reads_.after[i][0];
      if (in_register(b) || is_nearer) std::swap(a, b);
    }
    bring(a, registers_of(b));
    Xmm first = register_of(a);
    Place second = place(b);
    // the prefix is short where the upper registers are not the last operand
    if (commutes && second.is_register() && second.number >= 8 && first < 8) {
      const Xmm swapped = second.number;
      second = Place::of(first);
      first = swapped;
    }
    pass(step, i);
    const Xmm result = take();
    code_.arithmetic(operation, result, first, second);
    hold_result(step.result, result);
  }

  void masked(const FlowStep& step, std::size_t i, x86::Bitwise operation, Place mask) {
    bring(step.operands[0]);
    const Xmm first = register_of(step.operands[0]);
    pass(step, i);
    const Xmm result = take();
    code_.bitwise(operation, result, first, mask);
    hold_result(step.result, result);
  }

  /// Both sources are the same register: nothing older is waited for.
  void square_root(const FlowStep& step, std::size_t i) {
    bring(step.operands[0]);
    const Xmm first = register_of(step.operands[0]);
    pass(step, i);
    const Xmm result = take();
    code_.arithmetic(x86::Arithmetic::sqrt, result, first, Place::of(first));
    hold_result(step.result, result);
  }

  /// (a > 0) - (a < 0): each comparison leaves ones or zeros, of which the bits of 1.0 are kept.
  void sign(const FlowStep& step, std::size_t i) {
    bring(step.operands[0]);
    const Xmm a = register_of(step.operands[0]);
    pass(step, i);
    const Xmm above = take(bit(a)), below = take(bit(a) | bit(above));
    code_.compare(x86::Comparison::greater, above, a, pool_.zero());
    code_.compare(x86::Comparison::less, below, a, pool_.zero());
    code_.bitwise(x86::Bitwise::bit_and, above, above, pool_.one());
    code_.bitwise(x86::Bitwise::bit_and, below, below, pool_.one());
    code_.arithmetic(x86::Arithmetic::sub, above, above, Place::of(below));
    hold_result(step.result, above);
  }

  /// MINSD and MAXSD give b where one of them is NaN or both are zero, as kernels::min and max do but where a
  /// is NaN: there a is put in.
  void smaller_or_nan(const FlowStep& step, std::size_t i, x86::Arithmetic operation) {
    const std::uint32_t a = step.operands[0], b = step.operands[1];
    bring(a, registers_of(b));
    const Xmm first = register_of(a);
    const Place second = place(b);
    pass(step, i);
    const Xmm result = take(bit(first) | (second.is_register() ? bit(second.number) : 0));
    const Xmm mask = take(bit(first) | bit(result));
    code_.arithmetic(operation, result, first, second);
    code_.compare(x86::Comparison::unordered, mask, first, Place::of(first));
    code_.blend(result, result, Place::of(first), mask);
    hold_result(step.result, result);
  }

  /// The result takes the register of one operand: of one that is not needed again if there is one, else one
  /// is loaded or copied. One of the other two may lie in memory.
  void fused(const FlowStep& step, std::size_t i) {
    const std::array<std::uint32_t, 3>& operands = step.operands;
    const std::optional<unsigned> dying = dying_operand(operands, reads_.after[i]);
    const unsigned over = dying ? *dying : overwritten_operand(operands);
    const unsigned p = over == 2 ? 0 : 1 - over, q = over == 2 ? 1 : 2;  // the others, a factor first
    const auto is_elsewhere = [&](unsigned k) {
      return !in_register(operands[k]) && operands[k] != operands[over];
    };
    if (is_elsewhere(p) && is_elsewhere(q))
      bring(operands[reads_.after[i][q] < reads_.after[i][p] ? q : p], registers_of(operands[over]));
    const Place old = place(operands[over]);
    Place at_p = place(operands[p]), at_q = place(operands[q]);
    const std::uint32_t others =
        (at_p.is_register() ? bit(at_p.number) : 0) | (at_q.is_register() ? bit(at_q.number) : 0);
    pass(step, i);
    Xmm result = old.number;
    if (!dying) {
      result = take(others);
      if (!old.is_register())
        code_.load(result, old);
      else if (old.number != result)
        code_.copy(result, old.number);
    }
    if (operands[p] == operands[over]) at_p = Place::of(result);
    if (operands[q] == operands[over]) at_q = Place::of(result);
    fused(step, over == 2, result, at_p, at_q);
    hold_result(step.result, result);
  }

  static unsigned number_of(bool negates_product, bool negates_summand) {
    return (negates_product ? 2u : 0u) + (negates_summand ? 1u : 0u);
  }
  void fused(const FlowStep& step, bool is_summand, Xmm result, Place p, Place q) {
    constexpr std::array signs{x86::Fused::add, x86::Fused::sub, x86::Fused::negated_add,
                               x86::Fused::negated_sub};
    const x86::Fused kind = signs[number_of(step.negates_product, step.negates_summand)];
    if (is_summand) {
      if (!p.is_register()) std::swap(p, q);
      code_.fused(kind, x86::FusedForm::f231, result, p.number, q);
    } else if (p.is_register()) {
      code_.fused(kind, x86::FusedForm::f213, result, p.number, q);
    } else {
      code_.fused(kind, x86::FusedForm::f132, result, q.number, p);
    }
  }
  std::optional<unsigned> dying_operand(const std::array<std::uint32_t, 3>& operands,
                                        const std::array<std::uint32_t, 3>& after) const {
    for (unsigned k : {2u, 0u, 1u})
      if (in_register(operands[k]) && after[k] == never) return k;
    return std::nullopt;
  }
  unsigned overwritten_operand(const std::array<std::uint32_t, 3>& operands) const {
    for (unsigned k : {2u, 0u, 1u})
      if (!in_register(operands[k])) return k;
    return 2;
  }

  void store(const FlowStep& step, std::size_t i) {
    const std::uint32_t value = step.operands[0];
    const auto output = static_cast<std::int32_t>(step.result);
    const bool is_there = is_result(value) && home_[index(value)] == output_home(output);
    if (!is_there) {
      if (in_register(value)) {
        code_.store(out_.at(step.result), register_of(value));
        if (!has_home(value)) home_[index(value)] = output_home(output);
      } else {
        code_.load(Gpr::rax, home(value));
        code_.store(out_.at(step.result), Gpr::rax);
      }
    }
    pass(step, i);
  }

  /// A function of the library: all registers are its own.
  void call(const FlowStep& step, std::size_t i) {
    std::array<Place, 2> arguments{};
    for (unsigned k = 0; k < step.operand_count; ++k) {
      arguments[k] = place(step.operands[k]);
      next_[step.operands[k]] = reads_.after[i][k];
    }
    for (std::uint32_t value : held_)
      if (value != no_value && !is_dead(value)) keep_in_memory(value);
    put_arguments(arguments, step.operand_count);
    for (std::uint32_t value : held_)
      if (value != no_value) drop_register(value);
    pass(step, i);
    if (step.operation == Operation::sincos) {
      for (const auto& [value, pointer] :
           {std::pair{step.result, Gpr::rdi}, std::pair{step.second, Gpr::rsi}}) {
        give_home(value);
        code_.load_address(pointer, home(value));
      }
      code_.call(pool_.function(step.operation));
      for (std::uint32_t value : {step.result, step.second})
        if (is_dead(value)) drop(value);
    } else {
      code_.call(pool_.function(step.operation));
      hold_result(step.result, 0);
    }
  }
  void put(Xmm to, Place from) {
    if (!from.is_register())
      code_.load(to, from);
    else if (from.number != to)
      code_.copy(to, from.number);
  }
  /// Into the first registers, which may hold each other's.
  void put_arguments(const std::array<Place, 2>& arguments, unsigned count) {
    constexpr Xmm aside = 15;
    Place first = arguments[0];
    if (count == 2) {
      if (first == Place::of(1)) {
        code_.copy(aside, 1);
        first = Place::of(aside);
      }
      put(1, arguments[1]);
    }
    put(0, first);
  }

  /// The arrays come in rdi, rdx and r8; across calls they lie in registers that functions leave alone, three
  /// of them, which also brings the stack to a multiple of 16.
  void enter(Assembler& start) const {
    if (has_calls_)
      for (Gpr gpr : {Gpr::rbx, Gpr::rbp, Gpr::r14}) start.push(gpr);
    for (const auto& [array, given] :
         {std::pair{in_, Gpr::rdi}, std::pair{out_, Gpr::rdx}, std::pair{scratch_, Gpr::r8}}) {
      if (array.base == scratch_.base && scratch_count_ == 0) continue;
      if (array.is_biased)
        start.load_address(array.base, Place::based(given, bias));
      else if (array.base != given)
        start.copy(array.base, given);
    }
  }
  void leave() {
    if (has_calls_)
      for (Gpr gpr : {Gpr::r14, Gpr::rbp, Gpr::rbx}) code_.pop(gpr);
    code_.ret();
  }

  KernelBytes together() const {
    Assembler start;
    enter(start);
    KernelBytes result;
    result.bytes = pool_.bytes();
    result.entry = result.bytes.size() + prologue_room - start.code().size();
    result.bytes.insert(result.bytes.end(), code_.code().begin(), code_.code().end());
    std::copy(start.code().begin(), start.code().end(),
              result.bytes.begin() + static_cast<std::ptrdiff_t>(result.entry));
    result.scratch = static_cast<std::size_t>(scratch_count_);
    return result;
  }

  const ValueFlow& flow_;
  ConstantPool pool_;
  NextReads reads_;
  std::vector<std::uint32_t> next_;  ///< where each value is read next
  std::vector<Xmm> register_;
  std::vector<std::int32_t> home_;    ///< of results
  std::vector<std::int32_t> output_;  ///< that a result becomes
  std::array<std::uint32_t, register_count> held_{};
  std::uint32_t free_ = all_registers;
  std::uint32_t for_now_ = no_value;  ///< loaded for this step alone
  std::vector<std::int32_t> free_homes_;
  std::vector<std::int32_t> left_homes_;  ///< by operands of this step: it still reads there
  std::int32_t scratch_count_ = 0;
  bool has_calls_ = false;
  Array in_, out_, scratch_;
  Assembler code_;
};

}  // namespace

KernelBytes write_kernel(const Program& program, const ValueFlow& flow) {
  return RegisterWalk(program, flow).write();
}

}  // namespace liaison
