#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "support/random_expression.hpp"

/// The laws of verdicts as functions of how they are made, so that a broken decision can be put in the place
/// of the true one and be caught.
namespace liaison::test {

struct VerdictOperations {
  std::function<Verdict(Algebra&, Expr, Expr, const Region&)> are_equal =
      [](Algebra& algebra, Expr a, Expr b, const Region& region) { return algebra.are_equal(a, b, region); };
  std::function<Verdict(Verdict)> negation = [](Verdict verdict) {
    return liaison::negation(std::move(verdict));
  };
  std::function<Verdict(Verdict, Verdict)> conjunction = [](Verdict a, Verdict b) {
    return liaison::conjunction(std::move(a), std::move(b));
  };
};

/// left == right on a region: true by construction, false on one component, or open.
struct Statement {
  Expr left, right;
  Region region;
};

/// Where a law is tried: a fresh pool and random statements of one seed.
class VerdictTrial {
 public:
  explicit VerdictTrial(std::uint64_t seed);

  Statement statement();
  /// One of each grade that a decision can have, with a condition of its own.
  Verdict verdict();
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  Pool& pool() { return pool_; }
  Algebra& algebra() { return algebra_; }

 private:
  Expr equation();
  Expr quantity();
  Rational number() { return Rational(static_cast<long>(below(9)) - 4); }

  Pool pool_;
  Algebra algebra_;
  RandomExpressions random_;
  Expr x_, y_, z_, l_;
};

struct VerdictLaw {
  std::string name;
  bool (*holds)(const VerdictOperations& op, VerdictTrial& trial);
  std::size_t seeds;  ///< how many are tried
};
inline void PrintTo(const VerdictLaw& shown, std::ostream* out) {
  *out << shown.name;
}
const std::vector<VerdictLaw>& verdict_laws();
const VerdictLaw& verdict_law_named(const std::string& name);

/// The note of the first seed for which the law fails; empty if it holds.
std::string find_failure(const VerdictLaw& law, const VerdictOperations& op);

}  // namespace liaison::test
