#pragma once

#include <flint/fmpz_mpoly.h>

#include <span>
#include <vector>

#include "budget.hpp"
#include "expr/raw.hpp"
#include "liaison/expr/rational.hpp"

namespace liaison {

/// The ring Z[g_0, ..., g_(n-1)], lexicographic order, with the limits of the call it serves.
class PolyRing {
 public:
  PolyRing(std::size_t variables, Budget budget);
  ~PolyRing();
  PolyRing(const PolyRing&) = delete;
  PolyRing& operator=(const PolyRing&) = delete;

  std::size_t variables() const { return variables_; }
  const Budget& budget() const { return budget_; }
  const fmpz_mpoly_ctx_struct* raw() const { return context_; }

 private:
  std::size_t variables_;
  Budget budget_;
  fmpz_mpoly_ctx_t context_;
};

using Exponents = std::vector<ulong>;

/// A polynomial of a ring; a value.
class Poly {
 public:
  explicit Poly(const PolyRing& ring);
  Poly(const PolyRing& ring, const Rational& integer);
  static Poly variable(const PolyRing& ring, std::size_t index, unsigned long exponent = 1);
  Poly(const Poly& other);
  Poly(Poly&& other) noexcept;
  Poly& operator=(Poly other) noexcept;
  ~Poly();

  const PolyRing& ring() const { return *ring_; }
  bool is_zero() const { return fmpz_mpoly_is_zero(value_, ring_->raw()); }
  bool is_one() const { return fmpz_mpoly_is_one(value_, ring_->raw()); }
  bool is_constant() const { return fmpz_mpoly_is_fmpz(value_, ring_->raw()); }
  std::size_t terms() const { return static_cast<std::size_t>(fmpz_mpoly_length(value_, ring_->raw())); }
  unsigned long degree(std::size_t variable) const;
  Rational coefficient(std::size_t term) const;
  void exponents(std::size_t term, Exponents& out) const;
  /// Adds a term; call `normalise` after the last one.
  void push_term(const Rational& integer, const Exponents& exponents);
  void normalise();
  /// gcd of the coefficients, with the sign of the leading one.
  Rational content() const;
  fmpz_mpoly_struct* raw() { return value_; }
  const fmpz_mpoly_struct* raw() const { return value_; }

  friend Poly operator+(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a);
  friend Poly operator*(const Poly& a, const Poly& b);
  friend bool operator==(const Poly& a, const Poly& b) {
    return fmpz_mpoly_equal(a.value_, b.value_, a.ring_->raw());
  }

 private:
  const PolyRing* ring_;
  fmpz_mpoly_t value_;
};

Poly scaled(const Poly& a, const Rational& integer);
Poly power(const Poly& a, unsigned long exponent);
Poly gcd(const Poly& a, const Poly& b);
/// a/b where b divides a.
Poly exact_quotient(const Poly& a, const Poly& b);
/// a divided by an integer that divides all its coefficients.
Poly exact_quotient(const Poly& a, const Rational& integer);
/// a = sum over m of parts[m] * v^(step*m), each part of degree < step in v.
std::vector<Poly> split_by_power(const Poly& a, std::size_t variable, unsigned long step);

struct PolyFactor {
  Poly base;
  unsigned long exponent;
};
struct PolyFactors {
  Rational constant;
  std::vector<PolyFactor> factors;  ///< irreducible over Q, positive leading coefficients
};
/// Throws LimitReached where it may take minutes.
PolyFactors factor(const Poly& a);
/// The same, but what cannot be factored soon stays as one factor, which may be reducible.
PolyFactors factor_if_small(const Poly& a);
PolyFactors factor_squarefree(const Poly& a);

}  // namespace liaison
