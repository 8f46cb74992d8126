#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// Functions of the positions and of time that a search combines: products of generators up to a degree, and
/// functions that the model itself has.
struct FunctionBasis {
  std::vector<Expr> generators;
  std::vector<Expr> functions;    ///< 1 first, by degree
  std::vector<unsigned> degrees;  ///< of each function; 0 of functions of the model itself
  unsigned degree = 0;            ///< of the products of generators
  /// With a monomial of degree k in the velocities stand functions up to the degree `most[k]`; empty: all.
  std::vector<unsigned> most;
  std::string described;  ///< "products of at most 2 of x, y, cos(theta), sin(theta)"
};

/// What the kinetic energy, the potential, the forces and the admissible velocities are made of: coordinates
/// that stand outside of sines, sines and cosines of the angles, exponentials, roots, quotients, unknown
/// functions; entries of the matrix of a rotation.
std::vector<Expr> function_generators(Algebra& algebra, const StateFlow& flow);
/// The terms of the energies and momenta as polynomials in the velocities, without constant factors.
std::vector<Expr> energy_coefficients(Algebra& algebra, const StateFlow& flow);

/// The largest degree up to `max_degree` whose products are at most `max_functions`.
FunctionBasis make_function_basis(Algebra& algebra, std::vector<Expr> generators,
                                  const std::vector<Expr>& further, unsigned max_degree,
                                  std::size_t max_functions);

/// The same for one form that is also a polynomial of a degree in velocities: where all products of the
/// degree that the potential needs would be more than `max_columns` unknowns, those that weigh as much as a
/// power of the energy stand beside the others: v^k with products of degree sigma*(degree - k)/2, sigma that
/// of the potential.
FunctionBasis make_graded_basis(Algebra& algebra, const std::vector<Expr>& generators,
                                const std::vector<Expr>& further, unsigned max_degree, std::size_t velocities,
                                unsigned degree, std::optional<unsigned> potential_degree,
                                std::size_t max_columns);

/// How many products of at most so many generators are independent, where the generators are coordinates and
/// all entries of the matrices of rotations: functions on SO(3) of the degree l are (2l + 1)^2 (Peter and
/// Weyl).
std::optional<std::size_t> independent_products(const FunctionBasis& basis, const StateFlow& flow,
                                                unsigned degree);

/// The degree of e in the generators, beside each degree in the velocities up to the highest: each counts
/// one, the parts of a quaternion one half, for polynomials of even degree in them are those of the entries.
/// Nothing where e is no such polynomial as it is written in canonical form.
std::optional<std::vector<unsigned>> degrees_by_velocity(Algebra& algebra, const StateFlow& flow, Expr e,
                                                         const std::vector<Expr>& generators);
/// The coordinates and the entries of all rotations are among the generators: what has those degrees is a sum
/// of products of the basis.
bool has_products_of(const FunctionBasis& basis, const StateFlow& flow);

/// The degree of e as a polynomial in the generators, as it is written in canonical form, with coefficients
/// that are free of the state but for the velocities; nothing where it is none.
std::optional<unsigned> degree_in(Algebra& algebra, Expr e, const std::vector<Expr>& generators,
                                  const std::vector<Expr>& velocities = {});

/// Exponents of all monomials in `count` variables of a degree of at most `degree`, by degree.
std::vector<std::vector<unsigned>> exponents_up_to(std::size_t count, unsigned degree);
/// How many they are; saturates.
std::size_t count_exponents(std::size_t count, unsigned degree);

}  // namespace liaison
