#pragma once

#include <string>
#include <utility>
#include <vector>

namespace liaison {

/// The ways through the places at which several motions are possible, one after the other, depth first.
class BranchTree {
 public:
  static constexpr std::size_t most_waiting = 1024;

  /// The first way. Behind a run: the next one, or false.
  void begin() {
    way_.clear();
    waiting_.clear();
    path_.clear();
    cut_ = false;
  }
  bool next() {
    path_.clear();
    if (waiting_.empty()) return false;
    way_ = std::move(waiting_.back());
    waiting_.pop_back();
    return true;
  }

  /// Which of `count` motions is taken here: the one of this way, or beyond its end the first; the others
  /// wait.
  std::size_t choose(std::size_t count) {
    const std::size_t depth = path_.size();
    if (depth < way_.size()) return way_[depth];
    for (std::size_t other = 1; other < count; ++other) {
      cut_ = cut_ || waiting_.size() >= most_waiting;
      if (cut_) break;
      waiting_.push_back(way_);
      waiting_.back().push_back(other);
    }
    way_.push_back(0);
    return 0;
  }
  void took(double t, std::string what) { path_.emplace_back(t, std::move(what)); }

  const std::vector<std::pair<double, std::string>>& path() const {
    return path_;
  }  ///< what was taken, and when
  bool is_left_over() const { return cut_ || !waiting_.empty(); }

 private:
  std::vector<std::size_t> way_;
  std::vector<std::vector<std::size_t>> waiting_;
  std::vector<std::pair<double, std::string>> path_;
  bool cut_ = false;  ///< some way was not kept
};

}  // namespace liaison
