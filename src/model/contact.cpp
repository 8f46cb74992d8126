#include "liaison/model/contact.hpp"

#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

Triple difference(const Triple& a, const Triple& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Signs are turned for reading: (y' + a*p)^2 and not (-y' - a*p)^2.
Expr norm(Triple a) {
  for (Expr& component : a) {
    if (has_negative_lead(component)) component = -component;
  }
  return sqrt(dot(a, a));
}

/// V(M) = V(G) + w x GM, with GM = -arm.
Triple velocity_at_contact(const ContactSolid& solid) {
  const Triple turn = cross(solid.arm, solid.rotation);
  return {solid.velocity[0] + turn[0], solid.velocity[1] + turn[1], solid.velocity[2] + turn[2]};
}

/// What one solid adds to the coefficients (row G2.VI-ThII), both alike.
ContactForm form_of(const ContactInertia& solid, const Triple& arm) {
  const auto& [inverse_mass, a, b, c, d, e, f] = solid;
  const auto& [g1, g2, g3] = arm;
  return {.A = inverse_mass + a * pow(g2, 2) + b * pow(g1, 2) - Rational(2) * f * g1 * g2,
          .B = a * g2 * g3 + d * pow(g1, 2) - e * g1 * g2 - f * g1 * g3,
          .C = b * g1 * g3 - d * g1 * g2 + e * pow(g2, 2) - f * g2 * g3,
          .D = a * g2 - f * g1,
          .F = f * g2 - b * g1,
          .G = e * g2 - d * g1};
}

}  // namespace

Expr dot(const Triple& a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

ContactMotion contact_motion(const ContactSolid& first, const ContactSolid& second) {
  return {.velocity = difference(velocity_at_contact(first), velocity_at_contact(second)),
          .rotation = difference(first.rotation, second.rotation)};
}

ContactSpeeds contact_speeds(const ContactMotion& motion, const Triple& normal) {
  return {.normal = dot(normal, motion.velocity),
          .slip = norm(cross(normal, motion.velocity)),
          .rolling = norm(cross(normal, motion.rotation)),
          .pivoting = abs(dot(normal, motion.rotation))};
}

Expr contact_power(const ContactSpeeds& speeds, const ContactCoefficients& coefficients) {
  return speeds.normal - coefficients.friction * speeds.slip - coefficients.rolling * speeds.rolling -
         coefficients.pivoting * speeds.pivoting;
}

std::vector<Expr> contact_direction(const ContactSpeeds& speeds, const ContactCoefficients& coefficients,
                                    std::span<const Expr> velocities) {
  std::vector<Expr> direction = gradient(speeds.normal, velocities);
  const auto resist = [&](Expr coefficient, Expr speed) {
    if (coefficient.is_zero()) return;
    const std::vector<Expr> partials = gradient(speed, velocities);
    for (std::size_t i = 0; i < partials.size(); ++i) direction[i] -= coefficient * partials[i];
  };
  resist(coefficients.friction, speeds.slip);
  resist(coefficients.rolling, speeds.rolling);
  resist(coefficients.pivoting, speeds.pivoting);
  return direction;
}

ContactInertia contact_inertia(Expr mass, const std::array<Expr, 9>& J) {
  const Triple first{J[0], J[1], J[2]}, second{J[3], J[4], J[5]}, third{J[6], J[7], J[8]};
  const Triple x = cross(second, third), y = cross(third, first), z = cross(first, second);
  const Expr determinant = dot(first, x);
  return {.inverse_mass = pow(mass, -1),
          .a = x[0] / determinant,
          .b = y[1] / determinant,
          .c = z[2] / determinant,
          .d = z[1] / determinant,
          .e = z[0] / determinant,
          .f = y[0] / determinant};
}

ContactInertia fixed_inertia(Pool& pool) {
  const Expr zero = pool.number(0);
  return {zero, zero, zero, zero, zero, zero, zero};
}

ContactForm contact_form(const ContactInertia& first, const Triple& arm1, const ContactInertia& second,
                         const Triple& arm2) {
  const ContactForm x = form_of(first, arm1), y = form_of(second, arm2);
  return {x.A + y.A, x.B + y.B, x.C + y.C, x.D + y.D, x.F + y.F, x.G + y.G};
}

ContactAngles contact_angles(const ContactMotion& motion) {
  const auto& [u1, u2, u3] = motion.velocity;
  const auto& [w1, w2, w3] = motion.rotation;
  const Expr slip = sqrt(pow(u1, 2) + pow(u2, 2)), rolling = sqrt(pow(w1, 2) + pow(w2, 2));
  return {.cos_slip = u1 / slip,
          .sin_slip = u2 / slip,
          .cos_rolling = w1 / rolling,
          .sin_rolling = w2 / rolling,
          .pivoting = sign(w3)};
}

ContactResponse contact_response(const ContactForm& form, const ContactAngles& angles,
                                 const ContactCoefficients& coefficients) {
  return {.ideal = form.A,
          .loss = coefficients.friction * (form.B * angles.sin_slip + form.C * angles.cos_slip) +
                  coefficients.rolling * (form.D * angles.cos_rolling + form.F * angles.sin_rolling) +
                  coefficients.pivoting * angles.pivoting * form.G};
}

Expr degenerate_friction(Expr gyration_radius, Expr distance) {
  const Expr ratio = gyration_radius / distance;
  return Rational(2) * ratio * sqrt(Rational(1) + pow(ratio, 2));
}

Expr degenerate_distance(Expr gyration_radius, Expr friction) {
  return gyration_radius * sqrt(Rational(2) / (sqrt(Rational(1) + pow(friction, 2)) - Rational(1)));
}

}  // namespace liaison
