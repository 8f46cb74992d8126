#include "liaison/report/invariant_page.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison {

namespace {

/// What is far below the error is rounding.
std::string number(double value, double error) {
  return fmt::format("{:.12g}", std::abs(value) <= 1e-3 * error ? 0 : value);
}

std::string of_the_sum(const TubeIntegrals& tube) {
  const std::string sum = tube.has_forces ? "The sum" : "The integral";
  if (tube.is_kept()) {
    return fmt::format(
        "{} has one value on all circuits, within its error (checked, largest difference {:.1e}).", sum,
        tube.change());
  }
  if (!tube.is_changed()) {
    return fmt::format(
        "Whether {} has one value on all circuits is not decided: it differs by {:.6g}, and its error is "
        "about {:.1e}; a smaller --tol or more --points may tell.",
        tube.has_forces ? "the sum" : "the integral", tube.change(), tube.allowed());
  }
  return fmt::format("{} is not the same on all circuits: it changes by {:.6g}, and its error is {:.1e}.",
                     sum, tube.change(), tube.allowed());
}

std::string of_the_circuit(const TubeIntegrals& tube) {
  if (!tube.has_forces) {
    return tube.is_given_form || !tube.is_kept()
               ? ""
               : fmt::format("There are no reactions: it is {} invariant.",
                             tube.fixed_times ? "Poincar\u00e9's" : "Cartan's");
  }
  if (tube.circuit_is_kept()) {
    return tube.is_kept() ? "So has the circuit integral alone: the reactions take no part on this tube."
                          : "The circuit integral alone has one value on all circuits, within its error.";
  }
  if (!tube.circuit_is_changed()) {
    return fmt::format("Whether the circuit integral alone has one is not decided: it differs by {:.6g}.",
                       tube.change_of_circuit());
  }
  return fmt::format("The circuit integral alone is no invariant: it changes by {:.6g}.",
                     tube.change_of_circuit());
}

}  // namespace

Document invariant_page(const System& system, const TubeIntegrals& tube) {
  Document page;
  page.title = system.name.empty() ? "Integral invariants" : system.name;
  Section section{"invariants", "Integrals over a tube of motions", {}};
  section.blocks.push_back(Paragraph{fmt::format(
      "{} motions from a closed curve of states, {}. Around each circuit {}{}.", tube.points,
      tube.fixed_times ? "circuits at fixed times" : "circuits whose time changes along them",
      tube.is_given_form ? "the given form is integrated" : "p dq - H dt is integrated",
      tube.has_forces ? ", over the tube up to it the reactions and the forces without a potential" : "")});
  Table table{"sections", {"u", "circuit"}, {}};
  if (tube.has_forces) table.header.emplace_back("reactions");
  if (tube.has_forces && !tube.fixed_times) table.header.emplace_back("of it power");
  if (tube.has_forces) table.header.emplace_back("sum");
  table.header.emplace_back("error");
  for (const TubeSection& one : tube.sections) {
    std::vector<Inline> row{number(one.u, 0), number(one.circuit, one.error)};
    if (tube.has_forces) row.emplace_back(number(one.forces, one.error));
    if (tube.has_forces && !tube.fixed_times) row.emplace_back(number(one.power, one.error));
    if (tube.has_forces) row.emplace_back(number(one.sum(), one.error));
    row.emplace_back(fmt::format("{:.1e}", one.error));
    table.rows.push_back(std::move(row));
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{of_the_sum(tube)});
  if (const std::string text = of_the_circuit(tube); !text.empty()) section.blocks.push_back(Paragraph{text});
  page.sections.push_back(std::move(section));
  return page;
}

}  // namespace liaison
