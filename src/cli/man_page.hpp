#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace liaison::cli {

/// liaison(1) in the macros of man(7).
std::string man_page(const std::string& about, const std::string& version,
                     const std::vector<OptionRow>& options, const std::vector<CommandRow>& commands);

}  // namespace liaison::cli
