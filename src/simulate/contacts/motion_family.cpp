#include "motion_family.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

double largest_factor(const MotionNumbers& one) {
  double largest = 0;
  for (const Rational& factor : one.factors) largest = std::max(largest, std::abs(factor.to_double()));
  return largest;
}

/// sum = sum + weight * one
void add(std::vector<Rational>& sum, const std::vector<Rational>& one, const Rational& weight) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * one[i];
}
void add(MotionNumbers& sum, const MotionNumbers& one, const Rational& weight) {
  add(sum.factors, one.factors, weight);
  add(sum.separations, one.separations, weight);
  add(sum.accelerations, one.accelerations, weight);
  add(sum.bilateral_factors, one.bilateral_factors, weight);
  for (std::size_t c = 0; c < sum.resistances.size(); ++c) {
    add(sum.resistances[c], one.resistances[c], weight);
    add(sum.slip_rates[c], one.slip_rates[c], weight);
  }
}

/// What is rounding beside what the forces do to each other decides nothing. The complementarity problem
/// takes for zero what is below its noise beside its two terms, each of which is no more than twice the size
/// here.
void drop_rounding(MotionNumbers& vertex, const ContactNumbers& numbers) {
  const double rounding = 4 * numbers.noise.to_double();
  double drive = 0, response = 0, force = 0;
  const auto take = [](double& largest, const std::vector<Rational>& values) {
    for (const Rational& value : values) largest = std::max(largest, std::abs(value.to_double()));
  };
  take(drive, numbers.drive);
  for (const auto& row : numbers.r) take(response, row);
  take(force, vertex.factors);
  const double size = drive + response * force;
  const auto clean = [&](Rational& value) {
    if (std::abs(value.to_double()) <= rounding * size) value = Rational(0);
  };
  for (Rational& separation : vertex.separations) clean(separation);
  for (auto& rates : vertex.slip_rates) std::for_each(rates.begin(), rates.end(), clean);
}

/// The same contacts separate and slip, and the accelerations differ by rounding.
bool move_alike(const MotionNumbers& a, const MotionNumbers& b, const ContactNumbers& numbers) {
  constexpr double rounding = 1e-11;
  double largest = 0;
  for (const Rational& entry : numbers.free_acceleration)
    largest = std::max(largest, std::abs(entry.to_double()));
  const auto like_zero = [](const std::vector<Rational>& one, const std::vector<Rational>& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const Rational& x, const Rational& y) { return x.is_zero() == y.is_zero(); });
  };
  if (!like_zero(a.separations, b.separations)) return false;
  for (std::size_t c = 0; c < a.slip_rates.size(); ++c) {
    if (!like_zero(a.slip_rates[c], b.slip_rates[c])) return false;
  }
  for (std::size_t i = 0; i < a.accelerations.size(); ++i) {
    if (std::abs((a.accelerations[i] - b.accelerations[i]).to_double()) > rounding * largest) return false;
  }
  return true;
}

}  // namespace

SpaceMotions motions_of(const ContactFrame::Problem& problem) {
  const auto rests_in_space = [](const ContactRows& contact) {
    return std::any_of(contact.resisted.begin(), contact.resisted.end(),
                       [](const ResistedRow& row) { return row.second && row.direction == 0; });
  };
  const std::vector<ContactRows>& contacts = problem.contacts;
  if (std::none_of(contacts.begin(), contacts.end(), rests_in_space)) {
    SpaceMotions result;
    result.motions = ModeProblem(problem.numbers, contacts).all();
    return result;
  }
  if (contacts.size() == 1 && contacts[0].resisted.size() == 2)
    return motions_in_space(problem.numbers, contacts[0]);
  return motions_in_space(problem.numbers, contacts);
}

bool is_continuum(const PossibleMotion& motion, const ContactNumbers& numbers) {
  if (!motion.is_family()) return false;
  double largest = 0, apart = 0;
  for (const Rational& entry : numbers.free_acceleration)
    largest = std::max(largest, std::abs(entry.to_double()));
  for (const MotionNumbers& vertex : motion.vertices) {
    for (std::size_t a = 0; a < vertex.accelerations.size(); ++a) {
      const double one = vertex.accelerations[a].to_double();
      largest = std::max(largest, std::abs(one));
      apart = std::max(apart, std::abs(one - motion.vertices[0].accelerations[a].to_double()));
    }
  }
  double response = 0;  // of a unit of a force
  for (const auto& field : numbers.fields) {
    for (const Rational& entry : field) response = std::max(response, std::abs(entry.to_double()));
  }
  const auto turns = [&](const MotionNumbers& ray) {
    double rate = 0, force = 0;
    for (const Rational& entry : ray.accelerations) rate = std::max(rate, std::abs(entry.to_double()));
    for (const Rational& entry : ray.factors) force = std::max(force, std::abs(entry.to_double()));
    return rate > limit_beside * force * response;
  };
  return apart > limit_beside * largest || std::any_of(motion.rays.begin(), motion.rays.end(), turns);
}

MotionNumbers middle_way(const PossibleMotion& motion, const ContactNumbers& numbers) {
  MotionNumbers middle = motion.vertices[0];
  if (!motion.is_family()) return middle;
  double largest = 0;
  for (const MotionNumbers& vertex : motion.vertices) largest = std::max(largest, largest_factor(vertex));
  const Rational part = Rational(1) / Rational(static_cast<long>(motion.vertices.size()));
  add(middle, motion.vertices[0], part - Rational(1));
  for (std::size_t i = 1; i < motion.vertices.size(); ++i) add(middle, motion.vertices[i], part);
  for (const MotionNumbers& ray : motion.rays) {
    const double size = largest_factor(ray);
    if (size > 0) add(middle, ray, Rational::from_double(largest > 0 ? largest / size : 1));
  }
  drop_rounding(middle, numbers);
  return middle;
}

void join_alike(std::vector<PossibleMotion>& motions, const ContactNumbers& numbers) {
  std::vector<PossibleMotion> joined;
  for (PossibleMotion& motion : motions) {
    for (MotionNumbers& vertex : motion.vertices) drop_rounding(vertex, numbers);
    const auto same = std::find_if(joined.begin(), joined.end(), [&](const PossibleMotion& other) {
      return move_alike(motion.vertices[0], other.vertices[0], numbers);
    });
    if (same == joined.end() || is_continuum(motion, numbers)) {
      joined.push_back(std::move(motion));
      continue;
    }
    same->vertices.insert(same->vertices.end(), motion.vertices.begin(), motion.vertices.end());
    same->rays.insert(same->rays.end(), motion.rays.begin(), motion.rays.end());
  }
  motions = std::move(joined);
}

}  // namespace liaison
