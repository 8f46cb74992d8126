#include "linear_part.hpp"

#include <acb_mat.h>

#include <algorithm>
#include <cmath>

#include "eigenvalue_clusters.hpp"
#include "expr/ball_matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/structure/steady_motion.hpp"

namespace liaison {

namespace {

constexpr long usual_bits = 192;
constexpr double wide = 1e-18;  ///< of an entry beside the largest: more bits, or a sharper place, tell more

/// A complex matrix of Arb's with its eigenvalues.
class ComplexMatrix {
 public:
  explicit ComplexMatrix(std::size_t n, long precision = usual_bits)
      : n_(static_cast<slong>(n)), bits_(precision) {
    acb_mat_init(value_, n_, n_);
  }
  ~ComplexMatrix() { acb_mat_clear(value_); }
  ComplexMatrix(const ComplexMatrix&) = delete;
  ComplexMatrix& operator=(const ComplexMatrix&) = delete;
  acb_struct* at(std::size_t i, std::size_t j) {
    return acb_mat_entry(value_, static_cast<slong>(i), static_cast<slong>(j));
  }

  /// Enclosures of all eigenvalues, with their multiplicities; empty where they could not be enclosed.
  std::vector<Eigenvalue> eigenvalues() const {
    std::vector<Eigenvalue> result;
    acb_ptr near = _acb_vec_init(n_), enclosed = _acb_vec_init(n_);
    acb_mat_t right;
    acb_mat_init(right, n_, n_);
    acb_mat_approx_eig_qr(near, nullptr, right, value_, nullptr, 0, bits_);
    if (acb_mat_eig_multiple(enclosed, value_, near, right, bits_) != 0 ||
        enclose_clusters(enclosed, value_, near, bits_)) {
      for (slong k = 0; k < n_; ++k) {
        Eigenvalue value;
        arb_set(value.re.raw(), acb_realref(enclosed + k));
        arb_set(value.im.raw(), acb_imagref(enclosed + k));
        result.push_back(std::move(value));
      }
    }
    acb_mat_clear(right);
    _acb_vec_clear(near, n_);
    _acb_vec_clear(enclosed, n_);
    return result;
  }

  /// By S. M. Rump's enclosure of an eigenvalue, or of some that fall together, with their vectors.
  bool has_one_on_the_right() const {
    acb_ptr near = _acb_vec_init(n_);
    acb_mat_t vectors;
    acb_mat_init(vectors, n_, n_);
    acb_mat_approx_eig_qr(near, nullptr, vectors, value_, nullptr, 0, bits_);
    bool is_found = false;
    for (slong k = 0; k < n_ && !is_found; ++k) {
      std::vector<slong> together;
      for (slong i = 0; i < n_; ++i)
        if (distance(near + k, near + i) < 1e-9 * (1 + size(near + k))) together.push_back(i);
      is_found = is_enclosed_on_the_right(near + k, vectors, together);
    }
    acb_mat_clear(vectors);
    _acb_vec_clear(near, n_);
    return is_found;
  }

 private:
  static double size(acb_srcptr x) {
    return std::hypot(arf_get_d(arb_midref(acb_realref(x)), ARF_RND_NEAR),
                      arf_get_d(arb_midref(acb_imagref(x)), ARF_RND_NEAR));
  }
  double distance(acb_srcptr x, acb_srcptr y) const {
    acb_t change;
    acb_init(change);
    acb_sub(change, x, y, bits_);
    const double result = size(change);
    acb_clear(change);
    return result;
  }
  bool is_enclosed_on_the_right(acb_srcptr near, const acb_mat_t vectors,
                                const std::vector<slong>& together) const {
    const auto count = static_cast<slong>(together.size());
    acb_mat_t chosen, enclosed, block;
    acb_t value;
    acb_init(value);
    acb_mat_init(chosen, n_, count);
    acb_mat_init(enclosed, n_, count);
    acb_mat_init(block, count, count);
    for (slong i = 0; i < n_; ++i) {
      for (slong k = 0; k < count; ++k)
        acb_set(acb_mat_entry(chosen, i, k),
                acb_mat_entry(vectors, i, together[static_cast<std::size_t>(k)]));
    }
    acb_mat_eig_enclosure_rump(value, block, enclosed, value_, near, chosen, bits_);
    const bool is_right = acb_is_finite(value) != 0 && arb_is_positive(acb_realref(value)) != 0;
    acb_mat_clear(block);
    acb_mat_clear(enclosed);
    acb_mat_clear(chosen);
    acb_clear(value);
    return is_right;
  }

