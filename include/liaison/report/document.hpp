#ifndef LIAISON_REPORT_DOCUMENT_HPP
#define LIAISON_REPORT_DOCUMENT_HPP

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "liaison/algebra/matrix.hpp"
#include "liaison/forms/form.hpp"

/// One derivation document: what is said, once; rendered as text, LaTeX, HTML and JSON.
namespace liaison {

/// A formula in all notations. A long one is a list of pieces between which a line may end: the summands with
/// their signs, the relations with what follows them. The pieces side by side are the formula: each but the
/// first begins with its sign, " + x".
struct Math {
  enum class Start { term, relation };  ///< what a piece begins with
  struct Piece {
    std::string infix, unicode, latex;
    std::string mathml;  ///< children of an <mrow>
    Start start = Start::term;
    /// Lines of equal width in place of `unicode` where there is room: a matrix.
    std::vector<std::string> tall = {};
  };
  std::vector<Piece> pieces;
};
Math math(Expr e);
Math math(const Form& form);
Math math(const Matrix& matrix);
/// A name or a short formula that is not an expression: "Omega_s", "Ωₛ", "\\Omega_s". MathML is made from the
/// LaTeX.
Math symbol(const std::string& infix, const std::string& unicode, const std::string& latex);
/// left RELATION right, as "=" or "!=" or "+"; a line may end before the relation. A sum behind "-" is set in
/// brackets; a negative right side turns "+" into "-" and "-" into "+".
Math relate(const Math& left, const std::string& relation, const Math& right);
Math operator+(Math a, const Math& b);  ///< side by side

/// The whole formula in one notation.
std::string infix_of(const Math& formula);
std::string unicode_of(const Math& formula);
std::string latex_of(const Math& formula);
std::string mathml_of(const Math& formula);

/// Text with formulas in it.
struct Inline {
  std::vector<std::variant<std::string, Math>> parts;
  Inline() = default;
  Inline(std::string text) { parts.emplace_back(std::move(text)); }    // NOLINT: text is a paragraph
  Inline(const char* text) { parts.emplace_back(std::string(text)); }  // NOLINT
  Inline(Math formula) { parts.emplace_back(std::move(formula)); }     // NOLINT
};
Inline operator+(Inline a, const Inline& b);

struct Paragraph {
  Inline text;
};
/// A statement in a programming language; empty where the formula is none.
struct Code {
  std::string c, python;
};
/// "theta_ddot = -g*sin(theta)/l;" and the same in Python. The name is one of the language .lia or of a page:
/// lambda(rod) becomes lambda_rod. Empty where a number is beyond a double.
Code assignment(const std::string& name, Expr value);
/// A displayed formula, numbered through the document. `key` names it in JSON ("omega", "factor.roll_x");
/// `note` says how it is known or where it holds.
struct Display {
  std::string key;
  Math formula;
  Inline note = {};
  Code code = {};
};
struct Table {
  std::string key;
  std::vector<Inline> header;
  std::vector<std::vector<Inline>> rows;
};
struct Listing {  ///< bullet points
  std::vector<Inline> items;
};
using Block = std::variant<Paragraph, Display, Table, Listing>;

struct Section {
  std::string key;  ///< "omega", "reactions"
  std::string title;
  std::vector<Block> blocks;
};
struct Document {
  std::string title;
  Inline summary;
  std::vector<Section> sections;
};

/// For a terminal: Unicode, no line longer than `width` unless a word or name without a blank is.
std::string render_text(const Document& document, std::size_t width = 100);
/// A whole LaTeX document; amsmath only. Long formulas are broken at their pieces, and inside brackets and
/// numerators where one piece is wider than the page.
std::string render_latex(const Document& document);
/// One file, offline: formulas in MathML, styles inside, readable on paper and in the dark.
std::string render_html(const Document& document);
/// {"schema": 1, "title", "summary", "sections": [{"key", "title", "items": [...]}]}. An item has a "kind":
///   paragraph {"text"}, formula {"key", "number", "formula", "note"}, table {"key", "header", "rows"},
///   list {"items"}.
/// Texts, notes and cells are lists of strings and formulas; a formula is {"infix", "latex"}.
std::string render_json(const Document& document);

}  // namespace liaison

#endif  // LIAISON_REPORT_DOCUMENT_HPP
