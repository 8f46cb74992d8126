#include "switches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// Whether an argument of the node must stay where it is: beyond, the node has no value.
bool has_an_end(Expr node) {
  switch (node.op()) {
    case Op::pow: return !node.arg(1).number().is_integer();
    case Op::log:
    case Op::asin:
    case Op::acos: return true;
    default: return false;
  }
}

/// Whether it may be infinite.
bool has_poles(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr node) {
    return has_an_end(node) || node.is(Op::tan) || (node.is(Op::pow) && node.arg(1).number() < Rational(0));
  });
}

/// Nodes below one that has an end.
std::unordered_set<Expr> delicate_nodes(std::span<const Expr> nodes) {
  std::unordered_set<Expr> result;
  for (std::size_t i = nodes.size(); i-- > 0;) {  // users before their arguments
    if (!has_an_end(nodes[i]) && !result.contains(nodes[i])) continue;
    for (Expr arg : nodes[i].args()) result.insert(arg);
  }
  return result;
}

}  // namespace

bool is_switch(Expr node) {
  return (node.is(Op::abs) || node.is(Op::sign) || node.is(Op::min) || node.is(Op::max) ||
          node.is(Op::atan2)) &&
         !node.is_constant();
}

std::size_t Switches::place_of(Expr argument, Expr held) {
  const auto [found, is_new] = places_.emplace(argument, arguments_.size());
  if (!is_new) return found->second;
  const std::vector<Expr> nodes = postorder(argument);
  arguments_.push_back(argument);
  held_arguments_.push_back(held);
  rough_.push_back(false);
  nested_.push_back(std::any_of(nodes.begin(), nodes.end(), is_switch));
  for (const char* name : {"side", "below", "above", "nudge"}) {
    symbols_.push_back(
        argument.pool().symbol(fmt::format("#{}{}", name, arguments_.size()), SymbolKind::auxiliary));
  }
  return found->second;
}

Expr Switches::held(Expr node, std::span<const Expr> args, bool delicate) {
  const bool two = node.is(Op::min) || node.is(Op::max);
  const std::size_t place =
      two ? place_of(node.arg(0) - node.arg(1), args[0] - args[1]) : place_of(node.arg(0), args[0]);
  if (delicate || node.is(Op::atan2) || (two && has_poles(node))) {
    rough_[place] = true;
    std::vector<Expr> nudged(args.begin(), args.end());
    nudged[0] = nudged[0] + symbol(place, 3);
    return node.pool().rebuild(node, nudged);
  }
  const Expr side = symbol(place, 0), below = symbol(place, 1), above = symbol(place, 2);
  switch (node.op()) {
    case Op::sign: return side;
    case Op::abs: return side * args[0];
    case Op::min: return below * args[0] + above * args[1];
    default: return above * args[0] + below * args[1];
  }
}

Expr Switches::hold(Expr e) {
  if (e.empty()) return e;
  const auto known = done_.find(e);
  if (known != done_.end()) return known->second;
  const std::vector<Expr> nodes = postorder(e);
  if (std::none_of(nodes.begin(), nodes.end(), is_switch)) return done_[e] = e;
  const std::unordered_set<Expr> delicate = delicate_nodes(nodes);
  std::unordered_map<Expr, Expr> made;  // not `done_`: what is delicate here may not be elsewhere
  for (Expr node : nodes) {
    std::vector<Expr> args;
    bool same = true;
    for (Expr arg : node.args()) {
      args.push_back(made.at(arg));
      same = same && args.back() == arg;
    }
    made[node] = is_switch(node) ? held(node, args, delicate.contains(node))
                 : same          ? node
                                 : node.pool().rebuild(node, args);
  }
  return done_[e] = made.at(e);
}

void Switches::hold(std::vector<Expr>& es) {
  for (Expr& e : es) e = hold(e);
}

void Switches::hold(SparseMatrix& matrix) {
  for (SparseEntry& entry : matrix.entries) entry.value = hold(entry.value);
}

void Switches::write(double side, double nudge, double* inputs) {
  inputs[0] = side;
  inputs[1] = side <= 0 ? 1 : 0;
  inputs[2] = side > 0 ? 1 : 0;
  inputs[3] = nudge;
}

Expr size_of_terms(Expr e) {
  if (!e.is(Op::add)) return abs(e);
  std::vector<Expr> sizes;
  for (Expr term : e.args()) sizes.push_back(abs(term));
  return e.pool().add(sizes);
}

}  // namespace liaison
