#pragma once

#include <flint/fmpq.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace liaison {

/// An exact rational number of any size, always in lowest terms with a positive denominator.
class Rational {
 public:
  Rational() { fmpq_init(value_); }
  Rational(long numerator) : Rational() { fmpq_set_si(value_, numerator, 1); }
  Rational(int numerator) : Rational(static_cast<long>(numerator)) {}
  /// Throws division_by_zero if the denominator is 0.
  Rational(long numerator, long denominator);
  Rational(const Rational& other) : Rational() { fmpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { fmpq_swap(value_, other.value_); }
  Rational& operator=(const Rational& other) {
    fmpq_set(value_, other.value_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    fmpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { fmpq_clear(value_); }

  /// Reads "3", "-3/4", "9.81", "1.5e-3"; nothing if the text is not such a number.
  static std::optional<Rational> parse(std::string_view text);
  static Rational from_fmpz(const fmpz_t value);
  static Rational from_fmpq(const fmpq_t value);
  /// The exact value of a finite double.
  static Rational from_double(double value);

  bool is_zero() const { return fmpq_is_zero(value_); }
  bool is_one() const { return fmpq_is_one(value_); }
  bool is_integer() const { return fmpz_is_one(fmpq_denref(value_)); }
  bool is_even_integer() const { return is_integer() && fmpz_is_even(fmpq_numref(value_)); }
  int sign() const { return fmpq_sgn(value_); }
  /// Nothing if it is not an integer that fits.
  std::optional<long> to_long() const;
  double to_double() const;
  Rational numerator() const;
  Rational denominator() const;
  /// Bits of the larger of numerator and denominator.
  std::uint64_t bits() const;
  /// "3", "-3/4".
  std::string to_string() const;
  std::uint64_t hash() const;
  const fmpq* raw() const { return value_; }
  fmpq* raw() { return value_; }

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  /// Throws division_by_zero if b is 0.
  friend Rational operator/(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a);
  Rational& operator+=(const Rational& b) { return *this = *this + b; }
  Rational& operator*=(const Rational& b) { return *this = *this * b; }
  friend bool operator==(const Rational& a, const Rational& b) { return fmpq_equal(a.value_, b.value_); }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return fmpq_cmp(a.value_, b.value_) <=> 0;
  }

 private:
  fmpq_t value_;
};

Rational abs(const Rational& a);
Rational floor(const Rational& a);
/// a^n for an integer n; throws division_by_zero for 0^-n.
Rational power(const Rational& a, long n);

}  // namespace liaison
