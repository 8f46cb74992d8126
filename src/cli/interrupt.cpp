#include "interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "json_answer.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

constexpr int patience = 5000;  // milliseconds from a signal to the end of every loop

std::atomic<bool> interrupted = false;
std::atomic<std::time_t> first = 0;  // of the signals
std::atomic<int> alarm_bell = -1;    // writing end of the pipe

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::time_t>::is_always_lock_free &&
              std::atomic<int>::is_always_lock_free);

void ring(char why) {
  const int saved = errno;
  static_cast<void>(!write(alarm_bell.load(std::memory_order_relaxed), &why, 1));
  errno = saved;
}

/// Some tools send a signal to a process and to its group: what comes at once is the same one.
void on_signal(int signal) {
  constexpr std::time_t one_signal = 2;  // seconds
  const std::time_t now = std::time(nullptr);
  if (!interrupted.exchange(true, std::memory_order_relaxed)) {
    first.store(now, std::memory_order_relaxed);
    ring('s');
    return;
  }
  if (now - first.load(std::memory_order_relaxed) < one_signal) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The next byte of the pipe, 0 after `timeout` milliseconds (-1: never).
char next(int from, int timeout) {
  char byte = 0;
  pollfd ready{from, POLLIN, 0};
  while (true) {
    const int count = ::poll(&ready, 1, timeout);
    if (count == 0) return 0;
    if (count > 0 && ::read(from, &byte, 1) == 1) return byte;
    if (errno != EINTR) return 'q';
  }
}

}  // namespace

InterruptScope::InterruptScope() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "no pipe");
  wake_ = ends[0];
  alarm_bell = ends[1];
  interrupted = false;
  watcher_ = std::thread([this] { watch(); });
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

InterruptScope::~InterruptScope() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  ring('q');
  watcher_.join();
  close(wake_);
  close(alarm_bell.exchange(-1));
}

void InterruptScope::watch() {
  if (next(wake_, -1) != 's') return;
  stop_.request_stop();
  while (next(wake_, patience) == 0) {
    if (is_patient_) continue;
    alarm(2);  // whoever holds the standard output may hold it for ever
    const std::lock_guard lock(words_mutex_);
    if (last_words_) {
      last_words_();
    } else {
      say("interrupted\n");
    }
    finish_json(interrupted_by_signal);
    std::fflush(stdout);
    _exit(interrupted_by_signal);
  }
}

void InterruptScope::set_last_words(std::function<void()> words) {
  const std::lock_guard lock(words_mutex_);
  last_words_ = std::move(words);
}

bool InterruptScope::is_set() {
  return interrupted.load(std::memory_order_relaxed);
}

}  // namespace liaison::cli
