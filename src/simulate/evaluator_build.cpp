#include <algorithm>

#include "evaluator_parts.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

/// Terms of a sum, each a row of its own.
std::size_t add_terms(Expr sum, std::vector<std::vector<Expr>>& rows) {
  const std::size_t before = rows.size();
  if (sum.is(Op::add)) {
    for (Expr term : sum.args()) rows.push_back({term});
  } else {
    rows.push_back({sum});
  }
  return rows.size() - before;
}

/// The equations with sides for their switches; null where there are none.
std::unique_ptr<AssembledEquations> held_equations(const AssembledEquations& equations, const Motion* motion,
                                                   Switches& switches) {
  auto result = std::make_unique<AssembledEquations>(equations);
  for (SparseMatrix* matrix : {&result->mass, &result->directions, &result->gradients})
    switches.hold(*matrix);
  for (std::vector<Expr>* list : {&result->position_rates, &result->load, &result->bias})
    switches.hold(*list);
  if (motion != nullptr) {
    for (Expr e : motion->acceleration) switches.hold(e);
    for (Expr e : motion->factors) switches.hold(e);
  }
  return switches.empty() ? nullptr : std::move(result);
}

SparseMatrix identity(Pool& pool, std::size_t size) {
  SparseMatrix result{.rows = size, .columns = size, .entries = {}};
  for (std::size_t i = 0; i < size; ++i) result.entries.push_back({i, i, pool.number(1)});
  return result;
}

}  // namespace

Evaluator::Implementation::Implementation(const AssembledEquations& equations_in,
                                          const DoublePoint& parameters, const EvaluatorOptions& options,
                                          const Motion* motion)
    : written(equations_in),
      held(held_equations(equations_in, motion, switches)),
      equations(held ? *held : equations_in),
      system(*equations_in.system),
      engine(options.engine) {
  lay_out_inputs(parameters);
  build_switches();
  build_dynamics(options, motion);
  build_constraints(options.assembly);
  build_energies();
}

void Evaluator::Implementation::lay_out_inputs(const DoublePoint& parameters) {
  symbols = equations.positions;
  positions = symbols.size();
  symbols.insert(symbols.end(), equations.parameters.begin(), equations.parameters.end());
  n = equations.parameters.size();
  forces = equations.factors.size();
  input_symbols.push_back(system.time);
  input_symbols.insert(input_symbols.end(), symbols.begin(), symbols.end());
  input_values.assign(input_symbols.size(), 0);
  for (const Parameter& parameter : system.parameters) {
    const auto value = parameters.find(parameter.symbol);
    if (value == parameters.end()) {
      throw Error(ErrorCode::missing_value,
                  "the parameter `" + parameter.symbol.symbol().name + "` has no value");
    }
    input_symbols.push_back(parameter.symbol);
    input_values.push_back(value->second);
    fixed.emplace_back(parameter.symbol, value->second);
  }
  first_factor = input_symbols.size();
  input_symbols.insert(input_symbols.end(), equations.factors.begin(), equations.factors.end());
  first_side = input_symbols.size();
  input_symbols.insert(input_symbols.end(), switches.symbols().begin(), switches.symbols().end());
  input_values.resize(input_symbols.size(), 0);
  factors.assign(forces, 0);
  earlier_guess.assign(forces, 0);
}

SaddleEquations Evaluator::Implementation::motion_equations() const {
  SaddleEquations result;
  result.inputs = input_symbols;
  result.fixed = fixed;
  result.a = equations.mass;
  result.l = equations.directions;
  result.g = equations.gradients;
  result.b = equations.load;
  result.c = equations.bias;
  result.further = equations.position_rates;
  result.symmetric = is_symmetric(result.a);
  result.ideal = equations.ideal && result.symmetric;
  return result;
}

void Evaluator::Implementation::build_dynamics(const EvaluatorOptions& options, const Motion* motion) {
  const auto motion_of = std::make_shared<const SaddleEquations>(motion_equations());
  ranks = motion_of->ranks;
  const bool there = motion != nullptr && !motion->acceleration.empty() &&
                     (motion->status == FactorStatus::none || motion->status == FactorStatus::determined);
  if (options.assembly == Assembly::closed_form) {
    if (!there) {
      throw Error(ErrorCode::limit_reached, "there is no closed form of the motion of this system",
                  "use the factorised form");
    }
    dynamics = make_closed_solver(*motion, *motion_of, switches, engine);
    assembly = Assembly::closed_form;
    return;
  }
  SolverChoice choice = choose_solver(*motion_of, options.assembly, true);
  assembly = choice.assembly;
  dynamics = make_solver(motion_of, std::move(choice), engine);
  if (options.assembly != Assembly::automatic || !there || assembly != Assembly::unrolled) return;
  auto closed = make_closed_solver(*motion, *motion_of, switches, engine);
  if (closed->operation_count() >= dynamics->operation_count()) return;
  dynamics = std::move(closed);
  assembly = Assembly::closed_form;
}

