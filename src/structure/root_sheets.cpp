#include "root_sheets.hpp"

#include <algorithm>
#include <optional>

#include "liaison/algebra/switching.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "polynomial_form.hpp"
#include "simple_roots.hpp"

namespace liaison {

namespace {

bool has_parameters_alone(Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
}

/// A base u of u^(p/q) or of exp(c log(u)), and the node that holds it.
struct Base {
  Expr u, root;
};

void add_base(std::vector<Base>& bases, Expr u, Expr root) {
  if (has_parameters_alone(u)) return;
  if (std::none_of(bases.begin(), bases.end(), [&](const Base& base) { return base.u == u; }))
    bases.push_back({u, root});
}

std::vector<Base> bases_in(const std::vector<Expr>& texts) {
  std::vector<Base> bases;
  for (Expr node : postorder(texts)) {
    if (node.is(Op::pow) && !node.arg(1).number().is_integer()) add_base(bases, node.arg(0), node);
    if (!node.is(Op::exp) && !node.is(Op::sinh) && !node.is(Op::cosh) && !node.is(Op::tanh)) continue;
    for (Expr inner : postorder(node.arg(0))) {
      if (inner.is(Op::log)) add_base(bases, inner.arg(0), node);
    }
  }
  return bases;
}

/// The numerator of a base, as a polynomial in independent symbols.
class BasePolynomial {
 public:
  BasePolynomial(Algebra& algebra, const System& system, Expr u)
      : algebra_(algebra), form_(polynomial_form(algebra, system, u)) {}

  bool is_read() const { return form_.has_value(); }
  const PolynomialForm& form() const { return *form_; }

  /// Every factor that may vanish is one to an even power: the root of u^2 is the size of u.
  bool is_square() const {
    if (!form_) return false;
    const SignProduct product = sign_product(algebra_, form_->rational);
    bool is_any = false;
    for (const SignProduct::Factor& factor : product.factors) {
      if (never_zero(factor.base)) continue;
      if (!(factor.power / Rational(2)).is_integer()) return false;
      is_any = true;
    }
    return is_any;
  }

  bool has_parameters() const {
    return std::any_of(form_->terms.begin(), form_->terms.end(),
                       [](const Monomial& term) { return !term.coefficient.is_number(); });
  }

  /// Values for all symbols but one.
  UnivariatePolynomial along(Expr symbol, const std::vector<std::pair<Expr, Rational>>& values) const {
    UnivariatePolynomial result;
    for (const Monomial& term : form_->terms) {
      Rational coefficient = term.coefficient.number();
      std::size_t degree = 0;
      for (std::size_t k = 0; k < form_->symbols.size(); ++k) {
        if (form_->symbols[k] == symbol) {
          degree = term.exponents[k];
          continue;
        }
        const auto value = std::find_if(values.begin(), values.end(),
                                        [&](const auto& one) { return one.first == form_->symbols[k]; });
        coefficient = coefficient * power(value->second, static_cast<long>(term.exponents[k]));
      }
      if (result.size() <= degree) result.resize(degree + 1, Rational(0));
      result[degree] += coefficient;
    }
    return result;
  }

  /// Without a repeated factor for all values of the parameters.
  bool is_always_squarefree() const {
    for (std::size_t k = 0; k < form_->symbols.size(); ++k) {
      const Expr symbol = form_->symbols[k];
      if (form_->is_half_angle(symbol) || form_->is_exponential(symbol)) continue;
      if (is_always_squarefree_in(k)) return true;
    }
    return false;
  }

 private:
  /// Linear in a symbol, or quadratic with a discriminant that does not vanish identically, and a leading
  /// coefficient that is never zero.
  bool is_always_squarefree_in(std::size_t k) const {
    std::vector<Expr> by_power(3, algebra_.pool().number(0));
    unsigned degree = 0;
    for (const Monomial& term : form_->terms) {
      degree = std::max(degree, term.exponents[k]);
      if (degree > 2) return false;
      Expr rest = term.coefficient;
      for (std::size_t i = 0; i < form_->symbols.size(); ++i) {
        if (i != k) rest = rest * pow(form_->symbols[i], Rational(static_cast<long>(term.exponents[i])));
      }
      by_power[term.exponents[k]] += rest;
    }
    if (degree == 0 || !has_parameters_alone(by_power[degree]) || !never_zero(by_power[degree])) return false;
    if (degree == 1) return true;
    const Expr discriminant = by_power[1] * by_power[1] - Rational(4) * by_power[0] * by_power[2];
    const auto found = polynomial_coefficients(discriminant, form_->symbols);
    return found && std::any_of(found->begin(), found->end(),
                                [](const Monomial& term) { return never_zero(term.coefficient); });
  }

