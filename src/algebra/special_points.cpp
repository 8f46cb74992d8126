#include "special_points.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "algebraic_constants.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/traverse.hpp"
#include "short_values.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_symbols = 12;
constexpr std::size_t most_nodes = 400;

bool is_smooth(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  if (nodes.size() > most_nodes) return false;
  return std::none_of(nodes.begin(), nodes.end(), [](Expr node) {
    switch (node.op()) {
      case Op::abs:
      case Op::sign:
      case Op::min:
      case Op::max:
      case Op::apply: return true;
      default: return false;
    }
  });
}

/// Within rounding of the double itself.
bool is_near(double value, double x) {
  return std::abs(value - x) <= 1e-9 * std::max(1.0, std::abs(x));
}

std::optional<Rational> short_rational(double x, double most) {
  const Rational value = snapped(x, 1e-10);
  if (value.denominator().to_double() > most || !is_near(value.to_double(), x)) return std::nullopt;
  return value;
}

/// (-b +- sqrt(b^2 - 4ac))/(2a) with small integers.
std::optional<Expr> quadratic_number(Pool& pool, double x) {
  constexpr int most = 16;
  if (std::abs(x) > 1e3) return std::nullopt;
  for (int a = 1; a <= most; ++a) {
    for (int b = -most; b <= most; ++b) {
      const double c = -(a * x + b) * x, whole = std::round(c);
      if (std::abs(c - whole) > 1e-9 * (1 + std::abs(c)) || std::abs(whole) > 1e4) continue;
      const Rational discriminant(static_cast<long>(b) * b - 4L * a * static_cast<long>(whole));
      if (discriminant.sign() <= 0) continue;
      const int branch = 2 * a * x + b > 0 ? 1 : -1;
      return (Rational(branch) * sqrt(pool.number(discriminant)) - Rational(b)) / Rational(2L * a);
    }
  }
  return std::nullopt;
}

bool is_proved_zero(Algebra& algebra, Expr constant) {
  if (constant.is_number()) return constant.is_zero();
  if (const auto known = is_algebraic_zero(constant)) return *known;
  return algebra.is_zero(constant).is_proved();
}

std::optional<int> sign_of_constant(Algebra& algebra, Expr constant) {
  constexpr long bits = 256;
  if (const auto sign = constant_sign(constant, bits)) return sign;
  if (is_proved_zero(algebra, constant)) return 0;
  return constant_sign(constant);
}

/// Constants that are zero without being spelled so: where something changes at zero.
Substitution hidden_zeros(Algebra& algebra, std::span<const Expr> es) {
  Substitution result;
  const auto look_at = [&](Expr e) {
    if (!e.is_constant() || e.is_number() || constant_sign(e, 256)) return;
    if (is_proved_zero(algebra, e)) result.emplace(e, e.pool().number(0));
  };
  for (Expr e : postorder(es)) {
    switch (e.op()) {
      case Op::sign:
      case Op::abs: look_at(e.arg(0)); break;
      case Op::pow:
        if (!e.arg(1).number().is_integer()) look_at(e.arg(0));
        break;
      case Op::atan2:
        look_at(e.arg(0));
        look_at(e.arg(1));
        break;
      default: break;
    }
  }
  return result;
}

bool holds(Bound bound, int sign) {
  return bound == Bound::nonzero ? sign != 0 : bound == Bound::positive ? sign > 0 : sign >= 0;
}

}  // namespace

std::vector<Expr> binding_equations(Expr u, std::vector<Expr> equations) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 0; k < equations.size() && !again; ++k) {
      const std::vector<Expr> symbols = symbols_in(equations[k]);
      const bool has_own = std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
        if (depends_on(u, symbol) || depends_on(derivative(equations[k], symbol), symbol)) return false;
        for (std::size_t j = 0; j < equations.size(); ++j) {
          if (j != k && depends_on(equations[j], symbol)) return false;
        }
        return true;
      });
      if (!has_own) continue;
      equations.erase(equations.begin() + static_cast<std::ptrdiff_t>(k));
      again = true;
    }
  }
  return equations;
}

