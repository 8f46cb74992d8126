#include "dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/integrals.hpp"
#include "text.hpp"

namespace liaison {

namespace {

/// A dimension that is known up to powers of unknown ones.
struct OpenDimension {
  Dimension known;
  std::map<std::size_t, Rational> unknown;  ///< exponent of each unknown

  bool is_closed() const { return unknown.empty(); }
};

OpenDimension combine(const OpenDimension& a, const OpenDimension& b, const Rational& exponent) {
  OpenDimension result = a;
  result.known = a.known * power(b.known, exponent);
  for (const auto& [index, value] : b.unknown) {
    Rational& sum = result.unknown[index];
    sum += value * exponent;
    if (sum.is_zero()) result.unknown.erase(index);
  }
  return result;
}

/// Dimensions of everything, by solving the equations as they come; an unknown is solved for at most once.
class DimensionCheck {
 public:
  DimensionCheck(const System& system, Reports& reports) : system_(system), reports_(reports) {
    energy_ = fresh();
    const OpenDimension second = closed(base_dimension(0, 0, 1));
    symbols_.emplace(system.time, second);
    for (const Parameter& parameter : system.parameters) {
      if (parameter.unit) symbols_.emplace(parameter.symbol, closed(parameter.unit->dimension));
    }
    for (const Direction& direction : system.directions) {
      const bool rate = direction.coordinate.empty();
      const OpenDimension of = rate             ? OpenDimension{}
                               : direction.unit ? closed(direction.unit->dimension)
                                                : fresh();
      if (!rate) symbols_.emplace(direction.coordinate, of);
      symbols_.emplace(direction.velocity, combine(of, second, -1));
    }
    for (const Rotation& rotation : system.rotations) {
      for (Expr e : rotation.quaternion) symbols_.emplace(e, OpenDimension{});
    }
    for (const Rheonomic& chosen : system.rheonomic) {
      const OpenDimension of = fresh();
      symbols_.emplace(chosen.symbol, of);
      symbols_.emplace(chosen.velocity, combine(of, second, -1));
    }
    for (const Query& query : system.queries) {
      const bool energy = query.kind == QueryKind::kinetic || query.kind == QueryKind::potential;
      symbols_.emplace(query.symbol, energy ? energy_ : fresh());
    }
  }

  void check(const Obligation& obligation) {
    span_ = obligation.span;
    failed_ = false;
    const OpenDimension value = infer(obligation.value);
    if (obligation.what.empty() || failed_) return;
    OpenDimension expected = closed(obligation.factor);
    if (obligation.energy) expected = combine(expected, energy_, 1);
    if (!obligation.like.empty()) expected = combine(expected, infer(obligation.like), 1);
    // a plain number takes the unit of what it is compared with
    const bool number =
        obligation.value.is_constant() || (!obligation.like.empty() && obligation.like.is_constant());
    if (failed_ || number || unify(value, expected)) return;
    const std::string found = describe(resolve(value).known);
    const std::string wanted = describe(resolve(expected).known);
    Diagnostic& diagnostic = reports_.add("L0412", span_, "");
    if (obligation.like_what.empty()) {
      diagnostic.message = fmt::format("units: {} is {}, and this is {}", obligation.what, wanted, found);
    } else {
      diagnostic.message =
          fmt::format("units: {} is {}, and {} is {}", obligation.what, found, obligation.like_what, wanted);
    }
    diagnostic.hint = "check the units of the parameters and coordinates in it";
  }

  /// What is known of an expression, once all that is said of the model has been taken in.
  std::optional<Dimension> known_of(Expr value) {
    is_quiet_ = true;
    failed_ = false;
    const OpenDimension found = resolve(infer(value));
    return failed_ || !found.is_closed() ? std::nullopt : std::optional(found.known);
  }
  void learn(Expr symbol, const Dimension& dimension) { unify(of_symbol(symbol), closed(dimension)); }

 private:
  static OpenDimension closed(const Dimension& dimension) { return {dimension, {}}; }
  OpenDimension fresh() {
    OpenDimension open;
    open.unknown.emplace(n_unknowns_++, Rational(1));
    return open;
  }

  /// Puts in what has been solved.
  OpenDimension resolve(const OpenDimension& open) {
    for (const auto& [index, exponent] : open.unknown) settle(index);
    return put_in(open);
  }

  /// Makes what an unknown was solved for free of solved unknowns, and all that it refers to: a long chain of
  /// references is gone through once.
  void settle(std::size_t unknown) {
    std::vector<std::size_t> path;
    if (solved_.contains(unknown)) path.push_back(unknown);
    while (!path.empty()) {
      OpenDimension& value = solved_.at(path.back());
      const auto open = std::find_if(value.unknown.begin(), value.unknown.end(), [this](const auto& part) {
        return solved_.contains(part.first) && !is_settled(part.first);
      });
      if (open != value.unknown.end()) {
        path.push_back(open->first);
        continue;
      }
      value = put_in(value);
      path.pop_back();
    }
  }

