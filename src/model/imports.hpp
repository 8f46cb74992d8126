#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "repeat.hpp"

/// "import "FILE" as NAME (x = EXPR, ...)": the statements of another model under names of their own.
namespace liaison {

/// What a model says, its own imports written out too: one text a statement.
struct PartText {
  std::vector<std::string> statements;
  std::vector<Diagnostic> problems;  ///< of the text by itself
  bool has_families = false;         ///< contacts that are too many to be written out
};

/// The parts of one model, each read once.
struct PartFiles {
  std::map<std::string, PartText> known;  ///< by path
  std::vector<std::string> open;          ///< the model and the parts that are being read, from outside in
};

/// Reads a part as the model that it is.
using ReadPart = std::function<PartText(const Source&, PartFiles&)>;

/// Puts the statements of parts in the place of `import` statements.
void write_imports(WrittenOut& written, const std::string& model, PartFiles& files, const ReadPart& read);

}  // namespace liaison
