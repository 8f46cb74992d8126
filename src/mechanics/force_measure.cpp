#include "liaison/mechanics/force_measure.hpp"

namespace liaison {

namespace {

Expr coefficient_of(const Form& a, std::size_t index) {
  const std::size_t indices[] = {index};
  return a.coefficient(indices);
}

template <class Combine>
ForceMeasure component_wise(const ForceMeasure& a, const ForceMeasure& b, Combine combine) {
  ForceMeasure result = a;
  for (std::size_t p = 0; p < a.size(); ++p) {
    for (std::size_t c = 0; c < a[p].size(); ++c) result[p][c] = combine(a[p][c], b[p][c]);
  }
  return result;
}

/// m X(v).
ForceMeasure rates_along(const ConstraintSpace& space, const VectorField& field) {
  ForceMeasure result = particle_velocities(space);
  for (std::size_t p = 0; p < result.size(); ++p) {
    for (Expr& component : result[p]) component = space.system->particles[p].mass * apply(field, component);
  }
  return result;
}

}  // namespace

ForceMeasure particle_velocities(const ConstraintSpace& space) {
  const VectorField flow = space.flow(std::vector<Expr>(space.freedom(), space.pool().number(0)));
  ForceMeasure result;
  for (const Particle& particle : space.system->particles) {
    result.emplace_back();
    for (Expr position : particle.position) result.back().push_back(apply(flow, position));
  }
  return result;
}

ForceMeasure momentum_rates(const ConstraintSpace& space, const std::vector<Expr>& rates) {
  return rates_along(space, space.flow(rates));
}

ForceMeasure vertical_rates(const ConstraintSpace& space, const std::vector<Expr>& vertical) {
  return rates_along(space, space.vertical(vertical));
}

ForceMeasure operator+(const ForceMeasure& a, const ForceMeasure& b) {
  return component_wise(a, b, [](Expr x, Expr y) { return x + y; });
}

ForceMeasure operator-(const ForceMeasure& a, const ForceMeasure& b) {
  return component_wise(a, b, [](Expr x, Expr y) { return x - y; });
}

std::vector<Expr> lagrangian_components(const ConstraintSpace& space, const ForceMeasure& forces) {
  std::vector<std::vector<Expr>> terms(space.size());
  for (std::size_t p = 0; p < forces.size(); ++p) {
    for (std::size_t c = 0; c < forces[p].size(); ++c) {
      const Form dx = d(space.coframe, space.system->particles[p].position[c]);
      for (std::size_t k = 0; k < space.size(); ++k) terms[k].push_back(forces[p][c] * coefficient_of(dx, k));
    }
  }
  std::vector<Expr> result;
  for (const auto& sum : terms) result.push_back(space.pool().add(sum));
  return result;
}

MeasureSplit split(const ConstraintGeometry& geometry, const ForceMeasure& forces) {
  const ConstraintSpace& space = geometry.space;
  const std::vector<Expr> work = on_variations(space, lagrangian_components(space, forces));
  MeasureSplit result;
  for (std::size_t a = 0; a < work.size(); ++a) {
    std::vector<Expr> terms;
    for (std::size_t b = 0; b < work.size(); ++b)
      terms.push_back(geometry.inverse_fibre_metric(a, b) * work[b]);
    result.vertical.push_back(space.pool().add(terms));
  }
  result.reactive = forces - vertical_rates(space, result.vertical);
  return result;
}

ParticleOmega particle_omega(const ConstraintGeometry& geometry) {
  const ConstraintSpace& space = geometry.space;
  const ForceMeasure velocities = particle_velocities(space);
  const Form dt = Form::basis(space.coframe, space.time_form());
  ParticleOmega result{Form(space.coframe, 2), Form(space.coframe, 2), Form(space.coframe, 2)};
  for (std::size_t p = 0; p < velocities.size(); ++p) {
    const Particle& particle = space.system->particles[p];
    for (std::size_t c = 0; c < velocities[p].size(); ++c) {
      const Form dv = particle.mass * d(space.coframe, velocities[p][c]);
      const Form contact = d(space.coframe, particle.position[c]) - velocities[p][c] * dt;
      const Form displaced =
          fibre_differential(geometry.tensor, Form::function(space.coframe, velocities[p][c]));
      result.omega = result.omega + wedge(dv, contact);
      result.virtual_part = result.virtual_part + wedge(dv, displaced);
      result.chetaev_part = result.chetaev_part + wedge(dv, contact - displaced);
    }
  }
  return result;
}

Expr constraint_measure(const ConstraintSpace& space, const ForceMeasure& forces,
                        const std::vector<Expr>& rates) {
  const ForceMeasure rest = momentum_rates(space, rates) - forces;
  std::vector<Expr> terms;
  for (std::size_t p = 0; p < rest.size(); ++p) {
    for (Expr component : rest[p])
      terms.push_back(component * component / (2 * space.system->particles[p].mass));
  }
  return space.pool().add(terms);
}

Expr gauss_function(const ConstraintSpace& space, const ForceMeasure& forces,
                    const std::vector<Expr>& rates) {
  const ForceMeasure inertia = momentum_rates(space, rates);
  std::vector<Expr> terms;
  for (std::size_t p = 0; p < inertia.size(); ++p) {
    for (std::size_t c = 0; c < inertia[p].size(); ++c) {
      terms.push_back(inertia[p][c] * (inertia[p][c] - 2 * forces[p][c]) /
                      (2 * space.system->particles[p].mass));
    }
  }
  return space.pool().add(terms);
}

}  // namespace liaison
