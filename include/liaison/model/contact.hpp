#ifndef LIAISON_MODEL_CONTACT_HPP
#define LIAISON_MODEL_CONTACT_HPP

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "liaison/expr/expr.hpp"

/// Contact of two solids at a point M, in general position (rows G2.VI-*). The contact trihedron MXYZ has its
/// Z on the common normal, towards the first solid; u3 > 0 separates them.
namespace liaison {

using Triple = std::array<Expr, 3>;

Expr dot(const Triple& a, const Triple& b);
Triple cross(const Triple& a, const Triple& b);

/// How one solid moves, on any axes: those of the trihedron or of space.
struct ContactSolid {
  Triple arm;       ///< MG, from the contact to the centre of mass
  Triple velocity;  ///< of the centre
  Triple rotation;
};

/// The first solid seen from the second, at M (row G2.VI-kinematics).
struct ContactMotion {
  Triple velocity;  ///< on the trihedron (u1, u2, u3)
  Triple rotation;  ///< on the trihedron (p1 - p4, p2 - p5, p3 - p6)
};
ContactMotion contact_motion(const ContactSolid& first, const ContactSolid& second);

/// What the force of a contact works on; all but `normal` are norms.
struct ContactSpeeds {
  Expr normal;    ///< u3: the relation is u3 = 0
  Expr slip;      ///< |V_g|
  Expr rolling;   ///< |w_r|, across the normal
  Expr pivoting;  ///< |w_n|, about the normal
};
/// With the normal on the axes of the motion; (0, 0, 1) on the trihedron. Its length must be 1.
ContactSpeeds contact_speeds(const ContactMotion& motion, const Triple& normal);

/// f, delta and varpi, the last two lengths; zero where there is no such resistance. They may depend on the
/// normal reaction N and on velocities.
struct ContactCoefficients {
  Expr friction;
  Expr rolling;
  Expr pivoting;
};

/// Psi = u3 - f |V_g| - delta |w_r| - varpi |w_n|: the power is N*Psi for N > 0 (row G2.VI-power). For N < 0
/// the coefficients change their signs.
Expr contact_power(const ContactSpeeds& speeds, const ContactCoefficients& coefficients);

/// l_i: the derivative of each speed by the velocities, with the coefficients held fixed whatever they depend
/// on (rows G2.VI-ThI, G2.VI-l-components). Also right where the solids are driven in time and the power is
/// not homogeneous. Undefined where a speed that is resisted vanishes.
std::vector<Expr> contact_direction(const ContactSpeeds& speeds, const ContactCoefficients& coefficients,
                                    std::span<const Expr> velocities);

/// What resists a contact force, on axes parallel to the trihedron: 1/m, and the entries 11, 22, 33, 23, 13,
/// 12 of the inverse of the inertia matrix about G. All zero for a fixed solid.
struct ContactInertia {
  Expr inverse_mass;
  Expr a, b, c, d, e, f;
};
/// From the mass and the inertia matrix, row by row.
ContactInertia contact_inertia(Expr mass, const std::array<Expr, 9>& inertia);
ContactInertia fixed_inertia(Pool& pool);

/// The coefficients of mass distribution (row G2.VI-ThII); the source has no E.
struct ContactForm {
  Expr A, B, C, D, F, G;
};
ContactForm contact_form(const ContactInertia& first, const Triple& arm1, const ContactInertia& second,
                         const Triple& arm2);

/// Directions of the slip, the rolling and the pivoting on the trihedron.
struct ContactAngles {
  Expr cos_slip, sin_slip;        ///< of (u1, u2)
  Expr cos_rolling, sin_rolling;  ///< of (p1 - p4, p2 - p5)
  Expr pivoting;                  ///< eps, the sign of p3 - p6
};
ContactAngles contact_angles(const ContactMotion& motion);

/// i(e)da = ideal + loss (row G2.VI-ThII):
///   A + f (B sin s + C cos s) + delta (D cos sg + F sin sg) + eps varpi G.
struct ContactResponse {
  Expr ideal;  ///< A: without resistance
  Expr loss;   ///< odd in the coefficients
  Expr total() const { return ideal + loss; }
};
ContactResponse contact_response(const ContactForm& form, const ContactAngles& angles,
                                 const ContactCoefficients& coefficients);

/// The least friction for which i(e)da can vanish: a solid with radius of gyration k about the axis across
/// the plane of motion slides on a plane that it touches at the distance GM from G; 2 (k/GM) sqrt(1 +
/// (k/GM)^2) (rows G2.VI-hyperbola, G2.VI-bar-4-3).
Expr degenerate_friction(Expr gyration_radius, Expr distance);
/// The same seen from f: where GM is smaller, i(e)da > 0 whatever the position.
Expr degenerate_distance(Expr gyration_radius, Expr friction);

enum class ContactSide { unilateral, bilateral };

/// Normal reactions: each value satisfies its equation, and there are no others up to the limit, except
/// perhaps in the intervals that are `undecided`.
struct NormalReactions {
  std::vector<double> values;                        ///< growing
  std::vector<std::pair<double, double>> undecided;  ///< a double root, or a law that has no value there
};

/// All N with N*i(e)da + i(E)da = 0 and |N| <= limit (row G2.VI-N), by interval bisection. The response is a
/// function of the symbol `reaction` alone, which stands for |N|. Unilateral: N >= 0. Bilateral: also N < 0,
/// where the loss has the other sign. Throws missing_value where the response or the drive has no number.
NormalReactions normal_reactions(const ContactResponse& response, Expr drive, Expr reaction, double limit,
                                 ContactSide side = ContactSide::unilateral);

}  // namespace liaison

#endif  // LIAISON_MODEL_CONTACT_HPP
