#include "krawczyk.hpp"

#include <algorithm>

#include "block_order.hpp"
#include "expr/ball_matrix.hpp"
#include "expr/raw.hpp"
#include "expr/work.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

bool depends_on_any(Expr e, std::span<const Expr> symbols) {
  const std::vector<Expr> own = symbols_in(e);
  return std::any_of(own.begin(), own.end(), [&](Expr symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  });
}

/// The functions and the Jacobian matrix over a box; false where something has no value or jumps, and at the
/// limit of work.
class Evaluation {
 public:
  explicit Evaluation(const SquareSystem& system) : system_(system), es_(system.rows) {
    for (const JacobianEntry& entry : system.entries) es_.push_back(entry.value);
    es_.insert(es_.end(), system.kinks.begin(), system.kinks.end());
    es_.insert(es_.end(), system.branches.begin(), system.branches.end());
  }

  bool evaluate(BallPoint& point, std::span<const Ball> box, BallMatrix& f, BallMatrix& jacobian, long bits) {
    if (WorkLimit::is_reached()) return false;
    for (std::size_t i = 0; i < box.size(); ++i) point.insert_or_assign(system_.unknowns[i], box[i]);
    const BallValues found = evaluate_balls(es_, point, bits);
    if (found.status != EvaluationStatus::ok || !is_smooth(found.values)) return false;
    const std::size_t n = system_.rows.size();
    for (std::size_t i = 0; i < n; ++i) arb_set(f.at(i, 0), found.values[i].raw());
    arb_mat_zero(jacobian.raw());
    for (std::size_t k = 0; k < system_.entries.size(); ++k) {
      const JacobianEntry& entry = system_.entries[k];
      arb_set(jacobian.at(entry.row, entry.column), found.values[n + k].raw());
    }
    return true;
  }

 private:
  bool is_smooth(const std::vector<Ball>& values) const {
    std::size_t i = system_.rows.size() + system_.entries.size();
    for (std::size_t k = 0; k < system_.kinks.size(); ++k, ++i) {
      if (values[i].contains_zero()) return false;
    }
    for (; i + 1 < values.size(); i += 2) {
      if (values[i].contains_zero() && !values[i + 1].is_positive()) return false;
    }
    return true;
  }

  const SquareSystem& system_;
  std::vector<Expr> es_;
};

void make_exact(BallMatrix& matrix, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) mag_zero(arb_radref(matrix.at(i, j)));
  }
}

/// An exact matrix near the inverse of the midpoints.
bool approximate_inverse(BallMatrix& inverse, BallMatrix& jacobian, std::size_t n, long bits) {
  make_exact(jacobian, n);
  if (arb_mat_approx_inv(inverse.raw(), jacobian.raw(), bits) == 0) return false;
  make_exact(inverse, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!arb_is_finite(inverse.at(i, j))) return false;
    }
  }
  return true;
}

/// Newton's method on midpoints, until a step is as small as the precision.
bool improve(const SquareSystem& system, BallPoint& point, std::vector<Ball>& middle, long bits) {
  const std::size_t n = middle.size();
  Evaluation evaluation(system);
  BallMatrix f(n, 1), jacobian(n, n), step(n, 1);
  constexpr int most_steps = 20;
  for (int k = 0; k < most_steps; ++k) {
    if (!evaluation.evaluate(point, middle, f, jacobian, bits)) return false;
    if (arb_mat_approx_solve(step.raw(), jacobian.raw(), f.raw(), bits) == 0) return false;
    bool done = true;
    for (std::size_t i = 0; i < n; ++i) {
      arf_t size;
      arf_init(size);
      arf_abs(size, arb_midref(step.at(i, 0)));
      const long scale = std::max(arf_abs_bound_lt_2exp_si(arb_midref(middle[i].raw())), -20L);
      done = done && arf_cmpabs_2exp_si(size, scale - (3 * bits) / 4) < 0;
      arf_clear(size);
      arb_sub(middle[i].raw(), middle[i].raw(), step.at(i, 0), bits);
      mag_zero(arb_radref(middle[i].raw()));
      if (!middle[i].is_finite()) return false;
    }
    if (done) return true;
  }
  return false;
}

/// Y: every middle with half of the bits.
std::vector<Ball> inflate(std::span<const Ball> middle, long bits) {
  std::vector<Ball> result(middle.begin(), middle.end());
  for (Ball& ball : result) {
    const long scale = std::max(arf_abs_bound_lt_2exp_si(arb_midref(ball.raw())), -20L);
    mag_set_ui_2exp_si(arb_radref(ball.raw()), 1, scale - bits / 2);
  }
  return result;
}

struct Certificate {
  std::vector<Ball> box;        ///< Y: exactly one solution
  std::vector<Ball> enclosure;  ///< K(Y), which holds it
};

