#include <algorithm>
#include <cmath>
#include <utility>

#include "latex_preamble.hpp"
#include "liaison/report/document.hpp"
#include "tex_lines.hpp"
#include "tex_symbols.hpp"

namespace liaison {

namespace {

using report::TexStyle;
using report::Unit;

constexpr double page_width = 41;          // em: 16 cm of 11 pt type
constexpr double number_width = 4;         // em, of "(12)" and the space before it
constexpr double cell_space = 1.1;         // em between two columns of a table
constexpr double room_for_a_comma = 1;     // em, behind a formula on a line of its own
constexpr double page_height = 540;        // pt, of 669: what is estimated may be taller
constexpr double line_height = 17;         // pt, with the space between lines of a formula
constexpr double fraction_height = 34;     // pt, of a line with fractions
constexpr double least_row_height = 18.4;  // pt: \arraystretch

/// In a sentence or a cell. TeX ends lines at the signs; where a piece is wider than the line, the formula
/// gets lines of its own.
std::string inline_math(const Math& formula, double width, bool begins) {
  const bool fits = std::all_of(formula.pieces.begin(), formula.pieces.end(), [&](const Math::Piece& piece) {
    return report::tex_width(Math{{piece}}, TexStyle::text) <= width;
  });
  if (fits) return "$" + latex_of(formula) + "$";
  const double room = width - room_for_a_comma;
  const std::vector<Unit> units = report::tex_units(formula, room, TexStyle::display);
  const std::vector<std::size_t> starts = report::line_starts(units, {room, room});
  std::string out;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : units.size();
    out += (i > 0 || !begins ? "\\newline $" : "$") + report::tex_line(units, starts[i], end) + "$";
  }
  return out;
}

std::string to_latex(const Inline& text, double width = page_width) {
  std::string out;
  for (const auto& part : text.parts) {
    const auto* formula = std::get_if<Math>(&part);
    out += formula != nullptr ? inline_math(*formula, width, out.empty())
                              : report::escape_latex_text(std::get<std::string>(part));
  }
  return out;
}

double text_width(const Inline& text) {
  double width = 0;
  for (const auto& part : text.parts) {
    const auto* formula = std::get_if<Math>(&part);
    width += formula != nullptr ? report::tex_width(*formula, TexStyle::text)
                                : 0.52 * static_cast<double>(std::get<std::string>(part).size());
  }
  return width;
}

/// In points, on the tall side: what TeX wraps by itself, or the lines that were ended here.
double height_of(const Inline& text, double width) {
  const std::string latex = to_latex(text, width);
  double ended = 0;
  bool has_fractions = false;
  for (std::size_t begin = 0; begin < latex.size();) {
    std::size_t end = begin, fractions = 0;
    while (end < latex.size() && latex.compare(end, 8, "\\newline") != 0 &&
           latex.compare(end, 7, "[0.3ex]") != 0)
      fractions += latex.compare(end++, 5, "\\frac") == 0 ? 1 : 0;
    // they may stand in each other
    ended += line_height +
             static_cast<double>(std::min<std::size_t>(fractions, 2)) * (fraction_height - line_height);
    has_fractions = has_fractions || fractions > 0;
    begin = end + 7;
  }
  constexpr double below = 1.4;  // with the lines of denominators
  if (has_fractions) ended *= below;
  const double wrapped = std::floor(text_width(text) / width * 1.25) + 1;
  return std::max(ended, wrapped * (has_fractions ? fraction_height : line_height));
}

/// The widest word or piece.
double least_width(const Inline& text) {
  double least = 0;
  for (const auto& part : text.parts) {
    if (const auto* formula = std::get_if<Math>(&part)) {
      for (const Math::Piece& piece : formula->pieces)
        least = std::max(least, report::tex_width(Math{{piece}}, TexStyle::text));
      continue;
    }
    std::size_t run = 0;
    for (char c : std::get<std::string>(part)) {
      run = c == ' ' ? 0 : run + 1;
      least = std::max(least, 0.55 * static_cast<double>(run));
    }
  }
  return least;
}

/// A formula that is wider than the line: one line of `align` a row, the first relation at the mark.
class AlignedFormula {
 public:
  explicit AlignedFormula(const Math& formula) {
    units_ = report::tex_units(formula, page_width - number_width - indent, TexStyle::display);
    const auto relation =
        std::find_if(units_.begin(), units_.end(), [](const Unit& unit) { return unit.relation; });
    double left = 0;
    for (auto unit = units_.begin(); unit != relation; ++unit) left += unit->width;
    double room = page_width - number_width;
    if (relation != units_.begin() && relation != units_.end() && left <= page_width / 3) {
      const auto count = static_cast<std::size_t>(relation - units_.begin());
      left_ = report::tex_line(units_, 0, count);
      room -= left;
      const Math right{{formula.pieces.begin() + first_relation(formula), formula.pieces.end()}};
      units_ = report::tex_units(right, room - indent, TexStyle::display);
    }
    report::start_lines_at_relations(units_);
    starts_ = report::line_starts(units_, {room, room - indent, 1});
  }

