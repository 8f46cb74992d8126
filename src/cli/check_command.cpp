#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "commands.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/simulate/claims_in_time.hpp"
#include "model_input.hpp"
#include "problems.hpp"

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

struct Tally {
  std::map<std::string, int> passed;  ///< by status; misprints apart
  int failed = 0;

  int total() const {
    int sum = failed;
    for (const auto& [status, count] : passed) sum += count;
    return sum;
  }
  void add(const ClaimResult& result) {
    if (!result.passed) {
      ++failed;
    } else {
      ++passed[result.claim->misprint ? "misprint refuted" : status_name(result.verdict)];
    }
  }
  std::string describe() const {
    std::vector<std::string> parts;
    for (const auto& [status, count] : passed) {
      parts.push_back(fmt::format("{} {}", count, status));
    }
    if (failed > 0) parts.push_back(fmt::format("{} NOT PASSED", failed));
    return fmt::format("{} claim{}: {}", total(), total() == 1 ? "" : "s", fmt::join(parts, ", "));
  }
};

std::string label(const ClaimResult& result) {
  const std::string status = status_name(result.verdict);
  if (result.claim->misprint) return result.passed ? "misprint" : "NOT REFUTED";
  return result.passed ? status : status == "refuted" ? "REFUTED" : "UNKNOWN";
}

std::string explain(const ClaimResult& result) {
  std::string text = describe(result.verdict);
  const bool bare =
      result.verdict.is_proved() || (result.verdict.is_refuted() && result.verdict.witness.point.empty());
  if (bare) return result.detail;
  if (!result.detail.empty()) text += " (" + result.detail + ")";
  return text;
}

void print_result(const ClaimResult& result, bool verbose) {
  const std::string name = result.claim->name.empty() ? "" : result.claim->name + ": ";
  fmt::print("  {:<11} {}{}\n", label(result), name, result.claim->text);
  const bool interesting = !result.passed || result.claim->misprint || verbose;
  const std::string why = interesting ? explain(result) : "";
  if (!why.empty()) fmt::print("  {:<11}   {}\n", "", why);
}

/// A side of a claim may be beyond the range of a double, as exp(exp(7)): `how` has its digits.
Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json witness_of(const ClaimResult& result) {
  if (!result.verdict.is_refuted() || result.verdict.witness.point.empty()) return nullptr;
  Json witness = Json::object();
  for (const auto& [symbol, value] : result.verdict.witness.point) {
    witness["state"][to_infix(symbol)] = value.to_double();
  }
  witness["left"] = finite_or_null(result.verdict.witness.left.mid());
  witness["right"] = finite_or_null(result.verdict.witness.right.mid());
  return witness;
}

Json to_json(const LoadedModel& model, const ClaimResult& result) {
  Json claim;
  claim["model"] = model.path;
  claim["name"] = result.claim->name;
  claim["line"] = model.source->place(result.claim->span.begin).line;
  claim["text"] = result.claim->text;
  claim["status"] = status_name(result.verdict);
  claim["misprint"] = result.claim->misprint;
  claim["passed"] = result.passed;
  claim["how"] = describe(result.verdict);
  if (!result.detail.empty()) claim["detail"] = result.detail;
  claim["witness"] = witness_of(result);
  return claim;
}

}  // namespace

int run_check(const CheckOptions& options) {
  const auto paths = find_models(options.models);
  if (!paths) return bad_input;
  Json claims = Json::array();
  Tally tally;
  bool bad = false;
  for (const std::string& path : *paths) {
    const auto model = load_model(path);
    if (!model) {
      bad = true;
      continue;
    }
    if (!options.json) {
      fmt::print("{}{}{}\n", path, model->system->name.empty() ? "" : ": ", model->system->name);
    }
    try {
      ClaimChecker checker(*model->algebra, *model->motion);
      for (const Claim& claim : model->system->claims) {
        const ClaimResult result =
            claim.after.empty() ? checker.check(claim) : check_after(*model->algebra, *model->system, claim);
        tally.add(result);
        if (options.json) {
          claims.push_back(to_json(*model, result));
        } else {
          print_result(result, options.verbose);
        }
      }
    } catch (const Error& error) {
      report(path, error);
      bad = true;
    }
  }
  if (options.json) {
    print_json(Json{{"schema", 1}, {"claims", claims}});
  } else if (tally.total() > 0) {
    fmt::print("{}\n", tally.describe());
  } else if (!bad) {
    fmt::print("no claims\n");
  }
  if (bad) return bad_input;
  return tally.failed == 0 ? done : does_not_hold;
}

}  // namespace liaison::cli
