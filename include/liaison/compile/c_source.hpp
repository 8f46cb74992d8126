#ifndef LIAISON_COMPILE_C_SOURCE_HPP
#define LIAISON_COMPILE_C_SOURCE_HPP

#include <string>

#include "liaison/compile/program.hpp"

namespace liaison {

/// The program as a C99 file with the one function `void NAME(const double *in, double *out)`. It needs
/// libm and nothing of liaison; in ISO mode (-std=c99) it gives the same bits as the interpreter.
/// Throws invalid_name if the name is not a C identifier.
std::string to_c99(const Program& program, const std::string& function_name);

}  // namespace liaison

#endif  // LIAISON_COMPILE_C_SOURCE_HPP
