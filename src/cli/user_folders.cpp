#include "user_folders.hpp"

#include <cstdlib>

namespace liaison::cli {

std::filesystem::path code_folder_of_user() {
  if (const char* given = std::getenv("LIAISON_CACHE")) return given;
  // relative paths are to be ignored there, says the convention of these folders
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr && *caches == '/')
    return std::filesystem::path(caches) / "liaison";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::filesystem::path(home) / ".cache" / "liaison";
  return {};
}

}  // namespace liaison::cli
