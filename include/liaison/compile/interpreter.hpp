#ifndef LIAISON_COMPILE_INTERPRETER_HPP
#define LIAISON_COMPILE_INTERPRETER_HPP

#include <cstddef>
#include <span>

#include "liaison/compile/program.hpp"

/// The reference: runs a program instruction by instruction. What is compiled must give the same bits.
namespace liaison {

/// How the values of many states lie in memory.
enum class BatchLayout {
  by_state,     ///< state after state: input i of state k at [k*inputs + i]
  by_variable,  ///< all values of a variable together: input i of state k at [i*count + k]
};

/// `scratch` holds `program.slot_count` numbers. Outputs do not overlap inputs.
void run(const Program& program, const double* in, double* out, double* scratch);

/// Numbers that `run_batch` needs as scratch.
std::size_t batch_scratch_size(const Program& program);
/// `count` states; the same bits as one `run` a state.
void run_batch(const Program& program, const double* in, double* out, std::size_t count, double* scratch,
               BatchLayout layout = BatchLayout::by_state);

/// No NaN and no infinity: programs report nothing, so a caller asks here.
bool all_finite(std::span<const double> values);

}  // namespace liaison

#endif  // LIAISON_COMPILE_INTERPRETER_HPP
