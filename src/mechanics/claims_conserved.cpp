#include <fmt/format.h>

#include <algorithm>

#include "jumps.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/manifold.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/motion_texts.hpp"
#include "power_balance.hpp"

namespace liaison {

namespace {

bool has_parameters_alone(Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
}

/// Rational in symbols, sines and exponentials: along an analytic motion it is an analytic function of the
/// time apart from poles, and what has the derivative zero is the same on both sides of a pole. atan(1/x) is
/// not. What has parameters alone, sqrt(k/m), is a constant of every motion.
bool is_meromorphic(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::all_of(nodes.begin(), nodes.end(), [](Expr node) {
    if (has_parameters_alone(node)) return true;
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

/// The equations are analytic, and so are their motions where the accelerations are determined: no pieces, no
/// roots, no unknown functions.
bool has_analytic_equations(const System& system) {
  const std::vector<Expr> all = motion_texts(system);
  return std::all_of(all.begin(), all.end(), is_meromorphic);
}

/// It divides by nothing that may vanish but by what is told not to.
bool divides_at_most_by(const Conditions& told, Expr e) {
  Conditions divisors;
  add_denominators({e}, divisors);
  divisors = factors_that_may_vanish(divisors);
  return std::all_of(divisors.begin(), divisors.end(), [&](Expr divisor) {
    return std::find(told.begin(), told.end(), divisor) != told.end();
  });
}

/// e' = g e on the motion, where g has a value: then e does not come to 0 in a finite time. `told` are the
/// conditions of what is claimed.
bool is_own_rate(Algebra& algebra, DerivedQuantities& quantities, Expr e, Conditions told) {
  // that e itself is not zero is what is asked
  std::erase_if(told,
                [&](Expr c) { return algebra.follows(c, {.equations = {e}, .domain = {}, .assumed = {}}); });
  const Motion& motion = quantities.motion();
  const Conditions needed = factors_that_may_vanish(motion.conditions);
  const bool is_solved =
      motion.grade == Grade::proved && std::all_of(needed.begin(), needed.end(), [&](Expr c) {
        return std::find(told.begin(), told.end(), c) != told.end();
      });
  const Expr rate = time_derivative(*motion.space.system, e);
  const auto surface = quantities.in_motion_variables(e);
  const auto solved = is_solved ? quantities.in_state_variables(rate) : quantities.in_motion_variables(rate);
  return surface && solved && divides_at_most_by(told, algebra.canonical(*solved / *surface).value);
}

/// e >= 0 at every state (proved): a motion does not leave the domain through e = 0.
bool is_never_negative(Algebra& algebra, const Motion& motion, DerivedQuantities& quantities, Expr e) {
  const auto value = quantities.in_motion_variables(e);
  if (!value) return false;
  Region below = motions_of(algebra, motion);
  below.domain.push_back({-*value, Bound::positive});
  return algebra.follows(algebra.pool().number(1), below);
}

/// At every state with e = 0 the mass matrix is regular and det r is not zero (proved): accelerations are
/// analytic there where the equations are, and a motion through it is analytic in time.
bool is_regular_on(Algebra& algebra, const Motion& motion, DerivedQuantities& quantities, Expr e) {
  const auto surface = quantities.in_motion_variables(e);
  if (!surface || quantities.mentions_motion(*surface)) return false;
  const bool is_free = motion.status == FactorStatus::none;
  const bool has_determinant = motion.status == FactorStatus::determined && motion.closed_form &&
                               motion.grade == Grade::proved &&
                               motion.constraints.size() == motion.relation_count;
  if (!is_free && !has_determinant) return false;
  Region on_it = states_of(motion);
  on_it.equations.push_back(*surface);
  const auto is_never_zero = [&](Expr determinant) {
    Region there = on_it;
    there.equations.push_back(determinant);
    return algebra.follows(algebra.pool().number(1), there);
  };
  const DeterminantResult mass = determinant(algebra, motion.free.mass);
  return is_never_zero(mass.value) && (is_free || is_never_zero(motion.determinant));
}

/// What a quantity divides by falls out of its canonical form, which is continuous wherever it has a value:
/// x*x'/x is x' on both sides of x = 0. Each place that this form needs as well is asked for by itself.
bool is_removable(Algebra& algebra, Expr kept, const Domain& asked, Expr e) {
  const Expr plain = algebra.canonical(kept).value, one[] = {plain};
  const PieceArguments pieces = piece_arguments(one);
  if (!pieces.jumps.empty() || !pieces.kinks.empty() || !cuts(one).empty()) return false;
  const Domain needed = natural_domain(one);
  return std::all_of(needed.begin(), needed.end(), [&](const Requirement& requirement) {
    return requirement.e != e && std::any_of(asked.begin(), asked.end(), [&](const Requirement& other) {
             return other.e == requirement.e;
           });
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

/// With the one piece that it has on surfaces on which all states lie: sign(f(x)) is 0 where f(x) = 0.
Expr on_the_states(Algebra& algebra, const Motion& motion, DerivedQuantities& quantities, Expr e) {
  const PieceArguments pieces = piece_arguments(std::span(&e, 1));
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) {
      const auto surface = quantities.in_motion_variables(u);
      if (surface && algebra.follows(*surface, states_of(motion))) e = value_at(e, u);
    }
  }
  return e;
}

}  // namespace

/// Its derivative vanishes on every motion, off the switching surfaces of its pieces; and it does not jump
/// where a motion crosses one. Of a density, with its rate as `left`, whose rate is asked elsewhere: that
/// alone.
Verdict ClaimChecker::conserved(const Claim& claim, std::string& detail) {
  const System& system = *motion_.space.system;
  const bool is_density = !claim.left.empty();
  const Expr kept = on_the_states(algebra_, motion_, quantities_,
                                  on_solved_relations(motion_, with_energies(system, claim.conserved)));
  const Expr rate = time_derivative(system, kept), zero = algebra_.pool().number(0);
  const auto in_motion = is_density ? std::nullopt : quantities_.in_motion_variables(rate);
  const Expr both[] = {kept, rate};
  const PieceArguments pieces = piece_arguments(both);
  Claim off_the_surfaces = claim;
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) add_requirement(off_the_surfaces.domain, u, Bound::nonzero);
  }
  const auto balanced = in_motion ? follows_from_equations_of_motion(*in_motion) : std::nullopt;
  // what forces and drives do is seen in the balance of power; beside reactions it may be lost to rounding
  const auto without_accelerations = [&](Expr e) -> std::optional<Expr> {
    const auto linear = by_accelerations(motion_, e);
    const auto w = linear ? combination_for(linear->coefficients) : std::nullopt;
    if (!w) return std::nullopt;
    Conditions divisors;
    add_denominators(*w, divisors);
    if (!factors_that_may_vanish(divisors).empty()) return std::nullopt;
    return left_by_equations_of_motion(algebra_, motion_, linear->rest, *w);
  };
  const auto power = !balanced && in_motion ? without_accelerations(*in_motion) : std::nullopt;
  const Verdict of_power = power && !quantities_.mentions_motion(*power)
                               ? equality_of_every_motion(*power, zero, off_the_surfaces)
                               : Verdict::of(Grade::unknown);
  Verdict verdict = is_density                                      ? Verdict::of(Grade::proved)
                    : balanced                                      ? proved_of_every_motion(claim, *balanced)
                    : of_power.is_proved() || of_power.is_refuted() ? of_power
                                                                    : equality(rate, zero, off_the_surfaces);
  // a state without a motion says nothing about what a motion keeps
  if (verdict.is_refuted() && in_motion && !quantities_.mentions_motion(*in_motion))
    verdict = equality_of_every_motion(*in_motion, zero, off_the_surfaces);
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {  // a motion may stay on a surface
    for (Expr u : *list) {
      if (!is_density && verdict.holds() && !stays_kept_on(kept, u))
        return Verdict::of(Grade::unknown,
                           fmt::format("it is not known whether it is kept where {} = 0", to_infix(u)));
    }
  }
  if (!verdict.holds()) return verdict;
  JumpSearch jumps(algebra_, motion_, quantities_, with_text(motions_of(algebra_, motion_), claim),
                   [&](Expr left, Expr right, const Region& motions) {
                     return equality_on_motions(left, right, motions);
                   });
  if (is_density) jumps.leave_out_surfaces();
  verdict = conjunction(std::move(verdict), jumps.search(kept, detail));
  if (!verdict.holds()) return verdict;
  const auto vanishes_at = [&](Expr value, Expr border) {
    const auto surface = quantities_.in_motion_variables(border);
    if (!surface) return false;
    Region on_it = with_text(states_of(motion_), claim);
    on_it.equations.push_back(*surface);
    return algebra_.follows(value, on_it);
  };
  const bool may_continue = is_meromorphic(kept) && has_analytic_equations(system);
  for (const Requirement& requirement : claim.domain) {
    if (may_continue && is_regular_on(algebra_, motion_, quantities_, requirement.e)) continue;
    if (requirement.bound == Bound::nonzero && is_removable(algebra_, kept, claim.domain, requirement.e))
      continue;
    // what must be positive may be so on both sides of a zero: 1/sqrt(x^2)
    if (is_never_crossed(requirement.e)) continue;
    if (requirement.bound != Bound::nonnegative &&
        is_own_rate(algebra_, quantities_, requirement.e, factors_that_may_vanish(verdict.conditions)))
      continue;
    // behind the border of a root it has no value, and may have another one where a motion comes back
    if (requirement.bound == Bound::nonnegative &&
        is_never_negative(algebra_, motion_, quantities_, requirement.e))
      continue;
    const auto value = quantities_.in_motion_variables(kept);  // the same behind every border
    // what is zero at a border of a root is so on every motion that comes there
    if (requirement.bound == Bound::nonnegative && value && vanishes_at(*value, requirement.e)) continue;
    if (value && algebra_.follows(*value, with_text(states_of(motion_), claim))) return verdict;
    return Verdict::of(Grade::unknown,
                       fmt::format("{}, but it may jump where a motion crosses {} = 0",
                                   is_density ? "its rate is that of a density" : "its derivative is zero",
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

/// No motion comes to e = 0, or one that is there stays there (proved): a quantity with a pole there stays on
/// one side of it. That the rate vanishes on e = 0 would not do: y^3 + y^5 changes its sign with the rate 0.
bool ClaimChecker::is_never_crossed(Expr e) {
  const Domain& domain = motion_.space.system->domain;
  const auto excludes = [&](const Requirement& requirement) {
    return requirement.e == e && requirement.bound != Bound::nonnegative;
  };
  if (std::any_of(domain.begin(), domain.end(), excludes)) return true;
  const auto surface = quantities_.in_motion_variables(e);
  if (!surface) return false;
  const auto rate = quantities_.in_motion_variables(time_derivative(*motion_.space.system, e));
  if (!rate) return false;
  Region on_it = motions_of(algebra_, motion_);
  if (algebra_.follows(*rate, on_it)) return true;
  on_it.equations.push_back(*surface);
  return algebra_.follows(algebra_.pool().number(1), on_it);
}

}  // namespace liaison
