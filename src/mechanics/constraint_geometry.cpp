#include "liaison/mechanics/constraint_geometry.hpp"

namespace liaison {

namespace {

Form combine(const CoframePtr& coframe, const std::vector<Expr>& coefficients,
             const std::vector<Form>& forms) {
  Form sum(coframe, 1);
  for (std::size_t i = 0; i < forms.size(); ++i) sum = sum + coefficients[i] * forms[i];
  return sum;
}

/// g_ij V^i (dpsi^j/dz^B).
std::vector<Expr> lowered_on_variations(const ConstraintGeometry& geometry, const std::vector<Expr>& v) {
  const std::size_t n = geometry.space.size();
  Pool& pool = geometry.space.pool();
  std::vector<Expr> lowered;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < n; ++i) terms.push_back(geometry.metric(i, j) * v[i]);
    lowered.push_back(pool.add(terms));
  }
  return on_variations(geometry.space, lowered);
}

void derive_sigma(Algebra& algebra, ConstraintGeometry& geometry) {
  const ConstraintSpace& space = geometry.space;
  const std::size_t n = space.size(), r = space.freedom();
  const Expr zero = algebra.pool().number(0), one = algebra.pool().number(1);
  std::vector<std::vector<Expr>> components(r);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> unit(n, zero);
    unit[i] = one;
    const std::vector<Expr> projected = project(geometry, unit);
    for (std::size_t a = 0; a < r; ++a) components[a].push_back(algebra.readable(projected[a]));
  }
  geometry.tensor = {space.coframe, space.time_form(), {}, {}};
  for (std::size_t a = 0; a < r; ++a) {
    geometry.sigma.push_back(combine(space.coframe, components[a], space.contact));
    geometry.tensor.fibre_forms.push_back(space.fibre_form(a));
  }
  geometry.tensor.sigma = geometry.sigma;
}

void derive_parts(ConstraintGeometry& geometry) {
  const ConstraintSpace& space = geometry.space;
  for (std::size_t i = 0; i < space.size(); ++i) {
    std::vector<Expr> row;
    for (std::size_t a = 0; a < space.freedom(); ++a) row.push_back(space.tangent(i, a));
    geometry.virtual_contact.push_back(combine(space.coframe, row, geometry.sigma));
    geometry.chi.push_back(space.contact[i] - geometry.virtual_contact.back());
  }
}

}  // namespace

Matrix derive_metric_on(Algebra& algebra, const Motion& motion, const ConstraintSpace& space) {
  Matrix metric = motion.free.mass;
  if (!motion.space.system->chart.parameters.empty()) metric = derive_jet_geometry(algebra, motion).metric;
  for (Expr& entry : metric.entries) entry = algebra.readable(space.restricted(entry));
  return metric;
}

Matrix derive_fibre_metric(Algebra& algebra, const Matrix& metric, const ConstraintSpace& space) {
  const std::size_t n = space.size(), r = space.freedom();
  Matrix result(algebra.pool(), r, r);
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t b = 0; b < r; ++b) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          terms.push_back(metric(i, j) * space.tangent(i, a) * space.tangent(j, b));
        }
      }
      result(a, b) = algebra.readable(algebra.pool().add(terms));
    }
  }
  return result;
}

Matrix derive_relation_gradient(Algebra& algebra, const Motion& motion, const ConstraintSpace& space) {
  const std::size_t n = space.size();
  Matrix by_parameter(algebra.pool(), motion.relation_count, n);
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    for (std::size_t a = 0; a < n; ++a) by_parameter(h, a) = motion.constraints[h].gradient[a];
  }
  Matrix result = motion.space.system->chart.parameters.empty()
                      ? by_parameter
                      : by_parameter * derive_jet_geometry(algebra, motion).fibre;
  for (Expr& entry : result.entries) entry = algebra.readable(space.restricted(entry));
  return result;
}

ConstraintGeometry derive_constraint_geometry(Algebra& algebra, const Motion& motion, ConstraintSpace space) {
  Matrix metric = derive_metric_on(algebra, motion, space);
  Matrix inverse_metric = inverse_of(algebra, metric, "the kinetic energy");
  Matrix fibre_metric = derive_fibre_metric(algebra, metric, space);
  Matrix inverse_fibre_metric =
      inverse_of(algebra, fibre_metric, "the kinetic energy of the admissible velocities");
  Matrix relation_gradient = derive_relation_gradient(algebra, motion, space);
  ConstraintGeometry geometry{std::move(space),
                              std::move(metric),
                              std::move(inverse_metric),
                              std::move(fibre_metric),
                              std::move(inverse_fibre_metric),
                              std::move(relation_gradient),
                              {},
                              {},
                              {},
                              {},
                              {}};
  for (std::size_t s = 0; s < geometry.relation_gradient.rows; ++s) {
    std::vector<Expr> row;
    for (std::size_t k = 0; k < geometry.space.size(); ++k) row.push_back(geometry.relation_gradient(s, k));
    geometry.chetaev.push_back(
        simplified(algebra, combine(geometry.space.coframe, row, geometry.space.contact)));
  }
  derive_sigma(algebra, geometry);
  derive_parts(geometry);
  return geometry;
}

std::vector<Expr> project(const ConstraintGeometry& geometry, const std::vector<Expr>& v) {
  const std::vector<Expr> lowered = lowered_on_variations(geometry, v);
  std::vector<Expr> result;
  for (std::size_t a = 0; a < lowered.size(); ++a) {
    std::vector<Expr> terms;
    for (std::size_t b = 0; b < lowered.size(); ++b) {
      terms.push_back(geometry.inverse_fibre_metric(a, b) * lowered[b]);
    }
    result.push_back(geometry.space.pool().add(terms));
  }
  return result;
}

Form lower(const ConstraintGeometry& geometry, const std::vector<Expr>& vertical) {
  Form result(geometry.space.coframe, 1);
  for (std::size_t a = 0; a < vertical.size(); ++a) {
    for (std::size_t b = 0; b < vertical.size(); ++b) {
      result = result + (vertical[a] * geometry.fibre_metric(a, b)) * geometry.sigma[b];
    }
  }
  return result;
}

Expr inner_product(const ConstraintGeometry& geometry, const Form& nu, const Form& eta) {
  const std::size_t n = geometry.space.size();
  const std::vector<Expr> left = configuration_components(nu, n), right = configuration_components(eta, n);
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) terms.push_back(geometry.inverse_metric(i, j) * left[i] * right[j]);
  }
  return geometry.space.pool().add(terms);
}

ContactSplit split(const ConstraintGeometry& geometry, const std::vector<Expr>& eta) {
  const CoframePtr& coframe = geometry.space.coframe;
  return {combine(coframe, eta, geometry.virtual_contact), combine(coframe, eta, geometry.chi)};
}

std::vector<Expr> on_variations(const ConstraintSpace& space, const std::vector<Expr>& phi) {
  std::vector<Expr> result;
  for (std::size_t a = 0; a < space.freedom(); ++a) {
    std::vector<Expr> terms;
    for (std::size_t k = 0; k < space.size(); ++k) terms.push_back(phi[k] * space.tangent(k, a));
    result.push_back(space.pool().add(terms));
  }
  return result;
}

FrobeniusResult integrability(Algebra& algebra, const ConstraintGeometry& geometry) {
  return frobenius(algebra, geometry.chetaev);
}

}  // namespace liaison
