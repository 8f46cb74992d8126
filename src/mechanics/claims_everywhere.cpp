#include <algorithm>
#include <cmath>

#include "ball_comparison.hpp"
#include "liaison/algebra/content.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/manifold.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"
#include "lost_places.hpp"
#include "motion_at_witness.hpp"
#include "power_balance.hpp"

namespace liaison {

namespace {

constexpr int points_within = 24;
constexpr long bits_within = 256;

Verdict no_value() {
  return Verdict::of(Grade::unknown, "its text has no value at any state");
}

bool is_made_of_gradients(QueryKind kind) {
  return kind == QueryKind::r || kind == QueryKind::det_r || kind == QueryKind::drive;
}

/// Components of E and e^h, and what is made of them.
bool divides_by_masses(QueryKind kind) {
  return is_made_of_gradients(kind) || kind == QueryKind::free || kind == QueryKind::direction;
}

/// A number in front of a relation is one of its factor, too. Where nothing asks for factors, they are
/// measured by the relations without such numbers.
Region with_plain_factors(const Motion& motion, const DerivedQuantities& quantities, Expr asked,
                          Region motions) {
  const bool asks = quantities.mentions_factors(asked) ||
                    std::any_of(motions.domain.begin(), motions.domain.end(),
                                [&](const Requirement& r) { return quantities.mentions_factors(r.e); });
  Substitution plain;
  for (std::size_t h = 0; h < motion.relation_count && !asks; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    const Rational size = split_content(constraint.relation).first;
    if (!size.is_one()) plain.emplace(constraint.factor, 1 / size * constraint.factor);
  }
  if (!plain.empty()) motions.equations = substitute(motions.equations, plain);
  return motions;
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
    auto e = quantities_.in_motion_variables(requirement.e);
    if (!e) e = quantities_.in_state_variables(requirement.e);  // rates of the intrinsic chart
    if (e) add_requirement(region.domain, *e, requirement.bound);
  }
  for (Expr corner : corners_of_text(algebra_, claim.corners)) {
    if (const auto e = quantities_.in_motion_variables(corner))
      add_requirement(region.domain, *e, Bound::nonzero);
  }
  std::vector<Expr> symbols = symbols_in(text);
  symbols.insert(symbols.end(), claim.written.begin(), claim.written.end());
  const auto is_asked = [&](Expr symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  };
  for (const Query& query : motion_.space.system->queries) {
    if (!is_asked(query.symbol)) continue;
    for (std::size_t h = 0; is_made_of_gradients(query.kind) && h < motion_.relation_count; ++h)
      add_requirements(region.domain, natural_domain(motion_.constraints[h].gradient));
    if (!divides_by_masses(query.kind)) continue;
    for (Expr divisor : factors_that_may_vanish(motion_.mass_conditions))
      add_requirement(region.domain, divisor, Bound::nonzero);
  }
  for (Expr z : motion_.space.system->intrinsic.parameters) {
    if (!is_asked(z) && !is_asked(acceleration_symbol(z))) continue;
    add_intrinsic_chart(algebra_, motion_, region);
    break;
  }
  return region;
}

/// It names what has a value only where masses are regular, or where the intrinsic chart covers the state.
bool ClaimChecker::asks_for_more(const Claim& claim) {
  std::vector<Expr> text = claim.written;
  for (Expr e : {claim.left, claim.right, claim.conserved}) {
    if (!e.empty()) text.push_back(e);
  }
  for (const auto& [left, right] : claim.equations) text.insert(text.end(), {left, right});
  const std::vector<Expr> symbols = symbols_in(text);
  const System& system = *motion_.space.system;
  const auto is_asked = [&](Expr symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  };
  return std::any_of(
             system.queries.begin(), system.queries.end(),
             [&](const Query& query) { return divides_by_masses(query.kind) && is_asked(query.symbol); }) ||
         std::any_of(system.intrinsic.parameters.begin(), system.intrinsic.parameters.end(),
                     [&](Expr z) { return is_asked(z) || is_asked(acceleration_symbol(z)); });
}

/// The text of a claim asks for more than a state: 0*log(x'') is 0 where x'' > 0, 0*lambda(c) where there is
/// a factor.
bool ClaimChecker::mentions_motion(const Claim& claim) {
  std::vector<Expr> text = claim.written;
  if (claim.kind == ClaimKind::equality) text.insert(text.end(), {claim.left, claim.right});
  for (const Requirement& requirement : claim.domain) text.push_back(requirement.e);
  return std::any_of(text.begin(), text.end(), [&](Expr e) {
    const auto in_motion = quantities_.in_motion_variables(e);
    return !in_motion || quantities_.mentions_motion(*in_motion);
  });
}

/// States with the closed forms of accelerations and factors in what the text and the model need of them;
/// what these divide by is assumed. Nothing where one has no closed form.
std::optional<Region> ClaimChecker::in_closed_forms(const Region& states) {
  Region region = states;
  region.domain.clear();
  region.assumed = motion_.conditions;
  for (const Requirement& requirement : states.domain) {
    if (!quantities_.mentions_motion(requirement.e)) {
      region.domain.push_back(requirement);
      continue;
    }
    const auto e = quantities_.in_state_variables(requirement.e);
    if (!e) return std::nullopt;
    add_requirement(region.domain, *e, requirement.bound);
    add_denominators({*e}, region.assumed);
  }
  return region;
}

/// Empty only where there is nothing in the region itself, without the text.
Verdict ClaimChecker::unless_text_has_no_value(Verdict verdict, const Region& region) {
  if (verdict.grade != Grade::empty) return verdict;
  const Expr zero = algebra_.pool().number(0);
  const bool has_points = algebra_.are_equal(zero, zero, region).grade != Grade::empty;
  return has_points ? no_value() : verdict;
}

/// On all states, every component, where the motion that is spoken of exists.
Verdict ClaimChecker::equality(Expr left, Expr right, const Claim& claim) {
  const auto l = quantities_.in_motion_variables(left);
  const auto r = l ? quantities_.in_motion_variables(right) : std::nullopt;
  const Region states = with_text(states_with_rates(motion_), claim);
  if (l && r) {
    const bool is_of_states = !quantities_.mentions_motion(*l) && !quantities_.mentions_motion(*r);
    if (is_of_states && !mentions_motion(claim)) {
      return unless_text_has_no_value(algebra_.are_equal(*l, *r, with_text(states_of(motion_), claim)),
                                      states_of(motion_));
    }
    // whatever the accelerations and factors are: the power of an ideal constraint, say
    if (algebra_.follows(*l - *r, states)) return proved_of_every_motion(claim);
    if (const auto divisors = follows_from_equations_of_motion(*l - *r))
      return proved_of_every_motion(claim, *divisors);
  }
  Verdict verdict = equality_of_motion(left, right, states);
  const bool is_open = verdict.divided || verdict.grade == Grade::unknown || verdict.grade == Grade::empty;
  if (!is_open || !l || !r) return unless_text_has_no_value(std::move(verdict), states_of(motion_));
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
  std::optional<Region> region = in_closed_forms(states);
  if (!region) return Verdict::of(Grade::unknown, quantities_.reason());
  Conditions divided;
  add_denominators({*a, *b}, divided);
  for (Expr e : divided) {  // what the text itself divides by is a property of the region already
    const auto is_text = [&](const Requirement& requirement) { return requirement.e == e; };
    if (std::none_of(region->domain.begin(), region->domain.end(), is_text)) region->assumed.push_back(e);
  }
  Verdict verdict = algebra_.are_equal(*a, *b, *region);
  if (motion_.grade != Grade::proved && verdict.grade != Grade::empty)
    return Verdict::of(Grade::unknown, "the closed form of the motion rests on a zero that was only checked");
  if (verdict.is_refuted() && depends_on_open_factors(*a - *b))
    return Verdict::of(Grade::unknown, "the relations do not determine it: a factor in it is open");
  return verdict;
}

/// What holds whatever the motion is, as soon as there is one, where the divisors of its proof do not vanish.
Verdict ClaimChecker::proved_of_every_motion(const Claim& claim, const Conditions& divisors) {
  const Expr zero = algebra_.pool().number(0);
  // a motion from rest is one to speak of, where the text has a value at every state
  const bool is_everywhere = claim.domain.empty() && claim.corners.empty() && !asks_for_more(claim);
  if (!motion_.closed_form && is_everywhere && has_regular_rest() &&
      do_not_vanish_at(divisors, *regular_rest_)) {
    Verdict verdict = Verdict::of(Grade::proved);
    verdict.conditions = divisors;
    return verdict;
  }
  if (motion_.status == FactorStatus::determined || motion_.status == FactorStatus::none) {
    const auto region = in_closed_forms(with_text(states_with_rates(motion_), claim));
    const bool is_known = region && (motion_.grade == Grade::proved || !mentions_motion(claim));
    Verdict verdict = is_known ? algebra_.are_equal(zero, zero, *region) : no_value();
    verdict.conditions = divisors;
    if (verdict.is_proved()) return verdict;
  }
  Verdict verdict = equality_of_every_motion(zero, zero, claim);
  verdict.conditions.insert(verdict.conditions.end(), divisors.begin(), divisors.end());
  return verdict;
}

/// Accelerations and factors as unknowns beside the state: for every motion of every state.
Verdict ClaimChecker::equality_of_every_motion(Expr left, Expr right, const Claim& claim) {
  const Region region = with_text(motions_of(algebra_, motion_), claim);
  Verdict verdict =
      unless_text_has_no_value(equality_on_motions(left, right, region), motions_of(algebra_, motion_));
  return verdict.grade == Grade::empty ? no_motion() : verdict;
}

/// Empty: there is no state, or none from which a motion starts.
Verdict ClaimChecker::no_motion() {
  const Expr zero = algebra_.pool().number(0);
  if (algebra_.are_equal(zero, zero, states_of(motion_)).grade == Grade::empty)
    return Verdict::of(Grade::empty, "there is no real state: the constraints contradict each other");
  return Verdict::of(Grade::empty,
                     "no state has a motion: the constraints contradict each other or the forces");
}

/// At the witness of a refutation there is a motion, and what is compared has one value on it.
bool ClaimChecker::certifies_motion(const Witness& witness, Expr difference, const Substitution& parameters,
                                    const std::vector<Expr>& kept) {
  if (is_regular_at(motion_, witness)) return true;
  // Gauss: accelerations of ideal constraints are unique wherever there are any, by a definite mass matrix.
  return is_ideal(*motion_.space.system) && !quantities_.mentions_factors(difference) &&
         has_definite_mass_at(motion_, witness) &&
         has_constant_rank_at(algebra_, motion_, witness, parameters, kept);
}

/// What does not vanish where the relations are independent and the motion is determined.
std::optional<Expr> ClaimChecker::regularity() {
  constexpr std::size_t most_relations = 4;
  if (motion_.constraints.size() != motion_.relation_count || motion_.relation_count == 0)
    return std::nullopt;
  if (motion_.closed_form && motion_.status != FactorStatus::implicit) return motion_.determinant;
  if (!is_ideal(*motion_.space.system) || motion_.relation_count > most_relations) return std::nullopt;
  Matrix gradients(algebra_.pool(), motion_.relation_count, motion_.space.size());
  for (std::size_t h = 0; h < motion_.relation_count; ++h) {
    for (std::size_t a = 0; a < motion_.space.size(); ++a)
      gradients(h, a) = motion_.constraints[h].gradient[a];
  }
  try {
    return determinant(algebra_, gradients * transpose(gradients)).value;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    return std::nullopt;
  }
}

/// A motion keeps the relations, and so their second derivatives vanish on it, too. Where a gradient vanishes
/// this says something about the accelerations.
Region ClaimChecker::with_second_rates(Region motions) {
  const System& system = *motion_.space.system;
  std::vector<Expr> accelerations;
  for (Expr parameter : motion_.space.parameters) accelerations.push_back(acceleration_symbol(parameter));
  for (std::size_t h = 0; h < motion_.relation_count; ++h) {
    std::vector<Expr> terms{motion_.constraints[h].bias};
    for (std::size_t a = 0; a < accelerations.size(); ++a)
      terms.push_back(motion_.constraints[h].gradient[a] * accelerations[a]);
    const Expr rate = algebra_.pool().add(terms);
    std::vector<Expr> parts{time_derivative(system, rate)};
    for (std::size_t a = 0; a < accelerations.size(); ++a)
      parts.push_back(motion_.constraints[h].gradient[a] * acceleration_symbol(accelerations[a]));
    if (const auto second = quantities_.in_motion_variables(algebra_.pool().add(parts)))
      motions.equations.push_back(*second);
  }
  return motions;
}

/// On states with accelerations and factors. A point of this region is no motion where the relations lose
/// rank: a refutation has to stand at one from which a motion certainly starts.
Verdict ClaimChecker::equality_on_motions(Expr left, Expr right, const Region& as_given) {
  const Region motions = with_plain_factors(motion_, quantities_, left - right, as_given);
  Verdict verdict = algebra_.are_equal(left, right, motions);
  const bool is_decided = verdict.is_proved() || verdict.grade == Grade::empty;
  if (is_decided || (verdict.is_refuted() && certifies_motion(verdict.witness, left - right))) return verdict;
  const auto regular = regularity();
  Conditions open;
  const auto where_singular = [&]() -> std::optional<Verdict> {
    if (!regular) return std::nullopt;
    return fails_where_singular(*regular, left, right, motions, open);
  };
  if (!verdict.is_refuted()) {
    if (auto special = where_singular()) return *special;
    verdict.conditions.insert(verdict.conditions.end(), open.begin(), open.end());
    return verdict;
  }
  bool holds_where_regular = false;
  if (regular) {
    Region part = motions;
    part.domain.push_back({*regular, Bound::nonzero});
    Verdict again = algebra_.are_equal(left, right, part);
    if (again.is_refuted() && certifies_motion(again.witness, left - right)) return again;
    holds_where_regular = again.holds();
  }
  if (auto special = refuted_with_parameters(left, right, motions, verdict.witness)) return *special;
  if (auto special = where_singular(); special && special->is_refuted()) return *special;
  if (holds_where_regular) {
    Verdict of_motions = algebra_.are_equal(left, right, with_second_rates(motions));
    if (of_motions.holds()) return of_motions;
  }
  if (motion_.constraints.empty())
    return Verdict::of(Grade::unknown,
                       "it fails at a state where the mass matrix is singular or not known to be regular");
  return Verdict::of(Grade::unknown, quantities_.mentions_motion(left - right) && !holds_where_regular
                                         ? "the relations do not determine it at every state"
                                         : fails_where_rank_is_lost);
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
    for (std::size_t i = 0; i < space.size(); ++i) w[i] = algebra_.canonical(c[i] / mass(i, i)).value;
    return w;
  }
  for (std::size_t a = 0; a < space.size(); ++a) {
    std::vector<Expr> momentum;
    for (std::size_t i = 0; i < space.size(); ++i) momentum.push_back(w[i] * mass(i, a));
    if (!algebra_.follows(c[a] - space.pool().add(momentum), {})) return std::nullopt;
  }
  return w;
}

