#ifndef LIAISON_EXPR_DIAGNOSTIC_HPP
#define LIAISON_EXPR_DIAGNOSTIC_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is wrong with a text a person wrote, where, why and what would mend it.
namespace liaison {

/// Bytes [begin, end) of a source text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A named text. Lines and columns count from 1; columns count Unicode code points.
class Source {
 public:
  Source(std::string name, std::string text);
  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  struct Place {
    std::size_t line;
    std::size_t column;
  };
  Place place(std::size_t offset) const;
  std::string_view line(std::size_t number) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

struct Note {
  std::optional<Span> span;
  std::string text;
};

struct Diagnostic {
  std::string code;     ///< "L0101": stable, each with a page in docs/reference/errors.md
  std::string message;  ///< in the user's words
  Span span;
  std::string label;  ///< stands behind the caret; may be empty
  std::vector<Note> notes;
  std::string hint;  ///< something that would mend it; may be empty
};

/// name:line:col: error: message [code], the line (cut around the place if long), a caret span, notes, the
/// hint.
std::string render(const Diagnostic& diagnostic, const Source& source);
std::string render(const std::vector<Diagnostic>& diagnostics, const Source& source);

/// The candidate nearest to `name` by edit distance if it is near enough to be a typing slip.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace liaison

#endif  // LIAISON_EXPR_DIAGNOSTIC_HPP
