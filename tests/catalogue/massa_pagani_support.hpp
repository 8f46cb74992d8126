#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/force_measure.hpp"
#include "row.hpp"

/// A model with its geometry, for the rows MP*: symbolic objects, and their numbers at a state.
namespace liaison::test {

/// "x = 1, theta = atan(2)" on top of the values of the model's parameters.
using State = Substitution;

class Mechanism {
 public:
  explicit Mechanism(const std::string& model_text);
  /// A model under models/massa_pagani.
  static Mechanism file(const std::string& name);

  Expr operator()(std::string_view text) const { return parse(*system->pool, text); }
  std::vector<Expr> list(std::initializer_list<std::string_view> texts) const;
  State state(std::string_view text) const;
  /// To 20 certified digits, rounded to double.
  double number(Expr e, const State& at) const;
  /// The coefficients of theta^1 .. theta^n: of a contact form its components on omt^i.
  std::vector<double> numbers(const Form& contact_form, const State& at) const;
  std::vector<double> numbers(const std::vector<Expr>& es, const State& at) const;
  /// The largest coefficient, by amount.
  double largest(const Form& a, const State& at) const;

  Verdict equal(Expr a, Expr b) const { return algebra->are_equal(a, b); }
  Verdict equal(Expr a, std::string_view b) const { return algebra->are_equal(a, (*this)(b)); }
  Verdict equal(const Form& a, const Form& b) const { return are_equal(*algebra, a, b); }
  Verdict zero(Expr a) const { return algebra->is_zero(a); }
  Verdict zero(const Form& a) const { return is_zero(*algebra, a); }
  /// On A: "x*y: dx dz1; 1: dt dx".
  Form form(std::string_view text) const;
  /// coefficients times omt^i.
  Form contact(std::initializer_list<std::string_view> coefficients) const;

  /// The motion with the active forces, ideal constraints: z'.
  std::vector<Expr> ideal_flow() const;

  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  std::unique_ptr<Motion> motion;
  std::unique_ptr<ConstraintGeometry> geometry;
  std::unique_ptr<ConstraintDynamics> dynamics;

  const ConstraintSpace& space() const { return geometry->space; }
};

/// The text of a model under models/massa_pagani.
std::string model_text(const std::string& name);
/// Parsed without a diagnostic, or an exception that shows them.
System read_system(const std::string& text);

::testing::AssertionResult are_near(const std::vector<double>& values, const std::vector<double>& expected);

/// The states at which the catalogue gives the numbers of its fixtures.
inline constexpr std::string_view f1_state = "t = 0.4, x = 0.2, y = -0.3, theta = 0.7, u = 1.3, w = 0.9";
inline constexpr std::string_view f2_state = "t = 1/3, x = 0.2, y = -0.3, z = 2, u = 0.7, phi = 0.6";
inline constexpr std::string_view f3_state = "t = 0.6, x = 0, y = 0, phi = 0.4";
inline constexpr std::string_view f4_state = "t = 0.4, x = -0.5, y = 0.9, u = 1.1";
inline constexpr std::string_view f5_state = "t = 0.4, rho = 1.2, alpha = -0.3, z1 = 0.5";
inline constexpr std::string_view f6_state =
    "t = 0, x = 0.1, y = 0.2, varphi = 0.7, theta = 0.25, z1 = 1.3, z2 = -2.1";

}  // namespace liaison::test

#define EXPECT_NUMBERS(values, ...) \
  EXPECT_TRUE(::liaison::test::are_near(values, std::vector<double> __VA_ARGS__))