  slong n_;
  long bits_;
  acb_mat_t value_;
};

}  // namespace

bool linearise(std::span<const Expr> rates, const std::vector<Expr>& variables, const BallPoint& values,
               Equilibrium& equilibrium, long bits) {
  const std::size_t n = variables.size();
  const std::vector<JacobianEntry> entries = jacobian(rates, variables);
  std::vector<Expr> slopes;
  for (const JacobianEntry& entry : entries) slopes.push_back(entry.value);
  const BallValues at = evaluate_balls(slopes, values, bits);
  if (at.status != EvaluationStatus::ok) return false;
  BallMatrix matrix(n, n);
  double largest = 0, widest = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (!at.values[k].is_finite()) return false;
    largest = std::max(largest, std::abs(at.values[k].mid()));
    widest = std::max(widest, at.values[k].rad());
    arb_set(matrix.at(entries[k].row, entries[k].column), at.values[k].raw());
  }
  judge_linear_part(matrix, variables, equilibrium, bits);
  return std::isfinite(largest) && widest <= wide * largest;
}

void judge_linear_part(const BallMatrix& matrix, const std::vector<Expr>& variables, Equilibrium& equilibrium,
                       long bits) {
  const std::size_t n = variables.size();
  ComplexMatrix balls(n, bits);
  equilibrium.matrix.clear();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> row;
    for (std::size_t k = 0; k < n; ++k) {
      arb_set(acb_realref(balls.at(i, k)), matrix.at(i, k));
      row.push_back(matrix.ball(i, k).mid());
    }
    equilibrium.matrix.push_back(std::move(row));
  }
  equilibrium.has_linearisation = true;
  equilibrium.variables = variables;
  if (n == 0) return;
  equilibrium.eigenvalues = balls.eigenvalues();
  const auto& all = equilibrium.eigenvalues;
  if (all.empty()) {  // not all are told apart: those on the right decide alone
    if (balls.has_one_on_the_right()) equilibrium.stability = Stability::unstable;
    return;
  }
  if (std::any_of(all.begin(), all.end(), [](const Eigenvalue& e) { return e.re.is_positive(); })) {
    equilibrium.stability = Stability::unstable;
  } else if (std::all_of(all.begin(), all.end(), [](const Eigenvalue& e) { return e.re.is_negative(); })) {
    equilibrium.stability = Stability::asymptotic;
  }
}

// f(m) = f(m) - f(r) = J (m - r) with J between the slopes over a box around m and r.
std::optional<BallPoint> sharpened(std::span<const Expr> equations, const std::vector<Expr>& unknowns,
                                   BallPoint place, long bits) {
  constexpr int most_steps = 16;
  const std::size_t n = unknowns.size();
  if (equations.size() != n) return std::nullopt;
  std::vector<Expr> slopes(n * n, unknowns[0].pool().number(0));
  for (const JacobianEntry& entry : jacobian(equations, unknowns))
    slopes[entry.row * n + entry.column] = entry.value;
  bool has_moved = true;
  for (int step = 0; step < most_steps && has_moved; ++step) {
    BallPoint middle = place;
    for (Expr unknown : unknowns) mag_zero(arb_radref(middle.at(unknown).raw()));
    const BallValues f = evaluate_balls(equations, middle, bits);
    const BallValues over = evaluate_balls(slopes, place, bits);
    if (f.status != EvaluationStatus::ok || over.status != EvaluationStatus::ok) return std::nullopt;
    BallMatrix right(n, 1), change(n, 1);
    for (std::size_t i = 0; i < n; ++i) arb_set(right.at(i, 0), f.values[i].raw());
    if (arb_mat_solve(change.raw(), BallMatrix(n, n, over.values).raw(), right.raw(), bits) == 0)
      return std::nullopt;
    has_moved = false;
    for (std::size_t i = 0; i < n; ++i) {
      Ball& now = place.at(unknowns[i]);
      Ball next = now;
      arb_sub(next.raw(), middle.at(unknowns[i]).raw(), change.at(i, 0), bits);
      if (mag_cmp(arb_radref(next.raw()), arb_radref(now.raw())) >= 0) continue;
      now = next;
      has_moved = true;
    }
  }
  return place;
}

std::vector<Eigenvalue> enclosed_eigenvalues(const Matrix& matrix) {
  const std::size_t n = matrix.rows;
  const BallValues at = evaluate_balls(matrix.entries, {}, usual_bits);
  if (at.status != EvaluationStatus::ok || n == 0) return {};
  ComplexMatrix balls(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) arb_set(acb_realref(balls.at(i, j)), at.values[i * n + j].raw());
  }
  return balls.eigenvalues();
}

bool is_positive_definite(const std::vector<std::vector<Expr>>& matrix, const BallPoint& values) {
  std::vector<Expr> entries;
  for (const auto& row : matrix) entries.insert(entries.end(), row.begin(), row.end());
  const BallValues at = evaluate_balls(entries, values, usual_bits);
  if (at.status != EvaluationStatus::ok) return false;
  const std::size_t n = matrix.size();
  const BallMatrix balls(n, n, at.values);
  BallMatrix factor(n, n);
  return arb_mat_cho(factor.raw(), balls.raw(), usual_bits) != 0;
}

}  // namespace liaison
