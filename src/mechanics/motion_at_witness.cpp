#include "motion_at_witness.hpp"

#include <algorithm>
#include <cmath>

#include "expr/ball_matrix.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/substitute.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

constexpr long bits_of_a_witness = 256;
constexpr slong next_to_zero = -100;  // a power of 2: what is nearer is printed as zero

/// The printed point, whose values are rounded to 17 digits, with that rounding.
BallPoint around(const Witness& witness) {
  BallPoint point;
  for (const auto& [symbol, value] : witness.point) {
    Ball ball(value, bits_of_a_witness);
    arb_add_error_2exp_si(ball.raw(),
                          static_cast<slong>(std::ilogb(std::abs(value.to_double()) + 1e-300)) - 50);
    arb_add_error_2exp_si(ball.raw(), next_to_zero);
    point.emplace(symbol, std::move(ball));
  }
  return point;
}

/// No matrix in these balls is singular: R A is nearer to one than 1, with R about the inverse. A determinant
/// of a hundred rows in balls has long lost its sign.
bool is_certainly_regular(const BallMatrix& a) {
  const std::size_t n = a.rows();
  BallMatrix inverse(n, n), product(n, n), one(n, n);
  if (arb_mat_approx_inv(inverse.raw(), a.raw(), bits_of_a_witness) == 0) return false;
  arb_mat_one(one.raw());
  arb_mat_mul(product.raw(), inverse.raw(), a.raw(), bits_of_a_witness);
  arb_mat_sub(product.raw(), product.raw(), one.raw(), bits_of_a_witness);
  mag_t distance;
  mag_init(distance);
  arb_mat_bound_inf_norm(distance, product.raw());
  const bool is_near = mag_cmp_2exp_si(distance, 0) < 0;
  mag_clear(distance);
  return is_near;
}

/// With the pieces that it has all around a point: (1 + sign(y))*x' is 0 where y is negative.
Expr piece_at(Expr e, const BallPoint& point) {
  const PieceArguments pieces = piece_arguments(std::span(&e, 1));
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) {
      const BallValues found = evaluate_balls(std::span(&u, 1), point, bits_of_a_witness);
      if (found.status != EvaluationStatus::ok || found.values[0].contains_zero()) continue;
      e = on_side(std::span(&e, 1), u, found.values[0].is_positive() ? 1 : -1)[0];
    }
  }
  return e;
}

}  // namespace

bool do_not_vanish_at(const std::vector<Expr>& conditions, const Witness& witness) {
  const BallValues values = evaluate_balls(conditions, around(witness), bits_of_a_witness);
  return values.status == EvaluationStatus::ok &&
         std::none_of(values.values.begin(), values.values.end(),
                      [](const Ball& value) { return value.contains_zero(); });
}

bool is_ideal(const System& system) {
  return system.reactions.empty() &&
         std::all_of(system.constraints.begin(), system.constraints.end(),
                     [](const Constraint& constraint) { return constraint.power_kind == PowerKind::ideal; });
}

bool has_definite_mass_at(const Motion& motion, const Witness& witness) {
  const std::size_t n = motion.space.size();
  const BallValues values = evaluate_balls(motion.free.mass.entries, around(witness), bits_of_a_witness);
  if (values.status != EvaluationStatus::ok) return false;
  const BallMatrix mass(n, n, values.values);
  BallMatrix factor(n, n);
  return arb_mat_cho(factor.raw(), mass.raw(), bits_of_a_witness) != 0;
}

bool is_regular_at(const Motion& motion, const Witness& witness) {
  const std::size_t n = motion.space.size(), forces = motion.constraints.size();
  if (forces != motion.relation_count) return false;
  const BallPoint point = around(witness);
  Matrix saddle(motion.space.pool(), n + forces, n + forces);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < n; ++a) saddle(i, a) = motion.free.mass(i, a);
    for (std::size_t h = 0; h < forces; ++h) {
      saddle(i, n + h) = motion.constraints[h].direction[i];
      saddle(n + h, i) = motion.constraints[h].gradient[i];
    }
  }
  const BallValues values = evaluate_balls(saddle.entries, point, bits_of_a_witness);
  if (values.status != EvaluationStatus::ok) return false;
  return is_certainly_regular(BallMatrix(n + forces, n + forces, values.values));
}

bool has_constant_rank_at(Algebra& algebra, const Motion& motion, const Witness& witness,
                          const Substitution& parameters, const std::vector<Expr>& kept) {
  const BallPoint point = around(witness);
  const std::size_t n = motion.space.size();
  // rows are taken while their Gram determinant is certainly not zero: these keep their rank nearby
  std::vector<Ball> rows;
  std::vector<std::size_t> others;
  Region chosen;
  chosen.equations = kept;
  for (const Rotation& rotation : motion.space.system->rotations)
    chosen.equations.push_back(length_relation(rotation));
  for (std::size_t h = 0; h < motion.relation_count; ++h) {
    const ConstraintField& constraint = motion.constraints[h];
    const BallValues row = evaluate_balls(constraint.gradient, point, bits_of_a_witness);
    if (row.status != EvaluationStatus::ok) return false;
    std::vector<Ball> more = rows;
    more.insert(more.end(), row.values.begin(), row.values.end());
    const BallMatrix gradients(more.size() / n, n, more);
    BallMatrix transposed(n, gradients.rows()), gram(gradients.rows(), gradients.rows());
    arb_mat_transpose(transposed.raw(), gradients.raw());
    arb_mat_mul(gram.raw(), gradients.raw(), transposed.raw(), bits_of_a_witness);
    if (!is_certainly_regular(gram)) {
      others.push_back(h);
      continue;
    }
    rows = std::move(more);
    if (!constraint.level.empty()) chosen.equations.push_back(substitute(constraint.level, parameters));
    chosen.equations.push_back(substitute(constraint.relation, parameters));
  }
  for (Expr& e : chosen.equations) e = piece_at(e, point);
  return std::all_of(others.begin(), others.end(), [&](std::size_t h) {
    const ConstraintField& constraint = motion.constraints[h];
    const auto follows = [&](Expr e) {
      return e.empty() || algebra.follows_near(piece_at(substitute(e, parameters), point), chosen, point);
    };
    return follows(constraint.level) && follows(constraint.relation);
  });
}

}  // namespace liaison
