#include "liaison/mechanics/jet_geometry.hpp"

#include "contract.hpp"

#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

/// du^a/dv^i: the inverse of dv^i/du^a.
Matrix derive_fibre(Algebra& algebra, const StateSpace& space) {
  return inverse_of(algebra, chart_jacobian(space), "the chart of velocity parameters");
}

std::vector<Expr> times(const Matrix& a, std::span<const Expr> x, Pool& pool) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < a.rows; ++i) {
    result.push_back(contract(pool, std::span(a.entries).subspan(i * a.columns, a.columns), x));
  }
  return result;
}

Form combine(const CoframePtr& coframe, std::span<const Expr> coefficients, std::span<const Form> forms) {
  Form sum(coframe, 1);
  for (std::size_t i = 0; i < forms.size(); ++i) sum = sum + coefficients[i] * forms[i];
  return sum;
}

}  // namespace

VectorField apply(const FibreTensor& tensor, const VectorField& x) {
  std::vector<Expr> components(x.components().size(), tensor.coframe->pool().number(0));
  for (std::size_t a = 0; a < tensor.sigma.size(); ++a) {
    components[tensor.fibre_forms[a]] =
        interior(x, tensor.sigma[a]).coefficient(std::span<const std::size_t>{});
  }
  return VectorField(tensor.coframe, std::move(components));
}

Matrix matrix_of(const FibreTensor& tensor) {
  const std::size_t dimension = tensor.coframe->dimension();
  Matrix result(tensor.coframe->pool(), dimension, dimension);
  for (std::size_t a = 0; a < tensor.sigma.size(); ++a) {
    for (std::size_t j = 0; j < dimension; ++j) {
      const std::size_t index[] = {j};
      result(tensor.fibre_forms[a], j) = tensor.sigma[a].coefficient(index);
    }
  }
  return result;
}

Form fibre_derivation(const FibreTensor& tensor, const Form& a) {
  Form result(tensor.coframe, a.degree());
  if (a.degree() == 0) return result;
  for (std::size_t k = 0; k < tensor.sigma.size(); ++k) {
    const VectorField vertical = VectorField::dual(tensor.coframe, tensor.fibre_forms[k]);
    result = result - wedge(tensor.sigma[k], interior(vertical, a));
  }
  return result;
}

Form fibre_differential(const FibreTensor& tensor, const Form& a) {
  const Form dt = Form::basis(tensor.coframe, tensor.time_form);
  const Rational degree(static_cast<long>(a.degree()));
  return d(fibre_derivation(tensor, a)) - fibre_derivation(tensor, d(a)) - degree * wedge(dt, a);
}

JetGeometry derive_jet_geometry(Algebra& algebra, const Motion& motion) {
  const StateSpace& space = motion.space;
  const std::size_t n = space.size();
  const Form dt = Form::basis(space.coframe, space.time_form());
  std::vector<Form> contact;
  for (std::size_t i = 0; i < n; ++i) {
    contact.push_back(Form::basis(space.coframe, space.configuration_form(i)) - space.velocities[i] * dt);
  }
  Matrix fibre = derive_fibre(algebra, space);
  Matrix metric = motion.free.mass * fibre;
  for (Expr& entry : metric.entries) entry = algebra.readable(entry);
  Matrix inverse = inverse_of(algebra, metric, "the kinetic energy");

  FibreTensor tensor{space.coframe, space.time_form(), {}, {}};
  for (std::size_t a = 0; a < n; ++a) {
    tensor.fibre_forms.push_back(space.velocity_form(a));
    tensor.sigma.push_back(combine(space.coframe, std::span(fibre.entries).subspan(a * n, n), contact));
  }
  return {
      space, std::move(contact), std::move(fibre), std::move(metric), std::move(inverse), std::move(tensor)};
}

std::vector<Expr> vertical_push_forward(const JetGeometry& jet, const VectorField& x) {
  std::vector<Expr> result;
  for (const Form& om : jet.contact) {
    result.push_back(interior(x, om).coefficient(std::span<const std::size_t>{}));
  }
  return result;
}

Form contact_pull_back(const JetGeometry& jet, const Form& nu) {
  return combine(jet.space.coframe, configuration_components(nu, jet.space.size()), jet.contact);
}

Form contact_differential(const JetGeometry& jet, Expr f) {
  return contact_pull_back(jet, d(jet.space.coframe, f));
}

Expr pairing(const JetGeometry& jet, const Form& contact_form, const std::vector<Expr>& v) {
  return contract(jet.space.pool(), configuration_components(contact_form, jet.space.size()), v);
}

VectorField vertical_lift(const JetGeometry& jet, const std::vector<Expr>& v) {
  return jet.space.velocity_field(times(jet.fibre, v, jet.space.pool()));
}

Form lower(const JetGeometry& jet, const std::vector<Expr>& v) {
  return combine(jet.space.coframe, times(jet.metric, v, jet.space.pool()), jet.contact);
}

std::vector<Expr> raise(const JetGeometry& jet, const Form& contact_form) {
  const std::vector<Expr> components = configuration_components(contact_form, jet.space.size());
  return times(jet.inverse_metric, components, jet.space.pool());
}

Expr inner_product(const JetGeometry& jet, const Form& nu, const Form& eta) {
  return contract(jet.space.pool(), configuration_components(nu, jet.space.size()), raise(jet, eta));
}

std::vector<Expr> configuration_components(const Form& a, std::size_t n) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t index[] = {i};
    result.push_back(a.coefficient(index));
  }
  return result;
}

Matrix inverse_of(Algebra& algebra, const Matrix& a, const std::string& what) {
  Matrix result(algebra.pool(), a.rows, a.rows);
  for (std::size_t j = 0; j < a.rows; ++j) {
    std::vector<Expr> unit(a.rows, algebra.pool().number(0));
    unit[j] = algebra.pool().number(1);
    const SolveResult column = solve(algebra, a, unit);
    if (column.status != SolveStatus::unique) {
      throw Error(ErrorCode::not_a_basis, what + " is singular",
                  "every velocity needs an inertia, and every parameter of the velocities must change them");
    }
    for (std::size_t i = 0; i < a.rows; ++i) result(i, j) = algebra.readable(column.x[i]);
  }
  return result;
}

Matrix space_time_gram(Algebra& algebra, const System& system) {
  std::vector<Expr> symbols{system.time};
  for (const Direction& direction : system.directions) {
    if (direction.rotation) continue;  // a particle has no orientation
    symbols.push_back(direction.coordinate);
  }
  Pool& pool = *system.pool;
  Matrix gram(pool, symbols.size(), symbols.size());
  for (const Particle& particle : system.particles) {
    for (Expr position : particle.position) {
      const std::vector<Expr> slope = gradient(position, symbols);
      for (std::size_t h = 0; h < symbols.size(); ++h) {
        for (std::size_t k = 0; k < symbols.size(); ++k) gram(h, k) += particle.mass * slope[h] * slope[k];
      }
    }
  }
  for (Expr& entry : gram.entries) entry = algebra.readable(entry);
  return gram;
}

}  // namespace liaison
