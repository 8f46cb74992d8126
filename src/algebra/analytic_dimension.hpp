#pragma once

#include <span>
#include <vector>

#include "field.hpp"

namespace liaison {

/// How large sets of real points are whose generators are functions of fewer symbols: the points (x, tan(x))
/// are a curve in the plane of polynomials in both, and x = 0 is a component of tan(x) = -x, though it is
/// smaller than the component of the polynomial equation that it lies on.
class AnalyticDimension {
 public:
  explicit AnalyticDimension(const Field& field);

  /// The dimension of the generators with their relations, less that of their symbols. Where it is zero,
  /// polynomials tell dimensions.
  std::size_t excess() const { return excess_; }
  /// An upper bound for the points at which all these vanish, each solved for a variable of its own; the
  /// generators' own relations are among them.
  std::size_t bound(std::span<const Poly> chain) const;

 private:
  using Generators = std::vector<bool>;
  /// Generators that tell their symbols up to discrete choices.
  struct Selection {
    Generators has;
    Generators is_number;        ///< no polynomial makes these vanish
    std::vector<Expr> not_told;  ///< symbols that none of them tells
  };
  Selection select(bool functions_first) const;
  std::vector<Generators> blocks(std::span<const Poly> chain) const;
  std::size_t bound_within(const Generators& block, std::span<const Poly> chain) const;
  std::size_t symbols_within(const Generators& block) const;

  const Field& field_;
  std::vector<Poly> relations_;
  std::vector<Expr> symbols_;
  std::vector<std::vector<Expr>> symbols_of_;  ///< each generator
  std::size_t excess_ = 0;
  std::vector<Selection> selections_;
};

}  // namespace liaison
