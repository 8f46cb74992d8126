#include "motion_enclosure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "local_parts.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Interval everything{-infinity, infinity};
/// Larger equations are not enclosed: their inverse at each piece takes longer than the motion.
constexpr std::size_t most_unknowns = 24, most_operations = 20000;

double middle(Interval x) {
  return x.low + (x.high - x.low) / 2;
}
bool is_finite(Interval x) {
  return std::isfinite(x.low) && std::isfinite(x.high);
}

}  // namespace

MotionEnclosure::MotionEnclosure(const Evaluator& evaluator, std::span<const Expr> functions)
    : positions_(evaluator.position_count()), state_(evaluator.size()) {
  const AssembledEquations& equations = evaluator.equations();
  std::vector<Expr> variables = variables_of(evaluator);
  std::unordered_set<Expr> known(variables.begin(), variables.end()), unknowns;
  for (const auto& [symbol, value] : evaluator.parameter_values()) known.insert(symbol);
  for (Expr parameter : equations.parameters) variables.push_back(acceleration_symbol(parameter));
  variables.insert(variables.end(), equations.factors.begin(), equations.factors.end());
  unknowns.insert(variables.begin() + static_cast<std::ptrdiff_t>(1 + state_), variables.end());
  bool asks_rates = false;
  for (Expr e : functions) {
    bool has_value = true, asks = false;
    for (Expr node : postorder(e)) {
      const bool is_unknown = unknowns.contains(node);
      has_value =
          has_value && !node.is(Op::apply) && (!node.is(Op::symbol) || is_unknown || known.contains(node));
      asks = asks || is_unknown;
    }
    is_enclosed_.push_back(has_value);
    asks_rates = asks_rates || (has_value && asks);
  }
  if (asks_rates) make_rates(evaluator);
  std::vector<Expr> enclosed(functions.begin(), functions.end());
  for (std::size_t f = 0; f < enclosed.size(); ++f) {
    const std::vector<Expr> nodes = postorder(enclosed[f]);
    const bool asks = std::any_of(nodes.begin(), nodes.end(), [&](Expr e) { return unknowns.contains(e); });
    is_enclosed_[f] = is_enclosed_[f] && (!asks || needs_rates_);
    if (!is_enclosed_[f]) enclosed[f] = evaluator.time_symbol();
  }
  program_ = IntervalProgram(enclosed, variables, evaluator.parameter_values());
  position_rates_ =
      IntervalProgram(equations.position_rates, variables_of(evaluator), evaluator.parameter_values());
  inputs_.resize(variables.size());
  slopes_.resize(variables.size());
}

void MotionEnclosure::make_rates(const Evaluator& evaluator) {
  const AssembledEquations& equations = evaluator.equations();
  const std::size_t n = equations.parameters.size(), forces = equations.factors.size();
  if (equations.implicit || forces != equations.relation_count || n + forces > most_unknowns) return;
  if (equations.mass.rows != n) return;
  // In the order of written_equations().
  const std::vector<Expr> written = evaluator.written_equations();
  std::vector<Expr> entries;
  const auto add = [&](std::size_t row, std::size_t column, double sign) {
    rates_.places.emplace_back(static_cast<Index>(row), static_cast<Index>(column));
    rates_.signs.push_back(sign);
    entries.push_back(written[entries.size()]);
  };
  for (const SparseEntry& entry : equations.mass.entries) add(entry.row, entry.column, 1);
  for (const SparseEntry& entry : equations.directions.entries) add(entry.column, n + entry.row, -1);
  for (const SparseEntry& entry : equations.gradients.entries) add(n + entry.row, entry.column, 1);
  const std::size_t load = entries.size() + equations.position_rates.size();
  entries.insert(entries.end(), written.begin() + static_cast<std::ptrdiff_t>(load),
                 written.begin() + static_cast<std::ptrdiff_t>(load + n + forces));
  rates_.size = static_cast<Index>(n + forces);
  rates_.parameters = static_cast<Index>(n);
  rates_.entries = IntervalProgram(entries, variables_of(evaluator), evaluator.parameter_values());
  needs_rates_ = rates_.entries.size() <= most_operations;
}

