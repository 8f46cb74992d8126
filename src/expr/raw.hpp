#pragma once

#include <arb.h>
#include <flint/fmpq.h>

#include <new>

#include "liaison/expr/evaluate.hpp"

/// The numbers of FLINT and Arb inside of Rational and Ball, for sources that compute with them. The public
/// headers keep room for them and do not name them: their macros would reach every program.
namespace liaison {

static_assert(sizeof(fmpq) == sizeof(Rational) && alignof(fmpq) <= alignof(Rational));
static_assert(sizeof(arb_struct) == sizeof(Ball) && alignof(arb_struct) <= alignof(Ball));

inline auto Rational::raw() const {
  return std::launder(reinterpret_cast<const fmpq*>(room_));
}
inline auto Rational::raw() {
  return std::launder(reinterpret_cast<fmpq*>(room_));
}
inline auto Ball::raw() const {
  return std::launder(reinterpret_cast<const arb_struct*>(room_));
}
inline auto Ball::raw() {
  return std::launder(reinterpret_cast<arb_struct*>(room_));
}

inline Rational rational_of(const fmpz_t value) {
  Rational result;
  fmpq_set_fmpz(result.raw(), value);
  return result;
}

}  // namespace liaison
