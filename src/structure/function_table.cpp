#include "function_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

bool is_angle_function(Op op) {
  return op == Op::sin || op == Op::cos || op == Op::tan;
}

bool is_exponential(Op op) {
  return op == Op::exp || op == Op::sinh || op == Op::cosh || op == Op::tanh;
}

FunctionTable::FunctionTable(Algebra& algebra, std::span<const Expr> asked, std::span<const Expr> state)
    : algebra_(algebra), asked_(asked.begin(), asked.end()), nodes_(postorder(asked)) {
  const std::unordered_set<Expr> changing(state.begin(), state.end());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Expr node = nodes_[i];
    place_.emplace(node, i);
    bool depends = changing.contains(node);
    first_argument_.push_back(argument_places_.size());
    for (Expr arg : node.args()) {
      argument_places_.push_back(place_.at(arg));
      depends = depends || depends_[argument_places_.back()];
    }
    depends_.push_back(depends);
    read(node);
  }
  for (Expr e : asked_) asked_places_.push_back(place_.at(e));
  count_atoms(angle_sums_, angles_);
  count_atoms(exponent_sums_, exponents_);
  for (auto* atoms : {&angles_, &exponents_}) {
    for (Atom& atom : *atoms) {
      const std::vector<Expr> symbols = symbols_in(atom.unit);
      atom.depends_on_state =
          std::any_of(symbols.begin(), symbols.end(), [&](Expr s) { return changing.contains(s); });
    }
  }
}

void FunctionTable::refuse(Expr node) {
  if (refusal_.empty()) refusal_ = fmt::format("`{}` is not a function of one piece", to_infix(node));
}

void FunctionTable::read(Expr node) {
  switch (node.op()) {
    case Op::number:
    case Op::add:
    case Op::mul: return;
    case Op::pow: {
      const auto denominator = node.arg(1).number().denominator().to_long();
      if (denominator == 1) return;
      is_complete_ = false;
      if (denominator != 2 && refusal_.empty())
        refusal_ = fmt::format("`{}` has a root that is not a square root", to_infix(node));
      return;
    }
    case Op::sin:
    case Op::cos:
    case Op::tan: angle_sums_[node] = split(node.arg(0)); return;
    case Op::exp:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh: exponent_sums_[node] = split(node.arg(0)); return;
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max: refuse(node); return;
    case Op::symbol:
    case Op::apply: free_.push_back(node); return;
    case Op::pi:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::atan2:
    case Op::log:
      free_.push_back(node);
      is_complete_ = false;
      return;
  }
}

/// The terms of an argument, each a rational multiple of an atom.
std::vector<std::pair<Expr, Rational>> FunctionTable::split(Expr argument) {
  const Expr canonical = algebra_.canonical(argument).value;
  std::vector<std::pair<Expr, Rational>> result;
  const auto add = [&](Expr term) {
    auto [coefficient, rest] = split_coefficient(term);
    result.emplace_back(rest, coefficient);
  };
  if (canonical.is(Op::add)) {
    for (Expr term : canonical.args()) add(term);
  } else {
    add(canonical);
  }
  return result;
}

/// Each atom once, in units such that every argument has whole multiples of it.
void FunctionTable::count_atoms(const Sums& sums, std::vector<Atom>& atoms) {
  std::vector<Expr> order;
  for (Expr node : nodes_) {
    if (sums.contains(node)) order.push_back(node);
  }
  std::vector<std::pair<Expr, long>> found;
  const auto entry = [&](Expr atom) {
    return std::find_if(found.begin(), found.end(), [&](const auto& other) { return other.first == atom; });
  };
  for (Expr node : order) {
    for (const auto& [atom, coefficient] : sums.at(node)) {
      if (atom.is(Op::pi)) continue;
      const auto denominator = coefficient.denominator().to_long();
      if (!denominator || *denominator > 1000) {
        if (refusal_.empty())
          refusal_ = fmt::format("`{}` counts its argument in parts that are too small", to_infix(node));
        return;
      }
      const auto place = entry(atom);
      if (place == found.end()) {
        found.emplace_back(atom, *denominator);
      } else {
        place->second = std::lcm(place->second, *denominator);
      }
    }
  }
  for (const auto& [atom, parts] : found) atoms.push_back({atom / Rational(parts), false});
  for (Expr node : order) {
    AtomSum sum;
    for (const auto& [atom, coefficient] : sums.at(node)) {
      if (atom.is(Op::pi)) {
        sum.pi_part = coefficient;
        continue;
      }
      const auto place = entry(atom);
      const auto count = (coefficient * Rational(place->second)).to_long();
      if (!count || std::abs(*count) > 1'000'000) {
        if (refusal_.empty()) refusal_ = fmt::format("`{}` has too large an argument", to_infix(node));
        return;
      }
      sum.terms.emplace_back(static_cast<std::size_t>(place - found.begin()), *count);
    }
    sums_.emplace(node, std::move(sum));
  }
}

}  // namespace liaison
