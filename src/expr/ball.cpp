#include <algorithm>
#include <cmath>
#include <limits>

#include "raw.hpp"

namespace liaison {

Ball::Ball() {
  arb_init(raw());
}
Ball::Ball(const Rational& exact, long bits) : Ball() {
  arb_set_fmpq(raw(), exact.raw(), bits);
}
Ball::Ball(const Ball& other) : Ball() {
  arb_set(raw(), other.raw());
}
Ball::Ball(Ball&& other) noexcept : Ball() {
  arb_swap(raw(), other.raw());
}
Ball& Ball::operator=(Ball other) noexcept {
  arb_swap(raw(), other.raw());
  return *this;
}
Ball::~Ball() {
  arb_clear(raw());
}

bool Ball::is_finite() const {
  return arb_is_finite(raw());
}
bool Ball::contains_zero() const {
  return arb_contains_zero(raw());
}
bool Ball::is_positive() const {
  return arb_is_positive(raw());
}
bool Ball::is_negative() const {
  return arb_is_negative(raw());
}
bool overlaps(const Ball& a, const Ball& b) {
  return arb_overlaps(a.raw(), b.raw());
}

double Ball::mid() const {
  return arf_get_d(arb_midref(raw()), ARF_RND_NEAR);
}

double Ball::rad() const {
  return mag_get_d(arb_radref(raw()));
}

long Ball::digits() const {
  if (arb_is_exact(raw())) return std::numeric_limits<long>::max();
  const double digits = std::floor(static_cast<double>(arb_rel_accuracy_bits(raw())) / std::log2(10.0));
  return std::max(0L, static_cast<long>(digits));
}

std::string Ball::to_string(long digits) const {
  char* text = arb_get_str(raw(), digits, ARB_STR_NO_RADIUS);
  std::string result(text);
  flint_free(text);
  return result;
}

}  // namespace liaison
