#include "tex_lines.hpp"

#include <algorithm>

namespace liaison::report {

namespace {

using Kind = TexItem::Kind;

constexpr int inside_piece = 10;  // penalties: a line ends between pieces where it can
constexpr int each_level = 10;
constexpr int after_comma = 3;
constexpr int in_product = 6;
constexpr double most_lines = 8;  // of a fraction; one that has more is written with a slash

std::string lines_of(const std::string& source, double limit);

/// The rows of TeX between braces or in cells, spelled again.
std::string source_of(const TexRow& row) {
  std::string text;
  for (const TexItem& item : row) text += (text.empty() ? "" : " ") + item.source;
  return text;
}

std::string fitted(const TexRow& row, double limit) {
  const std::string source = source_of(row);
  return width_of(row) <= limit ? source : lines_of(source, limit);
}

/// How wide all that is written would be side by side, fractions in fractions too.
double content_of(const TexRow& row) {
  double width = 0;
  for (const TexItem& item : row) {
    double inside = 0;
    for (const TexRow& part : item.parts) inside += content_of(part);
    width += std::max(item.width, inside);
  }
  return width;
}

Unit fitted_fraction(const TexItem& item, double limit) {
  return {.text = "\\frac{" + fitted(item.parts[0], limit) + "}{" + fitted(item.parts[1], limit) + "}" +
                  item.scripts,
          .width = limit};
}

Unit fitted_matrix(const TexItem& item, double limit) {
  std::vector<ColumnWish> wishes(item.columns, ColumnWish{0, 0});
  for (std::size_t i = 0; i < item.parts.size(); ++i)
    wishes[i % item.columns].natural = std::max(wishes[i % item.columns].natural, width_of(item.parts[i]));
  const std::vector<double> widths = fit_columns(wishes, limit - static_cast<double>(item.columns) - 1);
  std::string cells;
  for (std::size_t i = 0; i < item.parts.size(); ++i) {
    if (i > 0) cells += i % item.columns == 0 ? " \\\\ " : " & ";
    cells += fitted(item.parts[i], widths[i % item.columns]);
  }
  return {.text = "\\begin{" + item.head + "}" + cells + "\\end{" + item.head + "}" + item.scripts,
          .width = limit};
}

class UnitWriter {
 public:
  explicit UnitWriter(double limit) : limit_(limit) {}

  /// A row at some depth of opened brackets; `first` is the penalty before it.
  void row(const TexRow& row, int depth, int first, bool relation = false) {
    const std::size_t start = units_.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      item(row[i], depth, i == 0 ? LineEnd{first, {}} : line_end(row[i - 1], row[i], depth));
      if (row[i].kind == Kind::binary) units_.back().lead = "{}";
    }
    if (start < units_.size()) units_[start].relation = relation;
  }
  std::vector<Unit> take() { return std::move(units_); }

 private:
  /// A line end between two items, and what the next line then begins with.
  struct LineEnd {
    int penalty;
    std::string lead;
  };

  static LineEnd line_end(const TexItem& left, const TexItem& right, int depth) {
    const int level = inside_piece + each_level * depth;
    if (right.kind == Kind::binary && right.head == "\\wedge") return {level + in_product, {}};
    if (right.kind == Kind::binary || right.kind == Kind::relation) return {level, {}};
    if (left.kind == Kind::comma) return {level + after_comma, {}};
    const bool bound = left.kind == Kind::binary || left.kind == Kind::relation ||
                       left.kind == Kind::function || right.kind == Kind::comma ||
                       right.kind == Kind::space || is_sign(left);
    if (bound || is_differential(left)) return {never, {}};
    return {level + in_product, left.kind == Kind::space ? "" : "{}\\cdot "};
  }

  static bool is_sign(const TexItem& item) { return item.head == "-" || item.head == "+"; }
  /// The d of dx.
  static bool is_differential(const TexItem& item) { return item.kind == Kind::word && item.head == "d"; }

