#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ball_comparison.hpp"
#include "ball_matrix.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

constexpr int points_within = 24;
constexpr long bits_within = 256;

bool is_ideal(const System& system) {
  return system.reactions.empty() &&
         std::all_of(system.constraints.begin(), system.constraints.end(),
                     [](const Constraint& constraint) { return constraint.power_kind == PowerKind::ideal; });
}

/// Rational in symbols, sines and exponentials: along a motion it is an analytic function of the time apart
/// from poles, and what has the derivative zero is the same on both sides of a pole. atan(1/x) is not.
bool is_meromorphic(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::all_of(nodes.begin(), nodes.end(), [](Expr node) {
    switch (node.op()) {
      case Op::number:
      case Op::pi:
      case Op::symbol:
      case Op::add:
      case Op::mul:
      case Op::sin:
      case Op::cos:
      case Op::tan:
      case Op::sinh:
      case Op::cosh:
      case Op::tanh:
      case Op::exp: return true;
      case Op::pow: return node.arg(1).number().is_integer();
      default: return false;
    }
  });
}

/// On one side of e = 0 something that must be positive is negative: tan(u) where cos(u) = 0.
bool is_border(Algebra& algebra, Expr e, const Domain& domain) {
  return std::any_of(domain.begin(), domain.end(), [&](const Requirement& other) {
    if (other.bound != Bound::positive) return false;
    const Region both{.equations = {e, algebra.canonical(other.e * e).value}, .domain = {}, .assumed = {}};
    return algebra.follows(algebra.pool().number(1), both);
  });
}

/// On the switching surface itself; above it where there is no value on it.
Expr value_at(Expr e, Expr u) {
  const Expr one[] = {e};
  try {
    return on_side(one, u, 0).front();
  } catch (const Error&) {
    return on_side(one, u, 1).front();
  }
}

Verdict no_value() {
  return Verdict::of(Grade::unknown, "its text has no value at any state");
}

/// The printed point, whose values are rounded to 17 digits, with that rounding.
BallPoint around(const Witness& witness) {
  BallPoint point;
  for (const auto& [symbol, value] : witness.point) {
    Ball ball(value, bits_within);
    arb_add_error_2exp_si(ball.raw(),
                          static_cast<slong>(std::ilogb(std::abs(value.to_double()) + 1e-300)) - 50);
    point.emplace(symbol, std::move(ball));
  }
  return point;
}

/// By Cholesky's factorisation in balls.
bool has_definite_mass_at(const Motion& motion, const Witness& witness) {
  const std::size_t n = motion.space.size();
  const BallValues values = evaluate_balls(motion.free.mass.entries, around(witness), bits_within);
  if (values.status != EvaluationStatus::ok) return false;
  const BallMatrix mass(n, n, values.values);
  BallMatrix factor(n, n);
  return arb_mat_cho(factor.raw(), mass.raw(), bits_within) != 0;
}

/// One motion at a state: the determinant of mass, directions and gradients is certainly not zero around the
/// printed point, whose values are rounded to 17 digits.
bool is_regular_at(const Motion& motion, const Witness& witness) {
  const std::size_t n = motion.space.size(), forces = motion.constraints.size();
  if (forces != motion.relation_count) return false;
  const BallPoint point = around(witness);
  Matrix saddle(motion.space.pool(), n + forces, n + forces);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < n; ++a) saddle(i, a) = motion.free.mass(i, a);
    for (std::size_t h = 0; h < forces; ++h) {
      saddle(i, n + h) = motion.constraints[h].direction[i];
      saddle(n + h, i) = motion.constraints[h].gradient[i];
    }
  }
  const BallValues values = evaluate_balls(saddle.entries, point, bits_within);
  if (values.status != EvaluationStatus::ok) return false;
  const BallMatrix matrix(n + forces, n + forces, values.values);
  Ball determinant;
  arb_mat_det(determinant.raw(), matrix.raw(), bits_within);
  return !determinant.contains_zero();
}

}  // namespace

