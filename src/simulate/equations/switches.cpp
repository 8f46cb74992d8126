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

std::size_t Switches::place_of(Expr argument) {
  const auto [found, is_new] = places_.emplace(argument, arguments_.size());
  if (!is_new) return found->second;
  arguments_.push_back(argument);
  rough_.push_back(false);
  for (const char* name : {"side", "below", "above"}) {
    symbols_.push_back(
        argument.pool().symbol(fmt::format("#{}{}", name, arguments_.size()), SymbolKind::auxiliary));
  }
  return found->second;
}

Expr Switches::held(Expr node, std::span<const Expr> args, bool delicate) {
  Pool& pool = node.pool();
  switch (node.op()) {
    case Op::abs:
    case Op::sign: {
      const std::size_t place = place_of(node.arg(0));
      if (delicate) {
        rough_[place] = true;
        break;
      }
      const Expr side = symbols_[3 * place];
      return node.is(Op::sign) ? side : side * args[0];
    }
    case Op::min:
    case Op::max: {
      if (node.args().size() != 2) break;
      const std::size_t place = place_of(node.arg(0) - node.arg(1));
      if (delicate || has_poles(node)) {
        rough_[place] = true;
        break;
      }
      const Expr below = symbols_[3 * place + 1], above = symbols_[3 * place + 2];
      return node.is(Op::min) ? below * args[0] + above * args[1] : above * args[0] + below * args[1];
    }
    case Op::atan2: rough_[place_of(node.arg(0))] = true; break;
    default: break;
  }
  return pool.rebuild(node, args);
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

void Switches::write(double side, double* inputs) {
  inputs[0] = side;
  inputs[1] = side <= 0 ? 1 : 0;
  inputs[2] = side > 0 ? 1 : 0;
}

Expr size_of_terms(Expr e) {
  if (!e.is(Op::add)) return abs(e);
  std::vector<Expr> sizes;
  for (Expr term : e.args()) sizes.push_back(abs(term));
  return e.pool().add(sizes);
}

}  // namespace liaison
