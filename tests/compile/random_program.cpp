#include "random_program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace liaison::test {
namespace {

using Limits = std::numeric_limits<double>;

std::vector<Operation> operations(const RandomProgramOptions& options) {
  if (!options.only.empty()) return options.only;
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
    program_.constants = random_numbers(engine_, options_.constants);
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
    const std::size_t back = below(is_far ? written_.size() : std::min<std::size_t>(written_.size(), 6));
    return {.kind = Operand::Kind::slot, .index = written_[written_.size() - 1 - back]};
  }
  std::uint32_t destination() {
    const auto slot = static_cast<std::uint32_t>(below(options_.slots));
    if (!is_written_[slot]) written_.push_back(slot);
    is_written_[slot] = true;
    return slot;
  }
  void add(Operation operation) {
    Instruction instruction{.operation = operation, .a = operand(), .b = {}};
    if (operand_count(operation) == 2) instruction.b = operand();
    instruction.destination = destination();
    while (operation == Operation::sincos &&
           (instruction.second == Instruction::no_slot || instruction.second == instruction.destination))
      instruction.second = destination();
    program_.instructions.push_back(instruction);
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