/// K(Y) = y - C f(y) + (I - C f'(Y)) (Y - y) inside Y.
std::optional<Certificate> krawczyk(const SquareSystem& system, BallPoint& point,
                                    std::span<const Ball> middle, long bits) {
  const std::size_t n = middle.size();
  Evaluation evaluation(system);
  BallMatrix f(n, 1), jacobian(n, n), inverse(n, n), unused(n, 1), move(n, 1), slack(n, n), wide(n, 1);
  if (!evaluation.evaluate(point, middle, f, jacobian, bits)) return std::nullopt;
  if (!approximate_inverse(inverse, jacobian, n, bits)) return std::nullopt;
  Certificate result;
  result.box = inflate(middle, bits);
  if (!evaluation.evaluate(point, result.box, unused, jacobian, bits)) return std::nullopt;
  arb_mat_mul(slack.raw(), inverse.raw(), jacobian.raw(), bits);
  arb_mat_neg(slack.raw(), slack.raw());
  for (std::size_t i = 0; i < n; ++i) {
    arb_add_si(slack.at(i, i), slack.at(i, i), 1, bits);
    arb_sub(wide.at(i, 0), result.box[i].raw(), middle[i].raw(), bits);
  }
  arb_mat_mul(wide.raw(), slack.raw(), wide.raw(), bits);
  arb_mat_mul(move.raw(), inverse.raw(), f.raw(), bits);
  for (std::size_t i = 0; i < n; ++i) {
    Ball k(middle[i]);
    arb_sub(k.raw(), k.raw(), move.at(i, 0), bits);
    arb_add(k.raw(), k.raw(), wide.at(i, 0), bits);
    if (!k.is_finite() || arb_contains_interior(result.box[i].raw(), k.raw()) == 0) return std::nullopt;
    result.enclosure.push_back(std::move(k));
  }
  return result;
}

std::optional<Certificate> certify_whole(const SquareSystem& system, BallPoint point,
                                         std::span<const Ball> start, long bits) {
  std::vector<Ball> middle(start.begin(), start.end());
  for (Ball& ball : middle) mag_zero(arb_radref(ball.raw()));
  if (!improve(system, point, middle, bits)) return std::nullopt;
  return krawczyk(system, point, middle, bits);
}

std::optional<Certificate> certify_parts(const SquareSystem& system, BallPoint point,
                                         std::span<const Ball> start, long bits) {
  Certificate result;
  result.box.resize(start.size());
  result.enclosure.resize(start.size());
  for (const SquareSystem& part : system.parts) {
    std::vector<Ball> own;
    BallPoint known;
    for (std::size_t place : part.places) own.push_back(start[place]);
    for (Expr symbol : part.symbols) {
      if (const auto value = point.find(symbol); value != point.end()) known.insert(*value);
    }
    auto certificate = certify_whole(part, std::move(known), own, bits);
    if (!certificate) return std::nullopt;
    for (std::size_t i = 0; i < part.places.size(); ++i) {
      point.insert_or_assign(part.unknowns[i], certificate->enclosure[i]);
      result.box[part.places[i]] = std::move(certificate->box[i]);
      result.enclosure[part.places[i]] = std::move(certificate->enclosure[i]);
    }
  }
  return result;
}

std::optional<Certificate> certify(const SquareSystem& system, const BallPoint& given,
                                   std::span<const Ball> start, long bits) {
  constexpr std::size_t most_together = 48;  // where it fails by parts
  if (!system.parts.empty()) {
    auto result = certify_parts(system, given, start, bits);
    if (result || start.size() > most_together) return result;
  }
  return certify_whole(system, given, start, bits);
}

SquareSystem coupled_system(std::span<const Expr> rows, std::span<const Expr> unknowns) {
  SquareSystem result;
  result.rows.assign(rows.begin(), rows.end());
  result.unknowns.assign(unknowns.begin(), unknowns.end());
  result.symbols = symbols_in(rows);
  result.entries = jacobian(rows, unknowns);
  for (Expr e : postorder(rows)) {
    const bool has_pieces =
        e.is(Op::abs) || e.is(Op::sign) || e.is(Op::min) || e.is(Op::max) || e.is(Op::atan2);
    if (!has_pieces || !depends_on_any(e, unknowns)) continue;
    if (e.is(Op::abs) || e.is(Op::sign)) result.kinks.push_back(e.arg(0));
    if (e.is(Op::min) || e.is(Op::max)) result.kinks.push_back(e.arg(0) - e.arg(1));
    if (e.is(Op::atan2)) result.branches.insert(result.branches.end(), {e.arg(0), e.arg(1)});
  }
  return result;
}

}  // namespace

SquareSystem make_square_system(std::span<const Expr> rows, std::span<const Expr> unknowns) {
  SquareSystem result = coupled_system(rows, unknowns);
  std::vector<std::vector<std::size_t>> columns(rows.size());
  for (const JacobianEntry& entry : result.entries) columns[entry.row].push_back(entry.column);
  const std::vector<SolvedPart> order = solved_one_after_another(columns);
  if (order.size() < 2) return result;
  for (const SolvedPart& part : order) {
    std::vector<Expr> own_rows, own_unknowns;
    for (std::size_t row : part.rows) own_rows.push_back(rows[row]);
    for (std::size_t column : part.columns) own_unknowns.push_back(unknowns[column]);
    result.parts.push_back(coupled_system(own_rows, own_unknowns));
    result.parts.back().places = part.columns;
  }
  return result;
}

long with_bits_for_parts(const SquareSystem& system, long bits) {
  constexpr long bits_a_part = 3, most = 2'000;
  return bits + std::min(bits_a_part * static_cast<long>(system.parts.size()), most);
}

std::optional<std::vector<Ball>> certified_box(const SquareSystem& system, const BallPoint& given,
                                               std::span<const Ball> start, long bits) {
  auto certificate = certify(system, given, start, bits);
  if (!certificate) return std::nullopt;
  return std::move(certificate->box);
}

std::optional<std::vector<Ball>> sharpen(const SquareSystem& system, const BallPoint& given,
                                         std::span<const Ball> box, long bits) {
  auto certificate = certify(system, given, box, bits);
  if (!certificate) return std::nullopt;
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (arb_contains(box[i].raw(), certificate->enclosure[i].raw()) == 0) return std::nullopt;
  }
  return std::move(certificate->enclosure);
}

}  // namespace liaison
