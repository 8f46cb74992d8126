#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "liaison/expr/diagnostic.hpp"

/// XML as plain elements with their places; the parser is libxml2, known to xml_tree.cpp alone.
namespace liaison::robot {

struct XmlElement {
  std::string name;  ///< with its prefix, "xacro:macro"
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  Span span;  ///< of the start tag

  /// The first child of a name, or nullptr.
  const XmlElement* child(std::string_view wanted) const;
  /// The value of an attribute, or nullptr.
  const std::string* attribute(std::string_view wanted) const;
};

struct XmlDocument {
  XmlElement root;
  std::vector<Diagnostic> problems;  ///< L0701: the first place at which it is not XML
};

/// Nothing outside of the text is read: no files, no addresses.
XmlDocument read_xml(const Source& source);

/// Where an attribute stands in its tag, else the tag.
Span span_of(const Source& source, const XmlElement& element, std::string_view attribute);

}  // namespace liaison::robot