  bool is_settled(std::size_t solved) const {
    const auto& parts = solved_.at(solved).unknown;
    return std::none_of(parts.begin(), parts.end(),
                        [this](const auto& part) { return solved_.contains(part.first); });
  }

  OpenDimension put_in(const OpenDimension& open) const {
    OpenDimension result = open;
    for (const auto& [index, exponent] : open.unknown) {
      const auto solved = solved_.find(index);
      if (solved == solved_.end()) continue;
      result.unknown.erase(index);
      result = combine(result, solved->second, exponent);
    }
    return result;
  }

  /// Makes the two equal, or says that they cannot be.
  bool unify(const OpenDimension& a, const OpenDimension& b) {
    const OpenDimension difference = resolve(combine(a, b, -1));
    if (difference.is_closed()) return difference.known.is_none();
    const auto [index, exponent] = *difference.unknown.begin();
    OpenDimension rest = difference;
    rest.unknown.erase(index);
    solved_.emplace(index, combine(OpenDimension{}, rest, Rational(-1) / exponent));
    return true;
  }

  OpenDimension infer(Expr root) {
    for (Expr e : postorder(root)) {
      if (!known_.contains(e)) known_.emplace(e, compute(e));
      if (failed_) return {};
    }
    return known_.at(root);
  }

  OpenDimension compute(Expr e) {
    switch (e.op()) {
      case Op::number:
      case Op::pi: return {};
      case Op::symbol: return of_symbol(e);
      case Op::add:
      case Op::min:
      case Op::max: require_alike(e); return known_.at(with_unit(e));
      case Op::mul: {
        OpenDimension product;
        for (Expr factor : e.args()) product = combine(product, known_.at(factor), 1);
        return product;
      }
      case Op::pow: return combine({}, known_.at(e.arg(0)), e.arg(1).number());
      case Op::abs: return known_.at(e.arg(0));
      case Op::sign: return {};
      case Op::atan2: require_alike(e); return {};
      case Op::apply: return of_application(e);
      default: require_plain(e); return {};
    }
  }

  OpenDimension of_symbol(Expr e) {
    if (const auto known = symbols_.find(e); known != symbols_.end()) return known->second;
    const std::string& name = e.symbol().name;
    OpenDimension of = fresh();
    if (name.ends_with('\'')) {
      // x'' of x': one more second below
      const Expr base = system_.pool->find_symbol(name.substr(0, name.size() - 1));
      if (!base.empty()) of = combine(of_symbol(base), closed(base_dimension(0, 0, 1)), -1);
    }
    symbols_.emplace(e, of);
    return of;
  }

  /// One unknown dimension for each function and each of its arguments.
  OpenDimension of_application(Expr e) {
    if (is_integral(e)) return combine(known_.at(e.arg(0)), closed(base_dimension(0, 0, 1)), 1);
    const Application& application = e.application();
    auto [entry, is_new] = functions_.try_emplace(application.function);
    if (is_new) {
      for (std::uint32_t i = 0; i <= application.function->arity; ++i) entry->second.push_back(fresh());
    }
    OpenDimension result = entry->second.back();
    for (std::size_t i = 0; i < e.args().size(); ++i) {
      const OpenDimension& slot = entry->second[i];
      if (!unify(known_.at(e.arg(i)), slot)) {
        fail(fmt::format("units: `{}` takes {} elsewhere and {} here", application.function->name,
                         describe(resolve(slot).known), describe(resolve(known_.at(e.arg(i))).known)),
             "L0412", "an unknown function has one unit for each of its arguments");
      }
      result = combine(result, slot, -Rational(static_cast<long>(application.orders[i])));
    }
    return result;
  }

  /// The first argument that is not the number 0: zero is the same in every unit.
  static Expr with_unit(Expr e) { return e.arg(0).is_zero() ? e.arg(1) : e.arg(0); }

  /// u/road__unit1 of the table `road` of u, whose argument has another unit than its column.
  /// Without the units of numbers and of tables, which no text has.
  static std::string as_written(Expr e) {
    Substitution units;
    for (const Expr symbol : symbols_in(e))
      if (symbol.symbol().name.find("__unit") != std::string::npos) units.emplace(symbol, e.pool().number(1));
    return to_infix(units.empty() ? e : substitute(e, units));
  }

  bool fail_in_table(Expr term) {
    if (!term.is(Op::mul)) return false;
    for (Expr factor : term.args()) {
      if (!factor.is(Op::pow) || !factor.arg(0).is(Op::symbol)) continue;
      const Expr symbol = factor.arg(0);
      const std::string& name = symbol.symbol().name;
      const std::size_t mark = name.find("__unit1");
      if (mark == std::string::npos) continue;
      const OpenDimension column = resolve(of_symbol(symbol));
      fail(fmt::format("units: the argument of the table `{}` is {}, and its first column is {}",
                       excerpt(name.substr(0, mark)),
                       describe(resolve(combine(known_.at(term), column, 1)).known), describe(column.known)),
           "L0412", "a number has no unit: give it one as a parameter");
      return true;
    }
    return false;
  }

