#include "liaison/unilateral/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "friction_problem.hpp"
#include "impact_path.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_products = 256;

void note(Impacts& impacts, const std::string& text) {
  if (impacts.remark.find(text) == std::string::npos)
    impacts.remark += (impacts.remark.empty() ? "" : "; ") + text;
}

/// All contacts of a problem as one problem of friction, everything that is resisted asked for.
FrictionProblem friction_problem(const ImpactProblem& problem, std::vector<double> drive) {
  FrictionProblem friction{problem.r, std::move(drive), {}};
  for (const ImpactContact& contact : problem.contacts) {
    FrictionProblem::Contact& next = friction.contacts.emplace_back();
    next.normal = contact.normal;
    for (const ImpactResistance& resisted : contact.resisted) {
      if (resisted.slipping > 0 || resisted.sticking > 0)
        next.resisted.push_back({resisted.rows, resisted.slipping, resisted.sticking});
    }
  }
  return friction;
}

/// "`floor` sticks, `wall` opens".
std::string modes(const ImpactProblem& problem, const Impact& impact) {
  const std::vector<double> noise = impact_noise(problem);
  std::string text;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImpactContact& contact = problem.contacts[c];
    const char* mode = "has no impulse";
    if (impact.impulses[contact.normal] > 0) {
      const bool slips = std::any_of(
          contact.resisted.begin(), contact.resisted.end(), [&](const ImpactResistance& resisted) {
            return std::any_of(resisted.rows.begin(), resisted.rows.end(), [&](std::size_t row) {
              return std::abs(impact.velocities[row]) > 10 * noise[row];
            });
          });
      mode = contact.resisted.empty() ? "is struck" : slips ? "slips" : "sticks";
    }
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", impact_name(problem, c), mode);
  }
  return text;
}

void add_all(const ImpactProblem& problem, const FrictionForces& found, Impacts& to) {
  for (const std::vector<double>& impulses : found.all) {
    Impact impact = finish_impact(problem, impulses, "");
    impact.how = modes(problem, impact);
    add_impact(problem, std::move(impact), to);
  }
  to.complete = to.complete && found.complete;
  if (!found.remark.empty()) note(to, found.remark);
}

/// v_n+ >= -e v_n- of what closes, >= 0 of what does not.
Impacts by_newton(const ImpactProblem& problem) {
  std::vector<double> drive = problem.velocity;
  for (const ImpactContact& contact : problem.contacts)
    drive[contact.normal] += contact.restitution * std::min(0.0, drive[contact.normal]);
  Impacts impacts;
  add_all(problem, all_forces(friction_problem(problem, std::move(drive))), impacts);
  return impacts;
}

Impacts by_poisson(const ImpactProblem& problem) {
  Impacts impacts;
  const FrictionForces compressions = all_forces(friction_problem(problem, problem.velocity));
  impacts.complete = compressions.complete;
  if (!compressions.remark.empty()) note(impacts, compressions.remark);
  for (const std::vector<double>& compression : compressions.all) {
    FrictionProblem expansion = friction_problem(problem, velocities_after(problem, compression));
    for (std::size_t c = 0; c < problem.contacts.size(); ++c)
      expansion.contacts[c].least =
          problem.contacts[c].restitution * std::max(0.0, compression[problem.contacts[c].normal]);
    FrictionForces found = all_forces(expansion);
    for (std::vector<double>& impulses : found.all) {
      for (std::size_t h = 0; h < impulses.size(); ++h) impulses[h] += compression[h];
    }
    add_all(problem, found, impacts);
  }
  return impacts;
}

Impacts by_law(const ImpactProblem& problem) {
  Impacts impacts = problem.law == ImpactLaw::newton                                   ? by_newton(problem)
                    : problem.law == ImpactLaw::poisson && problem.contacts.size() > 1 ? by_poisson(problem)
                                                                                       : impact_path(problem);
  if (impacts.all.empty() && problem.law != ImpactLaw::newton) {
    // The problem of compression always has an end, and takes energy.
    add_all(problem, all_forces(friction_problem(problem, problem.velocity)), impacts);
    if (!impacts.all.empty()) note(impacts, "the end without restitution is given");
    impacts.complete = false;
  }
  if (impacts.all.empty() && impacts.remark.empty())
    impacts.remark =
        fmt::format("no velocities after the impact satisfy the law ({})", word_for(problem.law));
  return impacts;
}

/// The rows of one contact.
std::vector<std::size_t> rows_of(const ImpactContact& contact) {
  std::vector<std::size_t> rows = {contact.normal};
  for (const ImpactResistance& resisted : contact.resisted)
    rows.insert(rows.end(), resisted.rows.begin(), resisted.rows.end());
  return rows;
}

bool are_coupled(const ImpactProblem& problem, const ImpactContact& a, const ImpactContact& b) {
  const std::size_t n = problem.velocity.size();
  for (const std::size_t h : rows_of(a)) {
    for (const std::size_t k : rows_of(b)) {
      const double size = std::sqrt(std::abs(problem.r[h * n + h] * problem.r[k * n + k]));
      if (h == k || std::max(std::abs(problem.r[h * n + k]), std::abs(problem.r[k * n + h])) > 1e-15 * size)
        return true;
    }
  }
  return false;
}