  std::string rows() const {
    std::string out;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1] : units_.size();
      const bool at_mark = i == 0 || units_[starts_[i]].relation;
      out += (i == 0 ? left_ : std::string()) + " &" + (at_mark ? "" : quads(units_[starts_[i]].depth)) +
             report::tex_line(units_, starts_[i], end) + (i == 0 ? "" : " \\notag") +
             (i + 1 < starts_.size() ? " \\\\\n" : "\n");
    }
    return out;
  }

 private:
  static std::string quads(int depth) {
    std::string text = "\\quad ";
    for (int i = 0; i < std::min(depth, report::max_levels); ++i) text += "\\quad ";
    return text;
  }

  static constexpr double indent = 2;  // em: \quad and the space of a relation

  static std::ptrdiff_t first_relation(const Math& formula) {
    return std::find_if(formula.pieces.begin(), formula.pieces.end(),
                        [](const Math::Piece& piece) { return piece.start == Math::Start::relation; }) -
           formula.pieces.begin();
  }

  std::string left_;
  std::vector<Unit> units_;
  std::vector<std::size_t> starts_;
};

class LatexWriter {
 public:
  void write(const Document& document) {
    out_ += report::latex_preamble;
    out_ += "\\begin{document}\n\\begin{center}\n{\\LARGE " + report::escape_latex_text(document.title) +
            "\\par}\n\\end{center}\n";
    if (!document.summary.parts.empty()) block(Paragraph{document.summary});
    for (const Section& section : document.sections) {
      out_ += "\n\\section{" + report::escape_latex_text(section.title) + "}\n";
      for (const Block& each : section.blocks) std::visit([this](const auto& b) { block(b); }, each);
    }
    out_ += "\\end{document}\n";
  }
  std::string take() { return std::move(out_); }

 private:
  void block(const Paragraph& paragraph) { out_ += "\n" + to_latex(paragraph.text) + "\n"; }

  void block(const Listing& listing) {
    if (listing.items.empty()) return;
    out_ += "\\begin{itemize}\n";
    for (const Inline& item : listing.items) out_ += "\\item {}" + to_latex(item, page_width - 3) + "\n";
    out_ += "\\end{itemize}\n";
  }

  void block(const Display& display) {
    if (report::tex_width(display.formula, TexStyle::display) <= page_width - number_width) {
      const std::string formula = latex_of(display.formula);
      out_ += "\\begin{equation}\n" + (formula.empty() ? "{}" : formula) + "\n\\end{equation}\n";
    } else {
      out_ += "\\begin{align}\n" + AlignedFormula(display.formula).rows() + "\\end{align}\n";
    }
    if (!display.note.parts.empty()) out_ += "\\note{" + to_latex(display.note) + "}\n";
  }