/// The points of a region at which the text of a claim has a value too; where it speaks of the parameters of
/// the intrinsic chart, those that the chart gives.
Region ClaimChecker::with_text(Region region, const Claim& claim) {
  std::vector<Expr> text;
  for (Expr e : {claim.left, claim.right, claim.conserved}) {
    if (!e.empty()) text.push_back(e);
  }
  for (const auto& [left, right] : claim.equations) text.insert(text.end(), {left, right});
  for (const Requirement& requirement : claim.domain) {
    text.push_back(requirement.e);
    if (const auto e = quantities_.in_motion_variables(requirement.e))
      add_requirement(region.domain, *e, requirement.bound);
  }
  const std::vector<Expr> symbols = symbols_in(text);
  for (Expr z : motion_.space.system->intrinsic.parameters) {
    const bool is_used = std::any_of(symbols.begin(), symbols.end(),
                                     [&](Expr s) { return s == z || s == acceleration_symbol(z); });
    if (!is_used) continue;
    add_intrinsic_chart(algebra_, motion_, region);
    break;
  }
  return region;
}

/// On all states, every component, where the motion that is spoken of exists.
Verdict ClaimChecker::equality(Expr left, Expr right, const Claim& claim) {
  const Region states = with_text(states_of(motion_), claim);
  const auto l = quantities_.in_motion_variables(left);
  const auto r = l ? quantities_.in_motion_variables(right) : std::nullopt;
  if (l && r) {
    if (!quantities_.mentions_motion(*l) && !quantities_.mentions_motion(*r)) {
      Verdict verdict = algebra_.are_equal(*l, *r, states);
      if (verdict.grade != Grade::empty) return verdict;
      const Expr zero = algebra_.pool().number(0);
      const bool has_states = algebra_.are_equal(zero, zero, states_of(motion_)).grade != Grade::empty;
      return has_states ? no_value() : verdict;
    }
    // whatever the accelerations and factors are: the power of an ideal constraint, say
    if (algebra_.follows(*l - *r, states) || follows_from_equations_of_motion(*l - *r))
      return proved_of_every_motion(claim);
  }
  Verdict verdict = equality_of_motion(left, right, states);
  const bool is_open = verdict.divided || verdict.grade == Grade::unknown || verdict.grade == Grade::empty;
  if (!is_open || !l || !r) return verdict;
  return equality_of_every_motion(*l, *r, claim);
}

/// An open factor keeps its symbol in the closed forms; what is determined does not change with it.
bool ClaimChecker::depends_on_open_factors(Expr e) {
  return std::any_of(
      motion_.constraints.begin(), motion_.constraints.end(), [&](const ConstraintField& field) {
        return depends_on(e, field.factor) && !algebra_.follows(derivative(e, field.factor), {});
      });
}

/// With the closed forms of accelerations and factors, where det r and what else they divide by does not
/// vanish.
Verdict ClaimChecker::equality_of_motion(Expr left, Expr right, const Region& states) {
  const auto a = quantities_.in_state_variables(left);
  const auto b = a ? quantities_.in_state_variables(right) : std::nullopt;
  if (!a || !b) return Verdict::of(Grade::unknown, quantities_.reason());
  Region region = states;
  region.assumed = motion_.conditions;
  Conditions divided;
  add_denominators({*a, *b}, divided);
  for (Expr e : divided) {  // what the text itself divides by is a property of the region already
    const auto is_text = [&](const Requirement& requirement) { return requirement.e == e; };
    if (std::none_of(region.domain.begin(), region.domain.end(), is_text)) region.assumed.push_back(e);
  }
  Verdict verdict = algebra_.are_equal(*a, *b, region);
  if (motion_.grade != Grade::proved && verdict.grade != Grade::empty)
    return Verdict::of(Grade::unknown, "the closed form of the motion rests on a zero that was only checked");
  if (verdict.is_refuted() && depends_on_open_factors(*a - *b))
    return Verdict::of(Grade::unknown, "the relations do not determine it: a factor in it is open");
  return verdict;
}

/// What holds whatever the motion is, as soon as there is one.
Verdict ClaimChecker::proved_of_every_motion(const Claim& claim) {
  const Expr zero = algebra_.pool().number(0);
  if (motion_.status == FactorStatus::determined || motion_.status == FactorStatus::none) {
    Region region = with_text(states_of(motion_), claim);
    region.assumed = motion_.conditions;
    Verdict verdict = algebra_.are_equal(zero, zero, region);
    verdict.conditions.clear();
    if (verdict.is_proved()) return verdict;
  }
  return equality_of_every_motion(zero, zero, claim);
}

