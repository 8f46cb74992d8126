#include "contact_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/compile/interpreter.hpp"
#include "liaison/simulate/variational.hpp"

namespace liaison {

ContactFamilies::ContactFamilies(const System& system, const AssembledEquations& open,
                                 const DoublePoint& parameters, Engine engine)
    : masses_(open, parameters, engine),
      positions_(open.positions.size()),
      state_size_(open.positions.size() + open.parameters.size()),
      factor_count_(open.factors.size()) {
  if (!system.chart.parameters.empty()) {
    throw Error(not_for_method, "so many contacts are not followed in velocity parameters yet",
                "leave `velocity` away, or write fewer contacts: up to 500 of one `for` are written out");
  }
  const auto add = [&](Expr symbol, double value) {
    inputs_.places.emplace(symbol, static_cast<std::uint32_t>(in_.size()));
    in_.push_back(value);
  };
  add(system.time, 0);
  for (const Expr symbol : open.positions) add(symbol, 0);
  for (std::size_t i = 0; i < open.parameters.size(); ++i) {
    add(open.parameters[i], 0);
    inputs_.directions.emplace(open.parameters[i], i);
  }
  for (const Parameter& parameter : system.parameters) add(parameter.symbol, parameters.at(parameter.symbol));
  for (const Direction& direction : system.directions) {
    if (!direction.coordinate.empty()) inputs_.velocity_of.emplace(direction.coordinate, direction.velocity);
  }
  for (const Unilateral& unilateral : system.unilaterals)
    families_.emplace_back(system, unilateral, nullptr, inputs_, engine);
  for (const ContactFamily& family : system.families)
    families_.emplace_back(system, family.contact, family.members.get(), inputs_, engine);
  first_.push_back(0);
  for (const FamilyKernels& family : families_) first_.push_back(first_.back() + family.size());
  gaps_.assign(size(), 0.0);
  sizes_ = gaps_;
  members_.resize(families_.size());
}

std::size_t ContactFamilies::family_of(std::size_t contact) const {
  return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), contact) - first_.begin()) -
         1;
}

std::string ContactFamilies::name(std::size_t contact) const {
  const std::size_t f = family_of(contact);
  return families_[f].name(contact - first_[f]);
}

void ContactFamilies::set_state(double t, const std::vector<double>& y) {
  in_[0] = t;
  std::copy_n(y.begin(), state_size_, in_.begin() + 1);
}

bool ContactFamilies::has_no_value(std::size_t contact) {
  if (std::isfinite(gaps_[contact]) && std::isfinite(sizes_[contact])) return false;
  failure_ = fmt::format("the gap of `{}` has no value", name(contact));
  return true;
}

bool ContactFamilies::take(double t, const std::vector<double>& y) {
  set_state(t, y);
  for (std::size_t f = 0; f < families_.size(); ++f)
    families_[f].gaps(in_.data(), &gaps_[first_[f]], &sizes_[first_[f]]);
  if (all_finite(gaps_) && all_finite(sizes_)) return true;
  for (std::size_t contact = 0; contact < size(); ++contact) {
    if (has_no_value(contact)) break;
  }
  return false;
}

bool ContactFamilies::take_some(double t, const std::vector<double>& y,
                                const std::vector<std::size_t>& contacts) {
  set_state(t, y);
  share(contacts);
  for (std::size_t f = 0; f < families_.size(); ++f)
    families_[f].gaps_of(in_.data(), members_[f], &gaps_[first_[f]], &sizes_[first_[f]]);
  return std::none_of(contacts.begin(), contacts.end(), [&](std::size_t c) { return has_no_value(c); });
}

void ContactFamilies::share(const std::vector<std::size_t>& contacts) {
  auto next = contacts.begin();
  for (std::size_t f = 0; f < families_.size(); ++f) {
    members_[f].clear();
    for (; next != contacts.end() && *next < first_[f + 1]; ++next) members_[f].push_back(*next - first_[f]);
  }
}

