#include "error_page.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "texts.hpp"

namespace liaison::cli {

namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

/// [text](link) is text.
std::string without_links(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t close = text[i] == '[' ? text.find("](", i) : std::string::npos;
    const std::size_t end = close == std::string::npos ? std::string::npos : text.find(')', close);
    const bool is_link = end != std::string::npos && text.find('`', i) > close;
    if (!is_link) {
      out += text[i];
      continue;
    }
    out += text.substr(i + 1, close - i - 1);
    i = end;
  }
  return out;
}

/// The cells of a row of a table; `|` inside of backticks or behind a backslash is no border.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  std::string cell;
  bool is_code = false;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') continue;
    if (row[i] == '`') is_code = !is_code;
    if (row[i] == '|' && row[i - 1] != '\\' && !is_code) {
      cells.push_back(without_links(trimmed(cell)));
      cell.clear();
    } else {
      cell += row[i];
    }
  }
  return cells;
}

bool is_code(std::string_view text) {
  return text.size() == 5 && text[0] == 'L' &&
         std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<ErrorEntry> read_entries() {
  std::vector<ErrorEntry> entries;
  std::string section;
  for (std::string_view page = texts::errors; !page.empty();) {
    const std::string_view line = take_line(page);
    if (line.starts_with("## "))
      section = line.substr(line.find(": ") == std::string_view::npos ? 3 : line.find(": ") + 2);
    if (!line.starts_with("| L")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() < 4 || !is_code(cells[0])) continue;
    entries.push_back(
        {cells[0], section, cells[1], cells[2], cells[3], cells.size() > 4 ? cells[4] : "", {}});
  }
  return entries;
}

/// What stands up to the end of a block of code.
std::string take_block(std::string_view& page) {
  std::string block;
  while (!page.empty()) {
    const std::string_view line = take_line(page);
    if (line == "```") break;
    block.append(line).append("\n");
  }
  return block;
}

/// A section of the page of wrong models: title, model, message, again and again.
std::vector<WrongModel> wrong_models(const std::string& code) {
  std::vector<WrongModel> models;
  std::string_view page = texts::model_errors;
  const std::size_t begin = page.find("\n## " + code + "\n");
  if (begin == std::string_view::npos) return models;
  page.remove_prefix(begin + 1);
  take_line(page);
  page = page.substr(0, page.find("\n## "));
  WrongModel next;
  while (!page.empty()) {
    const std::string_view line = take_line(page);
    if (line.ends_with(':') && !line.starts_with("```")) {
      next = {std::string(line.substr(0, line.size() - 1)), "", ""};
    } else if (line.starts_with("```")) {
      (next.model.empty() ? next.model : next.message) = take_block(page);
      if (!next.message.empty()) models.push_back(next);
    }
  }
  return models;
}

}  // namespace

const std::vector<ErrorEntry>& error_entries() {
  static const std::vector<ErrorEntry> entries = read_entries();
  return entries;
}

std::string code_in(const std::string& text) {
  std::string digits = text;
  std::erase_if(digits, [](char c) { return c == '[' || c == ']' || c == ' '; });
  if (!digits.empty() && (digits.front() == 'L' || digits.front() == 'l')) digits.erase(0, 1);
  const bool is_number =
      !digits.empty() && digits.size() <= 4 &&
      std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return is_number ? "L" + std::string(4 - digits.size(), '0') + digits : "";
}

std::optional<ErrorEntry> find_error(const std::string& text) {
  const std::string code = code_in(text);
  for (const ErrorEntry& entry : error_entries()) {
    if (entry.code != code) continue;
    ErrorEntry found = entry;
    found.models = wrong_models(code);
    return found;
  }
  return std::nullopt;
}

}  // namespace liaison::cli
