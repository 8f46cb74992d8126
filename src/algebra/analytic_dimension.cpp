#include "analytic_dimension.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "liaison/expr/traverse.hpp"

namespace liaison {
namespace {

std::optional<std::size_t> find(const Field& field, GeneratorKind kind, Expr symbol) {
  const std::vector<Generator>& all = field.generators();
  const auto place = std::find_if(all.begin(), all.end(), [&](const Generator& generator) {
    return generator.kind == kind && generator.atom == symbol;
  });
  if (place == all.end()) return std::nullopt;
  return static_cast<std::size_t>(place - all.begin());
}

bool has_only(const Poly& p, const std::vector<bool>& variables) {
  for (std::size_t v = 0; v < variables.size(); ++v)
    if (!variables[v] && p.degree(v) > 0) return false;
  return true;
}

bool contains(std::span<const Expr> list, Expr e) {
  return std::find(list.begin(), list.end(), e) != list.end();
}

std::size_t difference(std::size_t a, std::size_t b) {
  return a > b ? a - b : 0;
}

std::size_t count_within(std::span<const Poly> polynomials, const std::vector<bool>& variables) {
  return static_cast<std::size_t>(std::count_if(polynomials.begin(), polynomials.end(),
                                                [&](const Poly& p) { return has_only(p, variables); }));
}

}  // namespace

AnalyticDimension::AnalyticDimension(const Field& field)
    : field_(field), relations_(field.relation_polynomials()) {
  std::vector<Expr> atoms;
  for (const Generator& generator : field.generators()) {
    atoms.push_back(generator.atom);
    symbols_of_.push_back(symbols_in(generator.atom));
  }
  symbols_ = symbols_in(atoms);
  excess_ = difference(difference(atoms.size(), relations_.size()), symbols_.size());
  if (excess_ == 0) return;
  for (const bool functions_first : {false, true}) selections_.push_back(select(functions_first));
}

AnalyticDimension::Selection AnalyticDimension::select(bool functions_first) const {
  const std::size_t count = symbols_of_.size();
  Selection result{.has = Generators(count, false), .is_number = Generators(count, false), .not_told = {}};
  std::vector<Expr> plain;  // symbols that are told by themselves
  for (Expr symbol : symbols_) {
    const auto itself = find(field_, GeneratorKind::plain, symbol);
    const auto cosine = find(field_, GeneratorKind::cosine, symbol);
    const auto exponential = find(field_, GeneratorKind::exponential, symbol);
    if (itself && (!functions_first || (!cosine && !exponential))) {
      result.has[*itself] = true;
      plain.push_back(symbol);
    } else if (cosine) {
      result.has[*cosine] = result.has[*cosine + 1] = true;  // and its sine
    } else if (exponential) {
      result.has[*exponential] = true;
    } else {
      result.not_told.push_back(symbol);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const GeneratorKind kind = field_.generators()[i].kind;
    const bool has_relation = kind == GeneratorKind::root || kind == GeneratorKind::absolute;
    const bool is_told = std::all_of(symbols_of_[i].begin(), symbols_of_[i].end(),
                                     [&](Expr symbol) { return contains(plain, symbol); });
    if (result.has[i] || !is_told || (!has_relation && !symbols_of_[i].empty())) continue;
    result.has[i] = true;
    result.is_number[i] = !has_relation;
  }
  return result;
}

/// Generators that share neither a symbol nor a polynomial: their dimensions are added.
std::vector<AnalyticDimension::Generators> AnalyticDimension::blocks(std::span<const Poly> chain) const {
  const std::size_t count = symbols_of_.size();
  std::vector<std::size_t> block(count);
  for (std::size_t i = 0; i < count; ++i) block[i] = i;
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t from = block[b], to = block[a];
    std::replace(block.begin(), block.end(), from, to);
  };
  for (Expr symbol : symbols_) {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < count; ++i) {
      if (!contains(symbols_of_[i], symbol)) continue;
      if (first) join(*first, i);
      first = i;
    }
  }
  for (const Poly& p : chain) {
    std::optional<std::size_t> first;
    for (std::size_t v = 0; v < count; ++v) {
      if (p.degree(v) == 0) continue;
      if (first) join(*first, v);
      first = v;
    }
  }
  std::vector<Generators> result;
  for (std::size_t k = 0; k < count; ++k) {
    Generators members(count, false);
    for (std::size_t i = 0; i < count; ++i) members[i] = block[i] == k;
    if (std::find(members.begin(), members.end(), true) != members.end())
      result.push_back(std::move(members));
  }
  return result;
}

std::size_t AnalyticDimension::symbols_within(const Generators& block) const {
  return static_cast<std::size_t>(std::count_if(symbols_.begin(), symbols_.end(), [&](Expr symbol) {
    for (std::size_t i = 0; i < block.size(); ++i)
      if (block[i] && contains(symbols_of_[i], symbol)) return true;
    return false;
  }));
}

std::size_t AnalyticDimension::bound_within(const Generators& block, std::span<const Poly> chain) const {
  const auto size = static_cast<std::size_t>(std::count(block.begin(), block.end(), true));
  const std::size_t symbols = symbols_within(block), links = count_within(chain, block);
  const std::size_t relations = count_within(relations_, block);
  std::size_t least = difference(size, links) + difference(symbols, difference(size, relations));
  // an analytic function that is not zero everywhere takes one dimension
  least = std::min(least, field_.is_independent() && links > relations ? difference(symbols, 1) : symbols);
  for (const Selection& selection : selections_) {
    Generators told = block;
    std::size_t dimension = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      told[i] = block[i] && selection.has[i];
      dimension += told[i] && !selection.is_number[i];
    }
    for (Expr symbol : selection.not_told) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (!block[i] || !contains(symbols_of_[i], symbol)) continue;
        ++dimension;
        break;
      }
    }
    least = std::min(least, difference(dimension, count_within(chain, told)));
  }
  return least;
}

std::size_t AnalyticDimension::bound(std::span<const Poly> chain) const {
  if (excess_ == 0) {
    const std::size_t size = symbols_of_.size();
    return difference(size, chain.size()) + difference(symbols_.size(), difference(size, relations_.size()));
  }
  std::size_t result = 0;
  for (const Generators& block : blocks(chain)) result += bound_within(block, chain);
  return result;
}

}  // namespace liaison
