#pragma once

#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/model/system.hpp"

namespace liaison {

/// Whether roots, and exponentials of logarithms, are one function on all parts of where they have a value.
/// (z - 1)/sqrt((z - 1)^2) is not: it is 1 on one side and -1 on the other, and what is derived on one side
/// is said of that side alone.
enum class Sheets { one, several, open };

struct RootSheets {
  Sheets sheets = Sheets::one;
  Expr root;  ///< one that has several, or may have
};
/// Of all roots in the texts. `one` is proved: each that may vanish has a simple zero that no other has,
/// around which it turns into each of its sheets.
RootSheets sheets_of_roots(Algebra& algebra, const System& system, const std::vector<Expr>& texts);

}  // namespace liaison