/// Accelerations and factors as unknowns beside the state: for every motion of every state.
Verdict ClaimChecker::equality_of_every_motion(Expr left, Expr right, const Claim& claim) {
  const Region region = with_text(motions_of(algebra_, motion_), claim);
  Verdict verdict = algebra_.are_equal(left, right, region);
  if (verdict.grade == Grade::empty) {
    const Expr zero = algebra_.pool().number(0);
    if (algebra_.are_equal(zero, zero, motions_of(algebra_, motion_)).grade != Grade::empty)
      return no_value();
    verdict.reason = "no state has a motion: the constraints contradict each other or the forces";
  }
  if (!verdict.is_refuted()) return verdict;
  if (!quantities_.mentions_motion(left - right)) return verdict;
  // Gauss: accelerations of ideal constraints are unique wherever there are any, by a definite mass matrix.
  const bool is_unique = is_ideal(*motion_.space.system) && !quantities_.mentions_factors(left - right) &&
                         has_definite_mass_at(motion_, verdict.witness);
  if (is_unique || is_regular_at(motion_, verdict.witness)) return verdict;
  return Verdict::of(Grade::unknown, "the relations do not determine it at every state");
}

/// w with w . mass = c: c over the masses where these are diagonal; the velocities, if c are the momenta.
std::optional<std::vector<Expr>> ClaimChecker::combination_for(const std::vector<Expr>& c) {
  const StateSpace& space = motion_.space;
  const Matrix& mass = motion_.free.mass;
  bool is_diagonal = true;
  for (std::size_t i = 0; i < space.size(); ++i) {
    for (std::size_t a = 0; a < space.size(); ++a)
      is_diagonal = is_diagonal && (i == a) != mass(i, a).is_zero();
  }
  std::vector<Expr> w = space.velocities;
  if (is_diagonal) {
    for (std::size_t i = 0; i < space.size(); ++i) w[i] = c[i] / mass(i, i);
    return w;
  }
  for (std::size_t a = 0; a < space.size(); ++a) {
    std::vector<Expr> momentum;
    for (std::size_t i = 0; i < space.size(); ++i) momentum.push_back(w[i] * mass(i, a));
    if (!algebra_.follows(c[a] - space.pool().add(momentum), {})) return std::nullopt;
  }
  return w;
}

/// e = c_a u'^a + rest is zero by the equations of motion alone: with c = w . mass the accelerations leave it
/// by w . (mass u' - load - sum lambda l) = 0, and what is left vanishes whatever the factors are. For an
/// energy w are the velocities (row G2.III): d(T + V)/dt = (forces + reactions) . v.
bool ClaimChecker::follows_from_equations_of_motion(Expr e) {
  const StateSpace& space = motion_.space;
  std::vector<Expr> accelerations;
  for (Expr parameter : space.parameters) accelerations.push_back(acceleration_symbol(parameter));
  const auto linear = linear_coefficients(e, accelerations);
  if (!linear) return false;
  const bool has_accelerations = std::any_of(linear->coefficients.begin(), linear->coefficients.end(),
                                             [](Expr c) { return !c.is_zero(); });
  const auto w = has_accelerations ? combination_for(linear->coefficients) : std::nullopt;
  if (!w) return false;
  const Region states = states_of(motion_);
  std::vector<Expr> powers{linear->rest};
  for (std::size_t i = 0; i < space.size(); ++i) powers.push_back((*w)[i] * motion_.free.load[i]);
  for (const ConstraintField& constraint : motion_.constraints) {
    std::vector<Expr> power;
    for (std::size_t i = 0; i < space.size(); ++i) power.push_back(constraint.direction[i] * (*w)[i]);
    const Expr reaction = space.pool().add(power);
    // an ideal reaction has no power; another one may stand in what is claimed
    const bool is_own_relation =
        !constraint.relation.empty() && algebra_.follows(reaction - constraint.relation, {});
    const bool is_idle = is_own_relation || algebra_.follows(reaction, states);
    if (!is_idle) powers.push_back(constraint.factor * reaction);
  }
  const Expr left = space.pool().add(powers);
  return algebra_.follows(left, {}) || algebra_.follows(left, states);
}

