#pragma once

#include <string>
#include <vector>

#include "liaison/report/document.hpp"

namespace liaison::report {

struct FormulaLines {
  std::vector<std::string> lines;
  std::size_t middle = 0;  ///< the line on which the formula begins, where its number stands
};

/// A displayed formula in `width` columns: later lines stand under what follows the first relation, later
/// relations under the first.
FormulaLines formula_lines(const Math& formula, std::size_t width);

}  // namespace liaison::report
