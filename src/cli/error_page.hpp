#pragma once

#include <optional>
#include <string>
#include <vector>

/// The codes of what the program says, as docs/reference/errors.md and model-errors.md explain them.
namespace liaison::cli {

struct WrongModel {
  std::string title, model, message;
};

struct ErrorEntry {
  std::string code, section, cause, example, fix;
  std::string exit_code;  ///< where the page has one
  std::vector<WrongModel> models;
};

/// In the order of the page, without their wrong models.
const std::vector<ErrorEntry>& error_entries();
/// "L0412", "l412", "412"; nothing if there is none.
std::optional<ErrorEntry> find_error(const std::string& text);
/// "L0412" of what a person writes; empty if it is no code.
std::string code_in(const std::string& text);

}  // namespace liaison::cli
