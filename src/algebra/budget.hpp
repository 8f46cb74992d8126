#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "expr/work.hpp"

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

/// The operations of one call, counted by all rings that serve it.
struct OperationCount {
  std::uint64_t limit = 0;
  std::uint64_t spent = 0;  ///< by exact work
  std::uint64_t at_points = 0;
  std::uint64_t began = work_done();
  const std::atomic<bool>* interrupt = nullptr;
  bool has_ended = false;  ///< the work was cut short: what came out depends on what was left
  bool was_cut = false;    ///< a part of it was, by a limit of its own

  /// What was charged, or what expressions have cost meanwhile where that is more.
  std::uint64_t gone() const { return std::max(spent + at_points, work_done() - began); }
};

/// The limits of one call. An operation is about one product of two terms with coefficients of one word (some
/// 30 ns); the cost of a library call is estimated and charged before it. No clock decides anything: the same
/// input ends at the same place on every machine.
class Budget {
 public:
  Budget(std::size_t max_terms, std::uint64_t max_operations, std::shared_ptr<OperationCount> count)
      : max_terms_(max_terms), max_operations_(max_operations), count_(std::move(count)) {}

  bool is_exhausted() const { return count_->has_ended || is_interrupted(); }
  bool was_cut() const { return count_->was_cut; }
  const std::shared_ptr<OperationCount>& count() const { return count_; }

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

  /// Before the work. What no call could afford is refused on its own; what this one can no longer afford
  /// ends it.
  void charge(std::uint64_t operations) const {
    if (operations > max_operations_) {
      throw LimitReached{"one step would take more than " + std::to_string(max_operations_) + " operations"};
    }
    if (is_interrupted()) end("interrupted");
    const std::uint64_t gone = count_->gone();
    if (count_->has_ended || gone > count_->limit || operations > count_->limit - gone) {
      end("the limit of " + std::to_string(count_->limit) + " operations was reached");
    }
    count_->spent += operations;
  }

  void check_terms(std::size_t terms) const {
    if (terms > max_terms_)
      throw LimitReached{"a polynomial has more than " + std::to_string(max_terms_) + " terms"};
    charge(terms);
  }
  /// A product of that many pairs of terms: some slack, because like terms are collected.
  void check_product(std::size_t left_terms, std::size_t right_terms) const {
    if (left_terms != 0 && right_terms > slack * max_terms_ / left_terms) {
      throw LimitReached{"a product of polynomials of " + std::to_string(left_terms) + " and " +
                         std::to_string(right_terms) + " terms is beyond the limit"};
    }
  }
  /// (sum of `terms`)^exponent has about binomial(exponent + terms - 1, terms - 1) terms; returned.
  double check_power(std::size_t terms, unsigned long exponent) const {
    double count = 1;
    for (std::size_t k = 1; k < terms; ++k) {
      count *= static_cast<double>(exponent + k) / static_cast<double>(k);
      check_power_size(count, terms, exponent);
    }
    return count;
  }
  /// Words that the result of a power takes.
  void check_power_size(double words, std::size_t terms, unsigned long exponent) const {
    if (words <= static_cast<double>(slack * max_terms_)) return;
    throw LimitReached{"the power " + std::to_string(exponent) + " of a sum of " + std::to_string(terms) +
                       " terms is beyond the limit"};
  }

 private:
  static constexpr std::size_t max_variables = 2'000;
  static constexpr std::size_t slack = 16;

  bool is_interrupted() const {
    return count_->interrupt != nullptr && count_->interrupt->load(std::memory_order_relaxed);
  }
  [[noreturn]] void end(std::string reason) const {
    count_->has_ended = true;
    throw LimitReached{std::move(reason)};
  }

  std::size_t max_terms_;
  std::uint64_t max_operations_;
  std::shared_ptr<OperationCount> count_;
};

}  // namespace liaison
