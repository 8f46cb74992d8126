#include "liaison/unilateral/complementarity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "dictionary.hpp"
#include "generators.hpp"
#include "liaison/expr/error.hpp"

namespace liaison {

namespace {

class Enumeration {
 public:
  Enumeration(std::size_t count, const std::vector<std::size_t>& asked, const EnumerationLimits& limits)
      : count_(count), limits_(limits), is_asked_(count) {
    for (const std::size_t k : asked) is_asked_[k] = true;
  }

  enum class Choice { open, no_factor, no_separation };

  void descend(Dictionary dictionary, std::vector<Choice> choices) {
    count_node();
    if (!take_forced(dictionary, choices)) return;
    const std::size_t k = next(dictionary, choices);
    if (k == count_) {
      add(std::move(dictionary), choices);
      return;
    }
    choices[k] = Choice::no_factor;
    if (Dictionary other = dictionary; other.fix(factor(k))) descend(std::move(other), choices);
    // What has no factor here either was found above.
    choices[k] = Choice::no_separation;
    if (dictionary.fix(separation(k)) && dictionary.can_be_positive(factor(k))) {
      descend(std::move(dictionary), std::move(choices));
    }
  }

  std::vector<ComplementarySet> result() && {
    drop_contained();
    std::sort(found_.begin(), found_.end(), [](const ComplementarySet& a, const ComplementarySet& b) {
      return std::tuple(a.kept.size(), a.kept) < std::tuple(b.kept.size(), b.kept);
    });
    return std::move(found_);
  }

 private:
  static std::size_t factor(std::size_t k) { return k; }
  std::size_t separation(std::size_t k) const { return count_ + k; }

  void count_node() {
    if (limits_.stop.stop_requested())
      throw Error(ErrorCode::limit_reached, "the enumeration was interrupted");
    if (++nodes_ > limits_.nodes) {
      throw Error(ErrorCode::limit_reached,
                  fmt::format("more than {} hypotheses about {} constraints had to be followed",
                              limits_.nodes, count_));
    }
  }

  /// Where one of a pair is positive everywhere the other is zero. False: nothing is left.
  bool take_forced(Dictionary& dictionary, std::vector<Choice>& choices) const {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = 0; k < count_; ++k) {
        if (choices[k] != Choice::open) continue;
        const bool kept = dictionary.is_certainly_positive(factor(k));
        const bool opens = dictionary.is_certainly_positive(separation(k));
        if (!kept && !opens) continue;
        if (kept && opens) return false;
        choices[k] = kept ? Choice::no_separation : Choice::no_factor;
        if (!dictionary.fix(kept ? separation(k) : factor(k))) return false;
        again = true;
      }
    }
    return true;
  }

  /// The pair to be decided next: one that is not complementary at the present point, else the first;
  /// `count_`: all are.
  std::size_t next(const Dictionary& dictionary, const std::vector<Choice>& choices) const {
    std::size_t first = count_;
    for (std::size_t k = 0; k < count_; ++k) {
      if (choices[k] != Choice::open) continue;
      if (dictionary.is_positive(factor(k)) && dictionary.is_positive(separation(k))) return k;
      if (first == count_) first = k;
    }
    return first;
  }