/// Equations of a least change, with nothing in them yet.
SaddleEquations Evaluator::Implementation::projection_equations() const {
  SaddleEquations result;
  result.inputs = input_symbols;
  result.fixed = fixed;
  result.strict = false;
  result.symmetric = result.ideal = true;
  return result;
}

/// The metric of the masses on the coordinates, one on the quaternions.
SaddleEquations Evaluator::Implementation::level_equations() const {
  SaddleEquations result = projection_equations();
  Pool& pool = *system.pool;
  result.a = identity(pool, positions);
  if (system.chart.parameters.empty() && is_symmetric(equations.mass)) {
    std::vector<std::size_t> position_of(n, positions);
    std::size_t coordinates = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (!system.directions[i].rotation) position_of[i] = coordinates++;
    result.a.entries.clear();
    for (const SparseEntry& entry : equations.mass.entries) {
      const std::size_t row = position_of[entry.row], column = position_of[entry.column];
      if (row < positions && column < positions) result.a.entries.push_back({row, column, entry.value});
    }
    for (std::size_t i = coordinates; i < positions; ++i) result.a.entries.push_back({i, i, pool.number(1)});
  }
  result.b.assign(positions, pool.number(0));
  std::unordered_map<Expr, std::size_t> place;
  for (std::size_t i = 0; i < positions; ++i) place.emplace(symbols[i], i);
  for (Expr level : equations.levels) {
    if (level.empty()) continue;
    const std::size_t row = result.c.size();
    result.c.push_back(level);
    std::vector<Expr> present;
    for (Expr symbol : symbols_in(level))
      if (place.contains(symbol)) present.push_back(symbol);
    const std::vector<Expr> partials = gradient(level, present);
    std::map<std::size_t, Expr> by_place;
    for (std::size_t i = 0; i < present.size(); ++i)
      if (!partials[i].is_zero()) by_place.emplace(place.at(present[i]), partials[i]);
    for (const auto& [column, value] : by_place) result.g.entries.push_back({row, column, value});
  }
  result.g.rows = result.c.size();
  result.g.columns = positions;
  result.l = result.g;
  return result;
}

SaddleEquations Evaluator::Implementation::relation_equations() const {
  SaddleEquations result = projection_equations();
  // Where the velocity parameters are others, the mass matrix is not a metric on them.
  const bool metric = system.chart.parameters.empty() && is_symmetric(equations.mass);
  result.a = metric ? equations.mass : identity(*system.pool, n);
  result.b.assign(n, system.pool->number(0));
  result.c = equations.relations;
  result.g = result.l = equations.gradients;
  return result;
}

void Evaluator::Implementation::build_constraints(Assembly wanted) {
  const Assembly how = wanted == Assembly::closed_form ? Assembly::automatic : wanted;
  levels = static_cast<std::size_t>(std::count_if(equations.levels.begin(), equations.levels.end(),
                                                  [](Expr level) { return !level.empty(); }));
  SaddlePtr of_levels, of_relations;
  if (levels > 0) {
    of_levels = std::make_shared<const SaddleEquations>(level_equations());
    level_step = ConstraintStep(of_levels, 1, how, engine);
  }
  if (equations.relation_count > 0) {
    of_relations = std::make_shared<const SaddleEquations>(relation_equations());
    relation_step = ConstraintStep(of_relations, 1 + positions, how, engine);
  }
  constraint_residuals =
      ConstraintResiduals(input_symbols, {of_levels.get(), 1}, {of_relations.get(), 1 + positions}, engine);
}

void Evaluator::Implementation::build_energies() {
  std::vector<std::vector<Expr>> rows;
  kinetic_terms = add_terms(equations.kinetic, rows);
  add_terms(equations.potential, rows);
  energy_terms = EntryProgram(input_symbols, rows, engine);
}

}  // namespace liaison
