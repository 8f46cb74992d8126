#include "search_in_space.hpp"

#include <algorithm>
#include <cmath>

#include "liaison/unilateral/step_motions.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_rows = 60;
/// Beside the largest of its kind, what is left of a rate that is zero.
constexpr double zero_beside = 1e-10;

/// The rates of the rows are the velocities of the problem, which each impulse changes by its row of r. What
/// slips has a force that goes with the pressure.
struct AsStep {
  ManyContacts problem;
  std::vector<std::size_t> rows;  ///< of the numbers, one a row of the problem
};

AsStep as_step(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts) {
  AsStep result;
  ManyContacts& problem = result.problem;
  const std::size_t n = numbers.r.size();
  const auto add_row = [&](std::size_t row, const std::vector<Rational>& response) {
    problem.rows.add(row, 1.0);
    problem.rows.end_row();
    for (std::size_t k = 0; k < n; ++k) problem.responses.add(k, response[k].to_double());
    problem.responses.end_row();
    result.rows.push_back(row);
  };
  for (const Rational& rate : numbers.drive) problem.free.push_back(rate.to_double());
  for (const ContactRows& contact : contacts) {
    ManyContacts::Contact& added = problem.contacts.emplace_back();
    added.normal = result.rows.size();
    std::vector<Rational> effect = numbers.r[contact.normal];
    for (const ResistedRow& row : contact.resisted) {
      if (row.direction == 0) continue;
      for (std::size_t k = 0; k < n; ++k)
        effect[k] = sum_beside_noise(
            effect[k], Rational(-row.direction) * row.slipping * numbers.r[row.row][k], numbers.noise);
    }
    add_row(contact.normal, effect);
    for (const ResistedRow& row : contact.resisted) {
      if (row.direction != 0) continue;
      if (row.second) {
        ++added.resisted.back().components;
      } else {
        added.resisted.push_back({result.rows.size(), 1, row.slipping.to_double(), row.sticking.to_double()});
      }
      add_row(row.row, numbers.r[row.row]);
    }
  }
  return result;
}

/// What is rounding beside the free rates is zero.
void clean(std::vector<Rational>& values, double size) {
  for (Rational& value : values) {
    if (std::abs(value.to_double()) <= zero_beside * size) value = Rational(0);
  }
}
double largest_of(const std::vector<Rational>& values) {
  double largest = 0;
  for (const Rational& value : values) largest = std::max(largest, std::abs(value.to_double()));
  return largest;
}

ContactMode mode_of(const MotionNumbers& numbers, const ContactRows& contact, std::size_t c) {
  if (numbers.factors[c].is_zero())
    return numbers.separations[c].is_zero() ? ContactMode::touches : ContactMode::opens;
  if (contact.resisted.empty()) return ContactMode::kept;
  for (std::size_t i = 0; i < contact.resisted.size(); ++i) {
    if (contact.resisted[i].direction != 0 || !numbers.slip_rates[c][i].is_zero()) return ContactMode::slips;
  }
  return ContactMode::sticks;
}

/// The first of many, and the one that differs from it the most.
std::vector<std::size_t> far_apart(const std::vector<PossibleMotion>& motions) {
  if (motions.size() < 2) return motions.empty() ? std::vector<std::size_t>() : std::vector<std::size_t>{0};
  std::size_t farthest = 1;
  double largest = -1;
  for (std::size_t i = 1; i < motions.size(); ++i) {
    double apart = 0;
    for (std::size_t a = 0; a < motions[0].vertices[0].accelerations.size(); ++a)
      apart = std::max(
          apart, std::abs((motions[i].vertices[0].accelerations[a] - motions[0].vertices[0].accelerations[a])
                              .to_double()));
    if (apart <= largest) continue;
    largest = apart;
    farthest = i;
  }
  return {0, farthest};
}

}  // namespace

SearchedMotions search_in_space(const ContactNumbers& numbers, const std::vector<ContactRows>& contacts) {
  SearchedMotions result;
  std::vector<PossibleMotion> open;
  if (numbers.r.size() > most_rows) return result;
  const AsStep step = as_step(numbers, contacts);
  const double drive = largest_of(numbers.drive), free = largest_of(numbers.free_acceleration);
  for (const StepMotion& found : step_motions(step.problem)) {
    std::vector<Rational> forces(numbers.r.size());
    for (std::size_t h = 0; h < step.rows.size(); ++h)
      forces[step.rows[h]] = Rational::from_double(found.impulses[h]);
    for (const ContactRows& contact : contacts) {
      for (const ResistedRow& row : contact.resisted) {
        if (row.direction != 0)
          forces[row.row] = -(Rational(row.direction) * row.slipping * forces[contact.normal]);
      }
    }
    MotionNumbers motion = motion_numbers(numbers, contacts, forces, false);
    clean(motion.separations, drive);
    for (std::vector<Rational>& rates : motion.slip_rates) clean(rates, drive);
    const double pressure = largest_of(motion.factors);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      for (std::size_t i = 0; i < contacts[c].resisted.size(); ++i) {
        const double limit = contacts[c].resisted[i].sticking.to_double() * pressure;
        Rational& force = motion.resistances[c][i];
        if (std::abs(force.to_double()) <= zero_beside * limit) force = Rational(0);
      }
    }
    clean(motion.accelerations, free);
    PossibleMotion& added = (found.is_open ? open : result.motions).emplace_back();
    for (std::size_t c = 0; c < contacts.size(); ++c) added.modes.push_back(mode_of(motion, contacts[c], c));
    added.vertices.push_back(std::move(motion));
  }
  result.depends_on_load = !open.empty();
  for (const std::size_t i : far_apart(open)) result.motions.push_back(std::move(open[i]));
  return result;
}

}  // namespace liaison
