#include "late_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr const char* known_there = ": what happens at a time, or by it, is known there to ";

double told_to(double t) {
  return std::numeric_limits<double>::epsilon() * std::abs(t);
}

}  // namespace

LateTimes::LateTimes(Evaluator& evaluator, const Tolerance& tolerance)
    : evaluator_(evaluator), tolerance_(tolerance) {
  const std::vector<Expr> equations = evaluator.written_equations();
  asks_for_time_ = std::any_of(equations.begin(), equations.end(),
                               [&](Expr e) { return !e.empty() && depends_on(e, evaluator.time_symbol()); });
}

MaybeEnd LateTimes::after_step(double before, const std::vector<double>& first, double time,
                               std::span<const double> last) {
  constexpr double early = 1e-3;  // of the tolerance: nothing is lost yet
  const double length = std::abs(time - before);
  if (!(length > 0)) return {};
  ranges_.see(first);
  ranges_.see(last);
  ranges_.see_step(length);
  lost_.resize(last.size());
  for (std::size_t i = 0; i < last.size(); ++i)
    lost_[i] = std::max(lost_[i], std::abs(last[i] - first[i]) * (told_to(time) / length));
  if (std::abs(time) > std::abs(latest_)) latest_ = time;
  // Next to a pole steps are short whatever the time is.
  if (!asks_for_time_ || told_to(time) < early * tolerance_.relative * ranges_.usual_length()) return {};
  if (!is_blurred(before, first, length)) return {};
  return no_way_on(
      before, first,
      fmt::format(
          "the time is told to {:.3g} there, and within that the equations change by far more than the "
          "tolerance allows: count the time from nearer, or choose a larger tolerance",
          told_to(before)));
}

/// Whether rates at times that can hardly be told apart lead to states that differ after a step.
bool LateTimes::is_blurred(double t, const std::vector<double>& y, double length) {
  constexpr double tolerances = 1000;
  std::vector<double> here(y.size()), later(y.size());
  if (!evaluator_.rates(t + told_to(t), y.data(), later.data())) return false;
  if (!evaluator_.rates(t, y.data(), here.data())) return false;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double allowed = tolerances * (tolerance_.absolute + tolerance_.relative * std::abs(y[i]));
    if (std::abs(later[i] - here[i]) * length > allowed) return true;
  }
  return false;
}

/// The most, beside the range of the number.
double LateTimes::lost_part() const {
  double result = 0;
  for (std::size_t i = 0; i < lost_.size(); ++i)
    if (ranges_.size_of(i) > 0) result = std::max(result, lost_[i] / ranges_.size_of(i));
  return result;
}

std::string LateTimes::note(bool has_events) const {
  const double lost = lost_part();
  if ((!has_events && !changes_ && !asks_for_time_) || !(lost > tolerance_.relative)) return {};
  return fmt::format(
      "at t = {:.6g} the time is told to {:.2g}{}{:.1f} digits of the state, and so is the motion behind it",
      latest_, told_to(latest_), known_there, std::max(0.0, -std::log10(lost)));
}

std::optional<double> late_digits_in(const std::string& note) {
  const std::size_t place = note.find(known_there);
  if (place == std::string::npos) return {};
  return std::strtod(note.c_str() + place + std::string_view(known_there).size(), nullptr);
}

}  // namespace liaison
