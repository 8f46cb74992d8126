#pragma once

#include <span>
#include <vector>

#include "liaison/expr/expr.hpp"
#include "value_graph.hpp"

namespace liaison {

/// Expressions as nodes of the graph, one root for each output. `max_power`: see ProgramOptions.
std::vector<Signed> lower(ValueGraph& graph, std::span<const Expr> inputs, std::span<const Expr> outputs,
                          long max_power);

}  // namespace liaison
