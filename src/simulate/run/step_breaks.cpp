#include "step_breaks.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "crossings.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "simulate/equations/switches.hpp"

namespace liaison {

namespace {

/// A part that changes by less, beside the largest value that it may have in the step, does nothing that
/// samples do not show.
constexpr double little = 1e-9;
/// Enclosures are not rounded outwards.
constexpr double rounding = 1e-9;
constexpr double shortest = 1e-9;  ///< of a step
/// A change of a value that is no more than this, beside the largest of the step, is none.
constexpr double unseen = 1e-11;

/// Arguments whose signs are the form of an expression, those within an argument before it.
std::vector<Expr> arguments_of_switches(const Evaluator& evaluator, std::span<const Expr> functions) {
  std::vector<Expr> result;
  for (Expr node : postorder(functions)) {
    if (!is_switch(node)) continue;
    const Expr argument = argument_of_switch(node);
    if (argument.is_constant() || !has_value_by_state(evaluator, argument)) continue;
    if (std::find(result.begin(), result.end(), argument) == result.end()) result.push_back(argument);
  }
  return result;
}

/// Everything that accelerations, factors and energies are made of.
std::vector<Expr> sources(const Evaluator& evaluator) {
  std::vector<Expr> result = evaluator.written_equations();
  const AssembledEquations& equations = evaluator.equations();
  result.push_back(equations.kinetic);
  result.push_back(equations.potential);
  const std::vector<Expr>& velocities = equations.system->chart.velocities;
  result.insert(result.end(), velocities.begin(), velocities.end());
  return result;
}

}  // namespace

StepBreaks::StepBreaks(const Evaluator& evaluator, std::span<const Expr> functions)
    : StepBreaks(evaluator, functions, arguments_of_switches(evaluator, functions)) {}

StepBreaks StepBreaks::without_switches(const Evaluator& evaluator, std::span<const Expr> functions) {
  return {evaluator, functions, {}};
}

StepBreaks StepBreaks::of_values(const Evaluator& evaluator, std::span<const Expr> functions) {
  StepBreaks result(evaluator, functions);
  result.all_values_ = true;
  return result;
}

StepBreaks::StepBreaks(const Evaluator& evaluator, std::span<const Expr> functions,
                       std::vector<Expr> arguments)
    : arguments_(arguments.size()), state_size_(evaluator.size()) {
  std::vector<Expr> all(functions.begin(), functions.end());
  all.insert(all.end(), arguments.begin(), arguments.end());
  enclosure_ = MotionEnclosure(evaluator, all);
  std::vector<Expr> looked_at;
  for (std::size_t f = 0; f < all.size(); ++f) {
    functions_.push_back({.is_enclosed = enclosure_.has(f), .parts = {}, .arguments = {}});
    if (!enclosure_.has(f)) looked_at.push_back(all[f]);
  }
  const std::vector<Expr> behind = looked_at.empty() ? std::vector<Expr>{} : sources(evaluator);
  looked_at.insert(looked_at.end(), behind.begin(), behind.end());
  parts_ = LocalParts(evaluator, looked_at);
  slack_.resize(parts_.size());
  std::unordered_map<Expr, std::size_t> part_places;
  for (std::size_t k = 0; k < parts_.size(); ++k) part_places.emplace(parts_[k], k);
  for (std::size_t f = 0; f < all.size(); ++f) {
    std::vector<Expr> below = functions_[f].is_enclosed ? std::vector<Expr>{} : behind;
    below.push_back(all[f]);
    for (Expr node : postorder(below)) {
      const auto place = functions_[f].is_enclosed ? part_places.end() : part_places.find(node);
      if (place != part_places.end()) functions_[f].parts.push_back(place->second);
    }
    const std::vector<Expr> own = arguments_of_switches(evaluator, {&all[f], 1});
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (std::find(own.begin(), own.end(), arguments[k]) != own.end()) functions_[f].arguments.push_back(k);
  }
  if (arguments.empty()) return;
  std::vector<Expr> inputs = variables_of(evaluator), outputs = arguments;
  inputs_.resize(inputs.size());
  for (const auto& [symbol, value] : evaluator.parameter_values()) {
    inputs.push_back(symbol);
    inputs_.push_back(value);
  }
  for (Expr argument : arguments) outputs.push_back(size_of_terms(argument));
  values_ = Runner(inputs, outputs, Engine::interpreted);
}

/// A smooth way leaves its chord by an eighth of its second difference; twice that, the largest of the step.
std::vector<StepBreaks::Piece> StepBreaks::quarters(double begin, double end, const StateAt& state_at) const {
  constexpr std::size_t count = 4;
  double times[count + 1];
  std::vector<std::vector<double>> states(count + 1, std::vector<double>(state_size_));
  for (std::size_t i = 0; i <= count; ++i) {
    times[i] = i == count ? end : begin + (end - begin) * static_cast<double>(i) / count;
    state_at(times[i], states[i].data());
  }
  std::vector<double> beyond(state_size_);
  for (std::size_t k = 0; k < state_size_; ++k) {
    for (std::size_t i = 1; i < count; ++i)
      beyond[k] = std::max(beyond[k], std::abs(states[i - 1][k] - 2 * states[i][k] + states[i + 1][k]) / 4);
  }
  std::vector<Piece> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back({times[i], times[i + 1], states[i], states[i + 1], beyond});
  return result;
}

/// Over the hull of pieces that follow each other.
void StepBreaks::enclose(std::span<const Piece> pieces) {
  box_.resize(state_size_ + 1);
  box_[0] = {pieces.front().low, pieces.back().high};
  for (std::size_t k = 0; k < state_size_; ++k) {
    Interval& hull = box_[k + 1];
    hull = {pieces.front().first[k], pieces.front().first[k]};
    for (const Piece& piece : pieces) {
      hull.low = std::min(hull.low, std::min(piece.first[k], piece.last[k]) - piece.beyond[k]);
      hull.high = std::max(hull.high, std::max(piece.first[k], piece.last[k]) + piece.beyond[k]);
    }
  }
  enclosure_.enclose(box_);
  if (!parts_.empty()) parts_.enclose(box_);
}

/// Over the piece that was enclosed last. A rate leaves its mean by half of what it changes, of which
/// `beyond` is a fourth of the way.
void StepBreaks::enclose_slopes(const Piece& piece) {
  const double length = piece.high - piece.low;
  slopes_.assign(1, {1, 1});
  for (std::size_t k = 0; k < state_size_; ++k) {
    const double mean = (piece.last[k] - piece.first[k]) / length, turn = 3 * piece.beyond[k] / length;
    slopes_.push_back({mean - turn, mean + turn});
  }
  enclosure_.enclose_slopes(slopes_);
}

double StepBreaks::value_at(std::size_t function, double t, std::span<const double> y) {
  box_.assign(1, {t, t});
  for (const double number : y) box_.push_back({number, number});
  enclosure_.enclose(box_);
  const Interval range = enclosure_.range(function);
  return range.low + range.width() / 2;
}

bool StepBreaks::may_be_zero(std::size_t function) const {
  if (!functions_[function].is_enclosed || (all_values_ && function < given())) return true;
  const Interval range = enclosure_.range(function);
  const double slack = rounding * std::max(std::abs(range.low), std::abs(range.high));
  return !(range.low > slack || range.high < -slack);
}

bool StepBreaks::has_long_parts() const {
  for (std::size_t f = 0; f < given(); ++f) {
    for (const std::size_t k : functions_[f].parts)
      if (!parts_.is_short(k) && !(parts_.range(k).width() <= slack_[k])) return true;
  }
  return false;
}

void StepBreaks::measure_parts() {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Interval range = parts_.range(k);
    slack_[k] = little * std::max(std::abs(range.low), std::abs(range.high));
    if (!std::isfinite(slack_[k])) slack_[k] = 0;
  }
}

