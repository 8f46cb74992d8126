#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/slip_axes.hpp"
#include "small_algebra.hpp"
#include "text.hpp"

// Contacts of bodies that can open: a gap at the level of coordinates, whose rate is the normal velocity of
// the contact where it closes; slip, rolling and pivoting come from its geometry (rows G2.VI-kinematics,
// G4.IV-contact).
namespace liaison {

namespace {

const Context gap_context{"a gap", true, false};
const Context coefficient_context{"a coefficient of a contact", true, true, false, true};

Triple in_space(const std::vector<Expr>& components, Expr zero) {
  return {components[0], components[1], components.size() == 3 ? components[2] : zero};
}

bool is_fixed(const std::vector<Expr>& es) {
  for (Expr symbol : symbols_in(es)) {
    if (symbol.symbol().kind != SymbolKind::parameter) return false;
  }
  return true;
}

}  // namespace

/// What belongs to contacts that can open alone.
bool Builder::refuse_closed_clauses(const syntax::ContactDeclaration& syntax) {
  if (syntax.unilateral) return true;
  const auto refuse = [&](Span span, std::string message) {
    reports_.add("L0441", span, std::move(message),
                 "write `unilateral` behind the normal if the contact can open");
    return false;
  };
  if (syntax.restitution) return refuse(*syntax.restitution, "a contact that stays closed has no impacts");
  for (const auto* resistance : {&syntax.friction, &syntax.rolling, &syntax.pivoting}) {
    if (resistance->sticking)
      return refuse(*resistance->sticking, "a contact that stays closed is followed while it slips alone");
  }
  return true;
}

bool Builder::read_opening(const syntax::ContactDeclaration& syntax, const ContactCoefficients& coefficients,
                           Unilateral& unilateral) {
  bool ok = true;
  const auto read = [&](const std::optional<Span>& span, const char* what, Dimension dimension) {
    std::optional<Expr> value;
    if (!span) return value;
    const Expr e = scope_.read(*span, coefficient_context);
    if (e.empty()) {
      ok = false;
    } else {
      obligations_.is(e, *span, what, std::move(dimension));
      value = e;
    }
    return value;
  };
  if (syntax.friction.slipping) unilateral.friction = coefficients.friction;
  unilateral.sticking = read(syntax.friction.sticking, "a coefficient of friction", Dimension{});
  unilateral.restitution = read(syntax.restitution, "a coefficient of restitution", Dimension{});
  const auto turning = [&](const syntax::ContactDeclaration::Resistance& given, ResistedTurning::Kind kind,
                           Expr slipping, const char* what) {
    if (!given.slipping) return;
    unilateral.turning.push_back({kind, slipping, read(given.sticking, what, base_dimension(1, 0, 0)), {}});
  };
  turning(syntax.rolling, ResistedTurning::Kind::rolling, coefficients.rolling, "a coefficient of rolling");
  turning(syntax.pivoting, ResistedTurning::Kind::pivoting, coefficients.pivoting,
          "a coefficient of pivoting");
  return ok;
}

/// As it is given. Else, over the ground, the height of the point over the plane through the origin that is
/// across the normal; empty where there is none, which is reported.
Expr Builder::gap_of(const GivenContact& contact, Span span) {
  const syntax::ContactDeclaration& syntax = contact.syntax;
  if (syntax.gap) return scope_.read(*syntax.gap, gap_context);
  Diagnostic problem{.code = "L0441",
                     .message = fmt::format("the gap of the contact `{}` does not follow from its geometry",
                                            excerpt(syntax.name.text)),
                     .span = span,
                     .label = {},
                     .notes = {},
                     .hint = "give the distance of the two: `unilateral gap E`"};
  if (!contact.given.second.empty()) {
    problem.label = "nothing says how far two bodies are apart that do not touch";
  } else if (!is_fixed(contact.given.normal)) {
    problem.label = "the normal moves, so that the ground is no plane";
  } else {
    const Expr zero = system_.pool->number(0);
    const Expr height = dot(in_space(contact.given.normal, zero), in_space(contact.given.point, zero));
    std::vector<Expr> symbols = symbols_in(height);
    const bool moves = std::any_of(symbols.begin(), symbols.end(), [](Expr symbol) {
      return symbol.symbol().kind == SymbolKind::coordinate;
    });
    if (moves) return height;
    problem.label = "the height of the point over the ground does not change";
    problem.hint += ", or give the lowest point of the body behind `at`";
  }
  reports_.add(std::move(problem));
  return {};
}

void Builder::build_opening(const GivenContact& contact, const Statement& statement) {
  const syntax::ContactDeclaration& syntax = contact.syntax;
  Unilateral unilateral;
  const bool read = read_opening(syntax, contact.coefficients, unilateral);
  unilateral.name = syntax.name.text;
  unilateral.span = statement.span;
  unilateral.relation_span = syntax.gap.value_or(statement.span);
  unilateral.relation = gap_of(contact, *syntax.unilateral);
  if (!read || unilateral.relation.empty() ||
      !check_moves(unilateral.relation, unilateral.relation_span, unilateral.name))
    return;
  unilateral.holonomic = true;
  unilateral.factor = scope_.factor(unilateral.name);
  obligations_.is(unilateral.relation, unilateral.relation_span, "a gap", base_dimension(1, 0, 0));
  obligations_.energy(unilateral.factor * contact.speeds.normal, statement.span, "the power", {},
                      base_dimension(0, 0, -1));
  const Expr zero = system_.pool->number(0);
  const Triple normal = in_space(contact.given.normal, zero);
  const auto& [velocity, rotation] = contact.motion;
  const bool in_plane = contact.given.normal.size() == 2;
  const std::vector<Triple> axes = slip_axes(contact.given.normal, *system_.pool);
  if (unilateral.friction)
    for (const Triple& axis : axes) unilateral.slip.push_back(dot(axis, velocity));
  for (ResistedTurning& turning : unilateral.turning) {
    const bool pivots = turning.kind == ResistedTurning::Kind::pivoting;
    turning.velocity = pivots     ? std::vector{dot(normal, rotation)}
                       : in_plane ? std::vector{rotation[2]}
                                  : std::vector{dot(axes[0], rotation), dot(axes[1], rotation)};
  }
  unilateral.contact = contact.given;
  gap_rates_.push_back({system_.unilaterals.size(), contact.speeds.normal,
                        syntax.gap.value_or(*syntax.unilateral), syntax.gap.has_value()});
  system_.unilaterals.push_back(std::move(unilateral));
}

void Builder::check_gaps() {
  for (const GapRate& rate : gap_rates_) check_gap(rate);
}

/// d(gap)/dt = n.(V1 - V2) wherever the gap is zero and the constraints hold: then lambda is the pressure.
/// The force is along the gradient of the gap where the two are the same everywhere, and else along that of
/// the normal velocity.
void Builder::check_gap(const GapRate& rate) {
  Unilateral& unilateral = system_.unilaterals[rate.unilateral];
  const Expr opens = time_derivative(system_, unilateral.gap());
  Region region;
  for (const Rotation& rotation : system_.rotations) {
    const auto& e = rotation.quaternion;
    region.equations.push_back(pow(e[0], 2) + pow(e[1], 2) + pow(e[2], 2) + pow(e[3], 2) -
                               system_.pool->number(1));
  }
  Algebra algebra(*system_.pool, small_algebra());
  if (opens == rate.normal_speed || algebra.follows(opens - rate.normal_speed, region)) return;
  region.equations.push_back(unilateral.gap());
  for (const Constraint& constraint : system_.constraints) {
    region.equations.push_back(constraint.relation);
    if (constraint.holonomic) region.equations.push_back(time_derivative(system_, constraint.relation));
  }
  region.domain = domain_;
  const Verdict verdict = algebra.are_equal(opens, rate.normal_speed, region);
  if (verdict.is_proved()) {
    std::vector<Expr> velocities, powers;
    for (const Direction& direction : system_.directions) velocities.push_back(direction.velocity);
    unilateral.power_kind = PowerKind::along;
    unilateral.direction = gradient(rate.normal_speed, velocities);
    for (std::size_t i = 0; i < velocities.size(); ++i)
      powers.push_back(unilateral.direction[i] * velocities[i]);
    unilateral.power = system_.pool->add(powers);
    return;
  }
  const std::string speeds = fmt::format("the gap opens with `{}`, the contact with `{}`",
                                         excerpt(to_infix(algebra.readable(opens)), 60),
                                         excerpt(to_infix(algebra.readable(rate.normal_speed)), 60));
  Diagnostic problem{.code = "L0441", .message = {}, .span = rate.span, .label = {}, .notes = {}, .hint = {}};
  if (!rate.given) {
    problem.message = fmt::format("the gap of the contact `{}` does not follow from its geometry",
                                  excerpt(unilateral.name));
    problem.label = fmt::format("over the plane through the origin {}", speeds);
    problem.hint =
        "the point does not move with the body: check it, and the sign of the angle; of a body that rolls or "
        "slides along itself give the distance of the two, `unilateral gap E`";
  } else if (verdict.grade == Grade::empty) {
    problem.message = fmt::format("the contact `{}` never closes", excerpt(unilateral.name));
    problem.label = "no state has this gap zero";
    problem.hint = "the gap is zero where the two touch";
  } else {
    problem.message = verdict.is_refuted()
                          ? "where the gap is zero it does not open as the contact does"
                          : "it is not certain that the gap opens as the contact does where it is zero";
    problem.label = speeds;
    problem.hint = verdict.is_refuted()
                       ? "check the point, the normal, and the sign of the gap, which is a distance"
                       : "write it as `unilateral NAME: GAP >= 0 friction F on U`, with its own slip";
    if (verdict.holds()) problem.label += fmt::format("; alike at {} random points", verdict.points);
  }
  reports_.add(std::move(problem));
}

}  // namespace liaison
