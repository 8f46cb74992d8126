#include "interval_roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "expr/ball_matrix.hpp"
#include "liaison/expr/differentiate.hpp"

namespace liaison {

namespace {

constexpr long bits = 128;
constexpr double smallest_width = 1e-9;

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
  Isolation(std::span<const Expr> equations, std::span<const SearchInterval> box) {
    for (const SearchInterval& interval : box) {
      unknowns_.push_back(interval.unknown);
      start_.emplace_back(interval.low, interval.high);
    }
    rows_.assign(equations.begin(), equations.end());
    entries_ = jacobian(rows_, unknowns_);
    for (const JacobianEntry& entry : entries_) slopes_.push_back(entry.value);
  }

  IsolatedRoots run(std::size_t max_pieces, const std::function<bool()>& is_stopped) {
    std::deque<Box> open{start_};  // large pieces first: simple roots are found before others are cut small
    IsolatedRoots result;
    for (std::size_t pieces = 0; !open.empty(); ++pieces) {
      if (pieces >= max_pieces || is_stopped()) {
        const std::string others = left_in_words();
        result.reason = fmt::format("{} pieces of the box are left, one near {}{}{}", open.size(),
                                    describe(open.front()), others.empty() ? "" : "; ", others);
        return result;
      }
      const Box piece = std::move(open.front());
      open.pop_front();
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
  /// Pieces that cannot be divided and touch each other: the first, and a box around all.
  struct Left {
    Box first, around;
    bool has_values;
  };
  static constexpr std::size_t max_named = 8;

  /// A piece that cannot be divided, with those that it touches.
  void keep(const Box& piece) {
    const bool is_value = has_values(piece);
    for (Left& other : left_) {
      if (other.has_values != is_value) continue;
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
    left_.push_back({piece, piece, is_value});
  }

  std::string left_in_words() const {
    std::string roots, without;
    std::size_t count = 0;
    for (const Left& one : left_) {
      if (++count > max_named) break;
      std::string& list = one.has_values ? roots : without;
      list += (list.empty() ? "near " : ", near ") + describe(one.first);
    }
    if (!roots.empty()) roots += " a root is not isolated: several fall together, or they form a curve";
    if (!without.empty()) without += " an equation has no value";
    std::string all = roots + (roots.empty() || without.empty() ? "" : "; ") + without;
    if (left_.size() > max_named) all += fmt::format("; and {} other places", left_.size() - max_named);
    return all;
  }

  BallPoint point_of(std::span<const Ball> values) const {
    BallPoint point;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) point.emplace(unknowns_[i], values[i]);
    return point;
  }

  bool has_values(const Box& piece) const {
    std::vector<Ball> whole;
    for (const auto& [low, high] : piece) whole.push_back(ball_of(low, high));
    const BallValues values = evaluate_balls(rows_, point_of(whole), bits);
    return values.status == EvaluationStatus::ok && std::all_of(values.values.begin(), values.values.end(),
                                                                [](const Ball& v) { return v.is_finite(); });
  }

  Judgement judge(const Box& piece, std::vector<IsolatedRoot>& roots) const {
    std::vector<Ball> whole;
    for (const auto& [low, high] : piece) whole.push_back(ball_of(low, high));
    const BallValues values = evaluate_balls(rows_, point_of(whole), bits);
    if (values.status != EvaluationStatus::ok) return Judgement::open;
    for (const Ball& value : values.values) {
      if (value.is_finite() && !value.contains_zero()) return Judgement::none;
    }
    std::vector<Ball> larger;
    for (const auto& [low, high] : piece) {
      const double margin = (high - low) / 2;
      larger.push_back(ball_of(low - margin, high + margin));
    }
    const auto image = krawczyk(larger);
    if (!image) return Judgement::open;
    bool contracts = true;
    for (std::size_t i = 0; i < larger.size(); ++i) {
      if (!overlaps((*image)[i], larger[i])) return Judgement::none;
      contracts = contracts && is_inside((*image)[i], larger[i]);
    }
    if (!contracts) return Judgement::open;
    IsolatedRoot root{*image, larger};
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

  /// Two halves across the widest side, measured by the whole box; false: too small to be divided.
  bool divide(const Box& piece, std::deque<Box>& open) const {
    std::size_t widest = 0;
    double share = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const double part = (piece[i].second - piece[i].first) / (start_[i].second - start_[i].first);
      if (part > share) {
        share = part;
        widest = i;
      }
    }
    if (share < smallest_width) return false;
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
  std::vector<JacobianEntry> entries_;
  Box start_;
  std::vector<Left> left_;
};

}  // namespace

IsolatedRoots isolate_roots(std::span<const Expr> equations, std::span<const SearchInterval> box,
                            std::size_t max_pieces, const std::function<bool()>& is_stopped) {
  return Isolation(equations, box).run(max_pieces, is_stopped);
}

}  // namespace liaison
