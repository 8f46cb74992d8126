#include "field.hpp"

#include <algorithm>
#include <array>

namespace liaison {

namespace {

constexpr long max_exponent = 1'000'000'000;

long checked_exponent(const Rational& exponent) {
  const auto n = exponent.to_long();
  if (!n || *n > max_exponent || *n < -max_exponent) throw LimitReached{"an exponent is beyond the limit"};
  return *n;
}

}  // namespace

Field::Field(Pool& pool, std::span<const Expr> rewritten, Budget budget)
    : pool_(pool),
      generators_(collect_generators(rewritten)),
      independent_(are_certainly_independent(generators_)) {
  ring_ = std::make_unique<PolyRing>(generators_.size(), budget);
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    index_[static_cast<std::size_t>(generators_[i].kind)].emplace(generators_[i].atom, i);
  }
  make_relations();
}

std::size_t Field::index_of(GeneratorKind kind, Expr atom) const {
  return index_[static_cast<std::size_t>(kind)].at(atom);
}

/// Inner roots first while they are made, so that an atom is converted with its own relations in force; then
/// the list is turned round for reduction from the outside in.
void Field::make_relations() {
  const Poly one(*ring_, 1);
  std::vector<std::size_t> nested;
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    if (generators_[i].kind == GeneratorKind::sine) {
      const Poly cosine_squared = Poly::variable(*ring_, i - 1, 2);
      relations_.push_back({i, 2, {one - cosine_squared, one}});
    } else if (generators_[i].kind == GeneratorKind::root || generators_[i].kind == GeneratorKind::absolute) {
      nested.push_back(i);
    }
  }
  std::sort(nested.begin(), nested.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(generators_[a].atom.depth(), a) < std::pair(generators_[b].atom.depth(), b);
  });
  for (std::size_t i : nested) {
    const bool is_root = generators_[i].kind == GeneratorKind::root;
    Fraction value = convert(generators_[i].atom);
    if (!is_root) value = multiply(value, value);
    const auto order = is_root ? static_cast<unsigned long>(generators_[i].unit) : 2UL;
    integral_relations_ = integral_relations_ && value.den.is_one();
    relations_.insert(relations_.begin(), Relation{i, order, std::move(value)});
  }
}

Fraction Field::integer(const Rational& value) const {
  return {Poly(*ring_, value), Poly(*ring_, 1)};
}

Fraction Field::reduce(const Poly& a) const {
  Fraction result{a, Poly(*ring_, 1)};
  for (const Relation& relation : relations_) {
    const unsigned long degree = result.num.degree(relation.generator);
    if (degree < relation.order) continue;
    ring_->budget().check_terms(degree / relation.order);
    auto parts = split_by_power(result.num, relation.generator, relation.order);
    const bool integral = relation.value.den.is_one();
    Poly sum = std::move(parts.back());
    Poly scale(*ring_, 1);  // the power of the relation's denominator that the lower parts still need
    for (std::size_t m = parts.size() - 1; m-- > 0;) {
      if (!integral) {
        scale = scale * relation.value.den;
        parts[m] = parts[m] * scale;
      }
      sum = sum * relation.value.num + parts[m];
    }
    result.num = std::move(sum);
    if (!integral) result.den = result.den * scale;
  }
  return result;
}

Poly Field::reduce_integral(const Poly& a) const {
  if (!integral_relations_) throw NotCanonical{"a root of a fraction"};
  return reduce(a).num;
}

std::vector<Poly> Field::relation_polynomials() const {
  std::vector<Poly> result;
  for (const Relation& relation : relations_) {
    const Poly power = Poly::variable(*ring_, relation.generator, relation.order);
    result.push_back(power * relation.value.den - relation.value.num);
  }
  return result;
}

Fraction Field::cancelled(Poly num, Poly den) const {
  if (num.is_zero()) return integer(0);
  if (!den.is_one()) {
    const Poly common = gcd(num, den);
    if (!common.is_one()) {
      num = exact_quotient(num, common);
      den = exact_quotient(den, common);
    }
    if (den.content().sign() < 0) {
      num = -num;
      den = -den;
    }
  }
  return {std::move(num), std::move(den)};
}

/// num/den of two reduced pieces that may have denominators of their own.
Fraction Field::over(Fraction num, Fraction den) const {
  if (num.den.is_one() && den.den.is_one()) return cancelled(std::move(num.num), std::move(den.num));
  return cancelled(num.num * den.den, num.den * den.num);
}

Fraction Field::add(const Fraction& a, const Fraction& b) const {
  if (a.den == b.den)
    return a.den.is_one() ? Fraction{a.num + b.num, a.den} : cancelled(a.num + b.num, a.den);
  const Poly common = gcd(a.den, b.den);
  const Poly left = exact_quotient(a.den, common), right = exact_quotient(b.den, common);
  return over(reduce(a.num * right + b.num * left), reduce(a.den * right));
}

