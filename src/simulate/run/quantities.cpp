#include "liaison/simulate/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "liaison/compile/interpreter.hpp"
#include "liaison/compile/jit.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/derived_quantities.hpp"
#include "liaison/mechanics/open_factors.hpp"
#include "liaison/model/kinematics.hpp"
#include "open_quantities.hpp"

namespace liaison {

namespace {

/// Evaluations after which machine code pays; it has the same bits.
constexpr std::size_t often = 1000;

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
  std::size_t count = 0, state_size = 0, acceleration_count = 0, first_rate = 0;
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
  self.inputs.resize(symbols.size());

  Translation translate(algebra, equations, motion);
  std::vector<Expr> outputs;
  for (Expr e : expressions) outputs.push_back(translate(e));
  self.count = outputs.size();
  const std::unordered_set<Expr> rates(symbols.begin() + static_cast<std::ptrdiff_t>(self.first_rate),
                                       symbols.end());
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
  for (std::size_t i = 0; i < self.parameters.size(); ++i) {
    const auto value = parameters.find(self.parameters[i]);
    if (value == parameters.end()) {
      throw Error(ErrorCode::missing_value,
                  "the parameter `" + self.parameters[i].symbol().name + "` has no value");
    }
    self.inputs[self.state_size + 1 + i] = value->second;
  }
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
  if (++self.evaluations == often && self.engine == Engine::compiled)
    self.compiled = std::make_unique<CompiledProgram>(self.program);
  if (self.compiled) {
    (*self.compiled)(in, values);
  } else {
    run(self.program, in, values, self.scratch.data());
  }
  return all_finite({values, self.count});
}

std::vector<bool> depend_on_open(const ValuesOfFactors& values, std::span<const double> factors,
                                 const std::vector<std::vector<double>>& open) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  constexpr double nothing = 1e-10;  // of what the factors do one by one: directions are known to rounding
  const auto largest = [](const std::vector<double>& list) {
    double size = 0;
    for (const double value : list) size = std::max(size, std::abs(value));
    return size;
  };
  const std::vector<double> member(factors.begin(), factors.end()), here = values(member);
  std::vector<bool> result(here.size(), false);
  if (open.empty()) return result;
  std::vector<std::vector<double>> directions = open;
  std::vector<double> all(member.size());  // of no special direction
  for (std::size_t i = 0; i < open.size(); ++i)
    for (std::size_t h = 0; h < all.size(); ++h)
      all[h] += (1 + std::sqrt(static_cast<double>(i + 2))) * open[i][h];
  if (open.size() > 1) directions.push_back(std::move(all));
  const double unit = largest(member) > 0 ? largest(member) : 1;
  for (const std::vector<double>& direction : directions) {
    const double length = largest(direction);
    if (!(length > 0)) continue;
    for (const double multiple : {0.37, -0.41, 1.9, -2.3, 17.0, -19.0, 1.3e3, -1.7e3, 1.1e6, -1.3e6}) {
      std::vector<double> moved = member;
      std::vector<double> one_by_one(here.size(), 0);
      for (std::size_t h = 0; h < member.size(); ++h) {
        const double by = multiple * unit / length * direction[h];
        moved[h] += by;
        if (by == 0) continue;
        std::vector<double> one = member;
        one[h] += by;
        const std::vector<double> alone = values(one);
        for (std::size_t i = 0; i < here.size(); ++i)
          if (std::isfinite(alone[i])) one_by_one[i] += std::abs(alone[i] - here[i]);
      }
      const std::vector<double> there = values(moved);
      for (std::size_t i = 0; i < here.size(); ++i) {
        const double size = std::max(std::abs(here[i]), std::abs(there[i]));
        const bool same = std::abs(there[i] - here[i]) <= nothing * one_by_one[i] + 64 * rounding * size;
        if (!same) result[i] = true;
      }
    }
  }
  return result;
}

ValuesOfFactors values_of_factors(Quantities& quantities, double t, const std::vector<double>& y,
                                  const Moment& moment) {
  return [&quantities, t, &y, &moment](std::span<const double> factors) {
    std::vector<double> result(quantities.size());
    quantities.evaluate(t, y.data(), moment.accelerations(), factors, result.data());
    return result;
  };
}

std::string open_in_words(const Evaluator& evaluator) {
  std::string list;
  for (const std::size_t h : describe_open(evaluator.open_factors()).factors)
    list += (list.empty() ? "lambda(" : ", lambda(") + evaluator.equations().names[h] + ")";
  return list;
}

}  // namespace liaison
