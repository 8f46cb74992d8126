#pragma once

#include <string>

#include "commands.hpp"
#include "liaison/mechanism/motions_scan.hpp"
#include "problems.hpp"

namespace liaison::cli {

/// What was found over a range of states and parameters, in each form.
void print_scan(const System& system, const MotionsScan& scan);
Json json_of(const System& system, const MotionsScan& scan);
/// A row a grid point.
std::string csv_of(const MotionsScan& scan);
/// The picture.
std::string plot_of(const System& system, const MotionsScan& scan, const MotionsOptions& options,
                    const std::string& file);

}  // namespace liaison::cli
