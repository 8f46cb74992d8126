#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "builder.hpp"
#include "liaison/model/quantity.hpp"
#include "text.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_points = 10000;
constexpr std::size_t max_cell = 40;  // letters of a number in a file
constexpr long max_exponent = 400;    // of ten in it
const Context point_context{"a point of a table", false, false, false, false, false, false};

/// A number as files have it; its size is bounded before it is read.
std::optional<Rational> number_in(std::string_view cell) {
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  if (cell.starts_with('+')) cell.remove_prefix(1);
  if (cell.empty() || cell.size() > max_cell || cell.find('/') != std::string_view::npos) return std::nullopt;
  if (const std::size_t e = cell.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = cell.substr(e + 1);
    if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
    const auto size = Rational::parse(digits);
    if (digits.empty() || digits.size() > 6 || !size || *size > Rational(max_exponent)) return std::nullopt;
    std::string plain(cell);
    plain[e] = 'e';
    if (plain[e + 1] == '+') plain.erase(e + 1, 1);
    return Rational::parse(plain);
  }
  return Rational::parse(cell);
}

std::optional<std::size_t> column_in(const TableText& text, const std::string& asked) {
  for (std::size_t k = 0; k < text.columns.size(); ++k) {
    if (text.columns[k].name == asked) return k;
  }
  const bool is_number = !asked.empty() && asked.size() < 6 &&
                         std::all_of(asked.begin(), asked.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t number = is_number ? std::stoul(asked) : 0;
  return number == 0 ? std::nullopt : std::optional(number - 1);
}

TableKind kind_of(std::string_view word) {
  return word == "cubic" ? TableKind::cubic : word == "monotone" ? TableKind::monotone : TableKind::linear;
}

}  // namespace

bool Builder::refuse_table(Span span, std::string message, std::string hint) {
  reports_.add("L0452", span, std::move(message), std::move(hint));
  return false;
}

/// The file lies beside the model, if its name says no other place.
bool Builder::read_file(const syntax::TableDeclaration& table, std::vector<TablePoint>& points,
                        TableUnits& units) {
  const auto& [name, place] = *table.file;
  const std::filesystem::path given(name);
  const std::filesystem::path path =
      given.is_absolute() ? given : std::filesystem::path(masked_.name()).parent_path() / given;
  std::string problem;
  const auto content = read_text_file(path.string(), problem);
  if (!content)
    return refuse_table(place, fmt::format("`{}` cannot be read: {}", excerpt(path.string(), 80), problem),
                        "the name of a file is seen from the folder of the model");
  const TableText text = cut_table(*content);
  std::array<std::size_t, 2> columns{0, 1};
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const auto column = column_in(text, table.columns[k].first);
    if (!column)
      return refuse_table(table.columns[k].second,
                          fmt::format("the file has no column `{}`", excerpt(table.columns[k].first)),
                          "name a column as the first line of the file does, or give its number from 1");
    columns[k] = *column;
  }
  for (std::size_t row = 0; row < text.rows.size(); ++row) {
    const std::vector<std::string>& cells = text.rows[row];
    const std::size_t line = text.lines[row];
    std::array<Rational, 2> values;
    for (std::size_t k = 0; k < 2; ++k) {
      if (columns[k] >= cells.size())
        return refuse_table(place,
                            fmt::format("line {} of the file has {} column{}, and column {} is asked for",
                                        line, cells.size(), cells.size() == 1 ? "" : "s", columns[k] + 1),
                            "every line has one number a column");
      const std::string& cell = cells[columns[k]];
      const auto value = number_in(cell);
      if (!value)
        return refuse_table(place,
                            fmt::format("line {} of the file: `{}` is not a number", line, excerpt(cell)),
                            "numbers are written `-1.5` or `2.5e-3`");
      values[k] = *value;
    }
    if (!points.empty() && values[0] <= points.back().x)
      return refuse_table(place, fmt::format("line {} of the file does not lie behind the line before", line),
                          "the arguments of a table rise from point to point");
    points.push_back({values[0], values[1]});
  }
  for (std::size_t k = 0; k < 2 && table.units.empty(); ++k) {
    if (columns[k] >= text.columns.size() || !text.columns[columns[k]].unit) continue;
    const std::string& unit = *text.columns[columns[k]].unit;
    units[k] = parse_unit(unit);
    if (!units[k])
      return refuse_table(place,
                          fmt::format("`{}` in the first line of the file is not a unit", excerpt(unit)),
                          "write the units of both columns here: `units [m], [mm]`");
    has_units_ = true;
  }
  return true;
}

