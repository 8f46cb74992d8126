#pragma once

#include <algorithm>

#include "worker.hpp"

namespace bench {

/// Processor time of one call: the least of several batches, each long enough for the clock.
template <class Call>
double seconds_per_call(Call call, double batch_seconds = 4e-3, int batches = 5) {
  call();
  std::size_t calls = 1;
  double spent = 0;
  const auto batch = [&] {
    const Stopwatch watch;
    for (std::size_t i = 0; i < calls; ++i) call();
    return watch.seconds();
  };
  while ((spent = batch()) < batch_seconds) calls *= spent > batch_seconds / 8 ? 2 : 8;
  for (int i = 1; i < batches && spent < 0.5; ++i) spent = std::min(spent, batch());
  return spent / static_cast<double>(calls);
}

/// Processor time of work that needs a preparation, which does not count: the least of several times, as many
/// as go into a tenth of a second, at most nine.
template <class Prepare, class Work>
double least_seconds(Prepare prepare, Work work) {
  double least = 1e300, all = 0;
  for (int i = 0; i < 9 && all < 0.1; ++i) {
    prepare();
    const Stopwatch watch;
    work();
    least = std::min(least, watch.seconds());
    all += watch.seconds();
  }
  return least;
}

}  // namespace bench
