#include "liaison/expr/substitute.hpp"

#include <algorithm>
#include <map>

#include "derivative_cache.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "partial_factors.hpp"
#include "require.hpp"
#include "walk.hpp"

namespace liaison {

namespace {

/// Whether a node may hold one of the keys, told without looking inside: a node is younger than all it
/// contains, and has all their symbols.
class KeyFilter {
 public:
  KeyFilter(const Substitution& replacements, SymbolSets& sets) : sets_(sets) {
    for (const auto& [key, value] : replacements) {
      oldest_ = std::min(oldest_, key.index());
      only_symbols_ = only_symbols_ && key.is(Op::symbol);
      sets_.cover(key);
      symbols_.join(sets_.of(key));
    }
  }
  bool may_hold_key(Expr e) const {
    return e.index() >= oldest_ && (!only_symbols_ || sets_.of(e).meets(symbols_));
  }

 private:
  SymbolSets& sets_;
  SymbolSet symbols_;
  std::uint32_t oldest_ = 0xffffffff;
  bool only_symbols_ = true;
};

/// What has become of each node; what is not listed has stayed as it is.
class Images {
 public:
  Expr of(Expr e) const {
    const Expr* image = images_.find(e.index());
    return image == nullptr || image->empty() ? e : *image;
  }
  /// False if the node was entered before.
  bool enter(Expr e) { return images_.insert(e.index(), Expr()).second; }
  void set(Expr e, Expr image) { *images_.find(e.index()) = image; }
  /// The node over the images of its arguments.
  Expr rebuilt(Expr e) {
    args_.clear();
    bool changed = false;
    for (Expr arg : e.args()) {
      args_.push_back(of(arg));
      changed = changed || args_.back() != arg;
    }
    return changed ? e.pool().rebuild(e, args_) : e;
  }
  std::span<const Expr> args() const { return args_; }

 private:
  NodeMap<Expr> images_;
  std::vector<Expr> args_;
};

Expr copy_node(Pool& target, Expr e, std::span<const Expr> args) {
  switch (e.op()) {
    case Op::number: return target.number(e.number());
    case Op::pi: return target.pi();
    case Op::symbol: return target.symbol(e.symbol().name, e.symbol().kind, e.symbol().positive);
    case Op::add: return target.add(args);
    case Op::mul: return target.mul(args);
    case Op::pow: return target.pow(args[0], e.arg(1).number());
    case Op::apply: {
      const FunctionInfo& function = *e.application().function;
      return target.apply(target.function(function.name, function.arity), args, e.application().orders);
    }
    default: return target.elementary(e.op(), args);
  }
}

/// The partial derivatives of a body, each made once.
class BodyDerivatives {
 public:
  BodyDerivatives(std::span<const Expr> parameters, Expr body) : parameters_(parameters), body_(body) {}

  Expr at(const std::vector<std::uint32_t>& orders, std::span<const Expr> args) {
    auto [found, is_new] = known_.try_emplace(orders, body_);
    if (is_new) {
      for (std::size_t slot = 0; slot < orders.size(); ++slot)
        for (std::uint32_t k = 0; k < orders[slot]; ++k)
          found->second = derivative(found->second, parameters_[slot]);
    }
    Substitution arguments;
    for (std::size_t i = 0; i < parameters_.size(); ++i) arguments.emplace(parameters_[i], args[i]);
    return substitute(found->second, arguments);
  }

 private:
  std::span<const Expr> parameters_;
  Expr body_;
  std::map<std::vector<std::uint32_t>, Expr> known_;
};

}  // namespace

std::vector<Expr> substitute(std::span<const Expr> es, const Substitution& replacements) {
  std::vector<Expr> result(es.begin(), es.end());
  if (es.empty() || replacements.empty()) return result;
  require_not_empty(es[0]);
  Pool& pool = es[0].pool();
  require_pool(pool, es);
  for (const auto& [key, value] : replacements) {
    const Expr both[] = {key, value};
    require_pool(pool, both);
  }
  SymbolSets& sets = pool.derivatives().symbols;
  for (Expr e : es) sets.cover(e);
  const KeyFilter filter(replacements, sets);
  Images images;
  walk_postorder(
      es,
      [&](Expr e) {
        if (!filter.may_hold_key(e) || !images.enter(e)) return false;
        const auto found = replacements.find(e);
        if (found != replacements.end()) images.set(e, found->second);
        return found == replacements.end();
      },
      [&](Expr e) { images.set(e, images.rebuilt(e)); });
  for (Expr& e : result) e = images.of(e);
  return result;
}

Expr substitute(Expr e, const Substitution& replacements) {
  return substitute(std::span(&e, 1), replacements)[0];
}

Expr substitute_function(Expr e, const FunctionInfo* function, std::span<const Expr> parameters, Expr body) {
  require_same_pool(e, body);
  require_symbols(parameters);
  require_pool(e.pool(), parameters);
  if (parameters.size() != function->arity) {
    throw Error(ErrorCode::wrong_arity, "the function `" + function->name + "` takes " +
                                            std::to_string(function->arity) + " arguments, not " +
                                            std::to_string(parameters.size()));
  }
  BodyDerivatives derivatives(parameters, body);
  Images images;
  walk_postorder(
      std::span(&e, 1), [&](Expr node) { return !node.is_constant() && images.enter(node); },
      [&](Expr node) {
        const Expr same = images.rebuilt(node);
        if (!node.is(Op::apply) || node.application().function != function) return images.set(node, same);
        // rebuilt() has left the images of the arguments behind
        const std::vector<Expr> args(images.args().begin(), images.args().end());
        images.set(node, derivatives.at(node.application().orders, args));
      });
  return images.of(e);
}

Expr copy_to(Pool& target, Expr e) {
  require_not_empty(e);
  if (&e.pool() == &target) return e;
  NodeMap<Expr> copies;
  std::vector<Expr> args;
  for (Expr node : postorder(e)) {
    args.clear();
    for (Expr arg : node.args()) args.push_back(*copies.find(arg.index()));
    copies.insert(node.index(), copy_node(target, node, args));
  }
  return *copies.find(e.index());
}

}  // namespace liaison
