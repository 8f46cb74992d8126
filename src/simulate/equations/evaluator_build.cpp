#include <algorithm>
#include <cmath>
#include <map>

#include "evaluator_parts.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/model/kinematics.hpp"

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

SparseMatrix identity(Pool& pool, std::size_t size) {
  SparseMatrix result{.rows = size, .columns = size, .entries = {}};
  for (std::size_t i = 0; i < size; ++i) result.entries.push_back({i, i, pool.number(1)});
  return result;
}

}  // namespace

std::vector<std::pair<Expr, double>> values_of_parameters(const System& system,
                                                          const DoublePoint& parameters) {
  std::vector<std::pair<Expr, double>> result;
  for (const Parameter& parameter : system.parameters) {
    const auto value = parameters.find(parameter.symbol);
    if (value == parameters.end()) {
      throw Error(ErrorCode::missing_value,
                  "the parameter `" + parameter.symbol.symbol().name + "` has no value");
    }
    if (!std::isfinite(value->second)) {
      throw Error(
          ErrorCode::number_too_large,
          "the value of the parameter `" + parameter.symbol.symbol().name + "` is too large for a double",
          "choose units in which it is smaller");
    }
    result.emplace_back(parameter.symbol, value->second);
  }
  return result;
}

Evaluator::Implementation::Implementation(const AssembledEquations& equations_in,
                                          const DoublePoint& parameters, const EvaluatorOptions& options,
                                          const Motion* motion)
    : written(equations_in),
      held(held_equations(motion)),
      equations(held ? *held : equations_in),
      system(*equations_in.system),
      engine(options.engine),
      parameter_use(options.parameters) {
  lay_out_inputs(parameters);
  build_switches();
  find_implicit_factors();
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
  for (const Expr relation : equations.relations) {
    const bool scaled = relation.is(Op::mul) && relation.args().size() == 2 && relation.arg(0).is_number();
    const Expr velocity = scaled ? relation.arg(1) : relation;
    const auto found = std::find(equations.parameters.begin(), equations.parameters.end(), velocity);
    if (found != equations.parameters.end())
      said_to_rest.push_back(static_cast<std::size_t>(found - equations.parameters.begin()));
  }
  at_rest = said_to_rest;
  input_symbols.push_back(system.time);
  input_symbols.insert(input_symbols.end(), symbols.begin(), symbols.end());
  input_values.assign(input_symbols.size(), 0);
  first_parameter = input_symbols.size();
  fixed = values_of_parameters(system, parameters);
  for (const auto& [symbol, value] : fixed) {
    input_symbols.push_back(symbol);
    input_values.push_back(value);
  }
  first_factor = input_symbols.size();
  input_symbols.insert(input_symbols.end(), equations.factors.begin(), equations.factors.end());
  first_side = input_symbols.size();
  input_symbols.insert(input_symbols.end(), switches.symbols().begin(), switches.symbols().end());
  input_values.resize(input_symbols.size(), 0);
  factors.assign(forces, 0);
  earlier_guess.assign(forces, 0);
}

/// What the programs take for constants.
std::vector<std::pair<Expr, double>> Evaluator::Implementation::folded() const {
  return parameter_use == ParameterUse::folded ? fixed : std::vector<std::pair<Expr, double>>{};
}

SaddleEquations Evaluator::Implementation::motion_equations() const {
  SaddleEquations result;
  result.inputs = input_symbols;
  result.fixed = folded();
  result.a = equations.mass;
  result.l = equations.directions;
  result.g = equations.gradients;
  result.b = equations.load;
  result.c = equations.bias;
  result.further = equations.position_rates;
  result.symmetric = is_symmetric(result.a);
  result.ideal = equations.ideal && result.symmetric;
  result.vanishing = vanishing_relations();
  return result;
}

/// Relations whose gradients vanish on a piece, as they are written.
std::vector<std::size_t> Evaluator::Implementation::vanishing_relations() const {
  const DoublePoint given(fixed.begin(), fixed.end());
  std::vector<std::vector<Expr>> rows(written.relation_count);
  for (const SparseEntry& entry : written.gradients.entries)
    if (entry.row < rows.size()) rows[entry.row].push_back(entry.value);
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (vanish_on_a_piece(rows[k], given)) result.push_back(k);
  return result;
}

/// Whether the closed form is written in the functions of the equations.
bool Evaluator::Implementation::is_as_exact(const Motion& motion) const {
  std::vector<Expr> entries;
  for (const SparseMatrix* matrix : {&written.mass, &written.directions, &written.gradients})
    for (const SparseEntry& entry : matrix->entries) entries.push_back(entry.value);
  for (const std::vector<Expr>* list : {&written.position_rates, &written.load, &written.bias})
    entries.insert(entries.end(), list->begin(), list->end());
  std::vector<Expr> closed = motion.acceleration;
  closed.insert(closed.end(), motion.factors.begin(), motion.factors.end());
  return WrittenForms(entries).are_kept_in(closed);
}

