#include "liaison/mechanism/invariant_tube.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "diagnostics.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/prepared_run.hpp"
#include "option_text.hpp"

namespace liaison {

namespace {

[[noreturn]] void refuse_tube(const std::string& option, const std::string& text, const std::string& hint) {
  refuse(Status::bad_input, option, Problem::bad_usage, text, hint);
}

/// A message in the letter that the user chose for the parameter.
std::string written_with(const std::string& name, const std::string& own, std::string text) {
  for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own, at + name.size()))
    text.replace(at, own.size(), name);
  return text;
}

/// The closed curve of initial states, and the end of each motion.
class Curve {
 public:
  Curve(const System& system, const TubeRequest& request, const Assignments& parameters) : system_(system) {
    for (const Parameter& parameter : system.parameters) {
      if (parameter.value) point_[parameter.symbol] = parameter.value->to_double();
    }
    for (const Assignment& one : parameters) point_[one.symbol] = one.value;
    const std::size_t colon = request.curve.find(':');
    const std::string name(trimmed(std::string_view(request.curve).substr(0, colon)));
    const auto scanned = scan_name(name, 0);
    if (colon == std::string::npos || !scanned || scanned->end != name.size())
      refuse_tube("--curve", "the parameter of the curve is not named",
                  "write \"a: x = cos(a), y = sin(a)\"; it goes from 0 to 2*pi");
    angle_ = system.pool->symbol(fmt::format("curve__{}", scanned->text), SymbolKind::auxiliary);
    angle_name_ = scanned->text;
    for (const std::string_view part : parts_of(std::string_view(request.curve).substr(colon + 1)))
      read(std::string(part));
    until_ = parsed("--until", request.until);
    require_closed();
  }

  Assignments start(double angle) const {
    Assignments result;
    for (const auto& [symbol, value] : values_) {
      const double number = at(value, angle);
      result.push_back({symbol, system_.pool->number(Rational::from_double(number)), number});
    }
    return result;
  }
  double until(double angle) const { return at(until_, angle); }

 private:
  Expr parsed(const std::string& option, const std::string& text) {
    const Source source(option, text);
    ParseOptions options;
    options.resolve_name = [&](const std::string& name, Span) -> std::optional<ResolvedName> {
      if (name != angle_name_) return std::nullopt;
      return ResolvedName{.value = angle_, .diagnostics = {}};
    };
    const ParsedExpression expression = parse_expression(*system_.pool, source, options);
    if (!expression.diagnostics.empty())
      throw Refused{Status::bad_input, messages_of(expression.diagnostics, source)};
    for (Expr symbol : symbols_in(expression.value)) {
      if (symbol != angle_ && !point_.contains(symbol))
        refuse_tube(option, fmt::format("`{}` has no value on the curve", symbol.symbol().name),
                    fmt::format("use numbers, parameters with values and `{}`", angle_name_));
    }
    return expression.value;
  }

  void read(const std::string& part) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      refuse_tube("--curve", fmt::format("a `=` is missing in `{}`", trimmed(part)), "write NAME = VALUE");
    const std::string name(trimmed(std::string_view(part).substr(0, equals)));
    // Names are judged where all assignments are.
    const Expr symbol = read_assignments(system_, "--curve", name + " = 0", Assignable::state).at(0).symbol;
    for (const auto& [known, value] : values_) {
      if (known == symbol) refuse_tube("--curve", fmt::format("`{}` is given twice", name), "keep one");
    }
    values_.emplace_back(symbol, parsed("--curve", part.substr(equals + 1)));
  }

  double at(Expr e, double angle) const {
    DoublePoint point = point_;
    point[angle_] = angle;
    try {
      return evaluate(e, point);
    } catch (const Error& error) {
      refuse_tube("--curve",
                  fmt::format("there is no value at {} = {:.6g}: {}", angle_name_, angle,
                              written_with(angle_name_, angle_.symbol().name, error.what())),
                  "choose a curve on which everything has one");
    }
  }

  void require_closed() const {
    std::vector<std::pair<std::string, Expr>> all;
    for (const auto& [symbol, value] : values_) all.emplace_back(symbol.symbol().name, value);
    all.emplace_back("--until", until_);
    for (const auto& [name, value] : all) {
      const double begin = at(value, 0), end = at(value, 2 * std::numbers::pi);
      constexpr int places = 64;
      double farthest = 0;  // how far it goes is what it is measured by, in any unit
      for (int k = 1; k < places; ++k)
        farthest = std::max(farthest, std::abs(at(value, 2 * std::numbers::pi * k / places) - begin));
      if (std::abs(end - begin) > 1e-9 * farthest + 1e-14 * std::abs(begin))
        refuse_tube("--curve",
                    fmt::format("the curve is not closed: {} goes from {:.9g} to {:.9g}", name, begin, end),
                    fmt::format("{} goes from 0 to 2*pi, and everything is periodic in it", angle_name_));
    }
  }

  const System& system_;
  Expr angle_, until_;
  std::string angle_name_;
  std::vector<std::pair<Expr, Expr>> values_;
  DoublePoint point_;
};

