#include <algorithm>
#include <array>

#include "liaison/expr/print.hpp"
#include "liaison/expr/print_mathml.hpp"
#include "liaison/expr/print_parts.hpp"
#include "liaison/report/document.hpp"
#include "tex_symbols.hpp"
#include "tex_tree.hpp"

namespace liaison {

namespace {

using Piece = Math::Piece;

constexpr std::string_view mathml_plus = "<mo form=\"infix\">+</mo>";
constexpr std::string_view mathml_minus = "<mo form=\"infix\">−</mo>";
constexpr std::string_view mathml_sign = "<mo>−</mo>";

Piece piece_of(Expr e) {
  return {.infix = to_infix(e), .unicode = to_unicode(e), .latex = to_latex(e), .mathml = to_mathml(e)};
}

Piece piece_of(const Form& form) {
  return {.infix = to_infix(form),
          .unicode = to_unicode(form),
          .latex = to_latex(form),
          .mathml = to_mathml(form)};
}

/// Lines of equal width: those of a tall piece, or its one line in the middle of as many.
std::vector<std::string> lines_of(const Piece& piece, std::size_t count) {
  const std::vector<std::string> own = piece.tall.empty() ? std::vector{piece.unicode} : piece.tall;
  std::vector<std::string> lines(count, std::string(displayed_columns(own[0]), ' '));
  std::copy(own.begin(), own.end(), lines.begin() + static_cast<std::ptrdiff_t>((count - own.size()) / 2));
  return lines;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Piece joined(const Piece& left, const Piece& right) {
  Piece result = left;
  if (!left.tall.empty() || !right.tall.empty()) {
    const std::size_t count = std::max({std::size_t{1}, left.tall.size(), right.tall.size()});
    result.tall = lines_of(left, count);
    const std::vector<std::string> behind = lines_of(right, count);
    for (std::size_t i = 0; i < count; ++i) result.tall[i] += behind[i];
  }
  const bool words = !left.latex.empty() && is_letter(left.latex.back()) && !right.latex.empty() &&
                     is_letter(right.latex.front());  // \lambda x
  result.infix += right.infix;
  result.unicode += right.unicode;
  result.latex += (words ? " " : "") + right.latex;
  result.mathml += right.mathml;
  return result;
}

/// A later summand: its sign, then the term without it.
template <typename Term>
Piece signed_piece(const Term& term, bool negative) {
  const Piece sign =
      negative ? Piece{.infix = " - ", .unicode = " − ", .latex = " - ", .mathml = std::string(mathml_minus)}
               : Piece{.infix = " + ", .unicode = " + ", .latex = " + ", .mathml = std::string(mathml_plus)};
  return joined(sign, piece_of(negative ? -term : term));
}

struct Relation {
  std::string_view infix, unicode, latex;
};
constexpr std::array relations{
    Relation{"=", "=", "="},        Relation{"==", "=", "="},      Relation{"!=", "≠", "\\neq"},
    Relation{"<=", "≤", "\\leq"},   Relation{">=", "≥", "\\geq"},  Relation{"+", "+", "+"},
    Relation{"-", "−", "-"},        Relation{"->", "→", "\\to"},   Relation{"=>", "⇒", "\\Rightarrow"},
    Relation{"in", "∈", "\\in"},    Relation{"^", "∧", "\\wedge"}, Relation{"*", "·", "\\cdot"},
    Relation{"~", "≈", "\\approx"}, Relation{"<=>", "⇔", "\\iff"}, Relation{"<", "<", "<"},
    Relation{">", ">", ">"},        Relation{":=", ":=", ":="}};

Piece relation_piece(const std::string& relation) {
  const auto* row = std::find_if(relations.begin(), relations.end(),
                                 [&](const Relation& r) { return r.infix == relation; });
  const bool known = row != relations.end();
  const std::string unicode(known ? row->unicode : relation);
  const std::string latex =
      known ? std::string(row->latex) : "\\mathrel{\\text{" + report::escape_latex_text(relation) + "}}";
  return {.infix = " " + relation + " ",
          .unicode = " " + unicode + " ",
          .latex = " " + latex + " ",
          .mathml = "<mo form=\"infix\">" + escape_xml(unicode) + "</mo>",
          .start = relation == "+" || relation == "-" ? Math::Start::term : Math::Start::relation};
}

bool is_negative(const Math& formula) {
  return !formula.pieces.empty() && formula.pieces[0].infix.starts_with("-") &&
         formula.pieces[0].mathml.starts_with(mathml_sign);
}

void drop_sign(Piece& piece) {
  piece.infix.erase(0, 1);
  piece.unicode.erase(0, std::string_view("−").size());
  piece.latex.erase(0, 1);
  piece.mathml.erase(0, mathml_sign.size());
}

void set_in_brackets(Math& formula) {
  formula.pieces.front() =
      joined({.infix = "(", .unicode = "(", .latex = "(", .mathml = "<mo stretchy=\"false\">(</mo>"},
             formula.pieces.front());
  Piece& last = formula.pieces.back();
  last.infix += ")";
  last.unicode += ")";
  last.latex += ")";
  last.mathml += "<mo stretchy=\"false\">)</mo>";
}

/// ⎡ a  b ⎤ line by line, columns aligned.
std::vector<std::string> tall_matrix(const Matrix& matrix) {
  std::vector<std::size_t> widths(matrix.columns, 0);
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < matrix.entries.size(); ++i) {
    cells.push_back(to_unicode(matrix.entries[i]));
    widths[i % matrix.columns] = std::max(widths[i % matrix.columns], displayed_columns(cells.back()));
  }
  std::vector<std::string> lines;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const bool top = row == 0;
    const bool bottom = row + 1 == matrix.rows;
    std::string line = top && bottom ? "[" : top ? "⎡" : bottom ? "⎣" : "⎢";
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      const std::string& cell = cells[row * matrix.columns + column];
      line += (column > 0 ? "  " : " ") + cell + std::string(widths[column] - displayed_columns(cell), ' ');
    }
    lines.push_back(line + (top && bottom ? " ]" : top ? " ⎤" : bottom ? " ⎦" : " ⎥"));
  }
  return lines;
}

