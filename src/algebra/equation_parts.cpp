#include "equation_parts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double weight_of_parameters = 1e-3;
constexpr double weight_of_a_row = 1.0 / 8;  // what is in few equations is solved for first, often exactly

/// Factors at which a product vanishes; the bases of powers.
std::vector<Expr> vanishing_parts(Expr equation) {
  std::vector<Expr> result;
  const auto add = [&](Expr factor) {
    const auto [base, exponent] = split_power(factor);
    const bool positive = base.is(Op::symbol) && base.symbol().positive;
    if (!base.is_constant() && exponent.sign() > 0 && !positive && !base.is(Op::exp)) result.push_back(base);
  };
  if (equation.is(Op::mul)) {
    for (Expr factor : equation.args()) add(factor);
  } else {
    add(equation);
  }
  if (result.empty()) result.push_back(equation);
  return result;
}

bool is_given_kind(Expr symbol) {
  const SymbolKind kind = symbol.symbol().kind;
  return kind == SymbolKind::parameter || kind == SymbolKind::time;
}

}  // namespace

EquationParts::EquationParts(const Slots& slots, std::vector<Expr> all) : equations(std::move(all)) {
  std::unordered_map<Expr, Slot> slot_of;
  for (Slot i = 0; i < slots.size(); ++i) slot_of.emplace(slots[i].symbol, i);
  for (Expr equation : equations) {
    std::vector<std::size_t>& own_parts = of_row.emplace_back();
    for (Expr part : vanishing_parts(equation)) {
      own_parts.push_back(parts.size());
      parts.push_back(part);
      std::vector<Slot>& own = slots_of_part.emplace_back();
      for (Expr symbol : symbols_in(part)) own.push_back(slot_of.at(symbol));
      std::sort(own.begin(), own.end());
      exact.emplace_back(std::span(&part, 1), slots.symbols());
    }
  }
  numeric = NumericRows(parts, slots.symbols());
  for (const auto& slot : slots.all()) positive.push_back(slot.is_positive() ? 1 : 0);
  find_fixed(slots);
  find_columns(slots);
}

void EquationParts::find_fixed(const Slots& slots) {
  fixed.assign(slots.size(), 0);
  for (const auto& own : slots_of_part) {
    for (Slot slot : own) fixed[slot] = slots[slot].is_function() ? 1 : 0;
  }
  for (Slot i = slots.size(); i-- > 0;) {  // users come after their arguments
    if (fixed[i] == 0 || !slots[i].is_function()) continue;
    const std::vector<Expr> arguments = symbols_in(slots[i].arguments);
    for (Slot k = 0; k < i; ++k) {
      if (std::find(arguments.begin(), arguments.end(), slots[k].symbol) != arguments.end()) fixed[k] = 1;
    }
  }
}

void EquationParts::find_columns(const Slots& slots) {
  std::vector<char> first(slots.size(), 0), all(slots.size(), 0);
  for (const auto& own : slots_of_part) {
    const bool given = std::all_of(own.begin(), own.end(), [&](Slot slot) {
      return fixed[slot] != 0 || is_given_kind(slots[slot].symbol);
    });
    for (Slot slot : own) {
      if (fixed[slot] != 0) continue;
      all[slot] = 1;
      if (given || !is_given_kind(slots[slot].symbol)) first[slot] = 1;
    }
  }
  for (Slot i = 0; i < slots.size(); ++i) {
    if (first[i] != 0) first_columns.push_back(i);
    if (all[i] != 0) all_columns.push_back(i);
    const auto rows = std::count_if(slots_of_part.begin(), slots_of_part.end(), [&](const auto& own) {
      return std::binary_search(own.begin(), own.end(), i);
    });
    const double kind = is_given_kind(slots[i].symbol) ? weight_of_parameters : 1;
    weights.push_back(kind * std::pow(weight_of_a_row, std::min(rows, 4L)));
  }
}

}  // namespace liaison
