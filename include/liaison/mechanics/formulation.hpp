#ifndef LIAISON_MECHANICS_FORMULATION_HPP
#define LIAISON_MECHANICS_FORMULATION_HPP

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
  extended_hamilton,      ///< in momenta with p_0
  extended_form,          ///< Omega with q0 as a direction: R_0 is the factor of q0 = tau(t)
  extended_gauss,         ///< least constraint with q0'' given, and the split of Gauss's function
  extended_gibbs_appell,  ///< dS/dq0'' = Q_0 + R_0
  reactions,              ///< m a = F + sum lambda grad f on the particles, f(r, q0)'' = 0
  perturbation,           ///< motion and small deviations from one function
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
  std::vector<Expr> drive_forces;  ///< R_0 of each rheonomic coordinate, where this road has them
  std::vector<std::pair<Expr, Expr>> statements;  ///< what else it says: equal on the constraint manifold
};
/// `extended`: the same system with its drives as directions (model/extended_system.hpp), for the roads that
/// go there; null where it has none.
FormulationResult derive_formulation(Algebra& algebra, const Motion& motion, Formulation formulation,
                                     const System* extended = nullptr);

/// Whether a road agrees with E + sum lambda_h e^h on the constraint manifold; the weakest verdict over
/// accelerations, factors, forces of drives and statements. Where the accelerations are not solved for, its
/// equations are compared with mass * u' = load + sum lambda_h l^h term by term.
Verdict agrees(Algebra& algebra, const Motion& motion, const FormulationResult& result,
               const System* extended = nullptr);

/// A road gone, and whether it agrees.
struct RoadTaken {
  FormulationResult result;
  Verdict agreement;  ///< of an applicable one
};

}  // namespace liaison

#endif  // LIAISON_MECHANICS_FORMULATION_HPP
