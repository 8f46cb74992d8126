#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "liaison/model/language.hpp"

namespace liaison::test {

/// The system of a text; fails the test, with the diagnostics, if there are any.
System read_system(const std::string& text);
/// The diagnostics of a text as they are shown.
std::string read_errors(const std::string& text);
/// An expression in the symbols of a system.
Expr in(const System& system, std::string_view text);
/// Equal as functions, decided by the algebra.
::testing::AssertionResult same(const System& system, Expr e, std::string_view text);
std::string read_file(const std::string& path);

}  // namespace liaison::test
