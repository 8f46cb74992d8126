#include "contact_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/mechanism/prepared_run.hpp"

namespace liaison::cli {

namespace {

constexpr std::size_t most_lines = 20;

const std::string& contact_name(const SimulationSummary& summary, std::size_t contact) {
  return summary.contacts[contact];
}

std::string names_of(const SimulationSummary& summary, const ImpactRecord& impact) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < impact.contacts.size(); ++i)
    parts.push_back(fmt::format("{} {:.9g}", contact_name(summary, impact.contacts[i]), impact.impulses[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// A run that begins at 0 behind a turn of a wall begins at the next double.
double shown_time(double t) {
  return std::abs(t) < std::numeric_limits<double>::min() ? 0 : t;
}

template <class Print>
void print_some(std::size_t count, const Print& print_one) {
  for (std::size_t i = 0; i < std::min(count, most_lines); ++i) print_one(i);
  if (count > most_lines) fmt::print("    and {} more, in --json\n", count - most_lines);
}

std::string split_of(const ImpactRecord& impact) {
  return fmt::format(" = {:.9g} {} {:.9g}", impact.work, impact.loss < 0 ? '+' : '-', std::abs(impact.loss));
}

/// What moved walls give is told beside what the law of impact takes, where there are such.
void print_impacts(const SimulationSummary& summary) {
  const std::vector<ImpactRecord>& impacts = summary.result->impacts;
  const bool works =
      std::any_of(impacts.begin(), impacts.end(), [](const ImpactRecord& one) { return one.work != 0; });
  fmt::print("  impacts: time, impulses, energy{}\n", works ? " = work of what moves - loss" : "");
  print_some(impacts.size(), [&](std::size_t i) {
    const ImpactRecord& one = impacts[i];
    fmt::print("    t = {:<18.12g}{}, {:.9g}", shown_time(one.t), names_of(summary, one), one.energy);
    fmt::print("{}\n", works ? split_of(one) : "");
  });
  if (!works || impacts.size() < 2) return;
  ImpactRecord sum;
  for (const ImpactRecord& one : impacts) {
    sum.energy += one.energy;
    sum.work += one.work;
    sum.loss += one.loss;
  }
  fmt::print("    in all {:.9g}{}\n", sum.energy, split_of(sum));
}

}  // namespace

void add_contacts(const SimulationSummary& summary, Json& out) {
  if (summary.contacts.empty()) return;
  const SimulationResult& result = *summary.result;
  out["impacts"] = Json::array();
  for (const ImpactRecord& impact : result.impacts) {
    Json entry{{"t", impact.t},
               {"impulses", Json::object()},
               {"energy", impact.energy},
               {"work", impact.work},
               {"loss", impact.loss}};
    for (std::size_t i = 0; i < impact.contacts.size(); ++i)
      entry["impulses"][contact_name(summary, impact.contacts[i])] = impact.impulses[i];
    if (!impact.how.empty()) entry["how"] = impact.how;
    out["impacts"].push_back(std::move(entry));
  }
  out["contacts"] = Json::array();
  for (const ContactSpan& span : result.contact_spans) {
    out["contacts"].push_back({{"name", contact_name(summary, span.contact)},
                               {"begin", span.begin},
                               {"end", span.end},
                               {"mode", span.mode}});
  }
  out["accumulations"] = Json::array();
  for (const Accumulation& one : result.accumulations) {
    out["accumulations"].push_back({{"name", contact_name(summary, one.contact)},
                                    {"t", one.t},
                                    {"error", one.error},
                                    {"rests", one.rests},
                                    {"impacts", one.impacts}});
  }
  if (!result.possible.empty()) out["possible"] = result.possible;
  if (result.branches.empty()) return;
  out["branches"] = Json::array();
  const std::vector<std::string> names = state_names(*summary.equations);
  for (const Branch& branch : result.branches) {
    Json entry{{"choices", Json::array()}, {"outcome", name_of(branch.outcome)}, {"t", branch.t}};
    for (const auto& [t, what] : branch.choices) entry["choices"].push_back({{"t", t}, {"what", what}});
    if (!branch.message.empty()) entry["message"] = branch.message;
    for (std::size_t i = 0; i < branch.y.size(); ++i) entry["final"][names[i]] = branch.y[i];
    out["branches"].push_back(std::move(entry));
  }
}

void print_contacts(const SimulationSummary& summary) {
  if (summary.contacts.empty()) return;
  const SimulationResult& result = *summary.result;
  if (!result.impacts.empty()) {
    print_impacts(summary);
  }
  std::vector<bool> told(result.accumulations.size(), false);
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i]) continue;
    Accumulation one = result.accumulations[i];
    // Contacts that rock in turn come to one end, told by the time that is known best.
    std::string names = contact_name(summary, one.contact);
    bool is_one = true;
    for (std::size_t k = i + 1; k < told.size(); ++k) {
      const Accumulation& other = result.accumulations[k];
      if (std::abs(other.t - one.t) > one.error + other.error) continue;
      names += ", " + contact_name(summary, other.contact);
      if (other.error < one.error) one.t = other.t, one.error = other.error;
      one.rests = std::max(one.rests, other.rests);
      one.impacts += other.impacts;
      told[k] = true;
      is_one = false;
    }
    const std::string rests =
        one.rests < one.t - one.error
            ? fmt::format("; {} from t = {:.12g} on", is_one ? "it rests" : "they rest", one.rests)
            : "";
    fmt::print(
        "  impacts of {} accumulate at t = {:.12g} (to {:.1g} by their intervals and the tolerance of the "
        "method; after {} of them{})\n",
        names, one.t, one.error, one.impacts, rests);
  }
  std::vector<const ContactSpan*> spans;
  for (const ContactSpan& span : result.contact_spans) spans.push_back(&span);
  std::stable_sort(spans.begin(), spans.end(),
                   [](const ContactSpan* a, const ContactSpan* b) { return a->contact < b->contact; });
  fmt::print("  contacts\n");
  print_some(spans.size(), [&](std::size_t i) {
    fmt::print("    {:<16}t = {:<16.12g} to {:<16.12g} {}\n", contact_name(summary, spans[i]->contact),
               shown_time(spans[i]->begin), shown_time(spans[i]->end), spans[i]->mode);
  });
  if (!result.possible.empty()) {
    fmt::print("  possible from here on\n");
    for (const std::string& one : result.possible) fmt::print("    {}\n", one);
  }
  if (result.branches.empty()) return;
  fmt::print("  branches\n");
  const std::vector<std::string> names = state_names(*summary.equations);
  for (const Branch& branch : result.branches) {
    std::vector<std::string> choices, state;
    for (const auto& [t, what] : branch.choices) choices.push_back(fmt::format("t = {:.9g}: {}", t, what));
    for (std::size_t i = 0; i < branch.y.size(); ++i)
      state.push_back(fmt::format("{} = {:.6g}", names[i], branch.y[i]));
    fmt::print("    {}\n      {} at t = {:.9g}: {}\n", fmt::join(choices, "; "), name_of(branch.outcome),
               branch.t, fmt::join(state, ", "));
  }
}

}  // namespace liaison::cli
