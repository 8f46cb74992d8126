#include <algorithm>
#include <map>

#include "readable.hpp"

namespace liaison {

namespace {

/// sin or cos of an integer combination of the angles of a field.
struct Trig {
  bool is_sine;
  std::vector<long> multiples;
  auto operator<=>(const Trig&) const = default;
};

using Trigs = std::vector<Trig>;  // sorted

struct Key {
  Exponents monomial;
  Trigs trigs;
  auto operator<=>(const Key&) const = default;
};
using Terms = std::map<Key, Rational>;

std::vector<std::size_t> cosines_of(const Field& field) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < field.generators().size(); ++i) {
    if (field.generators()[i].kind == GeneratorKind::cosine) result.push_back(i);
  }
  return result;
}

void add_term(Terms& terms, Key key, const Rational& coefficient) {
  std::sort(key.trigs.begin(), key.trigs.end());
  auto [place, is_new] = terms.try_emplace(std::move(key), coefficient);
  if (!is_new) place->second += coefficient;
  if (place->second.is_zero()) terms.erase(place);
}

Terms split_terms(const Field& field, const Poly& a) {
  const auto cosines = cosines_of(field);
  Terms result;
  Exponents exponents;
  for (std::size_t term = 0; term < a.terms(); ++term) {
    a.exponents(term, exponents);
    Key key{exponents, {}};
    for (std::size_t n = 0; n < cosines.size(); ++n) {
      std::vector<long> multiples(cosines.size(), 0);
      multiples[n] = 1;
      key.trigs.insert(key.trigs.end(), exponents[cosines[n]], Trig{false, multiples});
      key.trigs.insert(key.trigs.end(), exponents[cosines[n] + 1], Trig{true, multiples});
      key.monomial[cosines[n]] = key.monomial[cosines[n] + 1] = 0;
    }
    add_term(result, std::move(key), a.coefficient(term));
  }
  return result;
}

Expr trig_expr(const Field& field, const std::vector<std::size_t>& cosines, const Trigs& trigs) {
  Pool& pool = field.pool();
  std::vector<Expr> factors;
  for (const Trig& trig : trigs) {
    std::vector<Expr> terms;
    for (std::size_t n = 0; n < cosines.size(); ++n) {
      const Generator& generator = field.generators()[cosines[n]];
      terms.push_back(Rational(trig.multiples[n]) * generator.argument());
    }
    const Expr angle = pool.add(terms);
    factors.push_back(trig.is_sine ? sin(angle) : cos(angle));
  }
  return pool.mul(factors);
}

/// The sign of an angle is free: its first multiple is made positive. Adds nothing for sin(0), drops cos(0).
void add_normalised(Terms& terms, Key rest, bool is_sine, std::vector<long> multiples, Rational coefficient) {
  const auto lead = std::find_if(multiples.begin(), multiples.end(), [](long k) { return k != 0; });
  if (lead == multiples.end()) {
    if (!is_sine) add_term(terms, std::move(rest), coefficient);
    return;
  }
  if (*lead < 0) {
    for (long& k : multiples) k = -k;
    if (is_sine) coefficient = -coefficient;
  }
  rest.trigs.push_back({is_sine, std::move(multiples)});
  add_term(terms, std::move(rest), coefficient);
}

std::vector<long> combined(const std::vector<long>& a, const std::vector<long>& b, long sign) {
  std::vector<long> result = a;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] += sign * b[i];
  return result;
}

/// One step: the term's factors at two places with those of a partner term.
bool join(Terms& terms, const Key& key, std::size_t first, std::size_t second) {
  const Trig a = key.trigs[first], b = key.trigs[second];
  Key rest = key;
  rest.trigs.erase(rest.trigs.begin() + static_cast<long>(second));
  rest.trigs.erase(rest.trigs.begin() + static_cast<long>(first));
  Key partner = rest;
  partner.trigs.push_back({!a.is_sine, a.multiples});
  partner.trigs.push_back({!b.is_sine, b.multiples});
  std::sort(partner.trigs.begin(), partner.trigs.end());
  const auto found = terms.find(partner);
  if (found == terms.end() || partner == key) return false;
  const Rational coefficient = terms.at(key);
  if (abs(found->second) != abs(coefficient)) return false;
  const bool same = found->second == coefficient;
  terms.erase(found);
  terms.erase(key);
  if (a.is_sine == b.is_sine) {
    // cos cos + sin sin = cos(a - b), cos cos - sin sin = cos(a + b); led by sin sin the second one changes
    // sign
    const Rational sign = a.is_sine && !same ? -coefficient : coefficient;
    add_normalised(terms, std::move(rest), false, combined(a.multiples, b.multiples, same ? -1 : 1), sign);
  } else {
    // sin(a) cos(b) + cos(a) sin(b) = sin(a + b); with minus sin(a - b), where a stands under the sine of
    // this term
    const Trig& sine = a.is_sine ? a : b;
    const Trig& cosine = a.is_sine ? b : a;
    add_normalised(terms, std::move(rest), true, combined(sine.multiples, cosine.multiples, same ? 1 : -1),
                   coefficient);
  }
  return true;
}

bool join_any(Terms& terms) {
  for (const auto& [key, coefficient] : terms) {
    for (std::size_t i = 0; i + 1 < key.trigs.size(); ++i) {
      for (std::size_t j = i + 1; j < key.trigs.size(); ++j) {
        if (join(terms, Key(key), i, j)) return true;
      }
    }
  }
  return false;
}

/// The product of two of them becomes a sum of two.
void multiply_out(Terms& result, const Key& key, const Rational& coefficient) {
  if (key.trigs.size() < 2) {
    add_term(result, key, coefficient);
    return;
  }
  Key rest = key;
  const Trig b = rest.trigs.back();
  rest.trigs.pop_back();
  const Trig a = rest.trigs.back();
  rest.trigs.pop_back();
  const Rational half = coefficient / Rational(2);
  Terms two;
  const auto plus = combined(a.multiples, b.multiples, 1), minus = combined(a.multiples, b.multiples, -1);
  if (a.is_sine == b.is_sine) {
    add_normalised(two, rest, false, minus, half);
    add_normalised(two, rest, false, plus, a.is_sine ? -half : half);
  } else {
    add_normalised(two, rest, true, plus, half);
    add_normalised(two, rest, true, minus, a.is_sine ? half : -half);
  }
  for (const auto& [k, c] : two) multiply_out(result, k, c);
}

TrigSum to_sum(const Field& field, const Terms& terms) {
  const auto cosines = cosines_of(field);
  TrigSum result;
  for (const auto& [key, coefficient] : terms) {
    result.push_back({coefficient, key.monomial, trig_expr(field, cosines, key.trigs)});
  }
  return result;
}

}  // namespace

TrigSum expanded_terms(const Field& field, const Poly& a) {
  return to_sum(field, split_terms(field, a));
}

TrigSum gathered_terms(const Field& field, const Poly& a) {
  Terms terms = split_terms(field, a);
  while (join_any(terms)) {
  }
  return to_sum(field, terms);
}

TrigSum fourier_terms(const Field& field, const Poly& a) {
  Terms result;
  for (const auto& [key, coefficient] : split_terms(field, a)) multiply_out(result, key, coefficient);
  return to_sum(field, result);
}

}  // namespace liaison
