#include "interval_roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>

#include "expr/ball_matrix.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "manifold_equations.hpp"

namespace liaison {

namespace {

constexpr long bits = 128;
constexpr double smallest_width = 1e-9;
constexpr double smallest_width_with_linear = 1e-7;  ///< where relations cross each other pieces are many

using Box = std::vector<std::pair<double, double>>;

Ball ball_of(double low, double high) {
  Ball result;
  arf_t a, b;
  arf_init(a);
  arf_init(b);
  arf_set_d(a, low);
  arf_set_d(b, high);
  arb_set_interval_arf(result.raw(), a, b, bits);
  arf_clear(a);
  arf_clear(b);
  return result;
}

/// Doubles around a ball.
std::pair<double, double> bounds_of(const Ball& ball) {
  arf_t a, b;
  arf_init(a);
  arf_init(b);
  arb_get_interval_arf(a, b, ball.raw(), bits);
  const std::pair<double, double> result{arf_get_d(a, ARF_RND_FLOOR), arf_get_d(b, ARF_RND_CEIL)};
  arf_clear(a);
  arf_clear(b);
  return result;
}

Ball mid_of(const Ball& ball) {
  Ball result;
  arb_get_mid_arb(result.raw(), ball.raw());
  return result;
}

bool is_inside(const Ball& inner, const Ball& outer) {
  return arb_contains_interior(outer.raw(), inner.raw()) != 0;
}

class Isolation {
 public:
  Isolation(std::span<const Expr> equations, std::span<const SearchInterval> box,
            std::span<const Expr> linear) {
    for (const SearchInterval& interval : box) {
      unknowns_.push_back(interval.unknown);
      start_.emplace_back(interval.low, interval.high);
    }
    rows_.assign(equations.begin(), equations.end());
    read_linear(linear);
    entries_ = jacobian(rows_, unknowns_);
    for (const JacobianEntry& entry : entries_) slopes_.push_back(entry.value);
  }

  IsolatedRoots run(std::size_t max_pieces, const std::function<bool()>& is_stopped) {
    if (!linear_.empty()) shave();
    std::deque<Box> open{start_};  // large pieces first: simple roots are found before others are cut small
    IsolatedRoots result;
    for (std::size_t pieces = 0; !open.empty(); ++pieces) {
      if (pieces >= max_pieces || is_stopped()) {
        const std::string others = left_in_words();
        result.reason = fmt::format("{} pieces of the box are left, one near {}{}{}", open.size(),
                                    describe(open.front()), others.empty() ? "" : "; ", others);
        return result;
      }
      Box piece = std::move(open.front());
      open.pop_front();
      if (!linear_.empty() && !contract(piece)) continue;
      switch (judge(piece, result.roots)) {
        case Judgement::none:
        case Judgement::one: continue;
        case Judgement::open: break;
      }
      if (!divide(piece, open)) keep(piece);
    }
    result.reason = left_in_words();
    result.all = result.reason.empty();
    return result;
  }

 private:
  enum class Judgement { none, one, open };
  /// What a piece that is left has not: a root alone, values of the equations, or one value of the unknowns
  /// that are linear in them.
  enum class Lack { isolation, values, rank };
  /// Pieces that cannot be divided and touch each other: the first, and a box around all.
  struct Left {
    Box first, around;
    Lack lack;
  };
  static constexpr std::size_t max_named = 8;

  /// A piece that cannot be divided, with those that it touches.
  void keep(const Box& piece) {
    const Lack lack = lack_of(piece);
    for (Left& other : left_) {
      if (other.lack != lack) continue;
      bool is_near = true;
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const double margin = 16 * (piece[i].second - piece[i].first);
        is_near = is_near && piece[i].first <= other.around[i].second + margin &&
                  other.around[i].first <= piece[i].second + margin;
      }
      if (!is_near) continue;
      for (std::size_t i = 0; i < piece.size(); ++i) {
        other.around[i].first = std::min(other.around[i].first, piece[i].first);
        other.around[i].second = std::max(other.around[i].second, piece[i].second);
      }
      return;
    }
    left_.push_back({piece, piece, lack});
  }

