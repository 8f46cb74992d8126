#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "document.hpp"
#include "liaison/model/language.hpp"
#include "names.hpp"

/// What an editor asks of a model.
namespace liaison::lsp {

using Json = nlohmann::json;

/// What the hint of a message says to write in place of what it is about; nothing if it does not.
std::optional<std::string> replacement_in(const std::string& hint);

/// One text: its words now, and the model where there is one.
class ModelView {
 public:
  ModelView(std::string path, std::string text);

  Json diagnostics() const;
  Json hover(Position at) const;
  Json definition(const std::string& uri, Position at) const;
  Json references(const std::string& uri, Position at, bool with_declaration) const;
  Json highlights(Position at) const;
  Json completion(Position at) const;
  Json symbols() const;
  Json quick_fixes(const std::string& uri, Position from, Position to) const;
  Json rename_range(Position at) const;
  /// The edits, or why the name cannot be changed.
  struct Renamed {
    Json edits;
    std::string refused;
  };
  Renamed rename(Position at, const std::string& name) const;

 private:
  Json range(Span span) const;
  const Declaration* declared_at(Position at) const;
  std::vector<std::size_t> uses_at(Position at) const;
  std::string unit_of(const Declaration& declaration) const;
  std::string told(const Declaration& declaration, std::size_t primes) const;
  std::string comment_of(const Declaration& declaration) const;
  std::string value_of(const Declaration& declaration) const;
  Json clause(std::string_view word) const;
  bool is_named_object(const std::string& name) const;
  bool text_before_value(const Statement* statement, std::size_t place) const;
  Json item(const std::string& label, int kind, const std::string& detail) const;

  Document document_;
  Names names_;
  ParsedModel model_;
};

}  // namespace liaison::lsp
