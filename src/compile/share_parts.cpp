#include <algorithm>
#include <limits>
#include <queue>

#include "expr/flat_map.hpp"
#include "value_graph.hpp"

namespace liaison {
namespace {

/// Terms farther apart than this in a long sum are not tried as a pair: the number of pairs stays linear.
constexpr std::size_t window = 24;

/// Two terms with their relative sign, or two factors.
struct Pair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  bool opposite = false;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

Pair pair_of(Signed a, Signed b) {
  if (b.node < a.node) std::swap(a, b);
  return {a.node, b.node, a.negative != b.negative};
}

/// The lists in which each pair stands. Most pairs stand in one list, which takes no memory of its own.
class ListsOfPairs {
 public:
  /// Behind those that are there, unless it is the last of them.
  void add(const Pair& pair, std::uint32_t list) {
    Entry& entry = *entries_.insert(key_of(pair), Entry{}).first;
    if (entry.several != none) {
      std::vector<std::uint32_t>& lists = several_[entry.several];
      if (lists.empty() || lists.back() != list) lists.push_back(list);
      return;
    }
    if (entry.only == none || entry.only == list) {
      entry.only = list;
      return;
    }
    entry.several = static_cast<std::uint32_t>(several_.size());
    several_.push_back({entry.only, list});
    seen_twice_.push_back(pair);
  }

  std::span<const std::uint32_t> of(const Pair& pair) const {
    const Entry* entry = entries_.find(key_of(pair));
    if (entry == nullptr) return {};
    if (entry->several != none) return several_[entry->several];
    return {&entry->only, entry->only == none ? 0U : 1U};
  }

  /// Of a pair that stood in several.
  void set(const Pair& pair, std::vector<std::uint32_t> lists) {
    several_[entries_.find(key_of(pair))->several] = std::move(lists);
  }

  /// Pairs that stand in two lists or more, or did.
  const std::vector<Pair>& seen_twice() const { return seen_twice_; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Entry {
    std::uint32_t only = none, several = none;
  };
  static std::uint64_t key_of(const Pair& pair) {  // a graph has less than 2^31 nodes
    return (std::uint64_t{pair.first} << 32U | pair.second) << 1U | (pair.opposite ? 1U : 0U);
  }
  FlatMap<std::uint64_t, Entry> entries_;
  std::vector<std::vector<std::uint32_t>> several_;
  std::vector<Pair> seen_twice_;
};

/// Greedy search over all lists of one kind. A list is the items of a node.
class PairSearch {
 public:
  PairSearch(ValueGraph& graph, GraphNode::Kind kind) : graph_(graph), kind_(kind) {}

  void add_list(std::uint32_t node) {
    const std::vector<Signed>& items = graph_.node(node).items;
    for (std::size_t i = 0; i < items.size(); ++i)
      for (std::size_t j = i + 1; j < std::min(items.size(), i + window); ++j) note(items[i], items[j], node);
  }

  void run() {
    for (const Pair& pair : lists_.seen_twice()) offer(pair, lists_.of(pair).size());
    while (!queue_.empty()) {
      const Candidate candidate = queue_.top();
      queue_.pop();
      if (lists_.of(candidate.pair).empty()) continue;  // done already
      std::vector<std::uint32_t> lists = lists_still_with(candidate.pair);
      if (lists.size() < candidate.count) {  // some of its lists have lost it since: back in line
        const std::size_t left = lists.size();
        lists_.set(candidate.pair, std::move(lists));
        offer(candidate.pair, left);
        continue;
      }
      extract(candidate.pair, lists);
    }
  }

 private:
  struct Candidate {
    std::size_t count;
    Pair pair;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.count != b.count ? a.count < b.count : b.pair < a.pair;
    }
  };

  void note(Signed a, Signed b, std::uint32_t list) {
    if (a.node == b.node) return;
    lists_.add(pair_of(a, b), list);
  }

  void offer(const Pair& pair, std::size_t count) {
    if (count >= 2) queue_.push({count, pair});
  }

  /// Where the two items of the pair stand in a list.
  struct Place {
    std::size_t first = 0;
    std::size_t second = 0;
    bool found = false;
  };
  Place find(const Pair& pair, std::uint32_t list) const {
    const std::vector<Signed>& items = graph_.node(list).items;
    const auto position = [&items](std::uint32_t node) {
      return static_cast<std::size_t>(
          std::find_if(items.begin(), items.end(), [node](Signed item) { return item.node == node; }) -
          items.begin());
    };
    Place place{position(pair.first), position(pair.second)};
    place.found = place.first < items.size() && place.second < items.size() &&
                  pair_of(items[place.first], items[place.second]) == pair;
    return place;
  }

  std::vector<std::uint32_t> lists_still_with(const Pair& pair) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t list : lists_.of(pair))
      if (find(pair, list).found) result.push_back(list);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  /// A list that is the pair and nothing else, or a new one.
  std::uint32_t node_of(const Pair& pair, std::span<const std::uint32_t> lists) {
    for (std::uint32_t list : lists) {
      const std::vector<Signed>& items = graph_.node(list).items;
      const Signed first = items[0].node == pair.first ? items[0] : items[1];
      if (items.size() == 2 && !first.negative) return list;
    }
    return graph_.add_node({.kind = kind_, .items = {{pair.first, false}, {pair.second, pair.opposite}}});
  }

  void extract(const Pair& pair, std::span<const std::uint32_t> lists) {
    const std::uint32_t node = node_of(pair, lists);
    std::vector<Pair> fresh;
    for (std::uint32_t list : lists) {
      if (list == node) continue;
      const Place place = find(pair, list);
      std::vector<Signed>& items = graph_.node(list).items;
      const Signed whole{node, items[place.first].negative};
      items[std::min(place.first, place.second)] = whole;
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(std::max(place.first, place.second)));
      const std::size_t at = std::min(place.first, place.second);
      const std::size_t end = std::min(items.size(), at + window);
      for (std::size_t i = at > window ? at - window : 0; i < end; ++i) {
        if (i == at || items[i].node == node) continue;
        note(items[i], whole, list);
        fresh.push_back(pair_of(items[i], whole));
      }
    }
    lists_.set(pair, {});
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    for (const Pair& next : fresh) offer(next, lists_.of(next).size());
  }

  ValueGraph& graph_;
  GraphNode::Kind kind_;
  ListsOfPairs lists_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

void share_parts(ValueGraph& graph, std::span<const Signed> roots) {
  const std::vector<std::uint32_t> used = postorder(graph, roots);
  for (GraphNode::Kind kind : {GraphNode::Kind::product, GraphNode::Kind::sum}) {
    PairSearch search(graph, kind);
    for (std::uint32_t node : used)
      if (graph.node(node).kind == kind) search.add_list(node);
    search.run();
  }
}

}  // namespace liaison
