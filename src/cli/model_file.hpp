#pragma once

#include <memory>
#include <string>

#include "liaison/mechanism/parts.hpp"

/// Models of the command line.
namespace liaison::cli {

/// The standard input, read to its end once; "-" stands for it.
const std::string& standard_input();
constexpr const char* name_of_standard_input = "<stdin>";

/// The model of a file, or of the standard input where `path` is "-". Throws Refused.
std::unique_ptr<MechanismParts> read_model(const std::string& path, AlgebraOptions options = {});

}  // namespace liaison::cli
