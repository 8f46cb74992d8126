#pragma once

#include <span>
#include <vector>

#include "flat_map.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

/// A depth-first walk on an explicit stack. `enter` is asked once an edge whether to go into a node (it
/// remembers what it has seen); `leave` is called after the arguments.
template <class Enter, class Leave>
void walk_postorder(std::span<const Expr> roots, Enter enter, Leave leave) {
  struct Frame {
    Expr node;
    std::uint32_t next;
  };
  std::vector<Frame> stack;
  for (Expr root : roots) {
    if (enter(root)) stack.push_back({root, 0});
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.node.args().size()) {
        leave(top.node);
        stack.pop_back();
      } else if (const Expr arg = top.node.arg(top.next++); enter(arg)) {
        stack.push_back({arg, 0});
      }
    }
  }
}

}  // namespace liaison
