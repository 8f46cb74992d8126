#include "liaison/expr/coefficients.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "derivative_cache.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "partial_factors.hpp"
#include "require.hpp"
#include "walk.hpp"

namespace liaison {

namespace {

/// Whether nodes are free of the symbols asked for.
class Freedom {
 public:
  Freedom(Expr e, std::span<const Expr> symbols) : sets_(e.pool().derivatives().symbols) {
    require_symbols(symbols);
    require_pool(e.pool(), symbols);
    sets_.cover(e);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      sets_.cover(symbols[i]);
      wanted_.join(sets_.of(symbols[i]));
      positions_.insert(symbols[i].index(), static_cast<std::uint32_t>(i));
    }
    if (!sets_.exact()) find_bound(e);
  }

  bool is_free(Expr e) const {
    if (!sets_.of(e).meets(wanted_)) return true;
    return !sets_.exact() && !bound_.find(e.index());
  }
  /// The place of a symbol in the list asked for.
  std::uint32_t position(Expr symbol) const { return *positions_.find(symbol.index()); }

 private:
  /// With more symbols than bits the sets promise nothing but freedom: the nodes that hold a symbol are
  /// listed.
  void find_bound(Expr e) {
    NodeMap<char> seen;
    walk_postorder(
        std::span(&e, 1),
        [&](Expr node) { return sets_.of(node).meets(wanted_) && seen.insert(node.index(), 1).second; },
        [&](Expr node) {
          bool bound = positions_.find(node.index()) != nullptr;
          for (Expr arg : node.args()) bound = bound || bound_.find(arg.index()) != nullptr;
          if (bound) bound_.insert(node.index(), 1);
        });
  }

  SymbolSets& sets_;
  SymbolSet wanted_;
  NodeMap<std::uint32_t> positions_;
  NodeMap<char> bound_;
};

/// Sums of products with one bound factor each.
bool is_linear(Expr e, const Freedom& freedom) {
  bool linear = true;
  NodeMap<char> seen;
  walk_postorder(
      std::span(&e, 1),
      [&](Expr node) {
        if (!linear || freedom.is_free(node) || !seen.insert(node.index(), 1).second) return false;
        const auto bound = std::count_if(node.args().begin(), node.args().end(),
                                         [&](Expr arg) { return !freedom.is_free(arg); });
        linear = node.is(Op::symbol) || node.is(Op::add) || (node.is(Op::mul) && bound == 1);
        return linear;
      },
      [](Expr) {});
  return linear;
}

/// (place of a symbol, exponent > 0), by place: most monomials hold few of the symbols.
using Powers = std::vector<std::pair<std::uint32_t, unsigned>>;

struct PowersHash {
  std::size_t operator()(const Powers& powers) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    for (const auto& [place, exponent] : powers)
      hash = (hash ^ (hash >> 29) ^ (std::uint64_t{place} << 32 | exponent)) * 0xbf58476d1ce4e5b9ULL;
    return hash ^ (hash >> 32);
  }
};

struct Term {
  Powers powers;
  Expr coefficient;
};
using Terms = std::vector<Term>;  ///< each monomial once, in no order

std::optional<unsigned> checked_sum(unsigned a, unsigned b) {
  return a > std::numeric_limits<unsigned>::max() - b ? std::nullopt : std::optional(a + b);
}

/// The powers of a product of two monomials; nothing if an exponent is too large.
std::optional<Powers> multiply(const Powers& a, const Powers& b) {
  Powers result;
  result.reserve(a.size() + b.size());
  auto i = a.begin();
  for (const auto& [place, exponent] : b) {
    while (i != a.end() && i->first < place) result.push_back(*i++);
    const auto sum = checked_sum(exponent, i != a.end() && i->first == place ? (i++)->second : 0);
    if (!sum) return std::nullopt;
    result.emplace_back(place, *sum);
  }
  result.insert(result.end(), i, a.end());
  return result;
}

/// Collects coefficients by monomial; each sum is built once, at the end.
class Accumulator {
 public:
  Accumulator(Pool& pool, std::size_t max_terms) : pool_(pool), max_terms_(max_terms) {}

  /// False if there are too many monomials.
  bool add(const Powers& powers, Expr coefficient) {
    parts_[powers].push_back(coefficient);
    return parts_.size() <= max_terms_;
  }
  Terms finish() {
    Terms terms;
    terms.reserve(parts_.size());
    for (auto& [powers, coefficients] : parts_) {
      const Expr sum = coefficients.size() == 1 ? coefficients[0] : pool_.add(coefficients);
      if (!sum.is_zero()) terms.push_back({powers, sum});
    }
    return terms;
  }

 private:
  Pool& pool_;
  std::size_t max_terms_;
  std::unordered_map<Powers, std::vector<Expr>, PowersHash> parts_;
};

/// Writes an expression out as a polynomial, from its leaves up. Any step may fail: then there is no
/// polynomial.
class Expansion {
 public:
  Expansion(Pool& pool, const Freedom& freedom, std::size_t max_terms)
      : pool_(pool), freedom_(freedom), max_terms_(max_terms) {}

  std::optional<Terms> run(Expr root) {
    if (freedom_.is_free(root)) return constant(root);
    const std::vector<Expr> nodes = bound_nodes(root);
    for (Expr e : nodes) {
      std::optional<Terms> terms = expand(e);
      if (!terms) return std::nullopt;
      terms_.find(e.index())->terms = std::move(*terms);
      for (Expr arg : e.args()) release(arg);
    }
    return std::move(terms_.find(root.index())->terms);
  }

