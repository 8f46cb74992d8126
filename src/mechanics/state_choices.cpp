#include "state_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace liaison {

namespace {

constexpr std::size_t most_unknowns = 60;
constexpr std::size_t most_lines = 6;
constexpr double different = 1e-6;  ///< relative distance of two solutions
constexpr double rounding = 1e-12;  ///< of a zero, relative to the other values

std::vector<double> values_of(const NumericEquations& equations, const DoublePoint& point) {
  std::vector<double> result;
  for (Expr unknown : equations.unknowns()) result.push_back(point.at(unknown));
  return result;
}

/// Against the two numbers, and beyond what rounding of others of their kind makes of a zero.
bool is_far(double a, double b, double size) {
  return std::abs(a - b) > std::max(different * std::max(std::abs(a), std::abs(b)), rounding * size);
}

bool is_same(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& sizes) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_far(a[i], b[i], sizes[i])) return false;
  }
  return true;
}

/// The solution that is found from another value of one unknown.
std::optional<std::vector<double>> solution_from(const NumericEquations& equations, DoublePoint point,
                                                 Expr unknown, double value) {
  point[unknown] = value;
  if (!solve_least_change(equations, point).converged) return std::nullopt;
  return values_of(equations, point);
}

/// The first equation in which the unknown matters.
std::string equation_of(const NumericEquations& equations, const std::vector<std::string>& names,
                        const DoublePoint& point, std::size_t unknown) {
  for (const auto& entry : equations.at(point).jacobian) {
    if (static_cast<std::size_t>(entry.col()) == unknown && entry.value() != 0)
      return names[static_cast<std::size_t>(entry.row())];
  }
  return names.front();
}

}  // namespace

double size_beside(Expr symbol, const DoublePoint& point) {
  double size = 0;
  for (const auto& [other, value] : point) {
    if (other.symbol().kind == symbol.symbol().kind) size = std::max(size, std::abs(value));
  }
  return size;
}

std::vector<std::string> choices_among(const NumericEquations& equations,
                                       const std::vector<std::string>& names, const DoublePoint& solution) {
  std::vector<std::string> lines;
  const std::vector<Expr>& unknowns = equations.unknowns();
  if (unknowns.size() > most_unknowns) return lines;
  const std::vector<double> found = values_of(equations, solution);
  std::vector<double> sizes;
  for (Expr unknown : unknowns) sizes.push_back(size_beside(unknown, solution));
  std::vector<std::vector<double>> others;
  for (std::size_t i = 0; i < unknowns.size() && lines.size() < most_lines; ++i) {
    const double value = found[i];
    if (!is_far(value, 0, sizes[i])) continue;
    const std::string chosen = fmt::format("{} = {:.6g} was chosen on `{}`", unknowns[i].symbol().name, value,
                                           equation_of(equations, names, solution, i));
    const auto beside = solution_from(equations, solution, unknowns[i], value + 0.1 * value);
    if (beside && is_far((*beside)[i], value, sizes[i]) &&
        std::abs((*beside)[i] - value) < 0.2 * std::abs(value)) {
      lines.push_back(chosen + ", which leaves it open");
      continue;
    }
    const auto opposite = solution_from(equations, solution, unknowns[i], -value);
    if (!opposite || !is_far((*opposite)[i], value, sizes[i])) continue;
    const bool known = std::any_of(others.begin(), others.end(), [&](const std::vector<double>& other) {
      return is_same(other, *opposite, sizes);
    });
    if (known) continue;
    lines.push_back(fmt::format("{}: {:.6g} is possible too", chosen, (*opposite)[i]));
    others.push_back(*opposite);
  }
  return lines;
}

}  // namespace liaison
