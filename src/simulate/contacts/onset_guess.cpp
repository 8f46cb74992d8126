#include "onset_guess.hpp"

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

/// A velocity that is this part of what the load alone would give is none.
constexpr double rest_part = 1e-7;

ContactHold hold_of(const ContactModes::Rows& own, const std::vector<bool>& moving,
                    const std::vector<double>& velocity, double least) {
  ContactHold hold;
  if (velocity[0] > least) return hold;
  hold.kind = ContactHold::Kind::closed;
  std::size_t row = 1;
  for (std::size_t k = 0; k < own.resisted.size(); row += own.resisted[k].size(), ++k) {
    const double first = velocity[row];
    if (own.resisted[k].size() == 2) {
      hold.slips.push_back(moving[k] || std::hypot(first, velocity[row + 1]) > least ? 1 : 0);
    } else {
      const int way = first > 0 ? 1 : -1;
      hold.slips.push_back(moving[k] || std::abs(first) > least ? way : 0);
    }
  }
  return hold;
}

}  // namespace

std::optional<OnsetGuess> onset_guess(ContactFrame& frame, const ContactModes& modes,
                                      const ContactQuestion& question, double after) {
  if (!frame.take(question.t + after, question.y.data())) return {};
  const auto problem = frame.problem(question.resting, question.moving);
  if (!problem) return {};
  const std::vector<Rational>& free = problem->numbers.free_acceleration;
  const std::size_t positions = question.y.size() - free.size();
  std::vector<double> velocities(question.y.begin() + static_cast<std::ptrdiff_t>(positions),
                                 question.y.end());
  const std::vector<double> before = velocities;
  for (std::size_t a = 0; a < free.size(); ++a) velocities[a] += after * free[a].to_double();
  const auto step = frame.step(question.resting, velocities);
  if (!step) return {};
  const ManyImpulses found = solve(*step, {}, {.tolerance = 1e-12});
  if (!found.converged) return {};
  const auto velocity_of = [&](std::size_t row, const std::vector<double>& u) {
    return step->bias[row] + step->rows.times(row, u);
  };
  double largest = 0;
  for (std::size_t row = 0; row < step->bias.size(); ++row)
    largest = std::max(largest, std::abs(velocity_of(row, velocities) - velocity_of(row, before)));
  OnsetGuess guess;
  guess.holds.resize(modes.size());
  std::size_t next = 0;
  for (const std::size_t c : question.resting) {
    std::vector<double> own;
    const std::size_t rows = frame.rows_of({c}).size();
    for (std::size_t i = 0; i < rows; ++i) own.push_back(velocity_of(next++, found.velocities));
    guess.holds[c] = hold_of(modes.rows()[c], question.moving[c], own, rest_part * largest);
  }
  for (std::size_t a = 0; a < free.size(); ++a)
    guess.accelerations.push_back((found.velocities[a] - before[a]) / after);
  return guess;
}

}  // namespace liaison
