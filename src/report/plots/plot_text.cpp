#include "plot_text.hpp"

#include <array>
#include <cctype>

#include "liaison/expr/print.hpp"

namespace liaison::plot {

namespace {

using look::character_length;
using look::is_continuation;

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool is_name_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Where the index begins: behind the _ after a single letter, or at digits that already stand below.
std::size_t find_index(const std::string& shown) {
  for (std::size_t i = 0; i + 2 < shown.size(); ++i)
    if (shown[i] == '\xE2' && shown[i + 1] == '\x82' && static_cast<unsigned char>(shown[i + 2]) < 0x8A)
      return i;
  const std::size_t underscore = shown.find('_');
  return underscore != std::string::npos && character_length(shown, 0) == underscore ? underscore
                                                                                     : std::string::npos;
}

/// A name as letters, its index below them.
void append_name(std::vector<TextRun>& runs, const std::string& name) {
  const std::string shown = unicode_name(name);
  std::size_t at = find_index(shown);
  runs.push_back({shown.substr(0, at)});
  if (at == std::string::npos) return;
  std::string index;
  if (shown[at] == '_') {
    index = shown.substr(at + 1);
    at = shown.size();
  }
  for (; at + 2 < shown.size() && shown[at + 1] == '\x82'; at += 3)
    index += static_cast<char>('0' + (static_cast<unsigned char>(shown[at + 2]) - 0x80));
  runs.push_back({index, true});
  if (at < shown.size()) runs.push_back({shown.substr(at)});
}

void append_plain_name(std::vector<TextRun>& runs, const std::string& name) {
  runs.push_back({unicode_name(name)});
}

/// Neighbours on the same level become one.
std::vector<TextRun> merge(const std::vector<TextRun>& runs) {
  std::vector<TextRun> out;
  for (const TextRun& run : runs) {
    if (!out.empty() && out.back().subscript == run.subscript) {
      out.back().text += run.text;
    } else {
      out.push_back(run);
    }
  }
  return out;
}

/// A text in pieces, each name of a model by `append`.
template <typename Append>
std::vector<TextRun> split_label(std::string_view text, const Append& append) {
  std::vector<TextRun> runs;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_name_start(text[i])) {
      std::size_t end = i + 1;
      // Digits and letters of another alphabet keep what follows them: "2x", "Größe".
      if (text[i] != ' ') {
        while (end < text.size() && (is_continuation(text[end]) || is_name_part(text[end])) &&
               (is_name_part(text[i]) || static_cast<unsigned char>(text[i]) >= 0x80)) {
          ++end;
        }
      }
      runs.push_back({std::string(text.substr(i, end - i))});
      i = end;
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && is_name_part(text[end])) ++end;
    while (end < text.size() && text[end] == '\'') ++end;
    if (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x80) {
      runs.push_back({std::string(text.substr(i, end - i))});
      i = end;
      continue;
    }
    const std::string name(text.substr(i, end - i));
    append(runs, name);
    i = end;
    if (name == "lambda" && i < text.size() && text[i] == '(') {
      const std::size_t close = text.find(')', i);
      const std::size_t stop = close == std::string_view::npos ? text.size() : close + 1;
      runs.push_back({std::string(text.substr(i, stop - i))});
      i = stop;
    }
  }
  return merge(runs);
}

}  // namespace

std::vector<TextRun> make_label(std::string_view text) {
  return split_label(text, append_name);
}

std::string plain_label(std::string_view text) {
  std::string out;
  for (const TextRun& run : split_label(text, append_plain_name)) out += run.text;
  return out;
}

std::string make_unit(std::string_view text) {
  constexpr std::array<std::string_view, 10> powers{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '*') {
      out += "·";
    } else if (text[i] == '^' && i + 1 < text.size() &&
               (text[i + 1] == '-' || std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0)) {
      for (++i; i < text.size(); ++i) {
        if (text[i] == '-') {
          out += "⁻";
        } else if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
          out += powers[static_cast<std::size_t>(text[i] - '0')];
        } else {
          break;
        }
      }
      --i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::vector<TextRun> with_unit(std::vector<TextRun> label, std::string_view unit) {
  if (unit.empty()) return label;
  label.push_back({(label.empty() ? "[" : " [") + make_unit(unit) + "]"});
  return merge(label);
}

double text_width(const std::vector<TextRun>& runs, double size, bool bold) {
  double width = 0;
  for (const TextRun& run : runs)
    width += look::text_width(run.text, run.subscript ? size * subscript_size : size);
  return bold ? 1.12 * width : width;
}

std::vector<TextRun> shorten(std::vector<TextRun> runs, double size, double width) {
  if (text_width(runs, size) <= width) return runs;
  std::string text;
  for (const TextRun& run : runs) text += (run.subscript ? "_" : "") + run.text;
  return {{look::shorten(text, size, width)}};
}

}  // namespace liaison::plot
