#include "simulate_support.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "liaison/model/language.hpp"

namespace liaison::test {

Expr RunnableModel::operator[](const std::string& name) const {
  const Expr symbol = system->pool->find_symbol(name);
  if (symbol.empty()) throw std::runtime_error("no symbol " + name);
  return symbol;
}

double RunnableModel::value(const std::vector<double>& y, const std::string& name) const {
  std::vector<Expr> symbols = equations->positions;
  symbols.insert(symbols.end(), equations->parameters.begin(), equations->parameters.end());
  const auto found = std::find(symbols.begin(), symbols.end(), (*this)[name]);
  return y.at(static_cast<std::size_t>(found - symbols.begin()));
}

std::unique_ptr<System> read_system(const std::string& text) {
  const Source source("test.lia", text);
  ParsedModel parsed = parse_model(source);
  if (!parsed.ok()) throw std::runtime_error(render(parsed.diagnostics, source));
  return std::make_unique<System>(std::move(parsed.system));
}

DerivedModel read_derived(const std::string& text) {
  DerivedModel model;
  model.system = read_system(text);
  model.algebra = std::make_unique<Algebra>(*model.system->pool);
  model.motion = std::make_unique<Motion>(derive_motion(*model.algebra, *model.system));
  const CompletedState state = complete_state(*model.motion, {});
  if (!state.ok()) throw std::runtime_error(state.problems.front().message);
  model.start = state.values;
  return model;
}

RunnableModel read_runnable(const std::string& text) {
  RunnableModel model;
  model.system = read_system(text);
  model.algebra = std::make_unique<Algebra>(*model.system->pool);
  model.equations = std::make_unique<AssembledEquations>(assemble_equations(*model.algebra, *model.system));
  const CompletedState state = complete_state(*model.equations, {});
  if (!state.ok()) throw std::runtime_error(state.problems.front().message);
  model.start = state.values;
  return model;
}

std::string model_text(const std::string& path) {
  std::ifstream file(std::string(LIAISON_SOURCE_DIR) + "/models/" + path);
  if (!file) throw std::runtime_error("no model " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

RunnableModel read_runnable_file(const std::string& path) {
  return read_runnable(model_text(path));
}

SimulationResult run(const RunnableModel& model, const RunRequest& request) {
  Evaluator evaluator(*model.equations, model.start, request.evaluator, request.motion);
  Observations observations =
      observe(*model.algebra, *model.equations, model.start, request.evaluator.engine, request.motion);
  MethodRequest method = request.method;
  method.tolerance = request.options.tolerance;
  method.project = request.options.project;
  method.engine = request.evaluator.engine;
  const auto integrator = make_integrator(method, *model.algebra, *model.system, evaluator, model.start);
  SimulationReceivers receivers = request.receivers;
  if (!receivers.row) receivers.row = [](const Row&) { return true; };
  return simulate(evaluator, *integrator, observations, model.start.at(model.system->time),
                  evaluator.pack(model.start), request.options, receivers, request.resume);
}

SimulationResult run_until(const RunnableModel& model, const std::string& method, double until) {
  RunRequest request;
  request.method.name = method;
  request.options.until = until;
  return run(model, request);
}

}  // namespace liaison::test
