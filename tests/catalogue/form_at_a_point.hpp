#pragma once

#include <string>
#include <vector>

#include "row.hpp"
#include "support/random_expression.hpp"

namespace liaison::test {

/// Omega of a system with n parameters at one point, in random numbers:
///   M_ij dv^i^(dq^j - v^j dt) + A_ij dq^i^(dq^j - v^j dt) + b_i dq^i^dt,
/// on the coframe dq1 .. dqn, dv1 .. dvn, dt. A singular M has one velocity direction without inertia.
class FormAtAPoint {
 public:
  enum class Mass { regular, singular };
  FormAtAPoint(std::size_t size, std::uint64_t seed, Mass kind = Mass::regular);

  Form basis(const std::string& letter, std::size_t i) const;  ///< "q", 0: dq1
  Form dt() const { return Form::basis(space, "dt"); }
  Expr number() { return desk.pool.number(random_.number()); }
  /// Not zero.
  Expr factor();
  /// A 1-form with random coefficients.
  Form any_form();
  /// l_i (dq^i - v^i dt).
  Form contact(const std::vector<Expr>& l) const;

  Desk desk;
  std::size_t n;
  CoframePtr space;
  std::vector<Expr> velocity;
  Form omega;

 private:
  RandomExpressions random_;
};

/// i(x)a of a 1-form.
inline Expr on(const VectorField& x, const Form& a) {
  return interior(x, a).coefficient({});
}

}  // namespace liaison::test
