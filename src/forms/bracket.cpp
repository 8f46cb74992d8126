#include "liaison/forms/calculus.hpp"
#include "require.hpp"

namespace liaison {

/// theta^k([X, Y]) = X(Y^k) - Y(X^k) - d theta^k(X, Y); convention C4.
VectorField bracket(const VectorField& x, const VectorField& y) {
  require_same_coframe(x.coframe(), y.coframe());
  const Coframe& coframe = *x.coframe();
  std::vector<Expr> components;
  for (std::size_t k = 0; k < coframe.dimension(); ++k) {
    std::vector<Expr> terms{apply(x, y.component(k)), -apply(y, x.component(k))};
    for (const StructureTerm& term : coframe.basis()[k].derivative) {
      const Expr area = x.component(term.first) * y.component(term.second) -
                        x.component(term.second) * y.component(term.first);
      terms.push_back(-(term.coefficient * area));
    }
    components.push_back(coframe.pool().add(terms));
  }
  return VectorField(x.coframe(), std::move(components));
}

}  // namespace liaison
