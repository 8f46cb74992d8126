#pragma once

#include <string_view>

/// Pages and models that are in the program; made from their files when it is built
/// (cmake/embed_texts.cmake).
namespace liaison::cli::texts {

extern const std::string_view errors;        ///< docs/reference/errors.md
extern const std::string_view model_errors;  ///< docs/reference/model-errors.md
extern const std::string_view language;      ///< docs/reference/language.md

// templates/*.lia.in
extern const std::string_view pendulum, spring, rolling, contact, robot, linkage;

}  // namespace liaison::cli::texts
