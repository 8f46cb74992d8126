#include <algorithm>
#include <unordered_set>

#include "evaluator_parts.hpp"
#include "liaison/expr/traverse.hpp"

// A canonical form writes sin(13 t/25) in powers of cos(t/25), max(a, b) by abs(a - b), (x - 1000)^3 in
// powers of x: the same function, and a program of it loses digits that the written one keeps.

namespace liaison {

namespace {

constexpr int most_multiples = 3;  ///< cos(3 a) = 4 cos(a)^3 - 3 cos(a): less than one digit

bool is_circular(Expr node) {
  return node.is(Op::sin) || node.is(Op::cos) || node.is(Op::tan);
}

bool is_root(Expr node) {
  return node.is(Op::pow) && !node.arg(1).number().is_integer();
}

bool is_function(Expr node) {
  switch (node.op()) {
    case Op::number:
    case Op::symbol:
    case Op::pi:
    case Op::add:
    case Op::mul:
    case Op::pow: return false;
    default: return true;
  }
}

/// A power of a sum, which a polynomial multiplies out.
bool is_power_of_sum(Expr node) {
  return node.is(Op::pow) && node.arg(0).is(Op::add) && node.arg(1).number().is_integer() &&
         node.arg(1).number() > Rational(1);
}

/// A product with a rational: the rational, and the rest.
std::pair<Rational, Expr> multiple(Expr e) {
  if (!e.is(Op::mul) || !e.arg(0).is_number()) return {Rational(1), e};
  return {e.arg(0).number(), e / e.arg(0).number()};
}

bool is_few(const Rational& times) {
  return times.is_integer() && times >= Rational(-most_multiples) && times <= Rational(most_multiples);
}

}  // namespace

WrittenForms::WrittenForms(std::span<const Expr> written) {
  for (Expr node : postorder(written)) {
    if (is_function(node)) functions_.insert(node);
    if (is_root(node)) bases_.insert(node.arg(0));
    if (is_power_of_sum(node)) powers_.insert(node);
    if (!is_circular(node)) continue;
    const Expr angle = node.arg(0);
    for (Expr term : angle.is(Op::add) ? angle.args() : std::span<const Expr>(&angle, 1))
      angles_.push_back(multiple(term));
  }
}

bool WrittenForms::are_kept_in(std::span<const Expr> candidate) const {
  const std::vector<Expr> nodes = postorder(candidate);
  const std::unordered_set<Expr> there(nodes.begin(), nodes.end());
  for (Expr power : powers_)
    if (!there.contains(power)) return false;
  return std::all_of(nodes.begin(), nodes.end(), [&](Expr node) {
    if (is_root(node)) return bases_.contains(node.arg(0));
    return !is_function(node) || functions_.contains(node) ||
           ((node.is(Op::sin) || node.is(Op::cos)) && is_made_of_angles(node.arg(0)));
  });
}

/// Whether each term of an angle is a small multiple or part of one in a written angle.
bool WrittenForms::is_made_of_angles(Expr angle) const {
  const auto terms = angle.is(Op::add) ? angle.args() : std::span<const Expr>(&angle, 1);
  return std::all_of(terms.begin(), terms.end(), [&](Expr term) {
    const auto [factor, rest] = multiple(term);
    return std::any_of(angles_.begin(), angles_.end(),
                       [&, factor = factor, rest = rest](const auto& written) {
                         if (written.second != rest) return false;
                         const Rational times = written.first / factor, parts = factor / written.first;
                         return is_few(times) || is_few(parts);
                       });
  });
}

}  // namespace liaison
