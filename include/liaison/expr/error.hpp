#ifndef LIAISON_EXPR_ERROR_HPP
#define LIAISON_EXPR_ERROR_HPP

#include <stdexcept>
#include <string>
#include <utility>

namespace liaison {

/// What a caller asked for that has no meaning. Codes are stable and listed in docs/reference/errors.md;
/// L00xx: expressions, L01xx: text, L02xx: algebra, L03xx: forms.
enum class ErrorCode {
  division_by_zero = 1,       ///< a constant that is exactly zero under a negative power
  undefined_constant = 2,     ///< log(-1), sqrt(-2), asin(3), 0^0: no real value
  symbol_kind_conflict = 3,   ///< one name asked for with two kinds
  wrong_arity = 4,            ///< a function with the wrong number of arguments
  number_too_large = 5,       ///< an exact power with more bits than the pool allows
  mixed_pools = 6,            ///< two expressions of different pools in one operation
  empty_expression = 7,       ///< a default-constructed handle was used
  invalid_name = 8,           ///< a symbol or function name that the language cannot write
  missing_value = 9,          ///< evaluation met a symbol without a value
  not_polynomial = 10,        ///< coefficients were asked for in something not polynomial in the symbols
  not_a_symbol = 11,          ///< a derivative or coefficient was asked for in something other than a symbol
  invalid_text = 101,         ///< a text that is not an expression; the message holds its diagnostics
  limit_reached = 201,        ///< a memory or time limit ended an exact computation
  not_square = 202,           ///< a determinant or solve with the wrong shape
  mixed_coframes = 301,       ///< forms or fields of different coframes in one operation
  coframe_not_closed = 302,   ///< structure equations with d d != 0
  wrong_degree = 303,         ///< an operation that needs another degree
  not_a_basis = 304,          ///< a moving frame whose forms are dependent
  unknown_basis_form = 305,   ///< a name that is not a form or coordinate of the coframe
  too_many_dimensions = 306,  ///< more basis forms than an index set can hold
};

/// The caller misused the interface: what is wrong, and a hint that would mend it.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::string hint = {})
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}
  ErrorCode code() const { return code_; }
  const std::string& hint() const { return hint_; }

 private:
  ErrorCode code_;
  std::string hint_;
};

}  // namespace liaison

#endif  // LIAISON_EXPR_ERROR_HPP
