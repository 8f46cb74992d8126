#pragma once

#include "liaison/report/document.hpp"

namespace liaison::test {

/// The vertical disc rolling on a plane in a few lines: each kind of block, long formulas, signs that a
/// notation must escape.
Document disc_document(Pool& pool);

/// A page of formulas wider than any line: a long form, a bracket, a fraction, a root, a matrix, a table.
Document wide_document(Pool& pool);

}  // namespace liaison::test
