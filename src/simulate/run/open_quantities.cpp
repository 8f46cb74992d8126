#include "open_quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "liaison/mechanics/open_factors.hpp"

namespace liaison {

std::vector<bool> depend_on_open(const ValuesOfFactors& values, std::span<const double> factors,
                                 const std::vector<std::vector<double>>& open) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  constexpr double nothing = 1e-10;  // of what the factors do one by one: directions are known to rounding
  const auto largest = [](const std::vector<double>& list) {
    double size = 0;
    for (const double value : list) size = std::max(size, std::abs(value));
    return size;
  };
  const std::vector<double> member(factors.begin(), factors.end()), here = values(member);
  std::vector<bool> result(here.size(), false);
  if (open.empty()) return result;
  std::vector<std::vector<double>> directions = open;
  std::vector<double> all(member.size());  // of no special direction
  for (std::size_t i = 0; i < open.size(); ++i)
    for (std::size_t h = 0; h < all.size(); ++h)
      all[h] += (1 + std::sqrt(static_cast<double>(i + 2))) * open[i][h];
  if (open.size() > 1) directions.push_back(std::move(all));
  const double unit = largest(member) > 0 ? largest(member) : 1;
  for (const std::vector<double>& direction : directions) {
    const double length = largest(direction);
    if (!(length > 0)) continue;
    for (const double multiple : {0.37, -0.41, 1.9, -2.3, 17.0, -19.0, 1.3e3, -1.7e3, 1.1e6, -1.3e6}) {
      std::vector<double> moved = member;
      std::vector<double> one_by_one(here.size(), 0);
      for (std::size_t h = 0; h < member.size(); ++h) {
        const double by = multiple * unit / length * direction[h];
        moved[h] += by;
        if (by == 0) continue;
        std::vector<double> one = member;
        one[h] += by;
        const std::vector<double> alone = values(one);
        for (std::size_t i = 0; i < here.size(); ++i)
          if (std::isfinite(alone[i])) one_by_one[i] += std::abs(alone[i] - here[i]);
      }
      const std::vector<double> there = values(moved);
      for (std::size_t i = 0; i < here.size(); ++i) {
        const double size = std::max(std::abs(here[i]), std::abs(there[i]));
        const bool same = std::abs(there[i] - here[i]) <= nothing * one_by_one[i] + 64 * rounding * size;
        if (!same) result[i] = true;
      }
    }
  }
  return result;
}

ValuesOfFactors values_of_factors(Quantities& quantities, double t, const std::vector<double>& y,
                                  const Moment& moment) {
  return [&quantities, t, &y, &moment](std::span<const double> factors) {
    std::vector<double> result(quantities.size());
    quantities.evaluate(t, y.data(), moment.accelerations(), factors, result.data());
    return result;
  };
}

std::string open_in_words(const Evaluator& evaluator) {
  std::string list;
  for (const std::size_t h : describe_open(evaluator.open_factors()).factors)
    list += (list.empty() ? "lambda(" : ", lambda(") + evaluator.equations().names[h] + ")";
  return list;
}

}  // namespace liaison
