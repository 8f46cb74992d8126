#include "load_sharing.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

LoadSharing::LoadSharing(Algebra& algebra, const ContactModes& modes, const ContactModes::Mode& mode,
                         const AssembledEquations& equations, const DoublePoint& parameters, Engine engine)
    : mode_(mode) {
  std::vector<Expr> coefficients;
  for (const ContactModes::Cone& cone : mode.cones) {
    if (cone.resistance)
      coefficients.push_back(modes.laws()[cone.contact].resistances[*cone.resistance].sticking);
  }
  coefficients_ = Quantities(algebra, equations, parameters, coefficients, engine);
  values_.assign(coefficients.size(), 0.0);
  none_.assign(std::max(equations.parameters.size(), equations.factors.size()), 0.0);
}

/// What a unit of each pressure does, once: it only says which forces are large.
bool LoadSharing::weigh(Evaluator& evaluator, double t, const double* y) {
  if (!units_.empty()) return true;
  Evaluator::Pieces pieces;
  const std::vector<double> no_factors(evaluator.factor_count(), 0.0);
  if (!evaluator.pieces(t, y, no_factors, pieces)) return false;
  const std::size_t n = evaluator.direction_count();
  for (const ContactModes::Cone& cone : mode_.cones) {
    double square = 0;
    for (std::size_t a = 0; a < n; ++a) {
      const double entry = pieces.directions[cone.normal * n + a], mass = pieces.mass[a * n + a];
      if (mass > 0) square += entry * entry / mass;
    }
    units_.push_back(square > 0 ? std::sqrt(square) : 1.0);
  }
  return true;
}

void LoadSharing::choose(Evaluator& evaluator, double t, const double* y,
                         const std::vector<std::vector<double>>& directions, std::vector<double>& factors) {
  shared_ = {};
  if (!weigh(evaluator, t, y)) return;
  if (!values_.empty() &&
      !coefficients_.evaluate(t, y, none_.data(), {none_.data(), evaluator.factor_count()}, values_.data()))
    return;
  std::vector<ForceCone> cones;
  std::size_t next = 0;
  for (std::size_t j = 0; j < mode_.cones.size(); ++j) {
    const ContactModes::Cone& cone = mode_.cones[j];
    cones.push_back({cone.normal, cone.resisted, cone.resistance ? values_[next++] : 0, units_[j]});
  }
  shared_ = share_load({factors, directions}, cones);
  factors = shared_.forces;
}

std::vector<std::size_t> LoadSharing::contacts() const {
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < shared_.is_open.size(); ++j) {
    const std::size_t c = mode_.cones[j].contact;
    if (shared_.is_open[j] && (result.empty() || result.back() != c)) result.push_back(c);
  }
  return result;
}

bool LoadSharing::decides(const Guard& guard) const {
  if (guard.kind != Guard::Kind::opens && guard.kind != Guard::Kind::slips) return false;
  for (std::size_t j = 0; j < shared_.is_open.size(); ++j) {
    const ContactModes::Cone& cone = mode_.cones[j];
    if (cone.contact != guard.contact || !shared_.is_open[j]) continue;
    if (guard.kind == Guard::Kind::opens ? !cone.resistance : cone.resistance == guard.resistance)
      return true;
  }
  return false;
}

}  // namespace liaison
