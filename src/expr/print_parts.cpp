#include "liaison/expr/print_parts.hpp"

#include "print_order.hpp"
#include "utf8.hpp"

namespace liaison {

std::vector<Expr> printed_terms(Expr e) {
  return e.is(Op::add) ? ordered_terms(e) : std::vector<Expr>{e};
}

std::size_t displayed_columns(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, offset);
    columns += utf8::width(point.value);
    offset += point.length;
  }
  return columns;
}

}  // namespace liaison
