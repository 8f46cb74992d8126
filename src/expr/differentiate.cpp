#include "liaison/expr/differentiate.hpp"

#include <algorithm>
#include <optional>

#include "derivative_cache.hpp"
#include "liaison/expr/traverse.hpp"
#include "partial_factors.hpp"
#include "require.hpp"

namespace liaison {

namespace {

/// Differentiation with respect to one symbol, on an explicit stack.
///
/// Where only one argument of a node depends on the symbol, the derivative is a product along the chain of
/// such nodes. The whole chain is multiplied at once: products are flat, so one after another would cost the
/// square of its length.
class ForwardSweep {
 public:
  explicit ForwardSweep(Expr symbol)
      : pool_(symbol.pool()),
        cache_(pool_.derivatives()),
        symbol_(symbol),
        zero_(pool_.number(0)),
        one_(pool_.number(1)) {}

  Expr run(Expr e) {
    cache_.symbols.cover(e.index() < symbol_.index() ? symbol_ : e);
    if (const Expr known = find(e); !known.empty()) return known;
    open(e);
    while (!stack_.empty()) step();
    return find(e);
  }

 private:
  struct Frame {
    Expr node;            ///< whose derivative this frame makes
    Expr end;             ///< where its chain ends; the node itself if it branches
    std::size_t factors;  ///< of the chain: from here on in factors_
    std::uint32_t next_arg;
  };

  bool may_depend(Expr e) const { return cache_.symbols.of(e).meets(cache_.symbols.of(symbol_)); }

  /// The derivative if it is known, else an empty handle.
  Expr find(Expr e) const {
    if (!may_depend(e)) return zero_;
    if (e.is(Op::symbol)) return e == symbol_ ? one_ : zero_;
    const Expr* known = cache_.values.find(DerivativeCache::key(e, symbol_));
    return known == nullptr ? Expr() : *known;
  }

  void finish(Expr value) {
    cache_.values.insert(DerivativeCache::key(stack_.back().node, symbol_), value);
    factors_.resize(stack_.back().factors);
    stack_.pop_back();
  }

  /// The slot of the only argument that may depend on the symbol, or nothing if there are several.
  std::optional<unsigned> only_slot(Expr e) const {
    std::optional<unsigned> slot;
    for (unsigned i = 0; i < e.args().size(); ++i) {
      if (!may_depend(e.arg(i))) continue;
      if (slot) return std::nullopt;
      slot = i;
    }
    return slot;
  }

  void open(Expr e) {
    Frame frame{e, e, factors_.size(), 0};
    while (find(frame.end).empty()) {
      const auto slot = only_slot(frame.end);
      if (!slot) break;
      append_partial(frame.end, *slot, factors_);
      frame.end = frame.end.arg(*slot);
    }
    stack_.push_back(frame);
  }

  void step() {
    Frame& frame = stack_.back();
    if (frame.end != frame.node) {
      if (const Expr inner = find(frame.end); !inner.empty()) {
        factors_.push_back(inner);
        finish(pool_.mul(std::span(factors_).subspan(frame.factors)));
      } else {
        stack_.push_back({frame.end, frame.end, factors_.size(), 0});
      }
      return;
    }
    while (frame.next_arg < frame.node.args().size()) {
      const Expr arg = frame.node.arg(frame.next_arg);
      if (find(arg).empty()) return open(arg);
      ++frame.next_arg;
    }
    finish(total(frame.node));
  }

  /// The sum of partial derivative times inner derivative over the arguments, all known by now.
  Expr total(Expr e) {
    std::vector<Expr> terms;
    for (unsigned slot = 0; slot < e.args().size(); ++slot) {
      const Expr inner = find(e.arg(slot));
      if (inner.is_zero()) continue;
      if (e.is(Op::add)) {
        terms.push_back(inner);
        continue;
      }
      const std::size_t first = factors_.size();
      append_partial(e, slot, factors_);
      factors_.push_back(inner);
      terms.push_back(pool_.mul(std::span(factors_).subspan(first)));
      factors_.resize(first);
    }
    return pool_.add(terms);
  }

