#include "critical.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "liaison/expr/signs.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t longest = 4'000;  // written nodes of a function whose sides are worth a search

class Collection {
 public:
  void add(Expr e, int needed_sign = 0, bool zero_is_out = false) {
    if (e.is_constant() || is_seen_positive(e)) return;
    const auto size = size_.find(e);
    const bool is_long = size != size_.end() && size->second > longest;
    if (is_long && needed_sign == 0 && zero_is_out) return;  // almost every point will do
    if (has_negative_lead(e)) {
      e = -e;
      needed_sign = -needed_sign;
    }
    const auto [place, is_new] = place_.emplace(e, all_.size());
    if (is_new) all_.push_back({e, 0, false});
    Critical& critical = all_[place->second];
    if (needed_sign != 0) critical.needed_sign = needed_sign;
    critical.zero_is_out = critical.zero_is_out || zero_is_out;
  }

  /// After its arguments.
  void add_node(Expr e) {
    std::uint64_t size = 1;
    for (Expr argument : e.args()) size = std::min(size + size_[argument], longest + 1);
    size_[e] = size;
    switch (e.op()) {
      case Op::pow: return add_power(e.arg(0), e.arg(1).number());
      case Op::abs:
      case Op::sign: return add(e.arg(0));
      case Op::log: return add(e.arg(0), 1, true);
      case Op::tan: return add(cos(e.arg(0)), 0, true);
      case Op::asin:
      case Op::acos: add(e.arg(0) - 1, -1); return add(e.arg(0) + 1, 1);
      case Op::atan2: add(e.arg(0)); return add(e.arg(1));
      case Op::min:
      case Op::max: return add(e.arg(0) - e.arg(1));
      default: return;
    }
  }

  void add_requirement(const Requirement& requirement) {
    add(requirement.e, requirement.bound == Bound::nonzero ? 0 : 1, requirement.bound != Bound::nonnegative);
  }

  std::vector<Critical> take() { return std::move(all_); }

 private:
  void add_power(Expr base, const Rational& exponent) {
    if (!exponent.is_integer()) return add(base, 1, exponent.sign() < 0);
    if (exponent.sign() < 0) add(base, 0, true);
  }

  std::vector<Critical> all_;
  std::unordered_map<Expr, std::size_t> place_;
  std::unordered_map<Expr, std::uint64_t> size_;
};

}  // namespace

std::vector<Critical> critical_functions(std::span<const Expr> es, const Domain& domain) {
  Collection collection;
  for (Expr e : postorder(es)) collection.add_node(e);
  for (const Requirement& requirement : domain) {
    for (Expr e : postorder(requirement.e)) collection.add_node(e);
    collection.add_requirement(requirement);
  }
  return collection.take();
}

}  // namespace liaison
