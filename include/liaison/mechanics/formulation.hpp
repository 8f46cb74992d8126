#pragma once

#include <string>
#include <utility>
#include <vector>

#include "liaison/mechanics/manifold.hpp"
#include "liaison/mechanics/motion.hpp"

namespace liaison {

/// The roads to the equations of motion (DESIGN: their agreement is the strongest test there is).
enum class Formulation {
  characteristic,  ///< E + sum lambda_h e^h
  omega_r,         ///< characteristics of Omega_r, with factors (G2.VII-ThI, G3.III-ThI)
  omega_s,         ///< characteristics of Omega_s, without (G2.VII-ThII, G3.IV-ThII)
  lagrange,        ///< d/dt dT/dv - dT/dq = Q + lambda l, with multipliers (G1.II-Lagrange, MP3.3-extrinsic)
  hamilton,        ///< in momenta (G1.II-Hamilton, G2.II-relation)
  intrinsic,       ///< on q' = psi(t, q, z) (MP3.3-intrinsic)
  gauss,           ///< least constraint (G1.I-GaussAppell, MP3.3-Gauss)
  gibbs_appell,    ///< dS/du' = Q, S from particles and bodies
  extended,        ///< with the rheonomic coordinate q^0: stationary action on the extended manifold
  dalembert,       ///< lost forces on virtual displacements, those of the time too
  extended_hamilton,  ///< in momenta with p_0
};
std::string name_of(Formulation formulation);  ///< "lagrange"
std::optional<Formulation> formulation_named(const std::string& name);

/// The motion by one road. Nothing in it is taken from Motion::acceleration or Motion::factors.
struct FormulationResult {
  Formulation formulation = Formulation::characteristic;
  bool applicable = false;
  std::string reason;  ///< why not
  std::vector<std::pair<Expr, Expr>>
      equations;  ///< as this road writes them: left = right, with acceleration symbols and factors
  std::vector<Expr> acceleration;  ///< du^a/dt, one a velocity parameter, on the constraint manifold; may be
                                   ///< empty if too large
  std::vector<Expr> factors;       ///< one a constraint; empty where this road eliminates them
};
FormulationResult derive_formulation(Algebra& algebra, const Motion& motion, Formulation formulation);

/// Whether a road agrees with E + sum lambda_h e^h on the constraint manifold; the weakest verdict over
/// accelerations and factors. Where the accelerations are not solved for, its equations are compared with
/// mass * u' = load + sum lambda_h l^h term by term.
Verdict agrees(Algebra& algebra, const Motion& motion, const FormulationResult& result);

/// A road gone, and whether it agrees.
struct RoadTaken {
  FormulationResult result;
  Verdict agreement;  ///< of an applicable one
};

}  // namespace liaison
