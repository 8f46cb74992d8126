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
std::optional<DoublePoint> solution_from(const NumericEquations& equations, DoublePoint point, Expr unknown,
                                         double value) {
  point[unknown] = value;
  if (!solve_least_change(equations, point).converged) return std::nullopt;
  return point;
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

namespace {

/// Solutions that differ from each other by more than rounding.
class Solutions {
 public:
  Solutions(const NumericEquations& equations, const DoublePoint& solution, const IsAllowed& is_allowed)
      : equations_(equations), solution_(solution), is_allowed_(is_allowed) {
    for (Expr unknown : equations.unknowns()) {
      const double size = size_beside(unknown, solution);
      sizes_.push_back(size > 0 ? size : 1);
    }
    known_.push_back(values_of(equations, solution));
  }

  void look_from(DoublePoint start) {
    if (!solve_least_change(equations_, start).converged || !is_solution(start)) return;
    std::vector<double> values = values_of(equations_, start);
    const auto is_known = [&](const std::vector<double>& other) { return is_same(other, values, sizes_); };
    if (std::any_of(known_.begin(), known_.end(), is_known)) return;
    known_.push_back(std::move(values));
    if (!is_allowed_ || is_allowed_(start)) found.push_back(std::move(start));
  }

  /// Beside the terms of each equation there: from far away a residual of exp(x) becomes much smaller than it
  /// was, and is none the less as large as exp(x).
  bool is_solution(const DoublePoint& point) const {
    constexpr double small = 1e-9;
    const NumericEquations::Values values = equations_.at(point);
    if (!values.failure.empty() || equations_.are_below_doubles(point)) return false;
    for (Eigen::Index k = 0; k < values.residual.size(); ++k) {
      if (!(std::abs(values.residual(k)) <= small * values.size(k))) return false;
    }
    return true;
  }

  void look_from_opposites() {
    for (Expr unknown : equations_.unknowns()) {
      DoublePoint start = solution_;
      start[unknown] = -start[unknown];
      if (start[unknown] != 0) look_from(std::move(start));
    }
  }

  void look_from_each() {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (!equations_.holds(i)) continue;  // any value of it would be another solution
      const std::size_t before = known_.size();
      for (double part : {0.0, 0.1, 0.4, 0.9, 1.6, 3.0, 7.0, 20.0, 100.0, 1000.0}) {
        for (double sign : {1.0, -1.0}) {
          DoublePoint start = solution_;
          start[equations_.unknowns()[i]] = sign * part * sizes_[i];
          if (known_.size() < before + most_solutions) look_from(std::move(start));
        }
      }
    }
  }

  /// Evenly spread numbers of many sizes for all unknowns together.
  void look_from_all(std::size_t starts) {
    double spread = 0.5;
    const std::size_t before = known_.size();
    for (std::size_t k = 0; k < starts && known_.size() < before + most_solutions; ++k) {
      DoublePoint start = solution_;
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        if (!equations_.holds(i)) continue;
        spread = std::fmod(spread + 0.618033988749895, 1.0);
        start[equations_.unknowns()[i]] =
            sizes_[i] * std::pow(10.0, static_cast<double>(k % 4) - 1) * (2 * spread - 1);
      }
      look_from(std::move(start));
    }
  }

  void sort_by_distance() {
    std::stable_sort(found.begin(), found.end(),
                     [&](const DoublePoint& a, const DoublePoint& b) { return distance(a) < distance(b); });
  }

  std::vector<DoublePoint> found;

 private:
  /// From the solution, beside the size of each unknown.
  double distance(const DoublePoint& other) const {
    double result = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const Expr unknown = equations_.unknowns()[i];
      result = std::max(result, std::abs(other.at(unknown) - solution_.at(unknown)) / sizes_[i]);
    }
    return result;
  }

  static constexpr std::size_t most_solutions = 8;
  const NumericEquations& equations_;
  const DoublePoint& solution_;
  const IsAllowed& is_allowed_;
  std::vector<double> sizes_;
  std::vector<std::vector<double>> known_;
};

}  // namespace

std::vector<DoublePoint> other_solutions(const NumericEquations& equations, const DoublePoint& solution,
                                         const IsAllowed& is_allowed, bool asks_for_nearest) {
  constexpr std::size_t few = 4, some = 12;
  const std::size_t count = equations.unknowns().size();
  if (count > most_unknowns || equations.is_linear()) return {};
  Solutions solutions(equations, solution, is_allowed);
  solutions.look_from_opposites();
  if ((solutions.found.empty() || asks_for_nearest) && count <= few) solutions.look_from_each();
  if (solutions.found.empty() && count <= some) solutions.look_from_all(count <= few ? 24 : 8);
  solutions.sort_by_distance();
  return std::move(solutions.found);
}

std::vector<std::string> choices_among(const NumericEquations& equations,
                                       const std::vector<std::string>& names, const DoublePoint& solution,
                                       const IsAllowed& is_allowed, OtherValues* others) {
  std::vector<std::string> lines;
  const std::vector<Expr>& unknowns = equations.unknowns();
  const auto note = [&](const DoublePoint& other) {
    if (others == nullptr) return;
    others->emplace_back();
    for (Expr unknown : unknowns) others->back().emplace_back(unknown, other.at(unknown));
  };
  if (unknowns.size() > most_unknowns) return lines;
  const auto line = [&](std::size_t i) {
    return fmt::format("{} = {:.6g} was chosen on `{}`", unknowns[i].symbol().name, solution.at(unknowns[i]),
                       equation_of(equations, names, solution, i));
  };
  std::vector<std::size_t> chosen;  // unknowns that are not zero, and not open
  for (std::size_t i = 0; i < unknowns.size() && lines.size() < most_lines; ++i) {
    const double value = solution.at(unknowns[i]), size = size_beside(unknowns[i], solution);
    if (!is_far(value, 0, size)) {  // what is left open is zero; what is not was chosen
      const auto comes_back = [&](double step) {
        const auto back = solution_from(equations, solution, unknowns[i], step);
        return back && !is_far(back->at(unknowns[i]), value, step);
      };
      // beside a large coordinate of its kind, too, which may have nothing to do with it
      if (equations.holds(i) && ((size > 0 && comes_back(0.1 * size)) || comes_back(0.1)))
        chosen.push_back(i);
      continue;
    }
    const auto beside = solution_from(equations, solution, unknowns[i], value + 0.1 * value);
    const double moved = beside ? std::abs(beside->at(unknowns[i]) - value) : 0;
    if (beside && is_far(beside->at(unknowns[i]), value, size) && moved < 0.2 * std::abs(value)) {
      lines.push_back(line(i) + ", which leaves it open");
      note(*beside);
    } else {
      chosen.push_back(i);
    }
  }
  if (chosen.empty()) return lines;
  std::size_t held = 0;
  for (std::size_t i = 0; i < unknowns.size(); ++i) held += equations.holds(i) ? 1 : 0;
  const bool are_apart = names.size() >= held;  // on a circle there is no nearest one
  std::vector<std::size_t> told;                // one line for each unknown
  for (const DoublePoint& other : other_solutions(equations, solution, is_allowed, are_apart)) {
    if (lines.size() >= most_lines) break;
    note(other);
    for (std::size_t i : chosen) {
      const double value = other.at(unknowns[i]);
      if (!is_far(value, solution.at(unknowns[i]), size_beside(unknowns[i], solution))) continue;
      if (std::find(told.begin(), told.end(), i) == told.end())
        lines.push_back(fmt::format("{}: {:.6g} is possible too", line(i), value));
      told.push_back(i);
      break;
    }
  }
  return lines;
}

}  // namespace liaison
