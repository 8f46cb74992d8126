#pragma once

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include "expr/late_library.hpp"

/// libxml2, which loads the tables of ICU, is opened with the first robot file.
namespace liaison::robot {

inline constexpr late::Module xml_module{"liaison_xml.so", "reads robot files"};

LIAISON_LATE(xml_module, xmlCreateMemoryParserCtxt);
LIAISON_LATE(xml_module, xmlCtxtUseOptions);
LIAISON_LATE(xml_module, xmlFreeDoc);
LIAISON_LATE(xml_module, xmlFreeParserCtxt);
LIAISON_LATE(xml_module, xmlParseDocument);

}  // namespace liaison::robot
