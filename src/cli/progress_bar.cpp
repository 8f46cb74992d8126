#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "problems.hpp"

namespace liaison::cli {

namespace {

constexpr auto pause = std::chrono::milliseconds(100);
constexpr int width = 40;

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

ProgressBar::ProgressBar(double begin, double end)
    : begin_(begin),
      end_(end),
      terminal_(isatty(STDERR_FILENO) != 0),
      started_(std::chrono::steady_clock::now()),
      last_(started_) {}

ProgressBar::~ProgressBar() {
  if (!drawn_) return;
  say("\r\x1b[K");
  std::fflush(stderr);
}

void ProgressBar::show(double t) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < pause) return;
  last_ = now;
  draw(t);
}

void ProgressBar::draw(double t) {
  drawn_ = true;
  const double part = end_ > begin_ ? std::clamp((t - begin_) / (end_ - begin_), 0.0, 1.0) : 1.0;
  const int full = static_cast<int>(part * width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
  const double passed = std::chrono::duration<double>(last_ - started_).count();
  const std::string left = part > 0.005 ? ", " + duration(passed * (1 - part) / part) + " left" : "";
  say(fmt::format("\r\x1b[K{} {:3.0f} %  t = {:.6g} of {:.6g}{}", bar, 100 * part, t, end_, left));
  std::fflush(stderr);
}

}  // namespace liaison::cli