/// Within a relative tolerance at every point of the states: a check at points, or one where it is exceeded.
Verdict ClaimChecker::equality_within(const Claim& claim) {
  const auto l = quantities_.in_motion_variables(claim.left);
  const auto r = l ? quantities_.in_motion_variables(claim.right) : std::nullopt;
  if (!l || !r) return Verdict::of(Grade::unknown, quantities_.reason());
  const bool has_motion = quantities_.mentions_motion(*l) || quantities_.mentions_motion(*r);
  const Region region = with_text(has_motion ? motions_of(algebra_, motion_) : states_of(motion_), claim);
  const Expr sides[] = {*l, *r};
  PointFinder finder(algebra_, region, sides, {.seed = algebra_.options().seed});
  BallComparison comparison(*claim.within);
  Verdict verdict = Verdict::of(Grade::checked, "a statement within a tolerance");
  for (int i = 0; i < points_within; ++i) {
    const auto point = finder.next();
    if (!point) break;
    const auto values = finder.values(*point, sides, bits_within);
    if (!values) continue;
    switch (comparison.compare((*values)[0], (*values)[1], *values, bits_within)) {
      case BallComparison::Outcome::agree: ++verdict.points; break;
      case BallComparison::Outcome::undecided: break;
      case BallComparison::Outcome::differ:
        verdict.grade = Grade::refuted;
        verdict.witness = {point->printed(), (*values)[0], (*values)[1]};
        if (has_motion && !is_regular_at(motion_, verdict.witness))
          return Verdict::of(Grade::unknown, "the relations do not determine it at every state");
        return verdict;
    }
  }
  if (verdict.points == 0) return Verdict::of(Grade::unknown, "no state was found: " + finder.failure());
  verdict.digits = std::lround(-std::log10(claim.within->to_double()));
  verdict.region = finder.covered();
  return verdict;
}

/// Its derivative vanishes on every motion, off the switching surfaces of its pieces; and it does not jump
/// where a motion crosses one.
Verdict ClaimChecker::conserved(const Claim& claim, std::string& detail) {
  const System& system = *motion_.space.system;
  Substitution energies;  // T and V first: their derivatives are asked for
  for (const Query& query : system.queries) {
    if (query.kind == QueryKind::kinetic) energies.emplace(query.symbol, system.kinetic);
    if (query.kind == QueryKind::potential) energies.emplace(query.symbol, system.potential);
  }
  const Expr kept = substitute(claim.conserved, energies);
  const Expr rate = time_derivative(system, kept), zero = algebra_.pool().number(0);
  const auto in_motion = quantities_.in_motion_variables(rate);
  const Expr one[] = {kept}, both[] = {kept, rate};
  const PieceArguments pieces = piece_arguments(both);
  Claim off_the_surfaces = claim;
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) add_requirement(off_the_surfaces.domain, u, Bound::nonzero);
  }
  const bool is_balanced = in_motion && follows_from_equations_of_motion(*in_motion);
  Verdict verdict = is_balanced ? proved_of_every_motion(claim) : equality(rate, zero, off_the_surfaces);
  // a state without a motion says nothing about what a motion keeps
  if (verdict.is_refuted() && in_motion && !quantities_.mentions_motion(*in_motion))
    verdict = equality_of_every_motion(*in_motion, zero, off_the_surfaces);
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {  // a motion may stay on a surface
    for (Expr u : *list) {
      if (verdict.holds() && !stays_kept_on(kept, u))
        return Verdict::of(Grade::unknown,
                           fmt::format("it is not known whether it is kept where {} = 0", to_infix(u)));
    }
  }
  for (Expr u : piece_arguments(one).jumps) {
    const Expr above = on_side(one, u, 1).front(), below = on_side(one, u, -1).front();
    for (Expr factor : zero_factors(u)) {
      if (!verdict.holds()) return verdict;
      verdict = conjunction(std::move(verdict), does_not_jump(claim, factor, Expr(), above, below, detail));
      if (verdict.holds())  // sign(x)^2 is 1 on both sides, and 0 between
        verdict = conjunction(std::move(verdict),
                              does_not_jump(claim, factor, Expr(), above, value_at(kept, u), detail));
    }
  }
  for (const Cut& cut : cuts(one)) {
    if (!verdict.holds()) return verdict;
    const Expr pi = algebra_.pool().pi(), angle = atan2(cut.y, cut.x);
    const Expr above = substitute(kept, {{angle, pi}}), below = substitute(kept, {{angle, -pi}});
    for (Expr factor : zero_factors(cut.y))
      verdict = conjunction(std::move(verdict), does_not_jump(claim, factor, -cut.x, above, below, detail));
  }
  if (!verdict.holds() || is_meromorphic(kept)) return verdict;
  for (const Requirement& requirement : claim.domain) {
    if (requirement.bound != Bound::nonzero || is_never_crossed(requirement.e)) continue;
    if (is_border(algebra_, requirement.e, claim.domain)) continue;
    return Verdict::of(Grade::unknown,
                       fmt::format("its derivative is zero, but it may jump where a motion crosses {} = 0",
                                   to_infix(requirement.e)));
  }
  return verdict;
}