std::optional<Region> without_velocities(Expr statement, const Region& region) {
  const auto has_velocities = [](Expr e) {
    const std::vector<Expr> symbols = symbols_in(e);
    return std::any_of(symbols.begin(), symbols.end(),
                       [](Expr symbol) { return symbol.symbol().kind == SymbolKind::velocity; });
  };
  if (!region.assumed.empty() || has_velocities(statement)) return std::nullopt;
  Region places = region;
  std::erase_if(places.equations, has_velocities);
  if (places.equations.empty() || places.equations.size() == region.equations.size()) return std::nullopt;
  return places;
}

std::optional<StationaryPoints> stationary_points(Expr u, const Region& region) {
  const std::vector<Expr> binding = binding_equations(u, region.equations);
  std::vector<Expr> all = binding;
  all.push_back(u);
  StationaryPoints result;
  result.binding = binding;
  result.symbols = symbols_in(all);
  if (result.symbols.size() > most_symbols || !std::all_of(all.begin(), all.end(), is_smooth))
    return std::nullopt;
  Pool& pool = u.pool();
  for (std::size_t k = 0; k < binding.size(); ++k)
    result.multipliers.push_back(pool.symbol("#stationary" + std::to_string(k), SymbolKind::auxiliary));
  const auto is_given = [](Expr symbol) {
    return symbol.symbol().kind == SymbolKind::parameter || symbol.symbol().kind == SymbolKind::time;
  };
  const bool all_given = std::all_of(result.symbols.begin(), result.symbols.end(), is_given);
  for (Expr symbol : result.symbols) {
    if (is_given(symbol) && !all_given) continue;  // for each value of the parameters
    Expr slope = derivative(u, symbol);
    for (std::size_t k = 0; k < binding.size(); ++k)
      slope -= result.multipliers[k] * derivative(binding[k], symbol);
    if (!slope.is_zero()) result.equations.push_back(slope);
  }
  return result;
}

std::vector<Expr> angles_beside_inverses(std::span<const Expr> es) {
  constexpr std::size_t most = 6;
  bool has_inverse = false;
  std::vector<Expr> result;
  for (Expr e : postorder(es)) {
    has_inverse = has_inverse || e.is(Op::asin) || e.is(Op::acos) || e.is(Op::atan) || e.is(Op::atan2);
    if (!e.is(Op::sin) && !e.is(Op::cos) && !e.is(Op::tan)) continue;
    const Expr angle = e.arg(0);
    const bool is_new = std::find(result.begin(), result.end(), angle) == result.end();
    if (is_new && !angle.is(Op::symbol) && !angle.is_constant() && result.size() < most)
      result.push_back(angle);
  }
  return has_inverse ? result : std::vector<Expr>{};
}

std::vector<Expr> parts_that_vanish_together(Expr sum) {
  const auto is_nonnegative = [](Expr term) { return is_seen_nonnegative(split_coefficient(term).second); };
  if (!sum.is(Op::add) || !std::all_of(sum.args().begin(), sum.args().end(), is_nonnegative)) return {};
  const int sign = split_coefficient(sum.arg(0)).first.sign();
  for (Expr term : sum.args()) {
    if (split_coefficient(term).first.sign() != sign) return {};
  }
  return {sum.args().begin(), sum.args().end()};
}

