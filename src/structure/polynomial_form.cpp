#include "polynomial_form.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>

#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/open_conditions.hpp"

namespace liaison {

namespace {

bool has_parameters_alone(Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  const std::vector<Expr> nodes = postorder(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; }) &&
         std::none_of(nodes.begin(), nodes.end(), [](Expr node) { return node.is(Op::apply); });
}

bool has(const std::vector<Expr>& list, Expr e) {
  return std::find(list.begin(), list.end(), e) != list.end();
}

class Reader {
 public:
  Reader(Algebra& algebra, const System& system) : algebra_(algebra), system_(system) {}

  std::optional<PolynomialForm> read(Expr e) {
    const auto rational = rewritten(e);
    if (!rational) return std::nullopt;
    form_.rational = algebra_.canonical(*rational).value;
    const Expr alone[] = {form_.rational};
    Expr numerator = algebra_.pool().number(1);
    for (Expr factor : form_.rational.is(Op::mul) ? form_.rational.args() : std::span<const Expr>(alone)) {
      if (!factor.is(Op::pow) || factor.arg(1).number().sign() > 0) numerator = numerator * factor;
    }
    auto terms = polynomial_coefficients(numerator, form_.symbols);
    if (!terms) return std::nullopt;
    form_.terms = std::move(*terms);
    return std::move(form_);
  }

 private:
  bool is_of_a_rotation(Expr symbol) const {
    return std::any_of(system_.rotations.begin(), system_.rotations.end(), [&](const Rotation& rotation) {
      return std::find(rotation.quaternion.begin(), rotation.quaternion.end(), symbol) !=
             rotation.quaternion.end();
    });
  }

  /// A variable of the states that no relation binds.
  bool is_free(Expr symbol) const {
    switch (symbol.symbol().kind) {
      case SymbolKind::time: return true;
      case SymbolKind::coordinate:
        return !is_of_a_rotation(symbol) &&
               std::none_of(system_.constraints.begin(), system_.constraints.end(),
                            [](const Constraint& constraint) { return constraint.holonomic; });
      case SymbolKind::velocity: return system_.constraints.empty() && system_.chart.parameters.empty();
      default: return false;
    }
  }

  void add_once(std::vector<Expr>& list, Expr symbol) {
    if (!has(list, symbol)) list.push_back(symbol);
  }

  /// `scale`: of the symbol in the argument of its functions.
  Expr stand_in(Expr symbol, Op use, const Rational& scale = Rational(1)) {
    Expr result = symbol;
    if (use != Op::symbol) {
      std::string name = (use == Op::tan ? "#half_" : "#exp_") + symbol.symbol().name;
      if (scale != Rational(1)) name += "_" + scale.to_string();
      result = algebra_.pool().symbol(name, SymbolKind::auxiliary);
      add_once(use == Op::tan ? form_.half_angles : form_.exponentials, result);
    }
    if (!has(form_.symbols, result)) {
      form_.symbols.push_back(result);
      form_.variables.push_back(symbol);
    }
    return result;
  }

  std::optional<Expr> rewritten(Expr e) {
    if (e.is_number() || has_parameters_alone(e)) return e;
    switch (e.op()) {
      case Op::symbol: return is_free(e) ? std::optional(stand_in(e, Op::symbol)) : std::nullopt;
      case Op::sin:
      case Op::cos:
      case Op::tan:
      case Op::exp:
      case Op::sinh:
      case Op::cosh:
      case Op::tanh: return rewritten_function(e);
      case Op::add:
      case Op::mul: break;
      case Op::pow:
        if (!e.arg(1).number().is_integer()) return std::nullopt;
        break;
      default: return std::nullopt;
    }
    std::vector<Expr> args;
    for (Expr arg : e.args()) {
      const auto its = rewritten(arg);
      if (!its) return std::nullopt;
      args.push_back(*its);
    }
    return algebra_.pool().rebuild(e, args);
  }

  std::optional<Expr> rewritten_function(Expr e) {
    const Expr argument = e.arg(0);
    const bool is_scaled = argument.is(Op::mul) && argument.args().size() == 2 && argument.arg(0).is_number();
    const Expr symbol = is_scaled ? argument.arg(1) : argument;
    const Rational one(1), two(2), scale = is_scaled ? argument.arg(0).number() : one;
    if (!symbol.is(Op::symbol) || !is_free(symbol) || scale.sign() < 0) return std::nullopt;
    const bool is_circular = e.is(Op::sin) || e.is(Op::cos) || e.is(Op::tan);
    // functions of other multiples depend on these
    const auto known = scales_.try_emplace(symbol, scale).first;
    if (known->second != scale) return std::nullopt;
    const Expr s = stand_in(symbol, is_circular ? Op::tan : Op::exp, scale), square = s * s;
    switch (e.op()) {
      case Op::sin: return two * s / (square + one);
      case Op::cos: return (-square + one) / (square + one);
      case Op::tan: return two * s / (-square + one);
      case Op::sinh: return (square + Rational(-1)) / (two * s);
      case Op::cosh: return (square + one) / (two * s);
      case Op::tanh: return (square + Rational(-1)) / (square + one);
      default: return s;
    }
  }

  Algebra& algebra_;
  const System& system_;
  PolynomialForm form_;
  std::unordered_map<Expr, Rational> scales_;
};

}  // namespace

bool PolynomialForm::is_half_angle(Expr symbol) const {
  return has(half_angles, symbol);
}

bool PolynomialForm::is_exponential(Expr symbol) const {
  return has(exponentials, symbol);
}

std::optional<PolynomialForm> polynomial_form(Algebra& algebra, const System& system, Expr e) {
  return Reader(algebra, system).read(e);
}

Conditions conditions_on_values(Algebra& algebra, const System& system, Expr e,
                                std::span<const Expr> independent) {
  constexpr std::size_t most_terms = 1000;
  Conditions result;
  for (const Expr factor : factors_that_may_vanish(std::span(&e, 1))) {
    if (!may_vanish_for_all_states(factor)) continue;
    const auto terms = polynomial_coefficients(algebra.canonical(factor).value, independent, most_terms);
    std::optional<Conditions> best;
    if (terms) {
      for (const Monomial& term : *terms) {
        Conditions own = conditions_on_values(algebra, system, algebra.readable(term.coefficient));
        if (!best || own.size() < best->size()) best = std::move(own);
      }
    }
    add_conditions(result, best ? *best : Conditions{factor});
  }
  return result;
}

void add_conditions(Conditions& conditions, const Conditions& more) {
  for (const Expr e : more) {
    if (!has(conditions, e)) conditions.push_back(e);
  }
}

Conditions conditions_on_values(Algebra& algebra, const System& system, Expr e) {
  Conditions result;
  for (const Expr factor : factors_that_may_vanish(std::span(&e, 1))) {
    if (!may_vanish_for_all_states(factor)) continue;
    const auto form = polynomial_form(algebra, system, factor);
    if (!form) {
      result.push_back(factor);
      continue;
    }
    const bool is_never_nothing =
        std::any_of(form->terms.begin(), form->terms.end(),
                    [](const Monomial& term) { return never_zero(term.coefficient); });
    if (is_never_nothing) continue;
    if (form->terms.size() != 1) {
      result.push_back(factor);
      continue;
    }
    for (const Expr own : factors_that_may_vanish(std::span(&form->terms[0].coefficient, 1)))
      result.push_back(own);
  }
  return result;
}

}  // namespace liaison
