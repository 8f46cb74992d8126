#include "liaison/expr/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "utf8.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_line_width = 100;    // longer lines are cut around the place
constexpr std::size_t context_before = 40;     // columns kept left of the place when cut
constexpr std::size_t number_width = 5;        // of the line number in the margin
constexpr std::size_t max_compared_name = 64;  // longer names are no typing slips

std::size_t step_back(std::string_view line, std::size_t offset, std::size_t count) {
  const auto is_continuation = [&](std::size_t i) {
    return (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80;
  };
  for (; count > 0 && offset > 0; --count) {
    --offset;
    for (int i = 0; i < 3 && offset > 0 && is_continuation(offset); ++i) --offset;
  }
  return offset;
}

std::size_t step_forward(std::string_view line, std::size_t offset, std::size_t count) {
  for (; count > 0 && offset < line.size(); --count) offset += utf8::decode(line, offset).length;
  return offset;
}

/// The part of the line that is shown, and where the carets stand under it.
struct Excerpt {
  std::string text;
  std::size_t caret_begin = 0;
  std::size_t caret_width = 0;
};

Excerpt make_excerpt(std::string_view line, std::size_t begin, std::size_t end) {
  std::size_t shown_begin = 0;
  std::size_t shown_end = step_forward(line, 0, max_line_width);
  if (shown_end < line.size()) {
    shown_begin = step_back(line, begin, context_before);
    if (step_back(line, shown_begin, 4) == 0) shown_begin = 0;  // a few more columns cost less than the cut
    shown_end = step_forward(line, shown_begin, max_line_width);
  }
  Excerpt excerpt;
  std::size_t column = 0;
  if (shown_begin > 0) {
    excerpt.text = "... ";
    column = 4;
  }
  excerpt.caret_begin = column;
  for (std::size_t i = shown_begin; i < shown_end;) {
    // Tabs and control characters are shown as spaces, broken bytes as U+FFFD.
    const utf8::CodePoint point = utf8::decode(line, i);
    utf8::append(excerpt.text, point.value < 0x20 || point.value == 0x7F ? U' ' : point.value);
    const std::size_t width = utf8::width(point.value);
    column += width;
    if (i < begin) excerpt.caret_begin = column;
    if (i >= begin && i < end) excerpt.caret_width += width;
    i += point.length;
  }
  if (shown_end < line.size()) excerpt.text += " ...";
  excerpt.caret_width = std::max<std::size_t>(excerpt.caret_width, 1);
  return excerpt;
}

void render_excerpt(std::string& out, const Diagnostic& diagnostic, const Source& source) {
  const auto place = source.place(diagnostic.span.begin);
  const std::string_view line = source.line(place.line);
  const auto line_begin = static_cast<std::size_t>(line.data() - source.text().data());
  const std::size_t begin = std::min(diagnostic.span.begin - line_begin, line.size());
  const std::size_t end = std::clamp(diagnostic.span.end - line_begin, begin, line.size());
  const Excerpt excerpt = make_excerpt(line, begin, end);
  out += fmt::format("{:>{}} | {}\n", place.line, number_width, excerpt.text);
  const std::size_t margin = std::max(number_width, std::to_string(place.line).size());
  out += std::string(margin, ' ') + " | " + std::string(excerpt.caret_begin, ' ') +
         std::string(excerpt.caret_width, '^');
  if (!diagnostic.label.empty()) out += " " + diagnostic.label;
  out += "\n";
}

/// Edit distance with swaps of neighbours, capped: the rows stop mattering beyond `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    if (*std::min_element(row.begin(), row.end()) > limit) return limit + 1;
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool is_swap(std::string_view a, std::string_view b) {
  return a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
}

}  // namespace

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

Source::Place Source::place(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto number = static_cast<std::size_t>(after - line_starts_.begin());
  std::size_t column = 1;
  for (std::size_t i = line_starts_[number - 1]; i < offset; ++column) i += utf8::decode(text_, i).length;
  return {number, column};
}

std::string_view Source::line(std::size_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[number - 1];
  const std::size_t end = number < line_starts_.size() ? line_starts_[number] - 1 : text_.size();
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string render(const Diagnostic& diagnostic, const Source& source) {
  const auto place = source.place(diagnostic.span.begin);
  std::string out = fmt::format("{}:{}:{}: error: {} [{}]\n", source.name(), place.line, place.column,
                                diagnostic.message, diagnostic.code);
  render_excerpt(out, diagnostic, source);
  for (const Note& note : diagnostic.notes) {
    out += "   note: " + note.text;
    if (note.span) {
      const auto at = source.place(note.span->begin);
      out += fmt::format(" at {}:{}", at.line, at.column);
    }
    out += "\n";
  }
  if (!diagnostic.hint.empty()) out += "   hint: " + diagnostic.hint + "\n";
  return out;
}

std::string render(const std::vector<Diagnostic>& diagnostics, const Source& source) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += render(diagnostic, source);
  return out;
}

namespace {

/// `xx` for `x`: a key was hit twice.
bool is_doubled(std::string_view name, std::string_view candidate) {
  return candidate.size() == 1 && name.size() == 2 && name[0] == candidate[0] && name[1] == name[0];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > max_compared_name) return std::nullopt;
  // Of one or two letters every name is near every other: only case and swaps count there.
  const std::size_t limit = name.size() <= 2 ? 0 : name.size() <= 4 ? 1 : name.size() <= 8 ? 2 : 3;
  const std::string* best = nullptr;
  std::size_t best_distance = limit + 1;
  const auto shared = [name](const std::string& candidate) {
    return std::mismatch(name.begin(), name.end(), candidate.begin(), candidate.end()).first - name.begin();
  };
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (candidate == name) continue;
    if (is_doubled(name, candidate)) return candidate;
    if (longer - std::min(name.size(), candidate.size()) > limit) continue;
    std::size_t distance = edit_distance(name, candidate, limit + 1);
    if (same_but_for_case(name, candidate) || is_swap(name, candidate)) distance = 0;
    // At equal distance, the one that starts alike for longer, then the first by alphabet.
    const auto rank = [&](const std::string& other) {
      return std::pair(-shared(other), std::string_view(other));
    };
    const bool nearer =
        distance < best_distance || (best && distance == best_distance && rank(candidate) < rank(*best));
    if (distance <= limit && nearer) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best ? std::optional(*best) : std::nullopt;
}

}  // namespace liaison
