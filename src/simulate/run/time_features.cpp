#include "time_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "chebyshev.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "simulate/equations/switches.hpp"

namespace liaison {

namespace {

constexpr std::size_t degree = 16;
constexpr double judges[] = {-0.8713, -0.3371, 0.1537, 0.6891};
constexpr int slices = 8;
constexpr double followed = 0.01, near = 0.25, small = 1e-3;

/// Which nodes have the time and no other variable in them; which of these have switches.
struct Kinds {
  std::unordered_set<Expr> of_time, with_switch;
};

Kinds kinds_of(std::span<const Expr> nodes, Expr time, const std::unordered_set<Expr>& parameters) {
  Kinds kinds;
  std::unordered_set<Expr> fixed;
  for (Expr node : nodes) {
    if (node == time) {
      kinds.of_time.insert(node);
    } else if (node.args().empty()) {
      if (node.is_constant() || parameters.contains(node)) fixed.insert(node);
    } else {
      bool all = node.op() != Op::apply, moves = false, switched = is_switch(node);
      for (Expr arg : node.args()) {
        all = all && (fixed.contains(arg) || kinds.of_time.contains(arg));
        moves = moves || kinds.of_time.contains(arg);
        switched = switched || kinds.with_switch.contains(arg);
      }
      if (all && moves) kinds.of_time.insert(node);
      if (all && !moves) fixed.insert(node);
      if (all && moves && switched) kinds.with_switch.insert(node);
    }
  }
  return kinds;
}

/// Parts without switches that no larger one contains, the terms of a sum each by itself.
std::vector<Expr> smooth_parts(std::span<const Expr> roots, std::span<const Expr> nodes, const Kinds& kinds) {
  std::unordered_set<Expr> chosen;
  const auto choose = [&](Expr e) {
    const auto add = [&](Expr term) {
      if (kinds.of_time.contains(term) && !term.is(Op::symbol)) chosen.insert(term);
    };
    if (!kinds.of_time.contains(e) || kinds.with_switch.contains(e)) return;
    if (!e.is(Op::add)) return add(e);
    for (Expr term : e.args()) add(term);
  };
  for (Expr root : roots) choose(root);
  for (Expr node : nodes) {
    if (kinds.of_time.contains(node) && !kinds.with_switch.contains(node)) continue;
    for (Expr arg : node.args()) choose(arg);
  }
  std::vector<Expr> result(chosen.begin(), chosen.end());
  std::sort(result.begin(), result.end(), StructuralLess{});
  return result;
}

std::vector<Expr> switch_arguments(std::span<const Expr> nodes, const Kinds& kinds) {
  std::vector<Expr> result;  // arguments before those that contain them
  for (Expr node : nodes) {
    if (!is_switch(node) || !kinds.of_time.contains(node)) continue;
    const Expr argument = argument_of_switch(node);
    if (!argument.is_constant() && std::find(result.begin(), result.end(), argument) == result.end())
      result.push_back(argument);
  }
  return result;
}

}  // namespace

TimeFeatures::TimeFeatures(std::span<const Expr> expressions, Expr time,
                           std::span<const std::pair<Expr, double>> parameters,
                           std::span<const Parameter> declared) {
  std::unordered_set<Expr> known;
  std::vector<Expr> symbols{time};
  inputs_.push_back(0);
  for (const auto& [symbol, value] : parameters) {
    known.insert(symbol);
    symbols.push_back(symbol);
    inputs_.push_back(value);
  }
  const std::vector<Expr> nodes = postorder(expressions);
  const Kinds kinds = kinds_of(nodes, time, known);
  std::vector<Expr> outputs = smooth_parts(expressions, nodes, kinds);
  for (Expr part : outputs)
    parts_.push_back({IntervalFunction(part, time, parameters),
                      IntervalFunction(derivative(part, time), time, parameters)});
  const std::vector<Expr> arguments = switch_arguments(nodes, kinds);
  arguments_ = arguments.size();
  for (Expr argument : arguments) zeros_.emplace_back(argument, time, parameters, declared);
  outputs.insert(outputs.end(), arguments.begin(), arguments.end());
  for (Expr argument : arguments) outputs.push_back(size_of_terms(argument));
  if (!outputs.empty()) program_ = Runner(symbols, outputs, Engine::interpreted);
}

double TimeFeatures::value(std::size_t output, double t) {
  inputs_[0] = t;
  return program_(inputs_.data())[output];
}

/// Whether every part follows a polynomial and stays near what its samples show.
bool TimeFeatures::is_resolved(double low, double high) {
  const auto at = [&](double x) { return low + (high - low) * (1 + x) / 2; };
  const std::vector<double> points = chebyshev_points(degree);
  std::vector<std::vector<double>> samples;
  const auto sample = [&](double t) {
    inputs_[0] = t;
    const double* values = program_(inputs_.data());
    samples.emplace_back(values, values + parts_.size());
  };
  for (const double x : points) sample(at(x));
  std::vector<double> others(std::begin(judges), std::end(judges));
  for (int i = 0; i <= slices; ++i) others.push_back(2.0 * i / slices - 1);
  for (const double x : others) sample(at(x));
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Interval shown{samples[0][p], samples[0][p]};
    for (const auto& values : samples) {
      if (!std::isfinite(values[p])) return false;
      shown.low = std::min(shown.low, values[p]);
      shown.high = std::max(shown.high, values[p]);
    }
    const double largest = std::max(std::abs(shown.low), std::abs(shown.high));
    std::vector<double> through(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) through[i] = samples[i][p];
    const ChebyshevSeries series = ChebyshevSeries::through(through);
    const double allowed = followed * shown.width() + 1e-12 * largest;
    if (series.tail() > allowed) return false;
    for (std::size_t i = points.size(); i < samples.size(); ++i) {
      if (std::abs(series(others[i - points.size()]) - samples[i][p]) > allowed) return false;
    }
    const double slack = near * shown.width() + small * largest;
    for (int i = 0; i < slices; ++i) {
      const Interval slice{low + (high - low) * i / slices, low + (high - low) * (i + 1) / slices};
      const Interval range = parts_[p].value(slice), slope = parts_[p].slope(slice);
      // The value at the beginning and the slope bound it too, and better where terms cancel.
      const double begin = samples[points.size() + std::size(judges) + static_cast<std::size_t>(i)][p];
      const double top = std::min(range.high, begin + std::max(0.0, slope.high) * slice.width());
      const double bottom = std::max(range.low, begin + std::min(0.0, slope.low) * slice.width());
      if (!(top <= shown.high + slack) || !(bottom >= shown.low - slack)) return false;
    }
  }
  return true;
}

