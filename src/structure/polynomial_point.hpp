#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "function_table.hpp"
#include "polynomial_field.hpp"

namespace liaison {

/// The point of a table at which functions are themselves: quotients of polynomials in constants, in what
/// changes, in a cosine and a sine of each angle, in exponentials and in square roots, modulo the relations
/// of these. They are a field: nothing vanishes there that does not vanish at all states.
class PolynomialPoint {
 public:
  /// `constants`: what may stay a symbol beside the state, in the order of the variables.
  PolynomialPoint(const FunctionTable& table, const std::vector<std::array<Expr, 4>>& quaternions,
                  std::vector<Expr> constants, const Budget& budget);

  /// Not empty: why there is none.
  const std::string& refusal() const { return refusal_; }
  const PolynomialField& field() const { return *field_; }
  const PolyRing& ring() const { return *ring_; }
  /// Of what the table was asked for.
  const std::vector<PolyFraction>& values() const { return values_; }

  /// Modulo sin^2 = 1 - cos^2, e.e = 1 and r^2 of each root: zero only where the function is.
  Poly reduced(Poly p) const;
  /// The coefficient of each product of what changes, in a ring of the constants.
  std::map<Exponents, Poly> coefficients(const Poly& reduced, const PolyRing& constants) const;
  std::size_t constants() const { return constants_.size(); }

 private:
  bool give_places();
  Poly with_square(const Poly& p, std::size_t place, const Poly& value) const;
  /// No product of some of them is a square: each adjoins a field of twice the dimension.
  bool roots_are_independent() const;

  const FunctionTable& table_;
  const std::vector<std::array<Expr, 4>>& quaternions_;
  std::vector<Expr> constants_;
  std::size_t places_ = 0, first_root_ = 0;
  std::unordered_map<Expr, std::size_t> place_of_;
  std::vector<std::size_t> angles_, exponentials_;  ///< the cosine; the sine is the next
  std::unique_ptr<PolyRing> ring_;
  std::unique_ptr<PolynomialField> field_;
  std::vector<PolyFraction> values_;
  std::string refusal_;
};

/// Everything over one denominator: the numerators.
std::vector<Poly> over_one_denominator(const std::vector<PolyFraction>& fractions, Poly& denominator);

}  // namespace liaison
