#include "switches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "liaison/expr/substitute.hpp"
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

/// Whether it may become infinite or lose its value along a motion: what holds parameters alone does not
/// change.
bool has_poles(Expr e) {
  std::unordered_set<Expr> moving;
  for (Expr node : postorder(e)) {
    const bool moves = node.is(Op::symbol) ? node.symbol().kind != SymbolKind::parameter
                                           : std::any_of(node.args().begin(), node.args().end(),
                                                         [&](Expr arg) { return moving.contains(arg); });
    if (!moves) continue;
    if (has_an_end(node) || node.is(Op::tan) || (node.is(Op::pow) && node.arg(1).number() < Rational(0)))
      return true;
    moving.insert(node);
  }
  return false;
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

Expr argument_of_switch(Expr node) {
  return node.is(Op::min) || node.is(Op::max) ? node.arg(0) - node.arg(1) : node.arg(0);
}

bool holds_switch_of(Expr e, Expr argument) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](Expr node) { return is_switch(node) && argument_of_switch(node) == argument; });
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

/// As it is written. No nudge makes a maximum less than it is, or a minimum more: its root would have no
/// value.
Expr Switches::rough(Expr node, std::span<const Expr> args, std::size_t place) const {
  const Expr below = symbol(place, 1), above = symbol(place, 2), nudge = symbol(place, 3);
  std::vector<Expr> nudged(args.begin(), args.end());
  if (!node.is(Op::min) && !node.is(Op::max)) {
    nudged[0] = nudged[0] + nudge;
    return node.pool().rebuild(node, nudged);
  }
  const bool is_first_above = node.is(Op::max);  // on which side the first one is taken
  const Expr of_first = is_first_above ? above : below, of_second = is_first_above ? below : above;
  if (!args[0].is_constant()) nudged[0] = nudged[0] + of_first * nudge;
  if (!args[1].is_constant()) nudged[1] = nudged[1] - of_second * nudge;
  const Expr written = node.pool().rebuild(node, nudged);
  if (args[0].is_constant()) return of_first * args[0] + of_second * written;
  if (args[1].is_constant()) return of_first * written + of_second * args[1];
  return written;
}

/// A power that is no integer. Where its base is the number zero on one side, and on the other what is
/// written, it is zero there: the base is one, beside a factor zero, so that its derivatives have values.
Expr Switches::root(Expr node, std::span<const Expr> args) const {
  if (node.arg(1).number() < Rational(0)) return node.pool().rebuild(node, args);
  for (Expr within : postorder(node.arg(0))) {
    if (!is_switch(within) || !(within.is(Op::min) || within.is(Op::max))) continue;
    const bool is_first = within.arg(0).is_constant();
    if (!is_first && !within.arg(1).is_constant()) continue;
    const Expr zero_side = substitute(node.arg(0), {{within, within.arg(is_first ? 0 : 1)}});
    if (!zero_side.is_zero()) continue;
    const std::size_t place = places_.at(within.arg(0) - within.arg(1));
    const std::size_t taken = within.is(Op::max) == is_first ? 2 : 1;  // where the constant is
    const Expr there = symbol(place, taken), here = symbol(place, 3 - taken);
    return here * pow(here * args[0] + there, node.arg(1).number());
  }
  return node.pool().rebuild(node, args);
}

Expr Switches::held(Expr node, std::span<const Expr> args, bool delicate) {
  const bool two = node.is(Op::min) || node.is(Op::max);
  const std::size_t place =
      two ? place_of(node.arg(0) - node.arg(1), args[0] - args[1]) : place_of(node.arg(0), args[0]);
  if (delicate || node.is(Op::atan2) || (two && has_poles(node))) {
    rough_[place] = true;
    return rough(node, args, place);
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
    made[node] = is_switch(node)                        ? held(node, args, delicate.contains(node))
                 : same                                 ? node
                 : node.is(Op::pow) && has_an_end(node) ? root(node, args)
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

}  // namespace liaison