  Pool& pool_;
  DerivativeCache& cache_;
  Expr symbol_, zero_, one_;
  std::vector<Frame> stack_;
  std::vector<Expr> factors_;
};

/// What decides between the two sweeps: nodes to be visited for all entries.
struct JacobianPlan {
  SymbolSet wanted;
  std::size_t forward_cost = 0;
  std::size_t reverse_cost = 0;
};

JacobianPlan plan_jacobian(std::span<const Expr> rows, std::span<const Expr> symbols) {
  JacobianPlan plan;
  SymbolSets& sets = symbols[0].pool().derivatives().symbols;
  for (Expr symbol : symbols) {
    sets.cover(symbol);
    plan.wanted.join(sets.of(symbol));
  }
  for (Expr row : rows) sets.cover(row);
  // Forward: each node once for each symbol in it. Memory makes rows share their work.
  for (Expr e : postorder(rows)) plan.forward_cost += sets.of(e).common(plan.wanted);
  // Reverse: each node once for each row above it; counting stops when it has lost.
  for (Expr row : rows) {
    if (2 * plan.reverse_cost > plan.forward_cost) break;
    if (sets.of(row).meets(plan.wanted)) plan.reverse_cost += postorder(row).size();
  }
  return plan;
}

/// The columns that may have an entry in a row. With few symbols their sets tell; with many the row is
/// walked, so that sparse rows cost what stands in them.
class ColumnsOfRows {
 public:
  explicit ColumnsOfRows(std::span<const Expr> symbols)
      : symbols_(symbols), sets_(symbols[0].pool().derivatives().symbols) {
    if (!is_many()) return;
    next_.assign(symbols.size(), none);
    for (std::size_t column = symbols.size(); column-- > 0;) {
      const auto [first, is_new] = first_.insert(symbols[column].index(), static_cast<std::uint32_t>(column));
      if (is_new) continue;
      next_[column] = *first;
      *first = static_cast<std::uint32_t>(column);
    }
  }

  bool is_many() const { return symbols_.size() > SymbolSet::width; }

  std::vector<std::size_t> of(Expr row) const {
    std::vector<std::size_t> columns;
    if (!is_many()) {
      for (std::size_t column = 0; column < symbols_.size(); ++column) {
        if (sets_.of(row).meets(sets_.of(symbols_[column]))) columns.push_back(column);
      }
      return columns;
    }
    for (Expr symbol : symbols_in(row)) {
      const std::uint32_t* first = first_.find(symbol.index());
      for (std::uint32_t column = first ? *first : none; column != none; column = next_[column])
        columns.push_back(column);
    }
    std::sort(columns.begin(), columns.end());
    return columns;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  std::span<const Expr> symbols_;
  const SymbolSets& sets_;
  NodeMap<std::uint32_t> first_;     ///< column of each symbol
  std::vector<std::uint32_t> next_;  ///< of the same symbol
};

/// The derivatives of a row in those columns by one reverse sweep.
std::vector<Expr> swept_row(Expr row, std::span<const Expr> symbols, const std::vector<std::size_t>& columns,
                            bool many) {
  std::vector<Expr> result, wanted;
  for (std::size_t column : columns) wanted.push_back(symbols[column]);
  if (many) return gradient(row, wanted);
  const std::vector<Expr> all = gradient(row, symbols);
  for (std::size_t column : columns) result.push_back(all[column]);
  return result;
}

}  // namespace

Expr derivative(Expr e, Expr symbol) {
  require_symbols(std::span(&symbol, 1));
  require_same_pool(symbol, e);
  return ForwardSweep(symbol).run(e);
}

std::vector<JacobianEntry> jacobian(std::span<const Expr> rows, std::span<const Expr> symbols) {
  std::vector<JacobianEntry> entries;
  if (rows.empty() || symbols.empty()) return entries;
  require_symbols(symbols);
  require_pool(symbols[0].pool(), symbols);
  require_pool(symbols[0].pool(), rows);
  const JacobianPlan plan = plan_jacobian(rows, symbols);
  const bool reverse = 2 * plan.reverse_cost <= plan.forward_cost;
  const SymbolSets& sets = symbols[0].pool().derivatives().symbols;
  const ColumnsOfRows columns_of(symbols);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!sets.of(rows[row]).meets(plan.wanted)) continue;
    const std::vector<std::size_t> columns = columns_of.of(rows[row]);
    if (columns.empty()) continue;
    const std::vector<Expr> swept =
        reverse ? swept_row(rows[row], symbols, columns, columns_of.is_many()) : std::vector<Expr>();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Expr value = reverse ? swept[i] : derivative(rows[row], symbols[columns[i]]);
      if (!value.is_zero()) entries.push_back({row, columns[i], value});
    }
  }
  return entries;
}

}  // namespace liaison
