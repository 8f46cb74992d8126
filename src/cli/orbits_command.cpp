#include <fmt/format.h>

#include <cmath>

#include "branch_output.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/mechanism/orbits.hpp"
#include "model_file.hpp"
#include "outputs.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

double digits_of(double error) {
  return error > 0 ? std::min(16.0, std::max(0.0, -std::log10(error))) : 16;
}

/// Of an entry that is a part of what the tolerances are measured by.
double digits_of_entry(const PeriodicOrbit& orbit, double part) {
  return std::max(0.0, digits_of(orbit.defect) + std::log10(part));
}

std::string text_of(std::complex<double> value) {
  if (std::abs(value.imag()) < 1e-14 * std::max(1.0, std::abs(value.real())))
    return fmt::format("{:.12g}", value.real() + 0.0);  // no -0
  return fmt::format("{:.12g} {} {:.12g} i", value.real() + 0.0, value.imag() < 0 ? "-" : "+",
                     std::abs(value.imag()));
}

Json to_json(const System& system, const OrbitAnswer& answer) {
  const PeriodicOrbit& orbit = answer.orbit;
  Json out{{"schema", 1}, {"system", system.name}, {"found", orbit.found}};
  if (!orbit.found) out["failure"] = orbit.failure;
  if (!answer.chosen.empty()) out["chosen"] = answer.chosen;
  out["period"] = orbit.period;
  out["period_from"] = answer.period_from;
  if (orbit.times > 1) out["times"] = orbit.times;
  out["autonomous"] = orbit.autonomous;
  out["rounds"] = orbit.rounds;
  out["defect"] = orbit.defect;
  out["second_defect"] = orbit.second_defect;
  out["t"] = orbit.begin;
  out["start"] = Json::object();
  for (std::size_t i = 0; i < answer.state_names.size(); ++i)
    out["start"][answer.state_names[i]] = orbit.y[i] + 0.0;
  if (!orbit.found) return out;
  for (const auto& [entry, part] : orbit.small_entries)
    out["digits"][answer.state_names[entry]] = digits_of_entry(orbit, part);
  out["multipliers"] = Json::array();
  for (const Multiplier& one : orbit.multipliers) {
    Json entry{{"re", one.value.real()}, {"im", one.value.imag()}, {"abs", std::abs(one.value)}};
    if (!one.kind.empty()) entry["is"] = one.kind;
    out["multipliers"].push_back(std::move(entry));
  }
  out["multiplier_error"] = orbit.multiplier_error;
  out["hamiltonian"] = orbit.pairs;
  if (orbit.pairs) out["pair_defect"] = orbit.pair_defect;
  out["stability"] = name_of(orbit.stability);
  return out;
}

void print(const System& system, const OrbitAnswer& answer) {
  const PeriodicOrbit& orbit = answer.orbit;
  if (!system.name.empty()) fmt::print("{}\n\n", system.name);
  fmt::print("  a motion of period {:.12g} ({}), closed to {:.1f} digits after {} round{}\n", orbit.period,
             answer.period_from == "the drive" ? "that of the drive"
             : orbit.autonomous                ? "found"
                                               : "given",
             digits_of(orbit.defect), orbit.rounds, orbit.rounds == 1 ? "" : "s");
  if (orbit.times > 1)
    fmt::print("  {} times within the period that was sought, {:.12g}\n", orbit.times,
               orbit.period * static_cast<double>(orbit.times));
  for (const std::string& choice : answer.chosen) fmt::print("  note: {}\n", choice);
  fmt::print("  start at t = {:g}\n", orbit.begin);
  for (std::size_t i = 0; i < answer.state_names.size(); ++i)
    fmt::print("    {:<12}{:>20.12g}\n", answer.state_names[i], orbit.y[i] + 0.0);
  for (const auto& [entry, part] : orbit.small_entries)
    fmt::print(
        "  note: {} goes {:.1g} as far as others, and beside relations all have one measure: about {:.0f} "
        "of its digits are known\n",
        answer.state_names[entry], part, digits_of_entry(orbit, part));
  fmt::print("  multipliers, to {:.1f} digits\n", digits_of(orbit.multiplier_error));
  for (const Multiplier& one : orbit.multipliers) {
    if (!one.kind.empty()) {
      fmt::print("    {:<40}{}\n", text_of(one.value), one.kind);
    } else {
      const bool is_noise = one.value != 0.0 && std::abs(one.value) <= orbit.multiplier_error;
      fmt::print("    {:<40}|.| {} {:.9g}\n", is_noise ? "0, to these digits" : text_of(one.value),
                 is_noise ? "<" : "=", is_noise ? 2 * orbit.multiplier_error : std::abs(one.value));
    }
  }
  if (orbit.pairs && !orbit.multipliers.empty())
    fmt::print("  pairs mu, 1/mu to {:.1f} digits\n", digits_of(orbit.pair_defect));
  if (orbit.multipliers.empty()) {
    fmt::print("    none: the relations leave nothing that could deviate\n");
    return;
  }
  const char* words = orbit.stability == OrbitStability::stable ? "stable: deviations die out"
                      : orbit.stability == OrbitStability::unstable
                          ? "unstable: a deviation grows"
                          : "neutral: small deviations stay, and do "
                            "not decide";
  fmt::print("  {}\n", words);
}

