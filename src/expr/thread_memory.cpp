#include "liaison/expr/thread_memory.hpp"

#include <flint/flint.h>

namespace liaison {

namespace {

/// Of numbers that are destroyed later on the same thread nothing is lost: they begin new memory.
struct ThreadMemory {
  ~ThreadMemory() { flint_cleanup(); }
};

}  // namespace

void give_back_numbers_at_thread_end() {
  static thread_local const ThreadMemory memory;
  static_cast<void>(memory);
}

}  // namespace liaison
