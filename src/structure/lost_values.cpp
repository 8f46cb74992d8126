#include "lost_values.hpp"

#include <algorithm>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/factors.hpp"
#include "liaison/algebra/real_roots.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/manifold.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "polynomial_form.hpp"

namespace liaison {

namespace {

bool has(const std::vector<Expr>& list, Expr e) {
  return std::find(list.begin(), list.end(), e) != list.end();
}

class Divisors {
 public:
  Divisors(Algebra& algebra, const StateFlow& flow, std::span<const Expr> parameters,
           const Substitution& beside)
      : algebra_(algebra), flow_(flow), parameters_(parameters) {
    Conditions all = flow.conditions;
    add_denominators(flow.field.components(), all);
    all.insert(all.end(), flow.standing.for_values.begin(), flow.standing.for_values.end());
    for (Expr divisor : all) {
      if (!is_asked_about(divisor)) continue;
      for (Expr factor : factors_of(algebra, algebra.readable(substitute(divisor, beside)))) add(factor);
    }
  }

  /// In the parameters alone: a divisor vanishes at all states where all of one of these lists do.
  const std::vector<std::vector<Expr>>& conditions() const { return conditions_; }

 private:
  bool is_asked_about(Expr e) const {
    return std::any_of(parameters_.begin(), parameters_.end(), [&](Expr p) { return depends_on(e, p); });
  }
  static bool has_parameters_alone(Expr e) {
    const std::vector<Expr> symbols = symbols_in(e);
    return !may_contain_functions(e) && std::all_of(symbols.begin(), symbols.end(), [](Expr symbol) {
      return symbol.symbol().kind == SymbolKind::parameter;
    });
  }
  static bool may_contain_functions(Expr e) {
    const std::vector<Expr> nodes = postorder(e);
    return std::any_of(nodes.begin(), nodes.end(), [](Expr node) { return node.is(Op::apply); });
  }

  void add_conditions(std::vector<Expr> together) {
    if (std::find(conditions_.begin(), conditions_.end(), together) == conditions_.end())
      conditions_.push_back(std::move(together));
  }

  /// A factor vanishes at all states where all its coefficients do.
  void add(Expr factor) {
    if (!is_asked_about(factor) || never_zero(factor)) return;
    if (has_parameters_alone(factor)) return add_conditions({factor});
    std::vector<Expr> coefficients;
    if (const auto form = polynomial_form(algebra_, *flow_.motion->space.system, factor)) {
      for (const Monomial& term : form->terms) coefficients.push_back(term.coefficient);
    } else {
      coefficients = coefficients_beside_state(factor);
    }
    const auto is_open = [&](Expr e) { return is_asked_about(e) && !never_zero(e); };
    if (coefficients.empty() || !std::all_of(coefficients.begin(), coefficients.end(), is_open)) return;
    if (coefficients.size() == 1) {
      for (Expr e : factors_of(algebra_, coefficients.front())) {
        if (has_parameters_alone(e) && is_open(e)) add_conditions({e});
      }
    } else {
      add_conditions(std::move(coefficients));
    }
  }

  /// Functions of the states count as independent of each other and of the states: what relations between
  /// them make zero is not seen.
  std::vector<Expr> coefficients_beside_state(Expr e) const {
    const Expr whole = algebra_.canonical(e).value;
    std::vector<Expr> variables;
    for (Expr symbol : symbols_in(whole)) {
      if (symbol.symbol().kind != SymbolKind::parameter) variables.push_back(symbol);
    }
    Substitution stand_ins;
    for (Expr node : postorder(whole)) {
      const bool is_plain =
          node.is_number() || node.is(Op::symbol) || node.is(Op::add) || node.is(Op::mul) ||
          (node.is(Op::pow) && node.arg(1).is_number() && node.arg(1).number().is_integer());
      if (is_plain || has_parameters_alone(node)) continue;
      const Expr symbol =
          algebra_.pool().symbol("#function" + std::to_string(stand_ins.size()), SymbolKind::auxiliary);
      stand_ins.emplace(node, symbol);
      variables.push_back(symbol);
    }
    const auto terms =
        polynomial_coefficients(stand_ins.empty() ? whole : substitute(whole, stand_ins), variables);
    std::vector<Expr> result;
    if (terms) {
      for (const Monomial& term : *terms) result.push_back(term.coefficient);
    }
    return result;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  std::span<const Expr> parameters_;
  std::vector<std::vector<Expr>> conditions_;
};

}  // namespace

std::vector<std::vector<Expr>> conditions_without_closed_forms(Algebra& algebra, const StateFlow& flow,
                                                               std::span<const Expr> parameters,
                                                               const Substitution& beside) {
  return Divisors(algebra, flow, parameters, beside).conditions();
}

LostValues values_without_closed_forms(Algebra& algebra, const StateFlow& flow, Expr parameter,
                                       const Substitution& beside) {
  LostValues result;
  const std::span<const Expr> alone(&parameter, 1);
  for (const auto& together : conditions_without_closed_forms(algebra, flow, alone, beside)) {
    const Expr shortest = *std::min_element(together.begin(), together.end(), [](Expr a, Expr b) {
      return count_written_operations(a) < count_written_operations(b);
    });
    for (Expr condition : factors_of(algebra, shortest)) {
      const auto linear = linear_coefficients(algebra.canonical(condition).value, alone);
      if (linear && linear->coefficients[0].is_number() && linear->rest.is_number()) {
        if (linear->coefficients[0].is_zero()) continue;
        const Rational value = -linear->rest.number() / linear->coefficients[0].number();
        const Substitution there{{parameter, algebra.pool().number(value)}};
        const bool is_root = std::all_of(together.begin(), together.end(), [&](Expr e) {
          return algebra.canonical(substitute(e, there)).value.is_zero();
        });
        if (is_root && std::find(result.values.begin(), result.values.end(), value) == result.values.end())
          result.values.push_back(value);
      } else if (!never_zero(condition) && depends_on(condition, parameter) &&
                 most_real_roots(algebra, condition, parameter) != std::size_t{0} &&
                 !has(result.roots_of, condition)) {
        result.roots_of.push_back(condition);
      }
    }
  }
  return result;
}

}  // namespace liaison
