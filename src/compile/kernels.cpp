#include "kernels.hpp"

#include <array>

namespace liaison {
namespace {

struct OperationRow {
  std::string_view name;
  unsigned operands;
  kernels::Unary unary = nullptr;
  kernels::Binary binary = nullptr;
};

OperationRow row(Operation operation) {
  switch (operation) {
    case Operation::add: return {"add", 2};
    case Operation::sub: return {"sub", 2};
    case Operation::mul: return {"mul", 2};
    case Operation::div: return {"div", 2};
    case Operation::neg: return {"neg", 1};
    case Operation::sqrt: return {"sqrt", 1};
    case Operation::abs: return {"fabs", 1};
    case Operation::sign: return {"sign", 1};
    case Operation::min: return {"min", 2};
    case Operation::max: return {"max", 2};
    case Operation::sin: return {"sin", 1, std::sin};
    case Operation::cos: return {"cos", 1, std::cos};
    case Operation::sincos: return {"sincos", 1};
    case Operation::tan: return {"tan", 1, std::tan};
    case Operation::asin: return {"asin", 1, std::asin};
    case Operation::acos: return {"acos", 1, std::acos};
    case Operation::atan: return {"atan", 1, std::atan};
    case Operation::atan2: return {"atan2", 2, nullptr, std::atan2};
    case Operation::sinh: return {"sinh", 1, std::sinh};
    case Operation::cosh: return {"cosh", 1, std::cosh};
    case Operation::tanh: return {"tanh", 1, std::tanh};
    case Operation::exp: return {"exp", 1, std::exp};
    case Operation::log: return {"log", 1, std::log};
    case Operation::pow: return {"pow", 2, nullptr, std::pow};
    case Operation::store: return {"store", 1};
  }
  return {};
}

}  // namespace

std::string_view operation_name(Operation operation) {
  return row(operation).name;
}

unsigned operand_count(Operation operation) {
  return row(operation).operands;
}

namespace kernels {

Unary unary_function(Operation operation) {
  return row(operation).unary;
}

Binary binary_function(Operation operation) {
  return row(operation).binary;
}

double apply(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::sub: return a - b;
    case Operation::mul: return a * b;
    case Operation::div: return a / b;
    case Operation::neg: return -a;
    case Operation::sqrt: return std::sqrt(a);
    case Operation::abs: return std::abs(a);
    case Operation::sign: return sign(a);
    case Operation::min: return min(a, b);
    case Operation::max: return max(a, b);
    case Operation::sincos: return std::sin(a);
    case Operation::store: return a;
    case Operation::atan2:
    case Operation::pow: return binary_function(operation)(a, b);
    default: return unary_function(operation)(a);
  }
}

}  // namespace kernels
}  // namespace liaison
