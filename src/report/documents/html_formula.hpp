#pragma once

#include <string>

#include "liaison/report/document.hpp"

/// Formulas for a page of any width.
namespace liaison::report {

/// A formula as elements between which a browser may end the line: one <math> a term, and in place of a term
/// that is wider than a small screen its parts, with fractions and brackets that lines may end in.
std::string html_formula(std::span<const Math::Piece> pieces, bool display);

}  // namespace liaison::report
