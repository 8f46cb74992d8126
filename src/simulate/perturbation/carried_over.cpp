#include "simulate/perturbation/carried_over.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "simulate/perturbation/compiled_event.hpp"

namespace liaison {

void CarriedOver::carry(std::string name, Expr e) {
  if (e.empty()) return;
  const std::vector<Expr> nodes = postorder(e);
  if (std::none_of(nodes.begin(), nodes.end(), is_switch)) return;
  names_.push_back(std::move(name));
  held_.push_back(switches_.hold(e));
}

CarriedOver::CarriedOver(const AssembledEquations& equations, const std::vector<Expr>& varied,
                         const std::vector<Expr>& arguments) {
  Substitution signs;
  const Expr energy =
      equations.potential.empty() ? equations.kinetic : equations.kinetic + equations.potential;
  for (Expr node : postorder(energy))
    if (node.is(Op::sign) && !node.is_constant()) signs.emplace(node, switches_.hold(node));
  if (!signs.empty()) {
    names_.emplace_back();
    held_.push_back(substitute(energy, signs));
  }
  for (std::size_t k = 0; k < equations.relation_count; ++k) {
    const bool has_level = !equations.levels[k].empty();
    carry(fmt::format("the relation `{}`", equations.names[k]), equations.levels[k]);
    carry(fmt::format("the {} `{}`", has_level ? "rate of the relation" : "relation", equations.names[k]),
          equations.relations[k]);
  }
  for (std::size_t i = 0; i < equations.positions.size(); ++i)
    carry(fmt::format("the rate of `{}`", to_infix(equations.positions[i])), equations.position_rates[i]);
  for (Expr parameter : equations.parameters)
    carry(fmt::format("the momentum dT/d({})", to_infix(parameter)),
          derivative(equations.kinetic, parameter));

  std::vector<Expr> inputs = inputs_of(equations), by(inputs.begin() + 1, inputs.end());
  by.resize(equations.positions.size() + equations.parameters.size());
  by.insert(by.end(), varied.begin(), varied.end());
  by.push_back(equations.system->time);
  inputs.insert(inputs.end(), switches_.symbols().begin(), switches_.symbols().end());
  for (Expr own : switches_.arguments())
    places_.push_back(
        static_cast<std::size_t>(std::find(arguments.begin(), arguments.end(), own) - arguments.begin()));
  std::vector<Expr> outputs = held_;
  for (Expr e : held_) outputs.push_back(size_of_terms(e));
  values_ = Runner(inputs, outputs, Engine::interpreted);
  slopes_ = CompiledMatrix(held_, by, inputs, Engine::interpreted);
}

bool CarriedOver::look(std::vector<double> in, const std::vector<int>& sides, Look& result) {
  const std::size_t first = in.size(), count = size();
  in.resize(first + Switches::inputs_each * places_.size());
  for (std::size_t k = 0; k < places_.size(); ++k)
    Switches::write(places_[k] < sides.size() ? sides[places_[k]] : 0, 0,
                    in.data() + first + Switches::inputs_each * k);
  const double* found = values_(in.data());
  result.values.assign(found, found + count);
  result.sizes.assign(found + count, found + 2 * count);
  if (!slopes_.evaluate(in.data())) return false;
  result.slopes = slopes_.values;
  return std::all_of(found, found + 2 * count, [](double value) { return std::isfinite(value); });
}

}  // namespace liaison