void Evaluator::Implementation::build_dynamics(const EvaluatorOptions& options, const Motion* motion) {
  const auto motion_of = std::make_shared<const SaddleEquations>(motion_equations());
  ranks = motion_of->ranks;
  const bool there = motion != nullptr && !motion->acceleration.empty() &&
                     (motion->status == FactorStatus::none || motion->status == FactorStatus::determined);
  Assembly wanted = motion_of->vanishing.empty() ? options.assembly : Assembly::factorised;
  if (wanted == Assembly::closed_form && there && !is_as_exact(*motion)) wanted = Assembly::unrolled;
  if (wanted == Assembly::closed_form) {
    if (!there) {
      throw Error(ErrorCode::limit_reached, "there is no closed form of the motion of this system",
                  "use the factorised form");
    }
    dynamics = make_closed_solver(*motion, *motion_of, switches, engine);
    assembly = Assembly::closed_form;
    return;
  }
  SolverChoice choice = choose_solver(*motion_of, wanted, true);
  assembly = choice.assembly;
  dynamics = make_solver(motion_of, std::move(choice), engine);
  if (wanted != Assembly::automatic || !there || assembly != Assembly::unrolled) return;
  if (!is_as_exact(*motion)) return;
  auto closed = make_closed_solver(*motion, *motion_of, switches, engine);
  if (closed->operation_count() >= dynamics->operation_count()) return;
  dynamics = std::move(closed);
  assembly = Assembly::closed_form;
}

/// Equations of a least change, with nothing in them yet.
SaddleEquations Evaluator::Implementation::projection_equations() const {
  SaddleEquations result;
  result.inputs = input_symbols;
  result.fixed = folded();
  result.strict = false;
  result.symmetric = result.ideal = true;
  return result;
}

/// How far each direction goes with a small change of the positions: a coordinate by itself, a rotation by
/// w = 4 E^T de, where e' = E w and E^T E = 1/4 for a unit quaternion. By direction: position and
/// coefficient.
std::vector<std::vector<std::pair<std::size_t, Expr>>> Evaluator::Implementation::directions_by_positions()
    const {
  std::vector<std::vector<std::pair<std::size_t, Expr>>> result(n);
  std::size_t coordinates = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (!system.directions[i].rotation) result[i].emplace_back(coordinates++, system.pool->number(1));
  for (std::size_t r = 0; r < system.rotations.size(); ++r) {
    const Rotation& rotation = system.rotations[r];
    const std::array<Expr, 4> rates = quaternion_rates(system, rotation);
    for (std::size_t i = rotation.first_direction; i < rotation.first_direction + 3; ++i) {
      for (std::size_t k = 0; k < 4; ++k)
        result[i].emplace_back(coordinates + 4 * r + k,
                               4 * derivative(rates[k], system.directions[i].velocity));
    }
  }
  return result;
}

/// The metric of the masses on the positions. A change of the length of a quaternion costs as much as one of
/// its direction by a unit of inertia; no step has one.
SparseMatrix Evaluator::Implementation::metric_of_positions() const {
  Pool& pool = *system.pool;
  SparseMatrix result = identity(pool, positions);
  if (!system.chart.parameters.empty() || !is_symmetric(equations.mass)) return result;
  const auto along = directions_by_positions();
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Expr>> terms;
  for (const SparseEntry& entry : equations.mass.entries) {
    for (const auto& [row, left] : along[entry.row])
      for (const auto& [column, right] : along[entry.column])
        terms[{row, column}].push_back(left * entry.value * right);
  }
  for (const Rotation& rotation : system.rotations) {
    const std::size_t first = positions - 4 * system.rotations.size() +
                              4 * static_cast<std::size_t>(&rotation - system.rotations.data());
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        terms[{first + i, first + j}].push_back(rotation.quaternion[i] * rotation.quaternion[j]);
  }
  result.entries.clear();
  for (const auto& [place, sum] : terms) {
    const Expr value = pool.add(sum);
    if (!value.is_zero()) result.entries.push_back({place.first, place.second, value});
  }
  return result;
}

/// The levels, and the length of the quaternions: without it what a step onto the levels does is undone in
/// part when the quaternions are made unit ones again.
SaddleEquations Evaluator::Implementation::level_step_equations() const {
  SaddleEquations result = level_equations();
  Pool& pool = *system.pool;
  const std::size_t first = positions - 4 * system.rotations.size();
  for (std::size_t r = 0; r < system.rotations.size(); ++r) {
    std::vector<Expr> squares{pool.number(-1)};
    for (std::size_t k = 0; k < 4; ++k) {
      const Expr e = system.rotations[r].quaternion[k];
      squares.push_back(pow(e, 2));
      result.g.entries.push_back({result.c.size(), first + 4 * r + k, 2 * e});
    }
    result.c.push_back(pool.add(squares));
  }
  result.g.rows = result.c.size();
  result.l = result.g;
  return result;
}

SaddleEquations Evaluator::Implementation::level_equations() const {
  SaddleEquations result = projection_equations();
  Pool& pool = *system.pool;
  result.a = metric_of_positions();
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
  const DoublePoint given(fixed.begin(), fixed.end());
  for (std::size_t k = 0, row = 0; k < equations.levels.size(); ++k) {
    if (equations.levels[k].empty()) continue;
    std::vector<Expr> present = symbols_in(written.levels[k]);
    std::erase_if(present, [&](Expr symbol) { return !place.contains(symbol); });
    if (vanish_on_a_piece(gradient(written.levels[k], present), given)) result.vanishing.push_back(row);
    ++row;
  }
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
  result.vanishing = vanishing_relations();
  return result;
}

void Evaluator::Implementation::build_constraints(Assembly wanted) {
  const Assembly how = wanted == Assembly::closed_form ? Assembly::automatic : wanted;
  levels = static_cast<std::size_t>(std::count_if(equations.levels.begin(), equations.levels.end(),
                                                  [](Expr level) { return !level.empty(); }));
  SaddlePtr of_levels, of_relations;
  if (levels > 0) {
    of_levels = std::make_shared<const SaddleEquations>(level_equations());
    const bool is_same = system.rotations.empty();
    level_step =
        ConstraintStep(is_same ? of_levels : std::make_shared<const SaddleEquations>(level_step_equations()),
                       1, how, engine);
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
