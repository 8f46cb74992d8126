#include "simulation_summary.hpp"

#include "contact_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/mechanics/open_factors.hpp"
#include "liaison/mechanism/prepared_run.hpp"

namespace liaison::cli {

namespace {

std::string name_of(EventAction action) {
  switch (action) {
    case EventAction::record: return "record";
    case EventAction::stop: return "stop";
    case EventAction::reset: return "reset";
  }
  return {};
}

/// "kept to 12.4 digits" says what was measured; what should be kept and was not, by the tolerance asked for,
/// is said too.
std::string verdict_between_resets(const Monitor& monitor, const Tolerance& tolerance) {
  const std::string digits =
      monitor.largest == 0 ? "exactly" : fmt::format("to {:.1f} digits", monitor.digits());
  if (monitor.kind == MonitorKind::power) {
    if (monitor.expected) return "no work, " + digits;
    return monitor.amount == 0 ? "no work, by this motion"
                               : fmt::format("works, up to {:.4g}", monitor.amount);
  }
  if (!monitor.expected) {
    return monitor.digits() < 3 ? fmt::format("changes by up to {:.4g}", monitor.amount)
                                : "kept " + digits + ", by this motion";
  }
  const bool poor = monitor.largest > std::max(1e-12, 1e4 * tolerance.relative);
  if (poor && monitor.kind == MonitorKind::conserved && monitor.digits() < 3)
    return fmt::format("not kept: changes by up to {:.4g}", monitor.amount);
  return (poor ? "drifted: kept only " : "kept ") + digits;
}

std::string verdict(const Monitor& monitor, const Tolerance& tolerance) {
  const std::string between = verdict_between_resets(monitor, tolerance);
  if (monitor.resets == 0) return between;
  return fmt::format("{} by {:.9g} at {} jump{}; otherwise {}", monitor.by_resets < 0 ? "falls" : "rises",
                     std::abs(monitor.by_resets), monitor.resets, monitor.resets == 1 ? "" : "s", between);
}

/// "ended by the contact `floor`, whose pressure ends there", of a run that an event ended.
std::string end_in_words(const System& system, const SimulationResult& result) {
  if (result.outcome != SimulationOutcome::event) return {};
  for (auto record = result.events.rbegin(); record != result.events.rend(); ++record) {
    const Event& event = system.events[record->event];
    if (event.action != EventAction::stop || record->touches) continue;
    const bool opens = std::any_of(
        system.contacts.begin(), system.contacts.end(),
        [&](const Contact& contact) { return system.constraints[contact.constraint].name == event.name; });
    if (opens)
      return fmt::format("ended by the contact `{}`, whose pressure ends there: it would pull", event.name);
    return fmt::format("ended by the event `{}`", event.name);
  }
  return {};
}

/// Names one below the other, with room for the longest of them.
std::size_t width_of(const std::vector<std::string>& names, std::size_t least) {
  for (const std::string& name : names) least = std::max(least, name.size() + 2);
  return least;
}

}  // namespace

std::vector<std::string> state_names(const AssembledEquations& equations) {
  std::vector<std::string> names;
  for (const auto* part : {&equations.positions, &equations.parameters}) {
    for (Expr symbol : *part) names.push_back(symbol.symbol().name);
  }
  return names;
}

Json to_json(const SimulationSummary& summary) {
  const SimulationResult& result = *summary.result;
  const System& system = *summary.equations->system;
  Json out{{"schema", 1}, {"system", system.name}, {"outcome", liaison::name_of(result.outcome)}};
  if (!result.message.empty()) out["message"] = result.message;
  if (!summary.choices.empty()) out["chosen"] = summary.choices;
  std::vector<std::string> notes = result.notes;
  if (!result.sampled.empty()) notes.push_back(result.sampled);
  if (!notes.empty()) out["notes"] = notes;
  out["t"] = result.t;
  out["steps"] = result.steps;
  out["rejected"] = result.rejected;
  out["evaluations"] = result.evaluations;
  out["rows"] = result.rows;
  out["integrator"] = summary.integrator;
  if (summary.step > 0) {
    out["step"] = summary.step;
  } else {
    out["tolerance"] = summary.tolerance.relative;
  }
  out["engine"] = summary.engine;
  out["assembly"] = summary.assembly;
  out["seconds"] = summary.seconds;
  out["final"] = Json::object();
  const std::vector<std::string> names = state_names(*summary.equations);
  for (std::size_t i = 0; i < std::min(names.size(), result.y.size()); ++i)
    out["final"][names[i]] = result.y[i];
  out["events"] = Json::array();
  for (const EventRecord& record : result.events) {
    const Event& event = system.events[record.event];
    // Beside contacts a reset stops a mode, and is done between two.
    const bool resets = event.action == EventAction::reset || !event.resets.empty();
    Json entry{
        {"t", record.t}, {"kind", name_of(resets ? EventAction::reset : event.action)}, {"name", event.name}};
    if (record.touches) entry["touches"] = true;
    if (resets && !record.touches) entry["energy"] = record.energy;
    out["events"].push_back(std::move(entry));
  }
  add_contacts(summary, out);
  if (!result.open.empty()) {
    const OpenFactors open = describe_open(result.open);
    out["undetermined"] = {
        {"shown", "least sum of squares"}, {"multiplier", Json::array()}, {"determined", Json::array()}};
    for (std::size_t h : open.factors)
      out["undetermined"]["multiplier"].push_back(summary.equations->names[h]);
    for (const auto& weights : open.determined)
      out["undetermined"]["determined"].push_back(combination_of_factors(weights, summary.equations->names));
  }
  if (!result.passed.empty()) {
    out["passed"] = Json::array();
    for (const PassedSingularity& one : result.passed)
      out["passed"].push_back({{"t", one.t}, {"what", one.what}});
  }
  out["monitors"] = Json::array();
  for (const Monitor& monitor : result.monitors) {
    Json entry{{"name", monitor.name},
               {"largest", monitor.largest},
               {"expected", monitor.expected},
               {"digits", std::round(10 * monitor.digits()) / 10},
               {"verdict", verdict(monitor, summary.tolerance)}};
    if (monitor.resets > 0) {
      entry["resets"] = monitor.resets;
      entry["by_resets"] = monitor.by_resets;
    }
    out["monitors"].push_back(std::move(entry));
  }
  out["files"] = summary.files;
  return out;
}

void print(const SimulationSummary& summary) {
  constexpr std::size_t most_names = 24, most_events = 20;
  const SimulationResult& result = *summary.result;
  const System& system = *summary.equations->system;
  if (!system.name.empty()) fmt::print("{}\n\n", system.name);
  const std::string control = summary.step > 0 ? fmt::format("step {:g}", summary.step)
                                               : fmt::format("tolerance {:g}", summary.tolerance.relative);
  fmt::print("  t = {:g} to {:.12g} by {}, {}: {} steps, {} rejected, {} evaluations in {:.3g} s\n",
             summary.begin, result.t, summary.integrator, control, result.steps, result.rejected,
             result.evaluations, summary.seconds);
  if (const std::string end = end_in_words(system, result); !end.empty()) fmt::print("  {}\n", end);
  for (const std::string& choice : summary.choices) fmt::print("  note: {}\n", choice);
  for (const std::string& note : result.notes) fmt::print("  note: {}\n", note);
  if (!result.sampled.empty()) fmt::print("  note: {}\n", result.sampled);
  fmt::print("  state at t = {:.12g}\n", result.t);
  const std::vector<std::string> names = state_names(*summary.equations);
  const std::size_t shown = std::min({names.size(), result.y.size(), most_names});
  const std::size_t width = width_of({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown)}, 16);
  for (std::size_t i = 0; i < shown; ++i)
    fmt::print("    {:<{}}{: .12g}\n", names[i], width, result.y[i] == 0 ? 0.0 : result.y[i]);
  if (names.size() > most_names) fmt::print("    and {} more, in --json\n", names.size() - most_names);
  if (!result.events.empty()) {
    fmt::print("  events\n");
    for (std::size_t i = 0; i < std::min(result.events.size(), most_events); ++i)
      fmt::print("    t = {:<18.12g}{}{}\n", result.events[i].t, system.events[result.events[i].event].name,
                 result.events[i].touches ? " (touches)" : "");
    if (result.events.size() > most_events)
      fmt::print("    and {} more, in --json\n", result.events.size() - most_events);
  }
  print_contacts(summary);
  if (!result.open.empty()) {
    const OpenFactors open = describe_open(result.open);
    fmt::print("  not determined; shown are those with the least sum of squares\n");
    for (std::size_t h : open.factors) fmt::print("    lambda({})\n", summary.equations->names[h]);
    if (!open.determined.empty()) fmt::print("  determined\n");
    for (const auto& weights : open.determined)
      fmt::print("    {}\n", combination_of_factors(weights, summary.equations->names));
  }
  if (!result.passed.empty()) {
    fmt::print("  singular configurations passed\n");
    for (std::size_t i = 0; i < std::min(result.passed.size(), most_events); ++i)
      fmt::print("    t = {:<17.12g} {}\n", result.passed[i].t, result.passed[i].what);
    if (result.passed.size() > most_events)
      fmt::print("    and {} more, in --json\n", result.passed.size() - most_events);
  }
  if (!result.monitors.empty()) fmt::print("  balance\n");
  std::vector<std::string> monitored;
  for (const Monitor& monitor : result.monitors) monitored.push_back(monitor.name);
  const std::size_t monitor_width = width_of(monitored, 32);
  for (const Monitor& monitor : result.monitors)
    fmt::print("    {:<{}}{}\n", monitor.name, monitor_width, verdict(monitor, summary.tolerance));
  for (const std::string& file : summary.files) fmt::print("  wrote {}\n", file);
}

}  // namespace liaison::cli
