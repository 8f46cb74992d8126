#pragma once

#include <string>
#include <string_view>

namespace liaison::test {

/// What is wrong with a piece of XML, empty if nothing: tags that do not match, bare & or <, attributes
/// without quotes, and MathML elements with a wrong number of children (mfrac 2, msup 2, msubsup 3, ...).
/// `<!...>` at the start and the void elements of HTML (meta, wbr, br) pass.
std::string xml_fault(std::string_view text);

}  // namespace liaison::test
