#ifndef LIAISON_EXPR_RATIONAL_HPP
#define LIAISON_EXPR_RATIONAL_HPP

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace liaison {

/// An exact rational number of any size, always in lowest terms with a positive denominator.
class Rational {
 public:
  Rational();
  Rational(long numerator);
  Rational(int numerator) : Rational(static_cast<long>(numerator)) {}
  /// Throws division_by_zero if the denominator is 0.
  Rational(long numerator, long denominator);
  Rational(const Rational& other);
  Rational(Rational&& other) noexcept;
  Rational& operator=(const Rational& other);
  Rational& operator=(Rational&& other) noexcept;
  ~Rational();

  /// Reads "3", "-3/4", "9.81", "1.5e-3"; nothing if the text is not such a number.
  static std::optional<Rational> parse(std::string_view text);
  /// The exact value of a finite double.
  static Rational from_double(double value);

  bool is_zero() const;
  bool is_one() const;
  bool is_integer() const;
  bool is_even_integer() const;
  int sign() const;
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
  /// What is inside, for sources of the library that include its definition.
  auto raw() const;
  auto raw();

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  /// Throws division_by_zero if b is 0.
  friend Rational operator/(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a);
  Rational& operator+=(const Rational& b) { return *this = *this + b; }
  Rational& operator*=(const Rational& b) { return *this = *this * b; }
  friend bool operator==(const Rational& a, const Rational& b);
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  alignas(long) std::byte room_[2 * sizeof(long)];  ///< a fraction of FLINT
};

Rational abs(const Rational& a);
Rational floor(const Rational& a);
/// a^n for an integer n; throws division_by_zero for 0^-n.
Rational power(const Rational& a, long n);

}  // namespace liaison

#endif  // LIAISON_EXPR_RATIONAL_HPP
