#pragma once

#include <optional>
#include <vector>

#include "function_basis.hpp"
#include "modular_matrix.hpp"
#include "rational_points.hpp"

namespace liaison {

struct PolyFraction;
class PolynomialField;

/// f = sum c_jk b_j(q, t) z^k with unknown constants c: the functions b_j, monomials in the velocities z up
/// to a degree. X(f) = 0 is linear in c at each point.
class IntegralAnsatz {
 public:
  IntegralAnsatz(Algebra& algebra, const StateFlow& flow, FunctionBasis basis, unsigned degree,
                 PointChoices choices, std::uint64_t seed);

  /// Not empty: why the search cannot be done.
  const std::string& refusal() const { return refusal_; }
  std::size_t columns() const { return columns_.size(); }
  unsigned degree() const { return degree_; }
  std::size_t points() const { return values_->rows(); }
  std::size_t kernel_size() const { return kernel_.size(); }
  const FunctionBasis& basis() const { return basis_; }
  /// Of which the points of the search are: after `solve`.
  const std::vector<Expr>& asked() const { return asked_; }
  const FunctionTable& table() const { return *table_; }
  /// Something in the rates that is no rational function of a parameter: functions that are independent for
  /// its general values, as cos(a*x) and cos(x), are not for some.
  std::optional<Expr> irrational_in(Expr parameter) const;
  const PointChoices& choices() const { return choices_; }
  std::uint64_t seed() const { return seed_; }
  bool is_interrupted() const { return algebra_.options().is_interrupted(); }
  /// X(f) of the columns from the values of the table at a point.
  std::vector<Residue> rates_at(const std::vector<Residue>& values, const PrimeField& in) const;
  /// The same from values that are functions.
  std::vector<PolyFraction> rates_in(const std::vector<PolyFraction>& values,
                                     const PolynomialField& in) const;
  /// Lists of values at the points that are independent.
  std::size_t rank_of(const std::vector<std::vector<Residue>>& lists) const {
    return pivots_of(lists).size();
  }
  /// No function of the form is left out, and all are independent (certified).
  bool is_whole() const { return is_whole_; }

  /// Kernel vectors whose functions are no polynomials in the known ones; empty where there are none.
  /// `known`: values of products of known integrals at the points of the search.
  std::vector<std::vector<Residue>> new_vectors(const std::vector<std::vector<Residue>>& known) const;
  /// The values of a vector's function at the points of the search.
  std::vector<Residue> values_of(const std::vector<Residue>& vector) const;
  /// The values of expressions at the points of the search: those named at construction.
  const std::vector<std::vector<Residue>>& known_values() const { return known_values_; }
  /// Prepares values of known integrals; call before `solve`.
  void set_known(std::vector<Expr> known) { known_ = std::move(known); }
  /// X(f) + weight f = 0 is asked instead; call before `solve`.
  void set_weight(Expr weight) {
    asked_.push_back(weight);
    has_weight_ = true;
  }
  /// Evaluates the points and finds the kernel. False: `refusal` says why not.
  bool solve();
  const PrimeField& field() const { return points_->field(); }

  /// The function with coefficients in the field of the parameters, of the same columns as the vector.
  std::optional<Expr> lift(const std::vector<Residue>& vector);

 private:
  struct Column {
    std::size_t function;
    std::vector<unsigned> exponents;
  };
  /// (value, derivative along the field) of each column from the values of a point.
  template <class Value, class Arithmetic>
  std::pair<std::vector<Value>, std::vector<Value>> at_point(const std::vector<Value>& values,
                                                             const Arithmetic& in,
                                                             const std::vector<std::size_t>& columns) const;
  /// How many columns are independent, where that is known.
  std::optional<std::size_t> independent_columns() const;
  Expr column_function(const Column& column) const;
  /// Where relations bind the points: f with coefficients that are polynomials in the parameters, as another
  /// search in which the parameters change from point to point.
  std::optional<Expr> lift_on_relations(const std::vector<std::size_t>& columns);
  std::vector<std::size_t> pivots_of(const std::vector<std::vector<Residue>>& lists) const;

  Algebra& algebra_;
  const StateFlow& flow_;
  FunctionBasis basis_;
  unsigned degree_;
  PointChoices choices_;
  std::uint64_t seed_;
  std::vector<Expr> known_;
  std::vector<Column> columns_;
  std::vector<Expr> asked_;  ///< functions, their derivatives, accelerations, velocities; then the weight
  std::optional<FunctionTable> table_;
  std::optional<ModularPoints> points_;
  std::optional<ModularMatrix> values_;  ///< of the columns, one row a point
  std::vector<std::vector<Residue>> known_values_, kernel_;
  std::string refusal_;
  bool is_whole_ = true, has_weight_ = false;
};

}  // namespace liaison
