#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document.hpp"

/// Which names a model declares, and where they are meant.
namespace liaison::lsp {

enum class NameKind {
  parameter,
  coordinate,
  rotation,
  rate,
  velocity,
  function,
  argument,
  table,
  definition,
  rheonomic,
  index,
  particle,
  body,
  frame,
  joint,
  element,
  constraint,
  output,
  event,
  claim
};
std::string_view describe(NameKind kind);

struct Declaration {
  std::string name;
  NameKind kind = NameKind::parameter;
  std::size_t word = 0;       ///< index among the words of the document
  std::size_t statement = 0;  ///< in which it stands, and of an argument or an index: in which it is known
  Span piece;                 ///< "l > 0 = 0.5 [m]"
};

class Names {
 public:
  explicit Names(const Document& document);
  const std::vector<Declaration>& declarations() const { return declarations_; }
  /// What a word means; null where it declares and means nothing of the model.
  const Declaration* meaning(std::size_t word) const;
  /// All words that mean it, its declaration first.
  std::vector<std::size_t> uses(const Declaration& declaration) const;

 private:
  void declare(std::size_t statement);
  void add(std::size_t word, NameKind kind);
  void add_list(const Statement& statement, NameKind kind);
  Span piece_of(const Word& word) const;
  bool is_kind_of_shape(std::size_t word) const;
  bool is_drawn(std::size_t word) const;  ///< by a shape: it is an object

  const Document& document_;
  std::vector<Declaration> declarations_;
  std::vector<int> meanings_;  ///< of each word: the index of a declaration, or -1
};

struct StatementWord {
  std::string_view keyword, form;
};
/// The words that begin a statement, each with an example.
const std::vector<StatementWord>& statement_words();

}  // namespace liaison::lsp
