#pragma once

#include <string>
#include <vector>

#include "liaison/report/document.hpp"
#include "liaison/simulate/output_file.hpp"

/// What a command writes, and must not write.
namespace liaison::cli {

/// Throws Refused where an output is the model itself or a file that it reads, by a link too, or where two
/// outputs are one file, and FileProblem where one cannot be written: before work begins. `companions`:
/// endings of files that are written beside an output.
void require_outputs(const std::string& model, const std::vector<std::string>& outputs,
                     const std::vector<std::string>& companions = {});

/// Throws Refused where neither a format is given nor the ending of the output names one: before work begins.
void require_format(const std::string& format, const std::string& output);
/// The page, ended by a line break, in the given format, else in that of the output's ending; as text for the
/// standard output.
std::string page_for(const Document& document, const std::string& format, const std::string& output);

/// Says what is wrong with a file; the exit code.
int report(const FileProblem& problem);

}  // namespace liaison::cli
