
/* Behind the generated text: processor time of one call, the least of several batches (bench/timing.hpp); negative after a failure. */
#include <stdlib.h>
#include <time.h>

static double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double seconds_per_call(const double* state, double* result) {
  long long sz_arg = 0, sz_res = 0, sz_iw = 0, sz_w = 0;
  f_work(&sz_arg, &sz_res, &sz_iw, &sz_w);
  const double** arg = calloc((size_t)sz_arg + 1, sizeof *arg);
  double** res = calloc((size_t)sz_res + 1, sizeof *res);
  long long* iw = calloc((size_t)sz_iw + 1, sizeof *iw);
  double* w = calloc((size_t)sz_w + 1, sizeof *w);
  const double batch_seconds = 4e-3;
  double least = 1e9;
  int failed = 0;
  size_t calls = 1;
  int (*volatile function)(const double**, double**, long long*, double*, int) = f; /* not inlined */
  f_incref();
  int memory = f_checkout();
  for (int batch = 0; batch < 5 && !failed;) {
    const double began = bench_now();
    for (size_t i = 0; i < calls && !failed; ++i) {
      arg[0] = state;
      res[0] = result;
      failed = function(arg, res, iw, w, memory);
    }
    const double spent = bench_now() - began;
    if (spent < batch_seconds) {
      calls *= spent > batch_seconds / 8 ? 2 : 8;
      continue;
    }
    ++batch;
    if (spent / (double)calls < least) least = spent / (double)calls;
    if (spent > 0.5) break;
  }
  f_release(memory);
  f_decref();
  free(arg), free(res), free(iw), free(w);
  return failed ? -1 : least;
}