/// A 1-form "A*dx + B*dt": coefficients of the forms of the directions, then of dt.
std::vector<Expr> read_form(const StateSpace& space, const std::string& option, const std::string& text) {
  const System& system = *space.system;
  Pool& pool = *system.pool;
  std::vector<Expr> basis;
  for (const Direction& direction : system.directions)
    basis.push_back(pool.symbol("form__" + direction.form, SymbolKind::auxiliary));
  basis.push_back(pool.symbol("form__dt", SymbolKind::auxiliary));
  const Source source(option, text);
  ParseOptions options;
  options.resolve_name = [&](const std::string& name, Span) -> std::optional<ResolvedName> {
    if (name == "dt") return ResolvedName{.value = basis.back(), .diagnostics = {}};
    for (std::size_t i = 0; i < system.directions.size(); ++i) {
      if (system.directions[i].form == name) return ResolvedName{.value = basis[i], .diagnostics = {}};
    }
    return std::nullopt;
  };
  options.resolve_call = [&](const std::string& name, Span, std::size_t open) -> std::optional<ResolvedName> {
    if (name != "lambda") return std::nullopt;
    const std::size_t close = text.find(')', open);
    const std::string inner(trimmed(std::string_view(text).substr(open + 1, close - open - 1)));
    for (const Constraint& constraint : system.constraints) {
      if (constraint.name == inner)
        return ResolvedName{.value = constraint.factor, .diagnostics = {}, .end = close + 1};
    }
    return std::nullopt;
  };
  const ParsedExpression expression = parse_expression(pool, source, options);
  if (!expression.diagnostics.empty())
    throw Refused{Status::bad_input, messages_of(expression.diagnostics, source)};
  std::vector<Expr> result;
  Substitution none;
  for (Expr form : basis) {
    none.emplace(form, pool.number(0));
    result.push_back(space.in_parameters(derivative(expression.value, form)));
  }
  const bool is_linear = substitute(expression.value, none).is_zero() &&
                         std::none_of(result.begin(), result.end(), [&](Expr coefficient) {
                           return std::any_of(basis.begin(), basis.end(),
                                              [&](Expr form) { return depends_on(coefficient, form); });
                         });
  if (!is_linear)
    refuse_tube(option, "this is no 1-form: it is not a sum of coefficients times differentials",
                fmt::format("write \"A*{} + B*dt\"", system.directions.front().form));
  return result;
}

InvariantForms forms_of(MechanismParts& parts, const StateSpace& space, const TubeRequest& request) {
  if (!request.form && request.force)
    refuse_tube("--force", "forces of one's own belong to a form of one's own", "give --form too");
  if (!request.form) return derive_invariant_forms(parts.algebra(), space, parts.equations());
  InvariantForms result;
  result.momenta = read_form(space, "--form", *request.form);
  result.energy = -result.momenta.back();
  result.momenta.pop_back();
  result.forces.assign(space.size(), space.pool().number(0));
  if (request.force) {
    result.forces = read_form(space, "--force", *request.force);
    if (!result.forces.back().is_zero())
      refuse_tube("--force", "the 2-form is this 1-form times dt: a part along dt has no meaning",
                  "leave dt away");
    result.forces.pop_back();
    result.has_forces = true;
  }
  return result;
}

class Tube {
 public:
  Tube(MechanismParts& parts, const TubeRequest& request)
      : parts_(parts),
        request_(request),
        parameters_(read_assignments(parts.system(), "--set", request.set, Assignable::parameters)),
        curve_(parts.system(), request, parameters_),
        space_(make_state_space(parts.algebra(), parts.system())),
        forms_(forms_of(parts, space_, request)) {
    asked_ = forms_.momenta;
    asked_.push_back(forms_.energy);
    asked_.insert(asked_.end(), forms_.forces.begin(), forms_.forces.end());
    asked_.insert(asked_.end(), space_.velocities.begin(), space_.velocities.end());
  }