Fraction Field::subtract(const Fraction& a, const Fraction& b) const {
  return add(a, {-b.num, b.den});
}

Fraction Field::multiply(const Fraction& a, const Fraction& b) const {
  if (a.is_zero() || b.is_zero()) return integer(0);
  if (a.den.is_one() && b.den.is_one() && integral_relations_) return {reduce(a.num * b.num).num, a.den};
  const Fraction left = cancelled(a.num, b.den), right = cancelled(b.num, a.den);
  return over(reduce(left.num * right.num), reduce(left.den * right.den));
}

Fraction Field::inverse(const Fraction& a) const {
  if (a.is_zero()) {
    throw Error(ErrorCode::division_by_zero, "division by an expression that is identically zero",
                "it vanishes for all values of its symbols");
  }
  return cancelled(a.den, a.num);
}

Fraction Field::power(const Fraction& a, long exponent) const {
  if (exponent < 0) return power(inverse(a), -exponent);
  const auto n = static_cast<unsigned long>(exponent);
  if (relations_.empty()) return {liaison::power(a.num, n), liaison::power(a.den, n)};
  // By squaring, reduced on the way: degrees in sines and roots stay low.
  Fraction result = integer(1), base = a;
  for (unsigned long rest = n; rest != 0; rest >>= 1) {
    if (rest & 1) result = multiply(result, base);
    if (rest > 1) base = multiply(base, base);
  }
  return result;
}

Fraction Field::convert(Expr root) {
  // Arguments before users on an explicit stack; function arguments are not entered: they are part of a
  // generator.
  std::vector<Expr> stack{root};
  while (!stack.empty()) {
    const Expr e = stack.back();
    if (memo_.contains(e)) {
      stack.pop_back();
      continue;
    }
    const bool inner = e.is(Op::add) || e.is(Op::mul) || (e.is(Op::pow) && e.arg(1).number().is_integer());
    bool ready = true;
    if (inner && !as_monomial(e)) {
      for (Expr arg : e.args()) {
        if (arg.is_number() || memo_.contains(arg) || (e.is(Op::add) && as_monomial(arg))) continue;
        stack.push_back(arg);
        ready = false;
      }
    }
    if (!ready) continue;
    memo_.emplace(e, convert_node(e));
    stack.pop_back();
  }
  return memo_.at(root);
}

Fraction Field::convert_node(Expr e) {
  if (const auto monomial = as_monomial(e)) {
    Poly num(*ring_);
    num.push_term(monomial->first.numerator(), monomial->second);
    const Fraction reduced = reduce(num);
    return over(reduced, {Poly(*ring_, monomial->first.denominator()), Poly(*ring_, 1)});
  }
  const Poly one(*ring_, 1);
  switch (e.op()) {
    case Op::add: return convert_sum(e);
    case Op::mul: return convert_product(e);
    case Op::pow: return convert_power(e);
    case Op::sin: return {convert_angle(e.arg(0)).sine, one};
    case Op::cos: return {convert_angle(e.arg(0)).cosine, one};
    case Op::tan: {
      SineCosine angle = convert_angle(e.arg(0));
      return cancelled(std::move(angle.sine), std::move(angle.cosine));
    }
    case Op::exp: return convert_exponential(e.arg(0));
    case Op::sinh:
    case Op::cosh:
    case Op::tanh: return convert_hyperbolic(e);
    case Op::abs: return {Poly::variable(*ring_, index_of(GeneratorKind::absolute, e.arg(0))), one};
    default: {
      const std::size_t i = index_of(GeneratorKind::plain, e);
      return {Poly::variable(*ring_, i, static_cast<unsigned long>(generators_[i].unit)), one};
    }
  }
}

/// A number times nonnegative powers of plain generators: the common case, done without polynomial
/// arithmetic.
std::optional<std::pair<Rational, Exponents>> Field::as_monomial(Expr term) const {
  Rational coefficient(1);
  Exponents exponents(std::max<std::size_t>(generators_.size(), 1), 0);
  const auto take = [&](Expr factor) {
    if (factor.is_number()) {
      coefficient *= factor.number();
      return true;
    }
    const auto [base, exponent] = split_power(factor);
    const auto& plain = index_[static_cast<std::size_t>(GeneratorKind::plain)];
    const auto found = plain.find(base);
    if (found == plain.end() || exponent.sign() < 0) return false;
    exponents[found->second] +=
        static_cast<ulong>(checked_exponent(exponent * Rational(generators_[found->second].unit)));
    return true;
  };
  if (term.is(Op::mul)) {
    for (Expr factor : term.args()) {
      if (!take(factor)) return std::nullopt;
    }
  } else if (!take(term)) {
    return std::nullopt;
  }
  return std::pair{std::move(coefficient), std::move(exponents)};
}

