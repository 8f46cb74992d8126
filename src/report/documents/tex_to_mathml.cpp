#include <array>
#include <utility>

#include "liaison/expr/print_mathml.hpp"
#include "tex_symbols.hpp"
#include "tex_tree.hpp"

namespace liaison::report {

namespace {

using Kind = TexItem::Kind;

std::string element(std::string_view tag, const std::string& content) {
  return std::string("<").append(tag).append(">").append(content).append("</").append(tag).append(">");
}

std::string row_element(const TexRow& row) {
  return element("mrow", to_mathml(row));
}

/// A character that stands for itself: "(", "\\{" or "." for none.
std::string delimiter(const std::string& head) {
  if (head == ".") return {};
  if (const TexSymbol* symbol = head[0] == '\\' ? find_command(head.substr(1)) : nullptr) {
    return element("mo", symbol->unicode);
  }
  return element("mo", escape_xml(head[0] == '\\' ? head.substr(1) : head));
}

bool is_digit(const std::string& head) {
  return !head.empty() && head[0] >= '0' && head[0] <= '9';
}

bool is_letter(const std::string& head) {
  return head.size() == 1 && ((head[0] >= 'a' && head[0] <= 'z') || (head[0] >= 'A' && head[0] <= 'Z'));
}

std::string sign(const std::string& head) {
  return head == "-" ? element("mo", "−") : head == "'" ? element("mo", "′") : delimiter(head);
}

std::string letter(const std::string& head) {
  if (is_digit(head)) return element("mn", head);
  if (is_letter(head)) return element("mi", head);
  const TexSymbol* symbol = head[0] == '\\' ? find_command(head.substr(1)) : nullptr;
  if (symbol == nullptr) return sign(head);
  switch (symbol->kind) {
    case TexClass::letter: return element("mi", symbol->unicode);
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
    case Kind::space: return "<mspace width=\"0.167em\"/>";
    case Kind::group: return row_element(item.parts[0]);
    case Kind::accent: return accented(item);
    case Kind::fence:
      return element("mrow", delimiter(item.head) + to_mathml(item.parts[0]) + delimiter(item.tail));
    case Kind::fraction: return element("mfrac", row_element(item.parts[0]) + row_element(item.parts[1]));
    case Kind::root: return element("msqrt", to_mathml(item.parts[0]));
    case Kind::matrix: return matrix(item);
  }
  return {};
}

}  // namespace

std::string to_mathml(const TexRow& row) {
  std::string out;
  for (const TexItem& item : row) {
    const std::string text = core(item);
    const bool below = !item.below.empty();
    const bool above = !item.above.empty();
    const std::string scripts =
        (below ? row_element(item.below) : "") + (above ? row_element(item.above) : "");
    out += below && above ? element("msubsup", text + scripts)
           : below        ? element("msub", text + scripts)
           : above        ? element("msup", text + scripts)
                          : text;
    if (item.kind == Kind::function) out += "<mspace width=\"0.167em\"/>";
  }
  return out;
}

}  // namespace liaison::report
