#include "html_style.hpp"
#include "liaison/expr/print_mathml.hpp"
#include "liaison/report/document.hpp"

namespace liaison {

namespace {

/// One <math> a piece, with a place where the line may end before it.
std::string math_elements(std::span<const Math::Piece> pieces, bool display) {
  std::string out;
  for (const Math::Piece& piece : pieces) {
    if (!out.empty()) out += "<wbr>";
    out += display ? "<math displaystyle=\"true\"><mrow>" : "<math><mrow>";
    out += piece.mathml + "</mrow></math>";
  }
  return out;
}

std::string to_html(const Inline& text) {
  std::string out;
  for (const auto& part : text.parts) {
    const auto* formula = std::get_if<Math>(&part);
    out +=
        formula != nullptr ? math_elements(formula->pieces, false) : escape_xml(std::get<std::string>(part));
  }
  return out;
}

std::string id_attribute(const std::string& key) {
  return key.empty() ? std::string() : " id=\"" + escape_xml(key) + "\"";
}

class HtmlWriter {
 public:
  void write(const Document& document) {
    out_ += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out_ += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out_ += "<title>" + escape_xml(document.title) + "</title>\n<style>\n";
    out_ += report::html_style;
    out_ += "</style>\n</head>\n<body>\n<main>\n<h1>" + escape_xml(document.title) + "</h1>\n";
    if (!document.summary.parts.empty()) {
      out_ += "<p class=\"summary\">" + to_html(document.summary) + "</p>\n";
    }
    for (const Section& section : document.sections) {
      out_ += "<section" + id_attribute(section.key) + ">\n<h2>" + escape_xml(section.title) + "</h2>\n";
      for (const Block& each : section.blocks)
        std::visit([&](const auto& b) { block(b, section.key); }, each);
      out_ += "</section>\n";
    }
    out_ += "</main>\n</body>\n</html>\n";
  }
  std::string take() { return std::move(out_); }

 private:
  void block(const Paragraph& paragraph, const std::string&) {
    out_ += "<p>" + to_html(paragraph.text) + "</p>\n";
  }

  void block(const Listing& listing, const std::string&) {
    out_ += "<ul>\n";
    for (const Inline& item : listing.items) out_ += "<li>" + to_html(item) + "</li>\n";
    out_ += "</ul>\n";
  }

  /// The left side stays, what follows the first relation wraps beside it.
  void block(const Display& display, const std::string& section) {
    const std::span<const Math::Piece> pieces = display.formula.pieces;
    std::size_t left = 0;
    while (left < pieces.size() && pieces[left].start != Math::Start::relation) ++left;
    if (left == pieces.size()) left = 0;
    out_ += "<div class=\"formula\"" + id_attribute(display.key == section ? "" : display.key) + ">";
    if (left > 0) out_ += "<div>" + math_elements(pieces.first(left), true) + "</div>";
    out_ += "<div class=\"right\">" + math_elements(pieces.subspan(left), true) + "</div>";
    out_ += "<div class=\"number\">(" + std::to_string(++number_) + ")</div></div>\n";
    if (!display.note.parts.empty()) out_ += "<p class=\"note\">" + to_html(display.note) + "</p>\n";
  }

  void block(const Table& table, const std::string& section) {
    out_ += "<div class=\"wide\"" + id_attribute(table.key == section ? "" : table.key) + "><table>\n";
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
