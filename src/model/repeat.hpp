#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"

/// "for i in 1..N, j in i+1..N: STATEMENT": a statement for each value of its indices. `{i}` in it is the
/// number, and `x_{i}` a name.
namespace liaison {

/// A part of a name: letters, or a sum of indices in braces.
struct NamePiece {
  std::string text;
  bool is_index = false;
};

/// A statement that is read once, for the first values of its indices: contacts that are too many to be
/// written out.
struct RepeatedStatement {
  struct Pattern {
    std::vector<NamePiece> pieces;
    std::string text;  ///< "x_{i}"
    Span span;         ///< where it is written first
  };
  Pattern name;
  std::vector<Pattern> patterns;  ///< every other name with indices in it, once, without primes
  std::string indices;            ///< "i in 1..200, j in i+1..200"
  std::vector<std::string> index_names;
  std::vector<std::int32_t> values;  ///< of the indices, one set after the other
};

/// The text of a model with what its `for` statements stand for behind it.
struct WrittenOut {
  struct Statement {
    Span span;
    std::optional<std::size_t> repeated;  ///< one of `repeated`
    std::string part = {};                ///< that says it, by its name in the model
    std::string positive = {};            ///< the parameter of the part in whose place this `let` is
  };
  struct Origin {
    std::size_t begin = 0;  ///< in the text, up to the next
    Span source;            ///< what stands there is written here
    bool verbatim = true;   ///< letter by letter
  };
  std::string text;
  std::vector<Statement> statements;
  std::vector<RepeatedStatement> repeated;
  std::vector<Origin> origins;  ///< of what stands behind the text of the model
  std::vector<Diagnostic> problems;
  std::vector<Span> unread;  ///< statements that cannot be written out

  /// Where a part of the text is written in the model.
  Span place(Span span) const;
};

/// `masked`: without comments. Statements that are no `for` stay where they are.
WrittenOut write_out(std::string_view masked, const std::vector<Span>& statements);

/// "x_12" of "x_{i}" at i = 12; nothing where a number is negative.
std::optional<std::string> name_at(const RepeatedStatement::Pattern& pattern,
                                   const std::vector<std::string>& index_names, const std::int32_t* values);

}  // namespace liaison
