#include <compare>

#include "liaison/expr/expr.hpp"

namespace liaison {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// x2 before x10: runs of digits compare by value, other characters by code.
std::strong_ordering natural_order(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      std::size_t i0 = i, j0 = j;
      while (i < a.size() && is_digit(a[i])) ++i;
      while (j < b.size() && is_digit(b[j])) ++j;
      auto x = a.substr(i0, i - i0), y = b.substr(j0, j - j0);
      while (x.size() > 1 && x[0] == '0') x.remove_prefix(1);
      while (y.size() > 1 && y[0] == '0') y.remove_prefix(1);
      if (x.size() != y.size()) return x.size() <=> y.size();
      if (auto c = x.compare(y); c != 0) return c <=> 0;
      continue;
    }
    if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) <=> static_cast<unsigned char>(b[j]);
    ++i;
    ++j;
  }
  if (auto c = (a.size() - i) <=> (b.size() - j); c != 0) return c;
  return a.compare(b) <=> 0;  // x01 and x1: equal by value, still two names
}

std::strong_ordering compare_applications(const Application& a, const Application& b) {
  if (auto c = natural_order(a.function->name, b.function->name); c != 0) return c;
  return a.orders <=> b.orders;
}

int leaf_rank(Op op) {
  switch (op) {
    case Op::number: return 0;
    case Op::pi: return 1;
    case Op::symbol: return 2;
    default: return 3;
  }
}

}  // namespace

std::strong_ordering compare(Expr a, Expr b) {
  // Interning makes different handles structurally different, so the first differing argument decides.
  while (a != b) {
    if (auto c = leaf_rank(a.op()) <=> leaf_rank(b.op()); c != 0) return c;
    if (a.is(Op::number)) return a.number() <=> b.number();
    if (a.is(Op::symbol)) return natural_order(a.symbol().name, b.symbol().name);
    if (auto c = a.depth() <=> b.depth(); c != 0) return c;
    if (auto c = a.op() <=> b.op(); c != 0) return c;
    if (auto c = a.args().size() <=> b.args().size(); c != 0) return c;
    if (a.is(Op::apply)) {
      if (auto c = compare_applications(a.application(), b.application()); c != 0) return c;
    }
    std::size_t i = 0;
    while (a.arg(i) == b.arg(i)) ++i;
    const Expr next_a = a.arg(i), next_b = b.arg(i);
    a = next_a;
    b = next_b;
  }
  return std::strong_ordering::equal;
}

}  // namespace liaison
