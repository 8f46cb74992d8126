#pragma once

#include <string>
#include <vector>

#include "liaison/algebra/region.hpp"

namespace liaison {

/// What exact algebra knows about "e vanishes at every point of the region".
struct RegionProof {
  bool proved = false;
  bool empty = false;    ///< the region has no real point
  bool nonzero = false;  ///< it does not vanish identically: some point of an open set shows it
  bool divided = false;  ///< an assumption vanishes on what may be a whole component: nothing is known there
  std::string reason;    ///< where it is not proved
  /// Parts of the region on which it is not proved, each with what selects it: where to look for a point at
  /// which it fails. Not all of them, unless it is said so.
  std::vector<Region> open;
  bool open_is_all = false;  ///< it vanishes at every point of the region that lies on none of `open`
};

/// e = 0 on the region, without points: pieces are followed on every side, relations are solved for what they
/// are linear in, and what is left is decided on the zero set of polynomials (zero_set.hpp). A proof says
/// nothing about whether the region has a point.
RegionProof prove_zero(Algebra& algebra, Expr e, const Region& region, std::size_t most_open = 1);
/// The region has no component on which an assumption vanishes, for general values of the parameters.
RegionProof prove_regular(Algebra& algebra, const Region& region);

/// Without equations that give a symbol outright (linear, with a number in front), which is put into the
/// others.
std::vector<Expr> without_outright_symbols(std::vector<Expr> equations);

}  // namespace liaison
