#include "kinks_at_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/unilateral/contact_law.hpp"

namespace liaison {

namespace {

/// What may jump or have no derivative at a state, with its name.
struct NamedText {
  std::string name;
  Expr text;
  bool is_rate_of_position = false;
};

bool is_steep_root(Expr node) {
  if (!node.is(Op::pow) || !node.arg(1).is_number()) return false;
  const Rational& exponent = node.arg(1).number();
  return exponent.sign() > 0 && exponent < Rational(1);
}

class KinksAtState {
 public:
  KinksAtState(Algebra& algebra, const System& system, const AssembledEquations& equations,
               const std::vector<NamedText>& texts, const ContactStateValues& state,
               const PossibleMotions& motions)
      : algebra_(algebra),
        system_(system),
        equations_(equations),
        texts_(texts),
        state_(state),
        at_(algebra, state),
        motions_(motions),
        velocities_(equations.parameters.begin(), equations.parameters.end()),
        moving_(velocities_) {
    moving_.insert(equations.positions.begin(), equations.positions.end());
    moving_.insert(system.time);
  }

  std::vector<std::string> find() {
    for (const NamedText& text : texts_) {
      const std::vector<Expr> arguments = piece_arguments({&text.text, 1}).jumps;
      if (std::none_of(arguments.begin(), arguments.end(),
                       [&](Expr u) { return moves(u) && jumps(text, u); }))
        look_for_roots(text);
    }
    return std::move(result_);
  }

 private:
  bool moves(Expr e) const {
    const std::vector<Expr> symbols = symbols_in(e);
    return std::any_of(symbols.begin(), symbols.end(), [&](Expr s) { return moving_.contains(s); });
  }
  bool has_velocity(Expr e) const {
    const std::vector<Expr> symbols = symbols_in(e);
    return std::any_of(symbols.begin(), symbols.end(), [&](Expr s) { return velocities_.contains(s); });
  }
  /// Beside its terms, as the state is known; what has no value is not zero.
  bool is_zero(Expr e) {
    try {
      const Rational value = at_(e);
      if (value.is_zero()) return true;
      return !at_.exact() && abs(value) <= at_.size_of_terms(e) * Rational(1, 1'000'000'000);
    } catch (const Error&) {
      return false;
    }
  }

  /// Wherever u is zero, not at the state alone: y*sign(x) jumps as soon as y has left zero.
  bool vanishes_on(Expr difference, Expr u) {
    if (difference.is_zero()) return true;
    if (!is_zero(difference)) return false;
    for (Expr symbol : symbols_in(u)) {
      if (!moving_.contains(symbol)) continue;
      const Expr slope = derivative(u, symbol);
      if (!slope.is_number() || slope.is_zero()) continue;
      return algebra_.is_zero(substitute(difference, {{symbol, symbol - u / slope}})).is_proved();
    }
    return false;
  }

  bool jumps(const NamedText& text, Expr u) {
    if (!is_zero(u)) return false;
    const Expr between = on_side({&text.text, 1}, u, 0)[0];
    for (const int side : {-1, 1}) {
      const Expr beside = on_side({&text.text, 1}, u, side)[0];
      if (vanishes_on(beside - between, u)) continue;
      const std::string friction =
          has_velocity(u)
              ? "; a friction that may hold is stated by `friction F` of a contact, or by the `power` of a "
                "constraint, not by a force"
              : "";
      result_.push_back(
          fmt::format("{} jumps where `{}` is zero, as it is here: what goes on is not read from the value "
                      "between the sides{}",
                      text.name, to_infix(u), friction));
      return true;
    }
    return false;
  }

  /// Its rate along a motion, which is as many times differentiable there as is asked.
  Expr rate_of(Expr e, const MotionNumbers& motion) const {
    Expr rate = derivative(e, system_.time);
    for (std::size_t i = 0; i < equations_.positions.size(); ++i)
      rate = rate + derivative(e, equations_.positions[i]) * equations_.position_rates[i];
    for (std::size_t i = 0; i < equations_.parameters.size(); ++i) {
      const Expr slope = derivative(e, equations_.parameters[i]);
      if (!slope.is_zero()) rate = rate + slope * system_.pool->number(motion.accelerations[i]);
    }
    return rate;
  }

  /// Whether every motion takes a base away from zero soon enough for one motion alone.
  bool leaves_zero(Expr base, bool of_positions) {
    if (motions_.motions.empty()) return false;
    return std::all_of(motions_.motions.begin(), motions_.motions.end(), [&](const PossibleMotion& motion) {
      return !motion.is_family() && leaves_zero(base, of_positions, motion.vertices[0]);
    });
  }
  bool leaves_zero(Expr base, bool of_positions, const MotionNumbers& motion) {
    try {
      const Expr rate = rate_of(base, motion);
      if (at_(rate).sign() != 0) return !is_zero(rate);
      if (!of_positions) return false;
      const Expr second = rate_of(rate, motion);
      return at_(second).sign() != 0 && !is_zero(second);
    } catch (const Error&) {
      return false;
    }
  }

  /// A root of a smooth base that is nowhere negative and vanishes with its gradient is Lipschitz from the
  /// square root on (Glaeser's inequality): sqrt(x^2 + y^2).
  bool is_lipschitz(Expr base, const Rational& exponent) {
    if (exponent < Rational(1, 2) || !is_seen_nonnegative(base)) return false;
    for (Expr node : postorder(base))
      if (node.is(Op::abs) || node.is(Op::min) || node.is(Op::max) || node.is(Op::sign) ||
          (node.is(Op::pow) && !node.arg(1).number().is_integer()))
        return false;
    const std::vector<Expr> symbols = symbols_in(base);
    return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
      return !moving_.contains(symbol) || is_zero(derivative(base, symbol));
    });
  }