bool Builder::read_points(const syntax::TableDeclaration& table, std::vector<TablePoint>& points) {
  for (const auto& [x, y] : table.points) {
    TablePoint point;
    for (const auto& [span, value] : {std::pair(x, &point.x), std::pair(y, &point.y)}) {
      const Expr read = scope_.read(span, point_context);
      if (read.empty()) return false;
      if (!read.is_number())
        return refuse_table(span, "the points of a table are fractions or decimal numbers",
                            "what depends on parameters is a `function`");
      *value = read.number();
    }
    if (!points.empty() && point.x <= points.back().x)
      return refuse_table(x, "this point does not lie behind the one before",
                          "the arguments of a table rise from point to point");
    points.push_back(point);
  }
  return true;
}

bool Builder::check_points(const syntax::TableDeclaration& table, const std::vector<TablePoint>& points) {
  const Span place = table.file ? table.file->second : table.span;
  if (points.size() < 2) return refuse_table(place, "a table has at least two points", "give more of them");
  if (points.size() <= max_points) return true;
  return refuse_table(place,
                      fmt::format("a table has at most {} points, here are {}", max_points, points.size()),
                      "leave out points where the curve is smooth, and use `cubic`");
}

/// A symbol for the unit of a column, which dimensions are checked with; without a unit it takes what its
/// uses need.
Expr Builder::table_unit(const syntax::TableDeclaration& table, std::size_t column,
                         const std::optional<Unit>& unit) {
  const Expr symbol =
      system_.pool->symbol(fmt::format("{}__unit{}", table.name.text, column), SymbolKind::parameter, true);
  if (unit)
    obligations_.is(symbol, table.span,
                    fmt::format("column {} of the table `{}`", column, excerpt(table.name.text)),
                    unit->dimension);
  table_units_.emplace(symbol, unit ? exact_scale(*system_.pool, *unit) : system_.pool->number(1));
  return symbol;
}

Expr Builder::unit_of_number() {
  const Expr symbol =
      system_.pool->symbol(fmt::format("number_{}__unit", table_units_.size()), SymbolKind::parameter, true);
  table_units_.emplace(symbol, system_.pool->number(1));
  return symbol;
}

/// Short for a function: the curve through the points.
void Builder::build(const syntax::TableDeclaration& table, const Statement&) {
  if (!scope_.is_free(table.name)) return;
  FunctionEntry function;
  function.info = system_.pool->function(table.name.text, 1);
  const Expr u = system_.pool->symbol(fmt::format("{}__1", table.name.text), SymbolKind::auxiliary);
  function.parameters = {u};
  function.body = system_.pool->number(0);  // of a table that has been reported; its uses are not at fault
  TableUnits units;
  for (std::size_t k = 0; k < table.units.size(); ++k) units[k] = read_unit(table.units[k]);
  std::vector<TablePoint> points;
  const bool is_read = table.file ? read_file(table, points, units) : read_points(table, points);
  if (is_read && check_points(table, points)) {
    const Expr value = table_unit(table, 2, units[1]);
    function.body = value * table_curve(u / table_unit(table, 1, units[0]), points, kind_of(table.kind),
                                        table.is_extended);
  }
  scope_.declare_function(table.name, std::move(function));
}

}  // namespace liaison
