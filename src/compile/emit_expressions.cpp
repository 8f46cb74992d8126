#include <fmt/format.h>

#include <span>

#include "code_builder.hpp"
#include "lower.hpp"
#include "value_graph.hpp"

namespace liaison {
namespace {

/// Sums and products of this many items are made as two chains side by side: the machine overlaps them.
constexpr std::size_t two_chains = 8;

/// Sums and products become chains of instructions with two operands.
class ChainWriter {
 public:
  ChainWriter(CodeBuilder& code, const ValueGraph& graph)
      : code_(code), graph_(graph), values_(graph.size()) {}

  void write(std::uint32_t index) {
    const GraphNode& node = graph_.node(index);
    const auto item = [&](std::size_t i) { return values_[node.items[i].node]; };
    switch (node.kind) {
      case GraphNode::Kind::input: values_[index] = CodeBuilder::input(node.index); break;
      case GraphNode::Kind::constant: values_[index] = code_.constant(node.value); break;
      case GraphNode::Kind::sum: values_[index] = sum(node.items); break;
      case GraphNode::Kind::product: values_[index] = product(node.items); break;
      case GraphNode::Kind::quotient: values_[index] = code_.div(item(0), item(1)); break;
      case GraphNode::Kind::function:
        values_[index] = node.items.size() == 1 ? code_.unary(node.operation, item(0))
                                                : code_.binary(node.operation, item(0), item(1));
    }
  }

  Operand value(Signed x) {
    const Operand plain = values_[x.node];
    if (!x.negative) return plain;
    return plain.kind == Operand::Kind::constant ? code_.constant(-code_.constants()[plain.index])
                                                 : code_.neg(plain);
  }

 private:
  /// Positive and negative terms apart: the sum ends in one difference, whose sign can be turned for nothing.
  Operand sum(const std::vector<Signed>& terms) {
    std::vector<Operand> plus, minus;
    for (Signed term : terms) (term.negative ? minus : plus).push_back(values_[term.node]);
    if (minus.empty()) return chain(Operation::add, plus);
    if (plus.empty()) return code_.neg(chain(Operation::add, minus));
    const Operand positive = chain(Operation::add, plus);
    return code_.sub(positive, chain(Operation::add, minus));
  }

  Operand product(const std::vector<Signed>& items) {
    std::vector<Operand> factors;
    for (Signed item : items) factors.push_back(values_[item.node]);
    return chain(Operation::mul, factors);
  }

  Operand chain(Operation operation, std::span<const Operand> items) {
    const auto join = [&](Operand a, Operand b) {
      return operation == Operation::add ? code_.add(a, b) : code_.mul(a, b);
    };
    if (items.size() < two_chains) {
      Operand result = items[0];
      for (Operand item : items.subspan(1)) result = join(result, item);
      return result;
    }
    Operand chains[2] = {items[0], items[1]};
    for (std::size_t i = 2; i < items.size(); ++i) chains[i % 2] = join(chains[i % 2], items[i]);
    return join(chains[0], chains[1]);
  }

  CodeBuilder& code_;
  const ValueGraph& graph_;
  std::vector<Operand> values_;
};

}  // namespace

std::vector<Operand> emit_expressions(CodeBuilder& code, std::span<const Expr> inputs,
                                      std::span<const Expr> outputs, const ProgramOptions& options) {
  ValueGraph graph;
  const std::vector<Signed> roots = lower(graph, inputs, outputs, options);
  if (options.share_parts) share_parts(graph, roots);
  ChainWriter writer(code, graph);
  for (std::uint32_t node : postorder(graph, roots)) writer.write(node);
  std::vector<Operand> values;
  for (Signed root : roots) values.push_back(writer.value(root));
  return values;
}

std::vector<std::string> name_inputs(std::span<const Expr> inputs) {
  std::vector<std::string> names;
  for (Expr input : inputs) names.push_back(input.symbol().name);
  return names;
}

std::vector<std::string> name_outputs(std::span<const Expr> outputs, const ProgramOptions& options) {
  std::vector<std::string> names = options.output_names;
  for (std::size_t i = names.size(); i < outputs.size(); ++i)
    names.push_back(outputs[i].is(Op::symbol) ? outputs[i].symbol().name : fmt::format("y{}", i));
  names.resize(outputs.size());
  return names;
}

}  // namespace liaison