void StepBreaks::measure_values(std::span<const Piece> pieces) {
  scales_.assign(functions_.size(), 0);
  for (std::size_t f = 0; f < given(); ++f) {
    if (!functions_[f].is_enclosed) continue;
    for (const Piece& piece : pieces) {
      const double size = std::abs(value_at(f, piece.high, piece.last));
      if (std::isfinite(size)) scales_[f] = std::max(scales_[f], size);
    }
  }
}

/// Whether a rate changes on a piece by about as much as the values at its ends and in its middle say. What
/// has no value there is left to samples.
bool StepBreaks::bends_as_shown(std::size_t function, const Piece& piece, std::span<const double> middle,
                                Interval slope) {
  constexpr double more = 8;
  const double half = (piece.high - piece.low) / 2;
  const double first = value_at(function, piece.low, piece.first);
  const double between = value_at(function, piece.low + half, middle);
  const double last = value_at(function, piece.high, piece.last);
  if (!std::isfinite(first) || !std::isfinite(between) || !std::isfinite(last)) {
    overlooked_.insert(function);
    return true;
  }
  if (all_values_ && slope.width() * half <= unseen * scales_[function]) return true;
  return slope.width() <= more * std::abs(first - 2 * between + last) / half;
}

/// Functions for which a piece is to be cut, all or the first. The state in the middle is found where it is
/// needed.
std::vector<std::size_t> StepBreaks::to_be_cut(const Piece& piece, std::vector<double>& middle,
                                               const StateAt& state_at, bool all) {
  enclose({&piece, 1});
  std::vector<std::size_t> near;
  for (std::size_t f = 0; f < given(); ++f)
    if (functions_[f].is_enclosed && may_be_zero(f)) near.push_back(f);
  std::vector<std::size_t> result;
  const auto is_enough = [&] { return !all && !result.empty(); };
  if (!parts_.empty() && has_long_parts()) {
    for (std::size_t f = 0; f < given() && !is_enough(); ++f)
      if (!functions_[f].parts.empty()) result.push_back(f);
  }
  if (near.empty()) return result;
  enclose_slopes(piece);
  std::vector<std::pair<std::size_t, Interval>> turning;
  for (const std::size_t f : near) {
    const Interval slope = enclosure_.slope(f);
    Function& function = functions_[f];
    function.is_away = false;
    function.goes_up = function.goes_up && slope.low > 0;
    function.goes_down = function.goes_down && slope.high < 0;
    if (!(slope.low > 0) && !(slope.high < 0)) turning.emplace_back(f, slope);
  }
  for (const auto& [f, slope] : turning) {
    if (is_enough()) break;
    if (middle.empty()) {
      middle.resize(state_size_);
      state_at(piece.low + (piece.high - piece.low) / 2, middle.data());
    }
    if (!bends_as_shown(f, piece, middle, slope)) result.push_back(f);
  }
  return result;
}