  TubeIntegrals run() {
    TubeIntegrals result = integrals(request_.tolerance);
    constexpr double coarsest = 1e-3, finest = 1e-13, apart = 100;
    const double tolerance = request_.tolerance;
    const bool is_coarse = apart * tolerance > coarsest;
    compare(result, is_coarse ? tolerance / apart : apart * tolerance);
    if (result.is_kept()) return result;
    // two tolerances may err in the same way
    const double third = is_coarse ? tolerance / (apart * apart) : tolerance / apart;
    compare(result, third >= finest ? third : 10 * tolerance);
    return result;
  }

 private:
  /// Adds to the errors by how much another tolerance changes the sums: twice that, because a change of the
  /// sum is compared with it, and is as large where all of it is an error.
  void compare(TubeIntegrals& result, double tolerance) {
    const TubeIntegrals other = integrals(tolerance);
    for (std::size_t s = 0; s < result.sections.size(); ++s)
      result.sections[s].error += 2 * std::abs(result.sections[s].sum() - other.sections[s].sum());
  }

  /// Circuits at the nodes of each section and at its end, one list a circuit.
  std::vector<TubeCircuit> circuits(double tolerance) {
    const std::size_t per_section = kronrod_nodes().size() + 1;
    std::vector<TubeCircuit> result(1 + request_.sections * per_section);
    RunMethod method;
    method.integrator = request_.integrator;
    method.tolerance = tolerance;
    method.parameters = ParameterUse::inputs;
    require_method(method);
    std::unique_ptr<PreparedRun> run;
    for (std::size_t k = 0; k < request_.points; ++k) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(request_.points);
      prepare(run, angle, method);
      follow(*run, angle, result);
    }
    return result;
  }

  /// What is said of a start is said of the curve.
  void prepare(std::unique_ptr<PreparedRun>& run, double angle, const RunMethod& method) {
    try {
      if (run == nullptr) {
        run = std::make_unique<PreparedRun>(parts_, parameters_, curve_.start(angle), false, method);
      } else {
        run->begin_again(parameters_, curve_.start(angle), false);
      }
    } catch (Refused& refused) {
      for (Message& message : refused.messages) {
        if (message.code == code_of(Problem::not_on_constraint))
          message.hint = "change the curve: a value that it leaves out is found from the constraints";
        if (const std::size_t at = message.hint.find("--start"); at != std::string::npos)
          message.hint.replace(at, 7, "--curve");
      }
      throw;
    }
  }

  void follow(PreparedRun& run, double angle, std::vector<TubeCircuit>& circuits) {
    const double begin = run.begin(), end = curve_.until(angle);
    require_times(begin, end, 0);
    double t = begin;
    std::vector<double> y = run.evaluator().pack(run.state().values);
    circuits[0].push_back(place(run, t, y, end - begin));
    std::size_t circuit = 0;
    for (std::size_t s = 0; s < request_.sections; ++s) {
      for (std::size_t node = 0; node <= kronrod_nodes().size(); ++node) {
        const double within = node < kronrod_nodes().size() ? kronrod_nodes()[node].at : 1;
        const double u = (static_cast<double>(s) + within) / static_cast<double>(request_.sections);
        const double next = begin + u * (end - begin);
        const SimulationReceivers receivers{
            [](const Row&) { return true; },
            [&](const RunningSimulation&) { return !parts_.is_interrupted(); }};
        const SimulationResult result =
            run.run(t, y, {.until = next, .tolerance = run.tolerance()}, receivers);
        parts_.require_not_interrupted();
        if (result.outcome != SimulationOutcome::finished) {
          refuse(Status::numerical_failure, parts_.name(), Problem::run_stopped,
                 fmt::format("the motion that begins at {:.6g} on the curve ends at t = {:.9g}{}", angle,
                             result.t, result.message.empty() ? "" : ": " + result.message),
                 "choose a smaller tube");
        }
        t = next;
        y = result.y;
        circuits[++circuit].push_back(place(run, t, y, end - begin));
      }
    }
  }

  TubePlace place(PreparedRun& run, double t, const std::vector<double>& y, double duration) {
    Evaluator& evaluator = run.evaluator();
    DoublePoint point = run.state().values;
    point[parts_.system().time] = t;
    for (std::size_t i = 0; i < y.size(); ++i) point[evaluator.symbols()[i]] = y[i];
    std::vector<double> rates(y.size());
    if (!evaluator.rates(t, y.data(), rates.data()))
      refuse(Status::numerical_failure, parts_.name(), Problem::no_value,
             fmt::format("at t = {:.9g} there is no motion: {}", t, evaluator.failure()),
             "choose another curve");
    for (std::size_t h = 0; h < run.equations().factors.size(); ++h)
      point[run.equations().factors[h]] = evaluator.factors()[h];
    const DoubleValues values = evaluate(asked_, point);
    if (values.status != EvaluationStatus::ok)
      refuse(Status::numerical_failure, parts_.name(), Problem::no_value,
             fmt::format("at t = {:.9g} a form has no value: {}", t, values.reason()),
             "choose another curve");
    const auto n = static_cast<std::ptrdiff_t>(space_.size());
    const auto at = values.values.begin();
    TubePlace result{.t = t,
                     .duration = duration,
                     .positions = {},
                     .velocities = {at + 2 * n + 1, at + 3 * n + 1},
                     .momenta = {at, at + n},
                     .energy = values.values[space_.size()],
                     .forces = {at + n + 1, at + 2 * n + 1}};
    for (std::size_t i = 0; i < evaluator.position_count(); ++i) result.positions.push_back(y[i]);
    return result;
  }

  TubeIntegrals integrals(double tolerance) {
    const std::vector<TubeCircuit> all = circuits(tolerance);
    TubeIntegrals result{.sections = {},
                         .points = request_.points,
                         .tolerance = request_.tolerance,
                         .has_forces = forms_.has_forces,
                         .is_given_form = request_.form.has_value()};
    const System& system = parts_.system();
    TubeSection section;
    double coarse_forces = 0, rule_error = 0;  // by half the points; by Gauss's rule
    const auto close = [&](const TubeCircuit& circuit) {
      section.circuit = integrate_circuit(system, circuit).form;
      const double coarse = integrate_circuit(system, thinned(circuit)).form + coarse_forces;
      section.error = std::abs(section.sum() - coarse) + rule_error;
      result.sections.push_back(section);
      for (const TubePlace& place : circuit)
        result.fixed_times =
            result.fixed_times && std::abs(place.t - circuit[0].t) <= 1e-12 * std::abs(place.duration);
    };
    close(all[0]);
    std::size_t index = 0;
    const double length = 1 / static_cast<double>(request_.sections);
    for (std::size_t s = 0; s < request_.sections; ++s) {
      double forces = 0, by_gauss = 0;
      for (const QuadratureNode& node : kronrod_nodes()) {
        const TubeCircuit& circuit = all[++index];
        const CircuitIntegrals fine = integrate_circuit(system, circuit);
        forces += length * node.weight * fine.forces;
        by_gauss += length * node.coarse * fine.forces;
        section.power += length * node.weight * fine.power;
        coarse_forces += length * node.weight * integrate_circuit(system, thinned(circuit)).forces;
      }
      section.forces += forces;
      rule_error += std::abs(forces - by_gauss);
      section.u = static_cast<double>(s + 1) * length;
      close(all[++index]);
    }
    return result;
  }

  MechanismParts& parts_;
  const TubeRequest& request_;
  Assignments parameters_;
  Curve curve_;
  StateSpace space_;
  InvariantForms forms_;
  std::vector<Expr> asked_;
};

}  // namespace

TubeIntegrals integrate_tube(MechanismParts& parts, const TubeRequest& request) {
  if (!parts.system().unilaterals.empty() || !parts.system().families.empty())
    refuse_tube("", "motions with contacts that open are no tube: impacts cut it", "leave the contacts away");
  if (!parts.system().events.empty())
    refuse_tube("", "events cut a tube of motions", "leave the events of the model away");
  if (request.points < 8 || request.points % 4 != 0 || request.points > 4096)
    refuse_tube("--points", "the points of the curve are a multiple of 4 from 8 to 4096", "--points 64");
  if (request.sections < 1 || request.sections > 1000)
    refuse_tube("--sections", "there are from 1 to 1000 sections", "--sections 4");
  try {
    return Tube(parts, request).run();
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

}  // namespace liaison
