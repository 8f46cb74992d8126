#include <algorithm>

#include "liaison/expr/print_parts.hpp"
#include "liaison/report/document.hpp"
#include "text_formula.hpp"
#include "text_units.hpp"

namespace liaison {

namespace {

using report::Unit;

constexpr std::size_t column_gap = 2;
constexpr std::size_t table_indent = 2;

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string blanks(std::size_t count) {
  return std::string(count, ' ');
}

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t used = displayed_columns(text);
  return text + blanks(used < columns ? columns - used : 0);
}

class TextWriter {
 public:
  TextWriter(const Document& document, std::size_t width) : width_(width) {
    std::size_t displays = 0;
    for (const Section& section : document.sections)
      for (const Block& block : section.blocks) displays += std::holds_alternative<Display>(block) ? 1 : 0;
    number_width_ = std::to_string(displays).size() + 2;
    write(document);
  }
  std::string take() { return std::move(out_); }

 private:
  void write(const Document& document) {
    heading(document.title, "═");
    if (!document.summary.parts.empty()) block(Paragraph{document.summary});
    for (const Section& section : document.sections) {
      out_ += "\n";
      heading(section.title, "─");
      for (const Block& each : section.blocks) std::visit([this](const auto& b) { block(b); }, each);
    }
  }

  void line(const std::string& text) {
    out_ += text;
    out_ += '\n';
  }

  void lines(const std::vector<std::string>& all, std::size_t indent) {
    for (const std::string& text : all) line(blanks(indent) + text);
  }

  void heading(const std::string& title, std::string_view rule) {
    const std::vector<std::string> all = report::wrapped(report::text_units(Inline(title)), width_);
    lines(all, 0);
    std::size_t widest = 0;
    for (const std::string& text : all) widest = std::max(widest, displayed_columns(text));
    line(repeated(rule, widest));
  }

  void block(const Paragraph& paragraph) {
    line("");
    lines(report::wrapped(report::text_units(paragraph.text), width_), 0);
  }

  void block(const Listing& listing) {
    line("");
    for (const Inline& item : listing.items) {
      const std::vector<std::string> all = report::wrapped(report::text_units(item), room(4));
      for (std::size_t i = 0; i < all.size(); ++i) line((i == 0 ? "  • " : "    ") + all[i]);
    }
  }

  /// "  (1)  left = right", later lines under what follows the relation, later relations under the first.
  void block(const Display& display) {
    line("");
    const std::size_t margin = number_width_ + 4;
    const std::string number = "(" + std::to_string(++number_) + ")";
    const report::FormulaLines formula = report::formula_lines(display.formula, room(margin));
    for (std::size_t i = 0; i < formula.lines.size(); ++i)
      line((i == formula.middle ? padded("  " + number, margin) : blanks(margin)) + formula.lines[i]);
    if (!display.note.parts.empty()) {
      lines(report::wrapped(report::text_units(display.note), room(margin)), margin);
    }
  }

  /// The width left beside an indent; never so little that nothing fits.
  std::size_t room(std::size_t indent) const { return width_ > indent + 10 ? width_ - indent : 10; }

  using Cells = std::vector<std::vector<Unit>>;

  void block(const Table& table) {
    std::vector<Cells> rows;
    rows.push_back(cells_of(table.header));
    for (const auto& row : table.rows) rows.push_back(cells_of(row));
    std::size_t columns = 0;
    for (const Cells& row : rows) columns = std::max(columns, row.size());
    std::vector<report::ColumnWish> wishes(columns, {0, 0});
    for (const Cells& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        wishes[i].natural = std::max(wishes[i].natural, report::line_width(row[i]));
        wishes[i].least = std::max(wishes[i].least, report::widest(row[i]) + 1);  // later lines hang
      }
    }
    line("");
    const std::size_t gaps = columns > 0 ? column_gap * (columns - 1) : 0;
    const std::vector<double> widths =
        report::fit_columns(wishes, static_cast<double>(room(table_indent)) - static_cast<double>(gaps));
    double total = static_cast<double>(gaps);
    for (double width : widths) total += width;
    if (total > static_cast<double>(room(table_indent))) return records(rows);
    grid(rows, widths);
  }

  static Cells cells_of(const std::vector<Inline>& row) {
    Cells cells;
    for (const Inline& cell : row) cells.push_back(report::text_units(cell));
    return cells;
  }

  void grid(const std::vector<Cells>& rows, const std::vector<double>& widths) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == 0 && rows[r].empty()) continue;
      std::vector<std::vector<std::string>> cells;
      std::size_t height = 1;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto width = static_cast<std::size_t>(widths[i]);
        cells.push_back(i < rows[r].size() ? report::wrapped(rows[r][i], width, 1)
                                           : std::vector<std::string>());
        height = std::max(height, cells.back().size());
      }
      for (std::size_t h = 0; h < height; ++h) {
        std::string text = blanks(table_indent);
        for (std::size_t i = 0; i < cells.size(); ++i) {
          const std::string cell = h < cells[i].size() ? cells[i][h] : std::string();
          text += padded(cell, static_cast<std::size_t>(widths[i])) + blanks(column_gap);
        }
        line(text.substr(0, text.find_last_not_of(' ') + 1));
      }
      if (r == 0) rule(widths);
    }
  }

  void rule(const std::vector<double>& widths) {
    std::string text = blanks(table_indent);
    for (std::size_t i = 0; i < widths.size(); ++i)
      text += (i > 0 ? blanks(column_gap) : "") + repeated("─", static_cast<std::size_t>(widths[i]));
    line(text);
  }

  /// A table too wide for any grid: a row as lines "header: cell".
  void records(const std::vector<Cells>& rows) {
    for (std::size_t r = 1; r < rows.size(); ++r) {
      if (r > 1) line("");
      for (std::size_t i = 0; i < rows[r].size(); ++i) {
        std::vector<Unit> units = i < rows[0].size() ? rows[0][i] : std::vector<Unit>();
        if (!units.empty()) {
          units.back().text += ":";
          units.back().width += 1;
        }
        const std::size_t start = units.size();
        units.insert(units.end(), rows[r][i].begin(), rows[r][i].end());
        if (start > 0 && start < units.size()) units[start].gap = 1;
        lines(report::wrapped(units, room(table_indent), 2), table_indent);
      }
    }
  }

  std::size_t width_;
  std::size_t number_ = 0;
  std::size_t number_width_ = 0;
  std::string out_;
};

}  // namespace

std::string render_text(const Document& document, std::size_t width) {
  return TextWriter(document, width).take();
}

}  // namespace liaison
