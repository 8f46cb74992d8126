#include "liaison/mechanics/term_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// Of a product, where the sizes of its factors are known: each with the values of the others.
Expr size_of_product(Expr e, const std::unordered_map<Expr, Expr>& sizes) {
  std::vector<Expr> parts;
  for (std::size_t i = 0; i < e.args().size(); ++i) {
    std::vector<Expr> factors;
    for (std::size_t j = 0; j < e.args().size(); ++j)
      factors.push_back(i == j ? sizes.at(e.args()[j]) : abs(e.args()[j]));
    if (factors[i] != abs(e.args()[i])) parts.push_back(e.pool().mul(factors));
  }
  return parts.empty() ? abs(e) : e.pool().add(parts);
}

/// By its argument, of a function that has one everywhere it has a value; empty: of others.
Expr slope_of(Expr node) {
  if (node.args().size() != 1 || node.is_constant()) return {};
  const Expr u = node.arg(0), one = node.pool().number(1);
  switch (node.op()) {
    case Op::sin: return cos(u);
    case Op::cos: return sin(u);
    case Op::tan: return one + pow(node, 2);
    case Op::atan: return one / (one + pow(u, 2));
    case Op::sinh: return cosh(u);
    case Op::cosh: return sinh(u);
    case Op::tanh: return one - pow(node, 2);
    case Op::exp: return node;
    case Op::log: return one / u;
    case Op::abs: return one;
    default: return {};
  }
}

bool is_high_power(Expr node) {
  return node.is(Op::pow) && node.arg(1).number().is_integer() && node.arg(1).number() > Rational(1) &&
         !node.is_constant();
}

/// What the rounding of the base does to u^n, also where u is nothing but rounding: n |du| (|u| + |du|)^(n-1)
/// with |du| = epsilon times the size of u.
Expr size_of_power(Expr node, Expr base_size) {
  const Expr u = node.arg(0);
  const Rational n = node.arg(1).number();
  const Expr rounding =
      node.pool().number(Rational::from_double(std::numeric_limits<double>::epsilon())) * base_size;
  return node.arg(1) * base_size * pow(abs(u) + rounding, n - Rational(1));
}

Expr size_of(Expr e, bool with_phases) {
  std::unordered_map<Expr, Expr> sizes;
  for (Expr node : postorder(e)) {
    if (node.is(Op::add)) {
      std::vector<Expr> terms;
      for (Expr term : node.args()) terms.push_back(sizes.at(term));
      sizes[node] = node.pool().add(terms);
    } else if (node.is(Op::mul)) {
      sizes[node] = size_of_product(node, sizes);
    } else if (const Expr slope = with_phases ? slope_of(node) : Expr(); !slope.empty()) {
      sizes[node] = abs(node) + abs(slope) * sizes.at(node.args()[0]);
    } else if (with_phases && is_high_power(node)) {
      sizes[node] = size_of_power(node, sizes.at(node.arg(0)));
    } else {
      sizes[node] = abs(node);
    }
  }
  return sizes.at(e);
}

}  // namespace

Expr size_of_terms(Expr e) {
  return size_of(e, false);
}

Expr size_with_phases(Expr e) {
  return size_of(e, true);
}

bool vanish_on_a_piece(std::span<const Expr> es, const DoublePoint& given) {
  constexpr int samples = 16;
  constexpr double turn = 0.6180339887498949;  // multiples of it come near to no fraction
  std::vector<Expr> values;
  for (const Expr e : es) {
    if (e.is_zero()) continue;
    const std::vector<Expr> nodes = postorder(e);
    const auto has = [&](auto what) { return std::any_of(nodes.begin(), nodes.end(), what); };
    const bool has_sum = has([](Expr node) { return node.is(Op::add); });
    const bool has_function = has([](Expr node) {
      return !node.args().empty() && !node.is(Op::add) && !node.is(Op::mul) &&
             !(node.is(Op::pow) && node.arg(1).is_number() && node.arg(1).number().is_integer());
    });
    if (!has_sum || !has_function) return false;
    values.push_back(e);
  }
  if (values.empty()) return false;
  const std::vector<Expr> symbols = symbols_in(values);
  std::vector<Expr> asked;
  for (const Expr e : values) asked.insert(asked.end(), {e, size_of_terms(e)});
  DoublePoint at = given;
  std::size_t number = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const double reach = sample % 2 == 0 ? 1.0 : 4.0;
    for (const Expr symbol : symbols) {
      const double part = static_cast<double>(++number) * turn;
      if (!given.contains(symbol)) at[symbol] = reach * (2 * (part - std::floor(part)) - 1);
    }
    const DoubleValues found = evaluate(asked, at);
    if (found.status != EvaluationStatus::ok) continue;
    bool vanish = true;
    for (std::size_t i = 0; i < found.values.size(); i += 2)
      vanish = vanish && std::abs(found.values[i]) <= vanished_beside * found.values[i + 1];
    if (vanish) return true;
  }
  return false;
}

}  // namespace liaison
