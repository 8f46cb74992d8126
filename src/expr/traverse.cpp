#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "derivative_cache.hpp"
#include "walk.hpp"
#include "work.hpp"

namespace liaison {

std::size_t SymbolSet::common(const SymbolSet& other) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    count += static_cast<std::size_t>(std::popcount(words[i] & other.words[i]));
  return count;
}

void SymbolSets::extend(const Pool& pool, std::uint32_t last) {
  for (auto i = static_cast<std::uint32_t>(sets_.size()); i <= last; ++i) {
    const Expr node = pool.at(i);
    SymbolSet set;
    if (node.is(Op::symbol)) {
      const std::size_t bit = n_symbols_++ % SymbolSet::width;
      set.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    for (Expr arg : node.args()) set.join(sets_[arg.index()]);
    sets_.push_back(set);
  }
}

std::vector<Expr> postorder(std::span<const Expr> roots) {
  std::vector<Expr> order;
  NodeMap<char> seen;
  walk_postorder(
      roots, [&](Expr e) { return seen.insert(e.index(), 1).second; }, [&](Expr e) { order.push_back(e); });
  constexpr std::uint64_t parts_a_node = 10;
  note_work(parts_a_node * order.size());
  return order;
}

std::vector<Expr> postorder(Expr root) {
  return postorder(std::span(&root, 1));
}

std::vector<Expr> symbols_in(std::span<const Expr> roots) {
  std::vector<Expr> symbols;
  NodeMap<char> seen;
  walk_postorder(
      roots, [&](Expr e) { return !e.is_constant() && seen.insert(e.index(), 1).second; },
      [&](Expr e) {
        if (e.is(Op::symbol)) symbols.push_back(e);
      });
  std::sort(symbols.begin(), symbols.end(), StructuralLess{});
  return symbols;
}

std::vector<Expr> symbols_in(Expr root) {
  return symbols_in(std::span(&root, 1));
}

bool depends_on(Expr e, Expr symbol) {
  if (&e.pool() != &symbol.pool() || e.index() < symbol.index()) return false;
  SymbolSets& sets = e.pool().derivatives().symbols;
  sets.cover(e);
  const SymbolSet& wanted = sets.of(symbol);
  const bool is_symbol = symbol.is(Op::symbol);
  if (is_symbol && (sets.exact() || !sets.of(e).meets(wanted))) return sets.of(e).meets(wanted);
  // An argument is older than its user: what is older than the symbol cannot contain it.
  bool found = false;
  NodeMap<char> seen;
  walk_postorder(
      std::span(&e, 1),
      [&](Expr node) {
        found = found || node == symbol;
        return !found && node.index() > symbol.index() && (!is_symbol || sets.of(node).meets(wanted)) &&
               seen.insert(node.index(), 1).second;
      },
      [](Expr) {});
  return found;
}

std::size_t count_operations(std::span<const Expr> roots) {
  const std::vector<Expr> nodes = postorder(roots);
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [](Expr e) { return !e.args().empty(); }));
}

std::size_t count_written_operations(Expr root) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  NodeMap<std::size_t> written;
  for (Expr e : postorder(root)) {
    std::size_t count = e.args().empty() ? 0 : e.is(Op::add) || e.is(Op::mul) ? e.args().size() - 1 : 1;
    for (Expr arg : e.args()) {
      const std::size_t part = *written.find(arg.index());
      count = part > most - count ? most : count + part;
    }
    written.insert(e.index(), count);
  }
  return *written.find(root.index());
}

}  // namespace liaison
