#include <fmt/format.h>

#include <algorithm>

#include "analysis_output.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/mechanism/analyzed.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "liaison/report/analysis_page.hpp"
#include "numbers.hpp"
#include "outputs.hpp"

namespace liaison::cli {

namespace {

constexpr std::uint64_t max_degree = 12;

AnalysisOptions read(const AnalyzeOptions& options) {
  AnalysisOptions result;
  result.parts = analysis_parts_named(options.only);
  if (options.degree) {
    const std::uint64_t degree = read_count("--degree", *options.degree, "degrees", "4");
    if (degree > max_degree) {
      refuse(Status::bad_input, "--degree", Problem::bad_usage,
             fmt::format("a degree of {} in the velocities is more than a search takes", degree),
             fmt::format("at most {}", max_degree));
    }
    result.degree = static_cast<unsigned>(degree);
  }
  if (options.budget) result.budget = read_count("--budget", *options.budget, "operations", "1e10");
  return result;
}

}  // namespace

int run_analyze(const AnalyzeOptions& options) {
  InterruptScope interrupt;
  try {
    if (!options.output.empty()) require_outputs(options.model, {options.output});
    const AnalysisOptions asked = read(options);
    AlgebraOptions limits;
    limits.max_operations = std::max(limits.max_operations, asked.budget);
    const auto parts = MechanismParts::from_file(options.model, limits);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    const Analysis analysis = analyze_parts(*parts, asked);
    interrupt.loops_are_over();
    if (options.json) {
      print_json(to_json(parts->system(), analysis));
    } else {
      const std::string format = format_of(options.format, options.output);
      std::string text = render(analysis_page(parts->motion(), analysis), format);
      if (!text.ends_with('\n')) text += '\n';
      if (options.output.empty()) {
        fmt::print("{}", text);
      } else {
        write_output(options.output, text);
      }
    }
    return analysis.interrupted ? interrupted_by_signal : done;
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
