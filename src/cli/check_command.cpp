#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "claim_output.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/liaison.hpp"
#include "liaison/mechanism/checked_claims.hpp"
#include "model_file.hpp"
#include "numbers.hpp"

namespace liaison::cli {

namespace {

/// The models that the arguments name: files, and every .lia under a folder, by name.
std::optional<std::vector<std::string>> find_models(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(argument, ignored)) {
      result.push_back(argument);
      continue;
    }
    std::vector<std::string> found;
    std::error_code failure;
    for (std::filesystem::recursive_directory_iterator entry(argument, failure), end;
         entry != end && !failure; entry.increment(failure)) {
      if (entry->is_regular_file(ignored) && entry->path().extension() == ".lia")
        found.push_back(entry->path().string());
    }
    if (failure) {
      report(argument, Problem::unreadable, fmt::format("cannot be read: {}", failure.message()),
             "allow reading it, or name the models one by one");
      return std::nullopt;
    }
    if (found.empty()) {
      report(argument, Problem::no_models, "there is no model under this folder",
             "models are files that end in .lia");
      return std::nullopt;
    }
    std::sort(found.begin(), found.end());
    result.insert(result.end(), found.begin(), found.end());
  }
  return result;
}

/// How many claims a model has; 0 and no word where it cannot be read.
std::size_t count_claims(const std::string& path) {
  try {
    return read_model(path)->system().claims.size();
  } catch (const Refused&) {
    return 0;
  }
}

class Command {
 public:
  Command(const CheckOptions& options, std::uint64_t budget, InterruptScope& interrupt)
      : options_(options), budget_(budget), interrupt_(interrupt) {
    interrupt.set_last_words([this] {
      const std::lock_guard lock(results_);
      if (!is_told_) tell(true);
    });
  }
  ~Command() { interrupt_.set_last_words({}); }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  int run(const std::vector<std::string>& paths) {
    std::size_t done_paths = 0;
    for (; done_paths < paths.size() && !InterruptScope::is_set(); ++done_paths) check(paths[done_paths]);
    const bool interrupted = is_cut_short_ || done_paths < paths.size();
    for (; done_paths < paths.size(); ++done_paths) add_claims(count_claims(paths[done_paths]));
    const std::lock_guard lock(results_);
    interrupt_.loops_are_over();
    is_told_ = true;
    tell(interrupted);
    if (interrupted) return interrupted_by_signal;
    if (bad_) return bad_input;
    return tally_.failed == 0 ? done : does_not_hold;
  }

 private:
  void check(const std::string& path) {
    AlgebraOptions limits;
    limits.max_operations = std::max(limits.max_operations, budget_);
    try {
      const auto parts = read_model(path, limits);
      const MechanismParts::StopScope stop(*parts, interrupt_.token());
      add_claims(parts->system().claims.size());
      const std::string& name = parts->system().name;
      bool is_named = options_.json;
      const auto tell_name = [&] {
        if (!is_named) fmt::print("{}{}{}\n", parts->name(), name.empty() ? "" : ": ", name);
        is_named = true;
      };
      check_claims(*parts, budget_, [&](const ClaimResult& result) {
        tell_name();
        take(*parts, result);
      });
      tell_name();
    } catch (const Refused& refused) {
      if (refused.status == Status::interrupted) {
        is_cut_short_ = true;
      } else {
        report(refused);
        bad_ = true;
      }
    }
  }

  void add_claims(std::size_t count) {
    const std::lock_guard lock(results_);
    claims_met_ += count;
  }

  void take(const MechanismParts& parts, const ClaimResult& result) {
    const std::lock_guard lock(results_);
    tally_.add(result);
    if (options_.json) {
      claims_.push_back(to_json(parts, result));
    } else {
      print_result(result, options_.verbose);
    }
  }

  void tell(bool interrupted) const {
    if (options_.json) {
      Json object{{"schema", 1}, {"claims", claims_}};
      if (interrupted) object["interrupted"] = true;
      print_json(std::move(object));
      return;
    }
    if (tally_.total() > 0) {
      fmt::print("{}\n", tally_.describe());
    } else if (!bad_ && !interrupted) {
      fmt::print("no claims\n");
    }
    if (interrupted) fmt::print("interrupted after {} of {} claims\n", tally_.total(), claims_met_);
  }

  const CheckOptions& options_;
  std::uint64_t budget_;
  InterruptScope& interrupt_;
  std::mutex results_;  ///< guards what is told: claims, tally and their number
  Json claims_ = Json::array();
  Tally tally_;
  std::size_t claims_met_ = 0;  ///< of the models that were read
  bool bad_ = false, is_cut_short_ = false, is_told_ = false;
};

}  // namespace

int run_check(const CheckOptions& options) {
  InterruptScope interrupt;
  try {
    const std::uint64_t budget =
        options.budget ? read_count("--budget", *options.budget, "operations", "1e9") : CheckRequest().budget;
    const auto paths = find_models(options.models);
    return paths ? Command(options, budget, interrupt).run(*paths) : bad_input;
  } catch (const Refused& refused) {
    return report(refused);
  }
}

}  // namespace liaison::cli
