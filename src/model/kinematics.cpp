#include "liaison/model/kinematics.hpp"

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/orientation.hpp"

namespace liaison {

namespace {

/// What each symbol of a system becomes under d/dt; looked up when it is asked for, so that one derivative
/// does not cost the size of the system.
class Rates {
 public:
  explicit Rates(const System& system) : system_(system) {}

  /// Empty: a constant.
  Expr of(Expr symbol) const {
    switch (symbol.symbol().kind) {
      case SymbolKind::time: return symbol == system_.time ? symbol.pool().number(1) : Expr();
      case SymbolKind::coordinate: return of_position(symbol);
      case SymbolKind::velocity: return acceleration_symbol(symbol);
      case SymbolKind::auxiliary: return of_rheonomic(symbol);
      default: return {};
    }
  }

 private:
  /// The velocity of a coordinate x is named x'; the others are quaternions.
  Expr of_position(Expr symbol) const {
    const Expr velocity = symbol.pool().find_symbol(symbol.symbol().name + "'");
    if (!velocity.empty() && velocity.symbol().kind == SymbolKind::velocity) return velocity;
    for (const Rotation& rotation : system_.rotations) {
      for (std::size_t k = 0; k < 4; ++k) {
        if (rotation.quaternion[k] == symbol) return quaternion_rates(system_, rotation)[k];
      }
    }
    return {};
  }

  Expr of_rheonomic(Expr symbol) const {
    for (const Rheonomic& chosen : system_.rheonomic) {
      if (chosen.symbol == symbol) return chosen.velocity;
      if (chosen.velocity == symbol) return acceleration_symbol(symbol);
    }
    return {};
  }

  const System& system_;
};

Expr derivative_along(const Rates& rates, Expr e) {
  std::vector<Expr> symbols, derivatives;
  for (Expr symbol : symbols_in(e)) {
    const Expr rate = rates.of(symbol);
    if (rate.empty()) continue;
    symbols.push_back(symbol);
    derivatives.push_back(rate);
  }
  const std::vector<Expr> partials = gradient(e, symbols);
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < symbols.size(); ++i) terms.push_back(partials[i] * derivatives[i]);
  return e.pool().add(terms);
}

/// (A p^2 + B q^2 + C r^2)/2 - D q r - E r p - F p q.
Expr rotation_energy(const System& system, const Body& body) {
  const std::vector<Expr>& J = body.inertia;
  const auto [p, q, r] = rates_for_energy(system, body);
  const Rational half(1, 2);
  return half * J[0] * pow(p, 2) + half * J[1] * pow(q, 2) + half * J[2] * pow(r, 2) - J[3] * q * r -
         J[4] * r * p - J[5] * p * q;
}

void add_translation(const Rates& rates, Expr mass, const std::vector<Expr>& position,
                     std::vector<Expr>& terms) {
  for (Expr component : position) {
    terms.push_back(mass * pow(derivative_along(rates, component), 2) / Rational(2));
  }
}

}  // namespace

Triple rates_of(const System& system, const Rotation& rotation) {
  const std::size_t first = rotation.first_direction;
  return {system.directions[first].velocity, system.directions[first + 1].velocity,
          system.directions[first + 2].velocity};
}

std::array<Expr, 9> rotation_matrix(const std::array<Expr, 4>& e) {
  const auto two = [](Expr a, Expr b, Expr c, Expr d) {
    return Rational(2) * (a * b) + Rational(2) * (c * d);
  };
  const auto two_less = [](Expr a, Expr b, Expr c, Expr d) {
    return Rational(2) * (a * b) - Rational(2) * (c * d);
  };
  const Expr s0 = pow(e[0], 2), s1 = pow(e[1], 2), s2 = pow(e[2], 2), s3 = pow(e[3], 2);
  return {s0 + s1 - s2 - s3,
          two_less(e[1], e[2], e[0], e[3]),
          two(e[1], e[3], e[0], e[2]),
          two(e[1], e[2], e[0], e[3]),
          s0 - s1 + s2 - s3,
          two_less(e[2], e[3], e[0], e[1]),
          two_less(e[1], e[3], e[0], e[2]),
          two(e[2], e[3], e[0], e[1]),
          s0 - s1 - s2 + s3};
}

std::array<Expr, 4> quaternion_rates(const System& system, const Rotation& rotation) {
  const auto& e = rotation.quaternion;
  const auto [p, q, r] = rates_of(system, rotation);
  // The vector part is e0*w + v x w on the body, e0*w - v x w in space, with v = (e1, e2, e3).
  const Rational half(1, 2);
  const Rational turn = rotation.axes == Axes::body ? half : -half;
  return {-(half * (e[1] * p)) - half * (e[2] * q) - half * (e[3] * r),
          half * (e[0] * p) + turn * (e[2] * r) - turn * (e[3] * q),
          half * (e[0] * q) + turn * (e[3] * p) - turn * (e[1] * r),
          half * (e[0] * r) + turn * (e[1] * q) - turn * (e[2] * p)};
}

Expr acceleration_symbol(Expr velocity) {
  return velocity.pool().symbol(velocity.symbol().name + "'", SymbolKind::auxiliary);
}

Expr time_derivative(const System& system, Expr e) {
  return derivative_along(Rates(system), e);
}

Expr with_energies(const System& system, Expr e) {
  Substitution energies;
  for (const Query& query : system.queries) {
    if (query.kind == QueryKind::kinetic) energies.emplace(query.symbol, system.kinetic);
    if (query.kind == QueryKind::potential) energies.emplace(query.symbol, system.potential);
  }
  return substitute(e, energies);
}

Expr assembled_kinetic_energy(const System& system) {
  const Rates rates(system);
  std::vector<Expr> terms;
  for (const Particle& particle : system.particles) {
    add_translation(rates, particle.mass, particle.position, terms);
  }
  for (const Body& body : system.bodies) {
    add_translation(rates, body.mass, body.centre, terms);
    if (body.in_space()) {
      terms.push_back(rotation_energy(system, body));
    } else {
      terms.push_back(body.inertia[0] * pow(derivative_along(rates, body.angle), 2) / Rational(2));
    }
  }
  return system.pool->add(terms);
}

}  // namespace liaison
