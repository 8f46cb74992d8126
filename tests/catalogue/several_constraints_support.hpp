#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanics/motion.hpp"
#include "row.hpp"
#include "support/random_expression.hpp"

namespace liaison::test {

/// A model text read and derived.
class DerivedModel {
 public:
  explicit DerivedModel(const std::string& text);  ///< throws with the diagnostics
  static DerivedModel file(const std::string& path_in_models);

  Expr operator()(std::string_view text) const;        ///< an expression in the symbols of the system
  Expr acceleration(std::string_view velocity) const;  ///< of the velocity parameter of that name, "x'"
  Verdict equal(Expr e, std::string_view text) const { return algebra->are_equal(e, (*this)(text)); }

  std::unique_ptr<System> system;
  std::unique_ptr<Algebra> algebra;
  std::unique_ptr<Motion> motion;
};

/// How the forces of two constraints act.
enum class Directions {
  unrelated,         ///< to their relations, and independent
  first_is_tangent,  ///< the field of the first force is tangent to the submanifold of the relations
};

/// A model text with n coordinates, a full rational mass matrix, forces that depend on the state, and two
/// linear rheonomic relations, with its motion and an exact state that satisfies the relations.
class RandomSystem {
 public:
  /// Relations to write instead of a^1, a^2: row j gives the combination f^j.
  using Generators = std::array<std::array<int, 2>, 2>;

  RandomSystem(std::uint64_t seed, std::size_t n, Directions directions,
               const Generators& generators = {{{1, 0}, {0, 1}}});

  const std::string& text() const { return text_; }
  const Motion& motion() const { return *derived_->motion; }
  Algebra& algebra() const { return *derived_->algebra; }
  Pool& pool() const { return *derived_->system->pool; }
  Expr number(long value) const { return pool().number(value); }
  Form basis(std::size_t form) const { return Form::basis(motion().space.coframe, form); }

  Form direction(std::size_t h) const;              ///< l^h_i dq^i
  Expr power(std::size_t h) const;                  ///< P_u^h = l^h_i v^i
  Form relation_differential(std::size_t h) const;  ///< da^h at the state

  Expr at_state(Expr e) const;
  Form at_state(const Form& a) const;
  VectorField at_state(const VectorField& x) const;

  Verdict equal(Expr a, Expr b) const { return algebra().are_equal(a, b); }
  Verdict zero(Expr a) const { return algebra().is_zero(a); }

 private:
  std::string text_;
  std::unique_ptr<DerivedModel> derived_;
  Substitution state_;
};

}  // namespace liaison::test