  void add(Dictionary dictionary, const std::vector<Choice>& choices) {
    ComplementarySet set;
    for (std::size_t k = 0; k < count_; ++k) {
      if (choices[k] != Choice::no_separation) continue;
      if (dictionary.can_be_positive(factor(k))) {
        set.kept.push_back(k);
      } else if (!is_asked_[k]) {
        return;  // the set without k in it is found on its own
      }
    }
    std::vector<Dictionary::Row> rows;
    for (std::size_t variable = 0; variable < 2 * count_; ++variable)
      rows.push_back(dictionary.row(variable));
    for (const auto& generator : generators(dictionary.dimension(), rows, limits_.generators)) {
      const bool is_vertex = !generator[0].is_zero();
      ComplementaryPoint point;
      for (std::size_t variable = 0; variable < rows.size(); ++variable) {
        Rational value = rows[variable].constant * generator[0];
        for (std::size_t j = 0; j < dictionary.dimension(); ++j) {
          value += rows[variable].coefficients[j] * generator[j + 1];
        }
        (variable < count_ ? point.factors : point.separations).push_back(std::move(value));
      }
      (is_vertex ? set.vertices : set.rays).push_back(std::move(point));
    }
    const auto by_factors = [](const ComplementaryPoint& a, const ComplementaryPoint& b) {
      return a.factors < b.factors;
    };
    std::sort(set.vertices.begin(), set.vertices.end(), by_factors);
    std::sort(set.rays.begin(), set.rays.end(), by_factors);
    for (std::size_t k = 0; k < count_; ++k) {
      const auto vanishes = [k](const ComplementaryPoint& point) {
        return point.factors[k].is_zero() && point.separations[k].is_zero();
      };
      if (std::all_of(set.vertices.begin(), set.vertices.end(), vanishes) &&
          std::all_of(set.rays.begin(), set.rays.end(), vanishes)) {
        set.undecided.push_back(k);
      }
    }
    found_.push_back(std::move(set));
  }

  /// Every point of `inner` keeps the separations of `outer` at zero: it is a face of it.
  static bool is_contained(const ComplementarySet& inner, const ComplementarySet& outer) {
    if (!std::includes(outer.kept.begin(), outer.kept.end(), inner.kept.begin(), inner.kept.end()))
      return false;
    const auto lies_in = [&](const ComplementaryPoint& point) {
      return std::all_of(outer.kept.begin(), outer.kept.end(),
                         [&](std::size_t k) { return point.separations[k].is_zero(); });
    };
    return std::all_of(inner.vertices.begin(), inner.vertices.end(), lies_in) &&
           std::all_of(inner.rays.begin(), inner.rays.end(), lies_in);
  }

  void drop_contained() {
    std::vector<const ComplementarySet*> families;
    for (const ComplementarySet& set : found_) {
      if (!set.is_point()) families.push_back(&set);
    }
    if (families.empty()) return;
    std::vector<bool> dropped;
    for (const ComplementarySet& set : found_) {
      dropped.push_back(std::any_of(families.begin(), families.end(), [&](const ComplementarySet* family) {
        return family != &set && is_contained(set, *family);
      }));
    }
    std::vector<ComplementarySet> left;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!dropped[i]) left.push_back(std::move(found_[i]));
    }
    found_ = std::move(left);
  }

  std::size_t count_;
  const EnumerationLimits& limits_;
  std::vector<bool> is_asked_;  ///< its separation is zero because it was asked for
  std::size_t nodes_ = 0;
  std::vector<ComplementarySet> found_;
};

}  // namespace

Rational sum_beside_noise(const Rational& a, const Rational& b, const Rational& noise) {
  Rational sum = a + b;
  if (noise.is_zero() || sum.is_zero()) return sum;
  return abs(sum) <= noise * (abs(a) + abs(b)) ? Rational(0) : sum;
}

std::vector<ComplementarySet> all_solutions(const Complementarity& problem, const EnumerationLimits& limits) {
  const std::size_t count = problem.drive.size();
  Enumeration enumeration(count, problem.no_separation, limits);
  Dictionary dictionary(problem);
  bool feasible = dictionary.is_feasible();
  std::vector choices(count, Enumeration::Choice::open);
  for (const std::size_t k : problem.no_factor) {
    choices[k] = Enumeration::Choice::no_factor;
    feasible = feasible && dictionary.fix(k);
  }
  for (const std::size_t k : problem.no_separation) {
    choices[k] = Enumeration::Choice::no_separation;
    feasible = feasible && dictionary.fix(count + k);
  }
  if (feasible) enumeration.descend(std::move(dictionary), std::move(choices));
  return std::move(enumeration).result();
}

}  // namespace liaison