template <typename Member>
std::string side_by_side(const Math& formula, Member member) {
  std::string text;
  for (const Piece& piece : formula.pieces) text += piece.*member;
  return text;
}

}  // namespace

Math math(Expr e) {
  Math result;
  for (Expr term : printed_terms(e)) {
    const bool negative = split_coefficient(term).first.sign() < 0;
    result.pieces.push_back(result.pieces.empty() ? piece_of(term) : signed_piece(term, negative));
  }
  return result;
}

Math math(const Form& form) {
  if (form.empty() || form.degree() == 0)
    return math(form.empty() ? form.coframe()->pool().number(0) : form.terms()[0].second);
  Math result;
  for (const Form::Term& term : form.terms()) {
    const Form alone(form.coframe(), form.degree(), {term});
    const bool negative = !term.second.is(Op::add) && has_negative_lead(term.second);
    result.pieces.push_back(result.pieces.empty() ? piece_of(alone) : signed_piece(alone, negative));
  }
  return result;
}

Math math(const Matrix& matrix) {
  Piece piece{
      .infix = "[", .unicode = "[", .latex = "\\begin{pmatrix}", .mathml = "<mrow><mo>(</mo><mtable>"};
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    piece.infix += row > 0 ? ", [" : "[";
    piece.unicode += row > 0 ? "; " : "";
    piece.latex += row > 0 ? " \\\\ " : "";
    piece.mathml += "<mtr>";
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      const Piece cell = piece_of(matrix(row, column));
      piece.infix += (column > 0 ? ", " : "") + cell.infix;
      piece.unicode += (column > 0 ? ", " : "") + cell.unicode;
      piece.latex += (column > 0 ? " & " : "") + cell.latex;
      piece.mathml += "<mtd>" + cell.mathml + "</mtd>";
    }
    piece.infix += "]";
    piece.mathml += "</mtr>";
  }
  piece.infix += "]";
  piece.unicode += "]";
  piece.latex += "\\end{pmatrix}";
  piece.mathml += "</mtable><mo>)</mo></mrow>";
  piece.tall = tall_matrix(matrix);
  return {{piece}};
}

Math symbol(const std::string& infix, const std::string& unicode, const std::string& latex) {
  const std::string mathml = to_mathml(report::parse_tex(latex, report::TexStyle::text));
  return {{{.infix = infix, .unicode = unicode, .latex = latex, .mathml = mathml}}};
}

Math relate(const Math& left, const std::string& relation, const Math& right) {
  Math behind = right;
  std::string sign = relation;
  if (behind.pieces.empty()) return left;
  if (relation == "-" && behind.pieces.size() > 1) {
    set_in_brackets(behind);
  } else if ((relation == "+" || relation == "-") && is_negative(behind)) {
    drop_sign(behind.pieces[0]);
    sign = relation == "+" ? "-" : "+";
  }
  behind.pieces[0] = joined(relation_piece(sign), behind.pieces[0]);
  Math result = left;
  result.pieces.insert(result.pieces.end(), behind.pieces.begin(), behind.pieces.end());
  return result;
}

Math operator+(Math a, const Math& b) {
  if (a.pieces.empty() || b.pieces.empty()) return a.pieces.empty() ? b : a;
  const Piece last = a.pieces.back();
  a.pieces.back() = joined(last, b.pieces.front());
  a.pieces.insert(a.pieces.end(), b.pieces.begin() + 1, b.pieces.end());
  return a;
}

std::string infix_of(const Math& formula) {
  return side_by_side(formula, &Piece::infix);
}
std::string unicode_of(const Math& formula) {
  return side_by_side(formula, &Piece::unicode);
}
std::string latex_of(const Math& formula) {
  return side_by_side(formula, &Piece::latex);
}
std::string mathml_of(const Math& formula) {
  return side_by_side(formula, &Piece::mathml);
}

Inline operator+(Inline a, const Inline& b) {
  a.parts.insert(a.parts.end(), b.parts.begin(), b.parts.end());
  return a;
}

}  // namespace liaison
