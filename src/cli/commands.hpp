#pragma once

#include <string>

namespace liaison::cli {

/// Exit codes: a contract (scripts rely on it).
enum ExitCode { done = 0, does_not_hold = 1, bad_input = 2, numerical_failure = 3 };

/// A worked tour of the core on real expressions.
int run_tour();
/// Is the expression zero? Says how it knows; exit code 1 where it is not.
int run_zero(const std::string& text);
/// The canonical and the readable form of an expression.
int run_simplify(const std::string& text);

}  // namespace liaison::cli