Fraction Field::convert_sum(Expr e) {
  std::vector<std::pair<Rational, Exponents>> monomials;
  std::vector<Fraction> others;
  Rational denominator(1);
  for (Expr term : e.args()) {
    if (auto monomial = as_monomial(term)) {
      fmpz_lcm(fmpq_numref(denominator.raw()), fmpq_numref(denominator.raw()),
               fmpq_denref(monomial->first.raw()));
      monomials.push_back(std::move(*monomial));
    } else {
      others.push_back(memo_.at(term));
    }
  }
  Poly bulk(*ring_);
  for (const auto& [coefficient, exponents] : monomials) bulk.push_term(coefficient * denominator, exponents);
  bulk.normalise();
  others.push_back(over(reduce(bulk), {Poly(*ring_, denominator), Poly(*ring_, 1)}));
  // Pairwise, so that long sums cost n log n.
  while (others.size() > 1) {
    std::vector<Fraction> next;
    for (std::size_t i = 0; i + 1 < others.size(); i += 2) next.push_back(add(others[i], others[i + 1]));
    if (others.size() % 2 == 1) next.push_back(std::move(others.back()));
    others = std::move(next);
  }
  return std::move(others[0]);
}

Fraction Field::convert_product(Expr e) {
  Fraction result = integer(1);
  for (Expr factor : e.args()) {
    if (factor.is_number()) {
      const Rational& c = factor.number();
      result = over({scaled(result.num, c.numerator()), Poly(*ring_, 1)},
                    {scaled(result.den, c.denominator()), Poly(*ring_, 1)});
    } else {
      result = multiply(result, memo_.at(factor));
    }
  }
  return result;
}

Fraction Field::convert_power(Expr e) {
  const Expr base = e.arg(0);
  const Rational& exponent = e.arg(1).number();
  if (exponent.is_integer()) return power(memo_.at(base), checked_exponent(exponent));
  const auto& plain = index_[static_cast<std::size_t>(GeneratorKind::plain)];
  const auto found = plain.find(base);
  const std::size_t i = found != plain.end() ? found->second : index_of(GeneratorKind::root, base);
  const Fraction root{Poly::variable(*ring_, i), Poly(*ring_, 1)};
  return power(root, checked_exponent(exponent * Rational(generators_[i].unit)));
}

Fraction Field::convert_exponential(Expr argument) {
  Fraction result = integer(1);
  for (const AtomTerm& term : atom_terms(argument)) {
    const std::size_t i = index_of(GeneratorKind::exponential, term.atom);
    const Fraction base{Poly::variable(*ring_, i), Poly(*ring_, 1)};
    result = multiply(result, power(base, checked_exponent(generators_[i].count(term.coefficient))));
  }
  return result;
}

Fraction Field::convert_hyperbolic(Expr e) {
  const Fraction up = convert_exponential(e.arg(0)), down = inverse(up);
  const Fraction two = integer(2);
  const Fraction sine = subtract(up, down), cosine = add(up, down);
  if (e.is(Op::sinh)) return multiply(sine, inverse(two));
  if (e.is(Op::cosh)) return multiply(cosine, inverse(two));
  return multiply(sine, inverse(cosine));
}

/// (cos, sin) of n times the generator's angle, by squaring of cos + i sin.
Field::SineCosine Field::multiple_angle(std::size_t cosine, long multiple) {
  const auto size = static_cast<std::size_t>(std::abs(multiple));
  ring_->budget().check_product(size, size);  // n terms with coefficients of n bits
  SineCosine result{Poly(*ring_), Poly(*ring_, 1)};
  SineCosine base{Poly::variable(*ring_, cosine + 1), Poly::variable(*ring_, cosine)};
  const auto compose = [&](const SineCosine& a, const SineCosine& b) {
    return SineCosine{reduce(a.sine * b.cosine + a.cosine * b.sine).num,
                      reduce(a.cosine * b.cosine - a.sine * b.sine).num};
  };
  for (auto n = static_cast<unsigned long>(std::abs(multiple)); n != 0; n >>= 1) {
    if (n & 1) result = compose(result, base);
    if (n > 1) base = compose(base, base);
  }
  if (multiple < 0) result.sine = -result.sine;
  return result;
}

/// The addition theorems, atom by atom.
Field::SineCosine Field::convert_angle(Expr argument) {
  SineCosine result{Poly(*ring_), Poly(*ring_, 1)};
  const auto terms = atom_terms(argument);
  if (terms.size() > 1)
    ring_->budget().check_terms(std::size_t{1} << std::min<std::size_t>(terms.size() - 1, 62));
  for (const AtomTerm& term : terms) {
    const std::size_t i = index_of(GeneratorKind::cosine, term.atom);
    const SineCosine next = multiple_angle(i, checked_exponent(generators_[i].count(term.coefficient)));
    result = {result.sine * next.cosine + result.cosine * next.sine,
              result.cosine * next.cosine - result.sine * next.sine};
  }
  return result;
}

}  // namespace liaison
