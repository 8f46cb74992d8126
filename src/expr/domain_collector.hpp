#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "flat_map.hpp"
#include "liaison/expr/domain.hpp"

namespace liaison {

/// A domain under construction: a requirement is looked at once and found by hash, so that a text of n
/// operations costs n steps.
class DomainCollector {
 public:
  void need(Expr e, Bound bound);
  void need(const Domain& domain);
  void need_of_power(Expr base, const Rational& exponent);
  /// base^exponent; an exponent that is no number makes it exp(exponent*log(base)).
  void need_of_power(Expr base, Expr exponent);
  void need_of_elementary(Op op, std::span<const Expr> args);
  Domain take() { return std::move(domain_); }

 private:
  bool is_new(Expr e, Bound bound);
  void take_apart(Expr e);
  void keep(Expr e, Bound bound);

  Domain domain_;
  FlatMap<std::uint32_t, std::size_t> place_;  ///< in the domain, by the index of the node
  FlatMap<std::uint32_t, unsigned> asked_;     ///< a bit for each bound that has been looked at
  std::vector<Requirement> waiting_;
};

}  // namespace liaison
