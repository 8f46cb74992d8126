#include "liaison/unilateral/complementarity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "dictionary.hpp"
#include "generators.hpp"
#include "liaison/expr/error.hpp"
#include "rounded_dictionary.hpp"

namespace liaison {

namespace {

/// A pair of the hypothesis: not yet chosen; lambda = 0; a = 0; a = 0 because no other is possible.
enum class Choice { open, no_factor, no_separation, settled };
using Choices = std::vector<Choice>;

class Enumeration {
 public:
  Enumeration(const Complementarity& problem, const EnumerationLimits& limits)
      : problem_(problem), count_(problem.drive.size()), limits_(limits), rounded_(problem) {
    for (const auto& row : problem.r) {
      std::vector<int>& signs = signs_.emplace_back();
      for (const Rational& entry : row) signs.push_back(entry.sign());
    }
  }

  /// First with rounded numbers, which prove where there is nothing, and exactly where they do not; alone
  /// exactly where they decide too little.
  void find() {
    Choices choices(count_, Choice::open);
    for (const std::size_t k : problem_.no_factor) choices[k] = Choice::no_factor;
    std::vector<std::size_t> both;
    for (const std::size_t k : problem_.no_separation) {
      if (choices[k] == Choice::no_factor) both.push_back(k);
      choices[k] = Choice::settled;
    }
    root_.emplace(problem_);
    if (!root_->is_feasible()) return;
    for (const std::size_t k : both) {
      if (!root_->fix(factor(k))) return;
    }
    if (rounded_.is_usable && both.empty() && count_ >= least_count_for_rounding) {
      explore_rounded(choices);
      if (wasted_ <= most_wasted) return;
      found_.clear();
    }
    descend_exactly(std::move(choices));
  }

  std::vector<ComplementarySet> result() && {
    drop_contained();
    std::sort(found_.begin(), found_.end(), [](const ComplementarySet& a, const ComplementarySet& b) {
      return std::tuple(a.kept.size(), a.kept) < std::tuple(b.kept.size(), b.kept);
    });
    return std::move(found_);
  }

 private:
  /// Below this the exact descent is as fast.
  static constexpr std::size_t least_count_for_rounding = 4;
  /// Hypotheses that were left to exact numbers and gave nothing: beyond this the problem is degenerate.
  static constexpr std::size_t most_wasted = 24;

  static std::size_t factor(std::size_t k) { return k; }
  std::size_t separation(std::size_t k) const { return count_ + k; }
  /// The variable that a choice holds at zero.
  std::size_t held(std::size_t k, Choice choice) const {
    return choice == Choice::no_factor ? factor(k) : separation(k);
  }

  void explore_rounded(Choices choices) {
    RoundedDictionary dictionary(rounded_);
    auto verdict = dictionary.find_point();
    for (std::size_t k = 0; k < count_ && verdict == RoundedDictionary::Verdict::possible; ++k) {
      if (choices[k] != Choice::open) verdict = dictionary.fix(held(k, choices[k]));
    }
    if (verdict == RoundedDictionary::Verdict::doubtful) wasted_ = most_wasted + 1;
    if (verdict == RoundedDictionary::Verdict::possible) explore(std::move(dictionary), std::move(choices));
  }

  void explore(RoundedDictionary dictionary, Choices choices) {
    count_node();
    const Choices before = choices;
    if (!see_from_signs(choices)) return;
    for (std::size_t k = 0; k < count_; ++k) {
      if (choices[k] == before[k]) continue;
      const auto verdict = dictionary.fix(held(k, choices[k]));
      if (verdict == RoundedDictionary::Verdict::impossible) return;
      if (verdict == RoundedDictionary::Verdict::doubtful) return leave_to_exact(std::move(choices));
    }
    const std::size_t k = next(dictionary, choices);
    if (k == count_) return leave_to_exact(std::move(choices));
    for (const Choice choice : {Choice::no_separation, Choice::no_factor}) {
      if (wasted_ > most_wasted) return;
      choices[k] = choice;
      RoundedDictionary other = dictionary;
      const auto verdict = other.fix(held(k, choice));
      if (verdict == RoundedDictionary::Verdict::possible) explore(std::move(other), choices);
      if (verdict == RoundedDictionary::Verdict::doubtful) leave_to_exact(choices);
    }
  }

  void leave_to_exact(Choices choices) {
    const std::size_t before = found_.size();
    descend_exactly(std::move(choices));
    if (found_.size() == before) ++wasted_;
  }

  void descend_exactly(Choices choices) {
    Dictionary dictionary = *root_;
    for (std::size_t k = 0; k < count_; ++k) {
      if (choices[k] != Choice::open && !dictionary.fix(held(k, choices[k]))) return;
    }
    for (std::size_t k = 0; k < count_; ++k) {
      if (choices[k] == Choice::no_separation && !dictionary.can_be_positive(factor(k))) return;
    }
    descend(std::move(dictionary), std::move(choices));
  }

  void descend(Dictionary dictionary, Choices choices) {
    count_node();
    if (!take_forced(dictionary, choices) || is_known(dictionary)) return;
    const std::size_t k = next(dictionary, choices);
    if (k == count_) {
      add(std::move(dictionary), choices);
      return;
    }
    // What has no factor here either is found below. Families that keep more come first.
    choices[k] = Choice::no_separation;
    if (Dictionary other = dictionary; other.fix(separation(k)) && other.can_be_positive(factor(k))) {
      descend(std::move(other), choices);
    }
    choices[k] = Choice::no_factor;
    if (dictionary.fix(factor(k))) descend(std::move(dictionary), std::move(choices));
  }

