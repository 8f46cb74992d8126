#include <algorithm>

#include "integral_search.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/manifold.hpp"

namespace liaison {

std::optional<StateFlow> flow_with_values(Algebra& algebra, const StateFlow& flow,
                                          const Substitution& values) {
  StateFlow result = flow;
  result.conditions = flow.conditions;
  add_denominators(flow.field.components(), result.conditions);
  const auto valued = [&](Expr e) { return algebra.readable(substitute(e, values)); };
  for (Expr& divisor : result.conditions) {
    divisor = valued(divisor);
    if (divisor.is_zero()) return std::nullopt;
  }
  std::vector<Expr> components;
  for (Expr component : flow.field.components()) components.push_back(valued(component));
  result.field = VectorField(flow.coframe, std::move(components));
  for (auto& [symbol, value] : result.inclusion) value = valued(value);
  return result;
}

std::optional<Expr> value_with(Algebra& algebra, Expr e, const Substitution& values) {
  try {
    return algebra.readable(substitute(e, values));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::division_by_zero && error.code() != ErrorCode::undefined_constant) throw;
    return std::nullopt;
  }
}

namespace {

/// Functions with these values in them: those that still depend on the state, each once.
std::vector<Expr> functions_with_values(Algebra& algebra, const StateFlow& flow,
                                        const std::vector<Expr>& functions, const Substitution& values) {
  if (values.empty()) return functions;
  const std::vector<Expr> state = flow.state();
  std::vector<Expr> result;
  for (Expr function : functions) {
    const Expr e = algebra.readable(substitute(function, values));
    const bool is_free_of_state =
        std::none_of(state.begin(), state.end(), [&](Expr symbol) { return depends_on(e, symbol); });
    if (!is_free_of_state && std::find(result.begin(), result.end(), e) == result.end()) result.push_back(e);
  }
  return result;
}

}  // namespace

SearchFunctions search_functions(Algebra& algebra, const StateFlow& flow, const Substitution& values,
                                 std::span<const Expr> without) {
  const auto with_values = [&](const std::vector<Expr>& functions) {
    std::vector<Expr> result = functions_with_values(algebra, flow, functions, values);
    for (Expr parameter : without) std::erase_if(result, [&](Expr e) { return depends_on(e, parameter); });
    return result;
  };
  SearchFunctions result{with_values(function_generators(algebra, flow)),
                         with_values(energy_coefficients(algebra, flow)), std::nullopt};
  const Expr potential = substitute(flow.motion->space.system->potential, values);
  result.potential_degree = degree_in(algebra, flow.restricted(potential), result.generators);
  return result;
}

FunctionBasis SearchFunctions::basis(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
                                     unsigned degree) const {
  return make_graded_basis(algebra, generators, coefficients, options.function_degree, flow.velocities.size(),
                           degree, potential_degree, options.max_columns);
}

}  // namespace liaison
