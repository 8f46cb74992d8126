#include "value_graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace liaison {
namespace {

/// Longer sums are taken as they are: the search for factors grows with the square of the length.
constexpr std::size_t longest_factored_sum = 300;

enum class Parity { none, odd, even };

Parity parity(Operation operation) {
  switch (operation) {
    case Operation::sin:
    case Operation::tan:
    case Operation::asin:
    case Operation::atan:
    case Operation::sinh:
    case Operation::tanh:
    case Operation::sign: return Parity::odd;
    case Operation::cos:
    case Operation::cosh:
    case Operation::abs: return Parity::even;
    default: return Parity::none;
  }
}

}  // namespace

std::size_t ValueGraph::Hash::operator()(const GraphNode& node) const {
  std::uint64_t hash =
      static_cast<std::uint64_t>(node.kind) * 31 + static_cast<std::uint64_t>(node.operation);
  const auto mix = [&hash](std::uint64_t x) { hash = (std::rotl(hash, 23) ^ x) * 0x9E3779B97F4A7C15ULL; };
  mix(node.index);
  mix(std::bit_cast<std::uint64_t>(node.value));
  for (Signed item : node.items) mix(2 * std::uint64_t{item.node} + item.negative);
  return hash ^ (hash >> 32);
}

bool ValueGraph::Equal::operator()(const GraphNode& a, const GraphNode& b) const {
  return a.kind == b.kind && a.operation == b.operation && a.index == b.index &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) && a.items == b.items;
}

std::uint32_t ValueGraph::add_node(GraphNode node) {
  nodes_.push_back(std::move(node));
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t ValueGraph::intern(GraphNode node) {
  const auto [place, is_new] = known_.try_emplace(node, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back(std::move(node));
  return place->second;
}

bool ValueGraph::is_constant(Signed x, double value) const {
  const GraphNode& node = nodes_[x.node];
  return node.kind == GraphNode::Kind::constant && node.value == value;
}

Signed ValueGraph::input(std::uint32_t index) {
  return {intern({.kind = GraphNode::Kind::input, .index = index, .items = {}})};
}

Signed ValueGraph::constant(double value) {
  const std::uint32_t node =
      intern({.kind = GraphNode::Kind::constant, .value = std::abs(value), .items = {}});
  return {node, std::signbit(value)};
}

Signed ValueGraph::without_sign(Signed x) {
  if (!x.negative) return x;
  if (nodes_[x.node].kind == GraphNode::Kind::constant)
    return {intern({.kind = GraphNode::Kind::constant, .value = -nodes_[x.node].value, .items = {}})};
  return {
      intern({.kind = GraphNode::Kind::function, .operation = Operation::neg, .items = {{x.node, false}}})};
}

std::vector<std::uint32_t> ValueGraph::factors(std::uint32_t index) const {
  const GraphNode& node = nodes_[index];
  if (node.kind != GraphNode::Kind::product) return {index};
  std::vector<std::uint32_t> result;
  for (Signed item : node.items) result.push_back(item.node);
  return result;
}

std::vector<std::uint32_t> ValueGraph::common_factors(std::span<const Signed> terms) const {
  std::vector<std::uint32_t> common = factors(terms[0].node);
  for (Signed term : terms.subspan(1)) {
    std::vector<std::uint32_t> others = factors(term.node);
    std::erase_if(common, [&others](std::uint32_t factor) {
      const auto found = std::find(others.begin(), others.end(), factor);
      if (found == others.end()) return true;
      others.erase(found);
      return false;
    });
    if (common.empty()) break;
  }
  return common;
}

Signed ValueGraph::plain_sum(std::span<const Signed> terms) {
  if (terms.size() == 1) return terms[0];
  GraphNode node{.kind = GraphNode::Kind::sum, .items = {terms.begin(), terms.end()}};
  const auto n_negative =
      std::count_if(terms.begin(), terms.end(), [](Signed term) { return term.negative; });
  const auto n_positive = static_cast<std::ptrdiff_t>(terms.size()) - n_negative;
  const bool negative = n_negative != n_positive ? n_negative > n_positive : terms[0].negative;
  if (negative)
    for (Signed& item : node.items) item = -item;
  return {intern(std::move(node)), negative};
}

Signed ValueGraph::factored_sum(std::span<const Signed> terms, std::span<const std::uint32_t> common) {
  std::vector<Signed> rests;
  for (Signed term : terms) {
    std::vector<std::uint32_t> rest = factors(term.node);
    for (std::uint32_t factor : common) rest.erase(std::find(rest.begin(), rest.end(), factor));
    std::vector<Signed> items;
    for (std::uint32_t factor : rest) items.push_back({factor});
    const Signed value = product(items);
    rests.push_back(term.negative ? -value : value);
  }
  std::vector<Signed> result;
  for (std::uint32_t factor : common) result.push_back({factor});
  result.push_back(sum(rests));
  return product(result);
}

std::optional<std::uint32_t> ValueGraph::most_frequent_factor(std::span<const Signed> terms) const {
  std::map<std::uint32_t, std::size_t> counts;
  for (Signed term : terms) {
    std::vector<std::uint32_t> list = factors(term.node);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (std::uint32_t factor : list)
      if (nodes_[factor].kind != GraphNode::Kind::constant) ++counts[factor];
  }
  const auto best = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best == counts.end() || best->second < 2) return std::nullopt;
  return best->first;
}

Signed ValueGraph::grouped_sum(std::span<const Signed> terms, std::uint32_t factor) {
  std::vector<Signed> group, rest;
  std::size_t place = 0;
  for (Signed term : terms) {
    const std::vector<std::uint32_t> list = factors(term.node);
    const bool has = std::find(list.begin(), list.end(), factor) != list.end();
    if (has && group.empty()) place = rest.size();
    (has ? group : rest).push_back(term);
  }
  const Signed whole = sum(group);
  rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(place), whole);
  return sum(rest);
}

