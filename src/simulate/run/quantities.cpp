#include "liaison/simulate/quantities.hpp"
#include "liaison/mechanics/term_sizes.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "liaison/compile/interpreter.hpp"
#include "liaison/compile/jit.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/derived_quantities.hpp"
#include "liaison/model/integrals.hpp"
#include "liaison/model/kinematics.hpp"
#include "simulate/equations/switches.hpp"

namespace liaison {

namespace {

/// Evaluations after which machine code of LLVM pays; it has the same bits. Of a long program it is made
/// without optimisation, 6 us an instruction, for which the interpreter takes 3 ns: a table of thousands of
/// points is not read from its text a thousand times.
std::size_t often(const Program& program) {
  constexpr std::size_t long_program = 5000;
  return program.instructions.size() > long_program ? 2'000 : 20'000;
}
constexpr JitOptions how{.chunk_size = 300, .thorough_limit = 12000};

/// Everything that is not an input, written in what is one.
class Translation {
 public:
  Translation(Algebra& algebra, const AssembledEquations& equations, const Motion* motion)
      : system_(*equations.system), equations_(equations) {
    if (motion != nullptr) derived_ = std::make_unique<DerivedQuantities>(algebra, *motion);
    for (const Query& query : system_.queries) add_query(query);
    if (system_.chart.parameters.empty()) return;
    for (std::size_t i = 0; i < system_.directions.size(); ++i) {
      const Expr velocity = system_.directions[i].velocity;
      if (is_parameter(velocity)) continue;
      velocities_.emplace(velocity, system_.chart.velocities[i]);
      accelerations_.emplace(acceleration_symbol(velocity),
                             time_derivative(system_, system_.chart.velocities[i]));
    }
  }

  Expr operator()(Expr e) {
    if (needs_motion(e)) {
      if (!derived_) {
        throw Error(ErrorCode::limit_reached,
                    "r, drive, free, dir and omega along a motion need its closed form",
                    "use accelerations x'', factors lambda(c), power(c), T and V");
      }
      const auto closed = derived_->in_state_variables(e);
      if (!closed) throw Error(ErrorCode::limit_reached, "no closed form: " + derived_->reason());
      e = *closed;
    }
    e = substitute(e, simple_);
    e = substitute(e, accelerations_);
    return substitute(e, velocities_);
  }

 private:
  bool is_parameter(Expr velocity) const {
    return std::find(equations_.parameters.begin(), equations_.parameters.end(), velocity) !=
           equations_.parameters.end();
  }

  bool needs_motion(Expr e) const {
    return std::any_of(closed_only_.begin(), closed_only_.end(),
                       [&](Expr query) { return depends_on(e, query); });
  }

  void add_query(const Query& query) {
    switch (query.kind) {
      case QueryKind::kinetic: simple_.emplace(query.symbol, equations_.kinetic); break;
      case QueryKind::potential: simple_.emplace(query.symbol, equations_.potential); break;
      case QueryKind::power: simple_.emplace(query.symbol, power_of(query.names.front())); break;
      default: closed_only_.push_back(query.symbol);
    }
  }

  /// lambda_h l_i v^i; of a contact that is open zero.
  Expr power_of(const std::string& name) const {
    const auto found = std::find(equations_.names.begin(), equations_.names.end(), name);
    if (found == equations_.names.end()) return system_.pool->number(0);
    const auto h = static_cast<std::size_t>(found - equations_.names.begin());
    std::vector<Expr> terms;
    for (const SparseEntry& entry : equations_.directions.entries) {
      if (entry.row == h) terms.push_back(entry.value * system_.directions[entry.column].velocity);
    }
    return equations_.factors[h] * system_.pool->add(terms);
  }