  std::string left_in_words() const {
    std::string roots, without, ranks;
    std::set<std::pair<Lack, std::string>> told;  // pieces around one place are one in these digits
    std::size_t others = 0;
    for (const Left& one : left_) {
      const std::string place = describe(one.first);
      if (!told.emplace(one.lack, place).second) continue;
      if (told.size() > max_named) {
        ++others;
        continue;
      }
      std::string& list = one.lack == Lack::isolation ? roots : one.lack == Lack::values ? without : ranks;
      list += (list.empty() ? "near " : ", near ") + place;
    }
    if (!roots.empty()) roots += " a root is not isolated: several fall together, or they form a curve";
    if (!without.empty()) without += " an equation has no value";
    if (!ranks.empty()) ranks += " the relations lose rank";
    std::string all;
    for (const std::string& part : {roots, without, ranks})
      if (!part.empty()) all += (all.empty() ? "" : "; ") + part;
    if (others > 0) all += fmt::format("; and {} other place{}", others, others == 1 ? "" : "s");
    return all;
  }

  BallPoint point_of(std::span<const Ball> values) const {
    BallPoint point;
    for (std::size_t i = 0; i < values.size(); ++i) point.emplace(unknowns_[i], values[i]);
    return point;
  }

  Lack lack_of(const Box& piece) const {
    std::vector<Ball> whole = balls_of(piece);
    if (!linear_.empty()) {
      const auto more = linear_values(whole);
      if (!more) return Lack::rank;
      whole.insert(whole.end(), more->begin(), more->end());
    }
    const BallValues values = evaluate_balls(rows_, point_of(whole), bits);
    const bool has_values =
        values.status == EvaluationStatus::ok &&
        std::all_of(values.values.begin(), values.values.end(), [](const Ball& v) { return v.is_finite(); });
    return has_values ? Lack::isolation : Lack::values;
  }

  static std::vector<Ball> balls_of(const Box& piece) {
    std::vector<Ball> whole;
    for (const auto& [low, high] : piece) whole.push_back(ball_of(low, high));
    return whole;
  }

  /// Rows are b + C linear: the rows without these unknowns, b and C.
  void read_linear(std::span<const Expr> linear) {
    linear_.assign(linear.begin(), linear.end());
    if (linear_.empty()) return;
    Substitution zero;
    for (Expr unknown : linear_) zero.emplace(unknown, unknown.pool().number(0));
    slopes_in_linear_ = jacobian(rows_, linear_);
    for (const JacobianEntry& entry : slopes_in_linear_) linear_slopes_.push_back(entry.value);
    std::vector<bool> is_linear(rows_.size(), false);
    for (const JacobianEntry& entry : slopes_in_linear_) is_linear[entry.row] = true;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rests_.push_back(substitute(rows_[i], zero));
      if (!is_linear[i]) plain_rows_.push_back(rows_[i]);
    }
    plain_entries_ = jacobian(plain_rows_, unknowns_);
    for (const JacobianEntry& entry : plain_entries_) plain_slopes_.push_back(entry.value);
    unknowns_.insert(unknowns_.end(), linear_.begin(), linear_.end());
  }

