#include "xml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "xml_functions.hpp"

namespace liaison::robot {

namespace {

std::string to_text(const xmlChar* text) {
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

std::string with_prefix(const xmlChar* prefix, const xmlChar* name) {
  return prefix == nullptr ? to_text(name) : to_text(prefix) + ":" + to_text(name);
}

/// What the handlers of a parse fill.
struct XmlReading {
  const Source* source = nullptr;
  xmlParserCtxtPtr context = nullptr;
  std::vector<XmlElement> open;  ///< from the root inwards
  XmlDocument document;
  bool has_root = false;

  /// How many bytes of the text are read; of a text in another encoding, about as many.
  std::size_t offset() const {
    const xmlParserInputPtr input = context->input;
    if (input == nullptr) return 0;
    const std::size_t read = input->consumed + static_cast<std::size_t>(input->cur - input->base);
    return std::min(read, source->text().size());
  }

  /// The tag that is being read: no `<` stands inside of one.
  Span tag() const {
    const std::string_view text = source->text();
    const std::size_t end = offset();
    const std::size_t begin = end == 0 ? std::string_view::npos : text.rfind('<', end - 1);
    return begin == std::string_view::npos ? Span{end, end} : Span{begin, end};
  }
};

XmlReading& reading_of(void* context) {
  return *static_cast<XmlReading*>(static_cast<xmlParserCtxtPtr>(context)->_private);
}

void begin_element(void* context, const xmlChar* name, const xmlChar* prefix, const xmlChar* /*uri*/,
                   int /*namespaces*/, const xmlChar** /*declared*/, int count, int /*defaulted*/,
                   const xmlChar** values) {
  XmlReading& reading = reading_of(context);
  XmlElement& element = reading.open.emplace_back();
  element.name = with_prefix(prefix, name);
  element.span = reading.tag();
  for (int i = 0; i < count; ++i) {  // name, prefix, address, begin and end of the value
    const xmlChar** entry = values + 5 * i;
    element.attributes.emplace_back(
        with_prefix(entry[1], entry[0]),
        std::string(reinterpret_cast<const char*>(entry[3]), reinterpret_cast<const char*>(entry[4])));
  }
}

void end_element(void* context, const xmlChar* /*name*/, const xmlChar* /*prefix*/, const xmlChar* /*uri*/) {
  XmlReading& reading = reading_of(context);
  if (reading.open.empty()) return;
  XmlElement element = std::move(reading.open.back());
  reading.open.pop_back();
  if (!reading.open.empty()) {
    reading.open.back().children.push_back(std::move(element));
  } else if (!reading.has_root) {
    reading.has_root = true;
    reading.document.root = std::move(element);
  }
}

void keep_error(void* context, xmlErrorPtr error) {
  XmlReading& reading = reading_of(context);
  // An unknown prefix is said by who knows what it means; the first error explains the others.
  if (error->level != XML_ERR_FATAL || !reading.document.problems.empty()) return;
  std::string reason = error->message == nullptr ? "" : error->message;
  while (!reason.empty() && (reason.back() == '\n' || reason.back() == ' ')) reason.pop_back();
  std::replace_if(
      reason.begin(), reason.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  const std::size_t at = reading.offset();
  reading.document.problems.push_back(
      Diagnostic{"L0701",
                 fmt::format("this is not XML: {}", reason),
                 {at, at},
                 {},
                 {},
                 "each tag is closed, `<link name=\"arm\"> ... </link>` or "
                 "`<parent link=\"base\"/>`, and each value stands in quotes"});
}

struct FreeContext {
  void operator()(xmlParserCtxtPtr context) const {
    if (context->myDoc != nullptr) xmlFreeDoc(context->myDoc);
    xmlFreeParserCtxt(context);
  }
};

}  // namespace

const XmlElement* XmlElement::child(std::string_view wanted) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const XmlElement& element) { return element.name == wanted; });
  return found == children.end() ? nullptr : &*found;
}

const std::string* XmlElement::attribute(std::string_view wanted) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const auto& entry) { return entry.first == wanted; });
  return found == attributes.end() ? nullptr : &found->second;
}

XmlDocument read_xml(const Source& source) {
  XmlReading reading;
  reading.source = &source;
  const std::string_view text = source.text();
  const auto refuse = [&](const std::string& message) {
    reading.document.problems.push_back(Diagnostic{
        "L0701", message, {0, 0}, {}, {}, "name a robot file: `<robot name=\"arm\"> ... </robot>`"});
    return std::move(reading.document);
  };
  constexpr std::size_t most_letters = 100'000'000;
  if (text.size() > most_letters) return refuse("this is too long to be a robot file");
  const std::unique_ptr<xmlParserCtxt, FreeContext> context(xmlCreateMemoryParserCtxt(
      text.empty() ? " " : text.data(), text.empty() ? 1 : static_cast<int>(text.size())));
  if (!context) return refuse("this is not XML");
  reading.context = context.get();
  context->_private = &reading;
  xmlCtxtUseOptions(context.get(), XML_PARSE_NONET);
  // Only elements are looked at. Entities that the text declares itself are known by the default handlers.
  context->sax->startElementNs = begin_element;
  context->sax->endElementNs = end_element;
  context->sax->characters = nullptr;
  context->sax->ignorableWhitespace = nullptr;
  context->sax->cdataBlock = nullptr;
  context->sax->comment = nullptr;
  context->sax->processingInstruction = nullptr;
  context->sax->reference = nullptr;
  context->sax->serror = keep_error;
  xmlParseDocument(context.get());
  if (reading.document.problems.empty() && !reading.has_root) return refuse("this is not XML");
  return std::move(reading.document);
}

Span span_of(const Source& source, const XmlElement& element, std::string_view attribute) {
  const std::string_view tag =
      source.text().substr(element.span.begin, element.span.end - element.span.begin);
  char quote = 0;
  for (std::size_t i = 0; i < tag.size(); ++i) {
    if (quote != 0) {
      if (tag[i] == quote) quote = 0;
      continue;
    }
    if (tag[i] == '"' || tag[i] == '\'') quote = tag[i];
    const bool begins =
        i > 0 && (tag[i - 1] == ' ' || tag[i - 1] == '\t' || tag[i - 1] == '\n' || tag[i - 1] == '\r');
    if (!begins || tag.substr(i, attribute.size()) != attribute) continue;
    std::size_t end = tag.find_first_of("\"'", i);
    if (end != std::string_view::npos) end = tag.find(tag[end], end + 1);
    if (end == std::string_view::npos) break;
    return {element.span.begin + i, element.span.begin + end + 1};
  }
  return element.span;
}

}  // namespace liaison::robot