/// Of the piece that was enclosed last.
void StepBreaks::see_changes() {
  for (std::size_t f = 0; f < given(); ++f) {
    if (functions_[f].arguments.empty() || !may_be_zero(f)) continue;
    for (const std::size_t k : functions_[f].arguments) changes_[k] = changes_[k] || may_be_zero(given() + k);
  }
}

void StepBreaks::see(const double* y) {
  if (empty()) return;
  if (seen_.empty()) {
    for (std::size_t k = 0; k < state_size_; ++k) seen_.push_back({y[k], y[k]});
    return;
  }
  for (std::size_t k = 0; k < state_size_; ++k) {
    seen_[k].low = std::min(seen_[k].low, y[k]);
    seen_[k].high = std::max(seen_[k].high, y[k]);
  }
}

/// Between samples that are a fifth of a step apart a smooth way goes beyond them by less than a tenth of
/// what all of them cover.
bool StepBreaks::are_needed(double begin, double end) {
  if (empty() || seen_.empty()) return false;
  box_.assign(1, {begin, end});
  for (const Interval& seen : seen_)
    box_.push_back({seen.low - 0.1 * seen.width(), seen.high + 0.1 * seen.width()});
  enclosure_.enclose(box_);
  for (std::size_t f = 0; f < given(); ++f)
    if (functions_[f].is_enclosed && may_be_zero(f)) return true;
  if (parts_.empty()) return false;
  parts_.enclose(box_);
  measure_parts();
  return has_long_parts();
}

