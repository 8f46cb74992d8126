#include "tex_tree.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tex_symbols.hpp"

namespace liaison::report {

namespace {

using Kind = TexItem::Kind;

constexpr std::size_t max_nesting = 100;  // what stands deeper is one symbol
constexpr double thin = 0.167;            // widths are in em of Computer Modern
constexpr double around_binary = 0.45;
constexpr double around_relation = 0.56;

double scale(TexStyle style) {
  return style == TexStyle::script ? 0.75 : style == TexStyle::tiny ? 0.6 : 1;
}

TexStyle smaller(TexStyle style) {
  return style == TexStyle::tiny ? style : static_cast<TexStyle>(static_cast<int>(style) + 1);
}

TexStyle script_of(TexStyle style) {
  return style == TexStyle::display || style == TexStyle::text ? TexStyle::script : TexStyle::tiny;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

double letter_width(std::string_view head) {
  if (is_digit(head[0])) return 0.51 * static_cast<double>(head.size());
  if (head.size() == 1) {
    const char c = head[0];
    if (std::string_view("ijltfI'|.,;:!()[]").find(c) != std::string_view::npos) return 0.42;
    if (std::string_view("mwMW").find(c) != std::string_view::npos) return 0.97;
    return c >= 'A' && c <= 'Z' ? 0.78 : 0.57;
  }
  const TexSymbol* symbol = head[0] == '\\' ? find_command(head.substr(1)) : nullptr;
  if (symbol == nullptr) return 0.6;
  return symbol->kind == TexClass::letter || symbol->kind == TexClass::opening ? 0.62 : 0.8;
}

double space_width(std::string_view head) {
  constexpr std::array<std::pair<std::string_view, double>, 6> spaces{
      {{"\\,", thin}, {"\\:", 0.222}, {"\\;", 0.278}, {"\\ ", 0.333}, {"\\quad", 1}, {"\\qquad", 2}}};
  for (const auto& [name, width] : spaces)
    if (head == name) return width;
  return head == "\\!" ? -thin : 0;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \n");
  if (start == std::string_view::npos) return {};
  return std::string(text.substr(start, text.find_last_not_of(" \n") + 1 - start));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  /// Up to the end, or to a token that ends a row.
  TexRow row(TexStyle style) {
    TexRow items;
    while (!at_row_end()) items.push_back(item(style, items));
    return items;
  }

  bool at_end() {
    skip_blanks();
    return at_ >= text_.size();
  }
  std::string_view next() {
    const std::string_view token = peek();
    at_ += token.size();
    return token;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  std::string_view peek() {
    skip_blanks();
    if (at_ >= text_.size()) return {};
    if (is_digit(text_[at_])) {
      std::size_t end = at_ + 1;
      while (end < text_.size() && is_digit(text_[end])) ++end;
      return text_.substr(at_, end - at_);
    }
    if (text_[at_] != '\\') return text_.substr(at_, character_length(text_, at_));
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    if (end == at_ + 1 && end < text_.size()) ++end;
    return text_.substr(at_, end - at_);
  }

  bool at_row_end() {
    const std::string_view token = peek();
    return token.empty() || is_one_of(token, {"}", "&", "\\\\", "\\right", "\\end"});
  }

  /// The source of a braced group, braces gone; or of one token.
  std::string_view raw_argument() {
    if (const std::string_view token = peek(); token != "{") {
      const std::string_view first = !token.empty() && is_digit(token[0]) ? token.substr(0, 1) : token;
      at_ += first.size();
      return first;
    }
    next();
    const std::size_t start = at_;
    for (std::size_t open = 1; at_ < text_.size();) {
      const std::string_view token = next();
      if (token == "{") ++open;
      if (token == "}" && --open == 0) break;
    }
    return text_.substr(start, at_ - start - (at_ > start ? 1 : 0));
  }

  TexRow argument(TexStyle style) {
    const std::string_view source = raw_argument();
    if (nesting_ >= max_nesting) return opaque(source);
    Parser inner(source);
    inner.nesting_ = nesting_ + 1;
    TexRow result;
    while (!inner.at_end()) {
      TexRow more = inner.row(style);
      result.insert(result.end(), more.begin(), more.end());
      if (!inner.at_end() && inner.at_row_end()) inner.next();  // a stray delimiter is passed over
    }
    return result;
  }

  static TexRow opaque(std::string_view source) {
    TexItem item;
    item.head = std::string(source);
    item.source = item.head;
    item.width = 0.3 * static_cast<double>(source.size());
    return {item};
  }

  TexItem item(TexStyle style, const TexRow& before) {
    const std::size_t start = at_;
    TexItem result;
    const std::string_view token = next();
    result.head = std::string(token);
    if (token == "{") {
      at_ -= token.size();
      result.kind = Kind::group;
      result.parts.push_back(argument(style));
      result.width = width_of(result.parts[0]);
    } else if (token == "\\frac") {
      fraction(result, style);
    } else if (token == "\\sqrt") {
      result.kind = Kind::root;
      result.parts.push_back(argument(style));
      result.width = width_of(result.parts[0]) + 0.9 * scale(style);
    } else if (token == "\\left") {
      fence(result, style);
    } else if (token == "\\begin") {
      matrix(result);
    } else if (is_one_of(token, {"\\mathrm", "\\text", "\\operatorname", "\\mathcal", "\\mathbf"})) {
      word(result, style);
    } else if (is_one_of(token,
                         {"\\dot", "\\ddot", "\\dddot", "\\ddddot", "\\hat", "\\bar", "\\vec", "\\tilde"})) {
      result.kind = Kind::accent;
      result.parts.push_back(argument(style));
      result.width = width_of(result.parts[0]);
    } else {
      single(result, style, before);
    }
    scripts(result, style);
    result.source = trimmed(text_.substr(start, at_ - start));
    return result;
  }

  void fraction(TexItem& result, TexStyle style) {
    result.kind = Kind::fraction;
    result.parts.push_back(argument(smaller(style)));
    result.parts.push_back(argument(smaller(style)));
    result.width = std::max(width_of(result.parts[0]), width_of(result.parts[1])) + 0.24;
  }

  void fence(TexItem& result, TexStyle style) {
    result.kind = Kind::fence;
    result.head = std::string(next());
    if (++nesting_ > max_nesting) {
      result.parts.push_back(opaque(skip_to_right()));
    } else {
      result.parts.push_back(row(style));
      while (!at_end() && peek() != "\\right") next();  // a stray & or } is passed over
    }
    --nesting_;
    if (peek() == "\\right") next();
    result.tail = std::string(next());
    const double delimiter = has_fraction(result.parts[0]) ? 0.75 : 0.47;
    result.width = width_of(result.parts[0]) + 2 * delimiter * scale(style);
  }

  std::string_view skip_to_right() {
    const std::size_t start = at_;
    for (std::size_t open = 0; !at_end();) {
      if (peek() == "\\right" && open-- == 0) break;
      if (next() == "\\left") ++open;
    }
    return text_.substr(start, at_ - start);
  }

  void matrix(TexItem& result) {
    result.kind = Kind::matrix;
    result.head = std::string(raw_argument());
    std::size_t column = 0;
    std::vector<double> widths;
    while (!at_end()) {
      result.parts.push_back(row(TexStyle::text));
      if (widths.size() <= column) widths.push_back(0);
      widths[column] = std::max(widths[column], width_of(result.parts.back()));
      ++column;
      const std::string_view token = next();
      if (token == "&") continue;
      result.columns = std::max(result.columns, column);
      column = 0;
      if (token == "\\end") break;
    }
    raw_argument();
    for (double width : widths) result.width += width;
    result.width += static_cast<double>(widths.size()) + 1.2;
  }

  void word(TexItem& result, TexStyle style) {
    result.kind = result.head == "\\operatorname" ? Kind::function : Kind::word;
    const std::string_view source = raw_argument();
    result.head.clear();
    for (char c : source)
      if (c != '\\') result.head += c;
    result.width =
        (0.53 * static_cast<double>(result.head.size()) + (result.kind == Kind::function ? 2 * thin : 0)) *
        scale(style);
  }

  void single(TexItem& result, TexStyle style, const TexRow& before) {
    const std::string_view head = result.head;
    const TexSymbol* symbol = head[0] == '\\' ? find_command(head.substr(1)) : nullptr;
    const bool binary = is_one_of(head, {"+", "-", "*"}) || (symbol && symbol->kind == TexClass::binary);
    const bool relation =
        is_one_of(head, {"=", "<", ">", ":="}) || (symbol && symbol->kind == TexClass::relation);
    const bool after_operand = !before.empty() && before.back().kind != Kind::binary &&
                               before.back().kind != Kind::relation && before.back().kind != Kind::comma;
    const double spaces = scale(style) < 1 ? 0 : 1;  // scripts are set tight
    if (space_width(head) != 0) {
      result.kind = Kind::space;
      result.width = space_width(head);
    } else if (symbol && symbol->kind == TexClass::function) {
      result.kind = Kind::function;
      result.head = symbol->command;
      result.width = (0.46 * static_cast<double>(result.head.size()) + 2 * thin) * scale(style);
    } else if (relation) {
      result.kind = Kind::relation;
      result.width = 0.8 * scale(style) + spaces * around_relation;
    } else if (binary) {
      result.kind = after_operand ? Kind::binary : Kind::letter;
      result.width = 0.78 * scale(style) + (after_operand ? spaces * around_binary : 0);
    } else {
      result.kind = head == "," ? Kind::comma : Kind::letter;
      result.width = letter_width(head) * scale(style);
    }
  }

  void scripts(TexItem& result, TexStyle style) {
    const std::size_t start = at_;
    while (peek() == "_" || peek() == "^" || peek() == "'") {
      const std::string_view token = next();
      if (token == "'") {
        TexItem prime;
        prime.head = "'";
        prime.width = 0.3;
        result.above.push_back(std::move(prime));
        continue;
      }
      TexRow script = argument(script_of(style));
      TexRow& place = token == "_" ? result.below : result.above;
      place.insert(place.end(), script.begin(), script.end());
    }
    result.scripts = trimmed(text_.substr(start, at_ - start));
    result.width += std::max(width_of(result.below), width_of(result.above));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
};

}  // namespace

TexRow parse_tex(std::string_view source, TexStyle style) {
  Parser parser(source);
  TexRow result;
  while (!parser.at_end()) {
    TexRow more = parser.row(style);
    result.insert(result.end(), more.begin(), more.end());
    if (!parser.at_end()) parser.next();  // a stray delimiter is passed over
  }
  return result;
}

double width_of(const TexRow& row) {
  double width = 0;
  for (const TexItem& item : row) width += item.width;
  return width;
}

bool has_fraction(const TexRow& row) {
  return std::any_of(row.begin(), row.end(), [](const TexItem& item) {
    return item.kind == Kind::fraction || item.kind == Kind::matrix ||
           std::any_of(item.parts.begin(), item.parts.end(), has_fraction);
  });
}

}  // namespace liaison::report
