#ifndef LIAISON_EXPR_THREAD_MEMORY_HPP
#define LIAISON_EXPR_THREAD_MEMORY_HPP

namespace liaison {

/// Large numbers and constants keep memory on each thread that works with them: it is given back at the end
/// of this one. Pools and mechanisms ask for it.
void give_back_numbers_at_thread_end();

}  // namespace liaison

#endif  // LIAISON_EXPR_THREAD_MEMORY_HPP