bool ContactFamilies::evaluate(const std::vector<std::size_t>& contacts) {
  share(contacts);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    families_[f].evaluate(in_.data(), members_[f]);
    if (families_[f].all_finite_rows()) continue;
    failure_ = fmt::format("a slip or a coefficient of contacts as `{}` has no value",
                           families_[f].name(members_[f].front()));
    return false;
  }
  return true;
}

bool ContactFamilies::have_sense(const FamilyKernels& family, std::size_t member,
                                 const FamilyKernels::Rows& rows) {
  const std::size_t resistances = family.components().size();
  for (std::size_t i = 0; i < 2 * resistances + 1; ++i) {
    if (rows.coefficients[i] >= 0) continue;
    failure_ = fmt::format("the coefficient of {} of `{}` is negative: {:.6g}",
                           i == 2 * resistances ? "restitution"
                           : i % 2 == 0         ? "friction"
                                                : "sticking",
                           family.name(member), rows.coefficients[i]);
    return false;
  }
  return true;
}

bool ContactFamilies::add_row(FamilyKernels& family, std::size_t member, double value, const double* gradient,
                              const double* direction, ManyContacts& problem) {
  const double* own = in_.data() + 1 + positions_;
  MassBlocks::Row force;
  for (std::size_t a = 0; a < family.velocity_count(); ++a) {
    const std::size_t column = family.direction(member, a);
    problem.rows.add(column, gradient[a]);
    value -= gradient[a] * own[column];  // what is left does not depend on the velocities
    if (direction[a] != 0) force.emplace_back(column, direction[a]);
  }
  problem.rows.end_row();
  problem.bias.push_back(value);
  if (!masses_.respond(force, response_)) {
    failure_ = masses_.failure();
    return false;
  }
  for (const auto& [column, velocity] : response_.velocities) problem.responses.add(column, velocity);
  problem.responses.end_row();
  asked_.push_back(response_.factors);
  return true;
}

bool ContactFamilies::add_rows(FamilyKernels& family, std::size_t place, std::size_t member,
                               ManyContacts& problem) {
  const FamilyKernels::Rows rows = family.rows(place);
  if (!have_sense(family, member, rows)) return false;
  ManyContacts::Contact& contact = problem.contacts.emplace_back();
  contact.normal = problem.rows.size();
  if (!add_row(family, member, rows.value, rows.gradient, rows.direction, problem)) return false;
  const double *slip = rows.slips, *coefficients = rows.coefficients;
  for (const std::size_t components : family.components()) {
    contact.resisted.push_back({problem.rows.size(), components, coefficients[0], coefficients[1]});
    coefficients += 2;
    for (std::size_t k = 0; k < components; ++k, slip += family.velocity_count() + 1) {
      if (!add_row(family, member, slip[0], slip + 1, slip + 1, problem)) return false;
    }
  }
  contact.restitution = coefficients[0];
  return true;
}

std::optional<ManyContacts> ContactFamilies::step(const std::vector<std::size_t>& contacts,
                                                  std::span<const double> velocities) {
  if (!masses_.take(in_[0], in_.data() + 1)) {
    failure_ = masses_.failure();
    return {};
  }
  if (!evaluate(contacts)) return {};
  ManyContacts problem;
  problem.free.assign(velocities.begin(), velocities.end());
  asked_.clear();
  for (std::size_t f = 0; f < families_.size(); ++f) {
    for (std::size_t place = 0; place < members_[f].size(); ++place) {
      if (!add_rows(families_[f], place, members_[f][place], problem)) return {};
    }
  }
  return problem;
}

void ContactFamilies::add_factors(const std::vector<std::size_t>&, const std::vector<double>& impulses,
                                  double* factors) {
  for (std::size_t h = 0; h < impulses.size() && h < asked_.size(); ++h) {
    for (const auto& [relation, factor] : asked_[h]) factors[relation] += impulses[h] * factor;
  }
}

}  // namespace liaison
