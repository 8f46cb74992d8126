#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/orientation.hpp"
#include "small_algebra.hpp"
#include "text.hpp"

namespace liaison {

namespace {

const Context point_context{"a point of contact", true, false};
const Context normal_context{"a normal", true, false};
const Context resistance_context{"a coefficient of a contact", true, true, false, true};

/// Unit quaternions: e stands for e/|e|, so that relations of length one become identities.
Substitution unit_quaternions(const System& system) {
  Substitution values;
  for (const Rotation& rotation : system.rotations) {
    const auto& e = rotation.quaternion;
    const Expr length = sqrt(pow(e[0], 2) + pow(e[1], 2) + pow(e[2], 2) + pow(e[3], 2));
    for (Expr component : e) values.emplace(component, component / length);
  }
  return values;
}

/// A vector of the plane stands in the first two places.
Triple in_space(const std::vector<Expr>& components, Expr zero) {
  return {components[0], components[1], components.size() == 3 ? components[2] : zero};
}

}  // namespace

std::optional<Builder::Touching> Builder::find_touching(const syntax::Name& name) {
  if (const Body* body = find_body(name)) return Touching{body->name, &body->centre, body};
  for (const Particle& particle : system_.particles) {
    if (particle.name == name.text) return Touching{particle.name, &particle.position, nullptr};
  }
  return std::nullopt;
}

void Builder::report_no_solid(const syntax::Name& name) {
  if (name.text == "ground") {
    reports_.add("L0431", name.span, "there is no body `ground`",
                 "the ground is the second of the two: `BODY on ground`");
  } else if (!objects_.contains(name.text)) {  // else its declaration has been reported
    report_unknown_object(name, false);
  }
}

/// One, or two where the second is not the ground.
bool Builder::find_solids(const syntax::ContactDeclaration& syntax, std::vector<Touching>& solids) {
  const bool on_ground = syntax.second.text == "ground" && !find_touching(syntax.second);
  std::vector<syntax::Name> names{syntax.first};
  if (!on_ground) names.push_back(syntax.second);
  for (const syntax::Name& name : names) {
    const std::optional<Touching> found = find_touching(name);
    if (!found) {
      report_no_solid(name);
      return false;
    }
    solids.push_back(*found);
  }
  if (on_ground) return true;
  const Span span{syntax.first.span.begin, syntax.second.span.end};
  if (solids[0].name == solids[1].name) {
    reports_.add("L0436", span, fmt::format("`{}` is in contact with itself", excerpt(syntax.first.text)),
                 "name two bodies, or one body and the ground: `BODY on ground`");
    return false;
  }
  if (solids[0].centre->size() != solids[1].centre->size()) {
    const auto what = [](const Touching& solid) { return solid.body != nullptr ? "body" : "particle"; };
    const auto where = [](const Touching& solid) {
      return solid.centre->size() == 3 ? "in space" : "in the plane";
    };
    const bool bodies = solids[0].body != nullptr && solids[1].body != nullptr;
    reports_.add("L0436", span,
                 fmt::format("`{}` is a {} {}, and `{}` one {}", excerpt(syntax.first.text), what(solids[0]),
                             where(solids[0]), excerpt(syntax.second.text), where(solids[1])),
                 bodies ? "declare both with `angle`, or both with `rotation`"
                        : "give both two or both three coordinates");
    return false;
  }
  return true;
}

/// Nothing pivots in the plane, and a particle does not turn at all.
bool Builder::check_turning(const syntax::ContactDeclaration& syntax, const std::vector<Touching>& solids) {
  for (const auto* resistance : {&syntax.rolling, &syntax.pivoting}) {
    if (!resistance->slipping) continue;
    for (const Touching& solid : solids) {
      if (solid.body != nullptr) continue;
      reports_.add("L0437", *resistance->slipping,
                   fmt::format("`{}` is a particle: it does not turn, and has no moment", solid.name),
                   "leave the clause out, or declare a body with its inertia");
      return false;
    }
  }
  if (!syntax.pivoting.slipping || solids[0].centre->size() == 3) return true;
  reports_.add("L0437", *syntax.pivoting.slipping, "bodies in the plane do not pivot",
               "give the resistance against turning as `rolling`");
  return false;
}

std::optional<ContactCoefficients> Builder::read_resistances(const syntax::ContactDeclaration& syntax) {
  const auto read = [&](const std::optional<Span>& span, std::string_view what, const Dimension& dimension) {
    if (!span) return system_.pool->number(0);
    const Expr value = scope_.read(*span, resistance_context);
    if (!value.empty()) obligations_.is(value, *span, std::string(what), dimension);
    return dimension.is_none() ? value : measured(value, "place", dimension, *span);
  };
  const ContactCoefficients coefficients{
      .friction = read(syntax.friction.slipping, "a coefficient of friction", Dimension{}),
      .rolling = read(syntax.rolling.slipping, "a coefficient of rolling", base_dimension(1, 0, 0)),
      .pivoting = read(syntax.pivoting.slipping, "a coefficient of pivoting", base_dimension(1, 0, 0))};
  const bool complete =
      !coefficients.friction.empty() && !coefficients.rolling.empty() && !coefficients.pivoting.empty();
  return complete ? std::optional(coefficients) : std::nullopt;
}

bool Builder::check_unit_length(const std::vector<Expr>& normal, Span span, std::string_view what) {
  std::vector<Expr> squares;
  for (Expr component : normal) squares.push_back(pow(component, 2));
  const Expr square = system_.pool->add(squares);
  if (square.is_one()) return true;
  Algebra algebra(*system_.pool, small_algebra());
  const Expr on_unit = substitute(square, unit_quaternions(system_));
  const Verdict verdict = algebra.are_equal(on_unit, system_.pool->number(1));
  if (verdict.is_proved()) return true;
  Diagnostic& diagnostic = reports_.add(
      "L0435", span,
      verdict.is_refuted() ? fmt::format("the length of the {} is not 1", what)
                           : fmt::format("the {} is not certain to have the length 1", what),
      square.is_zero()
          ? fmt::format("give it a direction: `{} [0, 1]`", what)
          : fmt::format("divide each component by its length, `{}`", excerpt(to_infix(sqrt(square)))));
  if (verdict.holds()) {
    diagnostic.label = fmt::format("it is 1 at {} random points, but there is no proof", verdict.points);
  }
  return false;
}

/// The motion of a body or a particle as the contact sees it, on the axes of space.
ContactSolid Builder::solid_at(const Touching& solid, const Triple& point) const {
  const Expr zero = system_.pool->number(0);
  std::vector<Expr> velocity;
  for (Expr component : *solid.centre) velocity.push_back(time_derivative(system_, component));
  const Triple centre = in_space(*solid.centre, zero);
  Triple rotation{zero, zero, zero};
  if (solid.body != nullptr) {
    rotation = solid.body->in_space() ? rates_in_space(system_, solid.body->turns)
                                      : Triple{zero, zero, time_derivative(system_, solid.body->angle)};
  }
  return {.arm = {centre[0] - point[0], centre[1] - point[1], centre[2] - point[2]},
          .velocity = in_space(velocity, zero),
          .rotation = rotation};
}

/// Whether `power X` says the same as the direction; it does not where the solids are driven in time, or
/// where a coefficient is itself a velocity of degree one.
bool Builder::is_power_of(const Constraint& constraint, const ContactCoefficients& coefficients,
                          const std::vector<Expr>& direction) const {
  const auto given = power_gradient(constraint.power, all_velocities());
  if (!given) return false;
  const bool fixed = !has_velocity(coefficients.friction) && !has_velocity(coefficients.rolling) &&
                     !has_velocity(coefficients.pivoting);
  if (fixed) return true;
  Algebra algebra(*system_.pool, small_algebra());
  for (std::size_t i = 0; i < given->size(); ++i) {
    const Expr expected = i < direction.size() ? direction[i] : system_.pool->number(0);
    if ((*given)[i] != expected && !algebra.are_equal((*given)[i], expected).is_proved()) return false;
  }
  return true;
}

/// A constraint n.(V1(M) - V2(M)) = 0 whose force also resists slip, rolling and pivoting (rows
/// G2.VI-kinematics, G2.VI-power); its factor is the normal reaction N.
void Builder::build(const syntax::ContactDeclaration& syntax, const Statement& statement) {
  const bool named = name_constraint(syntax.name);
  std::vector<Touching> solids;
  const bool found = find_solids(syntax, solids);
  const std::optional<ContactCoefficients> coefficients = read_resistances(syntax);
  if (!found || !refuse_closed_clauses(syntax)) return;
  const std::size_t n = solids[0].centre->size();
  if (!check_length(syntax.point, {n}, "the point of contact") ||
      !check_length(syntax.normal, {n}, "the normal") || !check_turning(syntax, solids))
    return;
  std::vector<Expr> at = read_vector(syntax.point, point_context);
  if (!at.empty()) at = in_metres(std::move(at), syntax.point);
  const std::vector<Expr> normal = read_vector(syntax.normal, normal_context);
  if (!named || !coefficients || at.empty() || normal.empty() ||
      !check_unit_length(normal, syntax.normal.span, "normal"))
    return;

  const Expr zero = system_.pool->number(0);
  const Triple point = in_space(at, zero), axis = in_space(normal, zero), none{zero, zero, zero};
  const ContactSolid ground{none, none, none};
  const ContactMotion motion =
      contact_motion(solid_at(solids[0], point), solids.size() == 2 ? solid_at(solids[1], point) : ground);
  ContactSpeeds speeds = contact_speeds(motion, axis);
  if (n == 2) speeds.rolling = abs(motion.rotation[2]);

  if (!has_velocity(speeds.normal)) {
    reports_.add(
        "L0418", statement.span,
        fmt::format("the bodies of the contact `{}` cannot move along its normal", excerpt(syntax.name.text)),
        "check the normal and the positions of the bodies");
    return;
  }
  for (std::size_t k = 0; k < n; ++k) {
    obligations_.is(at[k], syntax.point.components[k], "a position", base_dimension(1, 0, 0));
    obligations_.is(normal[k], syntax.normal.components[k], "a component of a unit vector", Dimension{});
  }
  const std::string second = solids.size() == 2 ? solids[1].name : std::string();
  if (syntax.unilateral) {
    build_opening({syntax, {solids[0].name, second, at, normal}, motion, speeds, *coefficients}, statement);
    return;
  }
  Constraint constraint;
  constraint.name = syntax.name.text;
  constraint.span = constraint.relation_span = statement.span;
  constraint.relation = speeds.normal;
  constraint.factor = scope_.factor(constraint.name);
  constraint.power = contact_power(speeds, *coefficients);
  obligations_.energy(constraint.factor * constraint.power, statement.span, "the power", {},
                      base_dimension(0, 0, -1));
  set_contact_force(constraint, speeds, *coefficients);
  system_.contacts.push_back({.constraint = system_.constraints.size(),
                              .first = solids[0].name,
                              .second = second,
                              .point = at,
                              .normal = normal,
                              .motion = motion,
                              .speeds = speeds,
                              .coefficients = *coefficients,
                              .span = statement.span});
  system_.constraints.push_back(std::move(constraint));
}

void Builder::set_contact_force(Constraint& constraint, const ContactSpeeds& speeds,
                                const ContactCoefficients& coefficients) const {
  if (constraint.power == constraint.relation) {
    constraint.power = Expr();
    return;
  }
  std::vector<Expr> velocities;
  for (const Direction& direction : system_.directions) velocities.push_back(direction.velocity);
  const std::vector<Expr> direction = contact_direction(speeds, coefficients, velocities);
  if (is_power_of(constraint, coefficients, direction)) {
    constraint.power_kind = PowerKind::given;
    return;
  }
  constraint.power_kind = PowerKind::along;
  constraint.direction = direction;
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < velocities.size(); ++i) terms.push_back(direction[i] * velocities[i]);
  constraint.power = system_.pool->add(terms);
}

}  // namespace liaison
