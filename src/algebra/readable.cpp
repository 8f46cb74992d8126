#include "readable.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "keeping.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/traverse.hpp"
#include "linear.hpp"
#include "memory.hpp"
#include "rewrite.hpp"

namespace liaison {

namespace {

constexpr double call_cost = 2;
constexpr double bar_cost = 0.5;
constexpr std::size_t max_depth = 60;     // of nested functions whose arguments are made readable too
constexpr std::size_t max_terms = 1'000;  // beyond that the form as given and the canonical one compete alone

constexpr std::size_t max_nodes = 20'000;  // beyond that no form is for reading

bool is_function(Op op) {
  return op >= Op::sin;
}

double cost_of_power(Expr e, double base) {
  const Rational& exponent = e.arg(1).number();
  const bool is_bar = exponent.sign() < 0;
  if (exponent == Rational(-1)) return base + bar_cost;
  return base + 1 + (is_bar ? bar_cost : 0) + (exponent.is_integer() ? 0 : 1);
}

double cost_of_node(Expr e, const std::unordered_map<Expr, double>& known) {
  double sum = 0;
  for (Expr arg : e.args()) sum += known.at(arg);
  switch (e.op()) {
    case Op::add: return sum + static_cast<double>(e.args().size()) - 1;
    case Op::mul: {
      const bool is_minus = e.arg(0).is_number() && e.arg(0).number() == Rational(-1);
      return sum + static_cast<double>(e.args().size()) - (is_minus ? 1.5 : 1);
    }
    case Op::pow: return cost_of_power(e, known.at(e.arg(0)));
    case Op::number: return e.number().is_integer() ? 0 : bar_cost;
    case Op::pi:
    case Op::symbol: return 0;
    default: return sum + call_cost;
  }
}

/// The candidates that come from one fraction: numerator and denominator, each in its cheapest form.
Expr write_fraction(const Field& field, const Fraction& value) {
  const PolynomialWriter writer(field);
  if (value.is_zero()) return field.pool().number(0);
  const Rational top = value.num.content(), bottom = value.den.content();
  const Expr num = writer.write(exact_quotient(value.num, top));
  if (value.den.is_constant()) return top / bottom * num;
  const Expr den = writer.write(exact_quotient(value.den, bottom));
  const std::array factors{field.pool().number(top / bottom), num, pow(den, Rational(-1))};
  return field.pool().mul(factors);
}

/// exp(a)*exp(b) as exp(a + b) in a product: one of the two may overflow where the product does not.
Expr joined_product(Pool& pool, Expr product) {
  std::vector<Expr> others, exponents;
  for (Expr factor : product.args()) {
    const auto [base, power] = split_power(factor);
    if (base.is(Op::exp)) {
      exponents.push_back(power * base.arg(0));
    } else {
      others.push_back(factor);
    }
  }
  if (exponents.size() < 2) return product;
  others.push_back(exp(pool.add(exponents)));
  return pool.mul(others);
}

Expr with_joined_exponentials(Pool& pool, Expr root) {
  std::unordered_map<Expr, Expr> known;
  for (Expr e : postorder(root)) {
    std::vector<Expr> args;
    for (Expr arg : e.args()) args.push_back(known.at(arg));
    const Expr again = args.empty() ? e : pool.rebuild(e, args);
    known.emplace(e, again.is(Op::mul) ? joined_product(pool, again) : again);
  }
  return known.at(root);
}

/// The cheapest form so far. A candidate that may lose a point at which the given form has a value, or that
/// overflows or cancels in doubles where the given form does not, is not taken.
class Candidates {
 public:
  Candidates(Algebra& algebra, Expr given)
      : algebra_(algebra),
        given_(given),
        domain_(natural_domain(std::span(&given, 1))),
        best_(given),
        cost_(reading_cost(given)) {}