std::vector<Signed> ValueGraph::without_opposites(std::span<const Signed> terms) const {
  std::vector<Signed> open;  // sums among the terms opened
  for (Signed term : terms) {
    const GraphNode& node = nodes_[term.node];
    if (node.kind == GraphNode::Kind::sum) {
      for (Signed item : node.items) open.push_back(term.negative ? -item : item);
    } else {
      open.push_back(term);
    }
  }
  std::map<std::uint32_t, int> balance;
  for (Signed term : open) balance[term.node] += term.negative ? -1 : 1;
  std::vector<Signed> kept;
  for (Signed term : open) {
    int& left = balance[term.node];
    if (left == 0 || (left < 0) != term.negative) continue;
    left += term.negative ? 1 : -1;
    kept.push_back(term);
  }
  return kept.size() == open.size() ? std::vector<Signed>(terms.begin(), terms.end()) : kept;
}

std::vector<Signed> ValueGraph::with_one_constant(std::vector<Signed> terms) {
  double total = 0;
  std::erase_if(terms, [&](Signed term) {
    const GraphNode& node = nodes_[term.node];
    if (node.kind != GraphNode::Kind::constant) return false;
    total += term.negative ? -node.value : node.value;
    return true;
  });
  if (total != 0) terms.push_back(constant(total));
  return terms;
}

Signed ValueGraph::sum(std::span<const Signed> given) {
  if (given.size() > longest_factored_sum) return plain_sum(given);
  const std::vector<Signed> terms = with_one_constant(without_opposites(given));
  if (terms.empty()) return constant(0);
  if (terms.size() == 1) return terms[0];
  if (const std::vector<std::uint32_t> common = common_factors(terms); !common.empty())
    return factored_sum(terms, common);
  if (const auto factor = most_frequent_factor(terms)) return grouped_sum(terms, *factor);
  return plain_sum(terms);
}

Signed ValueGraph::product(std::span<const Signed> given) {
  bool negative = false;
  GraphNode node{.kind = GraphNode::Kind::product, .items = {}};
  for (Signed factor : given) {
    if (is_constant(factor, 0)) return constant(0);
    negative ^= factor.negative;
    if (!is_constant(factor, 1)) node.items.push_back({factor.node});
  }
  if (node.items.empty()) return constant(negative ? -1 : 1);
  if (node.items.size() == 1) return {node.items[0].node, negative};
  return {intern(std::move(node)), negative};
}

Signed ValueGraph::quotient(Signed numerator, Signed denominator) {
  const bool negative = numerator.negative != denominator.negative;
  return {intern({.kind = GraphNode::Kind::quotient, .items = {{numerator.node}, {denominator.node}}}),
          negative};
}

Signed ValueGraph::function(Operation operation, Signed argument) {
  bool negative = false;
  switch (parity(operation)) {
    case Parity::none: argument = without_sign(argument); break;
    case Parity::odd: negative = argument.negative; break;
    case Parity::even: break;
  }
  GraphNode node{.kind = GraphNode::Kind::function, .operation = operation, .items = {{argument.node}}};
  return {intern(std::move(node)), negative};
}

Signed ValueGraph::function(Operation operation, Signed first, Signed second) {
  return {intern({.kind = GraphNode::Kind::function,
                  .operation = operation,
                  .items = {without_sign(first), without_sign(second)}})};
}

Signed ValueGraph::power(Signed base, unsigned long n) {
  if (n == 1) return base;
  const Signed half = power(base, n / 2);
  const Signed pair[] = {half, half};
  const Signed square = product(pair);
  if (n % 2 == 0) return square;
  const Signed all[] = {square, base};
  return product(all);
}

std::vector<std::uint32_t> postorder(const ValueGraph& graph, std::span<const Signed> roots) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(graph.size(), false);
  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };
  std::vector<Frame> stack;
  for (Signed root : roots) {
    if (seen[root.node]) continue;
    seen[root.node] = true;
    stack.push_back({root.node, 0});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const std::vector<Signed>& items = graph.node(frame.node).items;
      if (frame.next == items.size()) {
        order.push_back(frame.node);
        stack.pop_back();
        continue;
      }
      const std::uint32_t argument = items[frame.next++].node;
      if (seen[argument]) continue;
      seen[argument] = true;
      stack.push_back({argument, 0});
    }
  }
  return order;
}

}  // namespace liaison
