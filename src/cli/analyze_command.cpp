#include <fmt/format.h>

#include <algorithm>
#include <mutex>

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
    result.degree =
        static_cast<unsigned>(read_count("--degree", *options.degree, "degrees", "4", max_degree));
  }
  if (!options.vary.empty() &&
      std::find(result.parts.begin(), result.parts.end(), AnalysisPart::integrals) == result.parts.end())
    refuse(Status::bad_input, "--vary", Problem::bad_usage,
           "values of a parameter are asked for with the integrals", "add integrals to --only");
  if (options.vary.find(',') != std::string::npos)
    refuse(Status::bad_input, "--vary", Problem::bad_usage, "one parameter is varied at a time",
           "for a relation between several write the model with their ratio, as A = B = k*C, and vary k");
  if (options.budget) result.budget = read_count("--budget", *options.budget, "operations", "1e10");
  return result;
}

/// What is known so far, for an end that cannot wait.
class LastWords {
 public:
  explicit LastWords(InterruptScope& interrupt) : interrupt_(interrupt) {
    interrupt.set_last_words([this] {
      const std::lock_guard lock(mutex_);
      fmt::print("{}", text_);
    });
  }
  ~LastWords() { interrupt_.set_last_words({}); }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
  void set(std::string text) {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
  }

 private:
  InterruptScope& interrupt_;
  std::mutex mutex_;
  std::string text_;
};

std::string page_of(MechanismParts& parts, const Analysis& analysis, const AnalyzeOptions& options) {
  return page_for(analysis_page(parts.motion(), analysis), options.format, options.output);
}

}  // namespace

int run_analyze(const AnalyzeOptions& options) {
  InterruptScope interrupt;
  LastWords last_words(interrupt);
  try {
    if (!options.output.empty()) require_outputs(options.model, {options.output});
    AnalysisOptions asked = read(options);
    AlgebraOptions limits;
    limits.max_operations = std::max(limits.max_operations, asked.budget);
    const auto parts = MechanismParts::from_file(options.model, limits);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    if (!options.vary.empty()) asked.vary = parameter_named(parts->system(), "--vary", options.vary);
    const Analysis analysis = analyze_parts(*parts, asked, [&](const Analysis& so_far) {
      if (!options.json && !options.output.empty()) return;
      Analysis interrupted = so_far;
      interrupted.interrupted = true;
      last_words.set(options.json ? to_json(parts->system(), interrupted).dump(2) + "\n"
                                  : page_of(*parts, interrupted, options));
    });
    interrupt.loops_are_over();
    if (options.json) print_json(to_json(parts->system(), analysis));
    if (!options.output.empty()) {
      write_output(options.output, page_of(*parts, analysis, options));
    } else if (!options.json) {
      fmt::print("{}", page_of(*parts, analysis, options));
    }
    return analysis.interrupted ? interrupted_by_signal : done;
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
