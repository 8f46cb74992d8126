#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "liaison/expr/error.hpp"

/// What the commands say besides the diagnostics of a text. Codes are stable, each with an entry in
/// docs/reference/errors.md.
namespace liaison::cli {

enum class Problem {
  not_on_constraint = 501,        ///< a state that violates a constraint
  no_parameter_value = 502,       ///< a parameter without a value
  no_motion = 503,                ///< no factors keep the relations at the state
  singular_mass = 504,            ///< the accelerations are not determined at the state
  no_value = 505,                 ///< division by zero, a root of a negative number, an unknown function
  not_finite = 506,               ///< a result beyond the range of a double
  too_few_relations = 507,        ///< factors in their own directions, and more forces than relations
  bad_power = 508,                ///< a power that is not of degree one, seen in the velocity parameters
  bad_velocity_chart = 509,       ///< velocity parameters that do not determine the velocities
  unreadable = 510,               ///< a file or folder that cannot be read
  no_models = 511,                ///< a folder without models
  unknown_formulation = 512,      ///< --formulation with a name that is none
  not_written = 513,              ///< an output that cannot be written
  bad_usage = 514,                ///< an unknown command or option, a missing argument
  no_state_on_constraints = 515,  ///< nothing near the given state satisfies all constraints
  not_resumed = 516,              ///< nothing to go on from, or the file of another run
  run_stopped = 517,              ///< a run that met a singular state
  internal = 599,                 ///< something that the program did not expect
};

/// "L0501".
std::string code_of(Problem problem);
std::string code_of(ErrorCode code);

/// "PLACE: error: MESSAGE [CODE]" and the hint, on the standard error; `place` and `hint` may be empty.
void report(const std::string& place, const std::string& code, const std::string& message,
            const std::string& hint);
void report(const std::string& place, Problem problem, const std::string& message, const std::string& hint);
/// What the library refused, under its own code.
void report(const std::string& place, const Error& error);

using Json = nlohmann::ordered_json;

/// Where a result is not a finite number, "acceleration.x"; nothing if all are.
std::optional<std::string> first_not_finite(const Json& value);
/// One JSON object on the standard output. Bytes that are not UTF-8 are replaced; -0 is written 0.
void print_json(Json value);

}  // namespace liaison::cli
