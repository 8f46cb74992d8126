#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "claim_output.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/simulate/claims_in_time.hpp"

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

/// A whole number that a double holds exactly; nothing after a message.
std::optional<std::uint64_t> read_budget(const std::string& text) {
  constexpr double largest = 9e15;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = problem == std::errc{} && end == text.data() + text.size();
  if (is_number && value >= 1 && value <= largest && value == std::floor(value))
    return static_cast<std::uint64_t>(value);
  report("--budget", Problem::bad_usage,
         fmt::format("`{}` is not a whole number of operations from 1 to 9e15", text), "--budget 1e9");
  return std::nullopt;
}

class Command {
 public:
  Command(const CheckOptions& options, std::uint64_t budget) : options_(options), budget_(budget) {}

  int run(const std::vector<std::string>& paths) {
    std::size_t done_paths = 0;
    for (; done_paths < paths.size() && !InterruptScope::is_set(); ++done_paths) check(paths[done_paths]);
    const bool interrupted = is_cut_short_ || done_paths < paths.size();
    for (; done_paths < paths.size(); ++done_paths) claims_met_ += count_claims(paths[done_paths]);
    tell(interrupted);
    if (interrupted) return interrupted_by_signal;
    if (bad_) return bad_input;
    return tally_.failed == 0 ? done : does_not_hold;
  }

 private:
  void check(const std::string& path) {
    AlgebraOptions limits;
    limits.max_operations = std::max(limits.max_operations, budget_);
    limits.interrupt = &InterruptScope::flag();
    const auto model = load_model(path, limits);
    if (!model) {
      bad_ = true;
      return;
    }
    claims_met_ += model->system->claims.size();
    if (!options_.json) {
      fmt::print("{}{}{}\n", path, model->system->name.empty() ? "" : ": ", model->system->name);
      std::fflush(stdout);
    }
    try {
      check_claims(*model);
    } catch (const Error& error) {
      report(path, error);
      bad_ = true;
    }
  }

  /// What an interrupt cuts short is not decided.
  void check_claims(const LoadedModel& model) {
    ClaimChecker checker(*model.algebra, *model.motion);
    for (const Claim& claim : model.system->claims) {
      const BudgetScope scope(*model.algebra, budget_);
      const ClaimResult result =
          claim.after.empty() ? checker.check(claim) : check_after(*model.algebra, *model.system, claim);
      is_cut_short_ = InterruptScope::is_set();
      if (is_cut_short_) return;
      tally_.add(result);
      if (options_.json) {
        claims_.push_back(to_json(model, result));
      } else {
        print_result(result, options_.verbose);
      }
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
  Json claims_ = Json::array();
  Tally tally_;
  std::size_t claims_met_ = 0;  ///< of the models that were read
  bool bad_ = false, is_cut_short_ = false;
};

}  // namespace

int run_check(const CheckOptions& options) {
  const auto budget = options.budget ? read_budget(*options.budget) : AlgebraOptions{}.max_operations;
  if (!budget) return bad_input;
  const auto paths = find_models(options.models);
  if (!paths) return bad_input;
  const InterruptScope interrupt;
  return Command(options, *budget).run(*paths);
}

}  // namespace liaison::cli