  void block(const Table& table) {
    std::size_t columns = table.header.size();
    for (const auto& row : table.rows) columns = std::max(columns, row.size());
    if (columns == 0) return;
    const double width = page_width - cell_space * static_cast<double>(columns);
    std::vector<bool> is_long(table.rows.size(), false);
    std::vector<report::ColumnWish> wishes = wishes_of(table, columns, is_long);
    std::vector<double> widths = report::fit_columns(wishes, width);
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      is_long[i] = row_height(table.rows[i], widths) > page_height / 2;
    wishes = wishes_of(table, columns, is_long);
    widths = report::fit_columns(wishes, width);
    rows(table, is_long, widths, wishes);
  }

  static std::vector<report::ColumnWish> wishes_of(const Table& table, std::size_t columns,
                                                   const std::vector<bool>& is_long) {
    std::vector<report::ColumnWish> wishes(columns, {0, 0});
    const auto wish = [&](const std::vector<Inline>& row) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        wishes[i].natural = std::max(wishes[i].natural, text_width(row[i]));
        wishes[i].least = std::max(wishes[i].least, std::min(least_width(row[i]), page_width / 3));
      }
    };
    wish(table.header);
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      if (!is_long[i]) wish(table.rows[i]);
    return wishes;
  }

  /// Tables of a page at most, each with the header; between them the rows that are long, cell by cell.
  void rows(const Table& table, const std::vector<bool>& is_long, const std::vector<double>& widths,
            const std::vector<report::ColumnWish>& wishes) {
    std::string columns;
    for (std::size_t i = 0; i < widths.size(); ++i)
      columns += widths[i] >= wishes[i].natural ? "l" : "p{" + in_em(widths[i]) + "}";
    const std::string begin = "\\begin{flushleft}\n\\begin{tabular}{@{}" + columns + "@{}}\n\\hline\n" +
                              (table.header.empty() ? "" : row(table.header, widths) + "\\hline\n");
    const std::string end = "\\hline\n\\end{tabular}\n\\end{flushleft}\n";
    bool is_open = false;
    double height = 0;
    const auto close = [&] {
      if (std::exchange(is_open, false)) out_ += end;
      height = 0;
    };
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      if (is_long[i]) {
        close();
        long_row(table.header, table.rows[i]);
        continue;
      }
      const double own = row_height(table.rows[i], widths);
      if (height + own > page_height) close();
      if (!std::exchange(is_open, true)) out_ += begin;
      height += own;
      out_ += row(table.rows[i], widths);
    }
    if (table.rows.empty()) out_ += begin + end;
    close();
  }

  /// Paragraphs, which pages may part: what stands above a column is said before its cell.
  void long_row(const std::vector<Inline>& header, const std::vector<Inline>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out_ += "\n{\\itshape " + (i < header.size() ? to_latex(header[i]) : std::string()) + "} ";
      out_ += to_latex(cells[i], page_width) + "\n";
    }
  }

  static std::string in_em(double width) {
    const auto hundredths = static_cast<long>(width * 100);
    const std::string digits = std::to_string(hundredths % 100);
    return std::to_string(hundredths / 100) + "." + (digits.size() < 2 ? "0" : "") + digits + "em";
  }

  static double row_height(const std::vector<Inline>& cells, const std::vector<double>& widths) {
    double height = least_row_height;
    for (std::size_t i = 0; i < cells.size(); ++i) height = std::max(height, height_of(cells[i], widths[i]));
    return height;
  }

  static std::string row(const std::vector<Inline>& cells, const std::vector<double>& widths) {
    std::string out;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) out += " & ";
      if (i < cells.size()) out += "\\cell " + to_latex(cells[i], widths[i]);
    }
    return out + " \\tabularnewline\n";
  }

  std::string out_;
};

}  // namespace

std::string render_latex(const Document& document) {
  LatexWriter writer;
  writer.write(document);
  return writer.take();
}

}  // namespace liaison
