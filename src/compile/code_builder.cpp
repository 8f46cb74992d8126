#include "code_builder.hpp"

#include <bit>
#include <utility>

#include "kernels.hpp"

namespace liaison {

std::size_t CodeBuilder::Hash::operator()(const Key& key) const {
  std::uint64_t hash = static_cast<std::uint64_t>(key.operation);
  for (const Operand& x : {key.a, key.b})
    hash = (std::rotl(hash, 23) ^ (4 * std::uint64_t{x.index} + static_cast<std::uint64_t>(x.kind))) *
           0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 32);
}

Operand CodeBuilder::constant(double value) {
  const auto [place, is_new] = constant_index_.try_emplace(std::bit_cast<std::uint64_t>(value),
                                                           static_cast<std::uint32_t>(constants_.size()));
  if (is_new) constants_.push_back(value);
  return {Operand::Kind::constant, place->second};
}

std::optional<double> CodeBuilder::value(Operand a) const {
  if (a.kind != Operand::Kind::constant) return std::nullopt;
  return constants_[a.index];
}

bool CodeBuilder::is_value(Operand a, double expected) const {
  return value(a) == expected;
}

const Instruction* CodeBuilder::made_by(Operand a, Operation operation) const {
  if (a.kind != Operand::Kind::slot) return nullptr;
  const Instruction& maker = instructions_[maker_[a.index]];
  return maker.operation == operation ? &maker : nullptr;
}

Operand CodeBuilder::emit(Operation operation, Operand a, Operand b) {
  const bool commutes = operation == Operation::add || operation == Operation::mul;
  if (commutes && b < a) std::swap(a, b);
  const std::optional<double> x = value(a), y = value(b);
  if (x && (operand_count(operation) == 1 || y))
    return constant(kernels::apply(operation, *x, y.value_or(0)));
  const auto slot = static_cast<std::uint32_t>(maker_.size());
  const auto [place, is_new] = known_.try_emplace({operation, a, b}, slot);
  if (is_new) {
    maker_.push_back(static_cast<std::uint32_t>(instructions_.size()));
    instructions_.push_back({.operation = operation, .a = a, .b = b, .destination = slot});
  }
  return {Operand::Kind::slot, place->second};
}

Operand CodeBuilder::add(Operand a, Operand b) {
  if (is_value(a, 0)) return b;
  if (is_value(b, 0)) return a;
  if (const Instruction* minus = made_by(b, Operation::neg)) return sub(a, minus->a);
  if (const Instruction* minus = made_by(a, Operation::neg)) return sub(b, minus->a);
  return emit(Operation::add, a, b);
}

Operand CodeBuilder::sub(Operand a, Operand b) {
  if (is_value(b, 0)) return a;
  if (is_value(a, 0)) return neg(b);
  if (const Instruction* minus = made_by(b, Operation::neg)) return add(a, minus->a);
  return emit(Operation::sub, a, b);
}

Operand CodeBuilder::mul(Operand a, Operand b) {
  for (int turn = 0; turn < 2; ++turn, std::swap(a, b)) {
    if (is_value(a, 1)) return b;
    if (is_value(a, -1)) return neg(b);
  }
  return emit(Operation::mul, a, b);
}

Operand CodeBuilder::div(Operand a, Operand b) {
  if (is_value(b, 1)) return a;
  return emit(Operation::div, a, b);
}

/// Where the sign can go into the instruction before, that costs no more, and often leaves that one unused.
Operand CodeBuilder::neg(Operand a) {
  if (const Instruction* minus = made_by(a, Operation::neg)) return minus->a;
  if (const Instruction* difference = made_by(a, Operation::sub)) {
    const Operand left = difference->a, right = difference->b;
    return emit(Operation::sub, right, left);
  }
  for (Operation operation : {Operation::mul, Operation::div}) {
    const Instruction* scaled = made_by(a, operation);
    if (scaled == nullptr) continue;
    const Operand left = scaled->a, right = scaled->b;
    if (const auto factor = value(left)) return emit(operation, constant(-*factor), right);
    if (const auto factor = value(right)) return emit(operation, left, constant(-*factor));
  }
  return emit(Operation::neg, a);
}

Operand CodeBuilder::unary(Operation operation, Operand a) {
  return operation == Operation::neg ? neg(a) : emit(operation, a);
}

Operand CodeBuilder::binary(Operation operation, Operand a, Operand b) {
  return emit(operation, a, b);
}

void CodeBuilder::store(std::uint32_t output, Operand a) {
  instructions_.push_back({.operation = Operation::store, .a = a, .b = {}, .destination = output});
}

}  // namespace liaison