/// e is zero by the equations of motion alone: what they leave of it vanishes whatever the factors are. What
/// w divides by is returned, nothing where this is no proof: a divisor may vanish at states, and on no
/// component of them.
std::optional<Conditions> ClaimChecker::follows_from_equations_of_motion(Expr e) {
  const auto linear = by_accelerations(motion_, e);
  const auto w = linear ? combination_for(linear->coefficients) : std::nullopt;
  if (!w) return std::nullopt;
  const Region states = states_of(motion_);
  Conditions divisors;
  add_denominators(*w, divisors);
  divisors = factors_that_may_vanish(divisors);
  for (Expr divisor : divisors) {
    if (!algebra_.vanishes_on_no_component(divisor, states).is_proved()) return std::nullopt;
  }
  const Expr left = left_by_equations_of_motion(algebra_, motion_, linear->rest, *w);
  if (!algebra_.follows(left, {}) && !algebra_.follows(left, states)) return std::nullopt;
  return divisors;
}

/// |l - r| <= tolerance*max(|l|, |r|) at every point of the states. It fails where (l - r)^2 is larger than
/// the squares of both bounds: a point of that set refutes, a proof that there is none proves.
Verdict ClaimChecker::equality_within(const Claim& claim) {
  const auto l = quantities_.in_motion_variables(claim.left);
  const auto r = l ? quantities_.in_motion_variables(claim.right) : std::nullopt;
  if (!l || !r) return Verdict::of(Grade::unknown, quantities_.reason());
  const bool has_motion = mentions_motion(claim);
  const Region about = has_motion ? motions_of(algebra_, motion_) : states_of(motion_);
  const Region region = with_text(about, claim);
  Region beyond = region;
  for (Expr side : {*l, *r}) {
    const Expr excess = pow(*l - *r, 2) - pow(*claim.within * side, 2);
    beyond.domain.push_back({algebra_.readable(excess), Bound::positive});
  }
  Verdict verdict = algebra_.are_equal(*l, *r, beyond);  // they are different there
  if (verdict.is_refuted() && has_motion && !certifies_motion(verdict.witness, *l - *r))
    return Verdict::of(Grade::unknown, "the relations do not determine it at every state");
  if (verdict.is_refuted()) return verdict;
  if (verdict.grade != Grade::empty) return checked_within(*l, *r, *claim.within, region);
  const Expr zero = algebra_.pool().number(0);
  return unless_text_has_no_value(algebra_.are_equal(zero, zero, region), about);
}

