#include "expr/raw.hpp"
#include "raw.hpp"

namespace liaison {

LongReal::LongReal() {
  arf_init(raw());
}
LongReal::LongReal(double exact) : LongReal() {
  arf_set_d(raw(), exact);
}
LongReal::LongReal(const LongReal& other) : LongReal() {
  arf_set(raw(), other.raw());
}
LongReal::LongReal(LongReal&& other) noexcept : LongReal() {
  arf_swap(raw(), other.raw());
}
LongReal& LongReal::operator=(const LongReal& other) {
  arf_set(raw(), other.raw());
  return *this;
}
LongReal& LongReal::operator=(LongReal&& other) noexcept {
  arf_swap(raw(), other.raw());
  return *this;
}
LongReal::~LongReal() {
  arf_clear(raw());
}

bool LongReal::is_finite() const {
  return arf_is_finite(raw());
}
bool LongReal::is_zero() const {
  return arf_is_zero(raw());
}
double LongReal::to_double() const {
  return arf_get_d(raw(), ARF_RND_NEAR);
}

void LongReal::set(const Rational& value, long bits) {
  arf_set_fmpq(raw(), value.raw(), bits, ARF_RND_NEAR);
}

std::string LongReal::to_string(long digits) const {
  Ball ball;
  arb_set_arf(ball.raw(), raw());
  return ball.to_string(digits);
}

}  // namespace liaison