  Algebra& algebra_;
  std::optional<PolynomialForm> form_;
};

/// The bases of all roots, taken along lines through rational points.
class BaseSet {
 public:
  BaseSet(Algebra& algebra, const System& system, const std::vector<Base>& bases) {
    for (const Base& base : bases) {
      polynomials_.emplace_back(algebra, system, base.u);
      is_open_.push_back(!never_zero(base.u));
      if (!polynomials_.back().is_read()) continue;
      const PolynomialForm& form = polynomials_.back().form();
      for (std::size_t k = 0; k < form.symbols.size(); ++k) {
        if (std::find(symbols_.begin(), symbols_.end(), form.symbols[k]) != symbols_.end()) continue;
        symbols_.push_back(form.symbols[k]);
        is_mixed_ = is_mixed_ ||
                    std::find(variables_.begin(), variables_.end(), form.variables[k]) != variables_.end();
        variables_.push_back(form.variables[k]);
      }
    }
  }

  const BasePolynomial& polynomial(std::size_t k) const { return polynomials_[k]; }
  bool may_vanish(std::size_t k) const { return is_open_[k]; }

  /// One that is left when those are taken out, one after the other, that have a simple zero of their own
  /// among those left; nothing if all are taken out.
  std::optional<std::size_t> left() {
    const auto first_open = std::find(is_open_.begin(), is_open_.end(), true);
    if (first_open == is_open_.end()) return std::nullopt;
    const auto first = static_cast<std::size_t>(first_open - is_open_.begin());
    const auto is_unread = [](const BasePolynomial& base) { return !base.is_read(); };
    if (is_mixed_ || std::any_of(polynomials_.begin(), polynomials_.end(), is_unread)) return first;
    const auto with_parameters = [](const BasePolynomial& base) { return base.has_parameters(); };
    if (std::any_of(polynomials_.begin(), polynomials_.end(), with_parameters)) {
      constexpr std::size_t most = 2;  // the product of three that share factors in pairs is a square
      const bool is_free =
          polynomials_.size() <= most &&
          std::all_of(polynomials_.begin(), polynomials_.end(),
                      [](const BasePolynomial& base) { return base.is_always_squarefree(); });
      return is_free ? std::nullopt : std::optional(first);
    }
    std::vector<bool> is_left(polynomials_.size(), true);
    for (;;) {
      bool is_any = false;
      std::optional<std::size_t> found;
      for (std::size_t k = 0; k < polynomials_.size(); ++k) {
        if (!is_left[k] || !is_open_[k]) continue;
        is_any = true;
        if (has_own_zero(k, is_left)) found = k;
        if (found) break;
      }
      if (!is_any) return std::nullopt;
      if (!found) return first_left(is_left);
      is_left[*found] = false;
    }
  }

 private:
  std::size_t first_left(const std::vector<bool>& is_left) const {
    for (std::size_t k = 0;; ++k)
      if (is_left[k] && is_open_[k]) return k;
  }

  bool has_own_zero(std::size_t k, const std::vector<bool>& is_left) const {
    constexpr long attempts = 3;
    const UnivariatePolynomial never_tangent{1, 0, 1}, never_exponential{0, 1};  // i and -i; 0
    for (Expr symbol : polynomials_[k].form().symbols) {
      for (long attempt = 0; attempt < attempts; ++attempt) {
        std::vector<std::pair<Expr, Rational>> values;
        for (std::size_t i = 0; i < symbols_.size(); ++i)
          values.emplace_back(symbols_[i], Rational(7 + 4 * attempt + 6 * static_cast<long>(i),
                                                    5 + 2 * static_cast<long>(i)));
        std::vector<UnivariatePolynomial> others;
        if (polynomials_[k].form().is_half_angle(symbol)) others.push_back(never_tangent);
        if (polynomials_[k].form().is_exponential(symbol)) others.push_back(never_exponential);
        for (std::size_t j = 0; j < polynomials_.size(); ++j)
          if (j != k && is_left[j]) others.push_back(polynomials_[j].along(symbol, values));
        if (has_own_simple_root(polynomials_[k].along(symbol, values), others)) return true;
      }
    }
    return false;
  }

  std::vector<BasePolynomial> polynomials_;
  std::vector<bool> is_open_;
  std::vector<Expr> symbols_, variables_;
  bool is_mixed_ = false;  ///< z beside tan(z/2) or exp(z), which are no coordinates beside each other
};

}  // namespace

RootSheets sheets_of_roots(Algebra& algebra, const System& system, const std::vector<Expr>& texts) {
  const std::vector<Base> bases = bases_in(texts);
  BaseSet set(algebra, system, bases);
  for (std::size_t k = 0; k < bases.size(); ++k) {
    if (set.may_vanish(k) && set.polynomial(k).is_square()) return {Sheets::several, bases[k].root};
  }
  const auto left = set.left();
  return left ? RootSheets{Sheets::open, bases[*left].root} : RootSheets{};
}

}  // namespace liaison
