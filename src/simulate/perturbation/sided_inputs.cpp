#include "simulate/perturbation/sided_inputs.hpp"

#include <algorithm>

#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"

namespace liaison {

Expr SidedInputs::hold(Expr e) {
  if (!e.empty()) held_.push_back(e);
  return switches_.hold(e);
}

void SidedInputs::hold(std::vector<Expr>& es) {
  for (Expr& e : es) e = hold(e);
}

const std::vector<Expr>& SidedInputs::compile(std::vector<Expr> inputs) {
  inputs_ = std::move(inputs);
  inputs_.insert(inputs_.end(), switches_.symbols().begin(), switches_.symbols().end());
  std::vector<Expr> outputs = switches_.held_arguments();
  for (Expr argument : switches_.held_arguments()) outputs.push_back(size_of_terms(argument));
  arguments_ = Runner(inputs_, outputs, Engine::interpreted);
  cuts_.resize(size());
  for (std::size_t k = 0; k < size(); ++k) {
    if (!switches_.is_rough(k)) continue;
    std::vector<Expr> seconds;
    for (Expr node : postorder(held_)) {
      if (!is_switch(node) || argument_of_switch(node) != switches_.arguments()[k]) continue;
      if (node.is(Op::atan2))
        seconds.push_back(switches_.hold(node.arg(1)));
      else
        cuts_[k].has_other = true;
    }
    cuts_[k].count = seconds.size();
    cuts_[k].seconds = Runner(inputs_, seconds, Engine::interpreted);
  }
  return inputs_;
}

std::vector<double> SidedInputs::with_sides(std::vector<double> in, const ChosenSides& chosen) {
  const std::size_t first = inputs_.size() - Switches::inputs_each * size();
  in.resize(inputs_.size());
  for (std::size_t k = 0; k < size(); ++k) {  // those within an argument stand before it
    const auto found = chosen.find(switches_.arguments()[k]);
    double side = 0;
    if (found != chosen.end()) {
      side = found->second;
    } else {
      const double value = arguments_(in.data())[k];
      side = value > 0 ? 1 : value < 0 ? -1 : 0;
    }
    Switches::write(side, 0, in.data() + first + Switches::inputs_each * k);
  }
  return in;
}

SidedInputs::Values SidedInputs::arguments(const std::vector<double>& with_sides) {
  if (size() == 0) return {};
  const double* found = arguments_(with_sides.data());
  return {{found, found + size()}, {found + size(), found + 2 * size()}};
}

bool SidedInputs::is_rough_at(std::size_t argument, const std::vector<double>& with_sides) {
  if (!switches_.is_rough(argument)) return false;
  Cuts& cuts = cuts_[argument];
  if (cuts.has_other) return true;
  const double* second = cuts.seconds(with_sides.data());
  return !std::all_of(second, second + cuts.count, [](double value) { return value > 0; });
}

}  // namespace liaison
