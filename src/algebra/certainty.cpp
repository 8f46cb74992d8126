#include "liaison/algebra/certainty.hpp"

#include <fmt/format.h>

#include "liaison/expr/print.hpp"

namespace liaison {

std::string describe(const Verdict& verdict) {
  switch (verdict.grade) {
    case Grade::proved: return "proved";
    case Grade::checked:
      return fmt::format("checked at {} point{} to {} digits ({})", verdict.points,
                         verdict.points == 1 ? "" : "s", verdict.digits, verdict.reason);
    case Grade::refuted: {
      std::string place;
      for (const auto& [symbol, value] : verdict.witness.point) {
        place += fmt::format("{}{} = {}", place.empty() ? " at " : ", ", to_infix(symbol), value.to_string());
      }
      return fmt::format("refuted{}: {} is not {}", place, verdict.witness.left.to_string(10),
                         verdict.witness.right.to_string(10));
    }
    case Grade::unknown: return "unknown: " + verdict.reason;
  }
  return {};
}

}  // namespace liaison
