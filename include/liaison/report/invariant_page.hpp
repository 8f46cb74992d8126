#ifndef LIAISON_REPORT_INVARIANT_PAGE_HPP
#define LIAISON_REPORT_INVARIANT_PAGE_HPP

#include "liaison/report/document.hpp"
#include "liaison/structure/integral_invariant.hpp"

namespace liaison {

/// The integrals over a tube of motions, section by section, and what they say.
Document invariant_page(const System& system, const TubeIntegrals& tube);

}  // namespace liaison

#endif  // LIAISON_REPORT_INVARIANT_PAGE_HPP