/// A motion that stays on u = 0 keeps what the quantity is there; or none stays there (proved).
bool ClaimChecker::stays_kept_on(Expr kept, Expr u) {
  const System& system = *motion_.space.system;
  const auto surface = quantities_.in_motion_variables(u);
  const auto staying = quantities_.in_motion_variables(time_derivative(system, u));
  const auto rate = quantities_.in_motion_variables(time_derivative(system, value_at(kept, u)));
  if (!surface || !staying || !rate) return false;
  Region on_it = motions_of(algebra_, motion_);
  on_it.equations.push_back(*surface);
  on_it.equations.push_back(*staying);
  return algebra_.follows(*rate, on_it);
}

/// No motion crosses e = 0 (proved): a quantity with a pole there stays on one side of it.
bool ClaimChecker::is_never_crossed(Expr e) {
  const auto surface = quantities_.in_motion_variables(e);
  if (!surface) return false;
  const auto rate = quantities_.in_motion_variables(time_derivative(*motion_.space.system, e));
  if (!rate) return false;
  if (rate->is_zero()) return true;
  Region crossing = motions_of(algebra_, motion_);
  crossing.equations.push_back(*surface);
  crossing.domain.push_back({*rate, Bound::nonzero});
  return algebra_.follows(algebra_.pool().number(1), crossing);
}

/// The values above and below u = 0 are the same wherever a motion crosses it (with `positive` > 0, if
/// given).
Verdict ClaimChecker::does_not_jump(const Claim& claim, Expr u, Expr positive, Expr above, Expr below,
                                    std::string& detail) {
  const auto in_motion = [&](Expr e) { return quantities_.in_motion_variables(e).value_or(Expr()); };
  const Expr rate = in_motion(time_derivative(*motion_.space.system, u));
  const Expr surface = in_motion(u), a = in_motion(above), b = in_motion(below);
  if (rate.empty() || surface.empty() || a.empty() || b.empty())
    return Verdict::of(Grade::unknown, quantities_.reason());
  if (a == b) return Verdict::of(Grade::proved);
  if (algebra_.follows(rate, motions_of(algebra_, motion_))) return Verdict::of(Grade::proved);  // u is kept
  Region crossing = with_text(motions_of(algebra_, motion_), claim);
  crossing.equations.push_back(surface);
  crossing.domain.push_back({rate, Bound::nonzero});
  if (!positive.empty()) crossing.domain.push_back({in_motion(positive), Bound::positive});
  Verdict verdict = algebra_.are_equal(a, b, crossing);
  if (verdict.is_refuted()) detail = fmt::format("it jumps where a motion crosses {} = 0", to_infix(u));
  if (verdict.grade == Grade::empty)
    return Verdict::of(Grade::unknown, fmt::format("it may jump where a motion touches {} = 0", to_infix(u)));
  return verdict;
}

}  // namespace liaison