  const System& system_;
  const AssembledEquations& equations_;
  std::unique_ptr<DerivedQuantities> derived_;
  Substitution simple_, accelerations_, velocities_;
  std::vector<Expr> closed_only_;
};

}  // namespace

struct Quantities::Implementation {
  Program program;
  std::unique_ptr<CompiledProgram> compiled;
  std::vector<double> inputs, scratch;
  std::vector<Expr> parameters;  ///< behind the state
  std::vector<Expr> expressions;
  std::size_t count = 0, state_size = 0, acceleration_count = 0, first_rate = 0, first_integral = 0;
  std::vector<std::string> integrals;      ///< the names of their functions
  std::unique_ptr<Quantities> integrands;  ///< of these
  std::shared_ptr<IntegralHistory> history;
  bool needs_rates = false;
  Engine engine = Engine::interpreted;
  std::size_t evaluations = 0;
};

Quantities::Quantities() : implementation_(std::make_unique<Implementation>()) {}

Quantities::Quantities(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& parameters,
                       const std::vector<Expr>& expressions, Engine engine, const Motion* motion)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  const System& system = *equations.system;
  std::vector<Expr> symbols{system.time};
  symbols.insert(symbols.end(), equations.positions.begin(), equations.positions.end());
  symbols.insert(symbols.end(), equations.parameters.begin(), equations.parameters.end());
  self.state_size = symbols.size() - 1;
  self.inputs.assign(symbols.size(), 0);
  for (const Parameter& parameter : system.parameters) {
    symbols.push_back(parameter.symbol);
    self.parameters.push_back(parameter.symbol);
  }
  self.inputs.resize(symbols.size());
  set_parameters(parameters);
  self.first_rate = symbols.size();
  self.acceleration_count = equations.parameters.size();
  for (Expr parameter : equations.parameters) symbols.push_back(acceleration_symbol(parameter));
  symbols.insert(symbols.end(), equations.factors.begin(), equations.factors.end());
  self.first_integral = symbols.size();
  std::vector<Expr> integrands;
  Substitution values;
  for (const Expr integral : integrals_in(expressions)) {
    self.integrals.push_back(integral.application().function->name);
    integrands.push_back(integral.arg(0));
    symbols.push_back(system.pool->symbol("#" + self.integrals.back(), SymbolKind::auxiliary));
    values.emplace(integral, symbols.back());
  }
  for (std::size_t i = 0, count = integrands.size(); i < count; ++i)
    integrands.push_back(size_of_terms(integrands[i]));
  if (!integrands.empty())
    self.integrands =
        std::make_unique<Quantities>(algebra, equations, parameters, integrands, engine, motion);
  self.inputs.resize(symbols.size(), std::numeric_limits<double>::quiet_NaN());

  Translation translate(algebra, equations, motion);
  std::vector<Expr> outputs;
  for (Expr e : expressions) outputs.push_back(translate(values.empty() ? e : substitute(e, values)));
  self.count = outputs.size();
  const std::unordered_set<Expr> rates(symbols.begin() + static_cast<std::ptrdiff_t>(self.first_rate),
                                       symbols.begin() + static_cast<std::ptrdiff_t>(self.first_integral));
  for (Expr e : outputs) {
    const std::vector<Expr> used = symbols_in(e);
    self.needs_rates = self.needs_rates || std::any_of(used.begin(), used.end(),
                                                       [&](Expr symbol) { return rates.contains(symbol); });
  }
  self.program = make_program(symbols, outputs);
  self.expressions = std::move(outputs);
  self.scratch.resize(self.program.slot_count);
  self.engine = engine;
}
Quantities::~Quantities() = default;
Quantities::Quantities(Quantities&&) noexcept = default;
Quantities& Quantities::operator=(Quantities&&) noexcept = default;

void Quantities::set_parameters(const DoublePoint& parameters) {
  Implementation& self = *implementation_;
  if (self.integrands) self.integrands->set_parameters(parameters);
  for (std::size_t i = 0; i < self.parameters.size(); ++i) {
    const auto value = parameters.find(self.parameters[i]);
    if (value == parameters.end()) {
      throw Error(ErrorCode::missing_value,
                  "the parameter `" + self.parameters[i].symbol().name + "` has no value");
    }
    self.inputs[self.state_size + 1 + i] = value->second;
  }
}

const std::vector<std::string>& Quantities::integrals() const {
  return implementation_->integrals;
}
Quantities& Quantities::integrands() {
  return *implementation_->integrands;
}
void Quantities::set_integrals(std::span<const double> values) {
  Implementation& self = *implementation_;
  std::copy_n(values.begin(), std::min(values.size(), self.integrals.size()),
              self.inputs.begin() + static_cast<std::ptrdiff_t>(self.first_integral));
}

void Quantities::set_history(std::shared_ptr<IntegralHistory> history) {
  implementation_->history = std::move(history);
}
const std::shared_ptr<IntegralHistory>& Quantities::history() const {
  return implementation_->history;
}

std::size_t Quantities::size() const {
  return implementation_->count;
}
bool Quantities::needs_rates() const {
  return implementation_->needs_rates;
}

const std::vector<Expr>& Quantities::expressions() const {
  return implementation_->expressions;
}

bool Quantities::evaluate(double t, const double* y, const double* accelerations,
                          std::span<const double> factors, double* values) {
  Implementation& self = *implementation_;
  if (self.count == 0) return true;
  double* in = self.inputs.data();
  in[0] = t;
  std::copy_n(y, self.state_size, in + 1);
  std::copy_n(accelerations, self.acceleration_count, in + self.first_rate);
  std::copy(factors.begin(), factors.end(), in + self.first_rate + self.acceleration_count);
  const bool is_worth_it = has_native_code() || ++self.evaluations >= often(self.program);
  if (self.engine == Engine::compiled && !self.compiled && is_worth_it)
    self.compiled = std::make_unique<CompiledProgram>(self.program, how);
  if (self.compiled) {
    (*self.compiled)(in, values);
  } else {
    run(self.program, in, values, self.scratch.data());
  }
  return all_finite({values, self.count});
}

}  // namespace liaison
