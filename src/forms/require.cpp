#include "require.hpp"

#include <fmt/format.h>

namespace liaison {

std::string describe_basis(const Coframe& coframe) {
  constexpr std::size_t shown = 8;
  std::string text = "(";
  for (std::size_t i = 0; i < coframe.dimension() && i < shown; ++i) {
    if (i > 0) text += ", ";
    text += coframe.name(i);
  }
  return text + (coframe.dimension() > shown ? ", ...)" : ")");
}

void require_same_coframe(const CoframePtr& a, const CoframePtr& b) {
  if (a == b) return;
  throw Error(
      ErrorCode::mixed_coframes,
      fmt::format("two different coframes in one operation: {} and {}", describe_basis(*a),
                  describe_basis(*b)),
      "write both on one coframe: `change_coframe` for a moving frame, `product` for independent ones");
}

void require_degree(const Form& a, std::size_t degree, const std::string& what) {
  if (a.degree() == degree) return;
  throw Error(ErrorCode::wrong_degree, fmt::format("{} must have degree {}, but {} has degree {}", what,
                                                   degree, to_infix(a), a.degree()));
}

void require_pfaff_forms(std::span<const Form> forms, const CoframePtr& coframe, const std::string& what) {
  for (const Form& form : forms) {
    require_same_coframe(form.coframe(), coframe);
    require_degree(form, 1, what);
  }
}

}  // namespace liaison
