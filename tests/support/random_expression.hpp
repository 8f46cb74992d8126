#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"

/// Random expressions for laws. A test runs over `seeds(n)` and names the seed of a failure:
///
///   for (std::uint64_t seed : test::seeds(200)) {
///     SCOPED_TRACE(test::seed_note(seed));
///     test::RandomExpressions random(seed);
///     ...
///   }
namespace liaison::test {

/// `count` seeds from LIAISON_SEED on, or from a fixed one if it is not set.
std::vector<std::uint64_t> seeds(std::size_t count);
/// "seed 17: run again with LIAISON_SEED=17".
std::string seed_note(std::uint64_t seed);

/// Analytic on all reals, and tame: sin, cos, atan, tanh.
std::vector<Op> tame_functions();
/// Every row of the operator table.
std::vector<Op> all_functions();

struct RandomOptions {
  std::vector<Op> functions = tame_functions();
  std::vector<SymbolInfo> symbols = {
      {"x", SymbolKind::parameter}, {"y", SymbolKind::parameter}, {"z", SymbolKind::parameter}};
  std::vector<FunctionInfo> unknown_functions = {};  ///< f(x), never in `value_of`
  unsigned depth = 4;                                ///< nesting of operations at most
  unsigned max_args = 3;                             ///< of sums and products
  long max_number = 6;                               ///< size of numerators
  long max_denominator = 4;                          ///< 1: integers only
  long max_power = 3;                                ///< integer exponents up to this; 1: no powers
  bool negative_powers = true;                       ///< quotients too
  bool fractional_powers = false;                    ///< square and cube roots too; many have no real value
};

/// An expression as it was written, before a pool has seen it.
struct Tree {
  Op op = Op::number;
  Rational number = {};         ///< of a number; the exponent of a power
  std::size_t choice = 0;       ///< which symbol or unknown function
  std::vector<Tree> args = {};  ///< a power has one
};

class RandomExpressions {
 public:
  explicit RandomExpressions(std::uint64_t seed, RandomOptions options = {});

  /// A number in [0, n).
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  Rational number();
  Tree tree() { return tree(options_.depth); }
  Tree tree(unsigned depth);
  /// Through the build functions, arguments from the first to the last, or from the last to the first. Throws
  /// what they throw: some trees divide by zero.
  Expr build(Pool& pool, const Tree& tree) const;
  Expr build_backwards(Pool& pool, const Tree& tree) const;
  /// A random tree that the pool accepts.
  Expr expression(Pool& pool);
  std::vector<Expr> expressions(Pool& pool, std::size_t count);
  std::vector<Expr> symbols(Pool& pool) const;
  /// A rational of size at most 2 for each symbol, positive where the symbol is.
  std::vector<Rational> values();
  RationalPoint point(Pool& pool);
  RationalPoint point(Pool& pool, std::span<const Rational> values) const;
  /// The value by one ball operation for each operation written; nothing if it is not certain to have one.
  std::optional<Ball> value_of(const Tree& tree, std::span<const Rational> values, long bits = 256) const;

  const RandomOptions& options() const { return options_; }
  std::mt19937_64& engine() { return engine_; }

 private:
  enum class Direction { forwards, backwards };
  Tree leaf();
  Tree power(unsigned depth);
  Expr build(Pool& pool, const Tree& tree, Direction direction) const;

  std::mt19937_64 engine_;
  RandomOptions options_;
};

}  // namespace liaison::test
