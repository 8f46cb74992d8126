#pragma once

#include <atomic>

namespace liaison::cli {

/// The exit code of a command that Ctrl-C or SIGTERM has ended.
constexpr int interrupted_by_signal = 130;

/// While one lives, Ctrl-C and SIGTERM set a flag, so that what was done is kept; a second one, some
/// seconds later, ends the program at once.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  static const std::atomic<bool>& flag();
  static bool is_set() { return flag().load(std::memory_order_relaxed); }
};

}  // namespace liaison::cli