 private:
  struct Entry {
    Terms terms;
    std::uint32_t users = 0;  ///< still to come; the terms are dropped after the last
  };

  std::vector<Expr> bound_nodes(Expr root) {
    std::vector<Expr> nodes;
    walk_postorder(
        std::span(&root, 1),
        [&](Expr e) {
          if (freedom_.is_free(e)) return false;
          const auto [entry, is_new] = terms_.insert(e.index(), {});
          ++entry->users;
          return is_new;
        },
        [&](Expr e) { nodes.push_back(e); });
    return nodes;
  }

  void release(Expr arg) {
    if (freedom_.is_free(arg)) return;
    Entry& entry = *terms_.find(arg.index());
    if (--entry.users == 0) entry.terms = {};
  }

  const Terms& of(Expr e) const { return terms_.find(e.index())->terms; }
  static Terms constant(Expr e) { return e.is_zero() ? Terms{} : Terms{{Powers{}, e}}; }

  std::optional<Terms> expand(Expr e) {
    switch (e.op()) {
      case Op::symbol: return Terms{{Powers{{freedom_.position(e), 1}}, pool_.number(1)}};
      case Op::add: return expand_sum(e);
      case Op::mul: return expand_product(e);
      case Op::pow: return expand_power(e);
      default: return std::nullopt;
    }
  }

  std::optional<Terms> expand_sum(Expr e) {
    Accumulator sum(pool_, max_terms_);
    for (Expr arg : e.args()) {
      if (freedom_.is_free(arg)) {
        if (!sum.add({}, arg)) return std::nullopt;
        continue;
      }
      for (const Term& term : of(arg))
        if (!sum.add(term.powers, term.coefficient)) return std::nullopt;
    }
    return sum.finish();
  }

  std::optional<Terms> expand_product(Expr e) {
    std::vector<Expr> free;
    std::optional<Terms> product;
    for (Expr arg : e.args()) {
      if (freedom_.is_free(arg)) {
        free.push_back(arg);
        continue;
      }
      product = product ? multiply(*product, of(arg)) : of(arg);
      if (!product) return std::nullopt;
    }
    if (free.empty()) return product;
    const Expr factor = pool_.mul(free);
    for (Term& term : *product) term.coefficient *= factor;
    return product;
  }

  std::optional<Terms> expand_power(Expr e) {
    const auto exponent = e.arg(1).number().to_long();
    if (!exponent || *exponent < 0) return std::nullopt;
    const Terms& base = of(e.arg(0));
    if (base.empty()) return Terms{};
    if (base.size() == 1) return power_of_term(base[0], *exponent);
    std::optional<Terms> square = base, result = constant(pool_.number(1));
    for (auto n = static_cast<unsigned long>(*exponent);; n /= 2) {
      if (n % 2 == 1) result = multiply(*result, *square);
      if (n <= 1 || !result) return result;
      square = multiply(*square, *square);
      if (!square) return std::nullopt;
    }
  }

  std::optional<Terms> power_of_term(const Term& term, long exponent) {
    Powers powers = term.powers;
    for (auto& [place, power] : powers) {
      if (exponent > static_cast<long>(std::numeric_limits<unsigned>::max() / power)) return std::nullopt;
      power *= static_cast<unsigned>(exponent);
    }
    return Terms{{std::move(powers), pool_.pow(term.coefficient, exponent)}};
  }

  std::optional<Terms> multiply(const Terms& a, const Terms& b) {
    Accumulator product(pool_, max_terms_);
    for (const Term& x : a) {
      for (const Term& y : b) {
        const auto powers = liaison::multiply(x.powers, y.powers);
        if (!powers || !product.add(*powers, x.coefficient * y.coefficient)) return std::nullopt;
      }
    }
    return product.finish();
  }

  Pool& pool_;
  const Freedom& freedom_;
  std::size_t max_terms_;
  NodeMap<Entry> terms_;
};

unsigned long total_degree(const Monomial& monomial) {
  return std::accumulate(monomial.exponents.begin(), monomial.exponents.end(), 0UL);
}

bool is_before(const Monomial& a, const Monomial& b) {
  const unsigned long degree_a = total_degree(a), degree_b = total_degree(b);
  return degree_a != degree_b ? degree_a > degree_b : a.exponents > b.exponents;
}

}  // namespace

std::optional<LinearForm> linear_coefficients(Expr e, std::span<const Expr> symbols) {
  require_not_empty(e);
  const Freedom freedom(e, symbols);
  if (!is_linear(e, freedom)) return std::nullopt;
  Substitution at_zero;
  for (Expr symbol : symbols) at_zero.emplace(symbol, e.pool().number(0));
  return LinearForm{gradient(e, symbols), substitute(e, at_zero)};
}

std::optional<std::vector<Monomial>> polynomial_coefficients(Expr e, std::span<const Expr> symbols,
                                                             std::size_t max_terms) {
  require_not_empty(e);
  const Freedom freedom(e, symbols);
  const std::optional<Terms> terms = Expansion(e.pool(), freedom, max_terms).run(e);
  if (!terms) return std::nullopt;
  std::vector<Monomial> monomials;
  monomials.reserve(terms->size());
  for (const Term& term : *terms) {
    Monomial& monomial =
        monomials.emplace_back(Monomial{std::vector<unsigned>(symbols.size()), term.coefficient});
    for (const auto& [place, exponent] : term.powers) monomial.exponents[place] = exponent;
  }
  std::sort(monomials.begin(), monomials.end(), is_before);
  return monomials;
}

}  // namespace liaison
