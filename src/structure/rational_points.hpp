#pragma once

#include <random>

#include "liaison/expr/substitute.hpp"
#include "modular_points.hpp"

namespace liaison {

/// Arithmetic of expressions that are free of the state: rational functions of the parameters.
class ConstantField {
 public:
  static constexpr bool keeps_constants = true;
  explicit ConstantField(Pool& pool, Substitution values = {}) : pool_(pool), values_(std::move(values)) {}
  Expr number(const Rational& value) const { return pool_.number(value); }
  Expr add(Expr a, Expr b) const { return a + b; }
  Expr mul(Expr a, Expr b) const { return a * b; }
  std::optional<Expr> inverse(Expr a) const;
  std::optional<Expr> sqrt(Expr a) const;
  std::optional<Expr> cos_pi(const Rational& part) const { return cos(pool_.number(part) * pool_.pi()); }
  std::optional<Expr> sin_pi(const Rational& part) const { return sin(pool_.number(part) * pool_.pi()); }
  /// With the values of the parameters; nothing where it has none for them.
  std::optional<Expr> constant(Expr node) const;

 private:
  Pool& pool_;
  Substitution values_;  ///< of parameters
};

/// Random rational points of a table; parameters stay symbols, or have the values of the choices.
class RationalPoints {
 public:
  RationalPoints(Pool& pool, const FunctionTable& table, PointChoices choices, std::uint64_t seed);
  /// The values of what the table was asked for at a new point, in the parameters.
  std::optional<std::vector<Expr>> next();

 private:
  Rational random();
  void draw();

  Pool& pool_;
  const FunctionTable& table_;
  PointChoices choices_;
  std::mt19937_64 generator_;
  ConstantField field_;
  ExactPoint<Expr> point_;
};

}  // namespace liaison
