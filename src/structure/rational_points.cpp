#include "rational_points.hpp"

namespace liaison {

std::optional<Expr> ConstantField::inverse(Expr a) const {
  if (a.is_zero()) return std::nullopt;
  return pow(a, Rational(-1));
}

std::optional<Expr> ConstantField::sqrt(Expr a) const {
  if (a.is_zero() || (a.is_number() && a.number().sign() < 0)) return std::nullopt;
  return pow(a, Rational(1, 2));
}

std::optional<Expr> ConstantField::constant(Expr node) const {
  try {
    return substitute(node, values_);
  } catch (const Error&) {
    return std::nullopt;
  }
}

namespace {

Substitution numbers_of(Pool& pool, const PointChoices& choices) {
  Substitution result;
  for (const auto& [symbol, value] : choices.values) result.emplace(symbol, pool.number(value));
  return result;
}

}  // namespace

RationalPoints::RationalPoints(Pool& pool, const FunctionTable& table, PointChoices choices,
                               std::uint64_t seed)
    : pool_(pool),
      table_(table),
      choices_(std::move(choices)),
      generator_(seed),
      field_(pool, numbers_of(pool, choices_)) {}

/// A short fraction that is not 0.
Rational RationalPoints::random() {
  const long above = static_cast<long>(generator_() % 9) + 1, below = static_cast<long>(generator_() % 3) + 1;
  return Rational(generator_() % 2 == 0 ? above : -above, below);
}

void RationalPoints::draw() {
  point_.free.clear();
  point_.circles.clear();
  point_.exponentials.clear();
  const auto on_circle = [&](const Rational& s) {
    const Rational below = Rational(1) + s * s;
    return std::pair{pool_.number((Rational(1) - s * s) / below), pool_.number(Rational(2) * s / below)};
  };
  for (Expr node : table_.free_nodes()) {
    const bool changes = table_.depends_on_state(table_.place_of(node));
    point_.free[node] = changes ? pool_.number(random()) : node;
  }
  for (const FunctionTable::Atom& atom : table_.angles()) {
    if (atom.depends_on_state) {
      point_.circles.push_back(on_circle(random()));
    } else {
      point_.circles.emplace_back(cos(atom.unit), sin(atom.unit));
    }
  }
  for (const FunctionTable::Atom& atom : table_.exponents())
    point_.exponentials.push_back(atom.depends_on_state ? pool_.number(random()) : exp(atom.unit));
  for (const auto& quaternion : choices_.quaternions) {
    const std::array<Rational, 3> s{random(), random(), random()};
    const Rational square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], below = Rational(1) + square;
    point_.free[quaternion[0]] = pool_.number((Rational(1) - square) / below);
    for (std::size_t k = 0; k < 3; ++k)
      point_.free[quaternion[k + 1]] = pool_.number(Rational(2) * s[k] / below);
  }
}

std::optional<std::vector<Expr>> RationalPoints::next() {
  for (int tries = 0; tries < 50; ++tries) {
    draw();
    auto values = PointEvaluation<Expr, ConstantField>(table_, field_, point_).run();
    if (values) return values;
  }
  return std::nullopt;
}

}  // namespace liaison
