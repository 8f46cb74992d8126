#include "files_of_model.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include "model_file.hpp"

namespace liaison::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10'000;

struct NamedFile {
  std::string_view word;  ///< the one before the quotes
  std::string_view name;
};

/// What stands between quotes in a line, in front of its comment.
std::vector<NamedFile> named_in(std::string_view line) {
  std::vector<NamedFile> found;
  for (std::size_t at = 0; at < line.size() && line[at] != '#'; ++at) {
    if (line[at] != '"') continue;
    const std::size_t end = line.find('"', at + 1);
    if (end == std::string_view::npos) break;
    const std::size_t last = at == 0 ? std::string_view::npos : line.find_last_not_of(" \t", at - 1);
    if (last != std::string_view::npos) {
      const std::size_t before = line.find_last_of(" \t:;", last);
      const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
      found.push_back({line.substr(begin, last + 1 - begin), line.substr(at + 1, end - at - 1)});
    }
    at = end;
  }
  return found;
}

std::string text_of(const std::string& path) {
  if (path == "-") return standard_input();
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace

std::vector<std::string> files_of_model(const std::string& path) {
  std::vector<std::string> texts{path}, files;
  std::set<std::string> known;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string text = text_of(texts[i]);
    const fs::path folder = texts[i] == "-" ? fs::path() : fs::path(texts[i]).parent_path();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      for (const NamedFile& named : named_in(line)) {
        const bool is_part = named.word == "import";
        if (!is_part && named.word != "from" && named.word != "mesh") continue;
        const std::string file = (folder / fs::path(named.name)).lexically_normal().string();
        if (files.size() == most_files || !known.insert(file).second) continue;
        files.push_back(file);
        if (is_part) texts.push_back(file);
      }
    }
  }
  return files;
}

}  // namespace liaison::cli
