#ifndef LIAISON_STRUCTURE_INTEGRABILITY_HPP
#define LIAISON_STRUCTURE_INTEGRABILITY_HPP

#include <optional>
#include <string>
#include <vector>

#include "liaison/structure/first_integrals.hpp"
#include "liaison/structure/invariant_measure.hpp"

namespace liaison {

/// (F_a, F_b) of two first integrals, (f, g) = sum f_q g_p - f_p g_q: an integral again (row G6.II-bracket).
struct PoissonBracket {
  std::size_t a = 0, b = 0;  ///< places in the list of integrals, a < b
  Expr value;                ///< for the values of the parameters where `for_values`
  Verdict zero;              ///< of "they are in involution"
  int sign = 0;              ///< 1 or -1: the value is, up to this sign, the integral at `same` (proved)
  std::size_t same = 0;
  Grade grade = Grade::proved;  ///< of what is said of it: that of the two integrals and of the brackets
};

/// A momentum as a function of its own coordinate and of the constants of the motion.
struct SeparatedMomentum {
  Expr coordinate;
  Expr value;              ///< one branch
  bool two_signs = false;  ///< a root: the other branch is the other sign of it
};

/// sum of integrals of integrand d(coordinate) - rate * t is constant along a motion.
struct Quadrature {
  Expr constant;  ///< by which the generating function is differentiated
  std::vector<std::pair<Expr, Expr>> integrands;
  Expr rate;
};

/// The equation of Hamilton and Jacobi in the coordinates of the model.
struct Separation {
  Verdict separable;            ///< Levi-Civita's conditions; unknown: not asked, and why
  std::vector<Expr> constants;  ///< of the integrals that were used, in their order
  std::vector<std::size_t> integrals;
  std::vector<SeparatedMomentum> momenta;  ///< empty: not written out, and why
  std::vector<Quadrature> quadratures;
  std::string family;  ///< "linear", "Delassus", "Liouville", "Staeckel", or "n - h linear, h quadratic"
  std::string reason;
  bool for_values = false;  ///< for the values that the model gives its parameters
  /// H = sum q^i R_i(p) + S(p), where R_i is of degree two at most in p_i and has else those before it alone:
  /// each momentum has an equation of Riccati (row G6.II-exIV-riccati). In this order; empty: not so.
  std::vector<Expr> riccati;
};

/// Why motions are found by quadratures.
enum class IntegrableBy {
  nothing_known,
  involution,        ///< n independent integrals in involution (Liouville; row G6.II-thmIV)
  isotropic_levels,  ///< more than n, whose common levels are isotropic (Mishchenko, Fomenko; Nekhoroshev)
  last_multiplier,   ///< all but two of the integrals of a field, and a measure that it keeps (Jacobi)
  levels,            ///< all but one: motions run along curves on which all are constant
};
std::string name_of(IntegrableBy by);

/// Why there is no further integral that is meromorphic in positions and momenta.
struct Obstruction {
  long degree = 0;  ///< of the potential
  std::vector<std::pair<Expr, Ball>> point;
  Ball eigenvalue;
};

/// What is known of an exponent, the worse last.
enum class ExponentKind {
  fraction,           ///< real, and one with a denominator up to 1000 lies in its enclosure
  no_short_fraction,  ///< real, and none does
  complex,            ///< certainly not real
};

/// A solution x_i = c_i t^-w_i of a quasi-homogeneous field f, and the eigenvalues of df(c) + diag(w).
struct KovalevskayaBalance {
  std::vector<std::pair<Expr, Ball>> point;      ///< c
  std::vector<std::pair<Ball, Ball>> exponents;  ///< real and imaginary parts; -1 is one of them
  ExponentKind kind = ExponentKind::fraction;    ///< the worst
};

/// Where a field has as many independent algebraic integrals as its motions need, exponents are rational
/// (H. Yoshida, Celest. Mech. 31 (1983) 363, under conditions on the integrals that are not asked here):
/// others are evidence that it has not, and no proof.
struct KovalevskayaExponents {
  std::vector<std::pair<Expr, Rational>> weights;
  std::vector<KovalevskayaBalance> balances;  ///< real ones in the box |c| <= reach
  double reach = 16;
  bool all = false;  ///< there are no other real ones in the box
};

struct Integrability {
  std::string reason;                ///< not empty: why the system has no Poisson brackets
  std::size_t freedom = 0;           ///< n, of a Hamiltonian system
  bool for_values = false;           ///< of what follows: for the values that the model gives its parameters
  std::vector<std::size_t> counted;  ///< places of the integrals that are asked: free of the time
  std::vector<PoissonBracket> brackets;
  std::vector<std::size_t> involution;  ///< a largest set of integrals in involution
  std::vector<std::size_t> further;     ///< brackets that are no function of the integrals: new ones
  std::size_t independent = 0;          ///< integrals that were counted, free of the time
  std::size_t dimension = 0;            ///< of the states that they are counted in, without the time
  bool with_time = false;     ///< integrals that hold the time were counted, too, and the time as a dimension
  std::vector<Expr> ignored;  ///< positions that the field does not contain: found afterwards
  IntegrableBy by = IntegrableBy::nothing_known;
  Grade grade = Grade::unknown;                    ///< of `by`
  std::vector<Expr> conditions;                    ///< what must not vanish for the integrals to have a value
  std::optional<Obstruction> obstruction;          ///< proved, for the parameters as given
  std::optional<KovalevskayaExponents> exponents;  ///< evidence alone, for the parameters as given
  std::optional<Separation> separation;
  /// The same for the values that the model gives its parameters, where these have more integrals.
  std::vector<Integrability> given;
};

/// What the integrals that were found say about quadratures. `measure`: null where it was not asked for.
Integrability judge_integrability(Algebra& algebra, const StateFlow& flow, const FirstIntegrals& integrals,
                                  const InvariantMeasure* measure);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_INTEGRABILITY_HPP
