#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"

/// A model as an editor sees it: also while it is being typed and no parser would take it.
namespace liaison::lsp {

/// As the protocol counts: lines from 0, and units of UTF-16 in a line.
struct Position {
  std::size_t line = 0, character = 0;
};

/// A name or a word of the language, as it stands in the text.
struct Word {
  std::string name;        ///< in ASCII, without primes: theta of θ̇
  std::size_t primes = 0;  ///< of the name
  Span span;               ///< with its primes
  std::size_t statement = 0;
  std::size_t depth = 0;   ///< brackets around it
  bool in_unit = false;    ///< kg of [kg]
  bool in_family = false;  ///< x_ of x_{i}, which stands for many names
};

struct Statement {
  Span span;
  std::string keyword;              ///< of a `for` that of the statement behind it
  std::size_t first = 0, last = 0;  ///< of its words: [first, last)
  std::size_t body = 0;             ///< the word behind the keyword
};

class Document {
 public:
  Document(std::string path, std::string text);

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  const std::vector<Statement>& statements() const { return statements_; }
  const std::vector<Word>& words() const { return words_; }
  /// The word that holds the place or ends there; null if there is none.
  const Word* word_at(std::size_t offset) const;
  /// The statement of a place, with the blanks behind it; null before the first.
  const Statement* statement_at(std::size_t offset) const;

  /// What is beyond the end of a line or of the text is its end.
  std::size_t offset(Position position) const;
  Position position(std::size_t offset) const;
  std::string_view line(std::size_t number) const;
  /// The sign that is not a blank before a place, and behind it; 0 at the ends.
  char before(std::size_t offset) const;
  char behind(std::size_t offset) const;

 private:
  void cut();
  void read_words(std::size_t statement);
  bool opens_unit(const Statement& statement, std::size_t bracket) const;

  std::string path_, text_;
  std::string masked_;  ///< comments and strings blanked out
  std::vector<std::size_t> line_starts_;
  std::vector<Statement> statements_;
  std::vector<Word> words_;
};

}  // namespace liaison::lsp
