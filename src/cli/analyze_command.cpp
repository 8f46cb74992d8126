#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stop_token>

#include "analysis_output.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "json_answer.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanism/analyzed.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "liaison/report/analysis_page.hpp"
#include "model_file.hpp"
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
  if (!options.field.empty() &&
      std::find(result.parts.begin(), result.parts.end(), AnalysisPart::symmetries) == result.parts.end())
    refuse(Status::bad_input, "--field", Problem::bad_usage, "a field is asked about with the symmetries",
           "add symmetries to --only");
  if (options.budget) result.budget = read_count("--budget", *options.budget, "operations", "1e10");
  return result;
}

/// One parameter, or two with a comma between them.
std::vector<Expr> varied(const System& system, const std::string& text) {
  std::vector<Expr> result;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    const Expr parameter = parameter_named(system, "--vary", name);
    if (std::find(result.begin(), result.end(), parameter) != result.end())
      refuse(Status::bad_input, "--vary", Problem::bad_usage, fmt::format("`{}` is named twice", name), {});
    result.push_back(parameter);
  }
  if (result.size() > 2)
    refuse(Status::bad_input, "--vary", Problem::bad_usage, "one or two parameters are varied at a time",
           "for a relation between more of them write the model with their ratios");
  return result;
}

/// What is known so far, for an end that cannot wait.
class LastWords {
 public:
  explicit LastWords(InterruptScope& interrupt) : interrupt_(interrupt) {
    interrupt.set_last_words([this] {
      const std::lock_guard lock(mutex_);
      fmt::print("{}", text_);
      if (!text_.empty()) note_json_is_written();
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
  Document page = analysis_page(parts.motion(), analysis);
  if (!options.level.empty() && !page.sections.empty())
    page.sections.front().blocks.push_back(Paragraph{
        fmt::format("All of this is said of motions with {}. Every motion keeps that value (proved): as "
                    "a constraint it has no reaction.",
                    options.level)});
  return page_for(page, options.format, options.output);
}

Json json_of(const System& system, const Analysis& analysis, const AnalyzeOptions& options,
             std::uint64_t budget) {
  Json out = to_json(system, analysis);
  if (!options.level.empty()) out["level"] = options.level;
  out["budget"] = budget;
  return out;
}

[[noreturn]] void refuse_level(const std::string& text) {
  refuse(Status::bad_input, "--level", Problem::bad_usage, text,
         "--level \"F = value\", F a first integral that is linear in the velocities");
}

/// What an earlier analysis found, and with how much work.
struct Earlier {
  std::vector<std::string> integrals;
  std::uint64_t budget = 0;
};
Earlier read_earlier(const std::string& path, const std::string& level) {
  const auto refuse_it = [&](const std::string& text) {
    refuse(Status::bad_input, path, Problem::bad_usage, text,
           "`analyze MODEL --json > earlier.json` writes one");
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_it("cannot be read");
  const Json json = Json::parse(file, nullptr, false);
  Earlier earlier;
  try {
    if (json.value("level", std::string()) != level)
      refuse_it("the earlier analysis is one of another --level");
    earlier.budget = json.at("budget").get<std::uint64_t>();
    for (const Json& entry : json.at("first_integrals")) {
      if (entry.at("for_values").get<bool>()) continue;  // asked again with the values
      earlier.integrals.push_back(entry.at("expression").get<std::string>());
      if (earlier.integrals.back().find_first_of("\n#") != std::string::npos)
        refuse_it("an integral is one expression");
    }
  } catch (const Json::exception&) {
    refuse_it("this is no JSON of an analysis with integrals");
  }
  return earlier;
}

/// A message about what was added to the model would name a line that it has not.
void require_expressions_of_model(const MechanismParts& parts, const std::string& path,
                                  const std::string& claims, const AlgebraOptions& limits) {
  try {
    const MechanismParts asked(parts.name(), fmt::format("{}{}\n", parts.source().text(), claims), limits);
  } catch (const Refused&) {
    refuse(Status::bad_input, path, Problem::bad_usage,
           fmt::format("its integrals are no expressions of {}: it is an analysis of another model",
                       parts.name()),
           "`analyze MODEL --json > earlier.json` writes one");
  }
}

/// The model, with the level as a constraint where one is given. F must be an integral: then its motions are
/// those of the model that have the value, and the constraint has no reaction.
std::unique_ptr<MechanismParts> parts_of(const AnalyzeOptions& options, const Earlier& earlier,
                                         const AlgebraOptions& limits, std::stop_token interrupt) {
  auto parts = read_model(options.model, limits);
  std::string claims;  // so that the names of the model are read
  for (const std::string& integral : earlier.integrals)
    claims += fmt::format("\nclaim conserved({})", integral);
  if (options.level.empty() && claims.empty()) return parts;
  if (!claims.empty()) require_expressions_of_model(*parts, options.resume, claims, limits);
  if (options.level.empty())
    return std::make_unique<MechanismParts>(parts->name(),
                                            fmt::format("{}{}\n", parts->source().text(), claims), limits);
  const std::size_t equals = options.level.find('=');
  const bool is_one_line = options.level.find_first_of("\n#") == std::string::npos;
  if (equals == std::string::npos || options.level.find('=', equals + 1) != std::string::npos || !is_one_line)
    refuse_level("a level is one equation");
  const std::string text(parts->source().text());
  const std::string function = options.level.substr(0, equals), value = options.level.substr(equals + 1);
  std::string name = "level";
  while (text.find(name) != std::string::npos) name += "_";
  {
    MechanismParts asked(
        parts->name(),
        fmt::format("{}\nclaim {}: conserved({})\nclaim {}_: {} == 0\n", text, name, function, name, value),
        limits);
    const std::vector<Claim>& read = asked.system().claims;
    for (Expr symbol : symbols_in(read.back().left)) {
      if (symbol.symbol().kind != SymbolKind::parameter)
        refuse_level(
            fmt::format("the value of a level is a constant, and `{}` changes", symbol.symbol().name));
    }
    const MechanismParts::StopScope stop(asked, std::move(interrupt));
    const Verdict kept = is_conserved(asked.algebra(), asked.motion(), read[read.size() - 2].conserved);
    asked.require_not_interrupted();
    if (!kept.is_proved())
      refuse_level(fmt::format("it was not proved that every motion keeps {}", function));
  }
  return std::make_unique<MechanismParts>(
      parts->name(), fmt::format("{}\nconstraint {}: {} = {}{}\n", text, name, function, value, claims),
      limits);
}

}  // namespace

int run_analyze(const AnalyzeOptions& options) {
  InterruptScope interrupt;
  LastWords last_words(interrupt);
  try {
    if (!options.output.empty()) require_outputs(options.model, {options.output});
    require_format(options.format, options.output);
    AnalysisOptions asked = read(options);
    Earlier earlier;
    if (!options.resume.empty()) earlier = read_earlier(options.resume, options.level);
    if (!options.resume.empty() && !options.budget) asked.budget = 8 * earlier.budget;
    AlgebraOptions limits;
    limits.max_operations = std::max(limits.max_operations, asked.budget);
    const auto parts = parts_of(options, earlier, limits, interrupt.token());
    const auto& claims = parts->system().claims;
    for (std::size_t k = claims.size() - earlier.integrals.size(); k < claims.size(); ++k)
      asked.known.push_back(claims[k].conserved);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    if (!options.vary.empty()) asked.vary = varied(parts->system(), options.vary);
    if (!options.field.empty()) asked.field = field_on_positions(parts->system(), "--field", options.field);
    const Analysis analysis = analyze_parts(*parts, asked, [&](const Analysis& so_far) {
      if (!options.json && !options.output.empty()) return;
      Analysis interrupted = so_far;
      interrupted.interrupted = true;
      last_words.set(options.json
                         ? json_of(parts->system(), interrupted, options, asked.budget).dump(2) + "\n"
                         : page_of(*parts, interrupted, options));
    });
    interrupt.loops_are_over();
    if (options.json) print_json(json_of(parts->system(), analysis, options, asked.budget));
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
