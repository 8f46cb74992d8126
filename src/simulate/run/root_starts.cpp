#include "root_starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/simulate/runge_kutta.hpp"

namespace liaison {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// How far beside the state the two further motions begin, beside its size.
constexpr double farther = 1e-8, nearer = 1e-13;

}  // namespace

bool is_steep_root(Expr node) {
  if (!node.is(Op::pow)) return false;
  const Rational& exponent = node.arg(1).number();
  return exponent.sign() > 0 && exponent < Rational(1);
}

RootStarts::RootStarts(Evaluator& evaluator, const SimulationOptions& options)
    : evaluator_(evaluator), options_(options) {
  const std::vector<Expr>& state = evaluator.symbols();
  std::vector<Expr> symbols{evaluator.time_symbol()};
  symbols.insert(symbols.end(), state.begin(), state.end());
  inputs_.resize(symbols.size());
  for (const auto& [symbol, value] : evaluator.parameter_values()) {
    symbols.push_back(symbol);
    inputs_.push_back(value);
  }
  const std::unordered_set<Expr> known(symbols.begin(), symbols.end());
  std::unordered_set<Expr> taken;
  std::vector<Expr> outputs;
  for (Expr node : postorder(evaluator.written_equations())) {
    if (!is_steep_root(node) || !taken.insert(node.arg(0)).second) continue;
    const std::vector<Expr> within = postorder(node.arg(0));
    const bool has_value = std::all_of(within.begin(), within.end(), [&](Expr e) {
      return !e.is(Op::apply) && (!e.is(Op::symbol) || known.contains(e));
    });
    Root root{.root = node};
    const std::unordered_set<Expr> used(within.begin(), within.end());
    for (std::size_t i = 0; i < state.size(); ++i)
      if (used.contains(state[i])) root.components.push_back(i);
    if (!has_value || root.components.empty()) continue;
    roots_.push_back(std::move(root));
    outputs.push_back(node.arg(0));
  }
  if (roots_.empty()) return;
  for (const Root& root : roots_) outputs.push_back(size_of_terms(root.root.arg(0)));
  program_ = Runner(symbols, outputs, Engine::interpreted);
}

std::string RootStarts::several_from(double t, const std::vector<double>& y) {
  if (roots_.empty() || !(options_.until > t)) return {};
  inputs_[0] = t;
  std::copy(y.begin(), y.end(), inputs_.begin() + 1);
  program_(inputs_.data());
  const std::vector<double> values(program_.values().begin(), program_.values().end());
  for (std::size_t k = 0; k < roots_.size(); ++k) {
    const double rounding = 64 * epsilon * values[roots_.size() + k];
    if (!(std::abs(values[k]) <= rounding)) continue;
    for (const std::size_t component : roots_[k].components) {
      for (const double side : {1.0, -1.0}) {
        if (!leave_one_another(t, y, component, side)) continue;
        return fmt::format(
            "several motions begin here: `{}` is zero, of which the equations take a root, and the root has "
            "no derivative there: a motion as near to this state as one likes goes away from it in the same "
            "time, and so does one from here",
            to_infix(roots_[k].root.arg(0)));
      }
    }
  }
  return {};
}

/// Beside the state, on the constraints. False where they do not let it go there.
bool RootStarts::nudge(double t, std::vector<double>& y, std::size_t component, double length) {
  constexpr double part = 1e-2;
  const std::vector<double> from = y;
  y[component] += length;
  if (!evaluator_.has_relations()) return true;
  if (!evaluator_.project(t, y.data())) return false;
  return std::abs(y[component] - from[component]) > part * std::abs(length);
}

/// Whether motions from beside the state leave the one from there at a distance that does not depend on how
/// near they begin. Where there is a Lipschitz condition, or one that is integrable along the motion, the
/// distance is proportional to that of the beginnings; where a root drives its base away from zero, both
/// come close to a motion that leaves from the state itself.
bool RootStarts::leave_one_another(double t, const std::vector<double>& y, std::size_t component,
                                   double side) {
  constexpr int looks = 24;
  constexpr double apart = 4;           ///< times: from one look to the next one
  constexpr double grown = 1e3;         ///< times the first distance
  constexpr double far = 1e-2;          ///< beside the size of the state: nonlinear from there on
  constexpr double proportional = 0.5;  ///< less than this power of the first distance is not
  constexpr std::size_t most_steps = 4000;
  const std::size_t positions = evaluator_.position_count();
  const std::size_t begin = component < positions ? 0 : positions;
  const std::size_t end = component < positions ? positions : y.size();
  double size = std::abs(y[component]);
  if (size == 0) size = 1;
  std::vector<std::vector<double>> states{y, y, y};
  if (!nudge(t, states[1], component, side * farther * size) ||
      !nudge(t, states[2], component, side * nearer * size))
    return false;
  const Tolerance tolerance{.relative = 1e-6, .absolute = 1e-3 * nearer * size};
  std::vector<DormandPrince> methods;
  for (const std::vector<double>& state : states) {
    methods.emplace_back(
        [&](double at, const double* from, double* rates) { return evaluator_.rates(at, from, rates); },
        y.size(), tolerance);
    if (!methods.back().begin(t, state, options_.until)) return false;
  }
  std::size_t steps = 0;
  double time = (options_.until - t) * std::pow(apart, -looks);
  for (int look = 0; look < looks; ++look) {
    time *= apart;
    const double until = look + 1 == looks ? options_.until : t + time;
    if (!(until > t)) continue;
    for (DormandPrince& method : methods) {
      while (method.time() < until) {
        if (++steps > most_steps || method.step(until) != StepOutcome::stepped) return false;
      }
    }
    double distances[2] = {0, 0};
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = 0; k < 2; ++k)
        distances[k] = std::max(distances[k], std::abs(methods[k + 1].state()[i] - methods[0].state()[i]));
    }
    const bool have_grown = distances[0] > grown * farther * size && distances[1] > grown * nearer * size;
    if (have_grown && std::log(distances[0] / distances[1]) < proportional * std::log(farther / nearer))
      return true;
    if (distances[0] > far * size) return false;
  }
  return false;
}

}  // namespace liaison
