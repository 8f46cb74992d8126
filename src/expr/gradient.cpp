#include <span>
#include <vector>

#include "derivative_cache.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/operator_table.hpp"
#include "partial_factors.hpp"
#include "require.hpp"
#include "walk.hpp"

namespace liaison {

namespace {

/// The adjoint of a node, not yet multiplied out: `head` is the end of a list of factors.
/// A product is made only where it is needed: flat products made step by step along a chain would cost the
/// square of its length.
struct Adjoint {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t head = none;  ///< none: 1
};

/// One sweep from the root to the leaves: each node hands adjoint * partial derivative to its arguments.
class ReverseSweep {
 public:
  ReverseSweep(Expr root, std::span<const Expr> symbols)
      : pool_(root.pool()), sets_(pool_.derivatives().symbols) {
    sets_.cover(root);
    for (Expr symbol : symbols) {
      sets_.cover(symbol);
      wanted_.join(sets_.of(symbol));
    }
    walk_postorder(
        std::span(&root, 1),
        [&](Expr e) {
          if (!is_wanted(e)) return false;
          return position_.insert(e.index(), 0).second;
        },
        [&](Expr e) {
          *position_.find(e.index()) = static_cast<std::uint32_t>(nodes_.size());
          nodes_.push_back(e);
        });
    contributions_.resize(nodes_.size());
  }

  /// False if it was given up: deep expressions with symbols at every level have adjoints whose products grow
  /// with the depth. Differentiating by one symbol after the other then costs less.
  bool run(std::size_t n_symbols) {
    if (nodes_.empty()) return true;
    const std::size_t allowed = 8 * n_symbols * nodes_.size() + 10'000;
    contributions_.back().push_back(Adjoint{});
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      if (nodes_[i].is(Op::symbol)) continue;
      const Adjoint adjoint = take_adjoint(i);
      if (!is_zero(adjoint)) pass_on(nodes_[i], adjoint);
      if (factors_multiplied_ > allowed) return false;
    }
    return true;
  }

  Expr adjoint_of(Expr symbol) {
    const std::uint32_t* position = position_.find(symbol.index());
    if (position == nullptr) return pool_.number(0);
    return multiply_out(take_adjoint(*position));
  }

 private:
  struct Link {
    Expr factor;
    std::uint32_t next;
  };

  bool is_wanted(Expr e) const { return sets_.of(e).meets(wanted_); }

  bool is_zero(Adjoint adjoint) const {
    return adjoint.head != Adjoint::none && links_[adjoint.head].factor.is_zero();
  }

  Adjoint with_factor(Adjoint adjoint, Expr factor) {
    if (factor.is_one()) return adjoint;
    links_.push_back({factor, adjoint.head});
    return {static_cast<std::uint32_t>(links_.size() - 1)};
  }

  Expr multiply_out(Adjoint adjoint) {
    scratch_.clear();
    for (std::uint32_t i = adjoint.head; i != Adjoint::none; i = links_[i].next)
      scratch_.push_back(links_[i].factor);
    const Expr product = pool_.mul(scratch_);
    factors_multiplied_ += scratch_.size() + (product.is(Op::mul) ? product.args().size() : 0);
    return product;
  }

  /// The sum of what the users of the node handed down; a single contribution stays a list.
  Adjoint take_adjoint(std::size_t position) {
    std::vector<Adjoint>& parts = contributions_[position];
    if (parts.size() != 1) {
      std::vector<Expr> terms;
      for (Adjoint part : parts) terms.push_back(multiply_out(part));
      parts = {with_factor({}, pool_.add(terms))};
    }
    return parts[0];
  }

  void pass_on(Expr e, Adjoint adjoint) {
    unsigned n_wanted = 0;
    for (Expr arg : e.args()) n_wanted += is_wanted(arg);
    // A list is handed to one argument only, so that no part of it is multiplied twice.
    if (n_wanted > 1) adjoint = with_factor({}, multiply_out(adjoint));
    for (unsigned slot = 0; slot < e.args().size(); ++slot) {
      if (!is_wanted(e.arg(slot))) continue;
      factors_.clear();
      append_partial(e, slot, factors_);
      Adjoint part = adjoint;
      for (Expr factor : factors_) part = with_factor(part, factor);
      contributions_[*position_.find(e.arg(slot).index())].push_back(part);
    }
  }

  Pool& pool_;
  SymbolSets& sets_;
  SymbolSet wanted_;
  std::vector<Expr> nodes_;  ///< those that may depend on the symbols, arguments first
  NodeMap<std::uint32_t> position_;
  std::vector<std::vector<Adjoint>> contributions_;
  std::vector<Link> links_;
  std::vector<Expr> factors_, scratch_;
  std::size_t factors_multiplied_ = 0;
};

}  // namespace

void append_partial(Expr e, unsigned slot, std::vector<Expr>& factors) {
  Pool& pool = e.pool();
  switch (e.op()) {
    case Op::add: return;
    case Op::mul:
      for (unsigned i = 0; i < e.args().size(); ++i)
        if (i != slot) factors.push_back(e.arg(i));
      return;
    case Op::pow: {
      const Rational& exponent = e.arg(1).number();
      factors.push_back(e.arg(1));
      factors.push_back(pool.pow(e.arg(0), exponent - 1));
      return;
    }
    case Op::apply: {
      std::vector<std::uint32_t> orders = e.application().orders;
      ++orders[slot];
      factors.push_back(pool.apply(e.application().function, e.args(), std::move(orders)));
      return;
    }
    default: factors.push_back(operator_row(e.op()).derivative(e.args(), slot));
  }
}

void require_symbols(std::span<const Expr> symbols) {
  for (Expr symbol : symbols) {
    require_not_empty(symbol);
    if (symbol.is(Op::symbol)) continue;
    throw Error(ErrorCode::not_a_symbol, "something that is not a symbol stands where a symbol is needed",
                "replace it by a symbol, compute, and put it back");
  }
}

std::vector<Expr> gradient(Expr e, std::span<const Expr> symbols) {
  require_not_empty(e);
  require_symbols(symbols);
  require_pool(e.pool(), symbols);
  std::vector<Expr> result;
  result.reserve(symbols.size());
  ReverseSweep sweep(e, symbols);
  const bool swept = symbols.size() > 1 && sweep.run(symbols.size());
  for (Expr symbol : symbols) result.push_back(swept ? sweep.adjoint_of(symbol) : derivative(e, symbol));
  return result;
}

}  // namespace liaison