  /// All that is left here lies in a family that was found.
  bool is_known(const Dictionary& dictionary) const {
    return std::any_of(found_.begin(), found_.end(), [&](const ComplementarySet& set) {
      if (set.is_point()) return false;
      std::vector<bool> kept(count_);
      for (const std::size_t k : set.kept) kept[k] = true;
      for (std::size_t k = 0; k < count_; ++k) {
        if (!dictionary.is_certainly_zero(kept[k] ? separation(k) : factor(k))) return false;
      }
      return true;
    });
  }

  /// A relation a_k = drive_k + sum r[h][k] lambda_h without a positive term: its terms vanish, and a_k.
  /// False: nothing is left, or it is found elsewhere.
  bool see_from_signs(Choices& choices) const {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = 0; k < count_; ++k) {
        if (choices[k] == Choice::settled || problem_.drive[k].sign() > 0) continue;
        bool positive = false;
        for (std::size_t h = 0; h < count_ && !positive; ++h)
          positive = signs_[h][k] > 0 && choices[h] != Choice::no_factor;
        if (positive) continue;
        if (problem_.drive[k].sign() < 0) return false;
        for (std::size_t h = 0; h < count_; ++h) {
          if (signs_[h][k] == 0 || choices[h] == Choice::no_factor) continue;
          if (choices[h] != Choice::open) {
            if (choices[h] == Choice::no_separation) return false;  // without a factor: found there
            continue;
          }
          choices[h] = Choice::no_factor;
          again = true;
        }
        if (choices[k] == Choice::open) {
          choices[k] = Choice::settled;
          again = true;
        }
      }
    }
    return true;
  }

  void count_node() {
    if (limits_.stop.stop_requested())
      throw Error(ErrorCode::limit_reached, "the enumeration was interrupted");
    if (++nodes_ > limits_.nodes) {
      throw Error(ErrorCode::limit_reached,
                  fmt::format("more than {} hypotheses about {} constraints had to be followed",
                              limits_.nodes, count_));
    }
  }

  /// Where one of a pair is positive everywhere the other is zero; what is zero everywhere needs no choice.
  /// False: nothing is left.
  bool take_forced(Dictionary& dictionary, Choices& choices) const {
    for (bool again = true; again;) {
      again = false;
      const Choices before = choices;
      if (!see_from_signs(choices)) return false;
      for (std::size_t k = 0; k < count_; ++k) {
        if (choices[k] != before[k] && !dictionary.fix(held(k, choices[k]))) return false;
      }
      for (std::size_t k = 0; k < count_; ++k) {
        if (choices[k] != Choice::open) continue;
        const bool kept = dictionary.is_certainly_positive(factor(k));
        const bool opens = dictionary.is_certainly_positive(separation(k));
        if (!kept && !opens) {
          if (dictionary.is_certainly_zero(separation(k))) {
            choices[k] = Choice::settled;
          } else if (dictionary.is_certainly_zero(factor(k))) {
            choices[k] = Choice::no_factor;
          } else {
            continue;
          }
          if (!dictionary.fix(held(k, choices[k]))) return false;
          again = true;
          continue;
        }
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
  std::size_t next(const Dictionary& dictionary, const Choices& choices) const {
    std::size_t first = count_;
    for (std::size_t k = 0; k < count_; ++k) {
      if (choices[k] != Choice::open) continue;
      if (dictionary.is_positive(factor(k)) && dictionary.is_positive(separation(k))) return k;
      if (first == count_) first = k;
    }
    return first;
  }

  /// One that seems forced, else the one that is farthest from complementary.
  std::size_t next(const RoundedDictionary& dictionary, const Choices& choices) const {
    std::size_t best = count_;
    double farthest = -1;
    for (std::size_t k = 0; k < count_; ++k) {
      if (choices[k] != Choice::open) continue;
      if (dictionary.seems_positive_everywhere(factor(k)) ||
          dictionary.seems_positive_everywhere(separation(k)))
        return k;
      const double least = std::min(dictionary.value(factor(k)), dictionary.value(separation(k)));
      if (least > farthest) {
        farthest = least;
        best = k;
      }
    }
    return best;
  }

  void add(Dictionary dictionary, const Choices& choices) {
    ComplementarySet set;
    for (std::size_t k = 0; k < count_; ++k) {
      if (choices[k] == Choice::no_factor) continue;
      if (dictionary.can_be_positive(factor(k))) {
        set.kept.push_back(k);
      } else if (choices[k] == Choice::no_separation) {
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

  const Complementarity& problem_;
  std::size_t count_;
  const EnumerationLimits& limits_;
  RoundedProblem rounded_;
  std::vector<std::vector<int>> signs_;  ///< of r[h][k]
  std::optional<Dictionary> root_;
  std::size_t nodes_ = 0, wasted_ = 0;
  std::vector<ComplementarySet> found_;
};

}  // namespace

Rational sum_beside_noise(const Rational& a, const Rational& b, const Rational& noise) {
  Rational sum = a + b;
  if (noise.is_zero() || sum.is_zero()) return sum;
  return abs(sum) <= noise * (abs(a) + abs(b)) ? Rational(0) : sum;
}

SumBesideNoise::SumBesideNoise(const Rational& noise, Rational first)
    : noise_(noise), sum_(std::move(first)), size_(abs(sum_)) {}

void SumBesideNoise::add(const Rational& term) {
  if (term.is_zero()) return;
  sum_ += term;
  size_ += abs(term);
}

Rational SumBesideNoise::value() const {
  return !noise_.is_zero() && abs(sum_) <= noise_ * size_ ? Rational(0) : sum_;
}

std::vector<ComplementarySet> all_solutions(const Complementarity& problem, const EnumerationLimits& limits) {
  Enumeration enumeration(problem, limits);
  enumeration.find();
  return std::move(enumeration).result();
}

}  // namespace liaison
