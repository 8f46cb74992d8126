#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/mechanism/message.hpp"

/// What the commands say. Codes are stable, each with an entry in docs/reference/errors.md.
namespace liaison::cli {

/// On the standard error. Where that is closed or full nothing is said; the exit code tells.
void say(const std::string& text);
/// The messages of what was refused; its exit code.
int report(const Refused& refused);
/// "PLACE: error: MESSAGE [CODE]" and the hint; `place` and `hint` may be empty.
void report(const std::string& place, Problem problem, const std::string& message, const std::string& hint);
/// What the library refused, under its own code.
void report(const std::string& place, const Error& error);

/// Throws Refused with all that is wrong in a text.
[[noreturn]] void refuse_text(const std::vector<Diagnostic>& problems, const Source& source);

using Json = nlohmann::ordered_json;

/// Where a result is not a finite number, "acceleration.x"; nothing if all are.
std::optional<std::string> first_not_finite(const Json& value);
/// One JSON object on the standard output; with --json at the end of the program, with what was said beside
/// it (json_answer.hpp). Bytes that are not UTF-8 are replaced; -0 is written 0.
void print_json(Json value);

}  // namespace liaison::cli
