#include "liaison/model/matrix_names.hpp"

#include "liaison/expr/substitute.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

Expr with_matrix_names(const System& system, Expr e) {
  Substitution names;
  for (const Rotation& rotation : system.rotations) {
    if (rotation.name.empty()) continue;
    const std::array<Expr, 9> matrix = rotation_matrix(rotation.quaternion);
    for (std::size_t k = 0; k < matrix.size(); ++k) {
      Pool& pool = matrix[k].pool();
      const Expr name = pool.symbol(rotation.name + std::to_string(k / 3 + 1) + std::to_string(k % 3 + 1),
                                    SymbolKind::auxiliary);
      for (const Rational& factor : {Rational(1), Rational(-1), Rational(1, 2), Rational(-1, 2)}) {
        std::vector<Expr> terms;
        for (Expr term : matrix[k].args()) terms.push_back(pool.number(factor) * term);
        names.emplace(pool.add(terms), pool.number(factor) * name);
      }
    }
  }
  return names.empty() ? e : substitute(e, names);
}

}  // namespace liaison
