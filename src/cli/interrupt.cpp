#include "interrupt.hpp"

#include <csignal>
#include <ctime>

namespace liaison::cli {

namespace {

std::atomic<bool> interrupted = false;

std::atomic<std::time_t> first = 0;  // of the signals

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::time_t>::is_always_lock_free);

/// Some tools send a signal to a process and to its group: what comes at once is the same one.
void on_signal(int signal) {
  constexpr std::time_t one_signal = 2;  // seconds
  const std::time_t now = std::time(nullptr);
  if (!interrupted.exchange(true, std::memory_order_relaxed)) {
    first.store(now, std::memory_order_relaxed);
    return;
  }
  if (now - first.load(std::memory_order_relaxed) < one_signal) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

InterruptScope::InterruptScope() {
  interrupted = false;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

InterruptScope::~InterruptScope() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& InterruptScope::flag() {
  return interrupted;
}

}  // namespace liaison::cli
