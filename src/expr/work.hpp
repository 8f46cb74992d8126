#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace liaison {

/// What expressions have cost on this thread: nodes made and walked, evaluations. Counted and never timed, in
/// parts of some 3 ns. Differences alone say something: who works under a budget charges what was added.
inline constinit thread_local std::uint64_t work_parts = 0;

inline void note_work(std::uint64_t parts) {
  work_parts += parts;
}

/// In the operations of a budget, of some 30 ns each.
inline std::uint64_t work_done() {
  constexpr std::uint64_t parts_an_operation = 10;
  return work_parts / parts_an_operation;
}

/// While it lives, searches for points on this thread give up after so many more operations. Scopes nest.
class WorkLimit {
 public:
  explicit WorkLimit(std::uint64_t operations) : outer_(end_) {
    const std::uint64_t now = work_done();
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - now;
    end_ = std::min(outer_, now + std::min(operations, room));
  }
  ~WorkLimit() { end_ = outer_; }
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  static bool is_reached() { return work_done() > end_; }

 private:
  inline static constinit thread_local std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t outer_;
};

}  // namespace liaison