namespace {

/// Angles, each once, and the next ones on both sides with the same sine and cosine.
std::vector<Expr> with_turns(std::initializer_list<Expr> angles) {
  std::vector<Expr> result;
  for (long turns : {0, 1, -1}) {
    for (Expr angle : angles) {
      const Expr turned = angle + Rational(2 * turns) * angle.pool().pi();
      if (std::find(result.begin(), result.end(), turned) == result.end()) result.push_back(turned);
    }
  }
  return result;
}

/// The values of the argument that holds the symbol at which the operation has the given value.
std::vector<Expr> undone(Expr e, Expr argument, Expr value) {
  Pool& pool = e.pool();
  switch (e.op()) {
    case Op::add: return {value - (e - argument)};
    case Op::mul: return {value / (e / argument)};
    case Op::pow: {
      const Rational& exponent = e.arg(1).number();
      const auto sign = constant_sign(value);
      const bool is_odd = exponent.is_integer() && !exponent.numerator().is_even_integer();
      if (!sign || *sign == 0) return sign ? std::vector<Expr>{pool.number(0)} : std::vector<Expr>{};
      if (*sign < 0 && !is_odd) return {};
      const Expr root = pow(*sign < 0 ? -value : value, Rational(1) / exponent);
      if (exponent.is_even_integer()) return {root, -root};
      return {*sign < 0 ? -root : root};
    }
    case Op::abs: return {value, -value};
    case Op::log: return {exp(value)};
    case Op::exp: return {log(value)};
    case Op::atan: return {tan(value)};
    case Op::asin: return {sin(value)};
    case Op::acos: return {cos(value)};
    case Op::tan: return {atan(value), atan(value) + pool.pi(), atan(value) - pool.pi()};
    case Op::sin: return with_turns({asin(value), pool.pi() - asin(value)});
    case Op::cos: return with_turns({acos(value), -acos(value)});
    default: return {};
  }
}

}  // namespace

std::vector<ExactZero> zeros_by_undoing(Expr u) {
  constexpr std::size_t most_zeros = 12;
  std::vector<ExactZero> result;
  std::vector<std::pair<Expr, Expr>> open{{u, u.pool().number(0)}};
  while (!open.empty() && result.size() + open.size() <= most_zeros) {
    const auto [e, value] = open.back();
    open.pop_back();
    std::vector<Expr> holding;
    for (Expr argument : e.args()) {
      if (!argument.is_constant()) holding.push_back(argument);
    }
    if (holding.size() != 1) {
      if (e != u) result.push_back({e, value});
      continue;
    }
    try {
      for (Expr next : undone(e, holding[0], value)) open.emplace_back(holding[0], next);
    } catch (const Error&) {
      continue;  // it does not take that value
    }
  }
  return result;
}

std::optional<Expr> recognised(Pool& pool, double x) {
  if (!std::isfinite(x)) return std::nullopt;
  if (const auto value = short_rational(x, 1e3)) return pool.number(*value);
  if (const auto turns = short_rational(x / M_PI, 24)) return *turns * pool.pi();
  return quadratic_number(pool, x);
}

std::optional<Specialised> specialised(Algebra& algebra, const Region& region,
                                       const std::array<Expr, 2>& sides, const Substitution& constants) {
  for (const auto& [symbol, value] : constants) {
    if (symbol.symbol().positive && sign_of_constant(algebra, value) != 1) return std::nullopt;
  }
  try {
    Specialised result;
    for (Expr e : substitute(region.equations, constants)) {
      if (!e.is_constant()) {
        result.region.equations.push_back(e);
      } else if (!is_proved_zero(algebra, e)) {
        return std::nullopt;
      }
    }
    Domain domain = region.domain;
    for (Expr e : region.assumed) domain.push_back({e, Bound::nonzero});
    add_requirements(domain, natural_domain(sides));
    for (const Requirement& requirement : domain) {
      const Expr e = substitute(requirement.e, constants);
      if (!e.is_constant()) {
        result.region.domain.push_back({e, requirement.bound});
        continue;
      }
      const auto sign = sign_of_constant(algebra, e);
      if (!sign || !holds(requirement.bound, *sign)) return std::nullopt;
    }
    const std::vector<Expr> there = substitute(sides, constants);
    const std::vector<Expr> exact = substitute(there, hidden_zeros(algebra, there));
    result.sides = {exact[0], exact[1]};
    return result;
  } catch (const Error&) {
    return std::nullopt;  // something has no value there
  }
}

}  // namespace liaison