/// Where arguments change their signs in (low, high]: each time the first at which the sign is no longer what
/// it was.
std::vector<double> TimeFeatures::changes_in(double low, double high) {
  constexpr int most_roundings = 64;
  std::vector<double> changes;
  for (std::size_t k = 0; k < arguments_; ++k) {
    const std::size_t output = parts_.size() + k;
    CrossingSearch search(1, 0);
    const CrossingSearch::Values values = [&](double t, double* found, double* size) {
      inputs_[0] = t;
      const double* all = program_(inputs_.data());
      *found = all[output];
      *size = all[output + arguments_];
      return std::isfinite(*found);
    };
    double first = 0, size = 0;
    if (!values(low, &first, &size)) continue;
    search.begin({&first, 1}, {&size, 1});
    search.is_exact(0);
    search.isolates([&](std::size_t, double from, double to) { return zeros_[k].in(from, to, to); });
    for (const Crossing& crossing : search.between(low, high, values, changes).crossings) {
      double t = crossing.t;
      for (int i = 0; i < most_roundings && !crossing.touches() && t < high; ++i) {
        if (crossing.before * value(output, t) <= 0) break;
        t = std::nextafter(t, std::numeric_limits<double>::infinity());
      }
      changes.push_back(t);
    }
    std::sort(changes.begin(), changes.end());
  }
  std::vector<double> apart;  // what rounding alone tells apart is one time, the last of them
  for (const double t : changes) {
    const double one_time = 16 * std::numeric_limits<double>::epsilon() * std::abs(t);
    if (!apart.empty() && t - apart.back() <= one_time) apart.pop_back();
    apart.push_back(t);
  }
  return apart;
}

const TimeFeatures::Cell& TimeFeatures::cell_at(double t, double end) {
  for (const auto& cell : cells_) {
    if (cell && t >= cell->low && t < cell->high) return *cell;
  }
  constexpr double largest = 1e300;
  // A cell where a part is not smooth at all: what numbers can tell apart at this time, however long the run
  // is; at zero they tell everything apart, and a second or a shorter run is what counts.
  constexpr double one_time = 64 * std::numeric_limits<double>::epsilon();
  const double shortest =
      std::max(one_time * (t != 0 ? std::abs(t) : std::min(end, 1.0)), std::numeric_limits<double>::min());
  double length = std::exp2(std::ceil(std::log2(std::max({end - t, std::abs(t), shortest}))));
  double low = 0, high = 0;
  while (true) {
    low = std::floor(t / length) * length;
    high = low + length;
    if (length <= shortest) break;
    if (std::abs(low) < largest && is_resolved(low, high)) break;
    length /= 2;
  }
  if (cells_[1] && cells_[0] && cells_[1]->high > cells_[0]->high) std::swap(cells_[0], cells_[1]);
  std::swap(cells_[0], cells_[1]);
  cells_[0] = Cell{low, high, changes_in(low, high)};
  return *cells_[0];
}

double TimeFeatures::limit(double t, double end, double part) {
  if (empty()) return end;
  const auto change_in = [&](const Cell& cell) {
    const auto next = std::upper_bound(cell.changes.begin(), cell.changes.end(), t);
    return next == cell.changes.end() ? std::numeric_limits<double>::infinity() : *next;
  };
  const Cell here = cell_at(t, end);
  const double length = here.high - here.low;
  const double limit = std::min({end, change_in(here), t + part * length});
  if (limit <= here.high) return limit;
  const Cell ahead = cell_at(here.high, end);
  return std::min({limit, change_in(ahead), ahead.high - ahead.low < length ? here.high : t + length});
}

double TimeFeatures::next_change(double t, double end) {
  if (arguments_ == 0) return end;
  for (double at = t; at < end;) {
    const Cell& cell = cell_at(at, end);
    const auto next = std::upper_bound(cell.changes.begin(), cell.changes.end(), t);
    if (next != cell.changes.end()) return std::min(end, *next);
    at = cell.high;
  }
  return end;
}

std::vector<double> TimeFeatures::between(double from, double to) {
  std::vector<double> result;
  if (empty()) return result;
  constexpr std::size_t most = 100000;
  for (double t = from; t < to && result.size() < most;) {
    const Cell cell = cell_at(t, to);
    for (const double change : cell.changes) {
      if (change > from && change < to && (result.empty() || change > result.back()))
        result.push_back(change);
    }
    if (cell.high < to && (result.empty() || cell.high > result.back())) result.push_back(cell.high);
    t = cell.high;
  }
  return result;
}

}  // namespace liaison
