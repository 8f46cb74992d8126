#include "relation_frame.hpp"

#include <algorithm>

#include "liaison/forms/calculus.hpp"
#include "liaison/mechanics/states.hpp"
#include "rest_conditions.hpp"

namespace liaison {

RelationFrame::RelationFrame(Algebra& algebra, const StateFlow& flow)
    : algebra_(&algebra), coframe_(flow.motion->space.coframe) {
  const Motion& motion = *flow.motion;
  region_ = flow.unit_quaternions();
  region_.domain = states_of(motion).domain;
  std::vector<Expr> rates;
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    if (constraint.level.empty()) continue;
    levels_.push_back(constraint.level);
    rates.push_back(constraint.relation);
  }
  std::vector<Expr> both = levels_;
  both.insert(both.end(), rates.begin(), rates.end());
  for (Expr e : both) {
    region_.equations.push_back(e);
    if (const Expr cleared = without_quotients(algebra, e); !cleared.is_zero()) relations_.push_back(cleared);
    differentials_.push_back(d(coframe_, e));
    for (std::size_t k = 0; k < coframe_->dimension(); ++k) {
      const std::size_t indices[] = {k};
      entries_.push_back(differentials_.back().coefficient(indices));
    }
  }
}

std::vector<std::vector<Residue>> RelationFrame::tangent(const PrimeField& field,
                                                         std::span<const Residue> entries) const {
  const std::size_t width = coframe_->dimension();
  ModularMatrix matrix(field, width);
  for (std::size_t first = 0; first < entries.size(); first += width)
    matrix.add_row({entries.begin() + static_cast<std::ptrdiff_t>(first),
                    entries.begin() + static_cast<std::ptrdiff_t>(first + width)});
  auto kernel = matrix.kernel();
  if (kernel.size() + matrix.rows() > width) return {};
  return kernel;
}

Verdict RelationFrame::vanishes(Expr e) const {
  if (e.is_zero() || algebra_->follows(e, region_)) return Verdict::of(Grade::proved, "");
  return algebra_->are_equal(e, algebra_->pool().number(0), region_);
}

Verdict RelationFrame::vanishes(const Form& form) const {
  const auto all_follow = [&](const Form& asked) {
    return std::all_of(asked.terms().begin(), asked.terms().end(),
                       [&](const Form::Term& term) { return algebra_->follows(term.second, region_); });
  };
  if (all_follow(form)) return Verdict::of(Grade::proved, "");
  Form product = form;
  for (const Form& differential : differentials_) product = wedge(product, differential);
  Verdict whole = Verdict::of(Grade::proved, "");
  for (const Form::Term& term : product.terms()) {
    whole = conjunction(std::move(whole), vanishes(term.second));
    if (whole.is_refuted()) break;
  }
  return whole;
}

std::vector<std::vector<Residue>> pair_weights(const PrimeField& field,
                                               const std::vector<std::vector<Residue>>& vectors) {
  std::vector<std::vector<Residue>> result;
  for (std::size_t a = 0; a < vectors.size(); ++a) {
    for (std::size_t b = a + 1; b < vectors.size(); ++b) {
      const auto& x = vectors[a];
      const auto& y = vectors[b];
      std::vector<Residue> weights;
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = i + 1; j < x.size(); ++j) {
          const Residue minus = field.mul(x[j], y[i]);
          weights.push_back(field.add(field.mul(x[i], y[j]), minus == 0 ? 0 : field.prime() - minus));
        }
      }
      result.push_back(std::move(weights));
    }
  }
  return result;
}

}  // namespace liaison
