#pragma once

#include <string>
#include <vector>

#include "liaison/simulate/output_file.hpp"

/// What a command writes, and must not write.
namespace liaison::cli {

/// Throws Refused where an output is the model itself, by a link too, or where two outputs are one file, and
/// FileProblem where one cannot be written: before work begins.
/// `companions`: endings of files that are written beside an output.
void require_outputs(const std::string& model, const std::vector<std::string>& outputs,
                     const std::vector<std::string>& companions = {});

/// The format of a page: as given, else by the ending of the output, else "text".
std::string format_of(const std::string& given, const std::string& output);

/// Says what is wrong with a file; the exit code.
int report(const FileProblem& problem);

}  // namespace liaison::cli