  void require_alike(Expr e) {
    for (Expr arg : e.args().subspan(1)) {
      if (arg.is_zero() || unify(known_.at(with_unit(e)), known_.at(arg))) continue;
      if (fail_in_table(arg) || fail_in_table(with_unit(e))) return;
      const auto shown = [&](Expr term) {
        return fmt::format("`{}` is {}", excerpt(as_written(term)), describe(resolve(known_.at(term)).known));
      };
      fail(fmt::format("units: {} and {}", shown(e.arg(0)), shown(arg)), "L0412",
           !e.is(Op::add)         ? "both arguments need one unit"
           : e.arg(0).is_number() ? "a number in a sum has no unit: give it one as a parameter"
                                  : "only terms of one unit can be added");
      return;
    }
  }

  void require_plain(Expr e) {
    for (Expr arg : e.args()) {
      if (unify(known_.at(arg), {})) continue;
      fail(fmt::format("units: the argument of a function is a plain number, and `{}` is {}",
                       excerpt(as_written(arg)), describe(resolve(known_.at(arg)).known)),
           "L0413", "divide it by something of the same unit");
      return;
    }
  }

  void fail(std::string message, std::string code, std::string hint) {
    if (!failed_ && !is_quiet_) reports_.add(std::move(code), span_, std::move(message), std::move(hint));
    failed_ = true;
  }

  const System& system_;
  Reports& reports_;
  std::size_t n_unknowns_ = 0;
  OpenDimension energy_;
  std::unordered_map<Expr, OpenDimension> symbols_;
  std::unordered_map<Expr, OpenDimension> known_;
  std::unordered_map<const FunctionInfo*, std::vector<OpenDimension>> functions_;
  std::unordered_map<std::size_t, OpenDimension> solved_;
  Span span_;
  bool failed_ = false, is_quiet_ = false;
};

}  // namespace

Dimension base_dimension(int metre, int kilogram, int second) {
  Dimension dimension;
  dimension.exponents[0] = metre;
  dimension.exponents[1] = kilogram;
  dimension.exponents[2] = second;
  return dimension;
}

namespace {

/// What fixes most comes first, so that what does not agree with it is blamed: values with a unit of their
/// own, then the masses that say what an energy is, then the text from its begin to its end.
int rank_of(const Obligation& obligation, const System& system) {
  if (!obligation.energy) return obligation.like.empty() && !obligation.what.empty() ? 0 : 2;
  const auto is_here = [&](const auto& each) { return each.span.begin == obligation.span.begin; };
  const bool is_mass = std::any_of(system.particles.begin(), system.particles.end(), is_here) ||
                       std::any_of(system.bodies.begin(), system.bodies.end(), is_here);
  return is_mass ? 1 : 2;
}

ToldDimensions told_by(const System& system, DimensionCheck& check) {
  ToldDimensions told;
  const auto uses_table = [](Expr value) {
    const std::vector<Expr> symbols = symbols_in(value);
    return std::any_of(symbols.begin(), symbols.end(),
                       [](Expr symbol) { return symbol.symbol().name.find("__unit") != std::string::npos; });
  };
  const auto tell = [&](const Constraint& one) {
    const Expr moving = moved_by_factor(one);
    if (moving.empty()) return;
    const std::optional<Dimension> moved = check.known_of(moving);
    const auto of = moved ? std::optional(dimension_of_factor(one, *moved)) : std::nullopt;
    if (of) check.learn(one.factor, *of);
    if (uses_table(moving)) told.factors.emplace(one.name, of);
  };
  for (const Constraint& one : system.constraints) tell(one);
  for (const Unilateral& one : system.unilaterals) tell(one);
  for (const Output& output : system.outputs)
    if (uses_table(output.value)) told.outputs.emplace(output.name, check.known_of(output.value));
  return told;
}

}  // namespace

Expr moved_by_factor(const Constraint& constraint) {
  if (constraint.power_kind != PowerKind::ideal) return constraint.power;
  const Expr relation = constraint.relation;
  return relation.is(Op::add) && relation.arg(0).is_number() ? relation - relation.arg(0) : relation;
}

Dimension dimension_of_factor(const Constraint& constraint, const Dimension& moved) {
  const Dimension watt = base_dimension(2, 1, -3);
  const bool is_level = constraint.power_kind == PowerKind::ideal && constraint.holonomic;
  return watt / (is_level ? moved / base_dimension(0, 0, 1) : moved);
}

ToldDimensions check_dimensions(const System& system, const Obligations& obligations, Reports& reports) {
  std::vector<std::pair<int, const Obligation*>> order;
  for (const Obligation& each : obligations.list()) order.emplace_back(rank_of(each, system), &each);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  DimensionCheck check(system, reports);
  for (const auto& [rank, obligation] : order) {
    if (reports.full()) return {};
    check.check(*obligation);
  }
  return reports.empty() ? told_by(system, check) : ToldDimensions{};
}

}  // namespace liaison
