#pragma once

#include <string>

#include "liaison/expr/error.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {

[[noreturn]] inline void refuse_power(const std::string& name, Expr power) {
  throw Error(
      ErrorCode::not_polynomial,
      "the power of `" + name + "` is not of degree one in the velocities: " + to_infix(power),
      "each term is a coefficient times a velocity or a norm of velocities, as in N' - f*sqrt(u^2 + v^2)");
}

}  // namespace liaison
