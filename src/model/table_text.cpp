#include "table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace liaison {

namespace {

constexpr std::uintmax_t max_bytes = 4 << 20;

std::string_view stripped(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

/// The sign between cells; a blank: any space.
char separator_of(std::string_view line) {
  for (char sign : {',', ';', '\t'}) {
    if (line.find(sign) != std::string_view::npos) return sign;
  }
  return ' ';
}

/// A separator between quotes does not part.
std::size_t end_of_cell(std::string_view line, std::size_t begin, char separator) {
  bool is_quoted = false;
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (line[i] == '"') is_quoted = !is_quoted;
    if (line[i] == separator && !is_quoted) return i;
  }
  return line.size();
}

/// Spaces within brackets do not part: "s [m] h [mm]" are two names.
std::vector<std::string> cells_of(std::string_view line) {
  const char separator = separator_of(line);
  std::vector<std::string> cells;
  if (separator != ' ') {
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = end_of_cell(line, begin, separator);
      cells.emplace_back(stripped(line.substr(begin, end - begin)));
      begin = end + 1;
    }
    return cells;
  }
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string_view cell = stripped(line.substr(begin, end - begin));
    if (cell.starts_with('[') && !cells.empty()) {
      cells.back() += fmt::format(" {}", cell);
    } else if (!cell.empty()) {
      cells.emplace_back(cell);
    }
    begin = end + 1;
  }
  return cells;
}

bool begins_like_a_number(std::string_view cell) {
  if (cell.starts_with('"')) cell.remove_prefix(1);
  while (cell.starts_with('+') || cell.starts_with('-') || cell.starts_with('.')) cell.remove_prefix(1);
  return !cell.empty() && cell.front() >= '0' && cell.front() <= '9';
}

TableText::Column column_of(std::string cell) {
  cell.erase(std::remove(cell.begin(), cell.end(), '"'), cell.end());
  const std::size_t open = cell.find('[');
  const std::size_t close = cell.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos)
    return {std::string(stripped(cell)), std::nullopt};
  return {std::string(stripped(std::string_view(cell).substr(0, open))),
          std::string(stripped(std::string_view(cell).substr(open + 1, close - open - 1)))};
}

}  // namespace

TableText cut_table(std::string_view text) {
  TableText table;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::size_t line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = stripped(text.substr(begin, end - begin));
    begin = end + 1;
    ++line_number;
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<std::string> cells = cells_of(line);
    const bool is_head = table.rows.empty() && table.columns.empty() &&
                         std::none_of(cells.begin(), cells.end(), begins_like_a_number);
    if (is_head) {
      for (std::string& cell : cells) table.columns.push_back(column_of(std::move(cell)));
      continue;
    }
    table.rows.push_back(std::move(cells));
    table.lines.push_back(line_number);
  }
  return table;
}

std::optional<std::string> read_text_file(const std::string& path, std::string& problem) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status)) {
    problem = "there is no such file";
  } else if (!std::filesystem::is_regular_file(status)) {
    problem = "it is no file of text";
  } else if (const auto size = std::filesystem::file_size(path, failed); failed || size > max_bytes) {
    problem = failed ? failed.message() : fmt::format("it has more than {} bytes", max_bytes);
  } else {
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    if (file) return text;
    problem = "it cannot be read";
  }
  return std::nullopt;
}

}  // namespace liaison
