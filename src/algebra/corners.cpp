#include "liaison/algebra/corners.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

std::vector<Expr> moving_symbols(Expr e) {
  std::vector<Expr> result = symbols_in(e);
  std::erase_if(result, [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
  return result;
}

/// c*v with the factor of its first term 1: the same for all multiples of v.
Expr first_multiple(Expr v) {
  const Expr first = v.is(Op::add) ? v.arg(v.arg(0).is_number() ? 1 : 0) : v;
  if (!first.is(Op::mul) || !first.arg(0).is_number()) return v;
  const Rational factor = Rational(1) / first.arg(0).number();
  if (!v.is(Op::add)) return factor * v;
  std::vector<Expr> terms;
  for (Expr term : v.args()) terms.push_back(factor * term);
  return v.pool().add(terms);
}

bool is_smooth_near(Algebra& algebra, Expr e, Expr u, int order) {
  const std::array written{e};
  const std::vector<Expr> one = near_zero_of(written, u);
  const Region surface{.equations = {u}, .domain = {}, .assumed = {}};
  const auto all_vanish = [&](const std::vector<Expr>& es) {
    return std::all_of(es.begin(), es.end(), [&](Expr d) { return algebra.follows(d, surface); });
  };
  try {
    const Expr above = on_side(one, u, 1)[0];
    std::vector<Expr> differences{above - on_side(one, u, -1)[0]};
    if (!all_vanish({differences[0], above - on_side(one, u, 0)[0]})) return false;
    const std::vector<Expr> symbols = moving_symbols(one[0]);
    for (int k = 0; k < order; ++k) {
      std::vector<Expr> next;
      for (Expr difference : differences) {
        const std::vector<Expr> slopes = gradient(difference, symbols);
        next.insert(next.end(), slopes.begin(), slopes.end());
      }
      std::erase_if(next, [](Expr d) { return d.is_zero(); });
      if (!all_vanish(next)) return false;
      differences = std::move(next);
    }
    return true;
  } catch (const Error&) {
    return false;  // a side has no value
  }
}

}  // namespace

/// Where the pieces of an expression stand, so that each of many costs no walk through all of it.
class SmoothnessTest::Index {
 public:
  explicit Index(Expr e) : nodes_(postorder(std::array{e})), parents_(nodes_.size()) {
    std::unordered_map<Expr, std::uint32_t> places;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const Expr node = nodes_[i];
      places.emplace(node, i);
      for (Expr arg : node.args()) parents_[places.at(arg)].push_back(i);
      if (node.is(Op::sign) || node.is(Op::abs)) pieces_[first_multiple(node.arg(0))].push_back(i);
      if (node.is(Op::min) || node.is(Op::max))
        pieces_[first_multiple(node.arg(0) - node.arg(1))].push_back(i);
    }
  }

  /// e with a symbol in place of what stands in long sums beside the pieces of u: it is as smooth across u as
  /// what lies beside them, so that what is shown for every value of the symbol holds for it.
  Expr near(Expr u) const {
    const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> touched = above_pieces_of(u);
    const auto is_long = [&](const auto& one) {
      return nodes_[one.first].is(Op::add) &&
             nodes_[one.first].args().size() > one.second.size() + longest_whole_sum;
    };
    if (std::none_of(touched.begin(), touched.end(), is_long)) return nodes_.back();
    std::vector<std::uint32_t> order;
    for (const auto& one : touched) order.push_back(one.first);
    std::sort(order.begin(), order.end());
    std::unordered_map<Expr, Expr> known;
    std::size_t rests = 0;
    for (std::uint32_t i : order) {
      const Expr node = nodes_[i];
      std::vector<Expr> args;
      if (is_long(*touched.find(i))) {
        for (std::uint32_t child : touched.at(i)) args.push_back(known.at(nodes_[child]));
        args.push_back(node.pool().symbol("rest__" + std::to_string(rests++), SymbolKind::auxiliary));
      } else {
        for (Expr arg : node.args()) {
          const auto place = known.find(arg);
          args.push_back(place == known.end() ? arg : place->second);
        }
      }
      known.emplace(node, node.pool().rebuild(node, args));
    }
    return known.at(nodes_.back());
  }

 private:
  static constexpr std::size_t longest_whole_sum = 16;

  /// The nodes that hold a piece of u, each with its arguments that do.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> above_pieces_of(Expr u) const {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> touched;
    const auto pieces = pieces_.find(first_multiple(u));
    if (pieces == pieces_.end()) return touched;
    std::vector<std::uint32_t> open;
    for (std::uint32_t piece : pieces->second)
      if (touched.try_emplace(piece).second) open.push_back(piece);
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      for (std::uint32_t parent : parents_[node]) {
        const auto [place, is_new] = touched.try_emplace(parent);
        place->second.push_back(node);
        if (is_new) open.push_back(parent);
      }
    }
    return touched;
  }

  std::vector<Expr> nodes_;
  std::vector<std::vector<std::uint32_t>> parents_;
  std::unordered_map<Expr, std::vector<std::uint32_t>> pieces_;  ///< by the first multiple of their argument
};

SmoothnessTest::SmoothnessTest(Algebra& algebra, Expr e)
    : algebra_(algebra), index_(std::make_unique<Index>(e)) {}
SmoothnessTest::~SmoothnessTest() = default;

bool SmoothnessTest::is_smooth_across(Expr u, int order) const {
  return is_smooth_near(algebra_, index_->near(u), u, order);
}

std::vector<Expr> corners(Algebra& algebra, Expr e, int order) {
  const PieceArguments pieces = piece_arguments(std::array{e});
  if (pieces.jumps.empty() && pieces.kinks.empty()) return {};
  const SmoothnessTest test(algebra, e);
  std::vector<Expr> result;
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) {
      if (!moving_symbols(u).empty() && !test.is_smooth_across(u, order)) result.push_back(u);
    }
  }
  return result;
}

}  // namespace liaison
