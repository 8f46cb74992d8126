#pragma once

#include <filesystem>

namespace liaison::cli {

/// Where machine code is kept: $LIAISON_CACHE, else liaison in $XDG_CACHE_HOME or in ~/.cache; empty where
/// LIAISON_CACHE is set and empty, and where there is no home.
std::filesystem::path code_folder_of_user();

}  // namespace liaison::cli
