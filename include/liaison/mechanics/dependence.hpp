#ifndef LIAISON_MECHANICS_DEPENDENCE_HPP
#define LIAISON_MECHANICS_DEPENDENCE_HPP

#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/mechanics/assembled_equations.hpp"

/// Relations that depend on each other: sum_k c_k a^k is free of the velocities (rows G3.II-compat, G3.ex6).
namespace liaison {

enum class DependenceKind {
  redundant,      ///< the rest vanishes
  contradictory,  ///< it never does
  conditional,    ///< it does for some positions or times
};
/// sum_k weights_k a^k = rest, free of the velocities; of positions instead of velocities where all are
/// holonomic and the weights are numbers.
struct Dependence {
  std::vector<Expr> weights;  ///< one a relation
  Expr rest;
  DependenceKind kind = DependenceKind::redundant;
  bool on_levels = false;
};
/// A basis of the dependences of these relations, given by their places; of all where none are given.
std::vector<Dependence> find_dependences(Algebra& algebra, const AssembledEquations& equations,
                                         std::vector<std::size_t> relations = {});
bool has_contradiction(const std::vector<Dependence>& dependences);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_DEPENDENCE_HPP
