#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "small_algebra.hpp"
#include "text.hpp"

namespace liaison {

namespace {

const Context kinetic_context{"the kinetic energy", true, true};
const Context lagrangian_context{"the Lagrangian", true, true};
const Context potential_context{"the potential energy", true, false};
const Context dissipation_context{"the dissipation", true, true};
const Context force_context{"a force", true, true};
const Context gravity_context{"the gravity", false, false};

std::string plural(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// A dissipation that resists what moves and moves nothing itself: no force where nothing moves.
bool pushes_nothing_at_rest(Expr value, const std::vector<Expr>& velocities,
                            const std::vector<Expr>& slopes) {
  Pool& pool = value.pool();
  Algebra algebra(pool, small_algebra());
  Substitution at_rest;
  for (Expr velocity : velocities) at_rest.emplace(velocity, pool.number(0));
  try {
    return std::all_of(slopes.begin(), slopes.end(),
                       [&](Expr slope) { return algebra.is_zero(substitute(slope, at_rest)).is_proved(); });
  } catch (const Error&) {  // a root has no slope there: one of degree one pushes against whatever moves
    std::vector<Expr> radial;
    for (std::size_t i = 0; i < slopes.size(); ++i) radial.push_back(velocities[i] * slopes[i]);
    Substitution back;
    for (Expr velocity : velocities) back.emplace(velocity, -velocity);
    return algebra.is_zero(pool.add(radial) - value).is_proved() &&
           algebra.is_zero(substitute(value, back) - value)
               .is_proved();  // no push of one direction within it
  }
}

/// A polynomial of degree two in the velocities, without sides.
bool is_quadratic(Expr value, const std::vector<Expr>& velocities, const std::vector<Expr>& slopes) {
  const auto holds_velocity = [&](Expr e) {
    return std::any_of(velocities.begin(), velocities.end(), [&](Expr v) { return depends_on(e, v); });
  };
  for (Expr e : postorder(value)) {
    const bool has_sides =
        e.is(Op::abs) || e.is(Op::sign) || e.is(Op::min) || e.is(Op::max) || e.is(Op::atan2);
    if (has_sides && holds_velocity(e)) return false;
  }
  return std::none_of(slopes.begin(), slopes.end(), [&](Expr slope) {
    const std::vector<Expr> second = gradient(slope, velocities);
    return std::any_of(second.begin(), second.end(), holds_velocity);
  });
}

}  // namespace

// ---- energies ----

void Builder::build(const syntax::Energy& syntax, const Statement& statement) {
  using Kind = syntax::Energy::Kind;
  const Context& context = syntax.kind == Kind::kinetic      ? kinetic_context
                           : syntax.kind == Kind::potential  ? potential_context
                           : syntax.kind == Kind::lagrangian ? lagrangian_context
                                                             : dissipation_context;
  if (syntax.kind == Kind::kinetic || syntax.kind == Kind::lagrangian) {
    has_kinetic_ = true;
    kinetic_span_ = syntax.value;
  }
  const Expr value = scope_.read(syntax.value, context);
  if (value.empty()) return;
  switch (syntax.kind) {
    case Kind::kinetic:
      kinetic_.push_back(value);
      obligations_.energy(value, syntax.value, "the kinetic energy");
      return;
    case Kind::potential:
      potential_.push_back(value);
      obligations_.energy(value, syntax.value, "the potential energy");
      return;
    case Kind::lagrangian:
      add_lagrangian(value);
      obligations_.energy(value, syntax.value, "the Lagrangian");
      return;
    case Kind::dissipation: break;
  }
  obligations_.energy(value, syntax.value, "the dissipation", {}, base_dimension(0, 0, -1));
  for (Expr symbol : symbols_in(value)) {
    if (symbol.symbol().kind != SymbolKind::velocity || direction_of_velocity_.contains(symbol) ||
        is_rheonomic_velocity(symbol))
      continue;
    reports_.add("L0414", statement.span,
                 fmt::format("the dissipation uses the velocity parameter `{}`", symbol.symbol().name),
                 "write it with the velocities `x'` of coordinates or the rates of a rotation");
    return;
  }
  add_dissipation(value);
}

/// What is left of it at rest is minus the potential energy, and the rest the kinetic one: a T0 of moving
/// axes, which Lagrange's equations cannot tell from a potential, counts as one where it holds no rate of a
/// rheonomic coordinate.
void Builder::add_lagrangian(Expr value) {
  Substitution at_rest;
  for (Expr symbol : symbols_in(value)) {
    if (symbol.symbol().kind == SymbolKind::velocity || is_rheonomic_velocity(symbol))
      at_rest.emplace(symbol, system_.pool->number(0));
  }
  const Expr still = substitute(value, at_rest);
  kinetic_.push_back(value - still);
  potential_.push_back(-still);
}

/// Rayleigh: Q_i = -dD/dv^i, also on what is driven. On the time by what is left where D is of degree two on
/// velocities and t', as of a damper whose other end moves: -dD/dt' = -(2*D - v^i dD/dv^i).
void Builder::add_dissipation(Expr value) {
  std::vector<Expr> velocities, slopes, radial;
  for (Expr symbol : symbols_in(value)) {
    const bool is_driven = is_rheonomic_velocity(symbol);
    if (!is_driven && !direction_of_velocity_.contains(symbol)) continue;
    const Expr slope = derivative(value, symbol);
    if (is_driven)
      carried_forces_[symbol].push_back(-slope);
    else
      add_force(symbol, -slope);
    velocities.push_back(symbol);
    slopes.push_back(slope);
    radial.push_back(symbol * slope);
  }
  const Expr of_time = system_.pool->add(radial) - Rational(2) * value;
  if (pushes_nothing_at_rest(value, velocities, slopes)) return;
  if (is_quadratic(value, velocities, slopes))
    carried_forces_[system_.time].push_back(of_time);
  else
    carried_forces_[system_.time].emplace_back();  // not known
}

// ---- forces ----

void Builder::add_force(Expr velocity, Expr value) {
  forces_[direction_of_velocity_.at(velocity)].push_back(value);
}

bool Builder::is_rheonomic_velocity(Expr symbol) const {
  return std::any_of(system_.rheonomic.begin(), system_.rheonomic.end(),
                     [&](const Rheonomic& chosen) { return chosen.velocity == symbol; });
}

/// Q_i = F . dr'/dv^i for the velocity r' of the point of application; the first n components. Those on what
/// is driven too, and on the time by what is left of r' at rest.
void Builder::add_work(std::size_t n, const std::vector<Expr>& force, const std::vector<Expr>& velocity) {
  for (std::size_t k = 0; k < n; ++k) {
    Substitution at_rest;
    for (Expr symbol : symbols_in(velocity[k])) {
      const Expr component = force[k] * derivative(velocity[k], symbol);
      const bool is_driven = is_rheonomic_velocity(symbol);
      if (direction_of_velocity_.contains(symbol)) add_force(symbol, component);
      if (is_driven) carried_forces_[symbol].push_back(component);
      if (is_driven || symbol.symbol().kind == SymbolKind::velocity)
        at_rest.emplace(symbol, system_.pool->number(0));
    }
    carried_forces_[system_.time].push_back(force[k] * substitute(velocity[k], at_rest));
  }
}

void Builder::build(const syntax::GeneralisedForce& syntax, const Statement&) {
  const auto& [name, span] = syntax.assignment;
  const Expr value = scope_.read(span, force_context);
  const NameEntry* entry = scope_.find(name.text);
  Expr velocity;
  if (entry != nullptr && entry->kind == NameKind::coordinate) velocity = scope_.find(name.text + "'")->value;
  if (entry != nullptr && entry->kind == NameKind::rate) velocity = entry->value;
  if (velocity.empty()) {
    Diagnostic& diagnostic =
        reports_.add("L0420", name.span,
                     fmt::format("a force on `{}`, which is no direction of motion", excerpt(name.text)));
    std::vector<std::string> names;
    for (const Direction& direction : system_.directions) {
      names.push_back(direction.coordinate.empty() ? direction.velocity.symbol().name
                                                   : direction.coordinate.symbol().name);
    }
    if (entry != nullptr)
      diagnostic.label = fmt::format("`{}` is {}", excerpt(name.text), describe(entry->kind));
    if (entry != nullptr && entry->kind == NameKind::velocity) {
      diagnostic.hint =
          fmt::format("name the coordinate: `force {} = ...`", name.text.substr(0, name.text.size() - 1));
    } else if (const auto near = nearest_name(name.text, names)) {
      diagnostic.hint = fmt::format("did you mean `{}`?", *near);
    } else {
      diagnostic.hint = "name a coordinate or a rate of a rotation, declared above";
    }
    return;
  }
  if (value.empty()) return;
  add_force(velocity, value);
  obligations_.energy(value, span, fmt::format("the force on `{}`", name.text),
                      entry->kind == NameKind::coordinate ? pow(entry->value, -1) : Expr());
}

void Builder::build(const syntax::PointForce& syntax, const Statement&) {
  if (!check_length(syntax.force, {2, 3}, "a force")) return;
  const std::vector<Expr> force = read_vector(syntax.force, force_context);
  const auto point = find_point(syntax.at);
  if (force.empty() || !point) return;
  if (point->size() != force.size()) {
    reports_.add(
        "L0421", syntax.force.span,
        fmt::format("the force has {} and its point {}", plural(force.size(), "component"), point->size()),
        "give both two or three components");
    return;
  }
  std::vector<Expr> velocity;
  for (Expr component : *point) velocity.push_back(time_derivative(system_, component));
  add_work(force.size(), force, velocity);
  for (std::size_t k = 0; k < force.size(); ++k) {
    obligations_.energy(force[k], syntax.force.components[k], "a force", {}, base_dimension(-1, 0, 0));
  }
}

/// On the axes of its rates where the body was given by its rotation, else on those of the body.
void Builder::build(const syntax::Moment& syntax, const Statement&) {
  const Body* body = find_body(syntax.body);
  if (body == nullptr) return report_unknown_object(syntax.body, true);
  if (!check_length(syntax.moment, {body->in_space() ? 3u : 1u},
                    body->in_space() ? "a moment" : "a moment in the plane"))
    return;
  const std::vector<Expr> moment = read_vector(syntax.moment, force_context);
  if (moment.empty()) return;
  for (std::size_t k = 0; k < moment.size(); ++k) {
    obligations_.energy(moment[k], syntax.moment.components[k], "a moment");
  }
  if (!body->in_space()) return add_work(1, moment, {time_derivative(system_, body->angle)});
  const Triple rates = rotated_.contains(body->name)
                           ? rates_of(system_, system_.rotations[*body->turns[0].rotation])
                           : rates_on_body(system_, body->turns);
  add_work(3, moment, {rates.begin(), rates.end()});
}

void Builder::build(const syntax::Gravity& syntax, const Statement& statement) {
  if (!check_length(syntax.acceleration, {2, 3}, "gravity")) return;
  std::vector<Expr> acceleration = read_vector(syntax.acceleration, gravity_context);
  if (acceleration.empty()) return;
  Said said{statement.span, statement.part};
  if (gravity_) {
    const bool is_same = !said.part.empty() && gravity_->first == acceleration;
    if (!is_same)
      report_twice("gravity is given twice", "gravity", gravity_->second, said, "the first one is");
    return;
  }
  for (std::size_t k = 0; k < acceleration.size(); ++k) {
    obligations_.is(acceleration[k], syntax.acceleration.components[k], "gravity", base_dimension(1, 0, -2));
  }
  gravity_.emplace(std::move(acceleration), std::move(said));
}

}  // namespace liaison
