#include "liaison/report/shared_parts.hpp"

#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double smallest_part = 3;  // operations: m*l^2 is read faster than a name is looked up

/// How the list is written when some of its nodes have names. Counts are doubles: a shared graph written out
/// may hold more operations than an integer can count.
class Ledger {
 public:
  explicit Ledger(std::span<const Expr> roots) : roots_(roots), nodes_(postorder(roots)) {}

  const std::vector<Expr>& nodes() const { return nodes_; }
  const std::unordered_set<Expr>& named() const { return named_; }
  void name(Expr e) { named_.insert(e); }
  void unname(Expr e) { named_.erase(e); }

  void count() {
    for (Expr e : nodes_) {
      double size = e.args().empty() ? 0 : 1;
      if (e.is(Op::add) || e.is(Op::mul)) size = static_cast<double>(e.args().size() - 1);
      for (Expr arg : e.args())
        if (!named_.contains(arg)) size += size_[arg];
      size_[e] = size;
      places_[e] = 0;
    }
    for (Expr root : roots_) places_[root] += 1;
    // Users before their arguments: a named node is written out once, in its definition.
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const double times = named_.contains(nodes_[i]) ? 1 : places_[nodes_[i]];
      for (Expr arg : nodes_[i].args()) places_[arg] += times;
    }
  }

  /// Operations saved by the name of e: written once and once more for its definition, in place of each time.
  double saving(Expr e) const { return (places_.at(e) - 1) * size_.at(e) - 1; }
  double size(Expr e) const { return size_.at(e); }

 private:
  std::span<const Expr> roots_;
  std::vector<Expr> nodes_;
  std::unordered_set<Expr> named_;
  std::unordered_map<Expr, double> size_;
  std::unordered_map<Expr, double> places_;
};

/// 1/D is written with D under the bar: D is the part.
bool is_reciprocal(Expr e) {
  return e.is(Op::pow) && e.arg(1).number().sign() < 0;
}

std::optional<Expr> best_part(const Ledger& ledger) {
  std::optional<Expr> best;
  for (Expr e : ledger.nodes()) {
    if (ledger.named().contains(e) || is_reciprocal(e) || ledger.size(e) < smallest_part ||
        ledger.saving(e) <= 0)
      continue;
    const bool better = !best || ledger.saving(e) > ledger.saving(*best) ||
                        (ledger.saving(e) == ledger.saving(*best) && ledger.size(e) > ledger.size(*best));
    if (better) best = e;
  }
  return best;
}

/// A part inside a part that was named later may have lost its other places.
std::optional<Expr> useless_part(const Ledger& ledger) {
  for (Expr e : ledger.nodes())
    if (ledger.named().contains(e) && ledger.saving(e) <= 0) return e;
  return std::nullopt;
}

/// The parts to name, each after those inside it, in the order in which the list meets them.
std::vector<Expr> choose_parts(std::span<const Expr> expressions) {
  Ledger ledger(expressions);
  ledger.count();
  while (const auto part = best_part(ledger)) {
    ledger.name(*part);
    ledger.count();
  }
  while (const auto part = useless_part(ledger)) {
    ledger.unname(*part);
    ledger.count();
  }
  std::vector<Expr> parts;
  for (Expr e : ledger.nodes())
    if (ledger.named().contains(e)) parts.push_back(e);
  return parts;
}

class FreshNames {
 public:
  FreshNames(Pool& pool, std::string prefix) : pool_(pool), prefix_(std::move(prefix)) {}

  Expr next() {
    while (true) {
      const std::string name = prefix_ + std::to_string(++last_);
      if (pool_.find_symbol(name).empty() && pool_.find_function(name) == nullptr) {
        return pool_.symbol(name, SymbolKind::auxiliary);
      }
    }
  }

 private:
  Pool& pool_;
  std::string prefix_;
  std::size_t last_ = 0;
};

}  // namespace

SharedParts name_shared_parts(Pool& pool, std::span<const Expr> expressions, const std::string& prefix) {
  SharedParts result;
  FreshNames names(pool, prefix);
  Substitution name_of;
  for (Expr part : choose_parts(expressions)) {
    const Expr meaning = substitute(part, name_of);
    const Expr name = names.next();
    result.definitions.emplace_back(name, meaning);
    name_of.emplace(part, name);
  }
  result.rewritten = substitute(expressions, name_of);
  return result;
}

}  // namespace liaison
