#include "generators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/error.hpp"

namespace liaison {

namespace {

using Vector = std::vector<Rational>;

/// A ray of the cone, and which inequalities it meets with equality.
struct Ray {
  Vector direction;
  std::vector<bool> tight;
};

Rational value(const Dictionary::Row& row, const Vector& direction) {
  Rational sum = row.constant * direction[0];
  for (std::size_t j = 0; j < row.coefficients.size(); ++j) {
    if (!row.coefficients[j].is_zero() && !direction[j + 1].is_zero()) {
      sum += row.coefficients[j] * direction[j + 1];
    }
  }
  return sum;
}

/// Two rays span a face of dimension two if no third is tight wherever both are.
bool are_adjacent(const std::vector<Ray>& rays, std::size_t a, std::size_t b) {
  for (std::size_t c = 0; c < rays.size(); ++c) {
    if (c == a || c == b) continue;
    bool contains = true;
    for (std::size_t i = 0; contains && i < rays[a].tight.size(); ++i) {
      contains = !(rays[a].tight[i] && rays[b].tight[i]) || rays[c].tight[i];
    }
    if (contains) return false;
  }
  return true;
}

/// Of the same length: the first entry that is not zero becomes 1 (s for a vertex).
void normalise(Vector& direction) {
  const auto first =
      std::find_if(direction.begin(), direction.end(), [](const Rational& x) { return !x.is_zero(); });
  if (first == direction.end()) return;
  const Rational scale = Rational(1) / abs(*first);
  for (Rational& entry : direction) entry *= scale;
}

}  // namespace

std::vector<Vector> generators(std::size_t dimension, const std::vector<Dictionary::Row>& rows,
                               std::size_t limit) {
  std::vector<Ray> rays;
  for (std::size_t i = 0; i <= dimension; ++i) {
    Ray ray{Vector(dimension + 1), std::vector<bool>(dimension + 1, true)};
    ray.direction[i] = Rational(1);
    ray.tight[i] = false;
    rays.push_back(std::move(ray));
  }
  for (const Dictionary::Row& row : rows) {
    std::vector<Rational> values;
    for (const Ray& ray : rays) values.push_back(value(row, ray.direction));
    std::vector<Ray> next;
    for (std::size_t a = 0; a < rays.size(); ++a) {
      for (std::size_t b = 0; b < rays.size(); ++b) {
        if (values[a].sign() <= 0 || values[b].sign() >= 0 || !are_adjacent(rays, a, b)) continue;
        Ray ray{Vector(dimension + 1), {}};
        for (std::size_t j = 0; j <= dimension; ++j) {
          ray.direction[j] = values[a] * rays[b].direction[j] - values[b] * rays[a].direction[j];
        }
        normalise(ray.direction);
        for (std::size_t i = 0; i < rays[a].tight.size(); ++i) {
          ray.tight.push_back(rays[a].tight[i] && rays[b].tight[i]);
        }
        ray.tight.push_back(true);
        next.push_back(std::move(ray));
      }
    }
    for (std::size_t a = 0; a < rays.size(); ++a) {
      if (values[a].sign() < 0) continue;
      rays[a].tight.push_back(values[a].is_zero());
      next.push_back(std::move(rays[a]));
    }
    rays = std::move(next);
    if (rays.size() > limit) {
      throw Error(ErrorCode::limit_reached,
                  fmt::format("a family of motions has more than {} vertices and rays", limit));
    }
  }
  std::vector<Vector> result;
  for (Ray& ray : rays) {
    normalise(ray.direction);
    result.push_back(std::move(ray.direction));
  }
  return result;
}

}  // namespace liaison