  void item(const TexItem& item, int depth, const LineEnd& before) {
    const double room = std::max(limit_ / 2, limit_ - (before.penalty == never ? bound_width() : 0));
    const bool fits = item.width <= room;
    if (!fits && item.kind == Kind::fence) {
      return open(item, item.head, item.tail + item.scripts, depth, before);
    }
    if (!fits && item.kind == Kind::root && item.scripts.empty())
      return open(item, "(", ")^{1/2}", depth, before);
    if (!fits && item.kind == Kind::group && item.scripts.empty())
      return row(item.parts[0], depth, before.penalty);
    if (!fits && is_tall_fraction(item)) return open_fraction(item, depth, before);
    Unit unit{.text = item.source, .width = item.width};
    if (!fits && item.kind == Kind::fraction) unit = fitted_fraction(item, room);
    if (!fits && item.kind == Kind::matrix) unit = fitted_matrix(item, room);
    add(std::move(unit), before);
  }

  /// Of what the last line end leaves on the line: a sign, the name of a function.
  double bound_width() const {
    double width = 0;
    for (std::size_t i = units_.size(); i-- > 0;) {
      width += units_[i].width;
      if (units_[i].penalty != never) break;
    }
    return width;
  }

  void add(Unit unit, const LineEnd& before) {
    unit.penalty = before.penalty;
    unit.lead = before.lead;
    units_.push_back(std::move(unit));
  }

  /// Brackets of a fixed size, so that lines may end between them.
  void open(const TexItem& item, const std::string& left, const std::string& right, int depth,
            const LineEnd& before) {
    const std::string size = has_fraction(item.parts[0]) ? "\\Bigg" : "\\big";
    add({.text = size + "l" + left, .width = 0.75}, before);
    const std::size_t inside = units_.size();
    row(item.parts[0], depth + 1, never);
    for (std::size_t i = inside; i < units_.size(); ++i)
      units_[i].depth = std::max(units_[i].depth, depth + 1);
    add({.text = size + "r" + right, .width = 1}, {never, {}});
  }

  /// One that would be taller than a page, or a good part of it.
  bool is_tall_fraction(const TexItem& item) const {
    return item.kind == Kind::fraction && item.scripts.empty() &&
           content_of(item.parts[0]) + content_of(item.parts[1]) > most_lines * limit_;
  }

  /// (numerator)/(denominator), which lines and pages may part.
  void open_fraction(const TexItem& item, int depth, const LineEnd& before) {
    open(item, "(", ")", depth, before);
    add({.text = "\\Big/", .width = 0.8}, {never, {}});
    TexItem below;
    below.kind = Kind::fence;
    below.head = "(";
    below.tail = ")";
    below.parts = {item.parts[1]};
    below.width = width_of(item.parts[1]) + 1.5;
    below.source = "\\left(" + source_of(item.parts[1]) + "\\right)";
    this->item(below, depth, {never, {}});
  }

  double limit_;
  std::vector<Unit> units_;
};

std::string lines_of(const std::string& source, double limit) {
  UnitWriter writer(limit);
  writer.row(parse_tex(source, TexStyle::display), 0, 0);
  const std::vector<Unit> units = writer.take();
  const std::vector<std::size_t> starts = line_starts(units, {limit, limit});
  std::string text;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (i > 0) text += " \\\\[0.3ex] ";
    text += tex_line(units, starts[i], i + 1 < starts.size() ? starts[i + 1] : units.size());
  }
  return starts.size() == 1 ? text : "\\begin{gathered}" + text + "\\end{gathered}";
}

/// A sign at the start of a later piece stands between two terms.
void make_binary(TexRow& row) {
  if (row.empty() || (row[0].head != "+" && row[0].head != "-")) return;
  row[0].kind = Kind::binary;
  row[0].width = 1.25;
}

}  // namespace

std::vector<Unit> tex_units(const Math& formula, double limit, TexStyle style) {
  UnitWriter writer(limit);
  for (std::size_t i = 0; i < formula.pieces.size(); ++i) {
    TexRow row = parse_tex(formula.pieces[i].latex, style);
    if (i > 0) make_binary(row);
    writer.row(row, 0, 0, formula.pieces[i].start == Math::Start::relation);
  }
  return writer.take();
}

std::string tex_line(std::span<const Unit> units, std::size_t first, std::size_t last) {
  std::string text = units[first].lead;
  for (std::size_t i = first; i < last; ++i) text += (i > first ? " " : "") + units[i].text;
  return text;
}

double tex_width(const Math& formula, TexStyle style) {
  double width = 0;
  for (const Unit& unit : tex_units(formula, 1e9, style)) width += unit.width;
  return width;
}

}  // namespace liaison::report