  /// Values of the linear unknowns at every root in a box of the others: P C x = -P b, with P near the
  /// inverse of C on its columns. Nothing where these may be dependent.
  std::optional<std::vector<Ball>> linear_values(const std::vector<Ball>& box) const {
    const std::size_t n = rows_.size(), m = linear_.size();
    const BallPoint at = point_of(box);
    const BallValues slopes = evaluate_balls(linear_slopes_, at, bits);
    const BallValues rests = evaluate_balls(rests_, at, bits);
    if (slopes.status != EvaluationStatus::ok || rests.status != EvaluationStatus::ok) return std::nullopt;
    BallMatrix c(n, m), middle(n, m), turned(m, n), square(m, m), inverse(m, m), b(n, 1, rests.values);
    for (std::size_t k = 0; k < slopes_in_linear_.size(); ++k)
      arb_set(c.at(slopes_in_linear_[k].row, slopes_in_linear_[k].column), slopes.values[k].raw());
    arb_mat_get_mid(middle.raw(), c.raw());
    arb_mat_transpose(turned.raw(), middle.raw());
    arb_mat_mul(square.raw(), turned.raw(), middle.raw(), bits);
    if (arb_mat_inv(inverse.raw(), square.raw(), bits) == 0) return std::nullopt;
    BallMatrix p(m, n), left(m, m), right(m, 1), x(m, 1);
    arb_mat_mul(p.raw(), inverse.raw(), turned.raw(), bits);
    arb_mat_get_mid(p.raw(), p.raw());
    arb_mat_mul(left.raw(), p.raw(), c.raw(), bits);
    arb_mat_mul(right.raw(), p.raw(), b.raw(), bits);
    if (arb_mat_solve(x.raw(), left.raw(), right.raw(), bits) == 0) return std::nullopt;
    std::vector<Ball> result;
    for (std::size_t k = 0; k < m; ++k) {
      arb_neg(x.at(k, 0), x.at(k, 0));
      result.push_back(x.ball(k, 0));
      if (!result.back().is_finite()) return std::nullopt;
    }
    return result;
  }

  /// A row without linear unknowns has no zero there.
  bool is_excluded(const Box& piece) const {
    const BallValues values = evaluate_balls(plain_rows_, point_of(balls_of(piece)), bits);
    return values.status == EvaluationStatus::ok &&
           std::any_of(values.values.begin(), values.values.end(),
                       [](const Ball& v) { return v.is_finite() && !v.contains_zero(); });
  }

  static bool misses(const std::vector<Ball>& box, const std::optional<std::vector<Ball>>& image) {
    if (!image) return false;
    for (std::size_t i = 0; i < box.size(); ++i)
      if (!overlaps((*image)[i], box[i])) return true;
    return false;
  }

