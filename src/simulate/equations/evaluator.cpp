#include "liaison/simulate/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluator_parts.hpp"
#include "liaison/compile/interpreter.hpp"
#include "liaison/mechanics/motion_kind.hpp"
#include "program_values.hpp"

namespace liaison {

namespace {

constexpr int most_factor_rounds = 60;  ///< of directions that depend on the factors
constexpr double smallest_factor_change = 1e-14, largest_factor_change = 1e-9;

std::string text_of(SaddleOutcome outcome) {
  switch (outcome) {
    case SaddleOutcome::singular: return in_words(MotionKind::undetermined) + ": the mass matrix is singular";
    case SaddleOutcome::incompatible:
      return in_words(MotionKind::contradictory) + ": no factors keep the relations";
    default: return {};
  }
}

const double* scatter(const SparseMatrix& pattern, const double* values, std::vector<double>& dense) {
  dense.assign(pattern.rows * pattern.columns, 0);
  for (const SparseEntry& entry : pattern.entries)
    dense[entry.row * pattern.columns + entry.column] = *values++;
  return values;
}

const double* copy(const double* values, std::size_t count, std::vector<double>& result) {
  result.assign(values, values + count);
  return values + count;
}

}  // namespace

bool Evaluator::Implementation::are_inputs(double t, const double* y) const {
  const double* in = input_values.data();
  return in[0] == t && are_same_bits(in, &t, 1) && are_same_bits(in + 1, y, symbols.size());
}

double* Evaluator::Implementation::inputs(double t, const double* y) {
  has_rates = has_rates && are_inputs(t, y);
  double* in = input_values.data();
  in[0] = t;
  copy_values(y, symbols.size(), in + 1);
  if (!switches.empty() && !sides_are_held) follow_sides(in);
  return in;
}

bool Evaluator::Implementation::rates(double t, const double* y, double* dy) {
  if (!solve_with(*dynamics, *ranks, t, y, dy)) return false;
  if (choice && !ranks->open.empty()) {
    is_chosen = false;
    chosen_at = t;
    chosen_state.assign(y, y + symbols.size());
  }
  for (const std::size_t a : at_rest) dy[positions + a] = 0;
  if (rounding_is_rest) rest_where_forces_cancel(t, y, dy);
  return true;
}

std::string Evaluator::Implementation::in_words(SaddleOutcome outcome, const RankMemory& memory,
                                                double t) const {
  if (outcome == SaddleOutcome::no_value)
    return fmt::format("the equations of motion have no value at t = {:.9g}", t);
  if (outcome == SaddleOutcome::undetermined)
    return liaison::in_words(MotionKind::undetermined) + open_in_words(memory);
  return text_of(outcome);
}

bool Evaluator::Implementation::solve_with(SaddleSolver& solver, const RankMemory& memory, double t,
                                           const double* y, double* dy) {
  if (!failure.empty()) failure.clear();
  if (has_rates && &solver == dynamics.get() && are_inputs(t, y) && solver.repeat(dy, dy + positions))
    return true;
  has_rates = false;
  double* in = inputs(t, y);
  if (!equations.implicit && !switches_need_factors) {  // no program looks at a guess of the factors
    const SaddleOutcome outcome = solver.solve(in, dy, dy + positions, factors.data());
    has_rates = outcome == SaddleOutcome::solved && &solver == dynamics.get() && switches.empty();
    if (outcome != SaddleOutcome::solved) failure = in_words(outcome, memory, t);
    return outcome == SaddleOutcome::solved;
  }
  const std::span<double> guess(in + first_factor, forces);
  if (!all_finite(guess)) std::fill(guess.begin(), guess.end(), 0.0);
  const bool is_closed = &solver == dynamics.get() && assembly == Assembly::closed_form;
  if (equations.implicit && !is_closed && follow_factors(solver, in, dy)) return true;
  double change = 0;
  for (int round = 0; round < most_factor_rounds; ++round) {
    const SaddleOutcome outcome = solver.solve(in, dy, dy + positions, factors.data());
    if (outcome != SaddleOutcome::solved) {
      failure = in_words(outcome, memory, t);
      return false;
    }
    if (!equations.implicit || is_closed) return true;
    change = improve_guess(guess, round);
    if (switches_need_factors && !sides_are_held) follow_sides(in);
    if (change < smallest_factor_change) return true;
  }
  if (change < largest_factor_change) return true;
  failure = "the factors in their own directions do not settle";
  return false;
}

/// ": it depends on lambda(a) and lambda(b), which nothing determines"
std::string Evaluator::Implementation::open_in_words(const RankMemory& memory) const {
  std::string list;
  for (std::size_t h = 0; h < forces; ++h) {
    const bool open = std::any_of(memory.open.begin(), memory.open.end(),
                                  [&](const auto& direction) { return std::abs(direction[h]) > 1e-9; });
    if (open) list += (list.empty() ? "lambda(" : ", lambda(") + equations.names[h] + ")";
  }
  return ": it depends on " + list + ", which nothing determines";
}

/// The next guess of factors that enter their own directions, and by how much it changed. Every third one is
/// Aitken's: a law that falls steeply converges like a geometric series.
double Evaluator::Implementation::improve_guess(std::span<double> guess, int round) {
  double change = 0, size = 0;
  for (const double factor : factors) size = std::max(size, std::abs(factor));
  for (std::size_t h = 0; h < forces; ++h) {
    const double before = guess[h], now = factors[h];
    if (now != before) change = std::max(change, std::abs(now - before) / std::max(size, std::abs(before)));
    guess[h] = now;
    const double first = before - earlier_guess[h], second = now - before;
    if (round % 3 == 2 && std::abs(second) > 0.5 * std::abs(first) && second != first)
      guess[h] = now - second * second / (second - first);
    earlier_guess[h] = before;
  }
  return change;
}

std::vector<Expr> Evaluator::Implementation::piece_outputs() const {
  std::vector<Expr> result;
  for (const SparseMatrix* matrix : {&equations.mass, &equations.directions, &equations.gradients})
    for (const SparseEntry& entry : matrix->entries) result.push_back(entry.value);
  for (const std::vector<Expr>* list :
       {&equations.position_rates, &equations.load, &equations.bias, &equations.relations})
    result.insert(result.end(), list->begin(), list->end());
  const SaddleEquations level = level_equations();
  result.insert(result.end(), level.c.begin(), level.c.end());
  for (const SparseEntry& entry : level.g.entries) result.push_back(entry.value);
  return result;
}

bool Evaluator::Implementation::pieces(double t, const double* y, std::span<const double> given,
                                       Pieces& result) {
  if (!piece_program) {
    piece_program.emplace(input_symbols, piece_outputs(), engine);
    level_pattern = level_equations().g;
  }
  std::copy(given.begin(), given.end(),  // first: sides may follow them
            input_values.begin() + static_cast<std::ptrdiff_t>(first_factor));
  const double* values = (*piece_program)(inputs(t, y));
  values = scatter(equations.mass, values, result.mass);
  values = scatter(equations.directions, values, result.directions);
  values = scatter(equations.gradients, values, result.gradients);
  values = copy(values, positions, result.position_rates);
  values = copy(values, n, result.load);
  values = copy(values, equations.relation_count, result.bias);
  values = copy(values, equations.relation_count, result.relations);
  values = copy(values, levels, result.levels);
  scatter(level_pattern, values, result.level_gradients);
  return all_finite(piece_program->values());
}

bool Evaluator::Implementation::matrix(const SparseMatrix& of, std::optional<Runner>& program, double t,
                                       const double* y, std::vector<double>& result) {
  if (!program) {
    std::vector<Expr> outputs;
    for (const SparseEntry& entry : of.entries) outputs.push_back(entry.value);
    program.emplace(input_symbols, outputs, engine);
  }
  scatter(of, (*program)(inputs(t, y)), result);
  return all_finite(program->values());
}

Evaluator::Evaluator(const AssembledEquations& equations, const DoublePoint& parameters,
                     const EvaluatorOptions& options, const Motion* motion)
    : implementation_(std::make_unique<Implementation>(equations, parameters, options, motion)) {}
Evaluator::Evaluator(const Motion& motion, const DoublePoint& parameters, const EvaluatorOptions& options) {
  auto kept = std::make_unique<AssembledEquations>(assembled(motion));
  implementation_ = std::make_unique<Implementation>(*kept, parameters, options, &motion);
  implementation_->kept = std::move(kept);
}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

std::size_t Evaluator::size() const {
  return implementation_->symbols.size();
}
std::size_t Evaluator::position_count() const {
  return implementation_->positions;
}
const std::vector<Expr>& Evaluator::symbols() const {
  return implementation_->symbols;
}
Assembly Evaluator::assembly() const {
  return implementation_->assembly;
}
Engine Evaluator::engine() const {
  return implementation_->engine;
}
const Program* Evaluator::rates_program() const {
  return implementation_->equations.implicit ? nullptr : implementation_->dynamics->program();
}
std::span<const double> Evaluator::rates_inputs() const {
  return implementation_->input_values;
}
std::span<const double> Evaluator::rates_inputs(double t, const double* y) {
  implementation_->inputs(t, y);
  return implementation_->input_values;
}
std::size_t Evaluator::operation_count() const {
  return implementation_->dynamics->operation_count();
}
std::span<const double> Evaluator::factors() const {
  Implementation& self = *implementation_;
  if (!self.choice || self.ranks->open.empty()) return self.factors;
  if (!self.is_chosen) {
    self.is_chosen = true;
    self.chosen = self.factors;
    self.choice(self.chosen_at, self.chosen_state.data(), self.ranks->open, self.chosen);
  }
  return self.chosen;
}
void Evaluator::choose_open_factors(FactorChoice choice) {
  // Factors that enter their own directions are those of the solution.
  if (!implementation_->equations.implicit) implementation_->choice = std::move(choice);
}
void Evaluator::allow_open_motion(double part) {
  implementation_->ranks->open_motion = part;
  implementation_->has_rates = false;
}
const std::vector<std::vector<double>>& Evaluator::open_factors() const {
  return implementation_->ranks->open;
}
bool Evaluator::learn_rank(double t, const double* y) {
  std::vector<double> dy(size());
  implementation_->ranks->learning = true;
  implementation_->has_rates = false;
  const bool known = rates(t, y, dy.data());
  implementation_->ranks->learning = false;
  return known;
}
const std::string& Evaluator::failure() const {
  return implementation_->failure;
}
bool Evaluator::has_relations() const {
  return relation_count() > 0;
}
std::size_t Evaluator::direction_count() const {
  return implementation_->n;
}
std::size_t Evaluator::factor_count() const {
  return implementation_->forces;
}
std::size_t Evaluator::relation_count() const {
  return implementation_->equations.relation_count;
}
std::size_t Evaluator::level_count() const {
  return implementation_->levels;
}
std::vector<double> Evaluator::pack(const DoublePoint& point) const {
  std::vector<double> y;
  for (Expr symbol : symbols()) y.push_back(point.at(symbol));
  return y;
}

bool Evaluator::rates(double t, const double* y, double* dy) {
  return implementation_->rates(t, y, dy);
}

bool Evaluator::pieces(double t, const double* y, std::span<const double> factors, Pieces& result) {
  return implementation_->pieces(t, y, factors, result);
}

bool Evaluator::mass(double t, const double* y, std::vector<double>& result) {
  Implementation& self = *implementation_;
  return self.matrix(self.equations.mass, self.mass_program, t, y, result);
}
bool Evaluator::gradients(double t, const double* y, std::vector<double>& result) {
  Implementation& self = *implementation_;
  return self.matrix(self.equations.gradients, self.gradient_program, t, y, result);
}

const AssembledEquations& Evaluator::equations() const {
  return implementation_->equations;
}

bool Evaluator::project(double t, double* y) {
  return implementation_->project(t, y);
}

Evaluator::Residuals Evaluator::residuals(double t, const double* y) {
  Implementation& self = *implementation_;
  self.constraint_residuals.evaluate(self.inputs(t, y));
  return {self.constraint_residuals.level_along_run(), self.constraint_residuals.relation_along_run()};
}

std::vector<double> Evaluator::constraint_sizes() const {
  return implementation_->constraint_residuals.sizes();
}
void Evaluator::set_constraint_sizes(std::span<const double> sizes) {
  implementation_->constraint_residuals.set_sizes(sizes);
}

Evaluator::Energies Evaluator::energies(double t, const double* y) {
  Implementation& self = *implementation_;
  self.energy_terms(self.inputs(t, y));
  const std::span<const double> values = self.energy_terms.values();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(self.kinetic_terms);
  return {std::accumulate(values.begin(), middle, 0.0), std::accumulate(middle, values.end(), 0.0)};
}

}  // namespace liaison