int run_follow(const OrbitsOptions& options, MechanismParts& parts, Assignments parameters,
               InterruptScope& interrupt) {
  const FollowedParameter over = read_followed(parts.system(), *options.follow, parameters);
  std::erase_if(parameters, [&](const Assignment& given) { return given.symbol == over.symbol; });
  parameters.push_back(
      {over.symbol, parts.system().pool->number(Rational::from_double(over.from)), over.from});
  const Assignments start =
      read_assignments(parts.system(), "--start", options.start, Assignable::state, parameters);
  OrbitSearch search(parts, parameters, start, options.project, options.tolerance, {over.symbol});
  const BranchAnswer answer = search.follow({.period = options.period,
                                             .turns = options.turns,
                                             .hold = options.hold,
                                             .tolerance = options.tolerance,
                                             .interrupted = [] { return InterruptScope::is_set(); }},
                                            over, options.rest);
  interrupt.loops_are_over();
  if (InterruptScope::is_set()) {  // what was found stays
    if (!answer.branches.branches.empty()) tell_branches(options, parts.system(), over, answer);
    return interrupted_by_signal;
  }
  if (!answer.branches.failure.empty()) {
    report(parts.name(), Problem::run_stopped,
           fmt::format("there is no {} to begin with: {}", options.rest ? "place of rest" : "periodic motion",
                       answer.branches.failure),
           "another --start may be nearer to one");
    return static_cast<int>(Status::numerical_failure);
  }
  tell_branches(options, parts.system(), over, answer);
  return static_cast<int>(Status::done);
}

}  // namespace

int run_orbits(const OrbitsOptions& options) {
  InterruptScope interrupt;
  try {
    if (!(options.tolerance >= 1e-14 && options.tolerance < 1e-3))
      refuse(Status::bad_input, "--tol", Problem::bad_usage, "a tolerance lies between 1e-14 and 1e-3",
             "--tol 1e-12");
    require_branch_options(options);
    const auto parts = read_model(options.model);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    Assignments parameters = read_assignments(parts->system(), "--set", options.set, Assignable::parameters);
    if (options.follow) return run_follow(options, *parts, std::move(parameters), interrupt);
    const Assignments start =
        read_assignments(parts->system(), "--start", options.start, Assignable::state, parameters);
    OrbitSearch search(*parts, parameters, start, options.project, options.tolerance);
    const OrbitAnswer answer = search.find({.period = options.period,
                                            .turns = options.turns,
                                            .hold = options.hold,
                                            .tolerance = options.tolerance,
                                            .interrupted = [] { return InterruptScope::is_set(); }});
    interrupt.loops_are_over();
    if (InterruptScope::is_set()) return interrupted_by_signal;
    if (options.json) {
      print_json(to_json(parts->system(), answer));
    } else if (answer.orbit.found) {
      print(parts->system(), answer);
    }
    if (answer.orbit.found) return static_cast<int>(Status::done);
    report(parts->name(), Problem::run_stopped, "no periodic motion was found: " + answer.orbit.failure,
           "another --start or --period may be nearer to one");
    return static_cast<int>(Status::numerical_failure);
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
