#ifndef LIAISON_MECHANICS_DERIVED_QUANTITIES_HPP
#define LIAISON_MECHANICS_DERIVED_QUANTITIES_HPP

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "liaison/mechanics/manifold.hpp"
#include "liaison/mechanics/reduction.hpp"
#include "liaison/mechanics/state.hpp"

namespace liaison {

/// What claims and outputs speak of besides the state: accelerations, factors, r, drive, components of E and
/// e^h, powers, coefficients of Omega and of the reduced forms. As expressions where there is a closed form,
/// as numbers at a state always.
class DerivedQuantities {
 public:
  DerivedQuantities(Algebra& algebra, const Motion& motion);

  /// e with every derived quantity replaced by its expression on (q, u, t); nothing where one of them has no
  /// closed form.
  std::optional<Expr> in_state_variables(Expr e);
  /// e with queries replaced, accelerations of the velocity parameters and factors kept as symbols: what
  /// `motions_of` speaks of.
  std::optional<Expr> in_motion_variables(Expr e);
  /// e (without queries) has accelerations or factors in it.
  bool mentions_motion(Expr e) const;
  bool mentions_factors(Expr e) const;
  /// Why the last call gave nothing.
  const std::string& reason() const { return reason_; }

  /// Values of derived quantities in e at a state, added to the point: one list for each possible motion of
  /// the state. Where factors are open, a list has further points, each moved along a direction that no
  /// relation determines. Empty, with a reason, where something in e has no value there.
  std::vector<std::vector<DoublePoint>> at_state(Expr e, const DoublePoint& state);

  /// A query on (q, u, t) and the factors; nothing, with a reason, where it needs a closed form that is not
  /// there.
  std::optional<Expr> query_expression(const Query& query);

  const Motion& motion() const { return motion_; }

 private:
  std::optional<Expr> without_queries(Expr e);
  const ReducedForm* reduced(QueryKind kind);
  Expr form_coefficient(const Form& form, const std::vector<std::string>& names) const;
  std::optional<std::size_t> constraint_named(const std::string& name) const;
  std::optional<std::size_t> parameter_of_acceleration(const std::string& name) const;
  Expr power_of(std::size_t constraint) const;
  bool add_query_number(const Query& query, const StateValues& values, const StateMotion& chosen,
                        DoublePoint& point);
  std::optional<DoublePoint> point_of(Expr e, const DoublePoint& state, const StateValues& values,
                                      const StateMotion& chosen);
  bool add_intrinsic_rates(Substitution& values, const std::vector<Expr>& accelerations);

  Algebra& algebra_;
  const Motion& motion_;
  std::optional<std::optional<ReducedForm>> omega_r_, omega_s_;
  std::optional<Substitution> closed_forms_;  ///< of accelerations and factors
  std::string reason_;
};

}  // namespace liaison

#endif  // LIAISON_MECHANICS_DERIVED_QUANTITIES_HPP
