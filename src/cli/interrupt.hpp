#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace liaison::cli {

/// The exit code of a command that Ctrl-C or SIGTERM has ended.
constexpr int interrupted_by_signal = 130;

/// While one lives, Ctrl-C and SIGTERM ask for a stop, so that what was done is kept. What does not come to
/// its end within some seconds ends with the program, whatever it does: files are whole at any time. A second
/// signal, some seconds after the first, ends the program at once.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  /// What is said, on a thread of its own, where the program must be ended: else only that it was. It must
  /// not wait for the work.
  void set_last_words(std::function<void()> words);
  /// The loops are over; what is left, the writing of files, takes the time that it takes.
  void loops_are_over() { is_patient_ = true; }

  static bool is_set();

 private:
  void watch();

  std::stop_source stop_;
  std::atomic<bool> is_patient_ = false;
  std::mutex words_mutex_;
  std::function<void()> last_words_;
  int wake_ = -1;  ///< reading end of a pipe into which the handler writes
  std::thread watcher_;
};

}  // namespace liaison::cli
