#include "liaison/mechanism/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

/// One relation under elimination: its row of r transposed, its drive, and which relations went into it.
struct Row {
  std::vector<double> forces;
  double drive;
  std::vector<double> weights;
};

void subtract(Row& from, const Row& pivot, double factor) {
  for (std::size_t h = 0; h < from.forces.size(); ++h) from.forces[h] -= factor * pivot.forces[h];
  for (std::size_t k = 0; k < from.weights.size(); ++k) from.weights[k] -= factor * pivot.weights[k];
  from.drive -= factor * pivot.drive;
}

double largest(const std::vector<double>& values) {
  double size = 0;
  for (double value : values) size = std::max(size, std::abs(value));
  return size;
}

constexpr double rounding = 1e-10;

}  // namespace

Contradiction find_contradiction(const StateValues& values) {
  const std::size_t relations = values.drive.size(), forces = values.r.size();
  std::vector<Row> rows;
  double scale = 0;
  for (std::size_t k = 0; k < relations; ++k) {
    Row row{std::vector<double>(forces), values.drive[k], std::vector<double>(relations)};
    for (std::size_t h = 0; h < forces; ++h) row.forces[h] = values.r[h][k];
    row.weights[k] = 1;
    scale = std::max(scale, largest(row.forces));
    rows.push_back(std::move(row));
  }
  std::size_t done = 0;
  while (done < relations) {  // full pivoting: what is left in the end is rounding
    std::size_t row = done, column = 0;
    double pivot = 0;
    for (std::size_t k = done; k < relations; ++k) {
      for (std::size_t h = 0; h < forces; ++h) {
        if (std::abs(rows[k].forces[h]) <= pivot) continue;
        pivot = std::abs(rows[k].forces[h]);
        row = k;
        column = h;
      }
    }
    if (pivot <= rounding * scale) break;
    std::swap(rows[done], rows[row]);
    for (std::size_t k = done + 1; k < relations; ++k)
      subtract(rows[k], rows[done], rows[k].forces[column] / rows[done].forces[column]);
    ++done;
  }
  Contradiction worst{std::vector<double>(relations), 0};
  for (std::size_t k = done; k < relations; ++k) {
    const double size = largest(rows[k].weights);
    if (std::abs(rows[k].drive) / size <= std::abs(worst.rate)) continue;
    worst.rate = rows[k].drive / size;
    for (std::size_t i = 0; i < relations; ++i) worst.weights[i] = rows[k].weights[i] / size;
  }
  return worst;
}

std::string combination(const Motion& motion, const std::vector<double>& weights, const std::string& letter) {
  std::string text;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double weight = weights[k];
    if (std::abs(weight) < rounding) continue;
    const std::string sign = text.empty() ? (weight < 0 ? "-" : "") : (weight < 0 ? " - " : " + ");
    const std::string size =
        std::abs(std::abs(weight) - 1) < rounding ? "" : fmt::format("{:.6g}*", std::abs(weight));
    text += fmt::format("{}{}{}({})", sign, size, letter, motion.constraints[k].name);
  }
  return text;
}

std::string describe(const Motion& motion, const Contradiction& contradiction) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < contradiction.weights.size(); ++k) {
    if (std::abs(contradiction.weights[k]) >= rounding)
      names.push_back("`" + motion.constraints[k].name + "`");
  }
  if (names.size() == 1) {
    return fmt::format("no force of the constraints keeps {}, which changes at the rate {:.6g}", names[0],
                       contradiction.rate);
  }
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {} contradict each other: {} changes at the rate {:.6g} whatever the forces are",
                     fmt::join(names, ", "), last, combination(motion, contradiction.weights, "a"),
                     contradiction.rate);
}

}  // namespace liaison
