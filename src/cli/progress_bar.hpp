#pragma once

#include <chrono>
#include <string>

namespace liaison::cli {

/// The simulated time of a run on the standard error, where that is a terminal; otherwise nothing.
class ProgressBar {
 public:
  ProgressBar(double begin, double end);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double t);

 private:
  void draw(double t);

  double begin_, end_;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point started_, last_;
};

}  // namespace liaison::cli
