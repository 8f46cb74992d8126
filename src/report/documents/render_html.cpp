#include <algorithm>

#include "html_formula.hpp"
#include "html_style.hpp"
#include "liaison/expr/print_mathml.hpp"
#include "liaison/report/document.hpp"
#include "report/look/page_look.hpp"
#include "tex_lines.hpp"

namespace liaison {

namespace {

constexpr double widest_left_side = 9;  // em: what follows the relation wraps beside a left side up to this
constexpr double long_row = 26;         // em: a table with wider rows stacks its cells on a small screen

std::string to_html(const Inline& text) {
  std::string out;
  for (const auto& part : text.parts) {
    const auto* formula = std::get_if<Math>(&part);
    out += formula != nullptr ? report::html_formula(formula->pieces, false)
                              : escape_xml(std::get<std::string>(part));
  }
  return out;
}

double width_of(const Inline& text) {
  double width = 0;
  for (const auto& part : text.parts) {
    const auto* formula = std::get_if<Math>(&part);
    width += formula != nullptr ? report::tex_width(*formula, report::TexStyle::text)
                                : 0.5 * static_cast<double>(std::get<std::string>(part).size());
  }
  return width;
}

std::string id_attribute(const std::string& key) {
  return key.empty() ? std::string() : " id=\"" + escape_xml(key) + "\"";
}

class HtmlWriter {
 public:
  void write(const Document& document) {
    out_ += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out_ += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out_ += "<title>" + escape_xml(document.title) + "</title>\n<style>/*<![CDATA[*/\n";
    out_ += report::page_look;
    out_ += report::html_style;
    out_ += "/*]]>*/</style>\n</head>\n<body>\n";
    contents(document);
    out_ += "<main>\n<h1>" + escape_xml(document.title) + "</h1>\n";
    if (!document.summary.parts.empty()) {
      out_ += "<p class=\"summary\">" + to_html(document.summary) + "</p>\n";
    }
    for (std::size_t i = 0; i < document.sections.size(); ++i) section(document.sections[i], i);
    out_ += "</main>\n<script>/*<![CDATA[*/\n";
    out_ += report::html_script;
    out_ += "/*]]>*/</script>\n</body>\n</html>\n";
  }
  std::string take() { return std::move(out_); }

 private:
  static std::string id_of(const Section& section, std::size_t i) {
    return section.key.empty() ? "step-" + std::to_string(i + 1) : section.key;
  }

  /// Also of a page with one step, so that every page stands in the same columns.
  void contents(const Document& document) {
    out_ += "<nav aria-label=\"contents\">\n<ol>\n";
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
      const Section& each = document.sections[i];
      out_ += "<li><a href=\"#" + escape_xml(id_of(each, i)) + "\">" + escape_xml(each.title) + "</a></li>\n";
    }
    out_ += "</ol>\n</nav>\n";
  }

  void section(const Section& section, std::size_t i) {
    const std::string id = id_of(section, i);
    out_ += "<section id=\"" + escape_xml(id) + "\">\n<details open=\"open\">\n<summary><h2>" +
            escape_xml(section.title) + "</h2></summary>\n";
    for (const Block& each : section.blocks) std::visit([&](const auto& b) { block(b, section.key); }, each);
    out_ += "</details>\n</section>\n";
  }

  void block(const Paragraph& paragraph, const std::string&) {
    out_ += "<p>" + to_html(paragraph.text) + "</p>\n";
  }

  void block(const Listing& listing, const std::string&) {
    out_ += "<ul>\n";
    for (const Inline& item : listing.items) out_ += "<li>" + to_html(item) + "</li>\n";
    out_ += "</ul>\n";
  }

  /// A short left side stays, what follows the first relation wraps beside it.
  void block(const Display& display, const std::string& section) {
    const std::span<const Math::Piece> pieces = display.formula.pieces;
    std::size_t left = 0;
    while (left < pieces.size() && pieces[left].start != Math::Start::relation) ++left;
    const Math left_side{{pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(left)}};
    if (left == pieces.size() || report::tex_width(left_side, report::TexStyle::display) > widest_left_side)
      left = 0;
    out_ += "<div class=\"formula\"" + id_attribute(display.key == section ? "" : display.key) + ">";
    if (left > 0) out_ += "<div class=\"left\">" + report::html_formula(pieces.first(left), true) + "</div>";
    out_ += "<div class=\"right\">" + report::html_formula(pieces.subspan(left), true) + "</div>";
    copy_menu(display);
    out_ += "</div>\n";
    if (!display.note.parts.empty()) out_ += "<p class=\"note\">" + to_html(display.note) + "</p>\n";
  }

  /// The number of a formula opens what can be taken along.
  void copy_menu(const Display& display) {
    const std::string number = std::to_string(++number_);
    out_ += "<details class=\"copy\" id=\"equation-" + number + "\"><summary aria-label=\"equation " +
            number + ", copy\">(" + number + ")</summary><div>";
    copy_button("LaTeX", latex_of(display.formula));
    copy_button("text", infix_of(display.formula));
    copy_button("C", display.code.c);
    copy_button("Python", display.code.python);
    out_ += "<a href=\"#equation-" + number + "\">link</a></div></details>";
  }

  void copy_button(const std::string& language, const std::string& text) {
    if (text.empty()) return;
    out_ += "<button type=\"button\" data-text=\"" + escape_xml(text) + "\">" + language + "</button>";
  }

  void block(const Table& table, const std::string& section) {
    double widest = 0;
    for (const auto& cells : table.rows) {
      double width = 0;
      for (const Inline& cell : cells) width += width_of(cell);
      widest = std::max(widest, width);
    }
    out_ += std::string("<div class=\"wide") + (widest > long_row ? " long" : "") + "\"" +
            id_attribute(table.key == section ? "" : table.key) + "><table>\n";
    if (!table.header.empty()) out_ += "<thead>" + row(table.header, "th") + "</thead>\n";
    out_ += "<tbody>\n";
    for (const auto& cells : table.rows) out_ += row(cells, "td") + "\n";
    out_ += "</tbody>\n</table></div>\n";
  }

  static std::string row(const std::vector<Inline>& cells, const std::string& tag) {
    std::string out = "<tr>";
    for (const Inline& cell : cells) out += "<" + tag + ">" + to_html(cell) + "</" + tag + ">";
    return out + "</tr>";
  }

  std::string out_;
  int number_ = 0;
};

}  // namespace

std::string render_html(const Document& document) {
  HtmlWriter writer;
  writer.write(document);
  return writer.take();
}

}  // namespace liaison
