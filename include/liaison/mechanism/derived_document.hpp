#ifndef LIAISON_MECHANISM_DERIVED_DOCUMENT_HPP
#define LIAISON_MECHANISM_DERIVED_DOCUMENT_HPP

#include <string>
#include <vector>

#include "liaison/mechanism/parts.hpp"
#include "liaison/report/derivation.hpp"

namespace liaison {

/// The roads that a name stands for: none of "" and "characteristic", every one of "all". Throws Refused.
std::vector<Formulation> formulations_named(const std::string& name);

struct DerivedDocument {
  Document document;
  std::vector<RoadTaken> roads;
  bool agree = true;         ///< every road that can be gone leads to the same motion
  bool interrupted = false;  ///< there are more roads than were gone
};
struct DerivedPage {
  bool lead = false;  ///< the equations of the one road stand first
  bool full = false;  ///< also what is too long to be read is written out
};
/// The derivation, and further roads. What was gone before an interrupt is kept; throws Refused.
DerivedDocument derive_document(MechanismParts& parts, const std::vector<Formulation>& formulations,
                                const DerivedPage& page = {});

/// "text", "latex", "html" or "json".
std::string render(const Document& document, const std::string& format);
/// Throws Refused for what is no format of a document.
void require_format(const std::string& format);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_DERIVED_DOCUMENT_HPP
