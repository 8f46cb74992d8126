#pragma once

#include <cstddef>

#include "liaison/compile/interpreter.hpp"

/// States brought together into blocks of a few lanes and taken apart again.
namespace liaison {

/// Where a variable of a state lies: base[variable*variable_step + state*state_step].
struct BatchSteps {
  std::size_t variable;
  std::size_t state;
};
inline BatchSteps batch_steps(BatchLayout layout, std::size_t variables, std::size_t count) {
  if (layout == BatchLayout::by_state) return {1, variables};
  return {count, 1};
}

/// block[variable*lanes + lane]; lanes beyond the last state repeat it.
template <std::size_t lanes>
void gather_block(const double* base, BatchSteps steps, std::size_t variables, std::size_t first,
                  std::size_t present, double* block) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const double* state = base + (first + (lane < present ? lane : present - 1)) * steps.state;
    if (steps.variable == 1) {
      for (std::size_t i = 0; i < variables; ++i) block[i * lanes + lane] = state[i];
    } else {
      for (std::size_t i = 0; i < variables; ++i) block[i * lanes + lane] = state[i * steps.variable];
    }
  }
}

template <std::size_t lanes>
void scatter_block(const double* block, BatchSteps steps, std::size_t variables, std::size_t first,
                   std::size_t present, double* base) {
  for (std::size_t lane = 0; lane < present; ++lane) {
    double* state = base + (first + lane) * steps.state;
    if (steps.variable == 1) {
      for (std::size_t i = 0; i < variables; ++i) state[i] = block[i * lanes + lane];
    } else {
      for (std::size_t i = 0; i < variables; ++i) state[i * steps.variable] = block[i * lanes + lane];
    }
  }
}

}  // namespace liaison
