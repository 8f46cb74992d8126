#ifndef LIAISON_COMPILE_CODE_CACHE_HPP
#define LIAISON_COMPILE_CODE_CACHE_HPP

#include <filesystem>

namespace liaison {

/// Machine code made from now on is kept in this folder, and found there by the next process that makes the
/// same program for the same processor. An empty path: it is not kept, as is so at first.
void set_code_cache(std::filesystem::path folder);
std::filesystem::path code_cache();

}  // namespace liaison

#endif  // LIAISON_COMPILE_CODE_CACHE_HPP