std::vector<double> StepBreaks::in_step(double begin, double end, const StateAt& state_at) {
  std::vector<double> breaks;
  overlooked_.clear();
  if (empty() || !(end > begin)) return breaks;
  std::vector<Piece> open = quarters(begin, end, state_at);
  if (!parts_.empty()) {
    enclose(open);
    measure_parts();
  }
  if (all_values_) measure_values(open);
  changes_.assign(arguments_, false);
  for (Function& f : functions_) f.is_away = f.goes_up = f.goes_down = true;
  std::size_t count = open.size();
  bool is_cut = false, is_spent = false;
  while (!open.empty()) {  // all of one length before any that is shorter
    std::vector<Piece> halves;
    for (const Piece& piece : open) {
      std::vector<double> y;
      const std::vector<std::size_t> functions = to_be_cut(piece, y, state_at, count >= budget_);
      const bool may_cut = piece.high - piece.low > shortest * (end - begin);
      if (!functions.empty() && may_cut && count < budget_) {
        const double middle = piece.low + (piece.high - piece.low) / 2;
        std::vector<double> beyond = piece.beyond;
        if (y.empty()) {
          y.resize(state_size_);
          state_at(middle, y.data());
        }
        for (double& b : beyond) b /= 3;  // a second difference falls to a fourth
        halves.push_back({piece.low, middle, piece.first, y, beyond});
        halves.push_back({middle, piece.high, std::move(y), piece.last, std::move(beyond)});
        count += 2;
        is_cut = true;
        continue;
      }
      if (!functions.empty() && may_cut) {
        overlooked_.insert(functions.begin(), functions.end());
        is_spent = true;
      }
      if (arguments_ > 0) {
        enclose({&piece, 1});
        see_changes();
      }
      if (piece.high < end) breaks.push_back(piece.high);
    }
    open = std::move(halves);
  }
  budget_ = is_spent ? std::max(fewest_pieces, budget_ / 2) : std::min(most_pieces, 2 * budget_);
  const bool is_plain = std::all_of(functions_.begin(), functions_.end(),
                                    [](const Function& f) { return f.is_away || f.goes_up || f.goes_down; });
  if (!is_cut && is_plain) breaks.clear();
  std::sort(breaks.begin(), breaks.end());
  for (std::size_t k = 0; k < arguments_; ++k)
    if (changes_[k]) add_changes(k, begin, end, state_at, breaks);
  return breaks;
}

void StepBreaks::add_changes(std::size_t argument, double begin, double end, const StateAt& state_at,
                             std::vector<double>& breaks) {
  CrossingSearch search(1, 0);
  const CrossingSearch::Values values = [&](double t, double* value, double* size) {
    inputs_[0] = t;
    state_at(t, inputs_.data() + 1);
    const double* found = values_(inputs_.data());
    *value = found[argument];
    *size = found[arguments_ + argument];
    return std::isfinite(*value) && std::isfinite(*size);
  };
  double first = 0, size = 0;
  if (!values(begin, &first, &size)) return;  // the function itself says so
  search.begin({&first, 1}, {&size, 1});
  std::vector<double> changes;
  for (const Crossing& crossing : search.between(begin, end, values, breaks).crossings)
    if (crossing.t > begin && crossing.t < end) changes.push_back(crossing.t);
  add_breaks(breaks, changes);
}

void add_breaks(std::vector<double>& breaks, std::span<const double> further) {
  breaks.insert(breaks.end(), further.begin(), further.end());
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
}

}  // namespace liaison
