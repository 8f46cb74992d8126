#include "scene_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "liaison/compile/interpreter.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_rows = 200'000;  ///< that are looked at

}  // namespace

/// Rows of inputs, one after the other.
struct SceneValues::States {
  std::size_t width = 0;
  std::vector<double> numbers;
  std::size_t size() const { return width == 0 ? 0 : numbers.size() / width; }
  const double* row(std::size_t i) const { return numbers.data() + i * width; }
};

SceneValues::SceneValues(const System& system, const SceneRequest& request)
    : system_(system), request_(request) {
  const AssembledEquations& equations = *request.equations;
  inputs_.push_back(system.time);
  inputs_.insert(inputs_.end(), equations.positions.begin(), equations.positions.end());
  inputs_.insert(inputs_.end(), equations.parameters.begin(), equations.parameters.end());
  inputs_.insert(inputs_.end(), equations.factors.begin(), equations.factors.end());
  for (const Parameter& parameter : system.parameters)
    if (const auto known = request.state.find(parameter.symbol); known != request.state.end())
      fixed_.emplace_back(parameter.symbol, known->second);
  const std::unordered_set<Expr> given(inputs_.begin(), inputs_.end());
  for (std::size_t i = 0; i < system.chart.velocities.size(); ++i)
    if (!given.contains(system.directions[i].velocity))
      chart_.emplace(system.directions[i].velocity, system.chart.velocities[i]);
}

bool SceneValues::is_constant(Expr e) const {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
}

bool SceneValues::knows(Expr e) const {
  if (!chart_.empty()) e = substitute(e, chart_);
  const std::unordered_set<Expr> given(inputs_.begin(), inputs_.end());
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    return given.contains(symbol) || std::any_of(fixed_.begin(), fixed_.end(),
                                                 [&](const auto& known) { return known.first == symbol; });
  });
}

double SceneValues::number(Expr e) const {
  const DoubleValues found = evaluate({&e, 1}, request_.state);
  return found.status == EvaluationStatus::ok ? found.values[0] : std::numeric_limits<double>::quiet_NaN();
}

std::string SceneValues::why_no_value(Expr e) const {
  const DoubleValues found = evaluate({&e, 1}, request_.state);
  return found.status == EvaluationStatus::ok ? "" : found.reason();
}

Vector3 SceneValues::place(const std::vector<Expr>& components) const {
  Vector3 result{0, 0, 0};
  for (std::size_t k = 0; k < components.size() && k < 3; ++k) result[k] = number(components[k]);
  return result;
}

SceneValue SceneValues::value(Expr e) {
  if (!chart_.empty()) e = substitute(e, chart_);
  if (is_constant(e)) return {number(e), {}};
  const auto [known, is_new] = places_.emplace(e, columns_.size());
  if (is_new) columns_.push_back(e);
  return {0, known->second};
}

ScenePoint SceneValues::point(const std::vector<Expr>& components) {
  ScenePoint result;
  for (std::size_t k = 0; k < components.size() && k < 3; ++k) result[k] = value(components[k]);
  return result;
}

SceneValues::States SceneValues::read_rows(std::vector<std::string>& notes) const {
  States states;
  states.width = inputs_.size();
  const AssembledEquations& equations = *request_.equations;
  if (request_.rows == nullptr) {
    for (Expr input : inputs_) {
      const auto known = request_.state.find(input);
      states.numbers.push_back(known == request_.state.end() ? std::numeric_limits<double>::quiet_NaN()
                                                             : known->second);
    }
    return states;
  }
  const std::vector<std::vector<double>>& rows = request_.rows->rows;
  const std::size_t stride = (rows.size() + most_rows - 1) / most_rows;
  if (stride > 1)
    notes.push_back(
        fmt::format("of {} rows one in {} was looked at for the moving picture", rows.size(), stride));
  const std::size_t state_size = equations.positions.size() + equations.parameters.size();
  for (std::size_t i = 0; i < rows.size(); i += stride) {
    const std::vector<double> y = state_in_row(equations, rows[i]);
    states.numbers.push_back(rows[i].front());
    states.numbers.insert(states.numbers.end(), y.begin(), y.end());
    for (std::size_t h = 0; h < equations.factors.size(); ++h)
      states.numbers.push_back(rows[i][1 + state_size + h]);
  }
  return states;
}

/// Where a run made long steps: rows between, positions by the cubic through both places and velocities.
void SceneValues::refine(States& states) const {
  constexpr std::size_t wanted = 3000, most_parts = 1000;
  const std::size_t rows = states.size(), n = request_.equations->positions.size();
  if (rows < 2 || rows >= wanted) return;
  const std::size_t parts = std::min(most_parts, wanted / rows);
  if (parts < 2) return;
  const Program program =
      make_program(inputs_, request_.equations->position_rates, {.output_names = {}, .fixed = fixed_});
  std::vector<double> scratch(program.slot_count), rates(rows * n);
  for (std::size_t i = 0; i < rows; ++i)
    liaison::run(program, states.row(i), rates.data() + i * n, scratch.data());
  States fine;
  fine.width = states.width;
  for (std::size_t i = 0; i < rows; ++i) {
    const double* a = states.row(i);
    fine.numbers.insert(fine.numbers.end(), a, a + states.width);
    if (i + 1 == rows) break;
    const double* b = states.row(i + 1);
    const double h = b[0] - a[0];
    if (!(h > 0)) continue;
    for (std::size_t k = 1; k < parts; ++k) {
      const double s = static_cast<double>(k) / static_cast<double>(parts), r = 1 - s;
      for (std::size_t c = 0; c < states.width; ++c) {
        if (c == 0 || c > n) {
          fine.numbers.push_back(c == 0 ? a[0] + s * h : r * a[c] + s * b[c]);
          continue;
        }
        const double from = h * rates[i * n + c - 1], to = h * rates[(i + 1) * n + c - 1];
        fine.numbers.push_back(r * r * (1 + 2 * s) * a[c] + s * s * (1 + 2 * r) * b[c] + r * r * s * from -
                               s * s * r * to);
      }
    }
  }
  states = std::move(fine);
}

void SceneValues::fill(MovingScene& scene, std::vector<std::string>& notes) const {
  States states = read_rows(notes);
  refine(states);
  const Program program = make_program(inputs_, columns_, {.output_names = {}, .fixed = fixed_});
  std::vector<double> scratch(program.slot_count), out(columns_.size());
  scene.columns.assign(columns_.size(), {});
  for (std::vector<double>& column : scene.columns) column.reserve(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    scene.t.push_back(states.row(i)[0]);
    liaison::run(program, states.row(i), out.data(), scratch.data());
    for (std::size_t c = 0; c < out.size(); ++c) scene.columns[c].push_back(out[c]);
  }
}

}  // namespace liaison
