#include "sensitivity_command.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "liaison/mechanism/orbits.hpp"
#include "liaison/mechanism/sensitivity.hpp"
#include "liaison/simulate/trajectory_file.hpp"
#include "problems.hpp"
#include "terminal.hpp"

namespace liaison::cli {

namespace {

void require_plain(const SimulateOptions& options) {
  const auto require = [](bool holds, const char* option, const char* text) {
    if (!holds) refuse(Status::bad_input, option, Problem::bad_usage, text, "leave one of the two away");
  };
  require(options.integrator == "dop853", "--integrator", "deviations are followed by dop853 alone");
  require(options.step == 0, "--step", "deviations are followed to a tolerance");
  require(options.max_step == 0, "--max-step", "deviations are followed to a tolerance");
  require(!options.resume, "--resume", "a run with deviations is not gone on with");
  require(!options.free_drift, "--free-drift", "deviations are kept on the constraints");
  require(!options.vakonomic, "--vakonomic", "deviations are those of d'Alembert's motion");
  require(options.plots.empty(), "--plot", "plots have no deviations yet; -o FILE.csv has them");
}

using Choices = std::vector<std::string>;  ///< where the start was completed

Json to_json(const System& system, SensitivityRun& run, const PerturbedRunResult& result,
             const SimulateOptions& options, const Choices& chosen) {
  Json out{{"schema", 1}, {"system", system.name}, {"outcome", name_of(result.outcome)}};
  if (!result.message.empty()) out["message"] = result.message;
  if (!chosen.empty()) out["chosen"] = chosen;
  out["t"] = result.end.t;
  out["steps"] = result.steps;
  out["rejected"] = result.rejected;
  out["jumps"] = result.jumps;
  out["tolerance"] = options.tolerance;
  out["final"] = Json::object();
  const auto& states = run.state_names();
  for (std::size_t i = 0; i < std::min(states.size(), result.end.y.size()); ++i)
    out["final"][states[i]] = result.end.y[i];
  out["sensitivity"] = Json::object();
  for (std::size_t c = 0; c < result.end.deviations.size(); ++c) {
    Json& column = out["sensitivity"][run.names()[c]];
    for (std::size_t i = 0; i < states.size(); ++i) column[states[i]] = result.end.deviations[c][i];
  }
  const auto& names = run.output_names();
  if (names.empty() || result.end.deviations.empty()) return out;
  const SensitivityRun::Outputs outputs = run.outputs(result.end);
  for (std::size_t i = 0; i < names.size(); ++i) {
    out["outputs"][names[i]] = outputs.values[i];
    for (std::size_t c = 0; c < run.names().size(); ++c)
      out["output_sensitivity"][run.names()[c]][names[i]] = outputs.deviations[c][i];
  }
  return out;
}

void print(const System& system, SensitivityRun& run, const PerturbedRunResult& result, double begin,
           double seconds, std::size_t rows, const SimulateOptions& options, const Choices& chosen) {
  if (!system.name.empty()) fmt::print("{}\n\n", system.name);
  fmt::print(
      "  t = {:g} to {:.12g} with {} deviation{}, tolerance {:g}: {} steps, {} rejected, {} jump{} in "
      "{:.3g} s\n",
      begin, result.end.t, run.names().size(), run.names().size() == 1 ? "" : "s", options.tolerance,
      result.steps, result.rejected, result.jumps, result.jumps == 1 ? "" : "s", seconds);
  for (const std::string& choice : chosen) fmt::print("  note: {}\n", choice);
  if (result.end.deviations.empty()) return;
  fmt::print("  state at t = {:.12g}, and its derivatives by\n    {:<12}{:>20}", result.end.t, "", "");
  for (const std::string& name : run.names()) fmt::print("{:>20}", name);
  fmt::print("\n");
  const auto print_row = [](const std::string& name, double value, std::size_t i,
                            const std::vector<std::vector<double>>& deviations) {
    fmt::print("    {:<12}{:>20.12g}", name, value);
    for (const auto& deviation : deviations) fmt::print("{:>20.12g}", deviation[i]);
    fmt::print("\n");
  };
  for (std::size_t i = 0; i < run.state_names().size(); ++i)
    print_row(run.state_names()[i], result.end.y[i], i, result.end.deviations);
  if (!run.output_names().empty()) {
    const SensitivityRun::Outputs outputs = run.outputs(result.end);
    fmt::print("  outputs\n");
    for (std::size_t i = 0; i < run.output_names().size(); ++i)
      print_row(run.output_names()[i], outputs.values[i], i, outputs.deviations);
  }
  if (!options.output.empty() && options.output != standard_output)
    fmt::print("  wrote {} ({} rows)\n", options.output, rows);
}

}  // namespace

int run_sensitivity(const SimulateOptions& options, const RunMethod& method, MechanismParts& parts,
                    InterruptScope& interrupt) {
  require_plain(options);
  const Assignments parameters =
      read_assignments(parts.system(), "--set", options.set, Assignable::parameters);
  const Assignments start =
      read_assignments(parts.system(), "--start", options.start, Assignable::state, parameters);
  PreparedRun prepared(parts, parameters, start, options.project, method);
  require_times(prepared.begin(), options.until, options.every);
  SensitivityRun run(parts, prepared, parameters, start, options.project, *options.sensitivity);
  RowTable table;
  table.columns = run.columns();
  const auto clock = std::chrono::steady_clock::now();
  const PerturbedRunResult result = run.run(
      {.until = options.until,
       .every = options.every,
       .tolerance = prepared.tolerance(),
       .max_steps = options.max_steps},
      [&] { return interrupt.is_set(); },
      [&](const PerturbedState& state) {
        table.rows.push_back(run.row(state));
        return true;
      });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  interrupt.loops_are_over();
  if (options.output.ends_with(".npz")) {
    write_output(options.output, to_npz(table));
  } else if (!options.output.empty()) {
    TrajectoryWriter writer(options.output, table.columns);
    for (const auto& row : table.rows) writer.write(row);
    writer.flush();
  }
  if (options.json) {
    print_json(to_json(parts.system(), run, result, options, prepared.state().choices));
  } else {
    const OutputToError beside(options.output == standard_output);
    print(parts.system(), run, result, prepared.begin(), seconds, table.rows.size(), options,
          prepared.state().choices);
  }
  switch (result.outcome) {
    case SimulationOutcome::finished: return static_cast<int>(Status::done);
    case SimulationOutcome::interrupted: return interrupted_by_signal;
    default: break;
  }
  report(parts.name(), Problem::run_stopped, result.message, "choose an earlier end");
  return static_cast<int>(Status::numerical_failure);
}

int run_lyapunov(const SimulateOptions& options, MechanismParts& parts, InterruptScope& interrupt) {
  require_plain(options);
  if (!options.output.empty() || options.every > 0)
    refuse(Status::bad_input, "--lyapunov", Problem::bad_usage, "exponents have no rows",
           "leave -o and --every away");
  if (options.sensitivity)
    refuse(Status::bad_input, "--lyapunov", Problem::bad_usage, "exponents and sensitivities are two runs",
           "leave one of the two away");
  const Assignments parameters =
      read_assignments(parts.system(), "--set", options.set, Assignable::parameters);
  const Assignments start =
      read_assignments(parts.system(), "--start", options.start, Assignable::state, parameters);
  OrbitSearch search(parts, parameters, start, options.project, options.tolerance);
  require_times(search.run().begin(), options.until, 0);
  const LyapunovExponents found = search.lyapunov(options.lyapunov, options.until, options.tolerance,
                                                  [] { return InterruptScope::is_set(); });
  interrupt.loops_are_over();
  if (options.json) {
    Json out{{"schema", 1}, {"system", parts.system().name}, {"outcome", name_of(found.outcome)}};
    if (!found.message.empty()) out["message"] = found.message;
    if (!search.run().state().choices.empty()) out["chosen"] = search.run().state().choices;
    out["t"] = found.t;
    out["exponents"] = found.exponents;
    out["errors"] = found.errors;
    out["lost"] = found.lost;
    print_json(out);
  } else {
    if (!parts.system().name.empty()) fmt::print("{}\n\n", parts.system().name);
    fmt::print("  exponents of deviations from t = {:g} to {:.12g}, tolerance {:g}\n", search.run().begin(),
               found.t, options.tolerance);
    for (const std::string& choice : search.run().state().choices) fmt::print("  note: {}\n", choice);
    for (std::size_t k = 0; k < found.exponents.size(); ++k)
      fmt::print("    {:>16.6g}  +- {}\n", found.exponents[k],
                 std::isnan(found.errors[k]) ? "not known" : fmt::format("{:.2g}", found.errors[k]));
    if (found.exponents.empty() && found.t < options.until && found.outcome != SimulationOutcome::finished)
      fmt::print("    none: the motion ends within the first tenth, which is not counted\n");
    if (found.lost > 0)
      fmt::print("    {:>16}  {}: an event takes {} away, to rounding\n", "-inf",
                 found.lost == 1 ? "one" : fmt::format("{} of them", found.lost),
                 found.lost == 1 ? "a direction" : "directions");
  }
  if (found.outcome == SimulationOutcome::finished) return static_cast<int>(Status::done);
  if (found.outcome == SimulationOutcome::interrupted) return interrupted_by_signal;
  report(parts.name(), Problem::run_stopped, found.message, "choose an earlier end");
  return static_cast<int>(Status::numerical_failure);
}

}  // namespace liaison::cli