/// The inverse of the middle of the matrix, and how far the product with it is from one.
bool MotionEnclosure::take_matrix() {
  MatrixXd centre = MatrixXd::Zero(rates_.size, rates_.size);
  MatrixXd radius = centre;
  for (std::size_t i = 0; i < rates_.places.size(); ++i) {
    const Interval entry = rates_.entries.output(i);
    if (!is_finite(entry)) return false;
    const auto [row, column] = rates_.places[i];
    centre(row, column) += rates_.signs[i] * middle(entry);
    radius(row, column) += entry.width() / 2;
  }
  if (rates_.size == 0) return true;
  inverse_ = DenseLu(centre).inverse();
  if (!inverse_.allFinite()) return false;
  constexpr double regular = 1e-6;  // of one: what rounding may leave of the product
  const MatrixXd left = product(inverse_, centre) - MatrixXd::Identity(rates_.size, rates_.size);
  if (!(left.cwiseAbs().maxCoeff() <= regular)) return false;
  const double rounding = 4 * static_cast<double>(rates_.size) * std::numeric_limits<double>::epsilon();
  spread_ = product(inverse_.cwiseAbs(), radius) + left.cwiseAbs() +
            rounding * product(inverse_.cwiseAbs(), centre.cwiseAbs());
  return true;
}

/// All solutions for entries within their ranges: x = inverse * right, and beyond by what the map
/// e -> |inverse| radius of the right side + spread (|x| + e) keeps within itself, spread = |inverse * matrix
/// - 1|.
std::vector<Interval> MotionEnclosure::solve(std::span<const Interval> right) const {
  const Index n = rates_.size;
  const std::vector<Interval> nothing(static_cast<std::size_t>(n), everything);
  VectorXd centre(n), radius(n);
  for (Index i = 0; i < n; ++i) {
    const Interval entry = right[static_cast<std::size_t>(i)];
    if (!is_finite(entry)) return nothing;
    centre(i) = middle(entry);
    radius(i) = entry.width() / 2;
  }
  const VectorXd x = inverse_ * centre;
  const VectorXd first = inverse_.cwiseAbs() * radius + spread_ * x.cwiseAbs();
  constexpr int most_rounds = 12;
  constexpr double a_little_more = 1.1;
  VectorXd beyond = a_little_more * first;
  for (int round = 0; round < most_rounds; ++round) {
    const VectorXd next = first + spread_ * beyond;
    if (!next.allFinite()) return nothing;
    if ((next.array() <= beyond.array()).all()) {
      std::vector<Interval> result;
      for (Index i = 0; i < n; ++i) result.push_back({x(i) - next(i), x(i) + next(i)});
      return result;
    }
    beyond = a_little_more * next;
  }
  return nothing;
}

void MotionEnclosure::enclose(std::span<const Interval> box) {
  std::copy(box.begin(), box.end(), inputs_.begin());
  if (needs_rates_) {
    rates_.entries.run(box);
    is_regular_ = take_matrix();
    const auto n = static_cast<std::size_t>(rates_.size), first = rates_.places.size();
    found_.assign(n, everything);
    if (is_regular_) {
      std::vector<Interval> right;
      for (std::size_t i = 0; i < n; ++i) {
        const Interval entry = rates_.entries.output(first + i);
        const bool is_load = static_cast<Index>(i) < rates_.parameters;
        right.push_back(is_load ? entry : Interval{-entry.high, -entry.low});
      }
      found_ = solve(right);
    }
    std::copy(found_.begin(), found_.end(), inputs_.begin() + static_cast<std::ptrdiff_t>(1 + state_));
  }
  program_.run(inputs_);
}

void MotionEnclosure::enclose_slopes(std::span<const Interval> slopes) {
  std::copy(slopes.begin(), slopes.end(), slopes_.begin());
  position_rates_.run(std::span(inputs_).first(1 + state_));
  for (std::size_t i = 0; i < positions_; ++i) slopes_[1 + i] = position_rates_.output(i);
  if (needs_rates_) {
    const auto n = static_cast<std::size_t>(rates_.size), first = rates_.places.size();
    std::copy(found_.begin(), found_.begin() + rates_.parameters,
              slopes_.begin() + static_cast<std::ptrdiff_t>(1 + positions_));
    std::vector<Interval> further(n, everything);
    if (is_regular_) {
      rates_.entries.run_slopes(std::span(slopes_).first(1 + state_));
      std::vector<Interval> right(n);
      for (std::size_t i = 0; i < n; ++i) {
        const Interval rate = rates_.entries.slope(first + i);
        const bool is_load = static_cast<Index>(i) < rates_.parameters;
        right[i] = is_load ? rate : Interval{-rate.high, -rate.low};
      }
      for (std::size_t i = 0; i < rates_.places.size(); ++i) {
        const auto [row, column] = rates_.places[i];
        const Interval part = times(rates_.entries.slope(i), found_[static_cast<std::size_t>(column)]);
        Interval& sum = right[static_cast<std::size_t>(row)];
        sum = rates_.signs[i] > 0 ? Interval{sum.low - part.high, sum.high - part.low}
                                  : Interval{sum.low + part.low, sum.high + part.high};
      }
      further = solve(right);
    }
    std::copy(further.begin(), further.end(), slopes_.begin() + static_cast<std::ptrdiff_t>(1 + state_));
  }
  program_.run_slopes(slopes_);
}

}  // namespace liaison