/// At points: no point was found beyond the tolerance, and no proof that there is none.
Verdict ClaimChecker::checked_within(Expr left, Expr right, const Rational& tolerance, const Region& region) {
  const Expr sides[] = {left, right};
  PointFinder finder(algebra_, region, sides, {.seed = algebra_.options().seed});
  BallComparison comparison(tolerance);
  Verdict verdict = Verdict::of(Grade::checked, "a statement within a tolerance");
  int undecided = 0;
  for (int i = 0; i < points_within; ++i) {
    const auto point = finder.next();
    if (!point) break;
    const auto values = finder.values(*point, sides, bits_within);
    if (!values) continue;
    const auto outcome = comparison.compare((*values)[0], (*values)[1], *values, bits_within);
    if (outcome == BallComparison::Outcome::agree) ++verdict.points;
    if (outcome == BallComparison::Outcome::undecided) ++undecided;
    if (outcome != BallComparison::Outcome::differ) continue;
    return Verdict::of(Grade::unknown, "it fails at a point that was not certified to be a state");
  }
  if (verdict.points == 0 && undecided > 0)
    return Verdict::of(Grade::unknown,
                       "the difference is as large as the tolerance, as far as can be computed");
  if (verdict.points == 0) return Verdict::of(Grade::unknown, "no state was found: " + finder.failure());
  verdict.digits = std::lround(-std::log10(tolerance.to_double()));
  verdict.region = finder.covered();
  return verdict;
}

}  // namespace liaison
