#include "claim_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "liaison/expr/print.hpp"
#include "liaison/simulate/claims_in_time.hpp"
#include "terminal.hpp"

namespace liaison::cli {

namespace {

std::string label(const ClaimResult& result) {
  if (result.claim->misprint) return result.passed ? "misprint" : "NOT REFUTED";
  if (result.passed) return word_for(result.verdict.grade);
  switch (result.verdict.grade) {
    case Grade::refuted: return "REFUTED";
    case Grade::empty: return "EMPTY";
    default: return "UNKNOWN";
  }
}

std::string in_words(const std::vector<Expr>& conditions) {
  std::string text;
  for (Expr condition : conditions)
    text += fmt::format("{}{} != 0", text.empty() ? "where " : ", ", to_infix(condition));
  return text;
}

/// Behind the claim, where it is short: what passes is not shown without what it assumes.
std::string short_conditions(const ClaimResult& result) {
  constexpr std::size_t short_enough = 60;
  const std::vector<Expr>& conditions = result.verdict.conditions;
  if (!result.verdict.holds() || conditions.empty()) return {};
  const std::string text = in_words(conditions);
  if (text.size() <= short_enough) return "  " + text;
  return conditions.size() == 1 ? "  under a condition"
                                : fmt::format("  under {} conditions", conditions.size());
}

std::string explain(const ClaimResult& result) {
  const Verdict& verdict = result.verdict;
  if (verdict.is_proved()) {
    const std::string where = in_words(verdict.conditions);
    return where.empty() || result.detail.empty() ? result.detail + where : result.detail + ", " + where;
  }
  const std::string text = describe(verdict);
  if (verdict.is_refuted() && verdict.witness.point.empty() && text == "refuted") return result.detail;
  return result.detail.empty() ? text : fmt::format("{} ({})", text, result.detail);
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
  const Ball &left = result.verdict.witness.left, &right = result.verdict.witness.right;
  const bool has_values = !overlaps(left, right);  // a rank that is lost has no two sides
  witness["left"] = has_values ? finite_or_null(left.mid()) : Json();
  witness["right"] = has_values ? finite_or_null(right.mid()) : Json();
  return witness;
}

}  // namespace

int Tally::total() const {
  int sum = failed;
  for (const auto& [status, count] : passed) sum += count;
  return sum;
}

void Tally::add(const ClaimResult& result) {
  if (!result.passed) {
    ++failed;
  } else {
    ++passed[result.claim->misprint ? "misprint refuted" : word_for(result.verdict.grade)];
  }
}

std::string Tally::describe() const {
  std::vector<std::string> parts;
  for (const auto& [status, count] : passed) parts.push_back(fmt::format("{} {}", count, status));
  if (failed > 0) parts.push_back(fmt::format("{} NOT PASSED", failed));
  return fmt::format("{} claim{}: {}", total(), total() == 1 ? "" : "s", fmt::join(parts, ", "));
}

void print_result(const ClaimResult& result, bool verbose) {
  const std::string name = result.claim->name.empty() ? "" : result.claim->name + ": ";
  const Ink ink = !result.passed                                                   ? Ink::bad
                  : leaves_doubt(result) || result.verdict.grade == Grade::checked ? Ink::warn
                                                                                   : Ink::good;
  const std::string status = in_ink(fmt::format("{:<11}", label(result)), ink, has_colours(stdout));
  fmt::print("  {} {}{}{}\n", status, name, result.claim->text, verbose ? "" : short_conditions(result));
  const bool interesting = !result.passed || result.claim->misprint || verbose || leaves_doubt(result);
  const std::string why = interesting ? explain(result) : "";
  if (!why.empty()) fmt::print("  {:<11}   {}\n", "", why);
  std::fflush(stdout);
}

Json to_json(const MechanismParts& parts, const ClaimResult& result) {
  Json claim;
  claim["model"] = parts.name();
  claim["name"] = result.claim->name;
  claim["line"] = parts.source().place(result.claim->span.begin).line;
  claim["text"] = result.claim->text;
  claim["status"] = word_for(result.verdict.grade);
  claim["misprint"] = result.claim->misprint;
  claim["passed"] = result.passed;
  claim["how"] = describe(result.verdict);
  if (!result.detail.empty()) claim["detail"] = result.detail;
  if (leaves_doubt(result)) claim["doubt"] = result.verdict.reason;
  for (Expr condition : result.verdict.conditions)
    claim["conditions"].push_back(to_infix(condition) + " != 0");
  if (result.verdict.grade == Grade::checked && !result.verdict.region.empty())
    claim["region"] = result.verdict.region;
  claim["witness"] = witness_of(result);
  return claim;
}

}  // namespace liaison::cli
