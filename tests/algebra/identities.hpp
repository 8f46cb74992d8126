#pragma once

#include <string_view>

namespace liaison::test {

/// An identity, and a right side that is wrong in one sign, factor or exponent.
struct Identity {
  std::string_view left;
  std::string_view right;
  std::string_view wrong;
};

/// Rational functions of symbols and of sin and cos of rational combinations of angles: here canonical forms
/// decide.
inline constexpr Identity rational_trigonometric_identities[] = {
    {"sin(x)^2 + cos(x)^2", "1", "1 + x/1000000"},
    {"(x^2 - y^2)/(x - y)", "x + y", "x - y"},
    {"1/(x - 1) - 1/(x + 1)", "2/(x^2 - 1)", "2/(x^2 + 1)"},
    {"sin(2*x)", "2*sin(x)*cos(x)", "sin(x)*cos(x)"},
    {"cos(2*x)", "1 - 2*sin(x)^2", "1 - 2*cos(x)^2"},
    {"sin(3*x)", "3*sin(x) - 4*sin(x)^3", "3*sin(x) - 4*cos(x)^3"},
    {"cos(5*x)", "16*cos(x)^5 - 20*cos(x)^3 + 5*cos(x)", "16*cos(x)^5 - 20*cos(x)^3 + 4*cos(x)"},
    {"tan(x)", "sin(x)/cos(x)", "cos(x)/sin(x)"},
    {"tan(x)", "sin(2*x)/(1 + cos(2*x))", "sin(2*x)/(1 - cos(2*x))"},
    {"tan(x/2)", "(1 - cos(x))/sin(x)", "(1 + cos(x))/sin(x)"},
    {"tan(x/2)", "sin(x)/(1 + cos(x))", "sin(x)/(1 - cos(x))"},
    {"tan(x + y)", "(tan(x) + tan(y))/(1 - tan(x)*tan(y))", "(tan(x) + tan(y))/(1 + tan(x)*tan(y))"},
    {"sin(x + y)*sin(x - y)", "sin(x)^2 - sin(y)^2", "sin(x)^2 + sin(y)^2"},
    {"cos(x + y)*cos(x - y)", "cos(x)^2 - sin(y)^2", "cos(x)^2 - cos(y)^2"},
    {"sin(x) + sin(y)", "2*sin((x + y)/2)*cos((x - y)/2)", "2*cos((x + y)/2)*sin((x - y)/2)"},
    {"cos(x) - cos(y)", "-2*sin((x + y)/2)*sin((x - y)/2)", "2*sin((x + y)/2)*sin((x - y)/2)"},
    {"sin(x)", "2*tan(x/2)/(1 + tan(x/2)^2)", "2*tan(x/2)/(1 - tan(x/2)^2)"},
    {"cos(x)", "(1 - tan(x/2)^2)/(1 + tan(x/2)^2)", "(1 + tan(x/2)^2)/(1 - tan(x/2)^2)"},
    {"cos(x/2)^2", "(1 + cos(x))/2", "(1 - cos(x))/2"},
    {"sin(x)*sin(y)", "(cos(x - y) - cos(x + y))/2", "(cos(x + y) - cos(x - y))/2"},
    {"sin(x)^4 + cos(x)^4", "(3 + cos(4*x))/4", "(3 - cos(4*x))/4"},
    {"sin(x)^6 + cos(x)^6", "1 - 3*sin(x)^2*cos(x)^2", "1 - 2*sin(x)^2*cos(x)^2"},
    {"1/(1 + sin(x))", "(1 - sin(x))/cos(x)^2", "(1 + sin(x))/cos(x)^2"},
    {"(1 + sin(x) + cos(x))/(1 + sin(x) - cos(x))", "(1 + cos(x))/sin(x)", "(1 - cos(x))/sin(x)"},
    {"1/sin(x) - sin(x)", "cos(x)^2/sin(x)", "cos(x)/sin(x)"},
    {"sin(x)/(1 + cos(x)) + (1 + cos(x))/sin(x)", "2/sin(x)", "2/cos(x)"},
    {"(sin(x) + cos(x))^2", "1 + sin(2*x)", "1 + cos(2*x)"},
    {"4*cos(x/3)^3 - 3*cos(x/3)", "cos(x)", "cos(2*x)"},
    {"4*sin(x)*sin(pi/3 - x)*sin(pi/3 + x)", "sin(3*x)", "cos(3*x)"},
    {"sin(x + pi/3) + sin(x - pi/3)", "sin(x)", "cos(x)"},
    {"tan(x + pi/4)", "(1 + tan(x))/(1 - tan(x))", "(1 - tan(x))/(1 + tan(x))"},
    {"sin(w*t + p)^2 + cos(w*t + p)^2", "1", "cos(w*t)^2 + sin(p)^2"},
    {"sin(x)*cos(y + z) + cos(x)*sin(y + z)", "sin(x + y + z)", "sin(x + y - z)"},
    {"sin(x - y)*cos(z) + sin(y - z)*cos(x) + sin(z - x)*cos(y)", "0", "sin(x - y)*sin(y - z)"},
    {"sin(4*x)/sin(x)", "8*cos(x)^3 - 4*cos(x)", "8*cos(x)^3 - 4*sin(x)"},
    {"sin(x/2)*sin(x/3)", "(cos(x/6) - cos(5*x/6))/2", "(cos(x/6) + cos(5*x/6))/2"},
    {"(x*sin(y) + 1)^3/(x*sin(y) + 1)", "x^2 - x^2*cos(y)^2 + 2*x*sin(y) + 1",
     "x^2 + x^2*cos(y)^2 + 2*x*sin(y) + 1"},
    {"1/(sin(x) + cos(y))", "(sin(x) - cos(y))/(sin(x)^2 - cos(y)^2)",
     "(sin(x) - cos(y))/(sin(x)^2 + cos(y)^2)"},
    {"sin(1)^2", "1 - cos(1)^2", "1 - cos(2)^2"},
};

/// The same for exp, hyperbolic functions, roots of numbers and unknown functions.
inline constexpr Identity other_complete_identities[] = {
    {"exp(x)*exp(y)", "exp(x + y)", "exp(x*y)"},
    {"exp(2*x) - 1", "(exp(x) - 1)*(exp(x) + 1)", "(exp(x) - 1)^2"},
    {"(exp(x) - 1)/(exp(x/2) + 1)", "exp(x/2) - 1", "exp(x/2) + 1"},
    {"cosh(x)^2 - sinh(x)^2", "1", "-1"},
    {"tanh(x)", "(exp(2*x) - 1)/(exp(2*x) + 1)", "(exp(x) - 1)/(exp(x) + 1)"},
    {"sinh(x + y)", "sinh(x)*cosh(y) + cosh(x)*sinh(y)", "sinh(x)*cosh(y) - cosh(x)*sinh(y)"},
    {"tanh(x/2)", "sinh(x)/(1 + cosh(x))", "sinh(x)/(1 - cosh(x))"},
    {"exp(1)*exp(2)", "exp(3)", "exp(2)"},
    {"sqrt(2)*sqrt(3)", "sqrt(6)", "sqrt(5)"},
    {"1/(1 + sqrt(2))", "sqrt(2) - 1", "1 - sqrt(2)"},
    {"1/(1 + sqrt(2) + sqrt(3))", "(2 + sqrt(2) - sqrt(6))/4", "(2 + sqrt(2) + sqrt(6))/4"},
    {"sin(pi/12)", "(sqrt(6) - sqrt(2))/4", "(sqrt(6) + sqrt(2))/4"},
    {"sin(x + pi/4)", "(sin(x) + cos(x))/sqrt(2)", "(sin(x) - cos(x))/sqrt(2)"},
    {"sqrt(x)*sqrt(x)/x", "1", "x"},
    {"x^(1/3)*x^(1/6)", "sqrt(x)", "x"},
    {"(x - y)/(sqrt(x) - sqrt(y))", "sqrt(x) + sqrt(y)", "sqrt(x) - sqrt(y)"},
    {"f(x + x) - f(2*x)", "0", "f(x)"},
    {"(f(x)^2 - g(x, y)^2)/(f(x) - g(x, y))", "f(x) + g(x, y)", "f(x) - g(x, y)"},
    {"f(sin(x)^2 + cos(x)^2)*x", "f(1)*x", "f(x)*x"},
    {"f'(x)*sin(x)/tan(x)", "f'(x)*cos(x)", "f(x)*cos(x)"},
    {"cos(f(x))^2", "1 - sin(f(x))^2", "1 - sin(x)^2"},
};

/// True where both sides have values; proved, though no completeness is claimed.
inline constexpr Identity identities_with_roots[] = {
    {"sqrt(x^2)", "abs(x)", "x"},
    {"sqrt(x^2 + 2*x*y + y^2)", "abs(x + y)", "x + y"},
    {"sqrt(1 - cos(x)^2)", "abs(sin(x))", "sin(x)"},
    {"sqrt(8*x^2*y^2)", "2*sqrt(2)*abs(x)*abs(y)", "2*sqrt(2)*x*abs(y)"},
    {"sqrt(2*x + 2*y)", "sqrt(2)*sqrt(x + y)", "2*sqrt(x + y)"},
    {"1/sqrt(x^2 + y^2)", "sqrt(x^2 + y^2)/(x^2 + y^2)", "sqrt(x^2 + y^2)/(x^2 - y^2)"},
    {"(x^2 + y^2)^(3/2)", "x^2*sqrt(x^2 + y^2) + y^2*sqrt(x^2 + y^2)", "x^2*sqrt(x^2 + y^2)"},
    {"abs(x)*abs(y)", "abs(x*y)", "x*y"},
    {"abs(2*x - 2*y)", "2*abs(y - x)", "2*(x - y)"},
    {"max(x, y) + min(x, y)", "x + y", "x - y"},
    {"max(x, y)*min(x, y)", "x*y", "x^2"},
    {"sign(x)*abs(x)", "x", "-x"},
    {"exp(log(x))", "x", "x^2"},
    {"sin(asin(x))", "x", "2*x"},
    {"sqrt(x + 1)^2 - x", "1", "2"},
};

}  // namespace liaison::test
