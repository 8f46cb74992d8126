#include <array>
#include <utility>

#include "liaison/expr/print_mathml.hpp"
#include "tex_symbols.hpp"
#include "tex_tree.hpp"

namespace liaison::report {

namespace {

using Kind = TexItem::Kind;

constexpr std::string_view thin_space = "<mspace width=\"0.167em\"/>";

std::string element(std::string_view tag, const std::string& content) {
  return std::string("<").append(tag).append(">").append(content).append("</").append(tag).append(">");
}

std::string row_element(const TexRow& row) {
  return element("mrow", to_mathml(row));
}

/// A character that stands for itself: "(", "\\{" or "." for none.
std::string character_of(const std::string& head) {
  const TexSymbol* symbol = head[0] == '\\' ? find_command(head.substr(1)) : nullptr;
  return symbol != nullptr ? symbol->unicode : escape_xml(head[0] == '\\' ? head.substr(1) : head);
}

/// A bracket as high as what it holds; around letters of one line that of the text, which stands closer.
std::string delimiter(const std::string& head, bool grows) {
  if (head == ".") return {};
  return (grows ? "<mo>" : "<mo stretchy=\"false\">") + character_of(head) + "</mo>";
}

/// Set like a letter, without space: a bracket in the text, a stroke.
bool is_ordinary(const std::string& head) {
  return head == "(" || head == ")" || head == "[" || head == "]" || head == "/" || head == "|" ||
         head == "!";
}

bool is_digit(const std::string& head) {
  return !head.empty() && head[0] >= '0' && head[0] <= '9';
}

bool is_letter(const std::string& head) {
  return head.size() == 1 && ((head[0] >= 'a' && head[0] <= 'z') || (head[0] >= 'A' && head[0] <= 'Z'));
}

std::string sign(const std::string& head) {
  if (is_ordinary(head)) return "<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">" + head + "</mo>";
  return head == "-"   ? element("mo", "−")
         : head == "'" ? element("mo", "′")
                       : element("mo", character_of(head));
}

std::string letter(const std::string& head) {
  if (is_digit(head)) return element("mn", head);
  if (is_letter(head)) return element("mi", head);
  const TexSymbol* symbol = head[0] == '\\' ? find_command(head.substr(1)) : nullptr;
  if (symbol == nullptr) return sign(head);
  switch (symbol->kind) {
    case TexClass::letter: return element("mi", symbol->unicode);
    case TexClass::sign:
    case TexClass::capital: return "<mi mathvariant=\"normal\">" + symbol->unicode + "</mi>";
    default: return element("mo", symbol->unicode);
  }
}

std::string accented(const TexItem& item) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> marks{{{"\\dot", "˙"},
                                                                                {"\\ddot", "¨"},
                                                                                {"\\dddot", "..."},
                                                                                {"\\ddddot", "...."},
                                                                                {"\\hat", "^"},
                                                                                {"\\bar", "¯"},
                                                                                {"\\vec", "→"},
                                                                                {"\\tilde", "~"}}};
  std::string mark;
  for (const auto& [command, character] : marks)
    if (item.head == command) mark = character;
  return element("mover", row_element(item.parts[0]) + element("mo", mark));
}

std::string matrix(const TexItem& item) {
  std::string rows;
  for (std::size_t i = 0; i < item.parts.size(); i += item.columns) {
    std::string cells;
    for (std::size_t j = i; j < std::min(i + item.columns, item.parts.size()); ++j)
      cells += element("mtd", to_mathml(item.parts[j]));
    rows += element("mtr", cells);
  }
  return "<mrow><mo>(</mo>" + element("mtable", rows) + "<mo>)</mo></mrow>";
}

std::string core(const TexItem& item) {
  switch (item.kind) {
    case Kind::word: {
      const bool one_letter = item.head.size() == 1;
      return (one_letter ? "<mi mathvariant=\"normal\">" : "<mi>") + escape_xml(item.head) + "</mi>";
    }
    case Kind::function: return element("mi", escape_xml(item.head));
    case Kind::binary:
    case Kind::relation:
    case Kind::letter:
    case Kind::comma: return letter(item.head);
    case Kind::space: return std::string(thin_space);
    case Kind::group: return row_element(item.parts[0]);
    case Kind::accent: return accented(item);
    case Kind::fence:
      return element("mrow", delimiter(item.head, has_fraction(item.parts[0])) + to_mathml(item.parts[0]) +
                                 delimiter(item.tail, has_fraction(item.parts[0])));
    case Kind::fraction: return element("mfrac", row_element(item.parts[0]) + row_element(item.parts[1]));
    case Kind::root: return element("msqrt", to_mathml(item.parts[0]));
    case Kind::matrix: return matrix(item);
  }
  return {};
}

}  // namespace

bool stands_apart(const TexItem& left, const TexItem& right) {
  const auto is_operand = [](const TexItem& item) {
    return item.kind == Kind::letter || item.kind == Kind::word || item.kind == Kind::accent ||
           item.kind == Kind::root || item.kind == Kind::group;
  };
  const auto is_inner = [](const TexItem& item) {
    return item.kind == Kind::fence || item.kind == Kind::fraction;
  };
  if (left.kind == Kind::fence && right.kind == Kind::function) return true;
  if (is_ordinary(left.head) || is_ordinary(right.head) || left.head == "-" || left.head == "+") return false;
  if (left.kind == Kind::function) return right.kind != Kind::fence && right.kind != Kind::comma;
  if (right.kind == Kind::function) return is_operand(left) || is_inner(left);
  return (is_operand(left) && is_inner(right)) || (is_inner(left) && is_operand(right));
}

std::string to_mathml(const TexRow& row) {
  std::string out;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const TexItem& item = row[i];
    if (i > 0 && stands_apart(row[i - 1], item)) out += thin_space;
    // Behind a relation a minus is a sign, and stands close to what it turns.
    const bool is_sign = i > 0 && item.kind == Kind::letter && item.head == "-";
    const std::string text = is_sign ? "<mo form=\"prefix\" lspace=\"0\" rspace=\"0\">−</mo>" : core(item);
    const bool below = !item.below.empty();
    const bool above = !item.above.empty();
    const std::string scripts =
        (below ? row_element(item.below) : "") + (above ? row_element(item.above) : "");
    out += below && above ? element("msubsup", text + scripts)
           : below        ? element("msub", text + scripts)
           : above        ? element("msup", text + scripts)
                          : text;
  }
  return out;
}

}  // namespace liaison::report
