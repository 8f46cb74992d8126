#ifndef LIAISON_STRUCTURE_FIRST_INTEGRALS_HPP
#define LIAISON_STRUCTURE_FIRST_INTEGRALS_HPP

#include <functional>
#include <string>
#include <vector>

#include "liaison/structure/state_flow.hpp"

namespace liaison {

/// A function that is constant along every motion: i(E + lambda e) df = 0 (row G6.II-first-integral-closed).
struct FirstIntegral {
  Expr expression;                 ///< on the admissible states
  Verdict verdict;                 ///< of its conservation
  std::string origin;              ///< "energy", "momentum of phi", "search"
  bool for_values = false;         ///< conserved for the values that the model gives its parameters
  bool at_general_states = false;  ///< the claim is open: constant where nothing that is divided by vanishes
};

struct IntegralOptions {
  unsigned degree = 2;            ///< of the polynomials in the velocities; 0: no search
  unsigned function_degree = 6;   ///< of the products of functions in their coefficients
  std::size_t max_columns = 600;  ///< unknown coefficients of one search
  std::vector<Expr> known;        ///< of an earlier search: decided again, before anything is searched
  std::uint64_t seed = 20'260'101;
};

/// What is known about other integrals of the form that was searched.
struct SearchedIntegrals {
  std::string form;                  ///< what was searched, in words; empty: nothing was
  std::size_t unknowns = 0;          ///< coefficients
  Grade none_else = Grade::unknown;  ///< of "every integral of this form is a function of those found"
  std::string reason;                ///< why that is not proved, or why nothing was searched
  bool by_functions = false;  ///< some are functions of those found, and were not seen to be polynomials
};

struct FirstIntegrals {
  std::vector<FirstIntegral> found;    ///< none is a function of the others on all of space
  Grade independence = Grade::proved;  ///< of "they are functionally independent" on the states
  SearchedIntegrals generic;           ///< for all values of the parameters
  SearchedIntegrals for_values;        ///< for those of the model, where they are other questions
  bool interrupted = false;            ///< there may be more
};

/// Energy and momenta, then a search: polynomials in the velocities over functions of the model, by exact
/// linear algebra modulo a prime at points, lifted to the field of the parameters; each result is decided by
/// the algebra. `receive` has each as soon as it is known.
FirstIntegrals find_first_integrals(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
                                    const std::function<void(const FirstIntegral&)>& receive = {});

/// Adds those that are independent of the found ones, at a point (`independence` says how that is known).
void add_integrals(Algebra& algebra, const StateFlow& flow, const std::vector<FirstIntegral>& others,
                   FirstIntegrals& integrals);

/// T + V, where the claim holds: of a motion without a field in closed form.
FirstIntegrals energy_alone(Algebra& algebra, const Motion& motion, const std::string& reason);

/// Whether a function on the states is conserved: as `claim conserved(...)` decides it.
Verdict is_conserved(Algebra& algebra, const Motion& motion, Expr function);

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_FIRST_INTEGRALS_HPP