/// Contacts that entries of r couple, in sets.
std::vector<std::vector<std::size_t>> coupled_sets(const ImpactProblem& problem) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<bool> known(problem.contacts.size());
  for (std::size_t first = 0; first < known.size(); ++first) {
    if (known[first]) continue;
    std::vector<std::size_t> set = {first};
    known[first] = true;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t c = 0; c < known.size(); ++c) {
        if (known[c] || !are_coupled(problem, problem.contacts[set[i]], problem.contacts[c])) continue;
        known[c] = true;
        set.push_back(c);
      }
    }
    std::sort(set.begin(), set.end());
    sets.push_back(std::move(set));
  }
  return sets;
}

/// Some of the contacts with their rows alone.
struct PartOfImpact {
  ImpactProblem problem;
  std::vector<std::size_t> rows;  ///< in the whole
};
PartOfImpact part_of(const ImpactProblem& whole, const std::vector<std::size_t>& contacts) {
  PartOfImpact part;
  part.problem.law = whole.law;
  std::vector<std::size_t> place(whole.velocity.size(), no_contact);
  const auto take = [&](std::size_t& row) {
    if (place[row] == no_contact) {
      place[row] = part.rows.size();
      part.rows.push_back(row);
    }
    row = place[row];
  };
  for (const std::size_t c : contacts) {
    ImpactContact contact = whole.contacts[c];
    if (contact.name.empty()) contact.name = fmt::format("contact {}", c + 1);
    take(contact.normal);
    for (ImpactResistance& resisted : contact.resisted) {
      for (std::size_t& row : resisted.rows) take(row);
    }
    part.problem.contacts.push_back(std::move(contact));
  }
  for (const std::size_t h : part.rows) {
    for (const std::size_t k : part.rows) part.problem.r.push_back(whole.r[h * whole.velocity.size() + k]);
    part.problem.velocity.push_back(whole.velocity[h]);
  }
  return part;
}

/// Each end of the one with each of the other: they do not see each other.
void multiply(const ImpactProblem& whole, const PartOfImpact& part, const Impacts& ends, Impacts& product) {
  std::vector<Impact> all;
  for (const Impact& before : product.all) {
    for (const Impact& end : ends.all) {
      if (all.size() >= most_products) {
        product.complete = false;
        note(product, fmt::format("ends of contacts that do not see each other: {} of their combinations",
                                  most_products));
        break;
      }
      std::vector<double> impulses = before.impulses;
      for (std::size_t i = 0; i < part.rows.size(); ++i) impulses[part.rows[i]] = end.impulses[i];
      Impact impact =
          finish_impact(whole, std::move(impulses), before.how + (before.how.empty() ? "" : "; ") + end.how);
      for (std::size_t i = 0; i < part.rows.size(); ++i) impact.velocities[part.rows[i]] = end.velocities[i];
      all.push_back(std::move(impact));
    }
  }
  product.all = std::move(all);
  product.complete = product.complete && ends.complete;
  if (!ends.remark.empty()) note(product, ends.remark);
}

}  // namespace

Impacts simultaneous_impacts(const ImpactProblem& problem) {
  const std::vector<double> noise = impact_noise(problem);
  Impacts impacts;
  impacts.all.push_back(finish_impact(problem, std::vector<double>(noise.size()), ""));
  for (const std::vector<std::size_t>& set : coupled_sets(problem)) {
    if (std::none_of(set.begin(), set.end(), [&](std::size_t c) {
          const std::size_t row = problem.contacts[c].normal;
          return problem.velocity[row] < -noise[row];
        }))
      continue;
    const PartOfImpact part = part_of(problem, set);
    multiply(problem, part, by_law(part.problem), impacts);
  }
  if (impacts.all.size() == 1 && impacts.all[0].how.empty()) impacts.all[0].how = "nothing closes";
  return impacts;
}

Impacts tangential_impact(const ImpactProblem& problem, std::size_t jammed) {
  ImpactProblem at_rest = problem;
  at_rest.velocity[problem.contacts[jammed].normal] = 0;
  std::vector<std::size_t> set;
  for (const std::vector<std::size_t>& coupled : coupled_sets(problem)) {
    if (std::find(coupled.begin(), coupled.end(), jammed) != coupled.end()) set = coupled;
  }
  const PartOfImpact part = part_of(at_rest, set);
  const auto within = static_cast<std::size_t>(std::find(set.begin(), set.end(), jammed) - set.begin());
  Impacts ends;
  if (problem.law == ImpactLaw::newton) {
    ends = by_newton(part.problem);
    const std::size_t row = part.problem.contacts[within].normal;
    std::erase_if(ends.all, [&](const Impact& impact) { return impact.impulses[row] <= 0; });
    if (ends.all.empty())
      note(ends, fmt::format("{} is not jammed: no impulse keeps it closed", impact_name(problem, jammed)));
  } else {
    ends = impact_path(part.problem, within);
  }
  Impacts impacts;
  impacts.all.push_back(finish_impact(at_rest, std::vector<double>(problem.velocity.size()), ""));
  multiply(at_rest, part, ends, impacts);
  return impacts;
}

}  // namespace liaison
