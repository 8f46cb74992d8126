#include "liaison/model/slip_axes.hpp"

#include "builder.hpp"

namespace liaison {

std::vector<Triple> slip_axes(const std::vector<Expr>& normal, Pool& pool) {
  if (normal.size() == 2) return {{normal[1], -normal[0], pool.number(0)}};
  const auto [first, second] = across({normal[0], normal[1], normal[2]}, pool);
  return {first, second};
}

}  // namespace liaison
