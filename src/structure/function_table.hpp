#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "liaison/algebra/algebra.hpp"

namespace liaison {

/// sum coefficient * atom + pi_part * pi: the argument of a sine or an exponential over common atoms.
struct AtomSum {
  std::vector<std::pair<std::size_t, long>> terms;  ///< atom, how many times its unit
  Rational pi_part;
};

/// Expressions prepared for values at points of a field: symbols, and the sine and cosine or the exponential
/// of each atom, get values of their own. Atoms are independent monomials, so that a point is a homomorphism
/// from the functions to the field (Q(x)[c, s]/(c^2 + s^2 - 1) is a domain).
class FunctionTable {
 public:
  /// `state`: the symbols that change from point to point; all others are constants.
  FunctionTable(Algebra& algebra, std::span<const Expr> asked, std::span<const Expr> state);

  /// Not empty: why these expressions have no values over other fields (abs, sign, min, max, odd roots).
  const std::string& refusal() const { return refusal_; }
  /// Logarithms, arcs and roots are taken as independent of each other: what depends may be missed.
  bool is_complete() const { return is_complete_; }

  const std::vector<Expr>& asked() const { return asked_; }
  const std::vector<Expr>& nodes() const { return nodes_; }
  std::size_t place_of(Expr e) const { return place_.at(e); }
  /// Of the arguments of a node.
  std::span<const std::size_t> places_of_arguments(std::size_t place) const {
    return std::span(argument_places_).subspan(first_argument_[place], nodes_[place].args().size());
  }
  const std::vector<std::size_t>& places_of_asked() const { return asked_places_; }
  bool depends_on_state(std::size_t place) const { return depends_[place]; }
  /// Of a node with a sine, cosine, tangent or an exponential in it.
  const AtomSum& atom_sum(Expr node) const { return sums_.at(node); }

  struct Atom {
    Expr unit;  ///< what the argument counts: theta/2
    bool depends_on_state = false;
  };
  const std::vector<Atom>& angles() const { return angles_; }
  const std::vector<Atom>& exponents() const { return exponents_; }
  /// Symbols, unknown functions, logarithms and arcs: free values.
  const std::vector<Expr>& free_nodes() const { return free_; }

 private:
  void read(Expr node);
  void refuse(Expr node);
  using Sums = std::unordered_map<Expr, std::vector<std::pair<Expr, Rational>>>;
  std::vector<std::pair<Expr, Rational>> split(Expr argument);
  void count_atoms(const Sums& sums, std::vector<Atom>& atoms);

  Algebra& algebra_;
  std::vector<Expr> asked_, nodes_, free_;
  std::unordered_map<Expr, std::size_t> place_;
  std::vector<std::size_t> first_argument_, argument_places_, asked_places_;
  std::vector<bool> depends_;
  std::unordered_map<Expr, AtomSum> sums_;
  Sums angle_sums_, exponent_sums_;
  std::vector<Atom> angles_, exponents_;
  std::string refusal_;
  bool is_complete_ = true;
};

bool is_angle_function(Op op);
bool is_exponential(Op op);

}  // namespace liaison
