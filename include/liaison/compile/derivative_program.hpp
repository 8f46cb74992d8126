#ifndef LIAISON_COMPILE_DERIVATIVE_PROGRAM_HPP
#define LIAISON_COMPILE_DERIVATIVE_PROGRAM_HPP

#include <cstddef>
#include <span>
#include <vector>

#include "liaison/compile/program.hpp"

namespace liaison {

struct JacobianPosition {
  std::size_t row;     ///< which output
  std::size_t column;  ///< which of the symbols it is differentiated by
};

/// Outputs of the program: the values, then the entries of the Jacobian in the order of the pattern.
struct JacobianProgram {
  Program program;
  std::vector<JacobianPosition> pattern;  ///< entries that are not zero everywhere, by row, then column
  std::size_t value_count = 0;
};
/// Values and sparse Jacobian d(outputs)/d(wrt), with everything shared between them.
JacobianProgram make_jacobian_program(std::span<const Expr> inputs, std::span<const Expr> outputs,
                                      std::span<const Expr> wrt, const ProgramOptions& options = {});

/// Values, then the Jacobian times a tangent. Inputs: the given ones, then one tangent "d(x)" for each
/// symbol of `wrt`. By forward differentiation of the instructions: about twice the cost of the values,
/// whatever the size of `wrt`. The derivative of abs is sign, that of sign 0; min and max take the mean of
/// both branches where they meet.
Program make_jvp_program(std::span<const Expr> inputs, std::span<const Expr> outputs,
                         std::span<const Expr> wrt, const ProgramOptions& options = {});

}  // namespace liaison

#endif  // LIAISON_COMPILE_DERIVATIVE_PROGRAM_HPP
