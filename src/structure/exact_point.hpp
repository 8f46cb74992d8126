#pragma once

#include <cstdlib>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "function_table.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

/// Values of the generators of a table in a field. `Value` is what the arithmetic computes with.
template <class Value>
struct ExactPoint {
  std::unordered_map<Expr, Value> free;          ///< symbols, unknown functions, logarithms
  std::vector<std::pair<Value, Value>> circles;  ///< (cos, sin) of each angle's unit
  std::vector<Value> exponentials;               ///< of each exponent's unit
};

/// The values of all nodes of a table at a point. `Arithmetic` has number(Rational), add, mul, inverse(x) and
/// sqrt(x) (nothing where there is none), cos_pi(Rational) and sin_pi(Rational), and keeps_constants: then
/// constant(node) is the value of a node without state symbols (nothing where it has none).
template <class Value, class Arithmetic>
class PointEvaluation {
 public:
  PointEvaluation(const FunctionTable& table, const Arithmetic& in, const ExactPoint<Value>& at)
      : table_(table), in_(in), at_(at) {}

  /// Nothing where something has no value at the point.
  std::optional<std::vector<Value>> run() {
    values_.reserve(table_.nodes().size());
    for (std::size_t i = 0; i < table_.nodes().size(); ++i) {
      auto value = value_of(i);
      if (!value) return std::nullopt;
      values_.push_back(std::move(*value));
    }
    std::vector<Value> result;
    for (const std::size_t place : table_.places_of_asked()) result.push_back(values_[place]);
    return result;
  }
  /// The values of some of what was asked, and of nothing else.
  std::optional<std::vector<Value>> run(const std::vector<Expr>& some) {
    std::vector<bool> is_needed(table_.nodes().size());
    for (Expr node : postorder(some)) is_needed[table_.place_of(node)] = true;
    const Value nothing = in_.number(Rational(0));
    for (std::size_t i = 0; i < table_.nodes().size(); ++i) {
      auto value = is_needed[i] ? value_of(i) : Maybe(nothing);
      if (!value) return std::nullopt;
      values_.push_back(std::move(*value));
    }
    std::vector<Value> result;
    for (Expr e : some) result.push_back(values_[table_.place_of(e)]);
    return result;
  }

 private:
  using Maybe = std::optional<Value>;
  struct Complex {
    Value re, im;
  };

  Maybe value_of(std::size_t i) {
    const Expr node = table_.nodes()[i];
    if constexpr (Arithmetic::keeps_constants) {
      if (!table_.depends_on_state(i)) return in_.constant(node);
    }
    if (node.is_number()) return in_.number(node.number());
    if (node.is(Op::add) || node.is(Op::mul)) return folded(i, node.is(Op::add));
    if (node.is(Op::pow)) return power_of(values_[table_.places_of_arguments(i)[0]], node.arg(1).number());
    if (is_angle_function(node.op())) return angle_function(node);
    if (is_exponential(node.op())) return exponential(node);
    return at_.free.at(node);
  }

  Maybe folded(std::size_t i, bool is_sum) const {
    const std::span<const std::size_t> places = table_.places_of_arguments(i);
    Value result = values_[places[0]];
    for (const std::size_t place : places.subspan(1))
      result = is_sum ? in_.add(result, values_[place]) : in_.mul(result, values_[place]);
    return result;
  }

  Maybe whole_power(Value base, long exponent) const {
    if (exponent < 0) {
      auto inverse = in_.inverse(base);
      if (!inverse) return std::nullopt;
      base = std::move(*inverse);
      exponent = -exponent;
    }
    Value result = in_.number(Rational(1));
    for (; exponent > 0; exponent >>= 1) {
      if (exponent & 1) result = in_.mul(result, base);
      base = in_.mul(base, base);
    }
    return result;
  }

  Maybe power_of(const Value& base, const Rational& exponent) const {
    const auto twice = (exponent * Rational(2)).to_long();
    if (!twice || std::abs(*twice) > 1'000'000) return std::nullopt;
    if (*twice % 2 == 0) return whole_power(base, *twice / 2);
    const auto root = in_.sqrt(base);
    return root ? whole_power(*root, *twice) : std::nullopt;
  }

  Complex times(const Complex& a, const Complex& b) const {
    const Value minus = in_.number(Rational(-1));
    return {in_.add(in_.mul(a.re, b.re), in_.mul(minus, in_.mul(a.im, b.im))),
            in_.add(in_.mul(a.re, b.im), in_.mul(a.im, b.re))};
  }

  /// cos and sin of an angle, by the addition theorems.
  std::optional<Complex> on_circle(const AtomSum& sum) const {
    const auto re = in_.cos_pi(sum.pi_part), im = in_.sin_pi(sum.pi_part);
    if (!re || !im) return std::nullopt;
    Complex result{*re, *im};
    for (const auto& [atom, count] : sum.terms) {
      const auto& [c, s] = at_.circles[atom];
      Complex unit{c, count < 0 ? in_.mul(in_.number(Rational(-1)), s) : s};
      for (long left = std::abs(count); left > 0; left >>= 1) {
        if (left & 1) result = times(result, unit);
        unit = times(unit, unit);
      }
    }
    return result;
  }

  Maybe angle_function(Expr node) const {
    const auto point = on_circle(table_.atom_sum(node));
    if (!point) return std::nullopt;
    if (node.is(Op::cos)) return point->re;
    if (node.is(Op::sin)) return point->im;
    const auto inverse = in_.inverse(point->re);
    return inverse ? Maybe(in_.mul(point->im, *inverse)) : std::nullopt;
  }

  Maybe exponential(Expr node) const {
    Value e = in_.number(Rational(1));
    const AtomSum& sum = table_.atom_sum(node);
    if (!sum.pi_part.is_zero()) return std::nullopt;
    for (const auto& [atom, count] : sum.terms) {
      const auto part = whole_power(at_.exponentials[atom], count);
      if (!part) return std::nullopt;
      e = in_.mul(e, *part);
    }
    if (node.is(Op::exp)) return e;
    const auto inverse = in_.inverse(e);
    if (!inverse) return std::nullopt;
    const Value half = in_.number(Rational(1, 2)), minus = in_.mul(in_.number(Rational(-1)), *inverse);
    const Value cosh = in_.mul(half, in_.add(e, *inverse)), sinh = in_.mul(half, in_.add(e, minus));
    if (node.is(Op::cosh)) return cosh;
    if (node.is(Op::sinh)) return sinh;
    const auto below = in_.inverse(cosh);
    return below ? Maybe(in_.mul(sinh, *below)) : std::nullopt;
  }

  const FunctionTable& table_;
  const Arithmetic& in_;
  const ExactPoint<Value>& at_;
  std::vector<Value> values_;
};

}  // namespace liaison