  void offer(Expr candidate) {
    candidate = with_joined_exponentials(algebra_.pool(), candidate);
    const double cost = reading_cost(candidate);
    if (cost > cost_ || (cost == cost_ && compare(candidate, best_) >= 0)) return;
    if (!keeps_signs(algebra_, domain_, given_, candidate)) return;
    if (!keeps_domain(algebra_, domain_, candidate) || !keeps_doubles(given_, candidate)) return;
    best_ = candidate;
    cost_ = cost;
  }
  Expr best() const { return best_; }

 private:
  Algebra& algebra_;
  Expr given_;
  Domain domain_;
  Expr best_;
  double cost_;
};

/// 1/a of a fraction in lowest terms that is not zero: nothing is left to cancel.
Fraction turned_over(Fraction a) {
  Fraction result{std::move(a.den), std::move(a.num)};
  if (result.den.content().sign() < 0) {
    result.num = -result.num;
    result.den = -result.den;
  }
  return result;
}

/// The denominator rationalised, and the same for the inverse; only where no new zero comes into a
/// denominator.
void offer_rationalised(const Field& field, const Fraction& plain, Candidates& candidates) {
  if (!field.is_independent() || plain.is_zero()) return;
  try {
    const auto offer = [&](const Fraction& other) {
      const bool is_known = other.num == plain.num && other.den == plain.den;
      if (!is_known && has_no_new_zero(field, other.den, plain.den))
        candidates.offer(write_fraction(field, other));
    };
    offer(field.rationalise(plain));
    offer(turned_over(field.rationalise({plain.den, plain.num})));
  } catch (const NotCanonical&) {
  }
}

void offer_forms(Algebra& algebra, Expr e, Candidates& candidates) {
  try {
    const Expr rewritten = rewrite(algebra, e);
    candidates.offer(rewritten);
    const std::array es{rewritten};
    Field field = make_field(algebra, es);
    const Fraction plain = field.convert(rewritten);
    if (plain.num.terms() + plain.den.terms() > max_terms) return;
    candidates.offer(write_fraction(field, plain));
    if (!field.is_rational(plain.den) || !field.is_rational(plain.num))
      offer_rationalised(field, plain, candidates);
  } catch (const LimitReached&) {
  }
}

/// The same expression over readable arguments of its functions.
Expr with_readable_arguments(Algebra& algebra, Expr root) {
  if (root.depth() > max_depth) return root;
  std::unordered_map<Expr, Expr> known;
  for (Expr e : postorder(root)) {
    std::vector<Expr> args;
    const bool is_root = e.is(Op::pow) && !e.arg(1).number().is_integer();
    for (Expr arg : e.args()) {
      const bool is_sum_inside = (is_function(e.op()) || is_root) && arg.depth() > 2;
      args.push_back(is_sum_inside ? algebra.readable(arg) : known.at(arg));
    }
    known.emplace(e, e.args().empty() ? e : algebra.pool().rebuild(e, args));
  }
  return known.at(root);
}

}  // namespace

double reading_cost(Expr root) {
  std::unordered_map<Expr, double> known;
  for (Expr e : postorder(root)) known.emplace(e, cost_of_node(e, known));
  return known.at(root);
}

Expr Algebra::readable(Expr e) {
  if (e.args().empty()) return e;
  if (auto known = memory_->readable.find(e); known != memory_->readable.end()) return known->second;
  if (postorder(e).size() > max_nodes) return e;
  const CallScope scope(*this);
  Candidates candidates(*this, e);
  offer_forms(*this, e, candidates);
  candidates.offer(with_readable_arguments(*this, candidates.best()));
  const Expr result = candidates.best();
#ifdef LIAISON_CHECKS
  if (are_equal(e, result).is_refuted())
    throw std::logic_error("readable: a candidate is not equal to what was given");
#endif
  memory_->readable.emplace(e, result);
  memory_->readable.emplace(result, result);
  return result;
}

}  // namespace liaison
