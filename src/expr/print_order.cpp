#include "print_order.hpp"

#include <algorithm>
#include <array>
#include <compare>

namespace liaison {

namespace {

bool is_parameter(Expr e) {
  return e.is(Op::symbol) &&
         (e.symbol().kind == SymbolKind::parameter || e.symbol().kind == SymbolKind::auxiliary);
}

/// m, m1, M_cart: written before the other parameters, as in m*g*l.
bool is_mass(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return (name[0] == 'm' || name[0] == 'M') && (name.size() == 1 || !is_letter(name[1]));
}

int symbol_rank(const SymbolInfo& symbol) {
  switch (symbol.kind) {
    case SymbolKind::parameter:
    case SymbolKind::auxiliary: return is_mass(symbol.name) ? 2 : 3;
    case SymbolKind::multiplier: return 4;
    case SymbolKind::time: return 5;
    case SymbolKind::coordinate: return 6;
    case SymbolKind::velocity: return 7;
  }
  return 3;
}

int base_rank(Expr base) {
  switch (base.op()) {
    case Op::number: return 0;
    case Op::pi: return 1;
    case Op::symbol: return symbol_rank(base.symbol());
    case Op::add:
    case Op::mul:
    case Op::pow: return 8;
    case Op::apply: return 9;
    default: return 10;
  }
}

std::strong_ordering compare_bases(Expr a, Expr b) {
  if (const auto c = base_rank(a) <=> base_rank(b); c != 0) return c;
  return compare(a, b);
}

void sort_factors(std::vector<PrintFactor>& factors) {
  std::sort(factors.begin(), factors.end(),
            [](const PrintFactor& a, const PrintFactor& b) { return compare_bases(a.base, b.base) < 0; });
}

struct TermKey {
  Expr term;
  bool negative = false;
  Rational moving;     ///< degree in all symbols but parameters
  Rational symbols;    ///< degree in all symbols
  Rational functions;  ///< degree in all else
  std::vector<PrintFactor> factors;
};

TermKey make_key(Expr term) {
  PrintFraction fraction = split_fraction(term);
  TermKey key;
  key.term = term;
  key.negative = fraction.negative;
  const auto count = [&key](const PrintFactor& factor, const Rational& exponent) {
    if (factor.base.is(Op::symbol)) {
      key.symbols += exponent;
      if (!is_parameter(factor.base)) key.moving += exponent;
    } else if (!factor.base.is_constant()) {
      key.functions += exponent;
    }
  };
  for (const PrintFactor& factor : fraction.above) count(factor, factor.exponent);
  for (const PrintFactor& factor : fraction.below) count(factor, -factor.exponent);
  key.factors = std::move(fraction.above);
  return key;
}

bool stands_before(const TermKey& a, const TermKey& b) {
  if (a.moving != b.moving) return a.moving > b.moving;
  if (a.symbols != b.symbols) return a.symbols > b.symbols;
  if (a.functions != b.functions) return a.functions > b.functions;
  const std::size_t n = std::min(a.factors.size(), b.factors.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (const auto c = compare_bases(a.factors[i].base, b.factors[i].base); c != 0) return c < 0;
    if (a.factors[i].exponent != b.factors[i].exponent) return a.factors[i].exponent > b.factors[i].exponent;
  }
  if (a.factors.size() != b.factors.size()) return a.factors.size() > b.factors.size();
  return compare(a.term, b.term) < 0;
}

}  // namespace

PrintFraction split_fraction(Expr term) {
  PrintFraction fraction;
  const std::array alone{term};
  for (Expr factor : term.is(Op::mul) ? term.args() : std::span<const Expr>(alone)) {
    if (factor.is_number()) {
      fraction.negative = factor.number().sign() < 0;
      fraction.numerator = abs(factor.number().numerator());
      fraction.denominator = factor.number().denominator();
      continue;
    }
    const auto [base, exponent] = split_power(factor);
    auto& side = exponent.sign() > 0 ? fraction.above : fraction.below;
    side.push_back({base, abs(exponent)});
  }
  sort_factors(fraction.above);
  sort_factors(fraction.below);
  return fraction;
}

std::vector<Expr> ordered_terms(Expr sum) {
  std::vector<TermKey> keys;
  keys.reserve(sum.args().size());
  for (Expr term : sum.args()) keys.push_back(make_key(term));
  std::sort(keys.begin(), keys.end(), stands_before);
  const auto positive =
      std::find_if(keys.begin(), keys.end(), [](const TermKey& key) { return !key.negative; });
  if (positive != keys.end()) std::rotate(keys.begin(), positive, positive + 1);
  std::vector<Expr> terms;
  terms.reserve(keys.size());
  for (const TermKey& key : keys) terms.push_back(key.term);
  return terms;
}

}  // namespace liaison
