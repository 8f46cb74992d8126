#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "liaison/mechanics/motion.hpp"
#include "liaison/model/language.hpp"

namespace liaison::cli {

/// A model file read, checked and derived.
struct LoadedModel {
  std::string path;
  std::unique_ptr<Source> source;
  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  std::unique_ptr<Motion> motion;
};

/// Nothing after the diagnostics went to stderr: the exit code is bad_input.
std::optional<LoadedModel> load_model(const std::string& path, const AlgebraOptions& options = {});
/// The same without its motion: read and checked only.
std::optional<LoadedModel> read_model(const std::string& path, const AlgebraOptions& options = {});
/// How many claims a model has; 0 and no word where it cannot be read.
std::size_t count_claims(const std::string& path);
/// The code of what the mechanics refuses in a model that the language accepts.
std::string code_of_model(const Error& error);

using Assignments = std::vector<std::pair<Expr, double>>;

/// What an option gives values to.
enum class Assignable { parameters, state, everything };

/// "x = 1, phi' = pi/6": names of the model's state (or of its parameters) and constants, which may use the
/// parameters with the values `known` instead of the model's own. Nothing after the diagnostics went to
/// stderr. `option` is what the text was given to, "--at".
std::optional<Assignments> read_assignments(const System& system, const std::string& option,
                                            const std::string& text, Assignable assignable,
                                            const Assignments& known = {});
/// The parameters among assignments to everything, taken out of them.
Assignments take_parameters(const System& system, Assignments& from);

}  // namespace liaison::cli
