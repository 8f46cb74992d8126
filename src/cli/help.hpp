#pragma once

#include <string>

#include "option_table.hpp"

/// What the program says about itself.
namespace liaison::cli {

struct Look {
  std::size_t width;
  bool colours;
};
Look look_of_standard_output();

std::string help_of_program(const std::string& about, const std::vector<OptionRow>& options,
                            const std::vector<CommandRow>& commands, const Look& look);
std::string help_of_command(const CommandRow& command, const Look& look);

}  // namespace liaison::cli
