#ifndef LIAISON_MODEL_LANGUAGE_HPP
#define LIAISON_MODEL_LANGUAGE_HPP

#include <string>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

struct ParsedModel {
  System system;                        ///< meaningful only without diagnostics
  std::vector<Diagnostic> diagnostics;  ///< in order of place, at most 20
  bool ok() const { return diagnostics.empty(); }
};

struct ModelOptions {
  PoolOptions pool;
  std::size_t max_depth = 10'000;          ///< of brackets and signs in one expression
  std::size_t max_number_digits = 10'000;  ///< of one literal
};

/// Reads a model in the language .lia (docs/reference/language.md). Goes on after an error to report several.
ParsedModel parse_model(const Source& source, const ModelOptions& options = {});

/// The system as .lia text that parses back to an equal system.
std::string to_lia(const System& system);

}  // namespace liaison

#endif  // LIAISON_MODEL_LANGUAGE_HPP
