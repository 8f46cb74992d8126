#pragma once

#include <span>
#include <vector>

#include "liaison/compile/program.hpp"
#include "liaison/expr/expr.hpp"
#include "value_graph.hpp"

namespace liaison {

/// Expressions as nodes of the graph, one root for each output.
std::vector<Signed> lower(ValueGraph& graph, std::span<const Expr> inputs, std::span<const Expr> outputs,
                          const ProgramOptions& options);

}  // namespace liaison
