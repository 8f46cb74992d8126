#include "liaison/expr/rational.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "liaison/expr/error.hpp"
#include "raw.hpp"

namespace liaison {

namespace {

[[noreturn]] void throw_division_by_zero() {
  throw Error(ErrorCode::division_by_zero, "division by zero", "the denominator is the number 0");
}

struct Integer {
  Integer() { fmpz_init(value); }
  ~Integer() { fmpz_clear(value); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  fmpz_t value;
};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The exponent after e or E; nothing if malformed or absurd (beyond a million).
std::optional<long> parse_exponent(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (!all_digits(text) || text.size() > 7) return std::nullopt;
  long value = std::stol(std::string(text));
  return negative ? -value : value;
}

void set_digits(fmpz_t out, std::string_view digits) {
  fmpz_set_str(out, std::string(digits).c_str(), 10);
}

std::uint64_t hash_fmpz(const fmpz_t value) {
  if (!COEFF_IS_MPZ(*value)) return static_cast<std::uint64_t>(*value) * 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = fmpz_sgn(value) < 0 ? 0x51ed270b0a1d2f3bULL : 0x2545f4914f6cdd1dULL;
  const auto limbs = fmpz_size(value);
  const mp_limb_t* data = COEFF_TO_PTR(*value)->_mp_d;
  for (mp_size_t i = 0; i < static_cast<mp_size_t>(limbs); ++i)
    hash = (hash ^ data[i]) * 0x9e3779b97f4a7c15ULL;
  return hash;
}

}  // namespace

Rational::Rational() {
  fmpq_init(raw());
}
Rational::Rational(long numerator) : Rational() {
  fmpq_set_si(raw(), numerator, 1);
}
Rational::Rational(const Rational& other) : Rational() {
  fmpq_set(raw(), other.raw());
}
Rational::Rational(Rational&& other) noexcept : Rational() {
  fmpq_swap(raw(), other.raw());
}
Rational& Rational::operator=(const Rational& other) {
  fmpq_set(raw(), other.raw());
  return *this;
}
Rational& Rational::operator=(Rational&& other) noexcept {
  fmpq_swap(raw(), other.raw());
  return *this;
}
Rational::~Rational() {
  fmpq_clear(raw());
}

Rational::Rational(long numerator, long denominator) : Rational() {
  if (denominator == 0) throw_division_by_zero();
  Integer p, q;
  fmpz_set_si(p.value, numerator);
  fmpz_set_si(q.value, denominator);
  fmpq_set_fmpz_frac(raw(), p.value, q.value);
}

std::optional<Rational> Rational::parse(std::string_view text) {
  bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  Rational result;
  if (auto slash = text.find('/'); slash != std::string_view::npos) {
    auto top = text.substr(0, slash), bottom = text.substr(slash + 1);
    if (!all_digits(top) || !all_digits(bottom)) return std::nullopt;
    set_digits(fmpq_numref(result.raw()), top);
    set_digits(fmpq_denref(result.raw()), bottom);
    if (fmpz_is_zero(fmpq_denref(result.raw()))) throw_division_by_zero();
    fmpq_canonicalise(result.raw());
    return negative ? -result : result;
  }
  long exponent = 0;
  if (auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    auto parsed = parse_exponent(text.substr(e + 1));
    if (!parsed) return std::nullopt;
    exponent = *parsed;
    text = text.substr(0, e);
  }
  std::string digits(text);
  if (auto dot = digits.find('.'); dot != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - dot - 1);
    digits.erase(dot, 1);
  }
  if (!all_digits(digits)) return std::nullopt;
  set_digits(fmpq_numref(result.raw()), digits);
  Integer scale;
  fmpz_set_ui(scale.value, 10);
  fmpz_pow_ui(scale.value, scale.value, static_cast<ulong>(std::abs(exponent)));
  if (exponent < 0) {
    fmpz_set(fmpq_denref(result.raw()), scale.value);
    fmpq_canonicalise(result.raw());
  } else {
    fmpz_mul(fmpq_numref(result.raw()), fmpq_numref(result.raw()), scale.value);
  }
  return negative ? -result : result;
}

Rational Rational::from_double(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  Rational result(static_cast<long>(std::ldexp(fraction, 53)));
  return result * power(Rational(2), exponent - 53);
}

bool Rational::is_zero() const {
  return fmpq_is_zero(raw());
}
bool Rational::is_one() const {
  return fmpq_is_one(raw());
}
bool Rational::is_integer() const {
  return fmpz_is_one(fmpq_denref(raw()));
}
bool Rational::is_even_integer() const {
  return is_integer() && fmpz_is_even(fmpq_numref(raw()));
}
int Rational::sign() const {
  return fmpq_sgn(raw());
}
bool operator==(const Rational& a, const Rational& b) {
  return fmpq_equal(a.raw(), b.raw());
}
std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  return fmpq_cmp(a.raw(), b.raw()) <=> 0;
}

std::optional<long> Rational::to_long() const {
  if (!is_integer() || !fmpz_fits_si(fmpq_numref(raw()))) return std::nullopt;
  return fmpz_get_si(fmpq_numref(raw()));
}

/// The nearest double (fmpq_get_d cuts off towards zero: 1/10 would not be 0.1).
double Rational::to_double() const {
  arf_t quotient;
  arf_init(quotient);
  arf_fmpz_div_fmpz(quotient, fmpq_numref(raw()), fmpq_denref(raw()), 53, ARF_RND_NEAR);
  const double result = arf_get_d(quotient, ARF_RND_NEAR);
  arf_clear(quotient);
  return result;
}

Rational Rational::numerator() const {
  return rational_of(fmpq_numref(raw()));
}

Rational Rational::denominator() const {
  return rational_of(fmpq_denref(raw()));
}

std::uint64_t Rational::bits() const {
  return std::max(fmpz_bits(fmpq_numref(raw())), fmpz_bits(fmpq_denref(raw())));
}

std::string Rational::to_string() const {
  std::unique_ptr<char, void (*)(void*)> text(fmpq_get_str(nullptr, 10, raw()), flint_free);
  return text.get();
}

std::uint64_t Rational::hash() const {
  return hash_fmpz(fmpq_numref(raw())) * 31 + hash_fmpz(fmpq_denref(raw()));
}

Rational operator+(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_add(result.raw(), a.raw(), b.raw());
  return result;
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_sub(result.raw(), a.raw(), b.raw());
  return result;
}

Rational operator*(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_mul(result.raw(), a.raw(), b.raw());
  return result;
}

Rational operator/(const Rational& a, const Rational& b) {
  if (b.is_zero()) throw_division_by_zero();
  Rational result;
  fmpq_div(result.raw(), a.raw(), b.raw());
  return result;
}

Rational operator-(const Rational& a) {
  Rational result;
  fmpq_neg(result.raw(), a.raw());
  return result;
}

Rational abs(const Rational& a) {
  return a.sign() < 0 ? -a : a;
}

Rational floor(const Rational& a) {
  Rational result;
  fmpz_fdiv_q(fmpq_numref(result.raw()), fmpq_numref(a.raw()), fmpq_denref(a.raw()));
  return result;
}

Rational power(const Rational& a, long n) {
  if (n < 0 && a.is_zero()) throw_division_by_zero();
  Rational result;
  fmpq_pow_si(result.raw(), a.raw(), n);
  return result;
}

}  // namespace liaison
