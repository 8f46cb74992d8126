#include <nlohmann/json.hpp>

#include "liaison/report/document.hpp"

namespace liaison {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Math& formula) {
  return {{"infix", infix_of(formula)}, {"latex", latex_of(formula)}};
}

Json to_json(const Inline& text) {
  Json parts = Json::array();
  for (const auto& part : text.parts) {
    if (const auto* formula = std::get_if<Math>(&part)) {
      parts.push_back(to_json(*formula));
    } else {
      parts.push_back(std::get<std::string>(part));
    }
  }
  return parts;
}

Json to_json(const std::vector<Inline>& texts) {
  Json list = Json::array();
  for (const Inline& text : texts) list.push_back(to_json(text));
  return list;
}

class ItemWriter {
 public:
  Json operator()(const Paragraph& paragraph) {
    return {{"kind", "paragraph"}, {"text", to_json(paragraph.text)}};
  }
  Json operator()(const Display& display) {
    return {{"kind", "formula"},
            {"key", display.key},
            {"number", ++number_},
            {"formula", to_json(display.formula)},
            {"note", to_json(display.note)}};
  }
  Json operator()(const Table& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) rows.push_back(to_json(row));
    return {{"kind", "table"}, {"key", table.key}, {"header", to_json(table.header)}, {"rows", rows}};
  }
  Json operator()(const Listing& listing) { return {{"kind", "list"}, {"items", to_json(listing.items)}}; }

 private:
  int number_ = 0;
};

}  // namespace

std::string render_json(const Document& document) {
  ItemWriter item;
  Json sections = Json::array();
  for (const Section& section : document.sections) {
    Json items = Json::array();
    for (const Block& block : section.blocks) items.push_back(std::visit(item, block));
    sections.push_back({{"key", section.key}, {"title", section.title}, {"items", items}});
  }
  const Json json{{"schema", 1},
                  {"title", document.title},
                  {"summary", to_json(document.summary)},
                  {"sections", sections}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace liaison