  /// What stands under abs, or beside a constant in min and max.
  static Expr smooth_part(Expr base) {
    const PieceArguments pieces = piece_arguments({&base, 1});
    if (pieces.jumps.empty() && pieces.kinks.size() == 1 &&
        (base.is(Op::abs) || base.is(Op::min) || base.is(Op::max)))
      return pieces.kinks[0];
    return base;
  }

  /// Whether its size matters: where it is a factor of what vanishes with the only number in its base, there
  /// is a Lipschitz condition (x*sqrt(abs(x))).
  bool acts(const NamedText& text, Expr root) {
    Pool& pool = *system_.pool;
    Expr effect =
        substitute(text.text, {{root, pool.number(1)}}) - substitute(text.text, {{root, pool.number(0)}});
    std::vector<Expr> inner;
    for (Expr symbol : symbols_in(root))
      if (moving_.contains(symbol)) inner.push_back(symbol);
    if (inner.size() != 1 || !state_.values.contains(inner[0])) return true;
    for (Expr u : piece_arguments({&effect, 1}).jumps)
      if (is_zero(u)) effect = on_side({&effect, 1}, u, 1)[0];
    return !substitute(effect, {{inner[0], state_.values.at(inner[0])}}).is_zero();
  }

  void look_for_roots(const NamedText& text) {
    for (Expr node : postorder(text.text)) {
      if (!is_steep_root(node) || !moves(node.arg(0)) || !is_zero(node.arg(0))) continue;
      const Expr base = node.arg(0), inner = smooth_part(base);
      if (is_lipschitz(base, node.arg(1).number()) || !acts(text, node)) continue;
      const bool of_positions = !has_velocity(inner) && !text.is_rate_of_position;
      if (leaves_zero(inner, of_positions)) continue;
      result_.push_back(fmt::format(
          "`{}` in {} is a root of what is zero here, which has no derivative (no Lipschitz condition): "
          "beside the motion that the accelerations tell others may begin",
          to_infix(node), text.name));
      return;
    }
  }

  Algebra& algebra_;
  const System& system_;
  const AssembledEquations& equations_;
  const std::vector<NamedText>& texts_;
  const ContactStateValues& state_;
  ExactNumbers at_;
  const PossibleMotions& motions_;
  std::unordered_set<Expr> velocities_, moving_;
  std::vector<std::string> result_;
};

bool is_without_jumps_and_roots(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::none_of(nodes.begin(), nodes.end(),
                      [](Expr node) { return node.is(Op::sign) || is_steep_root(node); });
}

std::string name_of(const Direction& direction) {
  std::string name = direction.velocity.symbol().name;
  if (name.ends_with('\'')) name.pop_back();
  return name;
}

std::vector<NamedText> texts_of_equations(const System& system, const AssembledEquations& equations,
                                          const PossibleMotions& motions) {
  const std::size_t bilateral = system.constraints.size();
  std::vector<NamedText> result;
  const auto add = [&](const std::string& name, Expr e, bool is_rate = false) {
    if (!e.empty() && !is_without_jumps_and_roots(e)) result.push_back({name, e, is_rate});
  };
  for (std::size_t i = 0; i < equations.load.size(); ++i)
    add(fmt::format("the force on `{}`", name_of(system.directions[i])), equations.load[i]);
  for (const SparseEntry& entry : equations.mass.entries) add("the mass matrix", entry.value);
  for (std::size_t i = 0; i < equations.position_rates.size(); ++i)
    add(fmt::format("the rate of `{}`", to_infix(equations.positions[i])), equations.position_rates[i], true);
  for (const SparseEntry& entry : equations.directions.entries)
    add(fmt::format("the force of `{}`", equations.names[entry.row]), entry.value);
  for (const SparseEntry& entry : equations.gradients.entries)
    if (entry.row < bilateral)
      add(fmt::format("the gradient of `{}`", equations.names[entry.row]), entry.value);
  for (std::size_t k = 0; k < std::min(bilateral, equations.bias.size()); ++k)
    add(fmt::format("the rate of `{}`", equations.names[k]), equations.bias[k]);
  for (const std::size_t contact : motions.resting) {
    const Unilateral& unilateral = system.unilaterals[contact];
    for (const Resistance& resistance : contact_law(system, unilateral).resistances) {
      for (Expr coefficient : {resistance.slipping, resistance.sticking})
        add(fmt::format("a coefficient of `{}`", unilateral.name), coefficient);
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> open_at_kinks(Algebra& algebra, const System& system,
                                       const AssembledEquations& equations, const ContactStateValues& state,
                                       const PossibleMotions& motions) {
  const std::vector<NamedText> texts = texts_of_equations(system, equations, motions);
  if (texts.empty()) return {};
  return KinksAtState(algebra, system, equations, texts, state, motions).find();
}

}  // namespace liaison