  /// The rows without linear unknowns, solved for as many of the others as they are: what these can be beside
  /// all values of the rest, in the piece. False: nothing.
  bool contract(Box& piece) const {
    const std::size_t m = plain_rows_.size(), n = piece.size();
    if (m == 0 || m > n) return true;
    const std::vector<Ball> box = balls_of(piece);
    std::vector<Ball> middle;
    for (const Ball& ball : box) middle.push_back(mid_of(ball));
    const BallValues there = evaluate_balls(plain_slopes_, point_of(middle), bits);
    const BallValues over = evaluate_balls(plain_slopes_, point_of(box), bits);
    const BallValues values = evaluate_balls(plain_rows_, point_of(middle), bits);
    for (const BallValues* one : {&there, &over, &values})
      if (one->status != EvaluationStatus::ok) return true;
    std::vector<std::vector<double>> near(m, std::vector<double>(n, 0));
    BallMatrix slopes(m, n);
    for (std::size_t k = 0; k < plain_entries_.size(); ++k) {
      if (!over.values[k].is_finite()) return true;
      near[plain_entries_[k].row][plain_entries_[k].column] = there.values[k].mid();
      arb_set(slopes.at(plain_entries_[k].row, plain_entries_[k].column), over.values[k].raw());
    }
    const auto split = split_columns(near, n);
    if (!split) return true;
    BallMatrix square(m, m), inverse(m, m), scaled(m, n), change(m, 1), f(m, 1, values.values);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t k = 0; k < m; ++k) arb_set_d(square.at(i, k), near[i][split->dependent[k]]);
    if (arb_mat_inv(inverse.raw(), square.raw(), bits) == 0) return true;
    arb_mat_get_mid(inverse.raw(), inverse.raw());
    arb_mat_mul(scaled.raw(), inverse.raw(), slopes.raw(), bits);
    arb_mat_mul(change.raw(), inverse.raw(), f.raw(), bits);
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t own = split->dependent[i];
      Ball image, width;
      arb_sub(image.raw(), middle[own].raw(), change.at(i, 0), bits);
      for (std::size_t k = 0; k < n; ++k) {
        if (k == own) arb_sub_ui(scaled.at(i, k), scaled.at(i, k), 1, bits);
        arb_sub(width.raw(), box[k].raw(), middle[k].raw(), bits);
        arb_submul(image.raw(), scaled.at(i, k), width.raw(), bits);
      }
      if (!image.is_finite()) continue;
      if (!overlaps(image, box[own])) return false;
      // a little wider: a root is told where it is alone inside, and a point has no inside
      const Ball slack(Rational::from_double(std::ldexp(piece[own].second - piece[own].first, -40)));
      arb_add_error(image.raw(), slack.raw());
      const auto [low, high] = bounds_of(image);
      piece[own].first = std::max(piece[own].first, low);
      piece[own].second = std::min(piece[own].second, high);
      if (piece[own].first > piece[own].second) return false;
    }
    return true;
  }

  /// Cuts slices off the whole box while the rows without linear unknowns exclude them.
  void shave() {
    for (bool is_cut = true; is_cut;) {
      is_cut = false;
      for (std::size_t i = 0; i < start_.size(); ++i) {
        for (const bool low : {true, false}) {
          Box slice = start_;
          const double part = (start_[i].second - start_[i].first) / 16;
          double& edge = low ? slice[i].second : slice[i].first;
          edge = low ? start_[i].first + part : start_[i].second - part;
          if (part < 1e-3 || !is_excluded(slice)) continue;
          (low ? start_[i].first : start_[i].second) = edge;
          is_cut = true;
        }
      }
    }
  }

  /// With the linear unknowns, a little more than what they are; nothing where they are not determined.
  std::optional<std::vector<Ball>> with_linear(std::vector<Ball> box) const {
    if (linear_.empty()) return box;
    auto more = linear_values(box);
    if (!more) return std::nullopt;
    for (Ball& ball : *more) {
      mag_t wider;
      mag_init(wider);
      mag_mul_2exp_si(wider, arb_radref(ball.raw()), -1);
      mag_add_ui_2exp_si(wider, wider, 1, -40);
      arb_add_error_mag(ball.raw(), wider);
      mag_clear(wider);
    }
    box.insert(box.end(), more->begin(), more->end());
    return box;
  }

  Judgement judge(const Box& piece, std::vector<IsolatedRoot>& roots) const {
    if (!linear_.empty() && is_excluded(piece)) return Judgement::none;
    const auto whole = with_linear(balls_of(piece));
    if (!whole) return Judgement::open;
    const BallValues values = evaluate_balls(rows_, point_of(*whole), bits);
    if (values.status != EvaluationStatus::ok) return Judgement::open;
    for (const Ball& value : values.values) {
      if (value.is_finite() && !value.contains_zero()) return Judgement::none;
    }
    if (misses(*whole, krawczyk(*whole))) return Judgement::none;
    std::vector<Ball> around;
    double widest = 0;  // what was contracted is thin: the image need not be
    if (!linear_.empty())
      for (const auto& [low, high] : piece) widest = std::max(widest, high - low);
    for (const auto& [low, high] : piece) {
      const double margin = std::max(high - low, widest) / 2;
      around.push_back(ball_of(low - margin, high + margin));
    }
    const auto larger = with_linear(std::move(around));
    const auto image = larger ? krawczyk(*larger) : std::nullopt;
    if (!image) return Judgement::open;
    bool contracts = true;
    for (std::size_t i = 0; i < larger->size(); ++i) {
      if (!overlaps((*image)[i], (*larger)[i])) return Judgement::none;
      contracts = contracts && is_inside((*image)[i], (*larger)[i]);
    }
    if (!contracts) return Judgement::open;
    IsolatedRoot root{*image, *larger};
    for (int step = 0; step < 8; ++step) {
      auto next = krawczyk(root.value);
      if (!next) break;
      for (std::size_t i = 0; i < next->size(); ++i)
        arb_intersection((*next)[i].raw(), (*next)[i].raw(), root.value[i].raw(), bits);
      root.value = std::move(*next);
    }
    const bool is_known = std::any_of(roots.begin(), roots.end(), [&](const IsolatedRoot& other) {
      for (std::size_t i = 0; i < root.value.size(); ++i) {
        if (!is_inside(root.value[i], other.box[i])) return false;
      }
      return true;
    });
    if (!is_known) roots.push_back(std::move(root));
    return Judgement::one;
  }

  /// K(Y) = m - C F(m) + (1 - C J(Y)) (Y - m), C near the inverse of J(m); nothing where something has no
  /// value.
  std::optional<std::vector<Ball>> krawczyk(const std::vector<Ball>& box) const {
    const std::size_t n = box.size();
    std::vector<Ball> middle;
    for (const Ball& ball : box) middle.push_back(mid_of(ball));
    const auto at_middle = slopes_at(middle), over_box = slopes_at(box);
    const BallValues values = evaluate_balls(rows_, point_of(middle), bits);
    if (!at_middle || !over_box || values.status != EvaluationStatus::ok) return std::nullopt;
    BallMatrix inverse(n, n), f(n, 1, values.values), change(n, 1), product(n, n), width(n, 1), spread(n, 1);
    if (arb_mat_inv(inverse.raw(), at_middle->raw(), bits) == 0) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) arb_get_mid_arb(inverse.at(i, j), inverse.at(i, j));
      arb_sub(width.at(i, 0), box[i].raw(), middle[i].raw(), bits);
    }
    arb_mat_mul(change.raw(), inverse.raw(), f.raw(), bits);
    arb_mat_mul(product.raw(), inverse.raw(), over_box->raw(), bits);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        arb_neg(product.at(i, j), product.at(i, j));
        if (i == j) arb_add_ui(product.at(i, j), product.at(i, j), 1, bits);
      }
    }
    arb_mat_mul(spread.raw(), product.raw(), width.raw(), bits);
    std::vector<Ball> result;
    for (std::size_t i = 0; i < n; ++i) {
      Ball image;
      arb_sub(image.raw(), middle[i].raw(), change.at(i, 0), bits);
      arb_add(image.raw(), image.raw(), spread.at(i, 0), bits);
      if (!image.is_finite()) return std::nullopt;
      result.push_back(std::move(image));
    }
    return result;
  }

  std::optional<BallMatrix> slopes_at(const std::vector<Ball>& at) const {
    const BallValues values = evaluate_balls(slopes_, point_of(at), bits);
    if (values.status != EvaluationStatus::ok) return std::nullopt;
    BallMatrix result(rows_.size(), unknowns_.size());
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      if (!values.values[k].is_finite()) return std::nullopt;
      arb_set(result.at(entries_[k].row, entries_[k].column), values.values[k].raw());
    }
    return result;
  }

  /// Two halves across the widest side, measured by the whole box, or where relations bind the sides as it
  /// is; false: too small to be divided.
  bool divide(const Box& piece, std::deque<Box>& open) const {
    std::size_t widest = 0;
    double share = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const double part =
          (piece[i].second - piece[i].first) / (linear_.empty() ? start_[i].second - start_[i].first : 1);
      if (part > share) {
        share = part;
        widest = i;
      }
    }
    if (share < (linear_.empty() ? smallest_width : smallest_width_with_linear)) return false;
    const double middle = piece[widest].first + (piece[widest].second - piece[widest].first) / 2;
    Box lower = piece, upper = piece;
    lower[widest].second = upper[widest].first = middle;
    open.push_back(std::move(upper));
    open.push_back(std::move(lower));
    return true;
  }

  std::string describe(const Box& piece) const {
    std::string text;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      text += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", unknowns_[i].symbol().name,
                          (piece[i].first + piece[i].second) / 2);
    }
    return text;
  }

  std::vector<Expr> unknowns_, rows_, slopes_;
  std::vector<Expr> linear_, plain_rows_, plain_slopes_, rests_, linear_slopes_;
  std::vector<JacobianEntry> slopes_in_linear_, plain_entries_;
  std::vector<JacobianEntry> entries_;
  Box start_;
  std::vector<Left> left_;
};

}  // namespace

IsolatedRoots isolate_roots(std::span<const Expr> equations, std::span<const SearchInterval> box,
                            std::size_t max_pieces, const std::function<bool()>& is_stopped,
                            std::span<const Expr> linear) {
  return Isolation(equations, box, linear).run(max_pieces, is_stopped);
}

}  // namespace liaison
