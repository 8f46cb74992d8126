#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison {

/// The rows of a file of numbers: one row a line, cells between commas, semicolons, tabs or spaces; lines
/// that begin with # say nothing, and the first other line may name the columns, with units: "s [m], h [mm]".
struct TableText {
  struct Column {
    std::string name;
    std::optional<std::string> unit;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> lines;  ///< of each row in the file, from 1
};
TableText cut_table(std::string_view text);

/// A text of a file of usual size; `problem` says why there is none.
std::optional<std::string> read_text_file(const std::string& path, std::string& problem);

}  // namespace liaison
