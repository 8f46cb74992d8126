#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace liaison::cli {

/// A script that teaches a shell (bash, zsh or fish) the commands, options, values and files of the program.
std::string completion_for(const std::string& shell, const std::vector<CommandRow>& commands);

}  // namespace liaison::cli
