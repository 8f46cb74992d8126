#pragma once

#include <string>
#include <vector>

/// Which files a model reads.
namespace liaison::cli {

/// The parts, tables and meshes that the text of a model names, and those of its parts, with the folders from
/// which they are seen. The text need not be a model: what is no name of a file names none.
std::vector<std::string> files_of_model(const std::string& path);

}  // namespace liaison::cli
