#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace liaison {

/// Thrown inside the layer when exact work outgrows its limits; callers turn it into an outcome.
struct LimitReached {
  std::string reason;
};

/// Thrown inside the layer where the canonical form is not defined: a root of order 3 in a denominator,
/// dependent roots.
struct NotCanonical {
  std::string reason;
};

/// The limits of one call.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  Budget(std::size_t max_terms, Clock::time_point deadline) : max_terms_(max_terms), deadline_(deadline) {}

  bool is_out_of_time() const { return Clock::now() > deadline_; }

  /// The same limits for polynomials in that many variables: beyond 64 a term takes more room, so fewer are
  /// allowed.
  Budget for_variables(std::size_t variables) const {
    if (variables > max_variables) {
      throw LimitReached{"an expression has more than " + std::to_string(max_variables) + " generators"};
    }
    Budget result = *this;
    if (variables > 64) result.max_terms_ = max_terms_ * 64 / variables;
    return result;
  }

  void check_terms(std::size_t terms) const {
    if (terms > max_terms_)
      throw LimitReached{"a polynomial has more than " + std::to_string(max_terms_) + " terms"};
    if (is_out_of_time()) throw LimitReached{"the time limit was reached"};
  }
  /// A product of that many pairs of terms: some slack, because like terms are collected.
  void check_product(std::size_t left_terms, std::size_t right_terms) const {
    constexpr std::size_t slack = 16;
    if (left_terms != 0 && right_terms > slack * max_terms_ / left_terms) {
      throw LimitReached{"a product of polynomials of " + std::to_string(left_terms) + " and " +
                         std::to_string(right_terms) + " terms is beyond the limit"};
    }
  }
  /// (sum of `terms`)^exponent has about binomial(exponent + terms - 1, terms - 1) terms.
  void check_power(std::size_t terms, unsigned long exponent) const {
    double count = 1;
    for (std::size_t k = 1; k < terms; ++k) {
      count *= static_cast<double>(exponent + k) / static_cast<double>(k);
      if (count > 16.0 * static_cast<double>(max_terms_)) {
        throw LimitReached{"the power " + std::to_string(exponent) + " of a sum of " + std::to_string(terms) +
                           " terms is beyond the limit"};
      }
    }
  }

 private:
  static constexpr std::size_t max_variables = 2'000;
  std::size_t max_terms_;
  Clock::time_point deadline_;
};

}  // namespace liaison
