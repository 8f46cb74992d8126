#ifndef LIAISON_FORMS_COFRAME_HPP
#define LIAISON_FORMS_COFRAME_HPP

#include <bitset>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/matrix.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

class Form;
class VectorField;
class Coframe;
using CoframePtr = std::shared_ptr<const Coframe>;

constexpr std::size_t max_dimension = 2048;

/// A set of basis forms, the key of a term: w1^w3 is {0, 2}.
using IndexSet = std::bitset<max_dimension>;

/// c * theta^first ^ theta^second, first < second.
struct StructureTerm {
  std::size_t first;
  std::size_t second;
  Expr coefficient;
};

/// A coordinate and its differential on the basis: d(symbol) = sum differential[j].second *
/// theta^(differential[j].first).
struct ScalarCoordinate {
  Expr symbol;
  std::vector<std::pair<std::size_t, Expr>> differential;
};

struct BasisForm {
  std::string name;                       ///< "dx", "w1"
  std::vector<StructureTerm> derivative;  ///< d theta; empty: closed
};

/// A list of independent 1-forms with their exterior derivatives (structure equations), and scalar
/// coordinates with their differentials. Immutable and shared; forms and fields hold the coframe they are
/// written on. Symbols that are not coordinates are constants. `d d = 0` is verified when a coframe is made.
class Coframe {
 public:
  /// Throws coframe_not_closed (with the offending form or coordinate), too_many_dimensions, not_a_basis.
  static CoframePtr make(Algebra& algebra, std::vector<BasisForm> basis,
                         std::vector<ScalarCoordinate> coordinates);
  /// dx for each symbol x.
  static CoframePtr coordinates(Pool& pool, std::span<const Expr> symbols);

  Pool& pool() const { return *pool_; }
  std::size_t dimension() const { return basis_.size(); }
  const std::vector<BasisForm>& basis() const { return basis_; }
  const std::vector<ScalarCoordinate>& scalar_coordinates() const { return coordinates_; }
  const std::string& name(std::size_t i) const { return basis_[i].name; }
  /// Throws unknown_basis_form, naming the nearest one.
  std::size_t index_of(std::string_view name) const;
  /// The position of a coordinate in scalar_coordinates(), if the symbol is one.
  std::optional<std::size_t> coordinate_of(Expr symbol) const;

 private:
  Coframe(Pool& pool, std::vector<BasisForm> basis, std::vector<ScalarCoordinate> coordinates);
  Pool* pool_;
  std::vector<BasisForm> basis_;
  std::vector<ScalarCoordinate> coordinates_;
};

/// Which way the structure equations of a rotation go (row G1.II-structure).
/// Body axes, Q^T dQ: d w1 = -w2^w3. Space axes, dQ Q^T: d w1 = +w2^w3; and cyclic.
enum class Axes { body, space };

/// SO(3): three forms with the names given, no coordinates.
CoframePtr rotation_coframe(Algebra& algebra, std::span<const std::string> names, Axes axes);
/// The forms of all, the coordinates of all; names must differ.
CoframePtr product(Algebra& algebra, std::span<const CoframePtr> factors);
/// New forms theta^i = sum_j matrix(i, j) * old^j on an existing coframe, structure equations computed.
/// Throws not_a_basis if the matrix is singular.
CoframePtr moving_frame(Algebra& algebra, CoframePtr old, std::span<const std::string> names,
                        const Matrix& matrix);

}  // namespace liaison

#endif  // LIAISON_FORMS_COFRAME_HPP
