#include <algorithm>

#include "latex_preamble.hpp"
#include "liaison/report/document.hpp"
#include "tex_lines.hpp"
#include "tex_symbols.hpp"

namespace liaison {

namespace {

using report::TexStyle;
using report::Unit;

constexpr double page_width = 41;       // em: 16 cm of 11 pt type
constexpr double number_width = 4;      // em, of "(12)" and the space before it
constexpr double cell_space = 1.1;      // em between two columns of a table
constexpr double room_for_a_comma = 1;  // em, behind a formula on a line of its own
constexpr std::size_t lines_a_page = 38;

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
    std::vector<report::ColumnWish> wishes(columns, {0, 0});
    const auto wish = [&](const std::vector<Inline>& row) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        wishes[i].natural = std::max(wishes[i].natural, text_width(row[i]));
        wishes[i].least = std::max(wishes[i].least, std::min(least_width(row[i]), page_width / 3));
      }
    };
    wish(table.header);
    for (const auto& row : table.rows) wish(row);
    rows(table, report::fit_columns(wishes, page_width - cell_space * static_cast<double>(columns)), wishes);
  }

  /// Tables of a page at most, each with the header.
  void rows(const Table& table, const std::vector<double>& widths,
            const std::vector<report::ColumnWish>& wishes) {
    std::string columns;
    for (std::size_t i = 0; i < widths.size(); ++i)
      columns += widths[i] >= wishes[i].natural ? "l" : "p{" + in_em(widths[i]) + "}";
    const std::string begin = "\\begin{flushleft}\n\\begin{tabular}{@{}" + columns + "@{}}\n\\hline\n" +
                              (table.header.empty() ? "" : row(table.header, widths) + "\\hline\n");
    const std::string end = "\\hline\n\\end{tabular}\n\\end{flushleft}\n";
    out_ += begin;
    std::size_t lines = 0;
    for (const auto& cells : table.rows) {
      const std::size_t height = lines_of(cells, widths);
      if (lines > 0 && lines + height > lines_a_page) {
        out_ += end + begin;
        lines = 0;
      }
      lines += height;
      out_ += row(cells, widths);
    }
    out_ += end;
  }

  static std::string in_em(double width) {
    const auto hundredths = static_cast<long>(width * 100);
    const std::string digits = std::to_string(hundredths % 100);
    return std::to_string(hundredths / 100) + "." + (digits.size() < 2 ? "0" : "") + digits + "em";
  }

  static std::size_t lines_of(const std::vector<Inline>& cells, const std::vector<double>& widths) {
    std::size_t lines = 1;
    for (std::size_t i = 0; i < cells.size(); ++i)
      lines = std::max(lines, static_cast<std::size_t>(text_width(cells[i]) / widths[i] * 1.2) + 1);
    return lines;
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
