#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "liaison/compile/program.hpp"

/// Sums and products still with all their terms, signs kept outside: the form in which common parts are
/// found.
namespace liaison {

/// A node with a sign in front: -x costs nothing until something needs the number itself.
struct Signed {
  std::uint32_t node = 0;
  bool negative = false;
  friend auto operator<=>(const Signed&, const Signed&) = default;
};
inline Signed operator-(Signed x) {
  return {x.node, !x.negative};
}

struct GraphNode {
  enum class Kind : std::uint8_t { input, constant, sum, product, quotient, function };
  Kind kind = Kind::input;
  Operation operation = Operation::add;  ///< of a function
  std::uint32_t index = 0;               ///< of an input
  double value = 0;                      ///< of a constant
  /// Terms of a sum with their signs; factors; numerator and denominator; arguments. Only terms are negative.
  std::vector<Signed> items;
};

/// Nodes are made once each.
class ValueGraph {
 public:
  Signed input(std::uint32_t index);
  Signed constant(double value);
  /// Most terms of a sum are positive, of two the first: b - a is -(a - b). What all terms share is taken
  /// out.
  Signed sum(std::span<const Signed> terms);
  Signed product(std::span<const Signed> factors);
  Signed quotient(Signed numerator, Signed denominator);
  Signed function(Operation operation, Signed argument);
  Signed function(Operation operation, Signed first, Signed second);
  /// By repeated squaring, n >= 1.
  Signed power(Signed base, unsigned long n);

  std::size_t size() const { return nodes_.size(); }
  GraphNode& node(std::uint32_t index) { return nodes_[index]; }
  const GraphNode& node(std::uint32_t index) const { return nodes_[index]; }
  /// A node of its own, not shared with equal ones: for the search of common parts.
  std::uint32_t add_node(GraphNode node);

 private:
  struct Hash {
    std::size_t operator()(const GraphNode& node) const;
  };
  struct Equal {
    bool operator()(const GraphNode& a, const GraphNode& b) const;
  };
  std::uint32_t intern(GraphNode node);
  /// The absolute value is that number.
  bool is_constant(Signed x, double value) const;
  /// The sign moved into the number: for functions that are neither odd nor even.
  Signed without_sign(Signed x);
  /// Factors of a node as a list: a node that is no product is its own only factor.
  std::vector<std::uint32_t> factors(std::uint32_t node) const;
  std::vector<std::uint32_t> common_factors(std::span<const Signed> terms) const;
  /// What several terms are multiplied by, the most frequent first; never a number.
  std::optional<std::uint32_t> most_frequent_factor(std::span<const Signed> terms) const;
  /// Terms that occur with both signs taken away, also inside of terms that are sums themselves.
  std::vector<Signed> without_opposites(std::span<const Signed> terms) const;
  /// All numbers among the terms added up.
  std::vector<Signed> with_one_constant(std::vector<Signed> terms);
  Signed factored_sum(std::span<const Signed> terms, std::span<const std::uint32_t> common);
  Signed grouped_sum(std::span<const Signed> terms, std::uint32_t factor);
  Signed plain_sum(std::span<const Signed> terms);

  std::vector<GraphNode> nodes_;
  std::unordered_map<GraphNode, std::uint32_t, Hash, Equal> known_;
};

/// Nodes reachable from the roots, arguments first.
std::vector<std::uint32_t> postorder(const ValueGraph& graph, std::span<const Signed> roots);

/// Replaces pairs of terms and of factors that occur in several sums or products by one node each, the most
/// frequent pair first. Greedy: every replacement saves at least one operation.
void share_parts(ValueGraph& graph, std::span<const Signed> roots);

}  // namespace liaison
