#ifndef LIAISON_REPORT_ANALYSIS_PAGE_HPP
#define LIAISON_REPORT_ANALYSIS_PAGE_HPP

#include "liaison/report/document.hpp"
#include "liaison/structure/analysis.hpp"

namespace liaison {

/// An analysis as a page that is read in two minutes: each line with how it is known.
Document analysis_page(const Motion& motion, const Analysis& analysis);

/// "yes", "no", or "not decided" with how it is known: "no (proved)".
std::string answer_in_words(const Verdict& verdict);

}  // namespace liaison

#endif  // LIAISON_REPORT_ANALYSIS_PAGE_HPP
