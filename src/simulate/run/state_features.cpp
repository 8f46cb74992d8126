#include "state_features.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

/// A part changes by more than this much of the largest value that it may have in the step. The tail of a
/// hill may be much beside the other forces.
constexpr double little = 1e-9;
constexpr std::size_t most_pieces = 1000;
constexpr double shortest = 1e-9;  ///< of a step

}  // namespace

StateFeatures::StateFeatures(Evaluator& evaluator)
    : box_(evaluator), parts_(evaluator, evaluator.written_equations()) {}

/// Whether a part changes by more than a little, as far as the enclosure tells.
bool StateFeatures::may_change(std::size_t part) const {
  return !(parts_.range(part).width() <= slack_[part]);
}

std::optional<StateFeatures::Feature> StateFeatures::in_step(double before, double time,
                                                             const std::vector<double>& first,
                                                             const std::vector<double>& last,
                                                             const StateAt& state_at,
                                                             const Follows& follows) {
  if (empty() || !(time > before)) return {};
  if (parts_.are_short(box_.around(before, time, first, last))) return {};
  std::vector<std::size_t> suspects;
  slack_.resize(parts_.size());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Interval range = parts_.range(k);
    slack_[k] = little * std::max(std::abs(range.low), std::abs(range.high));
    if (!std::isfinite(slack_[k])) slack_[k] = 0;
    if (!parts_.is_short(k) && may_change(k)) suspects.push_back(k);
  }
  if (suspects.empty()) return {};
  struct Piece {
    double low, high;
    std::vector<double> first, last;
  };
  std::vector<Piece> open{{before, time, first, last}};
  StepBox box = box_;
  for (std::size_t count = 0; !open.empty() && count < most_pieces; ++count) {
    const Piece piece = std::move(open.back());
    open.pop_back();
    box.begin();
    parts_.enclose(box.around(piece.low, piece.high, piece.first, piece.last));
    bool changes = false, is_long = false;
    for (const std::size_t k : suspects) {
      if (!may_change(k)) continue;
      changes = true;
      is_long = is_long || !parts_.is_short(k);
    }
    if (!changes) continue;
    if (is_long && piece.high - piece.low > shortest * (time - before)) {
      const double middle = piece.low + (piece.high - piece.low) / 2;
      std::vector<double> y(first.size());
      state_at(middle, y.data());
      open.push_back({middle, piece.high, y, piece.last});
      open.push_back({piece.low, middle, piece.first, y});
      continue;
    }
    if (!follows(piece.low, piece.high)) return Feature{piece.low, piece.high};
  }
  return {};
}

}  // namespace liaison
