#include "liaison/forms/calculus.hpp"
#include "require.hpp"

namespace liaison {

namespace {

/// d i(X) a, which is 0 on functions: i(X) has nothing there to contract.
Form d_interior(const VectorField& x, const Form& a) {
  require_same_coframe(x.coframe(), a.coframe());
  if (a.degree() == 0) return Form(a.coframe(), 0);
  return d(interior(x, a));
}

}  // namespace

Form lie(const VectorField& x, const Form& a) {
  return interior(x, d(a)) + d_interior(x, a);
}

Form epsilon(const VectorField& x, const Form& a) {
  return d_interior(x, a) - interior(x, d(a));
}

/// Of degree -1; on functions, where nothing is left of the first term, i(X)i(Y) d f = 0 as well.
Form epsilon(const VectorField& x, const VectorField& y, const Form& a) {
  require_same_coframe(x.coframe(), y.coframe());
  const Form second = interior(x, interior(y, d(a)));
  if (a.degree() == 0) return Form(a.coframe(), 0);
  if (a.degree() == 1) return -second;
  return d(interior(x, interior(y, a))) - second;
}

}  // namespace liaison
