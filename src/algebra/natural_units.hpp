#pragma once

#include <map>

#include "liaison/algebra/region.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison {

/// Powers of ten in which symbols are measured so that the terms of sums are of one size: 1000 for x in
/// x/1000 - 1. Points are looked for around 1 first; what a length is measured in must not decide whether
/// one is found.
class NaturalUnits {
 public:
  /// None where no number is far from 1, where the sums are too many, or where unknown functions stand in
  /// them.
  NaturalUnits(std::span<const Expr> sides, const Region& region);

  bool empty() const { return units_.empty(); }
  Expr in_units(Expr e) const { return substitute(e, in_units_); }
  Region in_units(Region region) const;
  /// The same in the units of the text.
  Expr as_written(Expr e) const { return substitute(e, as_written_); }
  void write_back(Witness& witness) const;
  /// 1 where a symbol keeps its unit.
  Rational unit_of(Expr symbol) const;

 private:
  std::map<Expr, Rational, StructuralLess> units_;
  Substitution in_units_, as_written_;
};

}  // namespace liaison
