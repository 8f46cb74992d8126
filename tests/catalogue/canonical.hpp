#pragma once

#include <string>
#include <utility>
#include <vector>

#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "misprint.hpp"

namespace liaison::test {

/// Omega = dp_i^dq^i - dH^dt on (p1..pn, q1..qn, t), with its field E (row G6.II-E-minors), the field X of a
/// function, i(X)Omega = df with no time component for an integral f, and the brackets of functions.
struct Canonical {
  Canonical(Desk& on, std::size_t pairs, std::string_view hamiltonian)
      : desk(on), n(pairs), state(on.coordinates(names(pairs))), h(on(hamiltonian)) {
    for (std::size_t i = 0; i < n; ++i) {
      p.push_back(on("p" + std::to_string(i + 1)));
      q.push_back(on("q" + std::to_string(i + 1)));
    }
  }
  static std::string names(std::size_t pairs) {
    std::string text;
    for (const char* letter : {"p", "q"})
      for (std::size_t i = 1; i <= pairs; ++i) text += letter + std::to_string(i) + " ";
    return text + "t";
  }

  Form omega() const {
    Form result = -wedge(d(state, h), Form::basis(state, "dt"));
    for (std::size_t i = 0; i < n; ++i)
      result = result + wedge(Form::basis(state, i), Form::basis(state, n + i));
    return result;
  }
  VectorField motion() const {
    std::vector<Expr> components;
    for (Expr x : q) components.push_back(-derivative(h, x));
    for (Expr x : p) components.push_back(derivative(h, x));
    components.push_back(desk.pool.number(1));
    return {state, components};
  }
  VectorField field_of(Expr f) const {
    std::vector<Expr> components;
    for (Expr x : q) components.push_back(derivative(f, x));
    for (Expr x : p) components.push_back(-derivative(f, x));
    components.push_back(desk.pool.number(0));
    return {state, components};
  }
  Expr rate(Expr f) const { return apply(motion(), f); }
  /// (f, g) = sum f_q g_p - f_p g_q.
  Expr bracket_of(Expr f, Expr g) const {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < n; ++i)
      terms.push_back(derivative(f, q[i]) * derivative(g, p[i]) - derivative(f, p[i]) * derivative(g, q[i]));
    return desk.pool.add(terms);
  }
  Verdict is_kept(Expr f) const { return desk.algebra.is_zero(rate(f)); }
  Verdict commute(Expr f, Expr g) const { return desk.algebra.is_zero(bracket_of(f, g)); }

  Desk& desk;
  std::size_t n;
  CoframePtr state;
  Expr h;
  std::vector<Expr> p, q;
};

}  // namespace liaison::test
