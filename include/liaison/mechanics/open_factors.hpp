#ifndef LIAISON_MECHANICS_OPEN_FACTORS_HPP
#define LIAISON_MECHANICS_OPEN_FACTORS_HPP

#include <span>
#include <string>
#include <vector>

namespace liaison {

/// What is open among the factors at a state where relations repeat each other, and what is determined all
/// the same.
struct OpenFactors {
  std::vector<std::size_t> factors;             ///< that are not determined
  std::vector<std::vector<double>> determined;  ///< combinations of them that are
};
/// By the directions in which factors may be changed; each direction has an entry a factor.
OpenFactors describe_open(const std::vector<std::vector<double>>& directions);

/// Adds the directions that those known do not span: what is determined all along a motion has no part in
/// any.
void add_open_directions(const std::vector<std::vector<double>>& more,
                         std::vector<std::vector<double>>& known);

/// "lambda(one) + 2*lambda(two)"
std::string combination_of_factors(std::span<const double> weights, std::span<const std::string> names);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_OPEN_FACTORS_HPP
