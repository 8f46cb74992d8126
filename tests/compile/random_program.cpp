#include "random_program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace liaison::test {
namespace {

using Limits = std::numeric_limits<double>;

std::vector<Operation> operations(const RandomProgramOptions& options) {
  using enum Operation;
  if (!options.only.empty()) return options.only;
  if (options.tame && options.calls)
    return {add, sub, mul, add, sub, mul,    add,  sub,   mul, neg,
            abs, min, max, sin, cos, sincos, atan, atan2, tanh};
  if (options.tame) return {add, sub, mul, add, sub, mul, neg, abs, min, max};
  std::vector<Operation> result;
  for (auto k = static_cast<unsigned>(Operation::add); k < static_cast<unsigned>(Operation::store); ++k) {
    const auto operation = static_cast<Operation>(k);
    const bool is_arithmetic = operation <= Operation::max;
    const int weight = operation <= Operation::div ? 8 : is_arithmetic ? 2 : options.calls ? 1 : 0;
    result.insert(result.end(), static_cast<std::size_t>(weight), operation);
  }
  return result;
}

class Maker {
 public:
  Maker(std::mt19937_64& engine, const RandomProgramOptions& options) : engine_(engine), options_(options) {}

  Program make() {
    for (std::size_t i = 0; i < options_.inputs; ++i) program_.inputs.push_back(fmt::format("x{}", i));
    for (std::size_t i = 0; i < options_.outputs; ++i) program_.outputs.push_back(fmt::format("y{}", i));
    program_.constants = random_numbers(engine_, options_.constants, !options_.tame);
    size_.assign(options_.slots, 0);
    program_.slot_count = options_.slots;
    is_written_.assign(options_.slots, false);
    const std::vector<Operation> kinds = operations(options_);
    std::size_t stored = 0;
    for (std::size_t k = 0; k < options_.instructions; ++k) {
      add(kinds[below(kinds.size())]);
      if (stored * options_.instructions < k * options_.outputs && stored < options_.outputs) store(stored++);
    }
    while (stored < options_.outputs) store(stored++);
    return program_;
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }

  Operand operand() {
    const std::size_t kind = below(10);
    if (kind < 2 && options_.inputs > 0)
      return {.kind = Operand::Kind::input, .index = static_cast<std::uint32_t>(below(options_.inputs))};
    if ((kind == 2 && options_.constants > 0) || written_.empty())
      return {.kind = options_.constants > 0 ? Operand::Kind::constant : Operand::Kind::input,
              .index = static_cast<std::uint32_t>(below(std::max<std::size_t>(1, options_.constants)))};
    const bool is_far = std::uniform_real_distribution<double>(0, 1)(engine_) < options_.far;
    const std::vector<std::uint32_t>& choice = is_far ? written_ : recent_;
    return {.kind = Operand::Kind::slot, .index = choice[below(choice.size())]};
  }
  std::uint32_t destination() {
    const auto slot = static_cast<std::uint32_t>(below(options_.slots));
    if (!is_written_[slot]) written_.push_back(slot);
    is_written_[slot] = true;
    if (recent_.size() == 6) recent_.erase(recent_.begin());
    recent_.push_back(slot);
    return slot;
  }
  void add(Operation operation) {
    Instruction instruction{.operation = operation, .a = operand(), .b = {}};
    if (operand_count(operation) == 2) instruction.b = operand();
    const double a = size_of(instruction.a), b = size_of(instruction.b);  // before the result takes a slot
    instruction.destination = destination();
    while (operation == Operation::sincos &&
           (instruction.second == Instruction::no_slot || instruction.second == instruction.destination))
      instruction.second = destination();
    program_.instructions.push_back(instruction);
    if (options_.tame) tame(instruction, a, b);
  }
  double size_of(Operand operand) const {
    return operand.kind == Operand::Kind::slot ? size_[operand.index] : 3;
  }
  /// What has become large is followed by the root of its size.
  void tame(const Instruction& instruction, double a, double b) {
    double size = instruction.operation == Operation::mul ? a * b : a + b;
    const std::uint32_t slot = instruction.destination;
    if (size > 1e9) {
      for (const Operation operation : {Operation::abs, Operation::sqrt})
        program_.instructions.push_back({.operation = operation,
                                         .a = {.kind = Operand::Kind::slot, .index = slot},
                                         .b = {},
                                         .destination = slot});
      size = std::sqrt(size);
    }
    size_[slot] = size;
    if (instruction.second != Instruction::no_slot) size_[instruction.second] = 1;
  }
  void store(std::size_t output) {
    program_.instructions.push_back({.operation = Operation::store,
                                     .a = operand(),
                                     .b = {},
                                     .destination = static_cast<std::uint32_t>(output)});
  }

  std::mt19937_64& engine_;
  const RandomProgramOptions& options_;
  std::vector<std::uint32_t> written_;  ///< slots that hold something
  std::vector<bool> is_written_;
  std::vector<std::uint32_t> recent_;  ///< the last results
  std::vector<double> size_;           ///< bounds of the slots of a tame program
  Program program_;
};

}  // namespace

Program random_program(std::mt19937_64& engine, const RandomProgramOptions& options) {
  return Maker(engine, options).make();
}

std::vector<double> random_numbers(std::mt19937_64& engine, std::size_t count, bool with_special) {
  static const std::vector<double> special{0.0,
                                           -0.0,
                                           1.0,
                                           -1.0,
                                           Limits::infinity(),
                                           -Limits::infinity(),
                                           Limits::quiet_NaN(),
                                           -Limits::quiet_NaN(),
                                           Limits::denorm_min(),
                                           -3 * Limits::denorm_min(),
                                           Limits::min() / 3,
                                           Limits::max(),
                                           -Limits::max()};
  std::uniform_real_distribution<double> number(-3, 3);
  std::vector<double> result;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t kind = engine() % 16;
    if (with_special && kind == 0)
      result.push_back(special[engine() % special.size()]);
    else if (with_special && kind == 1)
      result.push_back(std::ldexp(number(engine), static_cast<int>(engine() % 2000) - 1000));
    else
      result.push_back(number(engine));
  }
  return result;
}

}  // namespace liaison::test
